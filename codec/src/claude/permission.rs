//! What is decided about a tool, on either permission route, and what Claude Code tells of its own decisions.

use crate::json::{Item, Json, Text, record, tagged};

record! {
    /// The tool may run. Old CLIs refuse an allow without `updatedInput`, so tim always sends it.
    struct Allow {}
    lenient {
        updated_input: Json<'a> = "updatedInput",
        updated_permissions: Vec<Item<'a, PermissionUpdate<'a>>> = "updatedPermissions",
    }

    /// The tool may not run. Without a message the CLI takes the reply for malformed.
    struct Deny {}
    lenient {
        message: Text<'a> = "message",
        /// end the turn too; the model then does not see the message
        interrupt: bool = "interrupt",
    }

    /// A change of what is allowed, as Claude suggests it and takes it back.
    struct PermissionUpdate {
        /// `addRules`, `setMode`, `addDirectories`, …
        kind: Text<'a> = "type",
    }
    lenient {
        /// `session` lives as long as the process; `localSettings` and others are written to disk
        destination: Text<'a> = "destination",
        behavior: Text<'a> = "behavior",
        rules: Vec<Item<'a, RuleValue<'a>>> = "rules",
        mode: Text<'a> = "mode",
        directories: Vec<Text<'a>> = "directories",
    }

    /// A rule in parts: `Bash` and `git status:*`.
    struct RuleValue {
        tool_name: Text<'a> = "toolName",
    }
    lenient {
        rule_content: Text<'a> = "ruleContent",
    }

    /// A tool that did not run because of a permission, as the result line lists them.
    struct Denial {
        tool_name: Text<'a> = "tool_name",
    }
    lenient {
        /// who decided stands with the tool's result: the [`ToolResultMeta`] of the same id
        tool_use_id: Text<'a> = "tool_use_id",
        tool_input: Json<'a> = "tool_input",
    }

    /// What new CLIs tell about a tool beside its result.
    struct ToolResultMeta {
        id: Text<'a> = "id",
    }
    lenient {
        permission_decision: PermissionDecision<'a> = "permission_decision",
        /// why it did not run: `user-rejected`, `permission-rule`, …
        non_execution_kind: Text<'a> = "non_execution_kind",
    }

    /// Who decided about a tool.
    struct PermissionDecision {}
    lenient {
        /// `accept` or `reject`
        decision: Text<'a> = "decision",
        /// `config`, `user_temporary`, `user_reject`, …
        source: Text<'a> = "source",
        /// `rule`, `mode`, `hook`, `subcommandResults`, `asyncAgent`, `other`, …
        reason_type: Text<'a> = "reason_type",
    }
}

tagged! {
    /// A decision about a tool: the reply on the control wire, and the text that the MCP tool returns.
    enum Decision by "behavior" {
        Allow(Allow) = "allow",
        Deny(Deny) = "deny",
    }
}

impl<'a> Decision<'a> {
    /// Yes, with the input that the tool runs with: its own, or that of a question with the answers in it.
    #[must_use]
    pub fn allow(input: Json<'a>) -> Self {
        Decision::Allow(Allow { updated_input: Some(input), ..Allow::of() })
    }

    /// No, with what the model is told.
    #[must_use]
    pub fn deny(message: &str) -> Decision<'static> {
        Decision::Deny(Deny { message: Some(Text::new(message)), ..Deny::of() })
    }
}
