//! What a run came to: its exit code, and the object that programs read. Pure.

use std::time::Duration;

use actors::agent::verdict::Verdict;
use codec::json::{Json, Text, Written as _};

use crate::duration;
use crate::exit::{self, Code};
use crate::render::ending::{Ending, How, Refused};
use crate::routed::Failed;
use crate::signals::Caught;

/// Why tim ended a run before it was over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stopped {
    /// it took too long
    Time(Duration),
    /// the agent said nothing for too long
    Idle(Duration),
    /// by a signal, or by Ctrl-C twice
    Signal(Caught),
    /// the parent is gone
    ParentLost,
    /// the terminal is gone
    HungUp,
    /// the person ended it, and only it, from another shell
    Elsewhere,
    /// whoever read stdout is gone
    OutputClosed,
    /// Claude Code began without the server by which it asks
    Mute(&'static str),
    /// what became of its last questions did not get on file
    Unrecorded,
    /// a bug
    RouterLost,
}

impl Stopped {
    /// The server by which the agent asks has that status.
    pub(super) fn mute(status: &str) -> Self {
        const KNOWN: [&str; 4] = ["pending", "failed", "needs-auth", "missing"];
        Self::Mute(KNOWN.into_iter().find(|known| *known == status).unwrap_or("not connected"))
    }
}

/// What it came to, and how tim exits.
pub(super) fn came(
    stopped: Option<Stopped>,
    verdict: Verdict,
    refused: Vec<Refused>,
    is_refused_ok: bool,
) -> (How, Code) {
    match (stopped, verdict) {
        (Some(stopped), _) => was_stopped(stopped),
        (None, Verdict::Failed(why) | Verdict::NoResult(why)) => (How::Failed(why), exit::FAILED),
        // Nobody was there who could have said otherwise: that is no answer.
        (None, Verdict::Rejected { is_decided: false }) if !refused.is_empty() => {
            undecided(refused, is_refused_ok)
        }
        (None, Verdict::Rejected { .. }) => (How::Rejected, exit::FAILED),
        (None, Verdict::Success) if refused.is_empty() => (How::Done, exit::SUCCESS),
        (None, Verdict::Success) => undecided(refused, is_refused_ok),
        (None, Verdict::Undecided(tools)) => undecided(with_unseen(refused, &tools), is_refused_ok),
    }
}

fn undecided(refused: Vec<Refused>, is_refused_ok: bool) -> (How, Code) {
    (How::Undecided(refused), if is_refused_ok { exit::SUCCESS } else { exit::UNDECIDED })
}

/// Of what Claude itself denied tim knows only which tool it was.
fn with_unseen(mut refused: Vec<Refused>, tools: &[String]) -> Vec<Refused> {
    for tool in tools {
        let remedy = "Claude denied it unasked: see its own settings".to_owned();
        let unseen = Refused { what: tool.clone(), remedy };
        if !refused.contains(&unseen) {
            refused.push(unseen);
        }
    }
    refused
}

pub(super) fn was_stopped(stopped: Stopped) -> (How, Code) {
    let after = |what: &str, time: Duration| How::TimedOut(format!("{what} {}", duration::written(time)));
    match stopped {
        Stopped::Time(time) => (after("--timeout", time), exit::TIMED_OUT),
        Stopped::Idle(time) => (after("nothing heard for", time), exit::TIMED_OUT),
        Stopped::Signal(Caught::INTERRUPT) => (How::Interrupted, Code::signal(Caught::INTERRUPT.number)),
        Stopped::Signal(Caught::UNRECORDED) => (How::Failed(LOST.to_owned()), exit::UNWRITTEN),
        Stopped::Signal(caught) => (How::Stopped(caught.name.to_owned()), Code::signal(caught.number)),
        Stopped::ParentLost => {
            (How::Stopped("the run that this belongs to is gone".to_owned()), exit::DISCONNECTED)
        }
        Stopped::HungUp => (How::Stopped("the terminal is gone".to_owned()), Code::signal(HANG_UP)),
        Stopped::Elsewhere => (How::Stopped("ended from another shell".to_owned()), exit::FAILED),
        Stopped::OutputClosed => (How::Stopped("nobody reads stdout".to_owned()), exit::OUTPUT_CLOSED),
        Stopped::Mute(status) => (How::Failed(mute(status)), exit::FAILED),
        Stopped::Unrecorded => (How::Failed(UNRECORDED.to_owned()), exit::FAILED),
        Stopped::RouterLost => (How::Stopped("the router failed; this is a bug".to_owned()), exit::INTERNAL),
    }
}

const UNRECORDED: &str = "the record did not get on file within 10 s, so nobody knows what became of its last \
                          questions; --no-journal keeps none";

const LOST: &str = "records were lost, and --require-journal lets nothing happen without them; make room where the \
                    journal is, or name another file (--journal)";

/// What is wrong, and what to do.
fn mute(status: &str) -> String {
    format!(
        "Claude Code began without the server by which it asks ({status}); --permission-route stdio needs none"
    )
}

/// SIGHUP.
const HANG_UP: i32 = 1;

/// What it came to in one word, for programs.
pub(super) const fn word(how: &How) -> &'static str {
    match how {
        How::Done => "done",
        How::Undecided(_) => "undecided",
        How::Failed(_) => "failed",
        How::TimedOut(_) => "timed_out",
        How::Interrupted => "interrupted",
        How::Rejected => "rejected",
        How::Stopped(_) => "stopped",
    }
}

/// The one object at the end. Of several agents each has one, with its name.
pub(super) fn to_json(run: &str, name: Option<&str>, ending: &Ending, text: Option<&str>) -> Json<'static> {
    let why = match &ending.how {
        How::Failed(why) | How::TimedOut(why) | How::Stopped(why) => Some(why),
        How::Done | How::Rejected | How::Undecided(_) | How::Interrupted => None,
    };
    let refusals: Vec<Json<'static>> = match &ending.how {
        How::Undecided(refused) => refused.iter().map(refusal).collect(),
        _ => Vec::new(),
    };
    let ms = u64::try_from(ending.lasted.as_millis()).unwrap_or(u64::MAX);
    Json::object(|out| {
        out.member("type", |to| Text::new("tim_result").write(to));
        out.member("run", |to| Text::new(run).write(to));
        if let Some(name) = name {
            out.member("name", |to| Text::new(name).write(to));
        }
        out.member("outcome", |to| Text::new(word(&ending.how)).write(to));
        out.member("exit_code", |to| u64::from(ending.exit).write(to));
        for (name, value) in
            [("reason", why.map(String::as_str)), ("result", text), ("session_id", ending.session.as_deref())]
        {
            if let Some(value) = value {
                out.member(name, |to| Text::new(value).write(to));
            }
        }
        if let Some(cost) = ending.cost {
            out.raw_member("\"total_cost_usd\"", &cost.to_string());
        }
        if let Some(tokens) = ending.tokens {
            out.member("usage", |to| usage(tokens).write(to));
        }
        out.member("num_turns", |to| ending.turns.write(to));
        out.member("duration_ms", |to| ms.write(to));
        out.member("refusals", |to| refusals.write(to));
        let unread: Vec<Text<'_>> = ending.not_read.iter().map(|text| Text::new(text)).collect();
        out.member("not_read", |to| unread.write(to));
    })
}

/// The same where no agent ever ran.
pub(super) fn not_begun(run: &str, (why, code): &Failed) -> String {
    let json = Json::object(|out| {
        out.member("type", |to| Text::new("tim_result").write(to));
        out.member("run", |to| Text::new(run).write(to));
        out.member("outcome", |to| Text::new("failed").write(to));
        out.member("exit_code", |to| u64::from(code.number()).write(to));
        out.member("reason", |to| Text::new(why).write(to));
    });
    json.raw().to_owned()
}

fn usage((input, output): (u64, u64)) -> Json<'static> {
    Json::object(|out| {
        out.member("input_tokens", |to| input.write(to));
        out.member("output_tokens", |to| output.write(to));
    })
}

fn refusal(refused: &Refused) -> Json<'static> {
    Json::object(|out| {
        out.member("what", |to| Text::new(&refused.what).write(to));
        out.member("remedy", |to| Text::new(&refused.remedy).write(to));
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::ending::Questions;

    fn refused(what: &str) -> Refused {
        Refused { what: what.to_owned(), remedy: "--allow 'Bash(x:*)'".to_owned() }
    }

    #[test]
    fn what_nobody_knows_the_end_of_is_no_success() {
        let (how, code) = came(Some(Stopped::Unrecorded), Verdict::Success, Vec::new(), true);
        assert!(matches!(how, How::Failed(why) if why.contains("--no-journal")));
        assert_eq!(code, exit::FAILED);
    }

    #[test]
    fn each_end_has_its_own_exit_code() {
        let code = |stopped, verdict, refused: Vec<Refused>, ok| came(stopped, verdict, refused, ok).1;
        let none = Vec::new;
        assert_eq!(code(None, Verdict::Success, none(), false), exit::SUCCESS);
        assert_eq!(code(None, Verdict::Failed("x".into()), none(), true), exit::FAILED);
        assert_eq!(code(None, Verdict::NoResult("x".into()), none(), false), exit::FAILED);
        assert_eq!(code(None, Verdict::Success, vec![refused("a")], false), exit::UNDECIDED);
        assert_eq!(code(None, Verdict::Success, vec![refused("a")], true), exit::SUCCESS);
        assert_eq!(code(None, Verdict::Undecided(vec!["Bash".into()]), none(), false), exit::UNDECIDED);
        let rejected = |is_decided| Verdict::Rejected { is_decided };
        assert_eq!(code(None, rejected(true), vec![refused("earlier")], false), exit::FAILED);
        assert_eq!(code(None, rejected(false), vec![refused("a")], false), exit::UNDECIDED);
        assert_eq!(code(None, rejected(false), vec![refused("a")], true), exit::SUCCESS);
        assert_eq!(code(None, rejected(false), none(), false), exit::FAILED, "what nobody could be asked");
        let stopped = |stopped| code(Some(stopped), Verdict::Success, none(), false);
        assert_eq!(stopped(Stopped::Time(Duration::from_secs(1))), exit::TIMED_OUT);
        assert_eq!(stopped(Stopped::Idle(Duration::from_secs(1))), exit::TIMED_OUT);
        assert_eq!(stopped(Stopped::Signal(Caught::INTERRUPT)), Code::signal(2));
        assert_eq!(stopped(Stopped::Signal(Caught { name: "SIGTERM", number: 15 })), Code::signal(15));
        assert_eq!(stopped(Stopped::Signal(Caught::UNRECORDED)), exit::UNWRITTEN);
        assert_eq!(stopped(Stopped::ParentLost), exit::DISCONNECTED);
        assert_eq!(stopped(Stopped::HungUp), Code::signal(1));
        assert_eq!(stopped(Stopped::OutputClosed), exit::OUTPUT_CLOSED);
        assert_eq!(stopped(Stopped::RouterLost), exit::INTERNAL);
    }

    #[test]
    fn what_claude_denied_unasked_is_listed_beside_what_tim_refused() {
        let verdict = Verdict::Undecided(["Write", "Write"].map(str::to_owned).to_vec());
        let (How::Undecided(listed), _) = came(None, verdict, vec![refused("Bash git push")], false) else {
            panic!()
        };
        let listed: Vec<&str> = listed.iter().map(|one| one.what.as_str()).collect();
        assert_eq!(listed, ["Bash git push", "Write"]);
    }

    #[test]
    fn programs_read_what_came_of_it() {
        let ending = Ending {
            how: How::Undecided(vec![refused("Bash git push")]),
            exit: 5,
            lasted: Duration::from_millis(1500),
            turns: 3,
            cost: Some(0.25),
            tokens: None,
            files: (0, 0, 0),
            questions: Questions::default(),
            not_read: vec!["too late".to_owned()],
            session: Some("s-1".to_owned()),
            goes_on_by: None,
            recorded_as: None,
        };
        let expected = concat!(
            r#"{"type":"tim_result","run":"7f3c","outcome":"undecided","exit_code":5,"result":"ok","#,
            r#""session_id":"s-1","total_cost_usd":0.25,"num_turns":3,"duration_ms":1500,"#,
            r#""refusals":[{"what":"Bash git push","remedy":"--allow 'Bash(x:*)'"}],"not_read":["too late"]}"#
        );
        assert_eq!(to_json("7f3c", None, &ending, Some("ok")).raw(), expected);
        let rejected = Ending { how: How::Rejected, exit: 1, cost: None, tokens: Some((120, 40)), ..ending };
        let json = to_json("7f3c", Some("api"), &rejected, Some("ok")).raw().to_owned();
        assert!(json.contains(r#""run":"7f3c","name":"api","outcome""#), "{json}");
        assert!(json.contains(r#""outcome":"rejected","exit_code":1,"result":"ok""#), "{json}");
        assert!(json.contains(r#","usage":{"input_tokens":120,"output_tokens":40},"num_turns":3"#), "{json}");
    }
}
