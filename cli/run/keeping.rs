//! Rules that were allowed for always: they go into the user's file.
//!
//! Owns what is being saved. That a rule could not be saved is said; it holds for this run all the same.

use std::cell::RefCell;

use actors::answer::{Given, Verdict};
use actors::end::End;
use codec::tunnel::{AnswerSource, Scope};
use tokio::task::{JoinHandle, spawn_local};

use crate::environment::Environment;
use crate::rules;
use crate::voice::Voice;

/// What keeps rules.
pub(super) struct Keeping {
    /// none: nothing is saved
    environment: Option<Environment>,
    saving: RefCell<Vec<JoinHandle<()>>>,
}

impl Keeping {
    pub(super) fn new(environment: Option<&Environment>) -> Self {
        Self { environment: environment.cloned(), saving: RefCell::default() }
    }

    /// A question of our own agent ended: keeps what the person at this terminal allowed for always.
    pub(super) fn hear(&self, end: &End, voice: &Voice) {
        let End::Answered { given: Given::Verdict(verdict), source: AnswerSource::Terminal, .. } = end else {
            return;
        };
        let Verdict { allow: true, scope: Scope::Always, rules, .. } = verdict else { return };
        let Some(environment) = self.environment.clone() else { return };
        let (rules, voice) = (rules.clone(), voice.clone());
        self.saving.borrow_mut().push(spawn_local(async move {
            if let Err(why) = rules::keep(&environment, &rules).await {
                voice.warn(&format!("the rule holds for this run only: {why}"));
            }
        }));
    }

    /// All that is to be waited for.
    pub(super) fn take(&self) -> Vec<JoinHandle<()>> {
        self.saving.take()
    }
}
