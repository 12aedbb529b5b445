//! `tim replay` from outside: what it prints, how it ends, and that it touches nothing.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
#![expect(clippy::disallowed_methods, reason = "the program under test is a child of the test")]

#[path = "replay/differences.rs"]
mod differences;
#[path = "replay/named.rs"]
mod named;
#[path = "replay/told.rs"]
mod told;
#[path = "replay/touches_nothing.rs"]
mod touches_nothing;
#[path = "replay/turns.rs"]
mod turns;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use codec::journal::{Body, Direction, Entry, WireLine};
use codec::json::{Object, Text};

const LIFE: &str = "fixtures/runs/a-life.jsonl";
const GRANT: &str = "fixtures/runs/grant.jsonl";

fn replay(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tim")).arg("replay").args(arguments).env_clear().output().unwrap()
}

fn replay_stdin(bytes: &[u8], arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tim"));
    command.args(["replay", "-"]).args(arguments).env_clear();
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let bytes = bytes.to_vec();
    // It may stop reading before the end: then there is nobody to write to.
    let writer = std::thread::spawn(move || stdin.write_all(&bytes).ok());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

#[test]
fn a_run_of_ours_is_played_as_it_was() {
    let output = replay(&[LIFE, "--check"]);
    assert_eq!(text(&output.stdout), "as recorded: 22 lines sent\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_run_with_a_grant_is_played_with_all_that_it_answered() {
    let output = replay(&[GRANT, "--check"]);
    assert_eq!((text(&output.stdout), output.status.code()), ("as recorded: 7 lines sent\n", Some(0)));
    let run = std::fs::read_to_string(fixture(GRANT)).unwrap();
    // Without its second rule the same answer would not have been taken.
    let changed = run.replace(r#""Bash(git fetch:*)","Bash(npm test:*)"]}}"#, r#""Bash(git fetch:*)"]}}"#);
    assert_ne!(run, changed);
    assert_eq!(replay_stdin(changed.as_bytes(), &["--check"]).status.code(), Some(1));
}

#[test]
fn a_record_that_was_changed_is_a_difference() {
    let life = std::fs::read_to_string(fixture(LIFE)).unwrap();
    let changed = life.replacen(
        r#""outcome":"answered","source":"terminal""#,
        r#""outcome":"answered","source":"rule""#,
        1,
    );
    assert_ne!(life, changed);
    let output = replay_stdin(changed.as_bytes(), &["--check"]);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stdout);
    let expected = concat!(
        "≠ record 57 at 0.080 s, outcome 51a.p10\n",
        "    source: recorded \"rule\", now \"terminal\"\n",
        "1 difference; 22 lines sent\n",
    );
    assert_eq!(told, expected);
    let output = replay_stdin(changed.as_bytes(), &["--check", "--output-format", "stream-json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with(r#"{"type":"difference","at":"#), "{}", text(&output.stdout));
}

#[test]
fn a_record_that_was_taken_out_or_put_in_is_a_difference() {
    let life = std::fs::read_to_string(fixture(LIFE)).unwrap();
    let lines: Vec<&str> = life.lines().collect();
    let at = lines.iter().position(|line| line.contains("\"rec\":\"outcome\"")).unwrap();
    let without = [&lines[..at], &lines[at + 1..]].concat().join("\n");
    let twice = [&lines[..=at], &lines[at..]].concat().join("\n");
    for changed in [without, twice] {
        assert_eq!(replay_stdin(changed.as_bytes(), &["--check"]).status.code(), Some(1));
    }
}

#[test]
fn the_same_file_gives_the_same_bytes() {
    for name in [
        LIFE,
        "fixtures/tunnel/17-response-edge-values.jsonl",
        "fixtures/claude/s1_official_sdk_multi.2.1.325.jsonl",
    ] {
        for format in ["text", "stream-json"] {
            let (one, two) =
                (replay(&[name, "--output-format", format]), replay(&[name, "--output-format", format]));
            assert_eq!(one.status.code(), Some(0), "{}", text(&one.stderr));
            assert!(!one.stdout.is_empty());
            assert_eq!(one.stdout, two.stdout, "{name}");
            assert_eq!(
                one.stdout,
                replay_stdin(&std::fs::read(fixture(name)).unwrap(), &["--output-format", format]).stdout
            );
        }
    }
}

#[test]
fn programs_get_one_json_object_a_line() {
    let output = replay(&[
        "fixtures/claude/d2_can_use_tool_write_allow.2.1.325.jsonl",
        "--output-format",
        "stream-json",
    ]);
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert!(lines.iter().all(|line| Object::parse(line).is_ok()), "{lines:?}");
    let emitted: Vec<&&str> = lines.iter().filter(|line| line.contains("\"key\":\"0f1e.p1\"")).collect();
    assert_eq!(emitted.len(), 2, "asked once, ended once");
    assert!(lines[0].contains("\"type\":\"system\""), "what the agent said comes through: {}", lines[0]);
}

#[test]
fn the_wires_have_a_row_for_each_thing_that_happens() {
    let output = replay(&["--wires", "fixtures/tunnel/08-prompt-timeout-late-answer.jsonl"]);
    assert_eq!(
        text(&output.stdout),
        concat!(
            "   0.121  ? 0f1e.p1 tunnel:1 confirm: confirm question?\n",
            "   0.321  = 0f1e.p1 timed_out: Prompt request timed out after 200ms\n",
            "   0.321  tunnel:1 ← {\"type\":\"prompt_response\",\"requestId\":\"t1\",\"error\":\"Prompt request timed out after 200ms\",\"outcome\":\"timed_out\"}\n",
            "   0.724  ! terminal: the answer to 0f1e.p1 came too late\n",
            "   1.018  tunnel:1 → {\"type\":\"log\",\"args\":[\"still alive\"]}\n",
        )
    );
}

#[test]
fn a_torn_last_line_is_a_remark_and_no_failure() {
    let output = replay(&["fixtures/runs/every-record.jsonl"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        text(&output.stdout).contains("! the last line is torn after 27 bytes"),
        "{}",
        text(&output.stdout)
    );
    let life = std::fs::read(fixture(LIFE)).unwrap();
    let whole_without_its_end = &life[..life.len() - 1];
    assert_eq!(
        text(&replay_stdin(whole_without_its_end, &["--check"]).stdout),
        "as recorded: 22 lines sent\n"
    );
    for torn in (life.len() - 200..life.len()).step_by(13) {
        let output = replay_stdin(&life[..torn], &[]);
        assert_eq!(output.status.code(), Some(0), "cut at {torn}: {}", text(&output.stderr));
    }
}

#[test]
fn what_is_no_run_is_said_to_be_none() {
    for (bytes, said) in [
        (&b""[..], "it is empty"),
        (b"hello\n", "neither a journal nor a recording of tim"),
        (b"{\"seq\":0,\"t\":0,\"rec\":\"typed\",\"text\":\"x\"}\n", "the first record is not that of a run"),
        (
            b"{\"seq\":0,\"t\":0,\"rec\":\"run\",\"v\":2,\"id\":\"a\",\"seed\":\"\"}\n",
            "the journal has version 2, this program reads 1",
        ),
    ] {
        let output = replay_stdin(bytes, &[]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
    let output = replay(&["no/such/file"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("no/such/file cannot be read: "), "{}", text(&output.stderr));
}

#[test]
fn a_speed_is_max_or_a_number_above_nothing() {
    assert_eq!(replay(&[LIFE, "--speed", "100000"]).stdout, replay(&[LIFE]).stdout);
    for bad in ["0", "-1", "fast", "NaN", "inf"] {
        let output = replay(&[LIFE, &format!("--speed={bad}")]);
        assert_eq!(output.status.code(), Some(2), "{bad}");
        assert!(
            text(&output.stderr).contains("expected `max` or a number above 0"),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn the_help_teaches_by_example() {
    let output = replay(&["--help"]);
    let help = text(&output.stdout);
    for said in
        ["--check", "--turns", "--wires", "--output-format", "--speed", "Examples:", "no command is run"]
    {
        assert!(help.contains(said), "{said}: {help}");
    }
    assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
}

/// A journal of every hostile line, as if a client had sent them.
fn hostile_journal() -> Vec<u8> {
    let mut journal =
        b"{\"seq\":0,\"t\":0,\"rec\":\"run\",\"v\":1,\"id\":\"0f1e\",\"seed\":\"hostile\"}\n".to_vec();
    journal.extend_from_slice(b"{\"seq\":1,\"t\":0,\"rec\":\"attach\",\"wire\":\"terminal\"}\n");
    journal.extend_from_slice(b"{\"seq\":2,\"t\":0,\"rec\":\"attach\",\"wire\":\"tunnel:1\"}\n");
    journal.extend_from_slice(b"{\"seq\":3,\"t\":0,\"rec\":\"attach\",\"wire\":\"claude:main\"}\n");
    let corpus = std::fs::read_to_string(fixture("fixtures/hostile/lines.jsonl")).unwrap();
    let mut seq = 4;
    for case in corpus.lines() {
        let base64 =
            Object::parse(case).unwrap().peek("base64").unwrap().as_text().unwrap().get().into_owned();
        for wire in ["tunnel:1", "claude:main"] {
            let line =
                WireLine { b64: Some(Text::new(&base64)), ..WireLine::of(Text::new(wire), Direction::From) };
            journal.extend_from_slice(Entry { seq, t: seq, body: Body::Line(line) }.to_line().as_bytes());
            journal.push(b'\n');
            seq += 1;
        }
    }
    journal
}

#[test]
fn hostile_lines_reach_the_screen_only_made_visible() {
    for arguments in [&["--wires"][..], &[]] {
        let output = replay_stdin(&hostile_journal(), arguments);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let shown = text(&output.stdout);
        assert!(shown.lines().count() > 100, "{arguments:?}: {}", shown.lines().count());
        let odd: Vec<char> =
            shown.chars().filter(|letter| *letter != '\n' && !codec::text::is_printable(*letter)).collect();
        assert_eq!(odd, [], "characters that a terminal would act upon");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure_of_ours() {
    let log = "\"t\":2,\"wire\":\"tunnel:1\",\"dir\":\"from\",\"line\":\"{\\\"type\\\":\\\"log\\\",\\\"args\\\":[\\\"x\\\"]}\"";
    let mut records = vec!["\"t\":1,\"rec\":\"attach\",\"wire\":\"tunnel:1\""];
    records.resize(10_000, log);
    let mut command = Command::new(env!("CARGO_BIN_EXE_tim"));
    command.args(["replay", "-"]).env_clear();
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Gone before there is anything to print.
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&journal(&records)).ok();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
}

const RUN: &str = "{\"seq\":0,\"t\":0,\"rec\":\"run\",\"v\":1,\"id\":\"0f1e\",\"seed\":\"x\"}";

/// A journal of these records after the first, numbered.
fn journal(records: &[&str]) -> Vec<u8> {
    let numbered = records.iter().zip(1..).map(|(record, seq)| format!("{{\"seq\":{seq},{record}}}"));
    let lines: Vec<String> = std::iter::once(RUN.to_owned()).chain(numbered).collect();
    format!("{}\n", lines.join("\n")).into_bytes()
}

#[test]
fn nothing_is_replayed_behind_a_hole_in_the_record() {
    let life = std::fs::read_to_string(fixture(LIFE)).unwrap();
    let lines: Vec<&str> = life.lines().collect();
    let gap = "{\"seq\":7,\"t\":0,\"rec\":\"gap\",\"lost\":2}";
    let with_gap = [&lines[..7], &[gap], &lines[9..]].concat().join("\n");
    let output = replay_stdin(with_gap.as_bytes(), &["--wires"]);
    let told = text(&output.stdout);
    assert!(told.contains("! 2 records are missing here; what follows is not replayed"), "{told}");
    assert!(!told.contains("response"), "an answer could meet another question than its own: {told}");
    assert_eq!(replay_stdin(with_gap.as_bytes(), &["--check"]).status.code(), Some(1));
    // Whichever record is taken out, somebody notices.
    for missing in 1..lines.len() - 1 {
        let without = [&lines[..missing], &lines[missing + 1..]].concat().join("\n");
        let output = replay_stdin(without.as_bytes(), &["--check"]);
        assert_eq!(output.status.code(), Some(1), "without record {missing}: {}", text(&output.stdout));
    }
}

#[test]
fn a_check_counts_what_could_not_be_used() {
    let life = std::fs::read_to_string(fixture(LIFE)).unwrap();
    let (first, rest) = life.split_once('\n').unwrap();
    for garbage in ["garbage", "{}", "[1]", RUN] {
        let spoilt = format!("{first}\n{garbage}\n{rest}");
        let output = replay_stdin(spoilt.as_bytes(), &["--check"]);
        assert_eq!(output.status.code(), Some(1), "{garbage}: {}", text(&output.stdout));
        let output = replay_stdin(spoilt.as_bytes(), &["--check", "--output-format", "stream-json"]);
        assert!(
            text(&output.stdout).starts_with("{\"type\":\"unused\""),
            "{garbage}: {}",
            text(&output.stdout)
        );
    }
}

#[test]
fn a_run_that_was_killed_is_as_recorded() {
    let life = std::fs::read(fixture(LIFE)).unwrap();
    let first_line = life.iter().position(|byte| *byte == b'\n').unwrap();
    for cut in (first_line + 1..life.len()).step_by(97) {
        let output = replay_stdin(&life[..cut], &["--check"]);
        assert_eq!(output.status.code(), Some(0), "cut after {cut} bytes: {}", text(&output.stdout));
    }
}

#[test]
fn no_name_in_a_file_reaches_the_screen_as_it_is() {
    let wire = "tunnel:\\u001b[31mRED\\u0007\\u009b2J";
    let ask = "\"line\":\"{\\\"type\\\":\\\"permission_request\\\",\\\"requestId\\\":\\\"\\u202ea\\\",\\\"tool_name\\\":\\\"T\\u007f\\\",\\\"input\\\":{}}\"";
    let bytes = journal(&[
        &format!("\"t\":1,\"rec\":\"attach\",\"wire\":\"{wire}\",\"path\":\"\\u001b[2J\""),
        &format!("\"t\":2,\"wire\":\"{wire}\",\"dir\":\"from\",{ask}"),
        &format!("\"t\":3,\"wire\":\"{wire}\",\"dir\":\"to\",\"line\":\"\\u001b]0;x\\u0007\""),
        &format!("\"t\":4,\"rec\":\"detach\",\"wire\":\"{wire}x\""),
    ]);
    for arguments in [
        &[][..],
        &["--wires"],
        &["--check"],
        &["--output-format", "stream-json"],
        &["--check", "--output-format", "stream-json"],
    ] {
        let output = replay_stdin(&bytes, arguments);
        let shown = text(&output.stdout);
        assert!(!shown.is_empty(), "{arguments:?}: {}", text(&output.stderr));
        let odd: Vec<char> =
            shown.chars().filter(|letter| *letter != '\n' && !codec::text::is_printable(*letter)).collect();
        assert_eq!(odd, [], "{arguments:?}: {shown:?}");
    }
    let run = RUN.replace("0f1e", "\\u001b[31m");
    assert_eq!(replay_stdin(run.as_bytes(), &[]).status.code(), Some(2), "a run with no proper name");
}

#[test]
fn a_report_over_several_lines_is_one_line_for_programs() {
    let bytes = journal(&[
        "\"t\":1,\"rec\":\"attach\",\"wire\":\"tunnel:1\"",
        "\"t\":2,\"wire\":\"tunnel:1\",\"dir\":\"from\",\"line\":\"{\\\"type\\\":\\r\\n\\t\\\"log\\\",\\\"args\\\":[]}\"",
    ]);
    let output = replay_stdin(&bytes, &["--output-format", "stream-json"]);
    assert_eq!(text(&output.stdout).lines().count(), 1, "{}", text(&output.stdout));
}

#[test]
fn no_time_and_no_speed_is_too_much() {
    let ask = "\"wire\":\"tunnel:1\",\"dir\":\"from\",\"line\":\"{\\\"type\\\":\\\"permission_request\\\",\\\"requestId\\\":\\\"a\\\",\\\"tool_name\\\":\\\"T\\\",\\\"input\\\":{},\\\"timeoutMs\\\":5000}\"";
    let bytes = journal(&[
        "\"t\":1,\"rec\":\"attach\",\"wire\":\"terminal\"",
        "\"t\":1,\"rec\":\"attach\",\"wire\":\"tunnel:1\"",
        &format!("\"t\":18446744073709551615,{ask}"),
        "\"t\":3,\"rec\":\"typed\",\"text\":\"x\"",
    ]);
    let output = replay_stdin(&bytes, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let empty = journal(&["\"t\":0,\"rec\":\"attach\",\"wire\":\"terminal\""]);
    assert_eq!(replay_stdin(&empty, &["--speed", "1e-300"]).status.code(), Some(0));
}

#[test]
fn a_second_reply_in_a_recording_is_a_difference() {
    let name = "fixtures/claude/d2c_can_use_tool_deny.2.1.325.jsonl";
    let recorded = std::fs::read_to_string(fixture(name)).unwrap();
    assert_eq!(replay(&[name, "--check"]).status.code(), Some(0));
    let reply = recorded.lines().find(|line| line.contains("control_response")).unwrap();
    let yes = reply.replace("deny", "allow");
    let twice = recorded.replace(reply, &format!("{reply}\n{yes}"));
    let output = replay_stdin(twice.as_bytes(), &["--check"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("recorded, but not now: {"), "{}", text(&output.stdout));
}

#[test]
fn nobody_comes_twice_and_not_too_many_come() {
    let twice = journal(&["\"t\":1,\"rec\":\"attach\",\"wire\":\"tunnel:1\""; 2]);
    assert!(text(&replay_stdin(&twice, &[]).stdout).contains("! tunnel:1 is there already"));
    let many: Vec<String> =
        (0..1_025).map(|number| format!("\"t\":1,\"rec\":\"attach\",\"wire\":\"tunnel:{number}\"")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let output = replay_stdin(&journal(&many), &[]);
    assert_eq!(text(&output.stdout), "! tunnel:1024 came, and there are too many already\n");
}

#[test]
fn what_waits_for_its_match_is_bounded_and_said() {
    let long = "x".repeat(1 << 20);
    let line = format!(
        "\"t\":2,\"wire\":\"tunnel:1\",\"dir\":\"to\",\"line\":\"{{\\\"type\\\":\\\"user_input\\\",\\\"content\\\":\\\"{long}\\\"}}\""
    );
    let mut records = vec!["\"t\":1,\"rec\":\"attach\",\"wire\":\"tunnel:1\""];
    records.resize(20, &line);
    let output = replay_stdin(&journal(&records), &["--check"]);
    assert!(text(&output.stdout).ends_with("19 differences; 0 lines sent\n"));
}

#[test]
fn no_complaint_carries_what_a_terminal_would_act_upon() {
    for bytes in [
        &b"\x1b[31m{\"seq\":0"[..],
        b"{\"seq\":0,\"t\":0,\"rec\":\"\\u001b[2J\"}",
        b"{\"\\u009b\":1,\"\\u009b\":2}",
    ] {
        let output = replay_stdin(bytes, &[]);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            text(&output.stderr).trim_end().chars().all(codec::text::is_printable),
            "{:?}",
            text(&output.stderr)
        );
    }
    let output = replay(&["no/such/\u{1b}[31mfile"]);
    assert!(
        text(&output.stderr).trim_end().chars().all(codec::text::is_printable),
        "{:?}",
        text(&output.stderr)
    );
}
