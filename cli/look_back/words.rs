//! Who decided, in a few words. Pure.

use actors::audit::{Answered, By, Decision, Name, Own};
use codec::Outcome;
use codec::tunnel::{AnswerSource, QuestionKind, Scope};

use crate::args::DecidedBy;
use crate::term::style::{Colour, Style};

/// `you, once`; `Bash(git status:*)`; `claude, its rule`; `nobody, refused`.
pub(super) fn decided_by(decision: &Decision) -> String {
    match &decision.by {
        By::Answered(answered) => by_answer(answered, decision.kind == Some(QuestionKind::Permission)),
        By::Declined(source) => format!("{}, no answer", from(*source)),
        By::Agent { allowed, how } => by_itself(decision, *allowed, how),
        By::Nobody { outcome: Outcome::TimedOut, allowed: true, .. } => "nobody in time: yes".to_owned(),
        By::Nobody { outcome, .. } => by_nobody(*outcome).to_owned(),
        By::Open if matches!(decision.name, Name::Question(_)) => "not decided".to_owned(),
        By::Open => "no result".to_owned(),
    }
}

fn by_answer(answered: &Answered, is_permission: bool) -> String {
    if answered.source == AnswerSource::Rule {
        let rule = answered.rules.join(" ");
        return if answered.allowed == Some(false) { format!("no: {rule}") } else { rule };
    }
    let how = match (answered.allowed, answered.scope) {
        (Some(false), _) => "no",
        (Some(true), _) if !is_permission => "yes",
        (Some(true), Scope::Once) => "once",
        (Some(true), Scope::Session) => "session",
        (Some(true), Scope::Always) => "always",
        (None, _) => "answered",
    };
    format!("{}, {how}", from(answered.source))
}

fn from(source: AnswerSource) -> &'static str {
    match source {
        AnswerSource::Terminal | AnswerSource::Websocket => "you",
        AnswerSource::Control => "tim answer",
        AnswerSource::Parent => "above",
        AnswerSource::Command => "command",
        AnswerSource::Rule => "rule",
    }
}

/// An agent of ours that is no Claude says nothing about it.
fn by_itself(decision: &Decision, allowed: Option<bool>, how: &Own) -> String {
    let what = match how {
        Own::Rule => "its rule",
        Own::Parts => "rule or mode",
        Own::Mode => "its mode",
        Own::Hook => "its hook",
        Own::Elsewhere => "asked elsewhere",
        Own::Invalid => "did not run",
        Own::Other(word) => word,
        Own::Unsaid if allowed.is_none() => "not known",
        Own::Unsaid => "unasked",
    };
    let who = decision.path.rsplit('/').next().unwrap_or_default();
    format!("{who}, {what}{}", if allowed == Some(false) { ": no" } else { "" })
}

const fn by_nobody(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::TimedOut => "nobody in time",
        Outcome::Disconnected => "connection lost",
        Outcome::Cancelled => "withdrawn",
        _ => "nobody, refused",
    }
}

/// The same as one of a few.
pub(super) fn kind_of(by: &By) -> Option<DecidedBy> {
    Some(match by {
        By::Answered(Answered { source, .. }) | By::Declined(source) => match source {
            AnswerSource::Rule => DecidedBy::Rule,
            AnswerSource::Command => DecidedBy::Command,
            AnswerSource::Parent => DecidedBy::Above,
            AnswerSource::Terminal | AnswerSource::Websocket | AnswerSource::Control => DecidedBy::You,
        },
        By::Agent { .. } => DecidedBy::Agent,
        By::Nobody { .. } => DecidedBy::Nobody,
        By::Open => return None,
    })
}

/// The sign of a decision in the history of a conversation, and its colour.
pub(super) fn sign(decision: &Decision) -> (&'static str, Style) {
    match (&decision.by, decision.by.allowed()) {
        (By::Nobody { outcome: Outcome::Cancelled, .. } | By::Open, _) => ("– ", Style::DIM),
        (By::Nobody { allowed: false, .. }, _) => ("– ", Style::of(Colour::Yellow)),
        (_, Some(false)) => ("✗ ", Style::of(Colour::Red)),
        (By::Agent { .. }, None) => ("– ", Style::DIM),
        (By::Answered(_), None) if !decision.is_plain_question() => ("– ", Style::DIM),
        _ => ("✓ ", Style::of(Colour::Green)),
    }
}

/// Who wants it: the subagent if it is one.
pub(super) fn who(decision: &Decision) -> String {
    decision.agent.as_ref().map_or_else(|| decision.path.clone(), |agent| agent.replace('"', ""))
}

/// What is wanted, with its tool where that does not go without saying.
pub(super) fn what(decision: &Decision) -> String {
    match decision.tool.as_deref() {
        Some(tool) if decision.what.is_empty() => tool.to_owned(),
        Some("Bash" | "AskUserQuestion") | None => decision.what.clone(),
        Some(tool) => format!("{tool} {}", decision.what),
    }
}

/// One word for it, as the filter has it.
pub(super) const fn name_of(by: DecidedBy) -> &'static str {
    match by {
        DecidedBy::You => "you",
        DecidedBy::Rule => "rule",
        DecidedBy::Command => "command",
        DecidedBy::Above => "above",
        DecidedBy::Agent => "agent",
        DecidedBy::Nobody => "nobody",
    }
}

/// How a run ended: a sign, and words.
pub(super) fn ended(over: Option<u64>, is_alive: bool) -> (Style, String) {
    let yellow = Style::of(Colour::Yellow);
    let failed = |words: String| (Style::of(Colour::Red), format!("✗ {words}"));
    match over {
        Some(0) => (Style::of(Colour::Green), "✓ done".to_owned()),
        Some(1) => failed("failed".to_owned()),
        Some(2) => failed("not started".to_owned()),
        Some(3) => failed("time limit".to_owned()),
        Some(4) => failed("parent lost".to_owned()),
        Some(5) => (yellow, "– undecided".to_owned()),
        Some(74) => failed("no record".to_owned()),
        Some(129) => (Style::DIM, "– hung up".to_owned()),
        Some(130) => (Style::DIM, "– stopped".to_owned()),
        Some(143) => (Style::DIM, "– ended".to_owned()),
        Some(code) => failed(format!("exit {code}")),
        None if is_alive => (Style::of(Colour::Cyan), "at work".to_owned()),
        None => failed("cut off".to_owned()),
    }
}
