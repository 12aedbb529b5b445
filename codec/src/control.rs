//! The control socket: one request a line, one reply a line, each a JSON object with a `type`.
//!
//! Owns the words of both sides. Says nothing about who may connect.

use crate::id::Key;
use crate::json::{Json, Num, Record as _, Text, line_of, record, required};
use crate::reject::{Reason, Reject, split};
use crate::tunnel::{QuestionKind, Role};

/// The version of what is said here.
pub const VERSION: u64 = 1;

/// The longest request, in bytes.
pub const LONGEST: usize = 1 << 20;

record! {
    /// What goes on?
    struct Ps {
    }
    optional {
        /// only this question, and all of it
        key: Key = "key",
    }

    /// This is the answer to that question.
    struct Answer {
        key: Key = "key",
        value: Json<'a> = "value",
    }

    /// That question gets no answer.
    struct Decline {
        key: Key = "key",
    }

    /// Tell this to whoever is called so.
    struct Send {
        /// a path, the last label of one, or `all`
        to: Text<'a> = "to",
        text: Text<'a> = "text",
    }

    /// Whoever is called so stops what it does.
    struct Stop {
        /// a path, or the last label of one
        to: Text<'a> = "to",
    }
    optional {
        /// it ends, with all that it started
        end: bool = "end",
    }

    /// It was done.
    struct Done {
    }
    optional {
        /// to whom it went
        to: Vec<Text<'a>> = "to",
    }

    /// It was not done.
    struct Failure {
        /// why, in one word
        reason: Text<'a> = "reason",
        /// why, in words for people
        message: Text<'a> = "message",
    }

    /// What goes on.
    struct Status {
        /// the version of what is said here, 1
        v: u64 = "v",
        run: Text<'a> = "run",
        pid: u64 = "pid",
        role: Role = "role",
        /// where it works
        folder: Text<'a> = "folder",
        started_unix_ms: u64 = "startedUnixMs",
        /// of the program
        version: Text<'a> = "version",
        /// whether somebody is there who can be asked
        desk: bool = "desk",
        agents: Vec<AgentState<'a>> = "agents",
        askers: Vec<AskerState<'a>> = "askers",
        questions: Vec<OpenQuestion<'a>> = "questions",
    }
    optional {
        /// what a parent calls it
        path: Text<'a> = "path",
        /// how many questions are open besides those
        more: u64 = "more",
    }

    /// An agent of the run's own.
    struct AgentState {
        path: Text<'a> = "path",
        /// it waits for a person
        waits: bool = "waits",
    }
    optional {
        /// what it is at
        doing: Text<'a> = "doing",
        cost_usd: Num<'a> = "costUsd",
    }

    /// Somebody who may ask.
    struct AskerState {
        wire: Text<'a> = "wire",
        path: Text<'a> = "path",
        /// `agent`, `tim`, `bridge`, `script`, `client`
        what: Text<'a> = "what",
        /// `claude`, `events`, `tunnel`
        speaks: Text<'a> = "speaks",
        /// whether typed lines go there
        hears: bool = "hears",
    }
    optional {
        pid: u64 = "pid",
    }

    /// A question that is open: what an answer command sees of it, and since when.
    struct OpenQuestion {
        v: u64 = "v",
        key: Key = "key",
        path: Text<'a> = "path",
        kind: QuestionKind = "kind",
        config: Json<'a> = "config",
    }
    optional {
        pid: u64 = "pid",
        tool: Json<'a> = "tool",
        deadline_ms: u64 = "deadlineMs",
        /// for how long it has been open
        since_ms: u64 = "sinceMs",
        /// somebody sees it
        shown: bool = "shown",
        /// it is too long to be listed whole: `config` and `tool` are left out
        cut: bool = "cut",
    }
}

/// What may be asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Request<'a> {
    /// `ps`
    Ps(Ps<'a>),
    /// `answer`
    Answer(Answer<'a>),
    /// `decline`
    Decline(Decline<'a>),
    /// `send`
    Send(Send<'a>),
    /// `stop`
    Stop(Stop<'a>),
}

/// What is said to it.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply<'a> {
    /// `ps`
    Status(Box<Status<'a>>),
    /// `ok`
    Done(Done<'a>),
    /// `error`
    Failure(Failure<'a>),
}

impl<'a> Request<'a> {
    /// Reads one line. What is not known is not guessed at.
    pub fn read(line: &'a [u8]) -> Result<Self, Reject> {
        let mut object = split(line)?;
        let kind: Text<'a> = required(&mut object, "type")?;
        Ok(match kind.get().as_ref() {
            "ps" => Self::Ps(Ps::from_object(object)?),
            "answer" => Self::Answer(Answer::from_object(object)?),
            "decline" => Self::Decline(Decline::from_object(object)?),
            "send" => Self::Send(Send::from_object(object)?),
            "stop" => Self::Stop(Stop::from_object(object)?),
            other => return Err(Reason::UnknownRequest(other.to_owned()).into()),
        })
    }

    /// The request as a line, without its line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        match self {
            Self::Ps(record) => line_of("ps", record),
            Self::Answer(record) => line_of("answer", record),
            Self::Decline(record) => line_of("decline", record),
            Self::Send(record) => line_of("send", record),
            Self::Stop(record) => line_of("stop", record),
        }
    }
}

impl<'a> Reply<'a> {
    /// Reads one line.
    pub fn read(line: &'a [u8]) -> Result<Self, Reject> {
        let mut object = split(line)?;
        let kind: Text<'a> = required(&mut object, "type")?;
        Ok(match kind.get().as_ref() {
            "ps" => Self::Status(Box::new(Status::from_object(object)?)),
            "ok" => Self::Done(Done::from_object(object)?),
            "error" => Self::Failure(Failure::from_object(object)?),
            other => return Err(Reason::UnknownRequest(other.to_owned()).into()),
        })
    }

    /// Why something was not done.
    #[must_use]
    pub fn failure(reason: &str, message: &str) -> Reply<'static> {
        Reply::Failure(Failure::of(Text::new(reason), Text::new(message)))
    }

    /// The reply as a line, without its line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        match self {
            Self::Status(record) => line_of("ps", record.as_ref()),
            Self::Done(record) => line_of("ok", record),
            Self::Failure(record) => line_of("error", record),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_reads_back_as_written() {
        for line in [
            r#"{"type":"ps"}"#,
            r#"{"type":"ps","key":"7f3c.p1"}"#,
            r#"{"type":"answer","key":"7f3c.p1","value":{"allow":true}}"#,
            r#"{"type":"decline","key":"7f3c.p1"}"#,
            r#"{"type":"send","to":"all","text":"go on"}"#,
            r#"{"type":"stop","to":"web","end":true}"#,
        ] {
            assert_eq!(Request::read(line.as_bytes()).unwrap().to_line(), line);
        }
    }

    #[test]
    fn what_is_no_request_is_turned_away_with_the_reason() {
        for (line, why) in [
            (r#"{"type":"kill"}"#, "\"kill\" is no request"),
            (r#"{"type":"answer","key":"7f3c.p1"}"#, "value"),
            (r#"{"type":"answer","key":"p1","value":1}"#, "key"),
            (r#"{"type":"stop","to":"web","end":"yes"}"#, "end"),
            ("[]", "object"),
        ] {
            let wrong = Request::read(line.as_bytes()).unwrap_err().to_string();
            assert!(wrong.contains(why), "{line}: {wrong}");
        }
        assert!(Request::read(b"\xff").is_err());
    }

    #[test]
    fn every_reply_reads_back_as_written() {
        for line in [
            r#"{"type":"ok","to":["web"]}"#,
            r#"{"type":"error","reason":"late","message":"somebody else was first"}"#,
            concat!(
                r#"{"type":"ps","v":1,"run":"7f3c","pid":7,"role":"run","folder":"/w","startedUnixMs":1,"#,
                r#""version":"0.1.0","desk":true,"agents":[{"path":"web","waits":true,"doing":"Bash","#,
                r#""costUsd":0.2}],"askers":[{"wire":"claude:main","path":"web","what":"agent","#,
                r#""speaks":"claude","hears":true,"pid":9}],"questions":[{"v":1,"key":"7f3c.p1","#,
                r#""path":"web","kind":"confirm","config":{},"sinceMs":5,"shown":false}]}"#
            ),
        ] {
            assert_eq!(Reply::read(line.as_bytes()).unwrap().to_line(), line);
        }
    }
}
