//! Random orders of everything that can happen at a screen; and the properties of the seed that concern it.

use proptest::prelude::*;

use super::super::status::Status;
use super::*;

/// Something that happens.
#[derive(Debug, Clone)]
enum Step {
    Types(String),
    Asks(usize),
    Withdraws,
    Says(String),
    Streams(String),
    Passes(u64),
    Resizes(usize, usize),
}

fn keys() -> impl Strategy<Value = String> {
    let some =
        ["y", "n", "a", "r", "1", "2", "9", " ", "\r", "\t", "\x1b", "\x03", "\x7f", "s", "t", "v", "?"];
    let long = ["hello", "\x1b[200~y\ny\x1b[201~", "\x1b[A", "\x1b[B", "日本", "\x0f", "\x0c", "@all x"];
    proptest::sample::select([&some[..], &long[..]].concat()).prop_map(str::to_owned)
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => keys().prop_map(Step::Types),
        2 => (0..5_usize).prop_map(Step::Asks),
        1 => Just(Step::Withdraws),
        1 => "[a-zΩ\u{1b}\n ]{0,30}".prop_map(Step::Says),
        1 => "[a-z \n]{0,30}".prop_map(Step::Streams),
        3 => prop_oneof![Just(0), Just(50), Just(999), Just(1_000), Just(5_000)].prop_map(Step::Passes),
        1 => (10..120_usize, 3..40_usize).prop_map(|(columns, height)| Step::Resizes(columns, height)),
    ]
}

fn question(kind: usize) -> Question {
    let choices =
        r#"{"message":"Which?","choices":[{"name":"One","value":"1st"},{"name":"Two","value":"2nd"}]}"#;
    match kind {
        0 => prompt("confirm", r#"{"message":"Deploy?"}"#),
        1 => bash("touch Ω"),
        2 => prompt("approval", choices),
        3 => prompt("choice", choices),
        _ => prompt("text", r#"{"message":"Say"}"#),
    }
}

/// Plays steps; every answer is looked at when it is given.
fn play(steps: &[Step], mut look: impl FnMut(&Question, &Said, bool)) -> Stand {
    let mut stand = Stand::new();
    stand.screen.hears(Path::new("web").unwrap(), true);
    let mut up: Option<Waiting> = None;
    for step in steps {
        match step {
            Step::Types(keys) => {
                let armed = stand.screen.up.as_ref().is_some_and(|up| up.focus.counts());
                stand.types(keys);
                for (number, said) in stand.said() {
                    let over = up.take().expect("a question is up that was answered");
                    assert_eq!(over.offer.key.number, number);
                    look(&over.offer.question, &said, armed);
                    stand.closes(&over, &answered_here());
                }
            }
            Step::Asks(kind) if up.is_none() => up = Some(stand.asks(question(*kind))),
            Step::Withdraws => {
                if let Some(over) = up.take() {
                    stand.closes(&over, &End::Cancelled { gone: false });
                }
            }
            Step::Says(text) => {
                let rows = text.split('\n').map(|line| Row::blanks(2).and(Span::foreign(Style::PLAIN, line)));
                stand.screen.output(rows.collect(), None);
            }
            Step::Streams(text) => stand.screen.stream(text),
            Step::Passes(time) => stand.passes(Duration::from_millis(*time)),
            Step::Resizes(columns, height) => {
                stand.terminal.screen_mut().set_size(size(*height), size(*columns));
                stand.screen.resized(*columns, *height);
            }
            Step::Asks(_) => {}
        }
        stand.settle();
    }
    stand
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Whatever happens in whatever order: an answer is for the question that is up, and was typed while the screen said
    /// that keys count.
    #[test]
    fn no_key_answers_that_was_not_pressed_at_an_armed_question(steps in steps()) {
        let mut all_armed = true;
        play(&steps, |_, _, armed| all_armed &= armed);
        prop_assert!(all_armed);
    }

    #[test]
    fn seed_property_3_an_approval_is_approve_or_reject_and_nothing_else(steps in steps()) {
        play(&steps, |question, said, _| {
            let kind = question.kind().word();
            if let Said::Answer(value) = said && kind == "approval" {
                assert!(matches!(value.raw(), r#""approve""# | r#""reject""#), "{}", value.raw());
            }
        });
    }

    #[test]
    fn seed_property_4_a_choice_is_an_index_in_range_with_its_value_or_reject(steps in steps()) {
        play(&steps, |question, said, _| {
            let kind = question.kind().word();
            if let Said::Answer(value) = said && kind == "choice" {
                let fits = [r#"{"index":0,"value":"1st"}"#, r#"{"index":1,"value":"2nd"}"#, r#""reject""#];
                assert!(fits.contains(&value.raw()), "{}", value.raw());
            }
        });
    }

    /// However much of a text has come: when a question is up nothing of it grows any more, and what came stands above.
    #[test]
    fn seed_property_6_live_text_is_final_before_a_question_is_shown(texts in prop::collection::vec("[a-z \n]{0,40}", 0..9)) {
        let mut stand = Stand::new();
        stand.screen.set_status(Some(Status::Says(Row::own(Style::DIM, "  ⠹ claude  writing"))));
        let whole: String = texts.concat();
        for text in &texts {
            stand.screen.stream(text);
            stand.settle();
        }
        stand.confirm();
        prop_assert!(stand.screen.stream.rest(79).is_none_or(|row| row.text().trim().is_empty()));
        prop_assert!(!stand.picture().contains("writing"), "the spinner has stopped");
        let mut rows = stand.picture();
        rows.truncate(rows.find("? main").unwrap());
        let last = whole.split_whitespace().last().unwrap_or_default();
        prop_assert!(rows.contains(last));
    }

    /// Every key that fits nothing leaves the question open, says something, and the next valid one still answers.
    #[test]
    fn seed_property_8_what_does_not_fit_asks_again_with_a_hint(wrong in prop::collection::vec("[xqzk457]", 1..9), is_choice: bool) {
        let mut stand = Stand::new();
        stand.asks(question(if is_choice { 3 } else { 2 }));
        stand.passes(SECOND);
        for key in &wrong {
            stand.types(key);
            prop_assert!(stand.said().is_empty());
            let hint = if is_choice { "1" } else { "Answer with" };
            prop_assert!(stand.last_row().contains(hint), "{}", stand.picture());
            stand.passes(SECOND);
        }
        stand.types("r");
        prop_assert_eq!(stand.said(), vec![(1, Said::Answer(Json::of("reject")))]);
    }

    /// Keys that fit nothing and come without a pause are a line, whatever follows them; none answers.
    #[test]
    fn what_does_not_fit_and_what_follows_it_at_once_answers_nothing(wrong in "[xqzkb7]", rest in "[a-z0-9 ]{1,12}", is_choice: bool) {
        let mut stand = Stand::new();
        stand.screen.hears(Path::new("web").unwrap(), true);
        stand.asks(question(if is_choice { 3 } else { 2 }));
        stand.passes(SECOND);
        stand.types(&wrong);
        stand.types(&rest);
        stand.passes(10 * SECOND);
        prop_assert!(stand.said().is_empty());
        let line = format!("❯ {wrong}{rest}");
        prop_assert!(stand.picture().contains(line.trim_end()), "{}", stand.picture());
    }

    /// Foreign text never stands in the two leftmost columns of what was not broken anew by a terminal.
    #[test]
    fn the_gutter_is_ours(steps in prop::collection::vec(step().prop_filter("a terminal that changes", |step| !matches!(step, Step::Resizes(..))), 1..60)) {
        let stand = play(&steps, |_, _, _| {});
        for row in stand.picture().lines() {
            prop_assert!(!row.chars().take(2).any(|letter| letter == 'Ω'), "{row}");
        }
    }
}
