//! `tim rules test --jsonl`: cases on stdin, one answer a line on stdout, as they come.
//!
//! Owns what a case may say. The rules of the user's file never count here. What cannot be read, a bad rule too, asks: it
//! never allows. It ends with its input; 2 if a line of it could not be read.

use std::io::{self, BufRead, Write};

use actors::gate::rules::{Rule, RuleSet};
use actors::gate::{Decision, Gate, Place};
use bytes::BytesMut;
use codec::frame::{Frame, Lines, Tail};
use codec::json::{Json, Object};
use codec::limits::Limits;
use tokio_util::codec::Decoder as _;

use super::explain::short_json;
use super::judge::judged;
use super::together;
use crate::exit::{self, Code};

/// A line of the input that was understood.
#[derive(Debug, Default, PartialEq, Eq)]
struct Case {
    allow: Vec<String>,
    deny: Vec<String>,
    command: String,
}

/// Runs the command.
pub(super) fn run(tool: &str, flags: &RuleSet, place: &Place) -> Code {
    let mut judge = Judge { tool, flags, place, lines: 0, is_bad: false };
    match answer_all(&mut judge, io::stdin().lock(), io::stdout().lock()) {
        Ok(()) if judge.is_bad => exit::USAGE,
        Ok(()) => exit::SUCCESS,
        Err(Stopped::Output(error)) => crate::output_failed(&error),
        Err(Stopped::Input(error)) => {
            crate::complain(&actors::system::unreadable("stdin", &error), exit::USAGE)
        }
    }
}

/// Why it ended early.
#[derive(Debug)]
enum Stopped {
    Input(io::Error),
    Output(io::Error),
}

/// Answers each line before it waits for the next.
fn answer_all(judge: &mut Judge<'_>, mut input: impl BufRead, mut out: impl Write) -> Result<(), Stopped> {
    let mut lines = Lines::new(Limits::STANDARD.tunnel_line, Tail::Deliver);
    let mut buffer = BytesMut::new();
    loop {
        let read = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.map_err(Stopped::Input)?,
        };
        let length = read.len();
        buffer.extend_from_slice(read);
        input.consume(length);
        let is_end = length == 0;
        while let Some(frame) = next_frame(&mut lines, &mut buffer, is_end).map_err(Stopped::Input)? {
            writeln!(out, "{}", judge.frame(&frame)).map_err(Stopped::Output)?;
        }
        out.flush().map_err(Stopped::Output)?;
        if is_end {
            return Ok(());
        }
    }
}

fn next_frame(lines: &mut Lines, buffer: &mut BytesMut, is_end: bool) -> io::Result<Option<Frame>> {
    if is_end { lines.decode_eof(buffer) } else { lines.decode(buffer) }
}

/// What judges the cases.
struct Judge<'a> {
    tool: &'a str,
    flags: &'a RuleSet,
    place: &'a Place,
    /// how many lines there were, blank ones not counted
    lines: u64,
    /// whether one of them could not be read
    is_bad: bool,
}

impl Judge<'_> {
    /// The answer to a line.
    fn frame(&mut self, frame: &Frame) -> String {
        self.lines += 1;
        let case = match frame {
            Frame::Line(line) => {
                std::str::from_utf8(line).map_err(|_| "not UTF-8".to_owned()).and_then(Case::read)
            }
            Frame::Oversized(_) | Frame::Torn { .. } => Err("longer than 8 MiB".to_owned()),
        };
        match case {
            Ok(case) => self.case(&case),
            Err(why) => {
                self.is_bad = true;
                short_json(Decision::Ask, &format!("line {} is not readable: {why}", self.lines))
            }
        }
    }

    fn case(&self, case: &Case) -> String {
        match (rules(&case.allow), rules(&case.deny)) {
            (Ok(allow), Ok(deny)) => {
                let gate = Gate::new(together(RuleSet { allow, deny }, self.flags), self.place.clone());
                let judgement = judged(&gate, self.tool, &case.command);
                short_json(judgement.decision, &judgement.why)
            }
            (Err(why), _) | (_, Err(why)) => short_json(Decision::Ask, &why),
        }
    }
}

fn rules(texts: &[String]) -> Result<Vec<Rule>, String> {
    let parse = |text: &String| Rule::parse(text).map_err(|bad| format!("bad rule `{text}`: {bad}"));
    texts.iter().map(parse).collect()
}

impl Case {
    /// Reads a line. What else it says is somebody else's.
    fn read(line: &str) -> Result<Self, String> {
        let mut object = Object::parse(line).map_err(|why| why.to_string())?;
        let mut take = |name| object.take(name).map_err(|why| why.to_string());
        let command = take("command")?.ok_or("it has no command")?;
        let mut case = Self { command: text_of(&command, "command")?, ..Self::default() };
        if let Some(rule) = take("rule")? {
            case.allow.push(text_of(&rule, "rule")?);
        }
        for (name, is_deny) in [("allow", false), ("also", false), ("deny", true)] {
            if let Some(list) = take(name)? {
                let rules = if is_deny { &mut case.deny } else { &mut case.allow };
                rules.extend(texts_of(&list, name)?);
            }
        }
        Ok(case)
    }
}

fn text_of(json: &Json<'_>, name: &str) -> Result<String, String> {
    json.as_text().map(|text| text.get().into_owned()).ok_or_else(|| format!("{name} is not a text"))
}

fn texts_of(json: &Json<'_>, name: &str) -> Result<Vec<String>, String> {
    let items = json.as_list().ok_or_else(|| format!("{name} is not a list of rules"))?;
    items.iter().map(|item| text_of(item, &format!("a rule of {name}"))).collect()
}
