//! tim itself as a command: what no rule lets an agent do with it.

use super::{Decision, decision};

#[test]
fn no_rule_starts_a_tim_that_asks_less() {
    for command in [
        "tim run --allow Bash x",
        "x; tim rules add Bash",
        "$(tim run x)",
        "bash -c 'tim run x'; $x",
        "sh -c 'tim run --allow Bash x'",
        "xargs tim",
        "TIM run --allow x",
        "nohup tim --allow x",
        "eval 'tim run x'",
    ] {
        assert_eq!(decision(&["Bash"], &[], command), Decision::Ask, "{command}");
    }
    assert_eq!(decision(&["Bash(tim run --allow x)"], &[], "tim run --allow x"), Decision::Ask);
    assert_eq!(decision(&["Bash(tim:*)"], &[], "tim ask confirm x"), Decision::Allow);
}

#[test]
fn a_rule_for_tim_lets_no_other_program_run_behind_a_guard() {
    for command in [
        "tim __guard -- rm -rf x",
        "tim __guard",
        "./target/debug/tim __guard -- ls",
        "nohup tim __guard -- rm x",
    ] {
        for rule in ["Bash", "Bash(tim:*)", "Bash(tim __guard:*)", "Bash(tim __guard -- rm -rf x)"] {
            assert_eq!(decision(&[rule], &[], command), Decision::Ask, "{rule}: {command}");
        }
    }
}

#[test]
fn a_flag_before_its_command_hides_nothing_that_a_tim_does() {
    for command in [
        "tim -v answer p14 y",
        "tim -v -vv --verbose send claude x",
        "nohup tim -v stop claude",
        "tim -v rules add 'Bash'",
        "tim -vv __guard -- rm x",
        "tim man --folder /x",
        "tim -v man --folder=/x",
        "nohup tim man --folder /x",
    ] {
        assert_eq!(decision(&["Bash"], &[], command), Decision::Ask, "{command}");
    }
    for command in ["tim -v ps", "tim -vv run x", "tim man run", "tim run -v x"] {
        assert_eq!(decision(&["Bash(tim:*)"], &[], command), Decision::Allow, "{command}");
    }
}
