//! What the turns of an agent that speaks stream events came to. Pure.
//!
//! The last turn counts. One without `done` is a failure, whatever the exit code; one that was rejected is no success and
//! no trouble either: somebody wanted it so, or nobody was there to say otherwise.

use codec::events::Event;

use super::{Exit, Totals, Verdict, ended_early};

/// What is known of the turns so far.
#[derive(Debug, Default)]
pub struct Turns {
    totals: Totals,
    is_open: bool,
    /// lines of the person for which there was no turn yet; the one that goes on is about the first
    said: u64,
    last: Option<Last>,
    /// what it said last about what went wrong
    error: Option<String>,
}

/// How the last turn ended.
#[derive(Debug)]
enum Last {
    Well,
    Badly(Option<String>),
    Rejected { is_decided: bool },
}

impl Turns {
    /// Takes in one event of a turn that nobody rejected.
    pub(crate) fn hear(&mut self, event: &Event<'_>) {
        match event {
            // Another one for a turn that is over says nothing: whoever is told to cancel may say it again.
            Event::Done(done) if self.is_open => {
                let error = self.error.take();
                self.ended(if done.is_ok() { Last::Well } else { Last::Badly(error) });
            }
            Event::Error(error) => {
                self.error = Some(error.message.get().trim().to_owned()).filter(|words| !words.is_empty());
            }
            // Behind a no only the person begins one.
            _ if self.is_behind_rejection() => {}
            _ => self.is_open |= event.begins_turn(),
        }
    }

    /// Whether one goes on.
    pub(crate) const fn is_open(&self) -> bool {
        self.is_open
    }

    /// The person said something: a turn begins, or goes on.
    pub(crate) const fn begins(&mut self) {
        self.said = self.said.saturating_add(1);
        self.is_open = true;
    }

    /// The turn was rejected, and whether somebody decided that.
    pub(crate) fn was_rejected(&mut self, is_decided: bool) {
        if !self.is_open && self.is_behind_rejection() {
            return;
        }
        self.error = None;
        self.ended(Last::Rejected { is_decided });
    }

    fn is_behind_rejection(&self) -> bool {
        matches!(self.last, Some(Last::Rejected { .. })) && self.said == 0
    }

    fn ended(&mut self, how: Last) {
        self.is_open = false;
        self.said = self.said.saturating_sub(1);
        self.last = Some(how);
        self.totals.turns = self.totals.turns.saturating_add(1);
        self.totals.results = self.totals.results.saturating_add(1);
    }

    /// All of them together.
    pub(super) const fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Whether it did nothing at all.
    pub(super) const fn is_untouched(&self) -> bool {
        !self.is_open && self.last.is_none()
    }

    /// What they came to.
    pub(super) fn verdict(&self, exit: Exit, stderr_tail: &str) -> Verdict {
        match &self.last {
            None => Verdict::NoResult(ended_early("no turn was done", exit, stderr_tail)),
            _ if self.is_open => {
                Verdict::Failed(ended_early("ended in the middle of a turn", exit, stderr_tail))
            }
            Some(Last::Rejected { is_decided }) => Verdict::Rejected { is_decided: *is_decided },
            Some(Last::Badly(Some(words))) => Verdict::Failed(words.clone()),
            Some(Last::Badly(None)) => Verdict::Failed("its last turn was not ok".to_owned()),
            Some(Last::Well) if matches!(exit, Exit::Code(0) | Exit::StoppedByTim) => Verdict::Success,
            Some(Last::Well) => Verdict::Failed(ended_early("failed after its last turn", exit, stderr_tail)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(lines: &[&str]) -> Turns {
        let mut turns = Turns::default();
        for line in lines {
            match *line {
                "user" => turns.begins(),
                "reject" => turns.was_rejected(true),
                line => turns.hear(&Event::read(line.as_bytes()).unwrap()),
            }
        }
        turns
    }

    const TEXT: &str = r#"{"type":"text_delta","text":"x"}"#;
    const USAGE: &str = r#"{"type":"usage","input_tokens":1}"#;
    const ERROR: &str = r#"{"type":"error","message":"no such file"}"#;
    const DONE: &str = r#"{"type":"done","ok":true}"#;
    const BADLY: &str = r#"{"type":"done","ok":false}"#;
    const REJECTED: Verdict = Verdict::Rejected { is_decided: true };

    #[test]
    fn the_last_turn_counts_and_none_is_a_failure() {
        let verdict = |lines: &[&str]| turns(lines).verdict(Exit::Code(0), "Traceback\nKeyError: 'x'");
        assert_eq!(verdict(&[TEXT, DONE]), Verdict::Success);
        assert_eq!(verdict(&["user", DONE]), Verdict::Success, "it had nothing to say");
        assert_eq!(verdict(&[TEXT, ERROR, DONE]), Verdict::Success, "it got over it");
        assert_eq!(verdict(&[TEXT, DONE, USAGE]), Verdict::Success, "what comes late begins nothing");
        assert_eq!(verdict(&[TEXT, ERROR, BADLY]), Verdict::Failed("no such file".to_owned()));
        let failed = Verdict::Failed("its last turn was not ok".to_owned());
        assert_eq!(verdict(&["user", ERROR, DONE, "user", BADLY]), failed);
        assert_eq!(verdict(&[TEXT, "reject"]), REJECTED);
        assert_eq!(verdict(&[TEXT, "reject", BADLY]), REJECTED, "said once too often");
        assert_eq!(verdict(&[TEXT, "reject", TEXT, DONE]), REJECTED, "nobody asked for another one");
        let next = ["user", TEXT, "reject", BADLY, "user", TEXT, DONE];
        assert_eq!(verdict(&next), Verdict::Success, "the next one went well");
        let said_before = ["user", TEXT, "user", "reject", BADLY, TEXT, DONE];
        assert_eq!(verdict(&said_before), Verdict::Success, "it was about what was said meanwhile");
        let early = Verdict::Failed("ended in the middle of a turn (exit code 0): KeyError: 'x'".to_owned());
        assert_eq!(verdict(&[TEXT, DONE, TEXT]), early);
        assert_eq!(verdict(&[TEXT, DONE, "user"]), early, "it was told something");
        let nothing = Verdict::NoResult("no turn was done (exit code 0): KeyError: 'x'".to_owned());
        assert_eq!(verdict(&[]), nothing);
        assert_eq!(verdict(&["user", TEXT]), nothing);
    }

    #[test]
    fn a_process_that_fails_behind_its_last_turn_is_a_failure_but_not_if_that_was_rejected() {
        let failed = turns(&["user", DONE]).verdict(Exit::Code(3), "");
        assert_eq!(failed, Verdict::Failed("failed after its last turn (exit code 3)".to_owned()));
        assert_eq!(turns(&["reject"]).verdict(Exit::Signal(15), ""), REJECTED);
    }
}
