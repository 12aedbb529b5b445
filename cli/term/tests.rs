//! The rooms together: a screen as people should see it.

use super::editor::Editor;
use super::painter::{Live, Painter, Reflow};
use super::style::{Colour, Ink, Row, Span, Style};
use super::wrap::{Breaks, Margin, command, fold};

const COLUMNS: usize = 80;
/// The last column stays free.
const TEXT: usize = COLUMNS - 1;
const YELLOW: Style = Style::of(Colour::Yellow);

fn question() -> Vec<Row> {
    let head = Row::own(YELLOW.bold(), "? ").and(Span::foreign(YELLOW.bold(), "claude"));
    let head = head.and(Span::own(YELLOW.bold(), " wants to run a command"));
    let right = [Row::foreign(Style::DIM, "14:02"), Row::foreign(Style::DIM, "1 of 3")];
    let mut rows = vec![head.with_right(&right, TEXT)];
    let asked = "cd vendor/parser && git fetch origin && git -c core.hooksPath=/dev/null rebase --autostash origin/main";
    rows.extend(command(asked, Style::BOLD, TEXT));
    let why = "changes directory before a version-control command, which can pick up untrusted hooks or configuration \
               from the target directory";
    let why = Row::foreign(Style::PLAIN, why);
    rows.extend(fold(&why, &Margin::hanging(Row::own(Style::DIM, "  why   ")), TEXT, Breaks::Words));
    rows
}

#[test]
fn a_question_looks_as_it_was_drawn() {
    let mut editor = Editor::default();
    editor.paste("and update the chan");
    let line = editor.render(&Row::own(Style::PLAIN, "❯ "), COLUMNS, 5);
    let mut rows = question();
    let cursor = (rows.len() + line.cursor.0, line.cursor.1);
    let hint = [Row::own(YELLOW, "Tab answers the question")];
    rows.extend(line.rows.iter().map(|row| row.with_right(&hint, TEXT)));
    let mut painter = Painter::new(COLUMNS, 24, Ink::Colours, Reflow::Breaks);
    let bytes = painter.frame(&[Row::own(Style::PLAIN, "  I run it.")], &Live { rows, cursor });
    let mut terminal = vt100::Parser::new(24.try_into().unwrap(), 80.try_into().unwrap(), 0);
    terminal.process(bytes.as_bytes());
    let drawn = "  I run it.
? claude wants to run a command                                   14:02  1 of 3
    cd vendor/parser && git fetch origin && git -c core.hooksPath=/dev/null\x20
  ↪ rebase --autostash origin/main
  why   changes directory before a version-control command, which can pick up
        untrusted hooks or configuration from the target directory
❯ and update the chan                                  Tab answers the question";
    assert_eq!(terminal.screen().contents().trim_end(), drawn);
    assert_eq!(terminal.screen().cursor_position(), (6, 21));
    assert!(terminal.screen().cell(1, 0).unwrap().bold());
    assert_eq!(terminal.screen().cell(1, 0).unwrap().fgcolor(), vt100::Color::Idx(3));
}
