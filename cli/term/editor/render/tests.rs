use proptest::prelude::*;

use super::super::super::measure::width;
use super::super::tests::{keys, press};
use super::*;

fn prompt() -> Row {
    Row::own(Style::PLAIN, "❯ ")
}

fn drawn(editor: &Editor, columns: usize, most: usize) -> (Vec<String>, (usize, usize), usize) {
    let rendered: super::Rendered = editor.render(&prompt(), columns, most);
    (rendered.rows.iter().map(Row::text).collect(), rendered.cursor, rendered.hidden)
}

fn rows(rows: &[&str]) -> Vec<String> {
    rows.iter().map(|row| (*row).to_owned()).collect()
}

#[test]
fn the_line_stands_behind_the_prompt_and_its_other_rows_below_it() {
    let mut editor = Editor::default();
    assert_eq!(drawn(&editor, 10, 5), (rows(&["❯ "]), (0, 2), 0));
    press(&mut editor, "abcdefg");
    assert_eq!(drawn(&editor, 10, 5), (rows(&["❯ abcdefg"]), (0, 9), 0));
    press(&mut editor, "h");
    assert_eq!(drawn(&editor, 10, 5), (rows(&["❯ abcdefgh", "  "]), (1, 2), 0));
    press(&mut editor, "i\x1b[D\x1b[D");
    assert_eq!(drawn(&editor, 10, 5), (rows(&["❯ abcdefgh", "  i"]), (0, 9), 0));
    press(&mut editor, "\x05\x1b\rx");
    assert_eq!(drawn(&editor, 10, 5), (rows(&["❯ abcdefgh", "  i", "  x"]), (2, 3), 0));
}

#[test]
fn wide_and_hidden_characters_are_counted_as_they_are_shown() {
    let mut editor = Editor::default();
    press(&mut editor, "日本\x1b[D");
    assert_eq!(drawn(&editor, 10, 5), (rows(&["❯ 日本"]), (0, 4), 0));
    assert_eq!(drawn(&editor, 5, 5), (rows(&["❯ 日", "  本"]), (1, 2), 0));
    let mut hostile = Editor::default();
    hostile.paste("\x1b[2J\u{202e}");
    assert_eq!(drawn(&hostile, 80, 5), (rows(&["❯ \\x1b[2J\\u{202e}"]), (0, 17), 0));
}

#[test]
fn a_text_with_many_rows_shows_those_around_the_cursor_and_counts_the_others() {
    let mut editor = Editor::default();
    editor.paste("1\n2\n3\n4\n5\n6");
    assert_eq!(drawn(&editor, 20, 6).2, 0);
    let end = drawn(&editor, 20, 4);
    assert_eq!(end, (rows(&["  … 3 rows above", "  4", "  5", "  6"]), (3, 3), 3));
    press(&mut editor, "\x1b[A\x1b[A");
    let middle = drawn(&editor, 20, 4);
    assert_eq!(middle, (rows(&["  … 2 rows above", "  3", "  4", "  … 2 rows below"]), (2, 3), 4));
    press(&mut editor, "\x1b[A\x1b[A\x1b[A");
    let begin = drawn(&editor, 20, 4);
    assert_eq!(begin, (rows(&["❯ 1", "  2", "  3", "  … 3 rows below"]), (0, 3), 3));
    assert_eq!(drawn(&editor, 20, 1), (rows(&["❯ 1"]), (0, 3), 5));
}

proptest! {
    #[test]
    fn no_row_is_too_wide_and_the_cursor_is_on_the_screen(pressed in keys(), columns in 0..20_usize, most in 0..6_usize) {
        let mut editor = Editor::default();
        for bytes in pressed {
            press(&mut editor, &bytes);
            let (rows, cursor, _) = drawn(&editor, columns, most);
            prop_assert!(rows.iter().all(|row| width(row) <= columns.max(1)), "{:?}", rows);
            prop_assert!(!rows.is_empty() && rows.len() <= most.max(1));
            prop_assert!(cursor.0 < rows.len() && cursor.1 < columns.max(1));
        }
    }

    #[test]
    fn lines_far_from_the_cursor_are_counted_as_they_would_be_drawn(
        text in "([a-c日é\u{7}\t ]{0,9}\n){0,12}[a-c]{0,9}",
        moves in 0..60_usize,
        columns in 1..9_usize,
        most in 1..6_usize,
    ) {
        let mut editor = Editor::default();
        editor.paste(&text);
        for _ in 0..moves {
            press(&mut editor, "\x1b[D");
        }
        let (some, cursor, hidden) = drawn(&editor, columns, most);
        let (all, whole_cursor, none) = drawn(&editor, columns, 1000);
        prop_assert_eq!(none, 0);
        let hints = some.iter().filter(|row| row.contains('…')).count();
        prop_assert!(hidden == 0 && some == all || hints > 0 || some.len() + hidden == all.len());
        prop_assert_eq!(&some[cursor.0], &all[whole_cursor.0]);
        prop_assert_eq!(cursor.1, whole_cursor.1);
    }

    #[test]
    fn everything_typed_is_shown(text in "[a-z日é ]{0,60}", columns in 5..30_usize) {
        let mut editor = Editor::default();
        editor.paste(&text);
        let (rows, ..) = drawn(&editor, columns, 100);
        let shown: String = rows.iter().map(|row| row.chars().skip(2).collect::<String>()).collect();
        prop_assert_eq!(shown, text);
    }
}
