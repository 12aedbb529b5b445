//! Questions in plain lines: what is shown, what each line says, and that no line says what does not fit.

mod random;
mod shown;
mod typed;

use std::sync::Arc;

use actors::question::{Asks, Question, Tool};
use actors::router::{AskerId, Keeper, Offer, Said};
use codec::json::{IntoOwned as _, Json, Text};
use codec::limits::Limits;
use codec::tunnel::Up;

use super::*;

fn prompt(kind: &str, config: &str) -> Question {
    let line = format!(
        r#"{{"type":"structured","message":{{"type":"prompt_request","timestamp":"t","requestId":"x","promptType":"{kind}","promptConfig":{config}}}}}"#
    );
    let Ok(Up::Prompt(request, _)) = Up::read(line.as_bytes(), &Limits::STANDARD) else { panic!("{line}") };
    let request = request.into_owned();
    Question { asks: Asks::Prompt(request.prompt_type, request.config), timeout_ms: None, claimed: None }
}

fn tool(name: &str, input: &str) -> Tool {
    Tool {
        name: Text::new(name),
        input: Json::parse(input).unwrap().into_owned(),
        tool_use_id: None,
        reason: None,
        agent_id: None,
        agent_name: None,
        suggestions: None,
        plan: None,
    }
}

fn of_tool(tool: Tool) -> Question {
    Question { asks: tool.asks().unwrap(), timeout_ms: None, claimed: None }
}

fn offered(question: Question) -> Offer {
    Offer {
        key: codec::id::Key::new("7f3c.p14").unwrap(),
        asker: AskerId(1),
        path: "main/review".to_owned(),
        pid: Some(9),
        question: Arc::new(question),
        since: 0,
        left_ms: None,
        keeper: Keeper::Here,
    }
}

fn asked(question: Question) -> LineMode {
    LineMode::new(offered(question), 80)
}

const CHOICES: &str = r#"{"message":"Which?","default":1,"choices":[{"name":"alpha","value":"a","description":"the first"},{"name":"one","value":1,"checked":true},{"name":"yes","value":true},{"name":"2","value":"two"}]}"#;

const QUESTIONS: &str = r#"{"questions":[
    {"question":"Which database?","header":"Database","options":[{"label":"PostgreSQL","description":"a server"},{"label":"SQLite","preview":"one\nfile"}]},
    {"question":"Which parts?","multiSelect":true,"options":[{"label":"Method"},{"label":"Result"},{"label":"3"}]}]}"#;
