//! `system` lines: what Claude Code tells about itself, its tasks and its troubles.

use crate::json::{Item, Json, Num, Text, record, tagged};

record! {
    /// The start of every turn, not only of the first.
    struct Init {}
    lenient {
        session_id: Text<'a> = "session_id",
        cwd: Text<'a> = "cwd",
        model: Text<'a> = "model",
        permission_mode: Text<'a> = "permissionMode",
        claude_code_version: Text<'a> = "claude_code_version",
        tools: Vec<Text<'a>> = "tools",
        mcp_servers: Vec<Item<'a, McpServer<'a>>> = "mcp_servers",
    }

    /// An MCP server and whether it is there.
    struct McpServer {
        name: Text<'a> = "name",
    }
    lenient {
        /// anything but `connected` will fail at the first use
        status: Text<'a> = "status",
    }

    /// A change of state: compacting, another permission mode.
    struct Status {}
    lenient {
        status: Text<'a> = "status",
        permission_mode: Text<'a> = "permissionMode",
    }

    /// A subagent or a longer command began.
    struct TaskStarted {
        task_id: Text<'a> = "task_id",
    }
    lenient {
        tool_use_id: Text<'a> = "tool_use_id",
        description: Text<'a> = "description",
        task_type: Text<'a> = "task_type",
        subagent_type: Text<'a> = "subagent_type",
        is_backgrounded: bool = "is_backgrounded",
    }

    /// A subagent is at something.
    struct TaskProgress {
        task_id: Text<'a> = "task_id",
    }
    lenient {
        description: Text<'a> = "description",
        last_tool_name: Text<'a> = "last_tool_name",
    }

    /// A task changed.
    struct TaskUpdated {
        task_id: Text<'a> = "task_id",
    }
    lenient {
        patch: TaskPatch<'a> = "patch",
    }

    /// What changed in a task.
    struct TaskPatch {}
    lenient {
        status: Text<'a> = "status",
    }

    /// A task ended.
    struct TaskNotification {
        task_id: Text<'a> = "task_id",
    }
    lenient {
        tool_use_id: Text<'a> = "tool_use_id",
        status: Text<'a> = "status",
        summary: Text<'a> = "summary",
        output_file: Text<'a> = "output_file",
    }

    /// All background tasks there are now; replaces what was known. Only new CLIs tell.
    struct BackgroundTasksChanged {
        tasks: Vec<Item<'a, BackgroundTask<'a>>> = "tasks",
    }

    /// One background task.
    struct BackgroundTask {
        task_id: Text<'a> = "task_id",
    }
    lenient {
        task_type: Text<'a> = "task_type",
        description: Text<'a> = "description",
    }

    /// The API did not answer well; Claude tries again.
    struct ApiRetry {}
    lenient {
        attempt: Num<'a> = "attempt",
        max_retries: Num<'a> = "max_retries",
        retry_delay_ms: Num<'a> = "retry_delay_ms",
        error_status: Num<'a> = "error_status",
        error: Json<'a> = "error",
    }

    /// A tool was denied without asking anybody.
    struct PermissionDenied {
        tool_name: Text<'a> = "tool_name",
    }
    lenient {
        tool_use_id: Text<'a> = "tool_use_id",
        message: Text<'a> = "message",
        decision_reason: Text<'a> = "decision_reason",
        decision_reason_type: Text<'a> = "decision_reason_type",
    }

    /// A hook of the settings began.
    struct HookStarted {}
    lenient {
        hook_id: Text<'a> = "hook_id",
        hook_name: Text<'a> = "hook_name",
    }

    /// A hook of the settings ended.
    struct HookResponse {}
    lenient {
        hook_id: Text<'a> = "hook_id",
        hook_name: Text<'a> = "hook_name",
        outcome: Text<'a> = "outcome",
        exit_code: Num<'a> = "exit_code",
        stderr: Text<'a> = "stderr",
    }

    /// The model is thinking.
    struct ThinkingTokens {}
    lenient {
        estimated_tokens: Num<'a> = "estimated_tokens",
    }

    /// Running, waiting for somebody, or idle; idle does not mean that no background task runs.
    struct SessionStateChanged {
        state: Text<'a> = "state",
    }
}

tagged! {
    /// One `system` line.
    enum System by "subtype" {
        Init(Init) = "init",
        Status(Status) = "status",
        TaskStarted(TaskStarted) = "task_started",
        TaskProgress(TaskProgress) = "task_progress",
        TaskUpdated(TaskUpdated) = "task_updated",
        TaskNotification(TaskNotification) = "task_notification",
        BackgroundTasksChanged(BackgroundTasksChanged) = "background_tasks_changed",
        ApiRetry(ApiRetry) = "api_retry",
        PermissionDenied(PermissionDenied) = "permission_denied",
        HookStarted(HookStarted) = "hook_started",
        HookResponse(HookResponse) = "hook_response",
        ThinkingTokens(ThinkingTokens) = "thinking_tokens",
        SessionStateChanged(SessionStateChanged) = "session_state_changed",
    }
}
