//! For tests: a terminal in memory, with a painter before it.

use std::num::NonZeroU16;

use super::super::measure::{Measure, clusters};
use super::*;

/// A terminal with a painter before it.
pub(super) struct Screen {
    pub(super) terminal: vt100::Parser,
    pub(super) painter: Painter,
    columns: usize,
    height: usize,
}

fn size(number: usize) -> NonZeroU16 {
    u16::try_from(number).ok().and_then(NonZeroU16::new).unwrap()
}

impl Screen {
    pub(super) fn new(columns: usize, height: usize, reflow: Reflow) -> Self {
        let mut terminal = vt100::Parser::new(size(height), size(columns), 10_000);
        terminal.process(Painter::enter().as_bytes());
        Self { terminal, painter: Painter::new(columns, height, Ink::Colours, reflow), columns, height }
    }

    pub(super) fn frame(&mut self, above: &[Row], live: &Live) -> String {
        let bytes = self.painter.frame(above, live);
        self.terminal.process(bytes.as_bytes());
        bytes
    }

    /// All rows from the oldest on, without the blank ones at the end, and the row of the cursor among them.
    pub(super) fn rows(&mut self) -> (Vec<String>, usize) {
        let screen = self.terminal.screen_mut();
        screen.set_scrollback(usize::MAX);
        let hidden = screen.scrollback();
        let mut rows = Vec::new();
        for back in (1..=hidden).rev() {
            screen.set_scrollback(back);
            rows.extend(screen.rows(0, 4000).next());
        }
        screen.set_scrollback(0);
        rows.extend(screen.rows(0, 4000));
        while rows.last().is_some_and(String::is_empty) {
            rows.pop();
        }
        (rows, hidden + usize::from(screen.cursor_position().0))
    }

    pub(super) fn resize_without_reflow(&mut self, columns: usize, height: usize) {
        self.terminal.screen_mut().set_size(size(height), size(columns));
        (self.columns, self.height) = (columns, height);
        self.painter.resized(columns, height);
    }

    /// What a terminal does that breaks rows anew: the same text in a terminal of the new size, the cursor on the same
    /// character or beside the last one.
    pub(super) fn resize_with_reflow(&mut self, columns: usize, height: usize) {
        let (rows, cursor_row) = self.rows();
        let mut before = rows[..cursor_row].to_vec();
        let cursor_text = rows.get(cursor_row).map_or("", String::as_str);
        before.push(text_until(cursor_text, usize::from(self.terminal.screen().cursor_position().1)));
        let mut scratch = Self::new(columns, height, Reflow::Breaks);
        scratch.terminal.process(before.join("\r\n").as_bytes());
        let wanted = scratch.rows().1;
        self.terminal = Self::new(columns, height, Reflow::Breaks).terminal;
        self.terminal.process(rows.join("\r\n").as_bytes());
        (self.columns, self.height) = (columns, height);
        let up = self.rows().1 - wanted;
        up_by(up, &mut self.terminal);
        self.painter.resized(columns, height);
    }
}

/// The text up to that column and with what stands there.
fn text_until(text: &str, column: usize) -> String {
    let mut passed = 0;
    let mut until = String::new();
    for cluster in clusters(text, Measure::Usual) {
        if passed > column {
            break;
        }
        passed += cluster.width;
        until.push_str(cluster.text);
    }
    until
}

fn up_by(rows: usize, terminal: &mut vt100::Parser) {
    let mut bytes = String::new();
    up(rows, &mut bytes);
    terminal.process(bytes.as_bytes());
}
