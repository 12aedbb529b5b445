//! Programs in Claude Code's place that say odd things: nothing is lost, nothing hangs, nothing is believed too much.

use serde_json::Value;

use super::driver::{Done, Run};

/// What every stub can say.
const WORDS: &str = r#"
case "$1" in --version) echo 2.1.325; exit;; --help) exit;; esac
say() { printf '%s\n' "$1"; }
init() { say '{"type":"system","subtype":"init","session_id":"s-1","tools":[]}'; }
text() {
    message='"message":{"id":"m-1","role":"assistant","content":[{"type":"text","text":"'"$1"'"}]}'
    say '{"type":"assistant","session_id":"s-1",'"$message"'}'
}
result() {
    numbers='"num_turns":1,"duration_ms":5,"total_cost_usd":0.01'
    good='"type":"result","subtype":"success","is_error":false,"session_id":"s-1"'
    say '{'"$good,$numbers"',"result":"'"$1"'"}'
}
request() { say '{"type":"control_request","request_id":"'"$1"'","request":{'"$2"'}}'; }
asks() {
    tool='"tool_name":"Bash","input":{"command":"'"$2"'"},"tool_use_id":"t-'"$1"'"'
    request "$1" '"subtype":"can_use_tool",'"$tool"
}
exes() { head -c "$1" /dev/zero | tr '\0' x; }
until_end() { cat > /dev/null; }
"#;

/// The text of a stub with these words at hand. It is asked for its version first, which it does not notice.
pub(super) fn ready(script: &str) -> String {
    format!("#!/bin/sh{WORDS}{script}\n")
}

/// A run with such a stub.
pub(super) fn stub(script: &str) -> Run {
    Run::stub(&ready(script))
}

/// What tim wrote to a stub that kept it in a file.
fn told(done: &Done) -> String {
    std::fs::read_to_string(done.place.path("told")).unwrap()
}

/// A stub that says this between the beginning and the end of a good turn.
fn saying(what: &str) -> Run {
    stub(&format!("read p; init; {what}; result Done.; until_end"))
}

const NOISE: &str = r"say 'no json at all'; say ''; printf '\377\376\n'; say '[1]'; say 7";

#[test]
fn f084_what_is_no_json_is_on_record_and_the_run_goes_on() {
    let done = saying(NOISE).args(&["go"]).done();
    assert_eq!(done.exits(0).replays().stdout, "Done.\n");
    assert!(done.journal().lines("from").iter().any(|(_, line)| *line == "no json at all"));
    done.complains("  no json at all\n").complains("  \u{fffd}\u{fffd}\n").complains("  [1]\n");
    done.place.nothing_is_left();
}

#[test]
fn as_stream_json_only_objects_are_printed_whatever_the_agent_says() {
    let done = saying(NOISE).args(&["--output-format", "stream-json", "go"]).done();
    assert!(done.exits(0).lines().iter().all(Value::is_object), "{}", done.stdout);
}

#[test]
fn f087_carriage_returns_and_f088_a_last_line_without_an_end_are_understood() {
    let done = stub(r"read p; init | tr '\n' '\r'; printf '\n\r\n'; result Done. | tr -d '\n'; exit 0");
    assert_eq!(done.args(&["go"]).done().exits(0).stdout, "Done.\n");
}

#[test]
fn f089_a_type_that_nobody_knows_is_passed_on() {
    let run = saying(r#"say '{"type":"novelty","x":[1]}'"#);
    let done = run.args(&["--output-format", "stream-json", "go"]).done();
    assert!(done.exits(0).lines().iter().any(|line| line["type"] == "novelty"), "{}", done.stdout);
}

#[test]
fn f090_the_last_of_two_results_counts() {
    let done = stub("read p; init; result One.; init; result Two.; until_end").args(&["go"]).done();
    assert_eq!(done.exits(0).stdout, "Two.\n");
}

const LONG: &str = r#"printf '{"type":"assistant","x":"'; exes LENGTH; say '"}'"#;

#[test]
fn f082_a_long_line_is_heard() {
    let done = saying(&LONG.replace("LENGTH", "30000000")).args(&["--no-journal", "go"]).done();
    assert_eq!(done.exits(0).stdout, "Done.\n");
    assert!(!done.stderr.contains("dropped"), "{}", done.stderr);
}

#[test]
fn f083_a_line_that_is_too_long_is_dropped_and_said_to_be() {
    let done = saying(&LONG.replace("LENGTH", "40000000")).args(&["go"]).done();
    assert_eq!(done.exits(0).stdout, "Done.\n");
    done.complains("over the limit of 33554432");
}

/// What Claude would say of it at the end counts: nobody decided.
#[test]
fn a_question_that_is_too_long_is_denied_and_not_left_open() {
    let question = r#"asks q-1 "$(exes 40000000)"; read a; say "$a" > told"#;
    let denied = r#"result Done. | sed 's/}$/,"permission_denials":[{"tool_name":"Bash"}]}/'"#;
    let run = stub(&format!("read p; init; {question}; {denied}; until_end"));
    let done = run.args(&["--allow", "Bash", "go"]).done();
    let told = told(&done);
    assert!(told.contains("q-1") && !told.contains(r#""behavior":"allow""#), "{told}");
    done.exits(5);
}

/// Larger than all that may wait for whoever reads.
#[test]
fn as_stream_json_also_a_very_long_question_and_its_end_are_printed() {
    let run = saying(r#"asks q-1 "$(exes 9000000)"; read a"#);
    let done = run.args(&["--no-journal", "--output-format", "stream-json", "go"]).done();
    let lines = done.exits(5).lines();
    let told = lines.iter().filter(|line| line["type"] == "structured").map(|line| &line["message"]["type"]);
    assert!(told.eq(["prompt_request", "prompt_cancelled"]), "{}", done.stderr);
}

#[test]
fn a_request_of_an_unknown_kind_gets_an_error_and_the_run_goes_on() {
    let run = saying(r#"request q-1 '"subtype":"juggle"'; read a; say "$a" > told"#);
    let done = run.args(&["go"]).done();
    assert_eq!(done.exits(0).replays().stdout, "Done.\n");
    let told: Value = serde_json::from_str(&told(&done)).unwrap();
    assert_eq!(told["response"]["subtype"], "error");
    assert_eq!(told["response"]["request_id"], "q-1");
}

#[test]
fn f091_a_question_that_comes_twice_is_asked_once_and_answered_once() {
    let twice = "asks q-1 'touch x'; asks q-1 'touch x'; read a; say \"$a\" > told";
    let run = stub(&format!("read p; init; {twice}; result Done.; cat >> told"));
    let answers = r#"echo x >> asked; echo '{"allow":true}'"#;
    let done = run.args(&["--answer-command", answers, "go"]).done();
    assert_eq!(done.exits(0).replays().stdout, "Done.\n");
    assert_eq!(told(&done).lines().count(), 1, "{}", told(&done));
    assert_eq!(std::fs::read_to_string(done.place.path("asked")).unwrap(), "x\n");
}

#[test]
fn f067_an_agent_that_dies_with_a_question_open_takes_it_along() {
    let run = stub("read p; init; asks q-1 'touch x'; until [ -e asked ]; do sleep 0.02; done; exit 3");
    let done = run.args(&["--answer-command", "touch asked; sleep 1000", "go"]).done();
    done.exits(1).complains("exit code 3");
    let ends = done.journal().ends();
    assert_eq!((ends.len(), ends[0].outcome.as_str()), (1, "cancelled"), "{ends:?}");
    done.replays().place.nothing_is_left();
}

/// It is told nothing, as it hears nothing any more; but it is not waited for, and nobody decided.
#[test]
fn f072_what_an_agent_asks_when_its_stdin_is_closed_does_not_hang() {
    let done = stub("read p; init; result Done.; until_end; asks q-1 'touch x'; exit 0").args(&["go"]).done();
    done.exits(5).complains("--allow 'Bash(touch:*)'");
    done.journal().every_question_ended_once();
    done.replays().place.nothing_is_left();
}

/// The answer takes twice as long as an agent may be silent.
#[test]
fn a_person_who_thinks_is_no_idle_agent() {
    let run = saying("asks q-1 'touch x'; read a");
    let thinks = r#"sleep 4; echo '{"allow":true}'"#;
    let done = run.args(&["--idle-timeout", "2s", "--answer-command", thinks, "go"]).done();
    assert_eq!(done.exits(0).stdout, "Done.\n");
}

/// F085 too: nothing of an agent reaches the terminal of whoever looks at stderr as it is.
#[test]
fn f095_escapes_of_an_agent_are_made_visible() {
    let run = stub(r"read p; init; asks q-1 '\u001b[2Jevil'; read a; printf '\033]0;evil\007\n' >&2; exit 4");
    let done = run.args(&["go"]).done();
    done.exits(1).complains("evil");
    assert!(!done.stderr.contains('\u{1b}') && !done.stderr.contains('\u{7}'), "{:?}", done.stderr);
}

#[test]
fn half_a_character_and_a_zero_in_the_final_text_do_no_harm() {
    let done = stub(r"read p; init; result 'a\ud800b\u0000c\u2028d'; until_end").args(&["go"]).done();
    assert_eq!(done.exits(0).replays().stdout, "a\u{fffd}b\0c\u{2028}d\n");
}
