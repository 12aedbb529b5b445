//! The rules that would have allowed what nobody could allow. Pure.
//!
//! Each was tried: together they allow the very use of the tool. Where none does, there are none.

use actors::gate::rules::{Rule, RuleSet};
use actors::gate::suggest::suggest;
use actors::gate::{Decision, Gate, Place};
use actors::question::Tool;
use codec::json::{Json, Object};

/// The rules for that use of a tool.
pub(super) fn rules(tool: &Tool, place: &Place) -> Vec<String> {
    let name = tool.name.get();
    let found = match name.as_ref() {
        "Bash" => for_command(tool, place),
        "Edit" | "MultiEdit" | "NotebookEdit" | "Write" => for_file(tool, place),
        "WebFetch" => for_host(tool),
        _ => vec![name.clone().into_owned()],
    };
    if are_enough(&found, &name, &tool.input, place) { found } else { Vec::new() }
}

/// For each part of a command what people mean by it.
fn for_command(tool: &Tool, place: &Place) -> Vec<String> {
    let command = text(&tool.input, "command").unwrap_or_default();
    let mut rules = Vec::new();
    for part in suggest(&command, place) {
        if let Some(one) = part.rules.get(part.preferred)
            && !rules.contains(&one.rule)
        {
            rules.push(one.rule.clone());
        }
    }
    rules
}

/// This very file if it lies in the folder of the work.
fn for_file(tool: &Tool, place: &Place) -> Vec<String> {
    let path =
        text(&tool.input, "file_path").or_else(|| text(&tool.input, "notebook_path")).unwrap_or_default();
    let below = path.strip_prefix(&place.root).and_then(|rest| rest.strip_prefix('/'));
    let narrow = below.filter(|path| path.contains('/')).map(|path| vec![format!("Edit({path})")]);
    let is_enough = |rules: &Vec<String>| are_enough(rules, &tool.name.get(), &tool.input, place);
    narrow.filter(is_enough).unwrap_or_else(|| vec!["Edit(**)".to_owned()])
}

fn for_host(tool: &Tool) -> Vec<String> {
    let url = text(&tool.input, "url").unwrap_or_default();
    let host = url.split('/').nth(2).map(str::to_ascii_lowercase);
    host.map(|host| format!("WebFetch(domain:{host})")).into_iter().collect()
}

fn text(input: &Json<'_>, name: &str) -> Option<String> {
    let input = Object::read(input.clone()).ok()?;
    Some(input.peek(name)?.as_text()?.get().into_owned())
}

fn are_enough(rules: &[String], tool: &str, input: &Json<'_>, place: &Place) -> bool {
    let allow: Result<Vec<Rule>, _> = rules.iter().map(|rule| Rule::parse(rule)).collect();
    let Ok(allow) = allow else { return false };
    let gate = Gate::new(RuleSet { allow, deny: Vec::new() }, place.clone());
    gate.judge(tool, input).decision == Decision::Allow
}

#[cfg(test)]
mod tests {
    use super::*;
    use codec::json::Text;

    fn rules_for(name: &str, input: &str) -> Vec<String> {
        let tool = Tool {
            name: Text::new(name),
            input: Json::parse(input).unwrap().into_owned(),
            tool_use_id: None,
            reason: None,
            agent_id: None,
            agent_name: None,
            suggestions: None,
            plan: None,
        };
        rules(&tool, &Place { root: "/proj".to_owned(), home: None })
    }

    #[test]
    fn a_command_is_allowed_by_a_rule_for_each_of_its_parts() {
        assert_eq!(rules_for("Bash", r#"{"command":"git push origin HEAD"}"#), ["Bash(git push:*)"]);
        let two = rules_for("Bash", r#"{"command":"cargo test && git push"}"#);
        assert_eq!(two, ["Bash(cargo test:*)", "Bash(git push:*)"]);
    }

    #[test]
    fn where_no_rule_would_do_none_is_named() {
        assert!(rules_for("Bash", r#"{"command":"eval \"$x\""}"#).is_empty());
        assert!(rules_for("Write", r#"{"file_path":"/etc/hosts","content":""}"#).is_empty());
    }

    #[test]
    fn other_tools_have_rules_of_their_own() {
        assert_eq!(rules_for("Write", r#"{"file_path":"/proj/src/a","content":""}"#), ["Edit(src/a)"]);
        assert_eq!(rules_for("Write", r#"{"file_path":"/proj/a","content":""}"#), ["Edit(**)"]);
        let page = rules_for("WebFetch", r#"{"url":"https://Example.com/x","prompt":""}"#);
        assert_eq!(page, ["WebFetch(domain:example.com)"]);
        assert_eq!(rules_for("mcp__db__query", r#"{"q":"x"}"#), ["mcp__db__query"]);
    }
}
