//! The conversation as the person saw it, from outside: what stands there, and that it is the same everywhere.

use std::process::Command;

use super::{GRANT, LIFE, fixture, journal, replay, replay_stdin, text};

/// Runs of every kind: one agent with and without its pieces, its questions, clients, an agent of events.
const RUNS: [&str; 10] = [
    "claude/a4_message_while_tool_runs.2.1.197.jsonl",
    "claude/a5_message_while_text_streams.2.1.325.jsonl",
    "claude/c1s_ask_single_stdio.2.1.325.jsonl",
    "claude/d2c_can_use_tool_deny.2.1.325.jsonl",
    "claude/d5_interrupt_mid_bash.2.1.325.jsonl",
    "claude/e2_subagent_foreground.2.1.325.jsonl",
    "tunnel/02-structured-full.jsonl",
    "tunnel/13-user-input-two-clients.jsonl",
    "tunnel/61-prompts-of-every-kind.jsonl",
    "runs/every-record.jsonl",
];

#[test]
fn recorded_runs_read_as_they_did_on_the_screen() {
    let told = RUNS.iter().chain(&["runs/grant.jsonl"]).map(|name| {
        let output = replay(&[&format!("fixtures/{name}")]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output.stderr));
        format!("== {name}\n{}", text(&output.stdout))
    });
    let told: Vec<String> = told.collect();
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("snapshots");
    settings.bind(|| insta::assert_snapshot!("told", told.join("\n")));
}

#[test]
fn two_agents_an_exit_and_a_typed_line_say_whose_they_are() {
    let said = |wire: &str, text: &str| {
        format!(
            r#""t":1200,"wire":"{wire}","dir":"from","line":"{{\"type\":\"text_delta\",\"text\":\"{text}\"}}""#
        )
    };
    let bytes = journal(&[
        r#""t":1,"rec":"attach","wire":"agent:lint","path":"lint""#,
        r#""t":1,"rec":"attach","wire":"agent:docs","path":"docs""#,
        r#""t":2,"rec":"typed","text":"be quick","to":"docs""#,
        &said("agent:lint", "all is well"),
        &said("agent:docs", "three pages"),
        r#""t":61000,"rec":"exit","wire":"agent:lint","code":3"#,
        r#""t":61000,"rec":"detach","wire":"agent:lint""#,
    ]);
    let output = replay_stdin(&bytes, &[]);
    let expected = concat!(
        "→ You to docs: be quick\n",
        "\n",
        "lint    all is well\n",
        "✗ 1m1s lint ended with exit code 3\n",
        "\n",
        "docs    three pages\n",
    );
    assert_eq!(text(&output.stdout), expected);
}

#[test]
fn neither_the_place_nor_the_time_nor_the_language_of_the_person_changes_a_byte() {
    let odd = [
        ("TZ", "Pacific/Kiritimati"),
        ("LANG", "tr_TR.UTF-8"),
        ("LC_ALL", "C"),
        ("HOME", "/tmp/demo"),
        ("TERM", "xterm-256color"),
        ("COLUMNS", "20"),
        ("NO_COLOR", "1"),
    ];
    for name in RUNS.iter().map(|name| format!("fixtures/{name}")).chain([LIFE.to_owned(), GRANT.to_owned()])
    {
        for arguments in [&[][..], &["--wires"], &["--check"], &["--turns"]] {
            let here = replay(&[&[name.as_str()], arguments].concat());
            let mut command = Command::new(env!("CARGO_BIN_EXE_tim"));
            command.arg("replay").arg(fixture(&name)).args(arguments).env_clear().envs(odd).current_dir("/");
            let there = command.output().unwrap();
            assert_eq!(text(&here.stdout), text(&there.stdout), "{name} {arguments:?}");
            assert_eq!(here.status.code(), there.status.code(), "{name} {arguments:?}");
        }
    }
}

#[test]
fn each_line_of_a_file_is_accounted_for() {
    for folder in ["claude", "tunnel", "events", "runs"] {
        for file in std::fs::read_dir(fixture("fixtures").join(folder)).unwrap() {
            let path = file.unwrap().path();
            let lines = std::fs::read(&path).unwrap();
            let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count();
            let output = replay(&[path.to_str().unwrap(), "--output-format", "json"]);
            assert_eq!(output.status.code(), Some(0), "{}: {}", path.display(), text(&output.stderr));
            let all = format!("\"lines\":{{\"all\":{lines},");
            assert!(text(&output.stdout).contains(&all), "{}: {}", path.display(), text(&output.stdout));
        }
    }
}
