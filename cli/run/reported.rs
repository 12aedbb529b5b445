//! What the agent of a run below another tim does, on its way up: the person is there, and so is what they see.
//!
//! Owns when each report was made. What a line is as a report says `actors::agent::reported`; a parent that does not read
//! holds up nothing. Ends with its agent, of which the last report says what it came to.

use std::cell::RefCell;
use std::rc::Rc;

use actors::agent::Language;
use actors::agent::reported::{Came, Reported};
use actors::router::Who;
use actors::tunnel::Relay;
use bytes::Bytes;
use codec::id::Path;
use tokio::time::Instant;

use crate::clock::unix_ms;
use crate::render::ending::{Ending, How};

/// The reports of one agent.
#[derive(Clone)]
pub(super) struct Reports {
    relay: Relay,
    reported: Rc<RefCell<Reported>>,
    began: Instant,
    began_unix_ms: u64,
    /// whose they are, where a run has several agents
    whose: Option<Who>,
}

impl Reports {
    /// Those of an agent that speaks so and begins now.
    pub(super) fn new(relay: &Relay, language: Language, name: &str, whose: Option<&Path>) -> Self {
        let reported = Rc::new(RefCell::new(Reported::new(language, name)));
        let whose = whose.map(|path| Who::named(&path.to_string()));
        Self { relay: relay.clone(), reported, began: Instant::now(), began_unix_ms: unix_ms(), whose }
    }

    /// The agent printed a line.
    pub(super) fn hear(&self, line: &[u8]) {
        let lines = self.reported.borrow_mut().hear(line, self.now());
        lines.into_iter().for_each(|line| self.goes_up(line));
    }

    /// The agent is gone.
    pub(super) fn end(&self, ending: &Ending) {
        let lines = self.reported.borrow_mut().ends(&came(ending), self.now());
        lines.into_iter().for_each(|line| self.goes_up(line));
    }

    fn goes_up(&self, line: String) {
        match &self.whose {
            None => self.relay.own(&line),
            // One that is too long for that is no loss: what it did was told piece by piece.
            Some(who) => _ = self.relay.report(who, &Bytes::from(line)),
        }
    }

    fn now(&self) -> u64 {
        let since = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.began_unix_ms.saturating_add(since)
    }
}

fn came(ending: &Ending) -> Came {
    let why = match &ending.how {
        How::Done => None,
        How::Failed(why) | How::TimedOut(why) | How::Stopped(why) => Some(why.clone()),
        How::Undecided(refused) => {
            let what: Vec<&str> = refused.iter().map(|refused| refused.what.as_str()).collect();
            Some(format!("nobody decided: {}", what.join(", ")))
        }
        How::Interrupted => Some("interrupted".to_owned()),
        How::Rejected => Some("rejected".to_owned()),
    };
    Came {
        is_success: matches!(ending.how, How::Done),
        session: ending.session.clone(),
        lasted: ending.lasted,
        cost: ending.cost,
        turns: ending.turns,
        why,
    }
}
