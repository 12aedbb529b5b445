//! What is known of our own agents beyond their questions: what their subagents are called, which plan a tool is about,
//! and who asks for which of them.
//!
//! An agent asks on its own pipes, or through its bridge, which says much less. Owns that both ways its questions look the
//! same. Bounded: the oldest is forgotten.

use std::collections::VecDeque;
use std::sync::Arc;

use codec::id::{Label, Path};
use codec::json::Text;

use crate::agent::translate::plan_in;
use crate::dialect::{Dialect, ToolUse};
use crate::question::{Ask, Asks, Tool};

use super::AskerId;
use super::info::Asker;
use super::routing::Routing;

/// What the tasks of an agent are called, and what it is about to do: a permission names only ids.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    names: VecDeque<(String, String)>,
    /// which use of a tool started the subagent that uses another
    within: VecDeque<(String, String)>,
    /// the plan that the use of a tool is about
    plans: VecDeque<(String, String)>,
}

/// Older ones are forgotten. A task has two names.
const MOST_TASKS: usize = 2_000;
/// Plans are long.
const MOST_PLANS: usize = 8;
/// As long as a text of a question may be, with what is said below one that is cut.
const LONGEST_PLAN: usize = 63 << 10;
const IS_CUT: &str = "\n\n… this plan is longer than 63 KiB, the rest is not shown: ask for a shorter one";

/// Puts something under a name, in the place of what was there.
fn put(all: &mut VecDeque<(String, String)>, most: usize, name: String, value: String) {
    all.retain(|(known, _)| *known != name);
    all.push_back((name, value));
    if all.len() > most {
        all.pop_front();
    }
}

fn get<'a>(all: &'a VecDeque<(String, String)>, name: &str) -> Option<&'a str> {
    all.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

impl Tasks {
    pub(super) fn began(&mut self, id: String, name: String) {
        put(&mut self.names, MOST_TASKS, id, name);
    }

    pub(super) fn uses(&mut self, ToolUse { id, within, plan }: ToolUse) {
        if let Some(mut plan) = plan {
            if plan.len() > LONGEST_PLAN {
                plan.truncate(plan.floor_char_boundary(LONGEST_PLAN));
                plan.push_str(IS_CUT);
            }
            put(&mut self.plans, MOST_PLANS, id.clone(), plan);
        }
        if let Some(within) = within {
            put(&mut self.within, MOST_TASKS, id, within);
        }
    }

    /// What the question about a tool leaves out.
    fn complete(&self, tool: &mut Tool) {
        let id = tool.tool_use_id.as_ref().map(|id| id.get().into_owned()).unwrap_or_default();
        let by_id = tool.agent_id.as_ref().and_then(|id| get(&self.names, &id.get()));
        let by_use = || get(&self.names, get(&self.within, &id)?);
        tool.agent_name = by_id.or_else(by_use).map(Text::new);
        if tool.is_plan() && plan_in(&tool.input).is_none() {
            tool.plan = get(&self.plans, &id).map(Text::new);
        }
    }
}

impl Routing {
    /// The agent of ours for which somebody asks: itself, or the one whose bridge it is.
    pub(super) fn agent_of(&self, asker: AskerId) -> Option<&Asker> {
        let known = self.askers.get(&asker)?;
        if known.info.dialect.is_of_agent() {
            return Some(known);
        }
        self.askers.get(&known.speaks_for?)
    }

    /// The agent of ours that a bridge of that name belongs to, and what the bridge is called. Where its process tells whose
    /// it is, it can only be that one's.
    pub(super) fn bridged(&self, label: &str, below: Option<&Path>) -> Option<(AskerId, Path)> {
        let label = Label::from_any(label);
        let is_its = |path: &Path| below.is_none_or(|below| below == path);
        let is_it = |agent: &Asker| {
            agent.path().is_some_and(|path| path.labels().last() == Some(&label) && is_its(&path))
        };
        let agents = self.askers.iter().filter(|(_, known)| known.info.dialect == Dialect::Claude);
        let (id, agent) = agents.into_iter().find(|(_, known)| is_it(known))?;
        Some((*id, agent.path()?.child(Label::from_any("bridge"))))
    }

    /// What an agent of ours leaves out of a question: how long it may wait, what its subagent is called, and its plan.
    pub(super) fn completed(&self, asker: AskerId, ask: Ask) -> Ask {
        let Some(agent) = self.agent_of(asker).filter(|_| ask.question.claimed.is_none()) else { return ask };
        let Ask { asked, question, size } = ask;
        let mut question = Arc::unwrap_or_clone(question);
        let patience = match &mut question.asks {
            Asks::Permission(tool) => {
                agent.tasks.complete(tool);
                self.run.permission_timeout_ms
            }
            Asks::Questions(_, tool) => {
                agent.tasks.complete(tool);
                self.run.question_timeout_ms
            }
            Asks::Prompt(..) if agent.info.dialect == Dialect::Events => self.run.question_timeout_ms,
            Asks::Prompt(..) => None,
        };
        // How long it may wait is not for whoever asks to say.
        question.timeout_ms = patience;
        let size =
            size + question.tool().and_then(|tool| tool.plan.as_ref()).map_or(0, |plan| plan.raw().len());
        Ask { asked, question: Arc::new(question), size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_of_an_agent_is_bounded() {
        let mut tasks = Tasks::default();
        for number in 0..MOST_TASKS + 5 {
            tasks.began(format!("n{number}"), "x".to_owned());
            tasks.uses(ToolUse { id: format!("u{number}"), within: Some("a".to_owned()), plan: None });
        }
        for number in 0..MOST_PLANS + 5 {
            tasks.uses(ToolUse { id: format!("p{number}"), within: None, plan: Some("plan".to_owned()) });
        }
        assert_eq!((tasks.names.len(), tasks.within.len()), (MOST_TASKS, MOST_TASKS));
        assert_eq!((tasks.plans.len(), get(&tasks.plans, "p4")), (MOST_PLANS, None));
        assert_eq!(get(&tasks.plans, "p5"), Some("plan"));
    }

    #[test]
    fn a_plan_that_is_cut_says_so() {
        let mut tasks = Tasks::default();
        tasks.uses(ToolUse { id: "p".to_owned(), within: None, plan: Some("ü".repeat(LONGEST_PLAN)) });
        let kept = get(&tasks.plans, "p").unwrap();
        assert!(kept.ends_with(IS_CUT) && kept.len() <= 64 << 10, "{}", kept.len());
    }
}
