//! What each end comes to, as Claude Code reads it.

use std::time::Duration;

use super::*;

const WRITE: &str =
    r#"{"tool_name":"Write","input":{"file_path":"a","n":1.0,"x":"\ud800"},"tool_use_id":"t1"}"#;

fn asked(arguments: &str) -> Question {
    question(Json::parse(arguments).unwrap()).unwrap()
}

/// The decision as the reply carries it.
fn told(arguments: &str, said: Result<&str, NotAnswered>) -> String {
    let said = said.map(|value| Json::parse(value).unwrap().into_owned());
    text(&decision(&asked(arguments), said))
}

fn denied(message: &str) -> String {
    text(&Decision::deny(message))
}

#[test]
fn a_yes_carries_the_input_as_it_came_to_the_last_byte() {
    let input = r#"{"file_path":"a","n":1.0,"x":"\ud800"}"#;
    let allowed = format!(r#"{{"behavior":"allow","updatedInput":{input}}}"#);
    assert_eq!(told(WRITE, Ok(r#"{"allow":true}"#)), allowed);
    let more = r#"{"allow":true,"scope":"session","rule":"Write","updatedInput":{"file_path":"b"}}"#;
    assert_eq!(told(WRITE, Ok(more)), allowed, "nothing that is said with the yes changes what runs");
}

#[test]
fn every_no_has_words_that_a_model_can_act_upon() {
    let no = |said| told(WRITE, said);
    assert_eq!(no(Ok(r#"{"allow":false}"#)), denied("The person said no to this."));
    assert_eq!(no(Ok(r#"{"allow":false,"reason":"use rg"}"#)), denied("use rg"));
    assert_eq!(no(Ok(r#"{"allow":false,"reason":" "}"#)), denied("The person said no to this."));
    assert!(no(Err(NotAnswered::Declined)).contains("The person declined to answer this."));
    let timed_out = NotAnswered::TimedOut { after: Duration::from_secs(5) };
    assert_eq!(no(Err(timed_out)), denied("Nobody answered within 5 s, so this was not allowed."));
    assert!(no(Err(NotAnswered::Disconnected)).contains("was lost, so this was not allowed."));
    assert!(no(Err(NotAnswered::Refused("Nobody is here".into()))).contains("not allowed: Nobody is here."));
    let invalid = NotAnswered::Invalid("input: expected an object".into());
    assert_eq!(no(Err(invalid)), denied("This was not allowed: input: expected an object."));
    assert_eq!(text(&withdrawn()), denied("This was withdrawn."));
    assert!(text(&lost()).contains("Internal failure"));
}

#[test]
fn what_is_no_clear_yes_is_a_no() {
    for value in ["true", "{}", r#"{"allow":"yes"}"#, r#"{"allow":1}"#, r#"{"approved":true}"#, "null"] {
        let told = told(WRITE, Ok(value));
        assert!(told.starts_with(r#"{"behavior":"deny""#), "{value}: {told}");
    }
}

const DRINKS: &str = r#"{"tool_name":"AskUserQuestion","input":{"questions":[
    {"question":"What?","header":"H","options":[{"label":"Tea"},{"label":"Milk"}],"multiSelect":true}],"kept":7,
    "answers":{"What?":"mine"}}}"#;

#[test]
fn answers_stand_in_the_input_of_their_questions() {
    let answers = r#"{"answers":{"What?":["Milk","Tea","and sugar"]}}"#;
    let told = told(DRINKS, Ok(answers));
    assert!(told.contains(r#""kept":7"#), "{told}");
    assert!(told.ends_with(r#""answers":{"What?":"Milk, Tea, and sugar"}}}"#), "{told}");
}

#[test]
fn a_yes_to_questions_without_answers_is_a_no() {
    for value in [r#"{"allow":true}"#, r#"{"answers":{}}"#, r#"{"answers":{"What?":"Tea","Why?":"x"}}"#] {
        let told = told(DRINKS, Ok(value));
        assert!(told.starts_with(r#"{"behavior":"deny""#), "{value}: {told}");
    }
}

#[test]
fn what_asks_nothing_is_denied_with_the_reason() {
    let why = |arguments: &str| question(Json::parse(arguments).unwrap()).unwrap_err();
    assert!(why("7").contains("an object"), "{}", why("7"));
    assert!(why(r#"{"input":{}}"#).contains("tool_name"));
    assert!(why(r#"{"tool_name":"Bash"}"#).contains("input"));
    assert!(why(r#"{"tool_name":7,"input":{}}"#).contains("tool_name"));
    assert!(why(r#"{"tool_name":"AskUserQuestion","input":{}}"#).contains("questions"));
    assert!(why(r#"{"tool_name":"AskUserQuestion","input":null}"#).contains("input"));
    let none = r#"{"tool_name":"AskUserQuestion","input":{"questions":[]}}"#;
    assert!(why(none).contains("at least one question"), "{}", why(none));
    assert_eq!(text(&misasked("no reason".into())), denied("This was not allowed: no reason."));
}

fn text(decision: &Decision<'_>) -> String {
    Json::written(decision).raw().to_owned()
}
