//! Claude Code on its pipes: stream-json lines in both directions, and the permission tool's JSON-RPC.
//!
//! Two versions of the CLI are known (2.1.197 and 2.1.325) and every release adds members, so only what tim uses
//! is typed, the rest is kept, and a line of a known type in an odd shape is kept whole. The order of members is
//! not stable: nothing here looks at how a line begins.

mod content;
mod control;
mod input;
mod mcp;
mod output;
mod permission;
mod questions;
mod system;

pub use content::{
    Block, Content, Image, ImageBlock, ImageSource, Message, TextBlock, ThinkingBlock, Tokens,
    ToolResultBlock, ToolUseBlock, UnknownImage,
};
pub use control::{
    CanUseTool, CancelAsyncMessage, ControlBody, ControlCancel, ControlReply, ControlRequest,
    ControlResponse, HookCallback, Initialize, Interrupt, McpMessage, SetPermissionMode,
    cancel_async_message, control_error, control_request, control_success, interrupt, may_ask, recover,
};
pub use input::{Input, KeepAlive, UserMessage};
pub use mcp::{ApprovalCall, Rpc};
pub use output::{
    Assistant, BlockDelta, BlockStart, BlockStop, CommandLifecycle, ConversationReset, Delta, Lifecycle,
    MessageDelta, MessageStart, MessageStop, OriginOfTurn, Output, Partial, PartialJson, RunResult,
    SignatureDelta, StreamEvent, TextDelta, ThinkingDelta, UserLine,
};
pub use permission::{
    Allow, Decision, Denial, Deny, PermissionDecision, PermissionUpdate, RuleValue, ToolResultMeta,
};
pub use questions::{Answer, AskUserQuestion, Question, QuestionOption, answers_in};
pub use system::{
    ApiRetry, BackgroundTask, BackgroundTasksChanged, HookResponse, HookStarted, Init, McpServer,
    PermissionDenied, SessionStateChanged, Status, System, TaskNotification, TaskPatch, TaskProgress,
    TaskStarted, TaskUpdated, ThinkingTokens,
};
