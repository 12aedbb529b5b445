//! AskUserQuestion through the bridge.

use serde_json::{Value, json};

use crate::driver::{Bridge, decide};
use crate::support::desk::Desk;
use crate::support::serve::Serve;

fn question(text: &str, is_multiple: bool) -> Value {
    let options = json!([{"label": "Tea", "description": "t"}, {"label": "Milk", "description": "m"}]);
    json!({"question": text, "header": "Drink", "options": options, "multiSelect": is_multiple})
}

/// Asks, and answers as a tim would; gives what Claude Code is told.
fn answered(questions: &[Value], answers: &Value) -> Value {
    let (mut bridge, mut desk, _parent) = Bridge::to_test();
    let input = json!({"questions": questions, "metadata": {"source": "x"}});
    let id = bridge.call("AskUserQuestion", &input);
    let asked = desk.prompt();
    assert_eq!((asked.text.as_str(), &asked.message["input"]), ("AskUserQuestion", &input));
    decide(&mut desk, &asked, true, &json!({"updatedInput": {"answers": answers}}));
    bridge.decision(id)
}

#[test]
fn an_answer_stands_under_its_question_and_all_else_is_kept() {
    let asked = question("What?", false);
    let told = answered(std::slice::from_ref(&asked), &json!({"What?": "Tea"}));
    let expected = json!({"questions": [asked], "metadata": {"source": "x"}, "answers": {"What?": "Tea"}});
    assert_eq!(told, json!({"behavior": "allow", "updatedInput": expected}));
}

#[test]
fn several_answers_are_joined_and_the_persons_own_words_come_last() {
    let told = answered(&[question("What?", true)], &json!({"What?": ["my own", "Milk", "Tea"]}));
    assert_eq!(told["updatedInput"]["answers"], json!({"What?": "Milk, Tea, my own"}));
    let told = answered(&[question("What?", false)], &json!({"What?": "Water, please"}));
    assert_eq!(told["updatedInput"]["answers"], json!({"What?": "Water, please"}));
}

#[test]
fn questions_with_the_same_text_share_one_answer() {
    let told = answered(&[question("What?", false), question("What?", false)], &json!(["Tea", "Milk"]));
    assert_eq!(told["updatedInput"]["answers"], json!({"What?": "Tea, Milk"}));
}

#[test]
fn the_answer_command_answers_through_a_tim() {
    let serve = Serve::answered_by(r#"echo '{"answers":{"What?":"Milk"}}'"#);
    let mut bridge = Bridge::to(serve.socket());
    let id = bridge.call("AskUserQuestion", &json!({"questions": [question("What?", false)]}));
    assert_eq!(bridge.decision(id)["updatedInput"]["answers"], json!({"What?": "Milk"}));
}

fn ask(bridge: &mut Bridge, desk: &mut Desk) -> (i64, crate::support::desk::Asked) {
    let id = bridge.call("AskUserQuestion", &json!({"questions": [question("What?", false)]}));
    (id, desk.prompt())
}

#[test]
fn a_yes_that_answers_nothing_is_a_no() {
    let (mut bridge, mut desk, _parent) = Bridge::to_test();
    for more in [
        json!({}),
        json!({"updatedInput": {}}),
        json!({"updatedInput": {"answers": {}}}),
        json!({"updatedInput": {"answers": {"Else?": "Tea"}}}),
        json!({"updatedInput": {"answers": {"What?": ""}}}),
        json!({"updatedInput": {"answers": ["Tea", "Milk"]}}),
    ] {
        let (id, asked) = ask(&mut bridge, &mut desk);
        decide(&mut desk, &asked, true, &more);
        bridge.denied(id);
    }
    let (id, asked) = ask(&mut bridge, &mut desk);
    decide(&mut desk, &asked, false, &json!({"message": "no"}));
    assert!(bridge.denied(id).contains("declined to answer"), "{}", bridge.denied(id));
}

#[test]
fn the_asker_does_not_answer_itself() {
    let serve = Serve::answered_by(r#"echo '{"answers":["Milk"]}'"#);
    let mut bridge = Bridge::to(serve.socket());
    let input =
        json!({"questions": [question("What?", false)], "answers": {"What?": "Tea"}, "response": "Tea"});
    let id = bridge.call("AskUserQuestion", &input);
    let told = bridge.decision(id);
    assert_eq!(told["updatedInput"]["answers"], json!({"What?": "Milk"}));
    assert!(told["updatedInput"].get("response").is_none(), "{told}");
}
