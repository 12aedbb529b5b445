//! After a failure: what the person can do, and whether they want to go on. And how tim itself asks.

use std::path::Path;

use actors::agent::verdict::{INTERRUPTED, Verdict};
use actors::ask::{Client, prompt_confirm};
use actors::tunnel::{Greeting, PATIENCE, Plain};
use codec::tunnel::Peer;

use super::part::Part;
use super::stage::Stage;
use super::watch::{Meanwhile, at, leaves};
use crate::clock::unix_ms;
use crate::render::ending::{Ending, How};

/// What the agent is told when the person wants to go on.
pub(super) const CONTINUE: &str = "Continue.";

/// The session to go on with, if it failed, can be gone on with, and a person at a screen wants that.
pub(super) async fn goes_on(stage: &mut Stage<'_>, part: &Part, ending: &Ending) -> Option<String> {
    // Whoever interrupted it and then ended it has decided already.
    let is_failure = matches!(&ending.how, How::Failed(why) if why != INTERRUPTED);
    let session = ending.session.clone().filter(|_| is_failure && ending.turns > 0)?;
    // Whoever reads the output of a pipeline waits for its end, not for a person.
    stage.voice.screen().filter(|_| !stage.job.print)?;
    // It is asked of the person, and a program that says yes to everything would never end.
    if stage.job.config.answer_command.is_some() {
        return None;
    }
    let client = connect_at(stage.listener.path()).await?;
    let deadline = part.deadline(stage.job);
    let asked = prompt_confirm(&client, "The run failed. Go on with its conversation?", Some(false), None);
    // A Ctrl-D on the line says nothing about the question.
    let mut meanwhile = Meanwhile::default();
    let answer = tokio::select! {
        answer = asked => answer,
        _ = stage.signals.next() => return None,
        () = leaves(&mut stage.wishes, &mut meanwhile) => return None,
        () = at(deadline) => return None,
    };
    // Anything but a clear yes is a no.
    matches!(answer, Ok(true)).then_some(session)
}

/// A way for tim itself to ask at its own socket: as everybody else does, so that it is on record and reaches whoever
/// answers.
pub(super) async fn connect_at(socket: &Path) -> Option<Client> {
    let greeting = Greeting {
        peer: Peer::Script,
        label: Some("tim".to_owned()),
        patience: PATIENCE,
        plain: Plain::Never,
    };
    Client::connect(socket, &greeting, unix_ms()).await.ok()
}

/// What can be done about it, where that is known.
pub(super) fn explained(verdict: Verdict, stderr: &str) -> Verdict {
    let with_hint = |why: String| match hint(&why, stderr) {
        Some(hint) => format!("{why} ({hint})"),
        None => why,
    };
    match verdict {
        Verdict::Failed(why) => Verdict::Failed(with_hint(why)),
        Verdict::NoResult(why) => Verdict::NoResult(with_hint(why)),
        other => other,
    }
}

/// The same for an agent of the user's own. What it says itself explains more.
pub(super) fn explained_backend(verdict: Verdict, stderr: &str) -> Verdict {
    match verdict {
        Verdict::NoResult(why) if stderr.trim().is_empty() => {
            Verdict::NoResult(format!("{why} (a turn ends when `done` is printed: docs/agents.md)"))
        }
        other => other,
    }
}

fn hint(why: &str, stderr: &str) -> Option<&'static str> {
    let says = |words: &str| why.contains(words) || stderr.contains(words);
    let no_key = ["/login", "Invalid API key", "Not logged in", "Failed to authenticate"];
    if no_key.into_iter().any(says) {
        return Some("log in with `claude /login`, or set ANTHROPIC_API_KEY");
    }
    if says("unknown option") {
        return Some("unknown to this Claude Code: drop it, or try `claude update`");
    }
    if stderr.trim().is_empty() && why.starts_with("no result (exit code") {
        return Some("does `claude -p hi` work by itself?");
    }
    if why.starts_with("no result (signal 9)") {
        return Some("by hand, or because the memory was full");
    }
    if says("--dangerously-skip-permissions cannot be used with root") {
        return Some("Claude Code refuses bypassPermissions for root");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_done_is_said_where_it_is_known() {
        let failed = |why: &str| explained(Verdict::Failed(why.to_owned()), "");
        let Verdict::Failed(why) = failed("Not logged in · Please run /login") else { panic!() };
        assert!(why.ends_with("(log in with `claude /login`, or set ANTHROPIC_API_KEY)"), "{why}");
        assert_eq!(failed("something else"), Verdict::Failed("something else".to_owned()));
        let Verdict::NoResult(why) =
            explained(Verdict::NoResult("no result".into()), "error: unknown option '--x'")
        else {
            panic!()
        };
        assert!(why.contains("unknown to this Claude Code"), "{why}");
        let silent = |stderr| explained(Verdict::NoResult("no result (exit code 0)".into()), stderr);
        let Verdict::NoResult(why) = silent("\n") else { panic!() };
        assert!(why.ends_with("(does `claude -p hi` work by itself?)"), "{why}");
        assert_eq!(silent("it has said why"), Verdict::NoResult("no result (exit code 0)".to_owned()));
    }
}
