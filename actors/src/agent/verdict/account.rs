//! What an agent's own lines say of its run, whatever its language. Pure.

use super::{Exit, Tally, Totals, Turns, Verdict};

/// What an agent's own lines say of its run, in either language.
#[derive(Debug)]
pub enum Account {
    /// the results of Claude Code
    Claude(Box<Tally>),
    /// the turns of an agent that speaks stream events
    Events(Turns),
}

impl Default for Account {
    fn default() -> Self {
        Account::Claude(Box::default())
    }
}

impl Account {
    /// Somebody answered for this tool: a person, a rule of tim, an answer command.
    pub fn decided(&mut self, tool_use_id: &str) {
        if let Account::Claude(tally) = self {
            tally.decided(tool_use_id);
        }
    }

    /// All results together.
    #[must_use]
    pub const fn totals(&self) -> &Totals {
        match self {
            Account::Claude(tally) => &tally.totals,
            Account::Events(turns) => turns.totals(),
        }
    }

    /// Whether nothing was begun.
    #[must_use]
    pub const fn is_untouched(&self) -> bool {
        match self {
            Account::Claude(tally) => tally.totals.session_id.is_none(),
            Account::Events(turns) => turns.is_untouched(),
        }
    }

    /// What the run came to. `denials_wished`: a deny rule or dontAsk was given at the start.
    #[must_use]
    pub fn verdict(&self, exit: Exit, stderr_tail: &str, denials_wished: bool) -> Verdict {
        match self {
            Account::Claude(tally) => tally.verdict(exit, stderr_tail, denials_wished),
            Account::Events(turns) => turns.verdict(exit, stderr_tail),
        }
    }
}
