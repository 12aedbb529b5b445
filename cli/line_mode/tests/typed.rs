//! What each line says, kind by kind.

use super::*;

/// The answer that a line gives; nothing if it asks again.
fn answer(question: &Question, line: &str) -> Option<String> {
    match asked(question.clone()).enter(line) {
        Entered::Said(Said::Answer(value)) => Some(value.raw().to_owned()),
        Entered::Again(hint) => {
            assert!(!hint.is_empty());
            None
        }
        other => panic!("{other:?}"),
    }
}

fn answers(question: &Question, expected: &[(&str, &str)]) {
    for (line, value) in expected {
        let expected = Some((*value).to_owned()).filter(|value| !value.is_empty());
        assert_eq!(answer(question, line), expected, "{line:?}");
    }
}

#[test]
fn a_confirm_takes_yes_and_no_and_its_default_for_an_empty_line() {
    let lines =
        [("y", "true"), ("YES\n", "true"), (" no \r\n", "false"), ("N", "false"), ("maybe", ""), ("1", "")];
    answers(&prompt("confirm", r#"{"message":"?"}"#), &lines);
    answers(&prompt("confirm", r#"{"message":"?"}"#), &[("", ""), ("\n", "")]);
    answers(
        &prompt("confirm", r#"{"message":"?","default":false}"#),
        &[("", "false"), ("y", "true"), ("x", "")],
    );
}

#[test]
fn a_select_takes_a_number_before_a_name_before_a_value() {
    let lines =
        [("1", "\"a\""), ("2", "1"), ("alpha", "\"a\""), ("a", "\"a\""), ("two", "\"two\""), ("", "1")];
    answers(&prompt("select", CHOICES), &lines);
    answers(
        &prompt("select", CHOICES),
        &[("0", ""), ("5", ""), ("Alpha", ""), ("-1", ""), ("1 2", ""), ("true", "true")],
    );
}

#[test]
fn a_select_without_a_default_asks_again_for_an_empty_line_and_for_a_name_of_two() {
    let config = r#"{"message":"?","default":"z","choices":[{"name":"x","value":1},{"name":"x","value":2},{"name":"y","value":3}]}"#;
    answers(&prompt("select", config), &[("", ""), ("x", ""), ("1", "1"), ("2", "2"), ("y", "3")]);
}

#[test]
fn a_checkbox_takes_numbers_and_its_checked_ones_for_an_empty_line() {
    let lines = [
        ("1,3", "[\"a\",true]"),
        ("4 1 1,", "[\"a\",\"two\"]"),
        ("", "[1]"),
        ("-", "[]"),
        ("1 9", ""),
        (",", ""),
    ];
    answers(&prompt("checkbox", CHOICES), &lines);
    answers(
        &prompt("checkbox", r#"{"message":"?","choices":[{"name":"x","value":1}]}"#),
        &[("", "[]"), ("x", "")],
    );
}

#[test]
fn an_input_takes_the_line_as_it_is_and_its_default_for_an_empty_one() {
    answers(&prompt("input", r#"{"message":"?"}"#), &[(" a\tb \n", r#"" a\tb ""#), ("", "\"\"")]);
    answers(&prompt("input", r#"{"message":"?","default":"d"}"#), &[("", "\"d\""), ("x", "\"x\"")]);
    answers(&prompt("input", r#"{"message":"?","default":8080}"#), &[("\n", "\"8080\"")]);
}

#[test]
fn a_prefix_is_so_many_words_or_the_exact_command() {
    let question = prompt("prefix_select", r#"{"message":"?","command":" git  fetch origin "}"#);
    answers(
        &question,
        &[
            ("1", r#"{"command":" git","exact":false}"#),
            ("2", r#"{"command":" git  fetch","exact":false}"#),
            ("3", r#"{"command":" git  fetch origin","exact":false}"#),
            ("e", r#"{"command":" git  fetch origin ","exact":true}"#),
            ("4", ""),
            ("0", ""),
            ("", ""),
            ("git", ""),
        ],
    );
    answers(&prompt("prefix_select", r#"{"message":"?","command":" "}"#), &[("e", ""), ("1", ""), ("", "")]);
}

#[test]
fn an_approval_takes_a_and_r_and_its_labels_and_never_an_empty_line() {
    let plain = prompt("approval", r#"{"message":"?"}"#);
    answers(&plain, &[("a", "\"approve\""), ("Reject", "\"reject\""), ("", ""), ("y", ""), ("1", "")]);
    let config = r#"{"message":"?","choices":[{"name":"Ship it","value":1},{"name":"approve","value":2}]}"#;
    let labelled = prompt("approval", config);
    answers(
        &labelled,
        &[("Ship it", "\"approve\""), ("a", "\"approve\""), ("r", "\"reject\""), ("approve", ""), ("", "")],
    );
    let config = r#"{"message":"?","choices":[{"name":"","value":1},{"name":"x","value":2}]}"#;
    answers(&prompt("approval", config), &[("", ""), ("x", "\"reject\"")]);
}

#[test]
fn a_choice_takes_a_number_or_a_rejection() {
    let lines =
        [("1", r#"{"index":0,"value":"a"}"#), ("3", r#"{"index":2,"value":true}"#), ("r", "\"reject\"")];
    answers(&prompt("choice", CHOICES), &lines);
    answers(&prompt("choice", CHOICES), &[("", ""), ("0", ""), ("alpha", ""), ("reject", "")]);
}

#[test]
fn a_text_must_say_something_and_rejects_only_by_its_own_line() {
    let lines =
        [("some words", "\"some words\""), ("/reject", "\"reject\""), ("reject", ""), (" ", ""), ("", "")];
    answers(&prompt("text", r#"{"message":"?"}"#), &lines);
}

#[test]
fn a_permission_is_given_by_a_clear_yes_and_by_nothing_else() {
    let question = of_tool(tool("Bash", r#"{"command":"ls"}"#));
    let yes = r#"{"allow":true,"scope":"once"}"#;
    let no = r#"{"allow":false,"scope":"once"}"#;
    answers(&question, &[("y", yes), (" Yes ", yes), ("n", no), ("no", no)]);
    answers(
        &question,
        &[("n not before the tag", r#"{"allow":false,"scope":"once","reason":"not before the tag"}"#)],
    );
    answers(
        &question,
        &[("", ""), ("\n", ""), ("y but", ""), ("yy", ""), ("1", ""), ("a", ""), ("never", ""), ("ｙ", "")],
    );
}

#[test]
fn the_questions_of_an_agent_are_asked_one_after_another() {
    let mut mode = asked(of_tool(tool("AskUserQuestion", QUESTIONS)));
    assert!(matches!(mode.enter("7"), Entered::Again(_)));
    assert!(matches!(mode.enter("1 2"), Entered::Again(_)));
    assert!(matches!(mode.enter(" "), Entered::Again(_)));
    let Entered::Next(rows) = mode.enter("2") else { panic!("there is a second one") };
    assert!(rows[0].ends_with("question 2 of 2") && rows[1] == "  Which parts?", "{rows:?}");
    assert_eq!(mode.rows(0), rows);
    assert!(matches!(mode.enter("1 4"), Entered::Again(_)));
    let expected = Json::parse(r#"{"answers":[{"options":[1]},{"options":[0,2]}]}"#).unwrap();
    assert_eq!(mode.enter("3,1,3"), Entered::Said(Said::Answer(expected)));
}

#[test]
fn what_is_no_number_answers_an_agent_in_the_persons_own_words() {
    let mut mode = asked(of_tool(tool("AskUserQuestion", QUESTIONS)));
    assert!(matches!(mode.enter(" neither, 2 of them \n"), Entered::Next(_)));
    let expected =
        r#"{"answers":[{"options":[],"text":"neither, 2 of them"},{"options":[],"text":"1 and more"}]}"#;
    assert_eq!(mode.enter("1 and more"), Entered::Said(Said::Answer(Json::parse(expected).unwrap())));
}

#[test]
fn every_question_can_be_declined() {
    let questions = [
        prompt("text", r#"{"message":"?"}"#),
        prompt("input", r#"{"message":"?"}"#),
        of_tool(tool("Bash", "{}")),
        of_tool(tool("AskUserQuestion", QUESTIONS)),
    ];
    for question in questions {
        assert_eq!(asked(question).enter(" /decline \n"), Entered::Said(Said::Decline));
    }
}

#[test]
fn a_key_that_nobody_sees_answers_nothing() {
    let mut mode = asked(prompt("input", r#"{"message":"?"}"#));
    assert!(matches!(mode.enter("\u{1b}[A"), Entered::Again(_)));
    assert!(matches!(mode.enter("a\nb"), Entered::Again(_)));
    assert!(matches!(mode.enter("\0"), Entered::Again(_)));
}
