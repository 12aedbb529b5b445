//! A question as a run lists it, turned back into one. Pure.

use actors::question::{Asks, Question, Tool};
use codec::claude::AskUserQuestion;
use codec::control::OpenQuestion;
use codec::json::{Field as _, IntoOwned as _, Json, Object, Text};
use codec::tunnel::{PromptConfig, PromptKind, QuestionKind};

/// The question; nothing if it was listed without what it says.
pub(super) fn of(open: &OpenQuestion<'_>) -> Option<Question> {
    let config = || open.config.clone().into_owned();
    let asks = match open.kind {
        QuestionKind::Permission => Asks::Permission(Box::new(tool(open)?)),
        QuestionKind::Question => {
            Asks::Questions(Box::new(AskUserQuestion::read(config()).ok()?), Box::new(tool(open)?))
        }
        kind => {
            let kind = PromptKind::from_word(kind.word())?;
            Asks::Prompt(kind, Box::new(PromptConfig::read(config()).ok()?.into_owned()))
        }
    };
    Some(Question { asks, timeout_ms: None, claimed: None })
}

fn tool(open: &OpenQuestion<'_>) -> Option<Tool> {
    let tool = Object::read(open.tool.clone()?).ok()?;
    let text = |name: &str| tool.peek(name).and_then(Json::as_text).map(|text| Text::new(&text.get()));
    Some(Tool {
        name: text("name")?,
        input: tool.peek("input").cloned().map_or_else(Json::null, Json::into_owned),
        tool_use_id: None,
        reason: text("reason"),
        agent_id: None,
        agent_name: text("agent_name"),
        suggestions: None,
        plan: text("plan"),
    })
}
