use proptest::prelude::*;

use super::*;

const RED: Style = Style::of(Colour::Red);

fn row() -> Row {
    Row::own(Style::PLAIN, "a").and(Span::own(RED, "b")).and(Span::own(RED.bold(), "c"))
}

#[test]
fn only_what_changes_is_said_and_every_row_ends_plain() {
    assert_eq!(paint(&row(), Ink::Colours), "a\x1b[31mb\x1b[1mc\x1b[0m");
    assert_eq!(paint(&row(), Ink::NoColours), "ab\x1b[1mc\x1b[0m");
    assert_eq!(paint(&row(), Ink::Plain), "abc");
    let weaker = Row::own(RED.bold(), "a").and(Span::own(RED, "b")).and(Span::own(Style::PLAIN, "c"));
    assert_eq!(paint(&weaker, Ink::Colours), "\x1b[1;31ma\x1b[0;31mb\x1b[0mc");
    let other = Row::own(Style::BOLD, "a").and(Span::own(RED.bold(), "b")).and(Span::own(Style::BOLD, "c"));
    assert_eq!(paint(&other, Ink::Colours), "\x1b[1ma\x1b[31mb\x1b[39mc\x1b[0m");
}

#[test]
fn every_colour_is_the_one_a_terminal_knows() {
    let colours = [Colour::Red, Colour::Green, Colour::Yellow, Colour::Blue, Colour::Magenta];
    for (number, colour) in (31..).zip(colours.into_iter().chain([Colour::Cyan])) {
        assert_eq!(paint(&Row::own(Style::of(colour), "x"), Ink::Colours), format!("\x1b[{number}mx\x1b[0m"));
    }
}

#[test]
fn foreign_text_is_made_visible_and_stays_off_what_is_ours() {
    assert_eq!(Span::foreign(Style::PLAIN, "\x1b[2J\r\n").text(), "\\x1b[2J\\r\\n");
    assert_eq!(Span::foreign(Style::PLAIN, "\u{301}x").text(), "◌\u{301}x");
}

#[test]
fn a_row_that_is_cut_says_so() {
    assert_eq!(row().fit(3), row());
    assert_eq!(row().fit(2).text(), "a…");
    assert_eq!(row().fit(1).text(), "…");
    assert_eq!(row().fit(0).text(), "");
    assert_eq!(Row::foreign(RED, "日本語").fit(4).text(), "日…");
    assert_eq!(Row::foreign(RED, "日本語").fit(5).text(), "日本…");
}

#[test]
fn the_right_end_is_dropped_piece_by_piece_before_the_row_is_cut() {
    let right = [Row::own(Style::DIM, "14:02"), Row::own(Style::DIM, "1 of 3")];
    let row = Row::own(Style::BOLD, "? claude asks");
    assert_eq!(row.with_right(&right, 30).text(), "? claude asks    14:02  1 of 3");
    assert_eq!(row.with_right(&right, 28).text(), "? claude asks  14:02  1 of 3");
    assert_eq!(row.with_right(&right, 27).text(), "? claude asks         14:02");
    assert_eq!(row.with_right(&right, 19).text(), "? claude asks");
    assert_eq!(row.with_right(&right, 8).text(), "? claud…");
    assert_eq!(row.with_right(&[], 80).text(), "? claude asks");
}

fn rows() -> impl Strategy<Value = Row> {
    let looks = (0..3_u8, any::<bool>(), any::<bool>());
    let span = (looks, any::<String>()).prop_map(|((colour, bold, dim), text)| {
        let colour = [Colour::Default, Colour::Red, Colour::Green][usize::from(colour)];
        Span::foreign(Style { colour, bold, dim }, &text)
    });
    proptest::collection::vec(span, 0..5).prop_map(|spans| spans.into_iter().fold(Row::default(), Row::and))
}

proptest! {
    #[test]
    fn no_row_that_was_fitted_is_too_wide(row in rows(), columns in 0..30_usize) {
        prop_assert!(row.fit(columns).width() <= columns);
        let right = [row.clone(), Row::own(Style::DIM, "14:02")];
        prop_assert!(row.with_right(&right, columns).width() <= columns);
    }

    #[test]
    fn what_is_painted_is_the_text_and_nothing_else_when_there_is_no_ink(row in rows()) {
        prop_assert_eq!(paint(&row, Ink::Plain), row.text());
    }

    #[test]
    fn a_terminal_shows_each_piece_in_its_look(row in rows()) {
        let mut terminal = vt100::Parser::new(2.try_into().unwrap(), 2000.try_into().unwrap(), 0);
        terminal.process(paint(&row, Ink::Colours).as_bytes());
        prop_assert_eq!(terminal.screen().fgcolor(), vt100::Color::Default);
        prop_assert!(!terminal.screen().bold() && !terminal.screen().dim());
    }
}
