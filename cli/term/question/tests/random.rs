//! Random questions and random keys: no accident answers, every answer fits, and every picture keeps to its columns.

use actors::answer::Verdict;
use actors::gate::rules::RuleSet;
use actors::gate::{Decision, Gate};
use codec::json::Num;
use codec::tunnel::{Choice, PromptConfig, PromptKind, Scalar};
use proptest::prelude::*;

use super::super::super::editor::by_its_name;
use super::*;

/// What only foreign text holds here.
const FOREIGN: char = 'Ω';

fn word() -> impl Strategy<Value = String> {
    let known = [
        "",
        " ",
        "1",
        "a",
        "reject",
        "Ω",
        "Ω ΩΩ",
        "ΩΩΩΩΩΩΩΩΩΩΩΩΩΩΩΩΩΩΩΩΩΩΩΩΩΩΩΩ",
        "Ω\nΩ",
        "日本Ω",
        "Ω\u{1b}[2J\t",
    ];
    prop_oneof![
        5 => proptest::sample::select(known.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => Just("Ω line\n".repeat(40)),
    ]
}

fn text() -> impl Strategy<Value = Text<'static>> {
    word().prop_map(|word| Text::new(&word))
}

fn scalar() -> impl Strategy<Value = Scalar<'static>> {
    prop_oneof![
        text().prop_map(Scalar::Text),
        (0..4_u64).prop_map(|number| Scalar::Number(Num::new(number))),
        any::<bool>().prop_map(Scalar::Flag),
    ]
}

fn choice() -> impl Strategy<Value = Choice<'static>> {
    (text(), scalar(), any::<Option<bool>>(), proptest::option::of(text())).prop_map(
        |(name, value, checked, description)| Choice { checked, description, ..Choice::of(name, value) },
    )
}

fn config() -> impl Strategy<Value = PromptConfig<'static>> {
    let choices = proptest::collection::vec(choice(), 1..14);
    let page = proptest::option::of((0..8_u64).prop_map(Num::new));
    (text(), proptest::option::of(scalar()), choices, text(), proptest::option::of(text()), page).prop_map(
        |(message, default, choices, command, header, page_size)| PromptConfig {
            default,
            choices: Some(choices),
            command: Some(command),
            header,
            page_size,
            ..PromptConfig::of(message)
        },
    )
}

fn client_question() -> impl Strategy<Value = Question> {
    (proptest::sample::select(PromptKind::ALL), config()).prop_map(|(kind, mut config)| {
        if kind == PromptKind::Approval {
            config.choices = config.choices.filter(|choices| choices.len() == 2);
        }
        Question { asks: Asks::Prompt(kind, Box::new(config)), timeout_ms: None, claimed: None }
    })
}

fn permission() -> impl Strategy<Value = Question> {
    let names = ["Bash", "Edit", "Write", "Read", "WebFetch", "mcp__a__b", "Task"];
    let member =
        |name: &'static str| word().prop_map(move |value| format!("\"{name}\":{}", Json::of(&value).raw()));
    let command = prop_oneof![
        3 => proptest::sample::select(vec!["git fetch origin", "ls && git status", "rm -rf Ω", "echo $x", "sudo ls"]).prop_map(str::to_owned),
        1 => word(),
    ]
    .prop_map(|command| format!("\"command\":{}", Json::of(&command).raw()));
    let members = proptest::collection::vec(
        prop_oneof![
            3 => command,
            1 => member("file_path"),
            1 => member("old_string"),
            1 => member("new_string"),
            1 => member("content"),
            1 => member("Ω"),
        ],
        0..4,
    );
    (proptest::sample::select(names.to_vec()), members, proptest::option::of(text())).prop_map(
        |(name, members, reason)| {
            of_tool(Tool { reason, ..tool(name, &format!("{{{}}}", members.join(","))) })
        },
    )
}

/// A command of several parts.
fn compound() -> impl Strategy<Value = Question> {
    let parts =
        ["cd src", "git fetch origin", "npm test -- x", "tail -20", "ls", "timeout 5 ls -a", "rm -rf build"];
    let part = proptest::sample::select(parts.to_vec());
    let joint = proptest::sample::select(vec![" && ", " | ", "; "]);
    proptest::collection::vec((part, joint), 1..6).prop_map(|parts| {
        bash(&parts.iter().flat_map(|(part, joint)| [*joint, *part]).skip(1).collect::<String>())
    })
}

/// Keys that a person presses where a rule is chosen.
fn steps(most: usize) -> impl Strategy<Value = Vec<Key>> {
    let codes = vec![
        Code::Char('s'),
        Code::Char('p'),
        Code::Up,
        Code::Down,
        Code::Left,
        Code::Right,
        Code::Enter,
        Code::Esc,
    ];
    proptest::collection::vec(proptest::sample::select(codes).prop_map(Key::plain), 1..most)
}

fn agent_questions() -> impl Strategy<Value = Question> {
    let one = (word(), proptest::collection::vec(word(), 1..12), any::<bool>()).prop_map(
        |(text, labels, several)| {
            let option = |label: &String| {
                let label = Json::of(label);
                format!(r#"{{"label":{0},"description":{0},"preview":{0}}}"#, label.raw())
            };
            let options: Vec<_> = labels.iter().map(option).collect();
            let text = Json::of(&text);
            format!(
                r#"{{"question":{0},"header":{0},"multiSelect":{several},"options":[{1}]}}"#,
                text.raw(),
                options.join(",")
            )
        },
    );
    proptest::collection::vec(one, 1..4).prop_map(|each| {
        of_tool(tool("AskUserQuestion", &format!(r#"{{"questions":[{}]}}"#, each.join(","))))
    })
}

fn any_question() -> impl Strategy<Value = Question> {
    prop_oneof![4 => client_question(), 3 => permission(), 2 => agent_questions()]
}

fn code() -> impl Strategy<Value = Code> {
    let named = vec![
        Code::Enter,
        Code::Tab,
        Code::BackTab,
        Code::Backspace,
        Code::Delete,
        Code::Home,
        Code::End,
        Code::PageUp,
        Code::PageDown,
        Code::Up,
        Code::Down,
        Code::Left,
        Code::Right,
        Code::Esc,
        Code::F(1),
        Code::Insert,
    ];
    prop_oneof![
        3 => proptest::sample::select("yspntavreq?12345678901 x/".chars().collect::<Vec<_>>()).prop_map(Code::Char),
        3 => proptest::sample::select(named),
        1 => any::<char>().prop_map(Code::Char),
    ]
}

fn key() -> impl Strategy<Value = Key> {
    (code(), 0..20_u8).prop_map(|(code, held)| {
        let key = Key::plain(code);
        match held {
            0 => key.ctrl(),
            1 => key.alt_if(true),
            2 => key.shift(),
            _ => key,
        }
    })
}

fn keys(most: usize) -> impl Strategy<Value = Vec<Key>> {
    proptest::collection::vec(key(), 0..most)
}

/// The keys that may be the last one of an answer.
fn may_answer(question: &Question, key: Key) -> bool {
    // Ctrl-J and Ctrl-M are how some terminals say Enter.
    let key = by_its_name(key);
    let kind = question.kind();
    match key.code {
        Code::Enter => kind.word() != "approval",
        Code::Char(letter) if !key.ctrl && !key.alt => match kind.word() {
            "confirm" => matches!(letter, 'y' | 'n'),
            "approval" => matches!(letter, 'a' | 'r' | '1' | '2'),
            "select" | "question" => letter.is_ascii_digit(),
            "choice" => letter.is_ascii_digit() || letter == 'r',
            "permission" => matches!(letter, 'y' | 'n' | 's'),
            _ => false,
        },
        _ => false,
    }
}

/// Draws, and checks that the picture keeps to its columns and rows.
fn draw(block: &mut Block, screen: Screen) -> Result<(), TestCaseError> {
    let who = [FOREIGN.to_string().repeat(50), "b".to_owned()];
    let then = [FOREIGN.to_string().repeat(90)];
    let about =
        About { who: &who, time: "14:02", waiting: 3, folder: Some("Ω"), then: &then, ..About::default() };
    let drawn = block.draw(&about, screen);
    prop_assert!(drawn.rows.len() <= screen.height.max(1), "{} rows in {}", drawn.rows.len(), screen.height);
    for row in &drawn.rows {
        prop_assert!(row.width() <= screen.columns, "{:?}", row.text());
        let gutter: String = row.text().chars().take(2).collect();
        prop_assert!(screen.columns < 3 || !gutter.contains(FOREIGN), "{:?}", row.text());
    }
    if let Some((row, column)) = drawn.cursor {
        prop_assert!(row < drawn.rows.len() && column < screen.columns.max(1), "{:?}", drawn.cursor);
    }
    Ok(())
}

fn screen() -> impl Strategy<Value = Screen> {
    let columns = prop_oneof![1..30_usize, 60..120_usize];
    (columns, 0..40_usize, any::<bool>()).prop_map(|(columns, height, is_armed)| Screen {
        columns,
        height,
        is_armed,
    })
}

const USUAL: Screen = Screen { columns: 79, height: 24, is_armed: true };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn whatever_is_answered_fits_and_was_answered_by_a_listed_key(question in any_question(), keys in keys(40)) {
        let mut block = Block::new(&question, &here());
        for key in keys {
            draw(&mut block, USUAL)?;
            if let Effect::Answer(value) = block.key(key) {
                prop_assert!(may_answer(&question, key), "{key:?} answered {value:?}");
                let checked = actors::answer::check(&question, &value);
                prop_assert!(checked.is_ok(), "{key:?} gave {value:?}: {checked:?}");
            }
        }
    }

    #[test]
    fn enter_and_space_never_allow_a_tool_but_for_a_rule_that_is_shown(question in permission(), keys in keys(30)) {
        let mut block = Block::new(&question, &here());
        for key in keys {
            draw(&mut block, USUAL)?;
            let effect = block.key(key);
            let Effect::Answer(value) = effect else { continue };
            if matches!(by_its_name(key).code, Code::Enter | Code::Char(' ')) && value.raw().contains("\"allow\":true") {
                let grants = Verdict::read(&value).unwrap().granted();
                prop_assert!(!grants.is_empty(), "{value:?}");
            }
        }
    }

    #[test]
    fn whatever_is_kept_allows_what_was_asked(question in compound(), keys in steps(30)) {
        let mut block = Block::new(&question, &here());
        for key in keys {
            draw(&mut block, USUAL)?;
            let Effect::Answer(value) = block.key(key) else { continue };
            let granted = Verdict::read(&value).unwrap().granted();
            let gate = Gate::new(RuleSet { allow: granted, deny: Vec::new() }, here().place);
            let judged = gate.judge("Bash", &question.tool().unwrap().input);
            prop_assert_eq!(judged.decision, Decision::Allow, "{:?}", value);
        }
    }

    #[test]
    fn an_enter_at_the_beginning_takes_a_default_or_nothing(question in any_question()) {
        let mut block = Block::new(&question, &here());
        draw(&mut block, USUAL)?;
        if let Effect::Answer(value) = block.key(Key::plain(Code::Enter)) {
            let takes = matches!(
                question.asks,
                Asks::Prompt(
                    PromptKind::Confirm | PromptKind::Select | PromptKind::Checkbox | PromptKind::Input | PromptKind::PrefixSelect,
                    _
                )
            );
            prop_assert!(takes, "{value:?}");
        }
    }

    #[test]
    fn every_picture_keeps_to_its_columns(question in any_question(), steps in proptest::collection::vec((key(), screen()), 1..12)) {
        let mut block = Block::new(&question, &here());
        for (key, screen) in steps {
            draw(&mut block, screen)?;
            block.key(key);
            block.paste("Ω\n");
            draw(&mut block, screen)?;
        }
    }

    #[test]
    fn a_yes_needs_all_to_have_been_on_the_screen(lines in 1..80_usize, height in 0..40_usize) {
        let question = bash(&vec!["Ω"; lines].join("\n"));
        let mut block = Block::new(&question, &here());
        let about = About::default();
        let drawn = block.draw(&about, Screen { height, ..USUAL });
        let shown = drawn.rows.iter().filter(|row| row.text().contains(FOREIGN)).count();
        let allows = matches!(block.key(Key::plain(Code::Char('y'))), Effect::Answer(_));
        prop_assert_eq!(allows, shown == lines);
    }
}
