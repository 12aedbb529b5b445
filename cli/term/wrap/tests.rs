use codec::text::visible;
use proptest::prelude::*;

use super::super::measure::width;
use super::*;

fn texts(rows: &[Row]) -> Vec<String> {
    rows.iter().map(Row::text).collect()
}

fn words(text: &str, columns: usize) -> Vec<String> {
    texts(&fold(&Row::foreign(Style::PLAIN, text), &Margin::blank(2), columns, Breaks::Words))
}

fn shown(text: &str, columns: usize) -> Vec<String> {
    texts(&command(text, Style::BOLD, columns))
}

#[test]
fn prose_breaks_between_words() {
    assert_eq!(words("the quick brown fox", 12), ["  the quick", "  brown fox"]);
    assert_eq!(words("a bcd efg", 7), ["  a bcd", "  efg"]);
    assert_eq!(words("abcde fgh", 7), ["  abcde", "  fgh"]);
    assert_eq!(words("", 7), ["  "]);
    assert_eq!(words("  indented text", 12), ["    indented", "  text"]);
}

#[test]
fn a_word_that_is_longer_than_a_row_breaks_at_the_edge() {
    assert_eq!(words("see abcdefghijk now", 8), ["  see", "  abcdef", "  ghijk", "  now"]);
    assert_eq!(words("日本語日本語", 7), ["  日本", "  語日", "  本語"]);
}

#[test]
fn a_label_hangs_before_the_first_row_only() {
    let margin = Margin::hanging(Row::own(Style::DIM, "  why   "));
    let text = Row::foreign(Style::PLAIN, "changes directory before a command");
    let rows = fold(&text, &margin, 26, Breaks::Words);
    assert_eq!(texts(&rows), ["  why   changes directory", "        before a command"]);
    assert_eq!(rows[0].spans()[0], Span::own(Style::DIM, "  why   "));
}

#[test]
fn a_command_goes_on_behind_a_mark() {
    assert_eq!(shown("git rebase --autostash", 16), ["    git rebase ", "  ↪ --autostash"]);
    assert_eq!(shown("rm abcdefghijklmnop", 16), ["    rm abcdefghi", "  ↪ jklmnop"]);
    assert_eq!(shown("a\nb", 16), ["    a", "    b"]);
    assert_eq!(shown("日本語日", 11), ["    日本語", "  ↪ 日"]);
}

#[test]
fn what_a_terminal_of_east_asia_draws_wider_has_room_in_a_command() {
    assert_eq!(shown("éééé", 8), ["    éé", "  ↪ éé"]);
}

#[test]
fn long_runs_of_blanks_are_marked_in_a_command() {
    assert_eq!(shown("ls  -l   x    ; rm", 40), ["    ls  -l···x····; rm"]);
    assert_eq!(shown("a\u{a0}b\u{3000}c", 40), ["    a\\u{a0}b\\u{3000}c"]);
    assert_eq!(shown("  x \u{301}", 40), ["      x ◌\u{301}"]);
    let row = &command("a   b", Style::BOLD, 40)[0];
    assert_eq!(row.spans()[2], Span::own(Style::DIM, "···"));
}

#[test]
fn a_screen_that_is_narrower_than_the_margin_still_shows_something() {
    assert_eq!(words("ab", 2), [" a", " b"]);
    assert_eq!(words("ab", 1), ["a", "b"]);
    assert_eq!(words("a日", 1), ["a", "…"]);
    assert_eq!(words("ab", 0), ["a", "b"]);
}

fn text() -> impl Strategy<Value = String> {
    let letter = prop_oneof![
        4 => proptest::char::range('a', 'e'),
        3 => Just(' '),
        1 => proptest::sample::select(vec!['日', 'é', '😀', '\u{301}', '\u{200d}', '\u{fe0f}', '⚠', '\t', '\u{1F1E9}']),
        1 => any::<char>(),
    ];
    proptest::collection::vec(letter, 0..60).prop_map(|letters| letters.into_iter().collect())
}

/// Everything but blanks, as it is shown at the beginning of a row.
fn letters(text: &str) -> String {
    let text = visible(text);
    text.chars().filter(|letter| !letter.is_whitespace() && *letter != '◌').collect()
}

proptest! {
    #[test]
    fn prose_is_never_too_wide_and_loses_only_blanks(text in text(), columns in 3..30_usize) {
        let folded = words(&text, columns);
        for row in &folded {
            prop_assert!(width(row) <= columns);
            prop_assert!(row.starts_with("  "));
        }
        if columns > 3 {
            prop_assert_eq!(letters(&folded.concat()), letters(&text));
        }
    }

    #[test]
    fn a_command_is_never_too_wide_and_loses_nothing(text in "[a-e日é \u{301}\t\u{a0}]{0,60}", columns in 6..40_usize) {
        let folded = shown(&text, columns);
        let mut whole = String::new();
        for row in &folded {
            prop_assert!(row.starts_with("    ") || row.starts_with("  ↪ "));
            prop_assert!(width(row) <= columns);
            whole.extend(row.chars().skip(4));
        }
        let blanks = |text: &str| text.chars().filter(|letter| matches!(letter, ' ' | '·')).count();
        prop_assert_eq!(letters(&whole.replace('·', "")), letters(&visible(&text).replace('\u{a0}', "\\u{a0}")));
        prop_assert_eq!(blanks(&whole), text.matches(' ').count());
    }

    #[test]
    fn no_screen_is_too_narrow(text in any::<String>(), columns in 0..6_usize) {
        for row in command(&text, Style::BOLD, columns) {
            prop_assert!(row.width() <= columns.max(1));
        }
        for row in words(&text, columns) {
            prop_assert!(width(&row) <= columns.max(1));
        }
    }
}
