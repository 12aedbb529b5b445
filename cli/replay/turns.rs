//! `tim replay --turns`: the record of a run, turn by turn.
//!
//! Reads one file and writes to stdout. Where turns begin and end is decided in `actors::turns`; here they are printed, as
//! soon as each is over.

mod page;
#[cfg(test)]
mod tests;

use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use actors::replay::NotReplayable;
use actors::turns::{Exited, Reading, Told, Turn};
use codec::frame::{Frame, Oversized};
use codec::json::{Json, Text, Written as _};
use codec::text::{escape_hidden, visible};

use super::file::{self, Part, Stopped};
use crate::args::OutputFormat;
use crate::exit::{self, Code};

/// Runs the command.
pub(super) fn run(path: &Path, format: OutputFormat) -> Code {
    let mut print = Print::new(format, BufWriter::new(io::stdout().lock()));
    match file::open(path).and_then(|input| read(path, input, &mut print)) {
        Ok(()) => exit::SUCCESS,
        Err(stopped) => stopped.said_after(&mut print.out),
    }
}

fn read(path: &Path, input: impl Read, print: &mut Print<impl Write>) -> Result<(), Stopped> {
    let unreadable = |error: NotReplayable| Stopped::unreadable(path, error);
    let mut reading = Reading::new();
    file::read(path, input, |part| {
        let told = match part {
            Part::Next(Frame::Line(line)) => reading.line(&line),
            Part::Last(Frame::Line(line)) => reading.last_line(&line),
            Part::Next(other) | Part::Last(other) => reading.oversized(length(&other)),
            Part::Pause => return Ok(print.out.flush()?),
        };
        Ok(told.map_err(unreadable)?.iter().try_for_each(|told| print.told(told))?)
    })?;
    for turn in reading.finish().map_err(unreadable)? {
        print.turn(&turn)?;
    }
    Ok(print.finish()?)
}

/// What is printed of a file, and whether it went to the end.
#[cfg(test)]
pub(super) fn printed(bytes: &[u8], format: OutputFormat) -> (Vec<u8>, bool) {
    let mut print = Print::new(format, Vec::new());
    let is_read = read(Path::new("x"), bytes, &mut print).is_ok();
    (print.out, is_read)
}

fn length(frame: &Frame) -> usize {
    match frame {
        Frame::Line(line) => line.len(),
        Frame::Oversized(Oversized { length, .. }) | Frame::Torn { length } => *length,
    }
}

/// What is printed.
struct Print<W: Write> {
    format: OutputFormat,
    out: W,
    turns: u64,
    unused: u64,
    /// for the one object at the end; more processes no run has
    exits: Vec<Exited>,
}

/// How many of them are kept for that.
const MOST_EXITS: usize = 1_000;

impl<W: Write> Print<W> {
    const fn new(format: OutputFormat, out: W) -> Self {
        Self { format, out, turns: 0, unused: 0, exits: Vec::new() }
    }

    fn told(&mut self, told: &Told) -> io::Result<()> {
        match told {
            Told::Turn(turn) => self.turn(turn),
            Told::Unused(at, why) => self.unused(*at, why),
            Told::Exited(exited) => self.exited(exited),
            Told::Printed(at, wire, line) => self.printed(*at, wire, line),
        }
    }

    fn turn(&mut self, turn: &Turn) -> io::Result<()> {
        let is_first = self.turns == 0;
        self.turns += 1;
        match self.format {
            OutputFormat::Text => {
                let between = if is_first { "" } else { "\n" };
                writeln!(self.out, "{between}{}", page::rows(turn).join("\n"))
            }
            OutputFormat::Json => {
                let before = if is_first { BEGIN } else { "," };
                write!(self.out, "{before}{}", line(&turn.to_json()))
            }
            OutputFormat::StreamJson => writeln!(self.out, "{}", line(&turn.to_json())),
        }
    }

    fn unused(&mut self, at: u64, why: &str) -> io::Result<()> {
        self.unused += 1;
        match self.format {
            OutputFormat::Text => writeln!(self.out, "{}  ! {}", super::wires::when(at), visible(why)),
            OutputFormat::Json => Ok(()),
            OutputFormat::StreamJson => {
                let json = Json::object(|out| {
                    out.raw_member("\"type\"", "\"unused\"");
                    out.member("at", |to| at.write(to));
                    out.member("why", |to| Text::new(why).write(to));
                });
                writeln!(self.out, "{}", line(&json))
            }
        }
    }

    fn exited(&mut self, exited: &Exited) -> io::Result<()> {
        match self.format {
            OutputFormat::Text => {
                let row = format!("{}  {} {}", super::wires::when(exited.at), exited.wire, how(exited));
                writeln!(self.out, "{}", visible(&row))
            }
            OutputFormat::Json if self.exits.len() < MOST_EXITS => {
                self.exits.push(exited.clone());
                Ok(())
            }
            OutputFormat::Json => Ok(()),
            OutputFormat::StreamJson => writeln!(self.out, "{}", line(&exit_json(exited))),
        }
    }

    fn printed(&mut self, at: u64, wire: &str, words: &str) -> io::Result<()> {
        match self.format {
            OutputFormat::Text => {
                let row = format!("{}  {wire} printed: {words}", super::wires::when(at));
                writeln!(self.out, "{}", visible(&row))
            }
            OutputFormat::Json => Ok(()),
            OutputFormat::StreamJson => {
                let json = Json::object(|out| {
                    out.raw_member("\"type\"", "\"printed\"");
                    out.member("at", |to| at.write(to));
                    out.member("wire", |to| Text::new(wire).write(to));
                    out.member("line", |to| Text::new(words).write(to));
                });
                writeln!(self.out, "{}", line(&json))
            }
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        match self.format {
            OutputFormat::Text if self.turns == 0 => writeln!(self.out, "no turns")?,
            OutputFormat::Json => {
                let begin = if self.turns == 0 { BEGIN } else { "" };
                let exits: Vec<_> = self.exits.iter().map(|exited| line(&exit_json(exited))).collect();
                let exits = exits.join(",");
                writeln!(self.out, "{begin}],\"exits\":[{exits}],\"unused\":{}}}", self.unused)?;
            }
            OutputFormat::Text | OutputFormat::StreamJson => {}
        }
        self.out.flush()
    }
}

/// The one object is written while the file is read: it may have more turns than fit into memory.
const BEGIN: &str = "{\"type\":\"turns\",\"turns\":[";

/// How a process ended, in words.
fn how(exited: &Exited) -> String {
    match (exited.code, exited.signal) {
        (_, Some(signal)) => format!("ended by signal {signal}"),
        (Some(code), None) => format!("ended with exit code {code}"),
        (None, None) => "ended".to_owned(),
    }
}

fn exit_json(exited: &Exited) -> Json<'static> {
    Json::object(|out| {
        out.raw_member("\"type\"", "\"exit\"");
        out.member("at", |to| exited.at.write(to));
        out.member("wire", |to| Text::new(&exited.wire).write(to));
        let numbers = [("code", exited.code), ("signal", exited.signal)];
        for (name, number) in numbers.into_iter().filter_map(|(name, number)| Some((name, number?))) {
            out.member(name, |to| number.write(to));
        }
    })
}

/// Without a character that a terminal would act upon.
fn line(json: &Json<'_>) -> String {
    escape_hidden(json.raw()).unwrap_or_else(|| json.raw().to_owned())
}
