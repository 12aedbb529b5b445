//! What a run came to, from the lines of the agent, its exit and its last words. Pure.
//!
//! Owns what the results of one process said; never decides the exit code of tim (limits and lost parents are known
//! elsewhere). The last result counts, and its `is_error`, not its subtype: a failed call of the API says success
//! [e5c]. Result and exit code are independent: there may be either without the other [g6a g4f e7].
//! A tool that was denied counts as undecided unless tim answered for it, its question was withdrawn, or the CLI names
//! a rule, a mode, a hook or the parts of a command as the reason. Old CLIs name none: there a denial passes if one was
//! asked for at the start. Words come from outside as they are; whoever shows them makes them visible.

mod account;
mod turns;

use std::collections::{BTreeMap, BTreeSet};

use codec::claude::{ControlBody, Denial, Init, Output, PermissionDecision, RunResult, System, UserLine};
use codec::id::RequestId;
use codec::json::{Item, Num, Text};

pub use account::Account;
pub use turns::Turns;

/// How the child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// by itself
    Code(i32),
    /// by a signal
    Signal(i32),
    /// tim ended it, after its work was done or instead
    StoppedByTim,
    /// nobody knows
    Unknown,
}

/// What the run came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// the last result is good, and somebody decided about all that was asked
    Success,
    /// the result is good, but nobody decided about these tools
    Undecided(Vec<String>),
    /// the last turn ended because somebody said no to what the agent asked in it, or nobody could say yes
    Rejected {
        /// somebody did
        is_decided: bool,
    },
    /// the last result is not good, and why
    Failed(String),
    /// there is none, and why
    NoResult(String),
}

/// All results of the process taken together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Totals {
    /// the session that could be gone on with
    pub session_id: Option<String>,
    /// in dollars, if any result told
    pub cost: Option<f64>,
    /// how many turns there were
    pub turns: u64,
    /// how long they took
    pub duration_ms: u64,
    /// how many results there were
    pub results: u32,
}

/// What is known of a run while it goes on.
#[derive(Debug, Default)]
pub struct Tally {
    totals: Totals,
    /// of conversations that were cleared: the cost begins anew with each [g7 h2]
    cost_before: f64,
    last: Option<Ending>,
    turn_open: bool,
    denied: Vec<Denied>,
    /// tool uses that tim answered for, or whose question was withdrawn
    settled: BTreeSet<String>,
    asked: Vec<(RequestId, String)>,
    /// by tool use: whether the CLI itself had a reason that somebody wrote down
    by_the_book: BTreeMap<String, bool>,
}

/// What a result says about its turn: nothing if it went well.
#[derive(Debug)]
struct Ending(Option<String>);

#[derive(Debug)]
struct Denied {
    tool: String,
    tool_use_id: Option<String>,
}

impl Tally {
    /// Takes in one line of stdout.
    pub(crate) fn hear(&mut self, line: &Output<'_>) {
        match line {
            Output::System(System::Init(init)) => self.turn_began(init),
            Output::Result(result) => self.result(result),
            Output::Unknown(line) if line.kind() == "result" => self.odd_result(),
            Output::User(user) => self.tool_results(user),
            Output::ControlRequest(request) => {
                if let ControlBody::CanUseTool(tool) = &request.request {
                    let tool_use = tool.tool_use_id.as_ref().map(said).unwrap_or_default();
                    self.asked.push((request.request_id.clone(), tool_use));
                }
            }
            Output::ControlCancel(cancel) => self.withdrawn(&cancel.request_id),
            _ => {}
        }
    }

    fn turn_began(&mut self, init: &Init<'_>) {
        self.turn_open = true;
        // A run that is ended before its first result can be gone on with all the same.
        if let Some(session) = &init.session_id {
            self.totals.session_id = Some(said(session));
        }
    }

    /// All results so far taken together.
    pub(crate) const fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Somebody answered for this tool: a person, a rule of tim, an answer command.
    pub(crate) fn decided(&mut self, tool_use_id: &str) {
        self.settled.insert(tool_use_id.to_owned());
    }

    /// What the run came to. `denials_wished`: a deny rule or dontAsk was given at the start.
    pub(crate) fn verdict(&self, exit: Exit, stderr_tail: &str, denials_wished: bool) -> Verdict {
        let Some(Ending(trouble)) = &self.last else {
            return Verdict::NoResult(ended_early("no result", exit, stderr_tail));
        };
        if self.turn_open {
            return Verdict::Failed(ended_early("ended in the middle of a turn", exit, stderr_tail));
        }
        if let Some(words) = trouble {
            return Verdict::Failed(words.clone());
        }
        // The CLI exits 0 after a good result; anything else is trouble of its own [a7].
        if !matches!(exit, Exit::Code(0) | Exit::StoppedByTim) {
            return Verdict::Failed(ended_early("failed after its last result", exit, stderr_tail));
        }
        let undecided = self.undecided(denials_wished);
        if undecided.is_empty() { Verdict::Success } else { Verdict::Undecided(undecided) }
    }

    fn result(&mut self, result: &RunResult<'_>) {
        self.turn_open = false;
        self.last = Some(Ending((!result.succeeded()).then(|| trouble(result))));
        self.add_up(result);
        let denials = result.permission_denials.iter().flatten();
        self.denied.extend(denials.map(|denial| Denied::of(denial.known())));
    }

    fn odd_result(&mut self) {
        self.turn_open = false;
        self.totals.results = self.totals.results.saturating_add(1);
        self.last = Some(Ending(Some("its last result could not be understood".to_owned())));
    }

    fn add_up(&mut self, result: &RunResult<'_>) {
        let whole = |number: &Option<Num<'_>>| number.as_ref().and_then(Num::as_u64).unwrap_or_default();
        let totals = &mut self.totals;
        totals.results = totals.results.saturating_add(1);
        totals.turns = totals.turns.saturating_add(whole(&result.num_turns));
        totals.duration_ms = totals.duration_ms.saturating_add(whole(&result.duration_ms));
        if let Some(session) = &result.session_id {
            totals.session_id = Some(said(session));
        }
        let cost = result.total_cost_usd.as_ref().map(Num::as_f64).filter(|cost| cost.is_finite());
        if let Some(cost) = cost {
            let so_far = totals.cost.unwrap_or_default();
            // What a result tells is the sum so far, until the conversation is cleared.
            if self.cost_before + cost < so_far {
                self.cost_before = so_far;
            }
            totals.cost = Some(self.cost_before + cost);
        }
    }

    fn tool_results(&mut self, user: &UserLine<'_>) {
        let metas = user.tool_result_meta.iter().flatten().filter_map(Item::known);
        for meta in metas {
            let by_the_book = meta.permission_decision.as_ref().is_some_and(is_by_the_book);
            self.by_the_book.insert(said(&meta.id), by_the_book);
        }
    }

    /// The agent took its question back, mostly because the person interrupted it [d4].
    fn withdrawn(&mut self, request: &RequestId) {
        let tool_uses =
            self.asked.iter().filter(|(id, _)| id == request).map(|(_, tool_use)| tool_use.clone());
        self.settled.extend(tool_uses);
    }

    fn undecided(&self, denials_wished: bool) -> Vec<String> {
        let open = self.denied.iter().filter(|denied| !self.is_decided(denied, denials_wished));
        open.map(|denied| denied.tool.clone()).collect()
    }

    fn is_decided(&self, denied: &Denied, denials_wished: bool) -> bool {
        let id = denied.tool_use_id.as_deref().unwrap_or_default();
        if self.settled.contains(id) && !id.is_empty() {
            return true;
        }
        match self.by_the_book.get(id) {
            Some(by_the_book) => *by_the_book,
            // A CLI that tells reasons has none for this one; one that never does is old.
            None => self.by_the_book.is_empty() && denials_wished,
        }
    }
}

impl Denied {
    fn of(denial: Option<&Denial<'_>>) -> Self {
        let tool = denial.map_or_else(|| "a tool".to_owned(), |denial| said(&denial.tool_name));
        Denied { tool, tool_use_id: denial.and_then(|denial| denial.tool_use_id.as_ref()).map(said) }
    }
}

fn said(text: &Text<'_>) -> String {
    text.get().into_owned()
}

fn is_by_the_book(decision: &PermissionDecision<'_>) -> bool {
    let reason = decision.reason_type.as_ref().map(Text::get).unwrap_or_default();
    matches!(&*reason, "rule" | "mode" | "hook" | "subcommandResults")
}

/// What a turn came to that the person interrupted.
pub const INTERRUPTED: &str = "the turn was interrupted";

/// What went wrong in a turn, in words for a person.
pub(crate) fn trouble(result: &RunResult<'_>) -> String {
    let aborted = result.terminal_reason.as_ref().is_some_and(|reason| reason.get().starts_with("aborted"));
    if aborted {
        return INTERRUPTED.to_owned();
    }
    let errors = result.errors.iter().flatten().map(Text::get).filter(|error| !error.trim().is_empty());
    let words = errors.map(|error| error.trim().to_owned()).collect::<Vec<_>>().join("; ");
    let words = if words.is_empty() { first_line(result.result.as_ref()) } else { words };
    let what = match &*result.subtype.get() {
        "error_max_turns" => "the limit of turns was reached",
        "error_max_budget_usd" => "the budget was used up",
        "error_during_execution" | "success" => "",
        _ => "the agent gave up",
    };
    match (what, words.as_str()) {
        ("", "") => "the last result is an error without words".to_owned(),
        ("", words) => words.to_owned(),
        (what, "") => what.to_owned(),
        (what, words) => format!("{what}: {words}"),
    }
}

fn first_line(text: Option<&Text<'_>>) -> String {
    let text = text.map(Text::get).unwrap_or_default();
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned()
}

/// What ended without a result, how, and the last thing it said.
fn ended_early(what: &str, exit: Exit, stderr_tail: &str) -> String {
    let how = match exit {
        Exit::Code(code) => format!("exit code {code}"),
        Exit::Signal(signal) => format!("signal {signal}"),
        Exit::StoppedByTim => "stopped by tim".to_owned(),
        Exit::Unknown => "nobody knows how".to_owned(),
    };
    match stderr_tail.lines().map(str::trim).rfind(|line| !line.is_empty()) {
        Some(last) => format!("{what} ({how}): {last}"),
        None => format!("{what} ({how})"),
    }
}

#[cfg(test)]
mod tests;
