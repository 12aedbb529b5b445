//! What runs came to: by hand, and by the recordings.

use super::*;
use crate::agent::recorded::{Driven, file};

const GOOD: &str = r#"{"type":"result","subtype":"success","is_error":false,"result":"ok"}"#;
const INIT: &str = r#"{"type":"system","subtype":"init"}"#;
const DENIED: &str = r#"{"type":"result","subtype":"success","is_error":false,"permission_denials":[{"tool_name":"Bash","tool_use_id":"u","tool_input":{}}]}"#;

fn tally(lines: &[&str]) -> Tally {
    let mut tally = Tally::default();
    for line in lines {
        tally.hear(&Output::read(line.as_bytes()).unwrap());
    }
    tally
}

fn verdict(lines: &[&str]) -> Verdict {
    tally(lines).verdict(Exit::Code(0), "", false)
}

fn decision(reason: &str) -> String {
    format!(
        r#"{{"type":"user","message":{{"role":"user","content":[]}},"tool_result_meta":[{{"id":"u","permission_decision":{{"decision":"reject","source":"config","reason_type":"{reason}"}}}}]}}"#
    )
}

fn recorded(name: &str) -> (Verdict, Totals) {
    let run = Driven::by(&file(name));
    let verdict = run.tally.verdict(run.exit.unwrap(), &run.stderr, false);
    (verdict, run.tally.totals.clone())
}

#[test]
fn the_last_result_counts() {
    let bad = r#"{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["broke"]}"#;
    assert_eq!(verdict(&[bad, GOOD]), Verdict::Success);
    assert_eq!(verdict(&[GOOD, bad]), Verdict::Failed("broke".to_owned()));
}

#[test]
fn e5c_is_error_counts_and_not_the_subtype() {
    let (verdict, _) = recorded("e5c_api_500_forever_max_retries_2.2.1.325");
    let Verdict::Failed(words) = verdict else { panic!("{verdict:?}") };
    assert!(words.contains("500"), "{words}");
}

#[test]
fn e6_the_limit_of_turns_has_its_own_words() {
    let (verdict, _) = recorded("e6_max_turns.2.1.197");
    let Verdict::Failed(words) = verdict else { panic!("{verdict:?}") };
    assert!(words.starts_with("the limit of turns was reached"), "{words}");
}

#[test]
fn e7_an_interrupt_is_a_failure_although_the_exit_code_is_0() {
    let (verdict, _) = recorded("e7_sigint_mid_bash.2.1.325");
    assert_eq!(verdict, Verdict::Failed("the turn was interrupted".to_owned()));
}

#[test]
fn g6a_no_result_is_told_with_the_last_words() {
    let (verdict, totals) = recorded("g6a_unknown_flag.2.1.325");
    let words = "no result (exit code 1): error: unknown option '--no-such-flag'";
    assert_eq!(verdict, Verdict::NoResult(words.to_owned()));
    assert_eq!(totals, Totals::default());
}

#[test]
fn g4f_a_result_without_a_turn_is_a_result() {
    let (verdict, totals) = recorded("g4f_resume_unknown.2.1.325");
    let Verdict::Failed(words) = verdict else { panic!("{verdict:?}") };
    assert!(words.starts_with("No conversation found"), "{words}");
    assert_eq!((totals.results, totals.cost), (1, Some(0.0)));
}

#[test]
fn a7_a_good_result_does_not_hide_a_bad_end() {
    let (verdict, _) = recorded("a7_malformed_json_line.2.1.325");
    let Verdict::Failed(words) = verdict else { panic!("{verdict:?}") };
    assert!(words.starts_with("failed after its last result (exit code 1): Error parsing"), "{words}");
    assert_eq!(tally(&[GOOD]).verdict(Exit::StoppedByTim, "", false), Verdict::Success);
}

#[test]
fn e7b_a_turn_that_began_and_did_not_end_is_a_failure() {
    let words = "ended in the middle of a turn (signal 15)".to_owned();
    assert_eq!(tally(&[INIT, GOOD, INIT]).verdict(Exit::Signal(15), "\n", false), Verdict::Failed(words));
    assert!(matches!(recorded("e7b_sigterm_mid_bash.2.1.325").0, Verdict::NoResult(_)));
}

#[test]
fn a_result_that_is_not_understood_is_no_success() {
    assert!(matches!(verdict(&[GOOD, r#"{"type":"result","is_error":false}"#]), Verdict::Failed(_)));
}

#[test]
fn a_denial_that_nobody_decided_is_told() {
    assert_eq!(verdict(&[DENIED]), Verdict::Undecided(vec!["Bash".to_owned()]));
    assert_eq!(verdict(&[DENIED, GOOD]), Verdict::Undecided(vec!["Bash".to_owned()]), "in any turn");
    let mut decided = tally(&[DENIED]);
    decided.decided("u");
    assert_eq!(decided.verdict(Exit::Code(0), "", false), Verdict::Success);
}

#[test]
fn a_denial_by_rule_mode_hook_or_parts_was_decided_and_any_other_was_not() {
    for reason in ["rule", "mode", "hook", "subcommandResults"] {
        assert_eq!(verdict(&[&decision(reason), DENIED]), Verdict::Success, "{reason}");
    }
    for reason in ["asyncAgent", "other", ""] {
        let run = tally(&[&decision(reason), DENIED]);
        assert!(matches!(run.verdict(Exit::Code(0), "", true), Verdict::Undecided(_)), "{reason}");
    }
}

#[test]
fn an_old_cli_gives_no_reasons_and_then_the_wish_at_the_start_counts() {
    assert_eq!(tally(&[DENIED]).verdict(Exit::Code(0), "", true), Verdict::Success);
    assert!(matches!(tally(&[DENIED]).verdict(Exit::Code(0), "", false), Verdict::Undecided(_)));
}

#[test]
fn d4_a_question_that_the_agent_took_back_is_not_undecided() {
    for name in
        ["d4_interrupt_while_can_use_tool_pending.2.1.325", "d4_interrupt_while_can_use_tool_pending.2.1.197"]
    {
        assert_eq!(recorded(name).0, Verdict::Success, "{name}");
    }
}

#[test]
fn d9_a_question_cut_off_by_the_end_of_stdin_is_undecided() {
    let (verdict, _) = recorded("d9_stdin_eof_while_can_use_tool_pending.2.1.325");
    assert_eq!(verdict, Verdict::Undecided(vec!["Write".to_owned()]));
}

#[test]
fn g2c_k4_recorded_denials_by_rule_and_by_mode_pass() {
    for name in ["g2c_deny_beats_allow.2.1.325", "k4_dont_ask_mode_stdio.2.1.325"] {
        assert_eq!(recorded(name).0, Verdict::Success, "{name}");
    }
}

#[test]
fn several_results_are_taken_together() {
    let (verdict, totals) = recorded("a3_three_messages_sequence.2.1.325");
    assert_eq!(verdict, Verdict::Success);
    assert_eq!((totals.results, totals.turns, totals.duration_ms), (3, 3, 266 + 66 + 81));
    assert!((totals.cost.unwrap() - 0.00042).abs() < 1e-9, "each result tells the sum so far");
    assert!(totals.session_id.unwrap().starts_with("96165b40"));
}

#[test]
fn g7_a_cleared_conversation_begins_its_cost_anew_and_nothing_is_lost() {
    let (_, totals) = recorded("g7_slash_command_text.2.1.325");
    assert!((totals.cost.unwrap() - 0.00014).abs() < 1e-9, "{totals:?}");
    let cost = |cost: &str| {
        format!(r#"{{"type":"result","subtype":"success","is_error":false,"total_cost_usd":{cost}}}"#)
    };
    let both = tally(&[&cost("0.5"), &cost("0"), &cost("0.25"), &cost("0.5")]);
    assert!((both.totals.cost.unwrap() - 1.0).abs() < 1e-9);
}
