use actors::gate::rules::{Rule, RuleSet};
use actors::gate::{Decision, Gate, Place};
use clap::CommandFactory as _;

use super::Args;

/// What an agent that may start tims must ask for all the same. Whoever adds a flag or a command decides here whether it
/// lets that tim ask less, or speaks for the person.
const LOOSENING: [&str; 29] = [
    "__demo-agent",
    "__guard",
    "answer",
    "config init",
    "demo",
    "doctor --claude",
    "man --folder",
    "rules add",
    "rules remove",
    "rules test --allow",
    "run --add-dir",
    "run --agent",
    "run --allow",
    "run --answer-command",
    "run --backend",
    "run --claude",
    "run --dangerously-allow-on-timeout",
    "run --mcp-config",
    "run --permission-mode",
    "run --permission-route",
    "run --permission-timeout",
    "run --question-timeout",
    "run --refused-ok",
    "run --settings",
    "run --unattended",
    "send",
    "serve --allow",
    "serve --answer-command",
    "stop",
];

/// Every command with each of its flags, as an agent would type it.
fn uses(command: &clap::Command, path: &str) -> Vec<String> {
    let flags =
        command.get_arguments().filter_map(clap::Arg::get_long).map(|flag| format!("{path} --{flag}"));
    let below = command.get_subcommands().flat_map(|one| uses(one, &format!("{path} {}", one.get_name())));
    std::iter::once(path.to_owned()).chain(flags).chain(below).collect()
}

#[test]
fn the_bridge_is_read_by_itself_as_it_is_read_among_all() {
    use super::{Command, McpCommand};
    use clap::Parser as _;
    let flags = |args: Args| match args.command {
        Command::Mcp(super::McpArgs { command: McpCommand::Serve(args) }) => (args.socket, args.label),
        other => panic!("{other:?}"),
    };
    for line in ["", "--socket /s", "--label x --socket=/s"] {
        let words = || format!("tim mcp serve {line}").split_whitespace().map(Into::into).collect::<Vec<_>>();
        assert_eq!(
            flags(Args::read(&words()).unwrap()),
            flags(Args::try_parse_from(words()).unwrap()),
            "{line}"
        );
    }
    for line in ["--help", "-V", "--sock /s", "--socket", "more", "--label x --label y"] {
        let words = || format!("tim mcp serve {line}").split_whitespace().map(Into::into).collect::<Vec<_>>();
        let (own, all) = (Args::read(&words()).unwrap_err(), Args::try_parse_from(words()).unwrap_err());
        assert_eq!(own.to_string(), all.to_string(), "{line}");
    }
}

#[test]
fn a_rule_for_tim_covers_every_flag_but_those_that_loosen() {
    let allow = vec![Rule::parse("Bash(tim:*)").unwrap()];
    let gate = Gate::new(RuleSet { allow, deny: Vec::new() }, Place::default());
    let asks = |text: &String| gate.judge_command(text).decision == Decision::Ask;
    let loosens = |text: &str| {
        // The same by another name.
        let text = &text.replace("tim subagent", "tim run");
        matches!(text.as_str(), "tim rules" | "tim mcp" | "tim config")
            || LOOSENING.iter().any(|one| text.starts_with(&format!("tim {one}")))
    };
    let all = uses(&Args::command(), "tim");
    // Whatever stands before a command, it is the same command.
    let command = Args::command();
    let before = command.get_arguments().filter_map(clap::Arg::get_long).map(|flag| format!("tim --{flag}"));
    let hidden: Vec<String> = before.map(|tim| format!("{tim} answer p1 y")).collect();
    assert!(!hidden.is_empty() && hidden.iter().all(asks), "{hidden:?}");
    assert!(all.len() > 30, "{all:?}");
    let wrong: Vec<_> = all.iter().filter(|text| asks(text) != loosens(text)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// All commands that are shown, also those below others.
fn shown(command: &clap::Command) -> Vec<clap::Command> {
    let below = command.get_subcommands().filter(|one| !one.is_hide_set() && one.get_name() != "help");
    below.flat_map(|one| [vec![one.clone()], shown(one)].concat()).collect()
}

#[test]
fn the_help_names_every_command_once_with_what_it_is_for() {
    let help = Args::command().term_width(80).render_help().to_string();
    // A row of the list begins with the name of its group, or with nothing.
    let rows = help.lines().filter(|row| row.starts_with(['W', 'L', 'S', ' ']));
    let listed: Vec<String> = rows.map(|row| row.get(17..).unwrap().to_owned()).collect();
    let command = Args::command();
    let names = command.get_subcommands().filter(|one| !one.is_hide_set());
    let mut expected: Vec<String> =
        names.map(|one| format!("{:10}  {}", one.get_name(), one.get_about().unwrap())).collect();
    let mut sorted = listed.clone();
    sorted.sort();
    expected.sort();
    assert_eq!(sorted, expected);
}

#[test]
fn every_help_teaches_by_example_and_fits_a_screen() {
    let mut all = Args::command().term_width(80);
    all.build();
    for mut command in shown(&all) {
        let name = command.get_bin_name().unwrap_or(command.get_name()).to_owned();
        let after = command.get_after_long_help().or(command.get_after_help());
        let has_examples = after.is_some_and(|text| text.to_string().contains("Examples"));
        assert!(has_examples, "{name} shows no example");
        let by_hand = [command.get_long_about(), command.get_after_help(), command.get_after_long_help()];
        let by_hand = by_hand.into_iter().flatten().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        for help in [by_hand, command.render_help().to_string(), command.render_long_help().to_string()] {
            let widest = help.lines().max_by_key(|row| row.chars().count()).unwrap_or_default();
            assert!(widest.chars().count() <= 80, "{name}: {widest}");
        }
    }
}

#[test]
fn the_short_help_fits_on_one_screen() {
    let help = Args::command().term_width(80).render_help().to_string();
    assert!(help.lines().count() <= 23, "with the row that asks for it: {help}");
    assert!(help.lines().chain(super::help::LONG.lines()).all(|row| row.chars().count() <= 80), "{help}");
}
