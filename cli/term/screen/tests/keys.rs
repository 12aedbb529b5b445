//! Whose a key is.

use super::super::super::editor::State;
use super::*;

#[test]
fn keys_count_a_second_after_the_question_was_drawn_and_the_screen_shows_it() {
    let mut stand = Stand::new();
    stand.confirm();
    assert_eq!(stand.drawn.get(), 1);
    assert!(!stand.is_armed());
    stand.passes(SECOND);
    assert!(stand.is_armed());
    stand.types("y");
    assert_eq!(stand.said(), [(1, yes())]);
}

#[test]
fn f040_what_was_typed_before_a_question_decides_nothing() {
    let mut stand = Stand::new();
    stand.types("y");
    stand.confirm();
    stand.passes(10 * SECOND);
    assert!(!stand.is_armed(), "the line holds text, for as long as it takes");
    stand.types("\r");
    assert!(stand.said().is_empty());
}

#[test]
fn until_keys_count_printable_keys_start_the_line() {
    let mut stand = Stand::new();
    stand.confirm();
    stand.types("y");
    assert!(stand.said().is_empty());
    assert!(stand.last_row().starts_with("❯ y"), "{}", stand.picture());
    stand.passes(10 * SECOND);
    assert!(!stand.is_armed());
}

#[test]
fn f041_a_question_in_the_place_of_another_is_not_armed() {
    let mut stand = Stand::new();
    let first = stand.confirm();
    stand.passes(SECOND);
    stand.closes(&first, &End::Cancelled { gone: true });
    stand.confirm();
    stand.types("y");
    assert!(stand.said().is_empty());
    stand.types("\x7f");
    stand.passes(SECOND);
    stand.types("y");
    assert_eq!(stand.said(), [(2, yes())], "an answer is for the question that was on the screen");
}

#[test]
fn two_answers_in_one_read_are_one_answer() {
    let mut stand = Stand::new();
    let first = stand.confirm();
    stand.passes(SECOND);
    let acts = stand.screen.typed(b"y", stand.now);
    stand.acts.extend(acts);
    stand.screen.close(&first, &answered_here(), stand.now);
    let second = stand.waiting(prompt("confirm", r#"{"message":"And now?"}"#));
    stand.screen.show(&second, &Behind::default(), Box::new(|| {}), stand.now);
    stand.types("y");
    assert_eq!(stand.said(), [(1, yes())]);
}

#[test]
fn tab_goes_from_a_line_with_text_to_the_question_and_the_line_stays() {
    let mut stand = Stand::new();
    stand.types("also ad");
    let up = stand.confirm();
    stand.passes(5 * SECOND);
    assert!(stand.last_row().contains("Tab answers the question"), "{}", stand.picture());
    assert_eq!(stand.screen.editor.state(), State::Active);
    stand.types("\t");
    assert!(stand.is_armed(), "the person looked: nothing more to wait for");
    assert_eq!((stand.screen.editor.state(), stand.screen.editor.text()), (State::Paused, "also ad"));
    stand.types("y");
    assert_eq!(stand.said(), [(1, yes())]);
    stand.closes(&up, &answered_here());
    stand.screen.hears(Path::new("web").unwrap(), true);
    stand.types("d tests\r");
    assert_eq!(stand.sent(), ["also add tests"]);
}

#[test]
fn a_line_that_is_sent_gives_the_keys_to_the_question_only_after_a_second() {
    let mut stand = Stand::new();
    stand.screen.hears(Path::new("web").unwrap(), true);
    stand.types("do it");
    stand.confirm();
    stand.passes(5 * SECOND);
    stand.types("\ry");
    assert!(stand.said().is_empty(), "a second line was begun");
    assert!(stand.last_row().starts_with("❯ y"));
    stand.types("\x7f");
    stand.passes(SECOND);
    assert!(stand.is_armed());
}

#[test]
fn esc_goes_to_the_line_and_the_question_stays_open() {
    let mut stand = Stand::new();
    stand.confirm();
    stand.passes(SECOND);
    stand.types("\x1b");
    stand.passes(SECOND);
    stand.types("y\t");
    assert!(stand.said().is_empty());
    assert!(stand.picture().contains("Deploy?") && stand.last_row().starts_with("❯ y"));
    stand.types("n");
    assert_eq!(stand.said().len(), 1);
}

#[test]
fn ctrl_c_clears_the_line_then_declines_then_asks_twice_before_it_ends() {
    let mut stand = Stand::new();
    stand.types("abc\x03");
    assert_eq!(stand.last_row(), "❯");
    let up = stand.confirm();
    stand.passes(SECOND);
    stand.types("\x03");
    assert_eq!(stand.said(), [(1, Said::Decline)]);
    stand.closes(&up, &End::Declined);
    stand.types("\x03");
    assert!(matches!(stand.acts[..], [Act::Interrupt(None)]), "declining did not count");
    assert!(stand.picture().contains("Ctrl-C again ends"));
    stand.types("\x03");
    assert!(matches!(stand.acts[..], [Act::Interrupt(None), Act::End]));
}

#[test]
fn after_two_seconds_a_ctrl_c_is_the_first_one_again() {
    let mut stand = Stand::new();
    stand.types("\x03");
    stand.passes(2 * SECOND);
    assert!(!stand.picture().contains("Ctrl-C again ends"), "the hint is gone");
    stand.types("\x03");
    assert!(matches!(stand.acts[..], [Act::Interrupt(None), Act::Interrupt(None)]));
}

#[test]
fn f039_ctrl_d_at_a_question_declines() {
    let mut stand = Stand::new();
    stand.confirm();
    stand.passes(SECOND);
    stand.types("\x04");
    assert_eq!(stand.said(), [(1, Said::Decline)]);
}

#[test]
fn a_line_that_nobody_reads_stays_on_the_line() {
    let mut stand = Stand::new();
    stand.types("hello\r");
    assert!(stand.sent().is_empty());
    assert!(stand.picture().contains("❯ hello") && stand.picture().contains("Nobody is there"));
}

#[test]
fn f056_a_paste_into_a_question_answers_nothing_and_goes_nowhere_else() {
    let mut stand = Stand::new();
    stand.confirm();
    stand.passes(SECOND);
    stand.types("\x1b[200~y\ny\ny\x1b[201~");
    assert!(stand.said().is_empty() && stand.screen.editor.is_empty());
    assert!(stand.picture().contains("no answer here"));
}

#[test]
fn f058_what_the_terminal_itself_says_is_no_key() {
    let mut stand = Stand::new();
    stand.confirm();
    stand.passes(SECOND);
    stand.types("\x1b[24;80R\x1b[?1;2c\x1b]11;rgb:0/0/0\x07");
    assert!(stand.acts.is_empty() && stand.screen.editor.is_empty());
}

#[test]
fn without_a_line_a_text_can_be_typed_at_once_but_not_sent() {
    let mut stand = Stand::of_size(80, 24, false);
    stand.asks(prompt("input", r#"{"message":"Name?"}"#));
    stand.types("Ann\r");
    assert!(stand.said().is_empty());
    stand.passes(SECOND);
    stand.types("\r");
    assert_eq!(stand.said(), [(1, Said::Answer(Json::of("Ann")))]);
}

#[test]
fn without_a_line_keys_that_do_not_count_yet_are_nobodys_but_ctrl_c() {
    let mut stand = Stand::of_size(80, 24, false);
    stand.confirm();
    stand.types("yyy\r");
    assert!(stand.said().is_empty());
    stand.types("\x03");
    assert_eq!(stand.said(), [(1, Said::Decline)]);
}

#[test]
fn ctrl_o_shows_what_was_folded_the_last_first() {
    let mut stand = Stand::new();
    let folded = |text| Some(vec![Row::foreign(Style::DIM, text)]);
    stand.screen.output(vec![Row::foreign(Style::DIM, "  a …")], folded("    all of a"));
    stand.screen.output(vec![Row::foreign(Style::DIM, "  b …")], folded("    all of b"));
    stand.types("\x0f");
    assert!(stand.picture().contains("all of b") && !stand.picture().contains("all of a"));
    stand.types("\x0f");
    assert!(stand.picture().contains("all of a"));
    stand.types("\x0f");
    assert!(stand.picture().contains("nothing more to unfold"));
}

#[test]
fn the_rest_of_an_answer_does_not_go_to_an_agent_when_its_question_has_just_vanished() {
    let mut stand = Stand::new();
    stand.screen.hears(Path::new("web").unwrap(), true);
    let up = stand.asks(prompt("input", r#"{"message":"Password?"}"#));
    stand.passes(SECOND);
    stand.types("hun");
    stand.closes(&up, &End::Cancelled { gone: true });
    assert!(stand.picture().contains("❯ hun") && stand.picture().contains("your words are here"));
    stand.types("ter2\r");
    assert!(stand.sent().is_empty());
    assert!(stand.picture().contains("❯ hunter2") && stand.picture().contains("Enter again sends this"));
    stand.types("\r");
    assert_eq!(stand.sent(), ["hunter2"], "the person saw it and wants it");
}

#[test]
fn a_line_begun_long_after_a_question_vanished_is_sent_at_once() {
    let mut stand = Stand::new();
    stand.screen.hears(Path::new("web").unwrap(), true);
    let up = stand.confirm();
    stand.passes(SECOND);
    stand.closes(&up, &End::Cancelled { gone: true });
    stand.passes(SECOND);
    stand.types("go on\r");
    assert_eq!(stand.sent(), ["go on"]);
}

#[test]
fn what_did_not_count_is_said_in_its_own_question_only() {
    let mut stand = Stand::new();
    let first = stand.confirm();
    stand.screen.object(Some(&first.offer.key), "it does not fit");
    stand.settle();
    assert!(stand.last_row().contains("it does not fit"));
    stand.closes(&first, &End::Cancelled { gone: true });
    stand.confirm();
    stand.screen.object(Some(&first.offer.key), "too late");
    stand.settle();
    assert!(stand.picture().contains("! too late") && !stand.last_row().contains("too late"));
}

#[test]
fn after_something_else_had_the_terminal_no_key_counts_before_the_question_is_drawn_again() {
    let mut stand = Stand::new();
    stand.confirm();
    stand.passes(SECOND);
    stand.screen.resumed(stand.now);
    stand.types("y");
    assert!(stand.said().is_empty());
    stand.types("\x7f");
    stand.passes(SECOND);
    stand.types("y");
    assert_eq!(stand.said(), [(1, yes())]);
}

#[test]
fn what_a_larger_window_shows_for_the_first_time_cannot_be_allowed_at_once() {
    let mut stand = Stand::of_size(80, 8, true);
    let rows: Vec<String> = (0..30).map(|row| format!("echo {row}")).collect();
    stand.asks(bash(&rows.join("\n")));
    stand.passes(SECOND);
    assert!(stand.picture().contains("needed before y"), "{}", stand.picture());
    stand.terminal.screen_mut().set_size(size(50), size(80));
    stand.screen.resized(80, 50);
    stand.types("y");
    assert!(stand.said().is_empty());
    stand.settle();
    stand.types("\x15");
    assert!(!stand.is_bold("y once", "y"));
    stand.passes(SECOND);
    stand.types("y");
    assert_eq!(stand.said().len(), 1);
}

#[test]
fn a_key_that_is_held_down_answers_one_of_several_questions() {
    let mut stand = Stand::new();
    let one = |name: &str| {
        format!(
            r#"{{"question":"{name}?","header":"{name}","options":[{{"label":"yes"}},{{"label":"no"}}]}}"#
        )
    };
    let input = format!(r#"{{"questions":[{},{},{}]}}"#, one("A"), one("B"), one("C"));
    stand.asks(of_tool(tool("AskUserQuestion", &input)));
    stand.passes(SECOND);
    stand.types("111");
    stand.types("1");
    assert!(stand.said().is_empty());
    assert!(stand.picture().contains("question 2 of 3"), "{}", stand.picture());
    for _ in 0..2 {
        stand.passes(SECOND / 2);
        stand.types("1");
    }
    assert_eq!(stand.said().len(), 1);
}

#[test]
fn ctrl_c_at_a_question_whose_keys_do_not_count_yet_ends_nothing() {
    let mut stand = Stand::new();
    stand.confirm();
    stand.types("\x03");
    stand.types("\x03");
    assert!(stand.acts.is_empty());
    assert!(stand.picture().contains("count in a moment"));
}

#[test]
fn a_line_begun_for_an_agent_that_has_gone_is_not_sent_to_another_at_once() {
    let mut stand = Stand::new();
    stand.screen.hears(Path::new("alpha").unwrap(), true);
    stand.types("only for alpha");
    stand.screen.hears(Path::new("alpha").unwrap(), false);
    stand.screen.hears(Path::new("beta").unwrap(), true);
    stand.types("\r");
    assert!(stand.sent().is_empty());
    assert!(stand.picture().contains("Enter again sends this to beta"), "{}", stand.picture());
    stand.types("\r");
    assert_eq!(stand.sent(), ["only for alpha"]);
}

#[test]
fn a_sentence_that_is_typed_at_a_question_is_a_line_and_no_answer() {
    let choices = r#"{"message":"?","choices":[{"name":"a","value":1},{"name":"b","value":2}]}"#;
    let write = of_tool(tool("Write", r#"{"file_path":"a","content":"b"}"#));
    let asks = [
        (
            prompt("confirm", r#"{"message":"?"}"#),
            ["hey wait a moment", "@web why", "3 days", "why not by hand"],
        ),
        (write, ["python is missing", "hey, why", "vary it by hand", "1 by 1"]),
        (bash("echo $(date) > a"), ["sync the disk first, by hand", "put it by hand", "why not", "by hand"]),
        (prompt("select", choices), ["really 2 of them", "a 2nd look", "by 1", "x 1"]),
    ];
    for (question, sentences) in asks {
        for sentence in sentences {
            let mut stand = Stand::new();
            stand.screen.hears(Path::new("api").unwrap(), true);
            stand.screen.hears(Path::new("web").unwrap(), true);
            stand.asks(question.clone());
            stand.passes(SECOND);
            assert!(stand.screen.up.as_ref().is_some_and(|up| up.focus.counts()), "{}", stand.picture());
            stand.types(sentence);
            assert!(stand.said().is_empty(), "{sentence}");
            assert!(stand.picture().contains(&format!("❯ {sentence}")), "{}", stand.picture());
            assert!(!stand.picture().contains("Answer with"), "{}", stand.picture());
            stand.passes(10 * SECOND);
            assert!(stand.picture().contains("Tab answers the question"), "{}", stand.picture());
        }
    }
}

#[test]
fn no_letter_of_a_line_is_lost_that_began_at_a_question() {
    let begun = || {
        let mut stand = Stand::new();
        stand.screen.hears(Path::new("web").unwrap(), true);
        stand
    };
    let mut stand = begun();
    stand.confirm();
    stand.passes(SECOND);
    stand.types("h\x1b[200~ello\x1b[201~ there");
    assert!(stand.picture().contains("❯ hello there"), "{}", stand.picture());
    let mut stand = begun();
    stand.types("draft ");
    stand.confirm();
    stand.types("\t");
    stand.passes(SECOND);
    stand.types("hello");
    assert!(stand.said().is_empty() && stand.picture().contains("❯ draft hello"), "{}", stand.picture());
    let mut stand = begun();
    let up = stand.confirm();
    stand.passes(SECOND);
    stand.types("h");
    stand.closes(&up, &End::Cancelled { gone: true });
    stand.types("ello");
    assert!(stand.picture().contains("❯ hello"), "{}", stand.picture());
}

#[test]
fn one_letter_that_is_no_answer_is_only_a_hint_and_the_keys_count_again_after_a_second() {
    let mut stand = Stand::new();
    stand.screen.hears(Path::new("web").unwrap(), true);
    stand.confirm();
    stand.passes(SECOND);
    stand.types("x");
    assert!(stand.last_row().contains("Answer with y or n"), "{}", stand.picture());
    stand.passes(SECOND);
    stand.types("y");
    assert_eq!(stand.said(), vec![(1, Said::Answer(Json::of(&true)))]);
    assert!(!stand.picture().contains("❯ x"), "{}", stand.picture());
}

#[test]
fn the_rest_of_a_line_whose_beginning_was_taken_away_is_not_sent_at_once() {
    let mut stand = Stand::new();
    stand.screen.hears(Path::new("one").unwrap(), true);
    stand.types("do not ");
    stand.screen.drop_line();
    stand.screen.hears(Path::new("one").unwrap(), false);
    stand.screen.hears(Path::new("two").unwrap(), true);
    stand.types("delete it\r");
    assert!(stand.sent().is_empty());
    assert!(stand.picture().contains("Its beginning was not sent"), "{}", stand.picture());
    stand.types("\r");
    assert_eq!(stand.sent(), ["delete it"], "the person saw it and wants it");
    stand.types("more\r");
    assert_eq!(stand.sent(), ["more"]);
}

#[test]
fn a_line_for_nobody_who_is_here_is_sent_only_when_that_was_said() {
    let mut stand = Stand::new();
    stand.screen.hears(Path::new("api").unwrap(), true);
    stand.screen.hears(Path::new("web").unwrap(), true);
    stand.types("@dosc hello\r");
    assert!(stand.sent().is_empty());
    assert!(stand.picture().contains("Nobody here is called dosc. Enter again sends this to api"));
    stand.types("\r");
    assert_eq!(stand.sent(), ["@dosc hello"]);
}
