//! What goes on in a run, as a document for programs. Pure.
//!
//! Owns what is left out of it: whoever lists everything gets no question whole that is too long, and not more of them
//! than anybody reads; a question that is asked for by its key comes as it is.

use std::sync::Arc;

use codec::control::{AgentState, AskerState, OpenQuestion, Status, VERSION};
use codec::id::Key;
use codec::json::{Field as _, Json, Num, Object, Record as _, Text};
use codec::tunnel::Role;

use crate::answer_command::described;
use crate::ports;
use crate::router::{Open, Picture, Seen};

/// How many questions are listed.
const MOST: usize = 200;

/// How long a question may be that is listed whole, in bytes.
const LONGEST: usize = 64 << 10;

/// What a run is to whoever looks at it from outside.
#[derive(Debug, Clone)]
pub struct Identity {
    /// its name
    pub run: Arc<str>,
    /// its process
    pub pid: u32,
    /// whether it runs an agent
    pub role: Role,
    /// where it works
    pub folder: String,
    /// when it began
    pub began_unix_ms: u64,
    /// of the program
    pub version: &'static str,
    /// what a parent calls it
    pub path: Option<String>,
}

/// What goes on; of the questions only this one, if one is asked for.
pub(super) fn status(
    run: &Identity,
    picture: &Picture,
    agents: &[ports::AgentState],
    key: Option<&Key>,
) -> Status<'static> {
    let wanted = |open: &&Open| key.is_none_or(|key| open.offer.key == *key);
    let all = picture.open.iter().filter(wanted);
    let most = if key.is_some() { usize::MAX } else { LONGEST };
    let questions: Vec<_> = all.clone().take(MOST).filter_map(|open| question(open, most)).collect();
    let more = all.count().saturating_sub(questions.len());
    Status {
        path: run.path.as_deref().map(Text::new),
        more: (more > 0).then_some(more as u64),
        ..Status::of(
            VERSION,
            Text::new(&run.run),
            u64::from(run.pid),
            run.role,
            Text::new(&run.folder),
            run.began_unix_ms,
            Text::new(run.version),
            picture.has_desk,
            agents.iter().map(agent).collect(),
            picture.askers.iter().map(asker).collect(),
            questions,
        )
    }
}

fn agent(agent: &ports::AgentState) -> AgentState<'static> {
    AgentState {
        doing: agent.doing.as_deref().map(Text::new),
        cost_usd: agent.cost_usd.and_then(|cost| Num::read(Json::of(&cost)).ok()).map(Num::into_owned),
        ..AgentState::of(Text::new(&agent.path.to_string()), agent.is_waiting)
    }
}

fn asker(seen: &Seen) -> AskerState<'static> {
    let text = Text::new;
    let (wire, path) = (text(&seen.wire), text(&seen.path));
    AskerState { pid: seen.pid, ..AskerState::of(wire, path, text(seen.what), text(seen.speaks), seen.hears) }
}

/// A question as an answer command sees it, and since when it is open.
fn question(open: &Open, longest: usize) -> Option<OpenQuestion<'static>> {
    let described = described(&open.offer);
    let mut question = OpenQuestion::from_object(Object::parse(described.trim_end()).ok()?).ok()?;
    question.since_ms = Some(open.age_ms);
    question.shown = Some(open.is_shown);
    if described.len() > longest {
        question.cut = Some(true);
        question.config = Json::object(|_| ());
        question.tool = question.tool.as_ref().and_then(name_of_tool);
    }
    Some(codec::json::IntoOwned::into_owned(question))
}

/// Of a tool that is given too much only its name is listed.
fn name_of_tool(tool: &Json<'_>) -> Option<Json<'static>> {
    let object = Object::read(tool.clone()).ok()?;
    let name = object.peek("name")?.clone().into_owned();
    Some(Json::object(|out| out.raw_member("\"name\"", name.raw())))
}

#[cfg(test)]
mod tests;
