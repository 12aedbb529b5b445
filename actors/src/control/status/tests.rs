use codec::tunnel::{PromptConfig, PromptKind};

use super::*;
use crate::question::{Asks, Question, Tool};
use crate::router::{AskerId, Keeper, Offer};

fn run() -> Identity {
    Identity {
        run: "7f3c".into(),
        pid: 7,
        role: Role::Run,
        folder: "/w".to_owned(),
        began_unix_ms: 1,
        version: "0.1.0",
        path: None,
    }
}

fn open(number: u64, asks: Asks) -> Open {
    let offer = Offer {
        key: Key { run: "7f3c".into(), number },
        asker: AskerId(1),
        path: "web".to_owned(),
        pid: Some(9),
        question: Arc::new(Question { asks, timeout_ms: None, claimed: None }),
        since: 0,
        left_ms: None,
        keeper: Keeper::Nobody,
    };
    Open { offer: Arc::new(offer), age_ms: 5, is_shown: true }
}

fn confirm(text: &str) -> Asks {
    Asks::Prompt(PromptKind::Confirm, Box::new(PromptConfig::of(Text::new(text))))
}

fn picture(open: Vec<Open>) -> Picture {
    Picture { has_desk: true, askers: Vec::new(), open }
}

#[test]
fn a_question_is_listed_as_an_answer_command_sees_it() {
    let picture = picture(vec![open(1, confirm("Go on?"))]);
    let listed = status(&run(), &picture, &[], None);
    let question = codec::json::line(&listed.questions[0]);
    assert_eq!(
        question,
        r#"{"v":1,"key":"7f3c.p1","path":"web","kind":"confirm","config":{"message":"Go on?"},"pid":9,"sinceMs":5,"shown":true,"deadlineMs":null}"#
    );
}

#[test]
fn what_is_too_long_is_listed_without_its_text_and_comes_whole_by_its_key() {
    let tool = Tool {
        name: Text::new("Write"),
        input: Json::of(&"x".repeat(LONGEST)),
        tool_use_id: None,
        reason: None,
        agent_id: None,
        agent_name: None,
        suggestions: None,
        plan: None,
    };
    let picture = picture(vec![open(1, Asks::Permission(Box::new(tool))), open(2, confirm("Go on?"))]);
    let listed = status(&run(), &picture, &[], None);
    assert_eq!(listed.questions[0].cut, Some(true));
    assert_eq!(listed.questions[0].tool.as_ref().unwrap().raw(), r#"{"name":"Write"}"#);
    assert_eq!((listed.questions[1].cut, listed.more), (None, None));
    let whole = status(&run(), &picture, &[], Some(&picture.open[0].offer.key));
    assert_eq!((whole.questions.len(), whole.questions[0].cut), (1, None));
    assert!(whole.questions[0].tool.as_ref().unwrap().raw().len() > LONGEST);
}

#[test]
fn more_questions_than_anybody_reads_are_counted() {
    let picture = picture((1..=MOST as u64 + 3).map(|number| open(number, confirm("?"))).collect());
    let listed = status(&run(), &picture, &[], None);
    assert_eq!((listed.questions.len(), listed.more), (MOST, Some(3)));
    let last = Key { run: "7f3c".into(), number: MOST as u64 + 3 };
    assert_eq!(status(&run(), &picture, &[], Some(&last)).questions.len(), 1, "by its key it is found");
}
