//! The uses of tools of one agent: which began, which ended, and what the agent says of who decided.
//!
//! Lines of the agent in, uses that ended out. New CLIs say with each result who decided. Old ones only list at the end of
//! a turn what was denied: what ended without a word waits for that. Bounded: what is over a limit is forgotten.

use std::collections::{HashMap, HashSet};

use codec::claude::{
    Block, Content, Output, PermissionDecision, RunResult, System, ToolResultBlock, ToolResultMeta, UserLine,
};
use codec::events::Event as StreamEvent;
use codec::json::{Json, Text};

use super::decision::Own;
use crate::agent::translate::name_of;
use crate::gate::{Decision as Ruling, Gate};
use crate::turns::brief;

/// As many uses may be under way, and as many subagents have a name.
const MOST: usize = 10_000;

/// A use of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Use {
    pub(super) number: u64,
    pub(super) began_ms: u64,
    pub(super) id: String,
    pub(super) tool: String,
    pub(super) what: String,
    pub(super) agent: Option<String>,
    /// the rule of the run that denies it: the agent was told of that rule, and decides by it
    pub(super) denied_by: Option<String>,
}

/// One that ended, and whether it ran, by what.
pub(super) struct Over {
    pub(super) used: Use,
    pub(super) at_ms: u64,
    pub(super) allowed: Option<bool>,
    pub(super) how: Own,
}

/// The uses of one agent.
#[derive(Debug, Default)]
pub(super) struct Uses {
    open: HashMap<String, Use>,
    /// ended, without a word about who decided, in this turn
    unsaid: Vec<(Use, u64)>,
    /// those about which somebody was asked: their question says who decided
    asked: HashSet<String>,
    /// how many there were too many of
    pub(super) forgotten: u64,
    /// what subagents are called, by the ids of their tasks and of the uses that started them
    names: HashMap<String, String>,
}

impl Uses {
    /// Somebody is asked about this one.
    pub(super) fn asked(&mut self, id: &str) {
        self.open.remove(id);
        if self.asked.len() < MOST {
            self.asked.insert(id.to_owned());
        }
    }

    /// Takes in a line of Claude Code; nothing comes of one that cannot be read.
    pub(super) fn hear(&mut self, line: &[u8], now: u64, count: &mut Count<'_>) -> Option<Vec<Over>> {
        Some(match Output::read(line).ok()? {
            Output::Assistant(said) => {
                let within = said.parent_tool_use_id.as_ref().map(Text::get);
                let agent = within.and_then(|id| self.names.get(id.as_ref()).cloned());
                if let Content::Blocks(blocks) = &said.message.content {
                    self.begin_all(blocks, agent.as_ref(), now, count);
                }
                Vec::new()
            }
            Output::System(System::TaskStarted(started)) => {
                if let Some(name) = name_of(&started).filter(|_| self.names.len() < MOST) {
                    let ids = [Some(&started.task_id), started.tool_use_id.as_ref()];
                    let ids = ids.into_iter().flatten().map(|id| id.get().into_owned());
                    self.names.extend(ids.map(|id| (id, name.clone())));
                }
                Vec::new()
            }
            Output::User(user) => self.results(&user, now),
            Output::Result(result) => self.turn_ended(&result),
            _ => Vec::new(),
        })
    }

    /// The same for an agent that speaks stream events: it never says who decided.
    pub(super) fn hear_event(line: &[u8], now: u64, count: &mut Count<'_>) -> Option<Vec<Over>> {
        let StreamEvent::ToolUseStart(started) = StreamEvent::read(line).ok()? else {
            return Some(Vec::new());
        };
        let used = Use {
            number: count.next(),
            began_ms: now,
            id: started.id.as_ref().map(|id| id.get().into_owned()).unwrap_or_default(),
            tool: brief::line(&started.name.get()),
            what: started.input.as_ref().map(brief::input).unwrap_or_default(),
            agent: None,
            denied_by: None,
        };
        Some(vec![Over { used, at_ms: now, allowed: Some(true), how: Own::Unsaid }])
    }

    fn begin_all(&mut self, blocks: &[Block<'_>], agent: Option<&String>, now: u64, count: &mut Count<'_>) {
        for block in blocks {
            if let Block::ToolUse(used) = block {
                let (name, input): (_, &Json<'_>) = (used.name.get(), &used.input);
                let begun = Use {
                    number: count.next(),
                    began_ms: now,
                    id: used.id.get().into_owned(),
                    tool: brief::line(&name),
                    what: brief::input(input),
                    agent: agent.cloned(),
                    denied_by: denied_by(count.gate, &name, input),
                };
                self.begin(begun);
            }
        }
    }

    fn begin(&mut self, used: Use) {
        match self.asked.contains(&used.id) {
            true => {}
            false if self.open.len() < MOST => {
                self.open.entry(used.id.clone()).or_insert(used);
            }
            false => self.forgotten += 1,
        }
    }

    fn results(&mut self, user: &UserLine<'_>, now: u64) -> Vec<Over> {
        let Content::Blocks(blocks) = &user.message.content else { return Vec::new() };
        let mut over = Vec::new();
        for block in blocks {
            let Block::ToolResult(result) = block else { continue };
            let id = result.tool_use_id.get();
            self.asked.remove(id.as_ref());
            let Some(used) = self.open.remove(id.as_ref()) else { continue };
            match meta_of(user, &id).and_then(decided) {
                Some((allowed, how)) => over.push(Over { used, at_ms: now, allowed: Some(allowed), how }),
                None if is_invalid(result) => {
                    over.push(Over { used, at_ms: now, allowed: None, how: Own::Invalid });
                }
                None if self.unsaid.len() < MOST => self.unsaid.push((used, now)),
                None => self.forgotten += 1,
            }
        }
        over
    }

    /// What was denied is listed here. What is not was allowed, by whatever.
    fn turn_ended(&mut self, result: &RunResult<'_>) -> Vec<Over> {
        let denials = result
            .permission_denials
            .iter()
            .flatten()
            .filter_map(|denial| Some(denial.known()?.tool_use_id.as_ref()?.get().into_owned()));
        let denied: HashSet<String> = denials.collect();
        let over = |(used, at_ms): (Use, u64)| {
            let allowed = Some(!denied.contains(&used.id));
            Over { used, at_ms, allowed, how: Own::Unsaid }
        };
        self.unsaid.drain(..).map(over).collect()
    }

    /// The agent is no more: what ended, and then what never did. What was denied in its last turn it did not say.
    pub(super) fn end(&mut self) -> (Vec<Over>, Vec<Use>) {
        let said = |(used, at_ms)| Over { used, at_ms, allowed: None, how: Own::Unsaid };
        let over = self.unsaid.drain(..).map(said).collect();
        let mut open: Vec<Use> = self.open.drain().map(|(_, used)| used).collect();
        open.sort_by_key(|used| used.number);
        (over, open)
    }
}

/// What all agents of a run share: how many uses there were, and the rules.
pub(super) struct Count<'a> {
    pub(super) used: &'a mut u64,
    pub(super) gate: &'a Gate,
}

impl Count<'_> {
    fn next(&mut self) -> u64 {
        *self.used += 1;
        *self.used
    }
}

/// The rule that denies it, if one does.
fn denied_by(gate: &Gate, tool: &str, input: &Json<'_>) -> Option<String> {
    if gate.rules().deny.is_empty() {
        return None;
    }
    let judged = gate.judge(tool, input);
    (judged.decision == Ruling::Deny).then_some(judged.rule).flatten()
}

/// Whether the agent could not even begin with it.
fn is_invalid(result: &ToolResultBlock<'_>) -> bool {
    result.is_error == Some(true) && result.text().trim_start().starts_with("<tool_use_error>")
}

fn meta_of<'u, 'a>(user: &'u UserLine<'a>, id: &str) -> Option<&'u ToolResultMeta<'a>> {
    let mut known = user.tool_result_meta.iter().flatten().filter_map(|meta| meta.known());
    known.find(|meta| meta.id.is(id))
}

/// Whether it ran, and who decided that, if the agent says it.
fn decided(meta: &ToolResultMeta<'_>) -> Option<(bool, Own)> {
    let kept_from = meta.non_execution_kind.as_ref();
    match &meta.permission_decision {
        Some(decision) => {
            let is_no =
                kept_from.is_some() || decision.decision.as_ref().is_some_and(|word| !word.is("accept"));
            Some((!is_no, own(decision)))
        }
        None => kept_from.map(|kind| (false, Own::Other(brief::line(&kind.get())))),
    }
}

fn own(decision: &PermissionDecision<'_>) -> Own {
    let is_asked = |source: &Text<'_>| source.get().starts_with("user_");
    if decision.source.as_ref().is_some_and(is_asked) {
        return Own::Elsewhere;
    }
    match decision.reason_type.as_ref().map(Text::get).as_deref() {
        Some("rule") => Own::Rule,
        Some("subcommandResults") => Own::Parts,
        Some("mode") => Own::Mode,
        Some("hook") => Own::Hook,
        Some("other") | None => Own::Unsaid,
        Some(other) => Own::Other(brief::line(other)),
    }
}
