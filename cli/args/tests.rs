use actors::gate::rules::{Rule, RuleSet};
use actors::gate::{Decision, Gate, Place};
use clap::CommandFactory as _;

use super::Args;

/// What an agent that may start tims must ask for all the same. Whoever adds a flag or a command decides here whether it
/// lets that tim ask less, or speaks for the person.
const LOOSENING: [&str; 20] = [
    "__demo-agent",
    "__guard",
    "demo",
    "rules add",
    "rules remove",
    "rules test --allow",
    "run --add-dir",
    "run --agent",
    "run --allow",
    "run --answer-command",
    "run --claude",
    "run --dangerously-allow-on-timeout",
    "run --mcp-config",
    "run --permission-mode",
    "run --permission-timeout",
    "run --refused-ok",
    "run --settings",
    "run --unattended",
    "serve --allow",
    "serve --answer-command",
];

/// Every command with each of its flags, as an agent would type it.
fn uses(command: &clap::Command, path: &str) -> Vec<String> {
    let flags =
        command.get_arguments().filter_map(clap::Arg::get_long).map(|flag| format!("{path} --{flag}"));
    let below = command.get_subcommands().flat_map(|one| uses(one, &format!("{path} {}", one.get_name())));
    std::iter::once(path.to_owned()).chain(flags).chain(below).collect()
}

#[test]
fn a_rule_for_tim_covers_every_flag_but_those_that_loosen() {
    let allow = vec![Rule::parse("Bash(tim:*)").unwrap()];
    let gate = Gate::new(RuleSet { allow, deny: Vec::new() }, Place::default());
    let asks = |text: &String| gate.judge_command(text).decision == Decision::Ask;
    let loosens = |text: &str| {
        text == "tim rules" || LOOSENING.iter().any(|one| text.starts_with(&format!("tim {one}")))
    };
    let all = uses(&Args::command(), "tim");
    assert!(all.len() > 30, "{all:?}");
    let wrong: Vec<_> = all.iter().filter(|text| asks(text) != loosens(text)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
