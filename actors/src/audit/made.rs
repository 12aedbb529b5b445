//! A decision, made of what the record says. Pure.

use codec::Outcome;
use codec::id::RequestId;
use codec::journal::{Ask, Ended};
use codec::json::{Json, Object};
use codec::tunnel::{AnswerSource, QuestionKind, Scope};

use super::decision::{Answered, By, Decision, Name, Own};
use super::uses::{Over, Use};
use crate::answer::Verdict;
use crate::turns::brief;

/// A use of a tool about which nobody was asked.
pub(super) fn by_itself(path: &str, Over { used, at_ms, allowed, how }: Over) -> Decision {
    let by = match (allowed, &used.denied_by) {
        // The agent has the deny rules of the run, and says of none whose it is.
        (Some(false), Some(rule)) if matches!(how, Own::Rule | Own::Parts | Own::Unsaid) => {
            By::Answered(Answered {
                source: AnswerSource::Rule,
                allowed,
                scope: Scope::Once,
                rules: vec![rule.clone()],
                words: None,
            })
        }
        _ => By::Agent { allowed, how },
    };
    of_use(path, used, by, Some(at_ms))
}

/// The same, whoever decided.
pub(super) fn of_use(path: &str, used: Use, by: By, at_ms: Option<u64>) -> Decision {
    Decision {
        name: Name::Use(used.number),
        asked_ms: used.began_ms,
        at_ms: at_ms.unwrap_or(used.began_ms),
        path: path.to_owned(),
        agent: used.agent,
        kind: None,
        tool: Some(used.tool),
        what: used.what,
        reason: None,
        tool_use_id: Some(used.id).filter(|id| !id.is_empty()),
        request_id: None,
        is_ours: true,
        by,
    }
}

/// A question, not yet decided.
pub(super) fn asked(ask: &Ask<'_>, wire: &str, now: u64) -> Decision {
    let tool = ask.tool.as_ref().and_then(|tool| Object::read(tool.clone()).ok()).unwrap_or_default();
    let text = |name: &str| Some(tool.peek(name)?.as_text()?.get().into_owned());
    let what = match tool.peek("input") {
        Some(input) if ask.kind == QuestionKind::Permission => brief::input(input),
        _ => brief::question(ask),
    };
    Decision {
        name: Name::Question(ask.key.number),
        asked_ms: now,
        at_ms: now,
        path: ask.path.as_ref().map_or_else(|| wire.to_owned(), |path| brief::line(&path.get())),
        agent: text("agent_name").map(|name| brief::line(&name)),
        kind: Some(ask.kind),
        tool: text("name").map(|name| brief::line(&name)),
        what,
        reason: text("reason").map(|reason| brief::line(&reason)),
        tool_use_id: text("tool_use_id"),
        request_id: ask.request_id.as_ref().map(RequestId::get),
        is_ours: ask.behalf.is_some(),
        by: By::Open,
    }
}

/// What was refused before it was accepted: only who asked is on record.
pub(super) fn at_the_door(ended: &Ended<'_>, now: u64) -> Decision {
    Decision {
        name: Name::Question(ended.key.number),
        asked_ms: now,
        at_ms: now,
        path: ended.wire.as_ref().map(|wire| brief::line(&wire.get())).unwrap_or_default(),
        agent: None,
        kind: None,
        tool: None,
        what: brief::or_nothing_said(String::new()),
        reason: None,
        tool_use_id: None,
        request_id: ended.request_id.as_ref().map(RequestId::get),
        is_ours: false,
        by: by(ended, None, false),
    }
}

/// Who decided, from how it ended.
pub(super) fn by(ended: &Ended<'_>, kind: Option<QuestionKind>, allowed_by_time: bool) -> By {
    match (ended.outcome, &ended.value) {
        (Outcome::Answered, value) => {
            let source = ended.source.unwrap_or(AnswerSource::Terminal);
            By::Answered(answered(source, kind, value.as_ref()))
        }
        (Outcome::Declined, _) => By::Declined(AnswerSource::Terminal),
        (outcome, _) => By::Nobody {
            outcome,
            reason: ended.reason.as_ref().map(|reason| brief::line(&reason.get())),
            allowed: allowed_by_time && outcome == Outcome::TimedOut,
        },
    }
}

fn answered(source: AnswerSource, kind: Option<QuestionKind>, value: Option<&Json<'_>>) -> Answered {
    let plain = |allowed, words| Answered { source, allowed, scope: Scope::Once, rules: Vec::new(), words };
    let Some(value) = value else { return plain(None, None) };
    // Where the question is lost its answer still says what it was.
    if matches!(kind, Some(QuestionKind::Permission) | None) {
        if let Ok(Verdict { allow, scope, rules, reason, .. }) = Verdict::read(value) {
            return Answered { source, allowed: Some(allow), scope, rules, words: reason };
        }
        let flag = Object::read(value.clone()).ok().and_then(|value| value.peek("allow")?.as_flag());
        if flag.is_some() {
            return plain(flag, Some(brief::answer(value)));
        }
    }
    let rejected = value.as_text().is_some_and(|text| text.is(codec::events::REJECT));
    match (kind, value.as_flag()) {
        (_, Some(flag)) => plain(Some(flag), None),
        (Some(QuestionKind::Approval), None) => plain(Some(!rejected), None),
        (Some(QuestionKind::Choice | QuestionKind::Text), None) if rejected => plain(Some(false), None),
        _ => plain(None, Some(brief::answer(value))),
    }
}
