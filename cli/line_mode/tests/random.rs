//! Random questions and random lines: whatever is said fits, and no accident approves.

use codec::json::Num;
use codec::tunnel::{Choice, PromptConfig, PromptKind, Scalar};
use proptest::prelude::*;

use super::*;

fn word() -> impl Strategy<Value = String> {
    let known =
        ["", " ", "1", "2", "a", "r", "reject", "approve", "y", "-", "true", "x y", "é", "\u{fffd}", "\u{1}"];
    prop_oneof![4 => proptest::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => any::<String>()]
}

/// A text as a wire may bring it, also one that is no Unicode.
fn text() -> impl Strategy<Value = Text<'static>> {
    let lone = || Json::parse(r#""\ud800""#).and_then(|json| json.as_text().map(Text::into_owned));
    prop_oneof![9 => word().prop_map(|word| Text::new(&word)), 1 => Just(()).prop_map(move |()| lone().unwrap())]
}

fn scalar() -> impl Strategy<Value = Scalar<'static>> {
    prop_oneof![
        text().prop_map(Scalar::Text),
        (0..4_u64).prop_map(|number| Scalar::Number(Num::new(number))),
        any::<bool>().prop_map(Scalar::Flag),
    ]
}

fn choice() -> impl Strategy<Value = Choice<'static>> {
    (text(), scalar(), any::<Option<bool>>())
        .prop_map(|(name, value, checked)| Choice { checked, ..Choice::of(name, value) })
}

fn config() -> impl Strategy<Value = PromptConfig<'static>> {
    let choices = proptest::collection::vec(choice(), 1..5);
    (text(), proptest::option::of(scalar()), choices, text(), "[ a\t]{0,8}").prop_map(
        |(message, default, choices, command, words)| PromptConfig {
            default,
            choices: Some(choices),
            command: Some(if words.is_empty() { command } else { Text::new(&words) }),
            ..PromptConfig::of(message)
        },
    )
}

fn client_prompt() -> impl Strategy<Value = Question> {
    (proptest::sample::select(PromptKind::ALL), config()).prop_map(|(kind, mut config)| {
        if kind == PromptKind::Approval {
            config.choices = config.choices.filter(|choices| choices.len() == 2);
        }
        Question { asks: Asks::Prompt(kind, Box::new(config)), timeout_ms: None, claimed: None }
    })
}

fn agent_questions() -> impl Strategy<Value = Question> {
    let one = (word(), proptest::collection::vec(word(), 1..4), any::<bool>()).prop_map(
        |(text, labels, several)| {
            let options: Vec<_> =
                labels.iter().map(|label| format!(r#"{{"label":{}}}"#, Json::of(label).raw())).collect();
            let (text, options) = (Json::of(&text), options.join(","));
            format!(r#"{{"question":{},"multiSelect":{several},"options":[{options}]}}"#, text.raw())
        },
    );
    proptest::collection::vec(one, 1..4).prop_map(|each| {
        of_tool(tool("AskUserQuestion", &format!(r#"{{"questions":[{}]}}"#, each.join(","))))
    })
}

fn any_question() -> impl Strategy<Value = Question> {
    let permission = Just(()).prop_map(|()| of_tool(tool("Bash", r#"{"command":"ls"}"#)));
    prop_oneof![6 => client_prompt(), 1 => permission, 2 => agent_questions()]
}

fn line() -> impl Strategy<Value = String> {
    let several = proptest::collection::vec(word(), 0..4).prop_map(|words| words.join(" "));
    prop_oneof![word(), several, "[0-9, ]{0,6}", "[a-z/]{0,3}"]
}

proptest! {
    #[test]
    fn whatever_is_said_fits_the_question(question in any_question(), lines in proptest::collection::vec(line(), 1..8)) {
        let mut mode = asked(question.clone());
        for line in lines {
            match mode.enter(&line) {
                Entered::Said(Said::Answer(value)) => {
                    let checked = actors::answer::check(&question, &value);
                    prop_assert!(checked.is_ok(), "{line:?} gave {value:?}: {checked:?}");
                    break;
                }
                Entered::Said(said) => {
                    prop_assert_eq!(said, Said::Decline);
                    break;
                }
                Entered::Again(hint) => prop_assert!(!hint.is_empty()),
                Entered::Next(rows) => prop_assert!(rows.len() > 2),
            }
        }
    }

    #[test]
    fn only_a_clear_yes_allows_a_tool(line in line()) {
        let said = asked(of_tool(tool("Bash", "{}"))).enter(&line);
        if let Entered::Said(Said::Answer(value)) = said {
            let allows = value.raw().contains("\"allow\":true");
            prop_assert_eq!(allows, matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"));
        }
    }

    #[test]
    fn an_empty_line_never_approves(question in any_question()) {
        if let Entered::Said(Said::Answer(value)) = asked(question.clone()).enter("") {
            let takes = matches!(
                question.asks,
                Asks::Prompt(PromptKind::Confirm | PromptKind::Select | PromptKind::Checkbox | PromptKind::Input, _)
            );
            prop_assert!(takes, "{value:?}");
        }
    }

    #[test]
    fn every_question_can_be_shown(question in any_question(), columns in 0..120_usize) {
        let rows = LineMode::new(offered(question), columns).rows(1);
        prop_assert!(rows.iter().filter(|row| row.starts_with('?')).count() == 1);
        prop_assert!(rows.iter().all(|row| !row.chars().any(char::is_control)));
    }
}
