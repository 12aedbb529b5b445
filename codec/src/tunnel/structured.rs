//! The thirty structured messages, and those of types that this version does not know.
//!
//! Every member that a renderer looks at is checked here, also where the original's validator let it pass:
//! what validates can be shown.

use crate::id::{Key, RequestId};
use crate::json::{
    Field, IntoOwned, Json, Num, Object, ObjectWriter, Record, Text, Written, Wrong, record, words,
};
use crate::outcome::Outcome;

use super::prompt::QuestionKind;
use super::summary::{Issue, Summary};
use crate::unknown::Unknown;

words! {
    /// Where a todo item is.
    TodoStatus {
        Pending = "pending",
        InProgress = "in_progress",
        Completed = "completed",
        Blocked = "blocked",
        Unknown = "unknown",
    }

    /// What happened to a file.
    ChangeKind {
        Added = "added",
        Updated = "updated",
        Removed = "removed",
    }

    /// Where a set of changes is.
    ChangeStatus {
        InProgress = "in_progress",
        Completed = "completed",
        Failed = "failed",
        Declined = "declined",
    }

    /// What a review came to.
    Verdict {
        Acceptable = "ACCEPTABLE",
        NeedsFixes = "NEEDS_FIXES",
        Unknown = "UNKNOWN",
    }

    /// Where a person typed.
    InputSource {
        Terminal = "terminal",
        Gui = "gui",
    }

    /// Where an answer came from.
    AnswerSource {
        Terminal = "terminal",
        /// the original's browser page
        Websocket = "websocket",
        Parent = "parent",
        Command = "command",
        Control = "control",
        Rule = "rule",
    }
}

/// Any JSON whose numbers are finite.
#[derive(Debug, Clone, PartialEq)]
pub struct Payload<'a>(pub Json<'a>);

impl<'a> Field<'a> for Payload<'a> {
    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        if json.is_finite() { Ok(Self(json)) } else { Err(Wrong::not_a("JSON with finite numbers")) }
    }
}

impl Written for Payload<'_> {
    fn write(&self, out: &mut String) {
        self.0.write(out);
    }
}

impl IntoOwned for Payload<'_> {
    type Owned = Payload<'static>;

    fn into_owned(self) -> Payload<'static> {
        Payload(self.0.into_owned())
    }
}

record! {
    /// `prompt_request` as tim itself says it in its own output: any kind of question, never relayed.
    struct PromptEmitted {
        timestamp: Text<'a> = "timestamp",
        request_id: RequestId = "requestId",
        prompt_type: QuestionKind = "promptType",
        config: Json<'a> = "promptConfig",
    }
    optional {
        timeout: u64 = "timeoutMs",
        /// the name of the question, which is unique; the id is only so with its asker
        key: Key = "key",
        /// who asks
        path: Text<'a> = "path",
        /// the tool that it is about
        tool: Json<'a> = "tool",
    }

    /// How much of a rate limit is used up.
    struct RateLimitInfo {}
    optional {
        utilization: Num<'a> = "utilization",
        rate_limit_type: Text<'a> = "rateLimitType",
        resets_at: Num<'a> = "resetsAt",
        is_using_overage: bool = "isUsingOverage",
        surpassed_threshold: Num<'a> = "surpassedThreshold",
    }

    /// One thing to do.
    struct TodoItem {
        label: Text<'a> = "label",
        status: TodoStatus = "status",
    }
    optional {
        detail: Text<'a> = "detail",
    }

    /// One file that changed.
    struct FileChange {
        path: Text<'a> = "path",
        kind: ChangeKind = "kind",
    }
    optional {
        diff: Text<'a> = "diff",
    }
}

/// Declares the structured messages: each has a `timestamp`, and all together are one enum.
macro_rules! structured {
    ($(
        $name:ident = $wire:literal {
            $( $need:ident : $need_type:ty = $need_wire:literal ),* $(,)?
        }
        optional { $( $may:ident : $may_type:ty = $may_wire:literal ),* $(,)? }
    )*) => {
        record! {$(
            #[doc = concat!("`", $wire, "`")]
            struct $name {
                timestamp: Text<'a> = "timestamp",
                $( $need : $need_type = $need_wire, )*
            }
            optional { $( $may : $may_type = $may_wire, )* }
        )*}

        /// One structured message, all but `prompt_request`: a question is no report (see [`super::Up::Prompt`]).
        #[derive(Debug, Clone, PartialEq)]
        pub enum Structured<'a> {
            $( #[doc = concat!("`", $wire, "`")] $name($name<'a>), )*
            /// a type that this version does not know
            Unknown(Unknown<'a>),
        }

        impl<'a> Structured<'a> {
            /// The types of the original, the question included.
            pub const KINDS: &'static [&'static str] = &["prompt_request", $( $wire, )*];

            pub(crate) fn read(kind: Text<'a>, object: Object<'a>) -> Result<Self, Wrong> {
                let said = kind.get();
                match said.as_ref() {
                    $( $wire => Record::from_object(object).map(Structured::$name), )*
                    _ => {
                        drop(said);
                        Ok(Structured::Unknown(Unknown { kind: Some(kind), members: object, wrong: None }))
                    }
                }
            }

            pub(crate) fn write(&self, out: &mut ObjectWriter<'_>) {
                match self {
                    $( Structured::$name(record) => {
                        out.raw_member("\"type\"", concat!("\"", $wire, "\""));
                        record.members(out);
                    } )*
                    Structured::Unknown(unknown) => unknown.write("type", out),
                }
            }

            /// Its `type` on the wire.
            #[must_use]
            pub fn kind(&self) -> std::borrow::Cow<'_, str> {
                match self {
                    $( Structured::$name(_) => $wire.into(), )*
                    Structured::Unknown(unknown) => unknown.kind(),
                }
            }
        }

        impl IntoOwned for Structured<'_> {
            type Owned = Structured<'static>;

            fn into_owned(self) -> Structured<'static> {
                match self {
                    $( Structured::$name(record) => Structured::$name(record.into_owned()), )*
                    Structured::Unknown(unknown) => Structured::Unknown(unknown.into_owned()),
                }
            }
        }
    };
}

impl PromptEmitted<'_> {
    /// The message as a line, without its line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        crate::json::object_of(|out| {
            out.raw_member("\"type\"", "\"structured\"");
            out.member("message", |text| {
                ObjectWriter::object(text, |message| {
                    message.raw_member("\"type\"", "\"prompt_request\"");
                    self.members(message);
                });
            });
        })
    }
}

structured! {
    AgentSessionStart = "agent_session_start" {}
    optional {
        executor: Text<'a> = "executor", model: Text<'a> = "model", mode: Text<'a> = "mode",
        plan_id: Num<'a> = "planId", session_id: Text<'a> = "sessionId", thread_id: Text<'a> = "threadId",
        tools: Vec<Text<'a>> = "tools", mcp_servers: Vec<Text<'a>> = "mcpServers",
    }
    AgentSessionEnd = "agent_session_end" { success: bool = "success" }
    optional {
        session_id: Text<'a> = "sessionId", thread_id: Text<'a> = "threadId", duration_ms: Num<'a> = "durationMs",
        cost_usd: Num<'a> = "costUsd", turns: Num<'a> = "turns", summary: Text<'a> = "summary",
    }
    AgentIterationStart = "agent_iteration_start" { iteration_number: Num<'a> = "iterationNumber" }
    optional { task_title: Text<'a> = "taskTitle", task_description: Text<'a> = "taskDescription" }
    AgentStepStart = "agent_step_start" { phase: Text<'a> = "phase" }
    optional {
        executor: Text<'a> = "executor", step_number: Num<'a> = "stepNumber", attempt: Num<'a> = "attempt",
        message: Text<'a> = "message",
    }
    AgentStepEnd = "agent_step_end" { phase: Text<'a> = "phase", success: bool = "success" }
    optional { summary: Text<'a> = "summary" }
    LlmThinking = "llm_thinking" { text: Text<'a> = "text" }
    optional {}
    LlmResponse = "llm_response" { text: Text<'a> = "text" }
    optional { is_user_request: bool = "isUserRequest" }
    LlmToolUse = "llm_tool_use" { tool_name: Text<'a> = "toolName" }
    optional { input_summary: Text<'a> = "inputSummary", input: Payload<'a> = "input" }
    LlmToolResult = "llm_tool_result" { tool_name: Text<'a> = "toolName" }
    optional { result_summary: Text<'a> = "resultSummary", result: Payload<'a> = "result" }
    LlmStatus = "llm_status" { status: Text<'a> = "status" }
    optional {
        detail: Text<'a> = "detail", source: Text<'a> = "source",
        rate_limit_info: Box<RateLimitInfo<'a>> = "rateLimitInfo",
    }
    TodoUpdate = "todo_update" { items: Vec<TodoItem<'a>> = "items" }
    optional { source: Text<'a> = "source", turn_id: Text<'a> = "turnId", explanation: Text<'a> = "explanation" }
    FileWrite = "file_write" { path: Text<'a> = "path", line_count: Num<'a> = "lineCount" }
    optional {}
    FileEdit = "file_edit" { path: Text<'a> = "path", diff: Text<'a> = "diff" }
    optional {}
    FileChangeSummary = "file_change_summary" { changes: Vec<FileChange<'a>> = "changes" }
    optional { id: Text<'a> = "id", status: ChangeStatus = "status" }
    CommandExec = "command_exec" { command: Text<'a> = "command" }
    optional { cwd: Text<'a> = "cwd" }
    CommandResult = "command_result" { exit_code: Num<'a> = "exitCode" }
    optional {
        command: Text<'a> = "command", cwd: Text<'a> = "cwd", stdout: Text<'a> = "stdout", stderr: Text<'a> = "stderr",
    }
    ReviewStart = "review_start" {}
    optional { executor: Text<'a> = "executor", plan_id: Num<'a> = "planId" }
    ReviewResult = "review_result" {
        verdict: Verdict = "verdict", issues: Vec<Issue<'a>> = "issues",
        recommendations: Vec<Text<'a>> = "recommendations", action_items: Vec<Text<'a>> = "actionItems",
    }
    optional { fix_instructions: Text<'a> = "fixInstructions" }
    WorkflowProgress = "workflow_progress" { message: Text<'a> = "message" }
    optional { phase: Text<'a> = "phase" }
    FailureReport = "failure_report" { summary: Text<'a> = "summary" }
    optional {
        requirements: Text<'a> = "requirements", problems: Text<'a> = "problems", solutions: Text<'a> = "solutions",
        source_agent: Text<'a> = "sourceAgent",
    }
    TaskCompletion = "task_completion" { plan_complete: bool = "planComplete" }
    optional { task_title: Text<'a> = "taskTitle" }
    ExecutionSummary = "execution_summary" { summary: Box<Summary<'a>> = "summary" }
    optional {}
    TokenUsage = "token_usage" {}
    optional {
        input_tokens: Num<'a> = "inputTokens", cached_input_tokens: Num<'a> = "cachedInputTokens",
        output_tokens: Num<'a> = "outputTokens", reasoning_tokens: Num<'a> = "reasoningTokens",
        total_tokens: Num<'a> = "totalTokens", rate_limits: Object<'a> = "rateLimits",
    }
    InputRequired = "input_required" {}
    optional { prompt: Text<'a> = "prompt" }
    UserTerminalInput = "user_terminal_input" { content: Text<'a> = "content" }
    optional { source: InputSource = "source" }
    PromptAnswered = "prompt_answered" {
        request_id: RequestId = "requestId", prompt_type: QuestionKind = "promptType", source: AnswerSource = "source",
    }
    optional { value: Json<'a> = "value" }
    PromptCancelled = "prompt_cancelled" { request_id: RequestId = "requestId" }
    optional { outcome: Outcome = "outcome" }
    PlanDiscovery = "plan_discovery" { plan_id: Num<'a> = "planId", title: Text<'a> = "title" }
    optional {}
    WorkspaceInfo = "workspace_info" { path: Text<'a> = "path" }
    optional { workspace_id: Text<'a> = "workspaceId", plan_file: Text<'a> = "planFile" }
}
