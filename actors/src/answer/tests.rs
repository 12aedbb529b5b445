//! What fits a question and what does not, kind by kind.

use codec::json::IntoOwned as _;
use codec::limits::Limits;
use codec::tunnel::{Scope, Up};

use super::*;
use crate::question::Tool;

fn prompt(kind: &str, config: &str) -> Question {
    let line = format!(
        r#"{{"type":"structured","message":{{"type":"prompt_request","timestamp":"t","requestId":"x","promptType":"{kind}","promptConfig":{config}}}}}"#
    );
    let Ok(Up::Prompt(request, _)) = Up::read(line.as_bytes(), &Limits::STANDARD) else { panic!("{line}") };
    let request = request.into_owned();
    Question { asks: Asks::Prompt(request.prompt_type, request.config), timeout_ms: None, claimed: None }
}

fn tool(name: &str, input: &str) -> Question {
    let tool = Tool {
        name: codec::json::Text::new(name),
        input: Json::parse(input).unwrap().into_owned(),
        tool_use_id: None,
        reason: None,
        agent_id: None,
        agent_name: None,
        suggestions: None,
        plan: None,
    };
    Question { asks: tool.asks().unwrap(), timeout_ms: None, claimed: None }
}

fn fits(question: &Question, value: &str) -> Result<Given, Wrong> {
    check(question, &Json::parse(value).unwrap())
}

fn accepts(question: &Question, good: &[&str], bad: &[&str]) {
    for value in good {
        assert!(fits(question, value).is_ok(), "{value}: {:?}", fits(question, value));
    }
    for value in bad {
        assert!(fits(question, value).is_err(), "{value} was taken");
    }
}

const CHOICES: &str = r#"{"message":"?","choices":[{"name":"a","value":"a"},{"name":"one","value":1},{"name":"yes","value":true},{"name":"again","value":1}]}"#;

#[test]
fn a_confirm_is_answered_by_true_or_false() {
    accepts(
        &prompt("confirm", r#"{"message":"?"}"#),
        &["true", "false"],
        &["\"true\"", "1", "null", "[]", "{}", "\"y\""],
    );
}

#[test]
fn an_input_is_answered_by_text() {
    let good = ["\"\"", "\"some words\"", r#""cut \ud83d""#];
    accepts(&prompt("input", r#"{"message":"?"}"#), &good, &["null", "1", "true", "[\"a\"]"]);
    accepts(
        &prompt("text", r#"{"message":"?"}"#),
        &["\"reject\"", "\"words\""],
        &["null", "{}", "\"\"", "\" \""],
    );
}

#[test]
fn a_select_is_answered_by_a_value_that_was_offered() {
    let good = ["\"a\"", r#""\u0061""#, "1", "1.0", "true"];
    accepts(&prompt("select", CHOICES), &good, &["\"one\"", "2", "\"1\"", "false", "null", "[\"a\"]", "99"]);
}

#[test]
fn a_checkbox_is_answered_by_values_each_as_often_as_offered() {
    let good = ["[]", "[\"a\"]", "[true,\"a\",1]", "[1,1.0]"];
    accepts(
        &prompt("checkbox", CHOICES),
        &good,
        &["\"a\"", "[\"b\"]", "[\"a\",\"a\"]", "[1,1,1]", "{}", "null", "[[1]]"],
    );
}

#[test]
fn an_approval_is_answered_by_one_of_two_words() {
    let asked = prompt(
        "approval",
        r#"{"message":"?","choices":[{"name":"Ship","value":1},{"name":"Wait","value":2}]}"#,
    );
    accepts(&asked, &["\"approve\"", "\"reject\""], &["1", "\"Ship\"", "true", "\"Approve\"", "null"]);
}

#[test]
fn a_choice_is_answered_by_number_and_value_or_by_reject() {
    let good = ["\"reject\"", r#"{"index":0,"value":"a"}"#, r#"{"value":1,"index":3}"#];
    let bad = [
        r#"{"index":4,"value":1}"#,
        r#"{"index":-1,"value":"a"}"#,
        r#"{"index":0,"value":1}"#,
        r#"{"index":"0","value":"a"}"#,
        r#"{"index":0}"#,
        r#"{"index":0,"index":1,"value":"a"}"#,
        "\"a\"",
        "0",
    ];
    accepts(&prompt("choice", CHOICES), &good, &bad);
}

#[test]
fn a_prefix_is_the_command_or_the_words_it_begins_with() {
    let asked = prompt("prefix_select", r#"{"message":"?","command":"git fetch origin --prune"}"#);
    let good = [
        r#"{"exact":true,"command":"git fetch origin --prune"}"#,
        r#"{"exact":false,"command":"git fetch"}"#,
        r#"{"exact":false,"command":"git "}"#,
        r#"{"exact":false,"command":"git fetch origin --prune"}"#,
    ];
    let bad = [
        r#"{"exact":true,"command":"git fetch"}"#,
        r#"{"exact":false,"command":"git fet"}"#,
        r#"{"exact":false,"command":""}"#,
        r#"{"exact":false,"command":" "}"#,
        r#"{"exact":false,"command":"rm"}"#,
        r#"{"command":"git"}"#,
        r#"{"exact":"no","command":"git"}"#,
        "\"git\"",
    ];
    accepts(&asked, &good, &bad);
}

#[test]
fn a_permission_is_given_by_a_clear_yes_alone() {
    let asked = tool("Bash", r#"{"command":"git fetch"}"#);
    let good = [
        r#"{"allow":true}"#,
        r#"{"allow":false,"reason":"not now"}"#,
        r#"{"allow":true,"scope":"session","rule":"Bash(git fetch:*)"}"#,
        r#"{"allow":false,"scope":"always"}"#,
        r#"{"allow":true,"scope":null,"of_tomorrow":1}"#,
    ];
    let bad = [
        "true",
        "\"allow\"",
        r#"{"allow":"true"}"#,
        r#"{"allow":1}"#,
        r#"{"allow":null}"#,
        "{}",
        r#"{"allow":true,"allow":false}"#,
        r#"{"allow":true,"scope":"always"}"#,
        r#"{"allow":true,"scope":"for ever","rule":"Bash"}"#,
        r#"{"allow":true,"scope":"session","rule":" "}"#,
        r#"{"allow":true,"reason":5}"#,
    ];
    accepts(&asked, &good, &bad);
    let Given::Verdict(verdict) = fits(&asked, good[2]).unwrap() else { panic!() };
    assert_eq!(
        (verdict.allow, verdict.scope, verdict.rules.as_slice()),
        (true, Scope::Session, ["Bash(git fetch:*)".to_owned()].as_slice())
    );
}

#[test]
fn what_holds_for_longer_says_in_rules_what_it_holds_for() {
    let asked = tool("Bash", r#"{"command":"git fetch && npm test"}"#);
    let many = |count: usize| {
        let rules: Vec<_> = (0..count).map(|at| format!(r#""Bash(x{at}:*)""#)).collect();
        format!(r#"{{"allow":true,"scope":"session","rules":[{}]}}"#, rules.join(","))
    };
    let long = |length: usize| {
        let rule = format!("Bash({})", "x".repeat(length - "Bash()".len()));
        format!(r#"{{"allow":true,"scope":"session","rule":"{rule}"}}"#)
    };
    let good = [
        r#"{"allow":true,"scope":"session","rules":["Bash(git fetch:*)","Bash(npm test:*)"]}"#,
        r#"{"allow":true,"scope":"always","rules":["Bash(git:*)"]}"#,
        r#"{"allow":true,"scope":"session","rule":"Bash","rules":null}"#,
        r#"{"allow":true,"rule":"what a rule of another version said"}"#,
        &many(MOST_RULES),
        &long(LONGEST_RULE),
    ];
    let bad = [
        r#"{"allow":true,"scope":"session","rules":[]}"#,
        r#"{"allow":true,"scope":"session","rules":["Bash(git fetch:*)",""]}"#,
        r#"{"allow":true,"scope":"session","rules":["Bash(git fetch:*)","no rule at all"]}"#,
        r#"{"allow":true,"scope":"session","rules":["Bash(git fetch:*)",1]}"#,
        r#"{"allow":true,"scope":"session","rules":"Bash(git fetch:*)"}"#,
        r#"{"allow":true,"scope":"session","rule":"Bash(git","reason":"x"}"#,
        r#"{"allow":true,"scope":"session","rule":["Bash"]}"#,
        r#"{"allow":true,"scope":"session","rule":"Bash","rules":["Bash"]}"#,
        &many(MOST_RULES + 1),
        &long(LONGEST_RULE + 1),
    ];
    accepts(&asked, &good, &bad);
    let Given::Verdict(verdict) = fits(&asked, good[0]).unwrap() else { panic!() };
    assert_eq!(verdict.granted().len(), 2);
    let once = r#"{"allow":true,"rule":"Bash(git:*)"}"#;
    let Given::Verdict(verdict) = fits(&asked, once).unwrap() else { panic!() };
    assert!(verdict.granted().is_empty(), "what is allowed once grants nothing");
}

#[test]
fn where_it_is_saved_is_said_only_of_what_holds_for_always() {
    let asked = tool("Bash", r#"{"command":"ls"}"#);
    let good = [
        r#"{"allow":true,"scope":"always","rule":"Bash(ls:*)"}"#,
        r#"{"allow":true,"scope":"always","rule":"Bash(ls:*)","saved":"tim"}"#,
        r#"{"allow":true,"scope":"always","rule":"Bash(ls:*)","saved":null}"#,
        r#"{"allow":true,"scope":"always","rule":"Bash(ls:*)","saved":"claude"}"#,
    ];
    let bad = [
        r#"{"allow":true,"scope":"session","rule":"Bash(ls:*)","saved":"claude"}"#,
        r#"{"allow":true,"scope":"session","rule":"Bash(ls:*)","saved":"tim"}"#,
        r#"{"allow":true,"saved":"tim"}"#,
        r#"{"allow":true,"scope":"always","rule":"Bash(ls:*)","saved":"elsewhere"}"#,
        r#"{"allow":true,"scope":"always","rule":"Bash(ls:*)","saved":true}"#,
        r#"{"allow":true,"scope":"always","rule":"Bash(ls:*)","saved":"tim","saved":"claude"}"#,
    ];
    accepts(&asked, &good, &bad);
    for (raw, saved) in good.iter().zip([Saved::Tim, Saved::Tim, Saved::Tim, Saved::Claude]) {
        let Given::Verdict(verdict) = fits(&asked, raw).unwrap() else { panic!() };
        assert_eq!(verdict.saved, saved, "{raw}");
    }
}

const QUESTIONS: &str = r#"{"questions":[
    {"question":"Which?","options":[{"label":"A"},{"label":"B, or so"}]},
    {"question":"Many?","multiSelect":true,"options":[{"label":"X"},{"label":"Y"}]}]}"#;

#[test]
fn questions_are_answered_by_label_by_words_or_by_number() {
    let asked = tool("AskUserQuestion", QUESTIONS);
    let good = [
        r#"{"answers":{"Which?":"A","Many?":["X","Y"]}}"#,
        r#"{"answers":{"Which?":"something else","Many?":["Y","and more"]}}"#,
        r#"{"answers":[{"options":[1]},{"options":[0,1],"text":"too"}]}"#,
        r#"{"answers":["B, or so","X"]}"#,
    ];
    let bad = [
        r#"{"answers":{"Which?":"A"}}"#,
        r#"{"answers":{"Which?":"A","Many?":"X","Else?":"Y"}}"#,
        r#"{"answers":{"Which?":["A","B, or so"],"Many?":"X"}}"#,
        r#"{"answers":{"Which?":"","Many?":"X"}}"#,
        r#"{"answers":{"Which?":5,"Many?":"X"}}"#,
        r#"{"answers":[{"options":[2]},"X"]}"#,
        r#"{"answers":["A"]}"#,
        r#"{"answers":["A","X","Y"]}"#,
        r#"{"answers":["A",["one text","another"]]}"#,
        r#"{"answers":["A",["X","X"]]}"#,
        r#"{"Which?":"A","Many?":"X"}"#,
        r#"{"allow":true}"#,
        "\"A\"",
    ];
    accepts(&asked, &good, &bad);
    let Given::Answers(answers) = fits(&asked, good[2]).unwrap() else { panic!() };
    let input = asked.answered_input(&answers).unwrap();
    assert!(
        input.raw().contains(r#""answers":{"Which?":"B, or so","Many?":"X, Y, too"}"#),
        "{}",
        input.raw()
    );
}

#[test]
fn questions_with_the_same_text_are_answered_by_their_place() {
    let twice = r#"{"questions":[{"question":"Same","options":[{"label":"A"}]},{"question":"Same","options":[{"label":"B"}]}]}"#;
    let asked = tool("AskUserQuestion", twice);
    accepts(&asked, &[r#"{"answers":["A","B"]}"#], &[r#"{"answers":{"Same":"A"}}"#]);
}
