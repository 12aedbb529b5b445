use proptest::prelude::*;

use super::super::style::{Colour, Span, Style};
use super::emulated::Screen;
use super::*;

const WIDE: usize = 20;
const HIGH: usize = 6;

fn row(text: &str) -> Row {
    Row::foreign(Style::of(Colour::Cyan), text)
}

fn live(rows: &[&str], cursor: (usize, usize)) -> Live {
    Live { rows: rows.iter().map(|text| row(text)).collect(), cursor }
}

#[test]
fn history_scrolls_out_above_what_is_live() {
    let mut screen = Screen::new(WIDE, HIGH, Reflow::Breaks);
    screen.frame(&[], &live(&["status", "> he"], (1, 4)));
    screen.frame(&[row("one"), row("two")], &live(&["status", "> hel"], (1, 5)));
    let many: Vec<Row> = (0..10).map(|number| row(&format!("row {number}"))).collect();
    screen.frame(&many, &live(&["status", "> hell"], (1, 6)));
    let (rows, cursor) = screen.rows();
    assert_eq!(rows[..3], ["one", "two", "row 0"]);
    assert_eq!(rows[11..], ["row 9", "status", "> hell"]);
    assert_eq!(cursor, 13);
    assert_eq!(screen.terminal.screen().cursor_position().1, 6);
    assert!(!screen.terminal.screen().hide_cursor());
}

#[test]
fn a_frame_that_changes_nothing_is_no_bytes() {
    let mut screen = Screen::new(WIDE, HIGH, Reflow::Breaks);
    let picture = live(&["status", "> he"], (1, 4));
    assert_ne!(screen.frame(&[], &picture), "");
    assert_eq!(screen.frame(&[], &picture), "");
    screen.painter.redraw();
    assert_ne!(screen.frame(&[], &picture), "");
}

#[test]
fn only_rows_from_the_first_change_on_are_written() {
    let mut screen = Screen::new(WIDE, HIGH, Reflow::Breaks);
    screen.frame(&[], &live(&["status", "> he"], (1, 4)));
    let bytes = screen.frame(&[], &live(&["status", "> hel"], (1, 5)));
    assert_eq!(bytes, format!("{BEGIN}{ERASE_ROW}\x1b[36m> hel\x1b[0m\r\x1b[5C{END}"));
    let moved = screen.frame(&[], &live(&["status", "> hel"], (0, 2)));
    assert_eq!(moved, format!("{BEGIN}\x1b[1A\r\x1b[2C{END}"));
    let longer = screen.frame(&[], &live(&["status", "> hel", "more"], (2, 0)));
    assert_eq!(longer, format!("{BEGIN}\x1b[1B\r\n\x1b[36mmore\x1b[0m\r{END}"));
}

#[test]
fn a_row_that_goes_to_the_edge_leaves_no_wrap_pending() {
    let mut screen = Screen::new(8, HIGH, Reflow::Breaks);
    screen.frame(&[row("12345678")], &live(&["abcdefgh", "ABCDEFGH"], (1, 7)));
    screen.terminal.process(b"x");
    assert_eq!(screen.rows().0, ["12345678", "abcdefgh", "ABCDEFGx"]);
    screen.frame(&[row("2")], &live(&["ABCDEFGH"], (0, 9)));
    assert_eq!(screen.rows().0, ["12345678", "2", "ABCDEFGH"]);
}

#[test]
fn a_live_region_that_is_too_high_keeps_its_last_rows_and_the_cursor() {
    let mut screen = Screen::new(WIDE, 3, Reflow::Breaks);
    screen.frame(&[row("h")], &live(&["1", "2", "3", "4"], (3, 1)));
    assert_eq!(screen.rows(), (vec!["h".to_owned(), "3".to_owned(), "4".to_owned()], 2));
    screen.frame(&[], &live(&["1", "2", "3", "4"], (1, 1)));
    assert_eq!(screen.rows(), (vec!["h".to_owned(), "2".to_owned(), "3".to_owned()], 1));
    let mut smallest = Screen::new(1, 1, Reflow::Breaks);
    smallest.frame(&[row("h")], &live(&["12", "34"], (1, 2)));
    smallest.frame(&[row("日")], &live(&["日"], (0, 2)));
}

#[test]
fn a_row_of_the_history_that_is_too_wide_goes_on_off_our_columns() {
    let mut screen = Screen::new(8, HIGH, Reflow::Breaks);
    screen.frame(&[row("123456789abcdefg")], &live(&["> "], (0, 2)));
    assert_eq!(screen.rows().0, ["12345678", "  9abcde", "  fg", "> "]);
}

#[test]
fn what_is_left_behind_is_the_history_and_a_usable_terminal() {
    let mut screen = Screen::new(WIDE, HIGH, Reflow::Breaks);
    assert!(screen.terminal.screen().bracketed_paste());
    screen.frame(&[row("one")], &live(&["status", "> he", "hint"], (1, 4)));
    let bytes = screen.painter.leave();
    screen.terminal.process(bytes.as_bytes());
    assert_eq!(screen.rows(), (vec!["one".to_owned()], 1));
    assert_eq!(screen.terminal.screen().cursor_position(), (1, 0));
    assert!(!screen.terminal.screen().bracketed_paste());
    assert!(bytes.ends_with(Painter::rescue()));
    screen.frame(&[row("two")], &live(&["status"], (0, 0)));
    assert_eq!(screen.rows().0, ["one", "two", "status"]);
}

#[test]
fn a_narrower_terminal_leaves_nothing_of_the_old_picture_behind() {
    let mut screen = Screen::new(WIDE, 12, Reflow::Breaks);
    screen.frame(
        &[row("one"), row("two")],
        &live(&["status that is long!", "> typed so far", "hint"], (1, 14)),
    );
    screen.resize_with_reflow(7, 12);
    assert!(screen.rows().0.len() > 7);
    screen.frame(&[], &live(&["status", "> type"], (1, 6)));
    assert_eq!(screen.rows(), (["one", "two", "status", "> type"].map(str::to_owned).to_vec(), 3));
}

fn text() -> impl Strategy<Value = String> {
    "[a-z]([a-z ]{0,30}[a-z])?"
}

/// Also with letters that take two columns, or none.
fn any_text() -> impl Strategy<Value = String> {
    "[a-z日]([a-z 日é\u{301}]{0,30}[a-z日])?"
}

fn pictures(text: impl Strategy<Value = String>) -> impl Strategy<Value = Live> {
    (proptest::collection::vec(text, 1..7), 0..7_usize, 0..40_usize).prop_map(|(rows, row_of, column)| {
        let rows: Vec<Row> = rows.iter().map(|text| row(text)).collect();
        Live { cursor: (row_of.min(rows.len() - 1), column), rows }
    })
}

fn frames<T: Strategy<Value = String>>(text: fn() -> T) -> impl Strategy<Value = Vec<(Vec<String>, Live)>> {
    proptest::collection::vec((proptest::collection::vec(text(), 0..4), pictures(text())), 1..8)
}

/// What must stand at the end of the screen, and where the cursor is in it.
fn expected(screen: &Screen, picture: &Live) -> (Vec<String>, (usize, usize)) {
    let fitted = screen.painter.fitted(picture);
    (fitted.rows.iter().map(Row::text).collect(), fitted.cursor)
}

proptest! {
    #[test]
    fn the_screen_is_always_the_history_and_then_what_is_live(
        frames in frames(any_text),
        columns in 1..40_usize,
        height in 1..9_usize,
    ) {
        let mut screen = Screen::new(columns, height, Reflow::Breaks);
        let mut history: Vec<String> = Vec::new();
        for (above, picture) in frames {
            let above: Vec<Row> = above.iter().map(|text| row(text)).collect();
            screen.frame(&above, &picture);
            let folded = above.iter().flat_map(|row| screen.painter.folded(row));
            history.extend(folded.map(|row| row.text().trim_end().to_owned()));
            let (rows, cursor) = expected(&screen, &picture);
            let whole: Vec<String> =
                history.iter().cloned().chain(rows.iter().map(|row| row.trim_end().to_owned())).collect();
            let (found, cursor_row) = screen.rows();
            let found: Vec<String> = found.iter().map(|row| row.trim_end().to_owned()).collect();
            prop_assert_eq!(found, whole);
            prop_assert_eq!(cursor_row, history.len() + cursor.0);
            prop_assert_eq!(usize::from(screen.terminal.screen().cursor_position().1), cursor.1);
        }
    }

    #[test]
    fn after_a_reflow_the_next_frame_finds_its_place(
        frames in frames(any_text),
        sizes in proptest::collection::vec((4..40_usize, 60..70_usize), 8),
    ) {
        let mut screen = Screen::new(WIDE, 60, Reflow::Breaks);
        let mut history = 50;
        screen.frame(&vec![row("old"); history], &Live::default());
        for ((above, mut picture), (columns, height)) in frames.into_iter().zip(sizes) {
            // Behind the text stands no cell that a terminal would have to keep.
            picture.cursor.1 = picture.cursor.1.min(picture.rows[picture.cursor.0].width());
            let above: Vec<Row> = above.iter().map(|_| row("new")).collect();
            screen.frame(&above, &picture);
            screen.resize_with_reflow(columns, height);
            screen.frame(&[], &picture);
            history += above.len();
            let (rows, cursor_row) = screen.rows();
            let (wanted, cursor) = expected(&screen, &picture);
            prop_assert!(rows[..history].iter().all(|row| row == "old" || row == "new"), "{:?}", rows);
            prop_assert_eq!(rows[history..].to_vec(), wanted);
            prop_assert_eq!(cursor_row, history + cursor.0);
        }
    }

    #[test]
    fn a_terminal_that_cuts_rows_loses_no_history(
        frames in frames(text),
        sizes in proptest::collection::vec(4..40_usize, 8),
    ) {
        let mut screen = Screen::new(WIDE, 40, Reflow::Cuts);
        let mut count = 0;
        for ((above, picture), columns) in frames.into_iter().zip(sizes) {
            let above: Vec<Row> = above.iter().map(|text| row(&text.chars().take(3).collect::<String>())).collect();
            count += above.len();
            screen.frame(&above, &picture);
            screen.resize_without_reflow(columns, 40);
            screen.frame(&[], &picture);
            let (rows, cursor_row) = screen.rows();
            let (wanted, cursor) = expected(&screen, &picture);
            prop_assert_eq!(rows.len(), count + wanted.len());
            prop_assert_eq!(rows[count..].to_vec(), wanted);
            prop_assert_eq!(cursor_row, count + cursor.0);
        }
    }

    #[test]
    fn whatever_is_drawn_only_our_own_sequences_are_written(
        text in hostile(),
        size in (0..10_usize, 0..4_usize),
        at in (0..9_usize, 0..9_usize),
    ) {
        let mut painter = Painter::new(size.0, size.1, Ink::Colours, Reflow::Breaks);
        let picture = Live { rows: vec![Row::default().and(Span::foreign(Style::BOLD, &text)); 3], cursor: at };
        let mut bytes = painter.frame(&[row(&text)], &picture);
        painter.resized(size.1, size.0);
        bytes += &painter.frame(&[], &Live::default());
        bytes += &painter.frame(&[], &picture);
        bytes += &painter.leave();
        let left = without_our_sequences(&bytes);
        prop_assert!(left.is_some_and(|left| !left.contains(char::is_control)), "{:?}", bytes);
    }
}

fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[\\x00-\\x1f\\x7f-\u{9f}a\\[\\]0-9;?hlABCJm]{0,40}"]
}

/// None if there is a sequence that is not ours.
fn without_our_sequences(bytes: &str) -> Option<String> {
    let bytes = bytes.replace(ERASE_ROWS, "");
    let mut parts = bytes.split('\x1b');
    let mut left = parts.next()?.to_owned();
    for part in parts {
        let parameters = part
            .strip_prefix('[')?
            .trim_start_matches(['?', ';', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        left.push_str(parameters.strip_prefix(['h', 'l', 'A', 'B', 'C', 'K', 'm'])?);
    }
    Some(left.replace(['\r', '\n'], ""))
}

#[test]
fn a_terminal_wraps_nothing_while_a_frame_is_drawn_and_everything_after_it() {
    let mut screen = Screen::new(20, 8, Reflow::Breaks);
    let bytes = screen.frame(&[row("a")], &live(&["b"], (0, 0)));
    let (off, on) = (bytes.find("\x1b[?7l"), bytes.find("\x1b[?7h"));
    assert!(off.is_some() && off < bytes.find('a') && bytes.find('b') < on, "{bytes:?}");
    assert!(screen.painter.leave().contains("\x1b[?7h") && Painter::rescue().contains("\x1b[?7h"));
}
