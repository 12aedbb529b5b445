use actors::answer::check;
use codec::control::OpenQuestion;
use codec::json::Object;

use super::super::question;
use super::*;

/// A question as a run lists it.
fn listed(kind: &str, config: &str, tool: Option<&str>) -> Question {
    let tool = tool.map(|tool| format!(r#","tool":{tool}"#)).unwrap_or_default();
    let line = format!(r#"{{"v":1,"key":"7f3c.p1","path":"web","kind":"{kind}","config":{config}{tool}}}"#);
    let open =
        <OpenQuestion<'_> as codec::json::Record<'_>>::from_object(Object::parse(&line).unwrap()).unwrap();
    question::of(&open).unwrap()
}

fn permission_for(tool: &str) -> Question {
    listed("permission", "{}", Some(tool))
}

/// What the words become; whatever becomes of them must fit the question.
fn said(question: &Question, words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    match answer(question, &words, None) {
        Ok(value) => {
            check(question, &value).unwrap_or_else(|wrong| panic!("{} does not fit: {wrong}", value.raw()));
            value.raw().to_owned()
        }
        Err(why) => format!("! {why}"),
    }
}

const THREE: &str = r#"{"message":"Which?","choices":[{"name":"main","value":"m"},{"name":"2","value":"two"},{"name":"New York","value":7}]}"#;

#[test]
fn a_permission_is_a_yes_or_a_no_and_nothing_else() {
    let bash = permission_for(r#"{"name":"Bash","input":{"command":"ls"}}"#);
    assert_eq!(said(&bash, &["y"]), r#"{"allow":true}"#);
    assert_eq!(said(&bash, &["YES"]), r#"{"allow":true}"#);
    assert_eq!(said(&bash, &["no"]), r#"{"allow":false}"#);
    for other in [&["maybe"][..], &["y", "y"], &[""], &["allow"], &["1"]] {
        assert!(said(&bash, other).starts_with("! "), "{other:?}");
    }
    let no = answer(&bash, &["n".to_owned()], Some("not \"yet\"")).unwrap();
    assert_eq!(no.raw(), r#"{"allow":false,"reason":"not \"yet\""}"#);
    assert!(answer(&bash, &["y".to_owned()], Some("so")).is_err(), "a yes needs no reason");
}

#[test]
fn yes_or_no_and_text_are_what_they_say() {
    let confirm = listed("confirm", r#"{"message":"Go?"}"#, None);
    assert_eq!((said(&confirm, &["y"]), said(&confirm, &["n"])), ("true".to_owned(), "false".to_owned()));
    assert!(said(&confirm, &["go"]).starts_with("! "));
    let input = listed("input", r#"{"message":"Name?"}"#, None);
    assert_eq!(said(&input, &["two", "words"]), r#""two words""#);
    assert_eq!(said(&input, &[""]), r#""""#);
    assert_eq!(said(&listed("text", r#"{"message":"Why?"}"#, None), &["so"]), r#""so""#);
}

#[test]
fn a_choice_is_meant_by_its_name_or_value_before_its_number() {
    let select = listed("select", THREE, None);
    assert_eq!(said(&select, &["main"]), r#""m""#);
    assert_eq!(said(&select, &["m"]), r#""m""#);
    assert_eq!(said(&select, &["1"]), r#""m""#);
    assert_eq!(said(&select, &["2"]), r#""two""#, "it is called so");
    assert_eq!(said(&select, &["New", "York"]), "7");
    assert_eq!(said(&select, &["3"]), "7");
    for none in ["4", "0", "dev", ""] {
        assert!(said(&select, &[none]).contains("main, 2, New York"), "{none}");
    }
    let choice = listed("choice", THREE, None);
    assert_eq!(said(&choice, &["New York"]), r#"{"index":2,"value":7}"#);
    assert_eq!(said(&choice, &["n"]), r#""reject""#);
}

#[test]
fn what_may_be_two_choices_is_neither() {
    let twice = r#"{"message":"?","choices":[{"name":"a","value":"b"},{"name":"b","value":"c"}]}"#;
    assert!(said(&listed("select", twice, None), &["b"]).contains("say its number"));
    assert_eq!(said(&listed("select", twice, None), &["2"]), r#""c""#);
}

#[test]
fn several_choices_are_several_words() {
    let checkbox = listed("checkbox", THREE, None);
    assert_eq!(said(&checkbox, &["main", "3"]), r#"["m",7]"#);
    assert_eq!(said(&checkbox, &["none"]), "[]");
    assert!(said(&checkbox, &["main", "dev"]).starts_with("! "));
}

#[test]
fn an_approval_and_a_prefix_have_their_own_words() {
    let approval = listed(
        "approval",
        r#"{"message":"Go?","choices":[{"name":"Do it","value":"a"},{"name":"Leave","value":"r"}]}"#,
        None,
    );
    assert_eq!(said(&approval, &["Do", "it"]), r#""approve""#);
    assert_eq!(said(&approval, &["Leave"]), r#""reject""#);
    assert_eq!(
        (said(&approval, &["y"]), said(&approval, &["reject"])),
        (r#""approve""#.to_owned(), r#""reject""#.to_owned())
    );
    let prefix = listed("prefix_select", r#"{"message":"?","command":"git push origin"}"#, None);
    assert_eq!(said(&prefix, &["git", "push"]), r#"{"command":"git push","exact":false}"#);
    assert_eq!(said(&prefix, &["y"]), r#"{"command":"git push origin","exact":true}"#);
}

#[test]
fn an_agents_questions_have_one_word_each() {
    let two = r#"{"questions":[{"question":"Which?","options":[{"label":"PostgreSQL"},{"label":"SQLite"}]},{"question":"Parts?","options":[{"label":"A"},{"label":"B"},{"label":"C"}],"multiSelect":true}]}"#;
    let asked = listed("question", two, Some(r#"{"name":"AskUserQuestion","input":{}}"#));
    assert_eq!(said(&asked, &["SQLite", "1,3"]), r#"{"answers":[{"options":[1]},{"options":[0,2]}]}"#);
    assert_eq!(said(&asked, &["something else", "B"]), r#"{"answers":["something else",{"options":[1]}]}"#);
    assert!(said(&asked, &["SQLite"]).contains("2 questions"));
    let one = r#"{"questions":[{"question":"Which?","options":[{"label":"a b"}]}]}"#;
    let one = listed("question", one, Some(r#"{"name":"AskUserQuestion","input":{}}"#));
    assert_eq!(said(&one, &["a", "b"]), r#"{"answers":[{"options":[0]}]}"#);
    assert_eq!(said(&one, &["1,1"]), r#"{"answers":["1,1"]}"#, "only one may be chosen, so these are words");
}
