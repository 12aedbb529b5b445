//! `tim replay --turns`: the record of a run, turn by turn.
//!
//! Reads one file and writes to stdout. Where turns begin and end is decided in `actors::turns`; here they are printed, as
//! soon as each is over.

mod page;
#[cfg(test)]
mod tests;

use std::io::{self, BufWriter, Write};

use actors::replay::NotReplayable;
use actors::turns::{Reading, Told, Turn};
use codec::frame::{Frame, Oversized};
use codec::json::{Json, Text, Written as _};
use codec::text::{escape_hidden, visible};

use super::file::{self, Part, Stopped};
use crate::args::{OutputFormat, ReplayArgs};
use crate::exit::{self, Code};

/// Runs the command.
pub(super) fn run(args: &ReplayArgs) -> Code {
    let mut print = Print::new(args.output_format, BufWriter::new(io::stdout().lock()));
    match read(args, &mut print) {
        Ok(()) => exit::SUCCESS,
        Err(stopped) => stopped.said_after(&mut print.out),
    }
}

fn read(args: &ReplayArgs, print: &mut Print<impl Write>) -> Result<(), Stopped> {
    let unreadable = |error: NotReplayable| Stopped::unreadable(&args.file, error);
    let mut reading = Reading::new();
    file::read(&args.file, |part| {
        let told = match part {
            Part::Next(Frame::Line(line)) => reading.line(&line),
            Part::Last(Frame::Line(line)) => reading.last_line(&line),
            Part::Next(other) | Part::Last(other) => reading.oversized(length(&other)),
            Part::Pause => return Ok(print.out.flush()?),
        };
        match told.map_err(unreadable)? {
            Some(told) => Ok(print.told(&told)?),
            None => Ok(()),
        }
    })?;
    for turn in reading.finish().map_err(unreadable)? {
        print.turn(&turn)?;
    }
    Ok(print.finish()?)
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
}

impl<W: Write> Print<W> {
    const fn new(format: OutputFormat, out: W) -> Self {
        Self { format, out, turns: 0, unused: 0 }
    }

    fn told(&mut self, told: &Told) -> io::Result<()> {
        match told {
            Told::Turn(turn) => self.turn(turn),
            Told::Unused(at, why) => self.unused(*at, why),
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
            OutputFormat::Text => writeln!(self.out, "{}  ! {}", super::when(at), visible(why)),
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

    fn finish(&mut self) -> io::Result<()> {
        match self.format {
            OutputFormat::Text if self.turns == 0 => writeln!(self.out, "no turns")?,
            OutputFormat::Json => {
                let begin = if self.turns == 0 { BEGIN } else { "" };
                writeln!(self.out, "{begin}],\"unused\":{}}}", self.unused)?;
            }
            OutputFormat::Text | OutputFormat::StreamJson => {}
        }
        self.out.flush()
    }
}

/// The one object is written while the file is read: it may have more turns than fit into memory.
const BEGIN: &str = "{\"type\":\"turns\",\"turns\":[";

/// Without a character that a terminal would act upon.
fn line(json: &Json<'_>) -> String {
    escape_hidden(json.raw()).unwrap_or_else(|| json.raw().to_owned())
}
