//! `tim replay --turns` from outside.

use super::{hostile_journal, journal, replay, replay_stdin, text};

const CHOICE: &str = "fixtures/events/choice-and-text.jsonl";

#[test]
fn turns_are_shown_instead_of_what_was_routed() {
    let output = replay(&["--turns", CHOICE]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let expected = concat!(
        "turn 1  agent:main  0.0s – 0.0s  rejected\n",
        "  › pick\n",
        "  ? Which? answered: B\n",
        "  ? Why? timed out\n",
    );
    assert_eq!(text(&output.stdout), expected);
    assert_eq!(
        output.stdout,
        replay_stdin(&std::fs::read(super::fixture(CHOICE)).unwrap(), &["--turns"]).stdout
    );
}

#[test]
fn turns_are_not_checked_and_have_no_speed() {
    for flags in [&["--check"][..], &["--speed", "2"]] {
        let output = replay(&[&["--turns", CHOICE], flags].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("cannot be used with"), "{}", text(&output.stderr));
    }
    assert_eq!(replay(&["--turns", CHOICE, "--output-format", "json"]).status.code(), Some(0));
}

#[test]
fn what_is_no_run_has_no_turns() {
    for (bytes, said) in [
        (&b""[..], "it is empty"),
        (b"hello\n", "neither a journal nor a recording of tim"),
        (b"{\"seq\":0,\"t\":0,\"rec\":\"typed\",\"text\":\"x\"}\n", "the first record is not that of a run"),
        (
            b"{\"seq\":0,\"t\":0,\"rec\":\"run\",\"v\":2,\"id\":\"a\",\"seed\":\"\"}\n",
            "the journal has version 2, this program reads 1",
        ),
    ] {
        for format in ["text", "json", "stream-json"] {
            let output = replay_stdin(bytes, &["--turns", "--output-format", format]);
            assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""));
            assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
        }
    }
}

#[test]
fn a_torn_or_hostile_record_is_read_as_far_as_it_goes() {
    let of_claude = String::from_utf8(hostile_journal()).unwrap();
    for hostile in [of_claude.replace("claude:main", "agent:main"), of_claude] {
        for format in ["text", "json", "stream-json"] {
            let output = replay_stdin(hostile.as_bytes(), &["--turns", "--output-format", format]);
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            let odd = |letter: &char| *letter != '\n' && !codec::text::is_printable(*letter);
            assert_eq!(text(&output.stdout).chars().find(odd), None);
        }
    }
    let run = std::fs::read(super::fixture("fixtures/events/approval-then-text.jsonl")).unwrap();
    let first = run.iter().position(|byte| *byte == b'\n').unwrap();
    for cut in (first + 1..run.len()).step_by(41) {
        let output = replay_stdin(&run[..cut], &["--turns"]);
        assert_eq!(output.status.code(), Some(0), "cut at {cut}: {}", text(&output.stderr));
    }
}

#[test]
fn what_cannot_be_used_is_said_and_another_run_is_not_read() {
    let said = "\"wire\":\"agent:main\",\"dir\":\"to\",\"line\":\"{\\\"type\\\":\\\"user\\\",\\\"id\\\":\\\"1\\\",\\\"text\\\":\\\"go\\\"}\"";
    let mut bytes = journal(&["\"t\":1,\"rec\":\"gap\",\"lost\":3", &format!("\"t\":2,{said}")]);
    bytes.extend_from_slice(b"garbage\n");
    bytes.extend_from_slice(&journal(&[&format!("\"t\":9,{said}")]));
    let expected = concat!(
        "   0.001  ! 3 records are missing here\n",
        "   0.002  ! a record that cannot be read: not JSON (expected value at line 1 column 1)\n",
        "   0.002  ! another run begins here; what follows is not read\n",
        "turn 1  agent:main  0.0s – …  unfinished\n",
        "  › go\n",
    );
    let output = replay_stdin(&bytes, &["--turns"]);
    assert_eq!(text(&output.stdout), expected);
    let output = replay_stdin(&bytes, &["--turns", "--output-format", "json"]);
    assert!(text(&output.stdout).ends_with("],\"unused\":3}\n"), "{}", text(&output.stdout));
}
