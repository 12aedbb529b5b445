use proptest::prelude::*;

use super::super::keys::{Code, Decoder, Input, Key};
use super::*;

/// Presses what those bytes are on a terminal.
pub(super) fn press(editor: &mut Editor, bytes: &str) -> Vec<Edit> {
    let mut decoder = Decoder::default();
    let mut inputs = decoder.feed(bytes.as_bytes());
    inputs.extend(decoder.idle());
    let take = |input| match input {
        Input::Key(key) => editor.key(key),
        Input::Paste(text) => editor.paste(&text),
        Input::PasteTooLong { bytes } => Edit::TooLong { bytes },
    };
    inputs.into_iter().map(take).collect()
}

fn last(editor: &mut Editor, bytes: &str) -> Edit {
    press(editor, bytes).pop().unwrap()
}

/// The line after those bytes, with `|` at the cursor.
fn after(bytes: &str) -> String {
    let mut editor = Editor::default();
    press(&mut editor, bytes);
    marked(&editor)
}

fn marked(editor: &Editor) -> String {
    let mut text = editor.text().to_owned();
    text.insert(editor.text.cursor(), '|');
    text
}

#[test]
fn typed_letters_stand_where_the_cursor_is() {
    assert_eq!(after("hello"), "hello|");
    assert_eq!(after("hllo\x1b[D\x1b[D\x1b[De"), "he|llo");
    assert_eq!(after("ello\x01h"), "h|ello");
    assert_eq!(after("hell\x02\x02\x05o"), "hello|");
    assert_eq!(after("ab\x1b[H\x06x"), "ax|b");
    assert_eq!(after("ab\x1b[H\x1b[Fx"), "abx|");
}

#[test]
fn the_cursor_moves_by_what_a_person_takes_for_one_character() {
    assert_eq!(after("ae\u{301}日\x1b[D\x1b[D"), "a|e\u{301}日");
    assert_eq!(after("a👨\u{200d}👩\u{200d}👧\x7f"), "a|");
    assert_eq!(after("e\x1b[D\u{301}"), "\u{301}|e");
    assert_eq!(after("ex\x1b[D\x1b[200~\u{301}\x1b[201~\x7f"), "|x");
}

#[test]
fn backspace_and_delete_take_one_character() {
    assert_eq!(after("abc\x7f"), "ab|");
    assert_eq!(after("abc\x08"), "ab|");
    assert_eq!(after("abc\x1b[104;5u"), "ab|");
    assert_eq!(after("abc\x01\x1b[3~"), "|bc");
    assert_eq!(after("abc\x01\x04"), "|bc");
    assert_eq!(after("abc\x04"), "abc|");
    assert_eq!(after("\x7f\x1b[3~"), "|");
}

#[test]
fn words_are_letters_and_digits() {
    assert_eq!(after("cargo test-all  \x1bb"), "cargo test-|all  ");
    assert_eq!(after("cargo test-all\x1bb\x1bb"), "cargo |test-all");
    assert_eq!(after("cargo test\x01\x1bf"), "cargo| test");
    assert_eq!(after("cargo test\x01\x1b[1;5C\x1b[1;5C"), "cargo test|");
    assert_eq!(after("cargo test\x1b[1;5D"), "cargo |test");
    assert_eq!(after("cargo test-all\x1b\x7f"), "cargo test-|");
    assert_eq!(after("cargo test\x01\x1bD"), "| test");
    assert_eq!(after("cargo test\x1b[127;5u"), "cargo |");
}

#[test]
fn ctrl_w_takes_everything_up_to_a_blank() {
    assert_eq!(after("cargo test-all  \x17"), "cargo |");
    assert_eq!(after("one\x17\x17"), "|");
}

#[test]
fn what_was_cut_out_comes_back_as_one() {
    assert_eq!(after("one two three\x17\x17\x19"), "one two three|");
    assert_eq!(after("one two\x15\x19\x19"), "one twoone two|");
    assert_eq!(after("one two\x01\x0b\x19"), "one two|");
    assert_eq!(after("one two\x1bb\x0b\x15\x19"), "one two|");
    assert_eq!(after("one two\x17x\x17\x19"), "one x|", "another key between them ends it");
    assert_eq!(after("gone\x03\x19"), "gone|");
}

#[test]
fn lines_of_one_text_are_moved_through() {
    assert_eq!(after("one\x1b\rtwo"), "one\ntwo|");
    assert_eq!(after("one\x1b[13;2utwo"), "one\ntwo|");
    assert_eq!(after("long one\x1b\rx\x1b\rlong two\x1b[A\x1b[A"), "long one|\nx\nlong two");
    assert_eq!(after("one\x1b\rtwo\x1b[A\x1b[B"), "one\ntwo|");
    assert_eq!(after("one\x1b\rtwo\x01"), "one\n|two");
    assert_eq!(after("one\x1b\rtwo\x1b[A\x05"), "one|\ntwo");
    assert_eq!(after("one\x1b\rtwo\x15\x15"), "one\n|");
    assert_eq!(after("one\x1b\rtwo\x1b[A\x05\x0b"), "one|two");
    assert_eq!(after("日本\x1b\rabc\x1b[D\x1b[A"), "日|本\nabc");
}

#[test]
fn enter_sends_what_is_there_and_nothing_if_there_is_nothing() {
    let mut editor = Editor::default();
    assert_eq!(press(&mut editor, "\r"), [Edit::Changed]);
    assert_eq!(last(&mut editor, "hello\r"), Edit::Submit("hello".to_owned()));
    assert_eq!(marked(&editor), "|");
    assert_eq!(last(&mut editor, "  \r"), Edit::Changed);
    assert!(editor.is_empty());
}

#[test]
fn pasted_newlines_send_nothing() {
    let mut editor = Editor::default();
    assert_eq!(press(&mut editor, "\x1b[200~y\r\ny\ry\n\x1b[201~"), [Edit::Changed]);
    assert_eq!(editor.text(), "y\ny\ny\n");
    assert_eq!(last(&mut editor, "\r"), Edit::Submit("y\ny\ny\n".to_owned()));
}

#[test]
fn keys_that_are_for_others_are_said_and_change_nothing() {
    let effects = [("\x0c", Edit::Redraw), ("\x0f", Edit::Unfold), ("\x1b", Edit::Escape), ("\t", Edit::Tab)];
    let empty = [("?", Edit::Keys), ("\x03", Edit::Interrupt), ("\x04", Edit::Eof), ("\x1a", Edit::Suspend)];
    let mut editor = Editor::default();
    for (bytes, effect) in effects.iter().chain(&empty) {
        assert_eq!(&last(&mut editor, bytes), effect);
    }
    assert_eq!(press(&mut editor, "\x1b[24~\x1b[5~\x14"), [Edit::Nothing, Edit::Nothing, Edit::Nothing]);
    press(&mut editor, "x");
    for (bytes, effect) in effects {
        assert_eq!(last(&mut editor, bytes), effect);
    }
    assert_eq!(marked(&editor), "x|");
    assert_eq!(last(&mut editor, "?"), Edit::Changed);
    assert_eq!(last(&mut editor, "\x03"), Edit::Changed);
    assert!(editor.is_empty());
}

#[test]
fn lines_sent_before_come_back_and_the_draft_too() {
    let mut editor = Editor::default();
    press(&mut editor, "one\rtwo\rtwo\rdraft");
    for (bytes, line) in [("\x1b[A", "two|"), ("\x1b[A", "one|"), ("\x1b[A", "one|"), ("\x1b[B", "two|")] {
        press(&mut editor, bytes);
        assert_eq!(marked(&editor), line);
    }
    press(&mut editor, " changed\x10\x0e");
    assert_eq!(marked(&editor), "two changed|");
    press(&mut editor, "\x1b[B");
    assert_eq!(marked(&editor), "draft|");
    assert_eq!(last(&mut editor, "\x1b[B"), Edit::Nothing);
    press(&mut editor, "\x1b[A\r\x1b[A\x1b[A");
    assert_eq!(marked(&editor), "two|", "what was sent is added, what was not is forgotten");
}

#[test]
fn no_more_lines_are_kept_than_a_person_goes_back() {
    let mut editor = Editor::default();
    for number in 0..=history::MOST_LINES {
        press(&mut editor, &format!("{number}\r"));
    }
    let walked = (0..2000).take_while(|_| last(&mut editor, "\x1b[A") == Edit::Changed).count();
    assert_eq!((walked, editor.text()), (history::MOST_LINES, "1"));
}

#[test]
fn a_line_that_would_be_too_long_is_refused_and_not_cut() {
    let mut editor = Editor::default();
    assert_eq!(editor.paste(&"x".repeat(LONGEST_LINE - 1)), Edit::Changed);
    assert_eq!(editor.paste("日"), Edit::TooLong { bytes: LONGEST_LINE + 2 });
    assert_eq!(last(&mut editor, "y"), Edit::Changed);
    assert_eq!(last(&mut editor, "z"), Edit::TooLong { bytes: LONGEST_LINE + 1 });
    assert_eq!(editor.text().len(), LONGEST_LINE);
    assert!(editor.text().ends_with("xy"));
}

#[test]
fn half_a_line_is_kept_while_something_else_has_the_keys() {
    let mut editor = Editor::default();
    press(&mut editor, "also ad");
    editor.pause();
    assert_eq!(press(&mut editor, "y\r\x03"), [Edit::Nothing, Edit::Nothing, Edit::Nothing]);
    assert_eq!(editor.paste("y"), Edit::Nothing);
    editor.resume();
    assert_eq!(last(&mut editor, "d tests\r"), Edit::Submit("also add tests".to_owned()));
}

#[test]
fn a_stopped_line_takes_nothing_until_it_is_started() {
    let mut editor = Editor::default();
    press(&mut editor, "half");
    assert_eq!(editor.stop(), "half");
    editor.resume();
    editor.pause();
    assert_eq!((editor.state(), last(&mut editor, "x")), (State::Stopped, Edit::Nothing));
    editor.start();
    assert_eq!((last(&mut editor, "x"), editor.text()), (Edit::Changed, "x"));
}

#[test]
fn a_message_that_is_taken_back_stands_before_what_is_typed() {
    let mut editor = Editor::default();
    editor.put_back("also add a test");
    assert_eq!(marked(&editor), "also add a test|");
    press(&mut editor, "\x15now");
    editor.put_back("first");
    assert_eq!(marked(&editor), "first\n|now");
}

pub(super) fn keys() -> impl Strategy<Value = Vec<String>> {
    let key = prop_oneof![
        6 => "[a-c日é \u{301}😀\u{200d}\u{1F1E9}]",
        6 => proptest::sample::select(vec![
            "\x01", "\x02", "\x03", "\x04", "\x05", "\x06", "\x0b", "\x10", "\x0e", "\x15", "\x17", "\x19", "\x1b\r", "\r",
            "\x7f", "\x1b[3~", "\x1bb", "\x1bf", "\x1bd", "\x1b\x7f", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[1;5D",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_filter("no escape", |letter| *letter != '\x1b').prop_map(String::from),
        1 => "\x1b\\[200~[a-z\r\n\t\x07\x1b]{0,9}\x1b\\[201~",
    ];
    proptest::collection::vec(key, 0..40)
}

proptest! {
    #[test]
    fn the_cursor_is_always_between_two_characters(pressed in keys()) {
        use unicode_segmentation::UnicodeSegmentation as _;
        let mut editor = Editor::default();
        for bytes in pressed {
            press(&mut editor, &bytes);
            let cursor = editor.text.cursor();
            let mut places = editor.text().grapheme_indices(true).map(|(at, _)| at);
            prop_assert!(cursor == editor.text().len() || places.any(|at| at == cursor));
        }
    }

    #[test]
    fn what_is_cut_and_brought_back_changes_nothing(text in "[a-c é\n]{0,20}", moves in 0..20_usize) {
        let mut editor = Editor::default();
        editor.paste(&text);
        for _ in 0..moves {
            editor.key(Key::plain(Code::Left));
        }
        for cut in ["\x17", "\x15", "\x1b\x7f"] {
            press(&mut editor, &format!("{cut}\x19"));
            prop_assert_eq!(editor.text(), &text);
            editor.cut = String::new();
        }
    }
}
