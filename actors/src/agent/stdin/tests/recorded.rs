//! By the recordings: stdin would have closed when the real CLI had finished, and not before.

use std::path::Path;

use codec::claude::{Output, System};
use codec::recording::Direction;

use crate::agent::recorded::{Driven, all_files, file, lines};
use crate::agent::stdin::Close;

/// The recorder closed stdin on a question and never answered it: tim would have waited for the answer.
const CUT_OFF: &[&str] = &["d9_stdin_eof_while_can_use_tool_pending"];

#[test]
fn every_recorded_run_would_have_been_closed_once_and_when_all_was_said() {
    let wrong: Vec<String> = all_files().iter().filter_map(|path| what_is_wrong(path)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn what_is_wrong(path: &Path) -> Option<String> {
    let name = path.file_name().unwrap().to_str().unwrap();
    let run = Driven::by(path);
    if CUT_OFF.iter().any(|cut| name.starts_with(cut)) {
        return (!run.stdin.is_open()).then(|| format!("{name}: would have been closed"));
    }
    let [(at_ms, _)] = run.closed[..] else {
        return Some(format!("{name}: {:?} {:?}", run.closed, run.stdin.why_open()));
    };
    let later = lines(path).into_iter().filter(|line| line.dir == Direction::Out && line.at_ms > at_ms);
    let mut work = later.filter(|line| is_work(&Output::read(line.text.as_bytes()).unwrap()));
    work.next().map(|line| format!("{name}: closed at {at_ms}, but at {}: {:.200}", line.at_ms, line.text))
}

fn is_work(line: &Output<'_>) -> bool {
    !matches!(
        line,
        Output::Lifecycle(_) | Output::ControlResponse(_) | Output::System(System::SessionStateChanged(_))
    )
}

fn closes(name: &str) -> (u64, Close, Vec<String>) {
    let run = Driven::by(&file(name));
    let [(at_ms, close)] = run.closed[..] else { panic!("{:?}", run.closed) };
    (at_ms, close, run.stdin.not_read())
}

/// To a tenth of a second: what comes first is what the CLI did, not how fast the machine was.
fn closes_at(name: &str, at_ms: u64) {
    let (closed, close, not_read) = closes(name);
    assert_eq!((close, not_read), (Close::Settled, Vec::new()), "{name}");
    assert!(closed.abs_diff(at_ms) <= 100, "{name}: {closed}");
}

#[test]
fn e3_both_wait_for_the_unasked_result() {
    closes_at("e3_background_bash_then_result_stdin_open.2.1.325", 4_740);
    closes_at("e3_background_bash_then_result_stdin_open.2.1.197", 5_480);
    closes_at("h11_session_state_events.2.1.325", 3_420);
}

#[test]
fn f4_both_wait_for_what_was_moved_to_the_background_by_its_timeout() {
    closes_at("f4_bash_timeout_explicit_3s.2.1.325", 30_920);
    closes_at("f4b_bash_default_timeout_env_4s.2.1.325", 30_910);
    // Here the recorder had closed stdin, and the old CLI killed the work: no unasked turn came.
    closes_at("f4_bash_timeout_explicit_3s.2.1.197", 9_370 + 2_000);
    closes_at("e3c_background_bash_long_stdin_closed_after_result.2.1.197", 6_520 + 2_000);
}

#[test]
fn a4_a5_both_wait_for_a_message_in_either_way_it_is_read() {
    closes_at("a4_message_while_tool_runs.2.1.325", 4_220);
    closes_at("a4_message_while_tool_runs.2.1.197", 4_410);
    closes_at("a5_message_while_text_streams.2.1.325", 2_680);
    closes_at("a5_message_while_text_streams.2.1.197", 3_010);
    closes_at("a5c_close_stdin_at_first_result_with_queued_message.2.1.197", 3_740);
}

#[test]
fn d14_h19_messages_that_were_taken_back_hold_nothing() {
    closes_at("d14_cancel_queued_message.2.1.325", 3_520);
    closes_at("d14_cancel_queued_message.2.1.197", 3_890);
    let (at_ms, close, not_read) = closes("h19_interrupt_cancel_queued.2.1.325");
    assert_eq!((at_ms / 100, close), (16, Close::Settled));
    assert_eq!(not_read.len(), 1, "an interrupt threw it away: that is told");
}

#[test]
fn k1_a_second_message_with_a_used_uuid_never_ran() {
    let (_, close, not_read) = closes("k1_uuid_without_replay_flag.2.1.325");
    assert_eq!((close, not_read.len()), (Close::Settled, 1));
}

#[test]
fn g6a_a_start_that_fails_ends_it_by_the_exit() {
    assert_eq!(closes("g6a_unknown_flag.2.1.325").1, Close::ChildExited);
}
