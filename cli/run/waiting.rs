//! Questions that wait for somebody in another shell, told where nobody sits at a terminal: which they are, and how to answer.
//!
//! Owns which of them were told. One that a rule answers at once is not told. Decides nothing; ends with the run.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actors::gate::Place;
use actors::question::{Asks, Question};
use actors::router::{Emitted, Stage};
use codec::id::Key;
use codec::text::visible;
use codec::tunnel::PromptKind;

use super::scene::Wanted;
use crate::clock;
use crate::term::question::{history, summary};
use crate::voice::Voice;

/// What is still open after that is for a person.
const MOMENT: Duration = Duration::from_millis(100);

/// As wide as a row of how one ended may be.
const WIDEST: usize = 200;

/// A question that is open.
struct Open {
    question: Arc<Question>,
    path: String,
    is_told: bool,
}

/// Those that wait.
#[derive(Clone)]
pub(super) struct Waiting {
    voice: Voice,
    wanted: Wanted,
    place: Place,
    /// there is one agent and no more: whose it was needs no saying
    is_alone: bool,
    open: Rc<RefCell<HashMap<Key, Open>>>,
}

impl Waiting {
    pub(super) fn new(voice: Voice, wanted: Wanted, place: Place, is_alone: bool) -> Self {
        Self { voice, wanted, place, is_alone, open: Rc::default() }
    }

    /// What became of a question.
    pub(super) fn hear(&self, emitted: &Emitted) {
        match &emitted.what {
            Stage::Asked { path, question, .. } => {
                let open = Open { question: Arc::clone(question), path: path.clone(), is_told: false };
                self.open.borrow_mut().insert(emitted.key.clone(), open);
                let (waiting, key) = (self.clone(), emitted.key.clone());
                tokio::task::spawn_local(async move {
                    tokio::time::sleep(MOMENT).await;
                    waiting.tell(&key);
                });
            }
            Stage::Ended(end) => {
                let over = self.open.borrow_mut().remove(&emitted.key).filter(|open| open.is_told);
                if let Some(Open { question, path, .. }) = over {
                    let whose = Some(path.as_str()).filter(|_| !self.is_alone);
                    let time = clock::time_of_day(Duration::ZERO);
                    let row = history::row(&question, end, &self.place, (&time, whose), None, WIDEST);
                    self.wanted.rows(&self.voice, &[row.text().trim_end().to_owned()], None);
                }
            }
        }
    }

    fn tell(&self, key: &Key) {
        let mut open = self.open.borrow_mut();
        let Some(open) = open.get_mut(key) else { return };
        open.is_told = true;
        let what = summary::of(&open.question, &self.place).replace('\n', " ");
        let row = format!("? {}  {}", visible(&open.path), visible(&what));
        let how = format!("  tim answer {key} {}", value(&open.question));
        self.wanted.rows(&self.voice, &[row, how], None);
    }
}

/// What an answer may look like.
const fn value(question: &Question) -> &'static str {
    match &question.asks {
        Asks::Permission(_) | Asks::Prompt(PromptKind::Confirm | PromptKind::Approval, _) => "y",
        Asks::Prompt(..) | Asks::Questions(..) => "…",
    }
}
