//! The tunnel: what a child says upward and what its parent says down to it.
//!
//! The protocol of the original `tim`, field by field, and the additions that a client greets for. Reading
//! checks everything that a renderer or a router will rely on; what validates can be shown.

mod down;
mod greeting;
mod permission;
mod process;
mod prompt;
mod recover;
mod report;
mod structured;
mod summary;
mod up;

pub use down::{Down, PromptResponse, PromptShown, UserInput};
pub use greeting::{Goodbye, Hello, Peer, Role, Welcome};
pub use permission::{Grant, PermissionRequest, PermissionResponse, Scope};
pub use process::{
    ExecutorAction, ExitCode, Filled, Process, ProcessControl, ProcessExit, ProcessId, ProcessKind,
    ProcessRegister, ProcessRemove, ProcessState, ProcessUpdate, TerminateExecutor, TerminateExecutorResult,
    TerminateResult, TextOf,
};
pub use prompt::{
    CancelReason, Choice, PromptCancel, PromptConfig, PromptKind, PromptRequest, QuestionKind, Scalar,
};
pub(crate) use prompt::{check_id, check_text};
pub use recover::{recover, recover_answer};
pub use report::{
    Level, Log, Origin, RawOutput, ReceiptState, Relayed, Segment, Stream, UserInputReceipt, relay,
};
pub use structured::*;
pub use summary::*;
pub use up::Up;
