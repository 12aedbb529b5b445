//! Lines of Claude Code as reports.
//!
//! What comes in pieces comes again as a whole, and is reported then. Lines in the person's name are theirs: of them only
//! what tools gave is reported.

use codec::claude::{Assistant, Block, Content, Output, RunResult, System, ToolUseBlock, UserLine};
use codec::json::{Field as _, Json, Num, Object, Text};
use codec::tunnel::{
    FailureReport, LlmStatus, LlmThinking, Structured, TodoItem, TodoStatus, TodoUpdate, TokenUsage,
    WorkflowProgress,
};

use super::{Calls, LONGEST, Said, cut};

/// What is known of its conversation.
#[derive(Debug, Default)]
pub(super) struct Claude {
    /// the conversation whose begin was reported: every turn begins anew
    session: Option<String>,
    calls: Calls,
    /// its subagents, by the use of the tool that started each
    agents: Calls,
}

impl Claude {
    /// Whether it is a line of its language.
    pub(super) fn hear(&mut self, line: &[u8], executor: &str, said: &mut Said) -> bool {
        let Ok(line) = Output::read(line) else { return false };
        match &line {
            Output::System(line) => self.system(line, executor, said),
            Output::Assistant(line) => self.assistant(line, said),
            Output::User(line) if line.is_replay != Some(true) => self.user(line, said),
            Output::Result(result) => used(result, said),
            _ => {}
        }
        true
    }

    fn system(&mut self, line: &System<'_>, executor: &str, said: &mut Said) {
        match line {
            System::Init(init) => {
                let session = init.session_id.as_ref().map(|id| id.get().into_owned()).unwrap_or_default();
                if self.session.replace(session.clone()).is_some_and(|before| before == session) {
                    return;
                }
                let owned = |text: &Option<Text<'_>>| text.clone().map(Text::into_owned);
                let (model, mode) = (owned(&init.model), owned(&init.permission_mode));
                let executor = Some(Text::new(executor));
                said.begins(|start| codec::tunnel::AgentSessionStart { executor, model, mode, ..start });
            }
            System::ApiRetry(retry) => {
                let number = retry.attempt.as_ref().map(|attempt| format!("attempt {}", attempt.raw()));
                status("the API does not answer well, it is tried again", number, said);
            }
            System::Status(line) if line.status.as_ref().is_some_and(|status| status.is("compacting")) => {
                status("compacting", None, said);
            }
            System::PermissionDenied(denied) => {
                let why = denied.message.as_ref().map(|why| why.get().into_owned());
                status(&format!("{} was denied unasked", denied.tool_name.get()), why, said);
            }
            _ => {}
        }
    }

    fn assistant(&mut self, line: &Assistant<'_>, said: &mut Said) {
        let by = line.parent_tool_use_id.as_ref().map(|id| self.agent(&id.get()));
        match &line.message.content {
            Content::Text(text) => text_of(line, by.as_deref(), &text.get(), said),
            Content::Blocks(blocks) => {
                for block in blocks {
                    match block {
                        Block::Text(text) => text_of(line, by.as_deref(), &text.text.get(), said),
                        Block::Thinking(thinking) if by.is_none() => thinks(&thinking.thinking.get(), said),
                        Block::ToolUse(tool) => self.uses(tool, by.as_deref(), said),
                        _ => {}
                    }
                }
            }
        }
    }

    /// What a subagent is called, by the use of the tool that started it.
    fn agent(&self, id: &str) -> String {
        self.agents.name_of(id).unwrap_or("subagent").to_owned()
    }

    fn uses(&mut self, tool: &ToolUseBlock<'_>, by: Option<&str>, said: &mut Said) {
        let (id, name) = (tool.id.get().into_owned(), tool.name.get());
        if let Some(kind) = member(&tool.input, "subagent_type") {
            self.agents.begins(id.clone(), kind);
        }
        let name = by.map_or_else(|| name.to_string(), |by| format!("{by} › {name}"));
        match todos(&tool.input).filter(|_| tool.name.is("TodoWrite")) {
            Some(items) => said.say(|at| Structured::TodoUpdate(TodoUpdate::of(at, items))),
            None => said.uses(&name, Some(&tool.input)),
        }
        self.calls.begins(id, name);
    }

    fn user(&mut self, line: &UserLine<'_>, said: &mut Said) {
        let Content::Blocks(blocks) = &line.message.content else { return };
        for block in blocks {
            if let Block::ToolResult(result) = block {
                let name = self.calls.ends(&result.tool_use_id.get());
                let text = Some(result.text()).filter(|text| !text.is_empty());
                let text = text.unwrap_or_else(|| without_text(result.content.as_ref()));
                said.gives(&name, &text, result.is_error == Some(true));
            }
        }
    }
}

/// A text of the model; one of a subagent stands behind its name.
fn text_of(line: &Assistant<'_>, by: Option<&str>, text: &str, said: &mut Said) {
    match by {
        _ if text.trim().is_empty() => {}
        _ if line.error.is_some() => {
            said.say(|at| Structured::FailureReport(FailureReport::of(at, cut(text, LONGEST))));
        }
        Some(by) => said.say(|at| {
            let phase = Some(Text::new(by));
            Structured::WorkflowProgress(WorkflowProgress {
                phase,
                ..WorkflowProgress::of(at, cut(text, LONGEST))
            })
        }),
        None => said.talks(text),
    }
}

fn thinks(text: &str, said: &mut Said) {
    if !text.trim().is_empty() {
        said.say(|at| Structured::LlmThinking(LlmThinking::of(at, cut(text, LONGEST))));
    }
}

fn status(what: &str, detail: Option<String>, said: &mut Said) {
    let (what, detail) = (cut(what, LONGEST), detail.map(|detail| cut(&detail, LONGEST)));
    said.say(|at| Structured::LlmStatus(LlmStatus { detail, ..LlmStatus::of(at, what) }));
}

/// What a turn used up.
fn used(result: &RunResult<'_>, said: &mut Said) {
    let Some(usage) = &result.usage else { return };
    let count =
        |name: &str| usage.peek(name).and_then(|json| Num::read(json.clone()).ok()).map(Num::into_owned);
    let (input_tokens, output_tokens) = (count("input_tokens"), count("output_tokens"));
    let cached_input_tokens = count("cache_read_input_tokens");
    said.say(|at| {
        Structured::TokenUsage(TokenUsage {
            input_tokens,
            cached_input_tokens,
            output_tokens,
            ..TokenUsage::of(at)
        })
    });
}

fn member(input: &Json<'_>, name: &str) -> Option<String> {
    let input = Object::read(input.clone()).ok()?;
    Some(input.peek(name)?.as_text()?.get().into_owned())
}

/// The list of what it has set itself to do.
fn todos(input: &Json<'_>) -> Option<Vec<TodoItem<'static>>> {
    let input = Object::read(input.clone()).ok()?;
    let item = |json: &Json<'_>| {
        let label = member(json, "content")?;
        let status = member(json, "status").and_then(|status| TodoStatus::from_word(&status));
        Some(TodoItem::of(cut(&label, LONGEST), status.unwrap_or(TodoStatus::Unknown)))
    };
    input.peek("todos")?.as_list()?.iter().map(item).collect()
}

/// What a tool gave that is no text: a picture, or a part that this version does not know.
fn without_text(content: Option<&Json<'_>>) -> String {
    let kind = |part: &Json<'_>| member(part, "type").unwrap_or_else(|| "something".to_owned());
    let parts = content.and_then(Json::as_list).unwrap_or_default();
    parts.iter().map(|part| format!("[{}]", kind(part))).collect::<Vec<_>>().join(" ")
}
