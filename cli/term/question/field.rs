//! A text row inside a question.
//!
//! Owns the text that is typed there. An Enter hands it out as it is, also an empty one: whoever asked decides.

use super::super::editor::{Edit, Editor};
use super::super::keys::{Code, Key};
use super::super::style::{Row, Span};
use super::Effect;
use super::draw::{CYAN, Drawn, Room};

/// The row.
#[derive(Debug, Default)]
pub(super) struct Field {
    editor: Editor,
}

/// What a key came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    /// this text is to be sent; it still stands there
    Enter(String),
    /// it looks different now
    Changed,
    /// the key means nothing in a text
    Nothing,
    /// that is too much text
    TooLong,
}

impl Field {
    pub(super) fn text(&self) -> &str {
        self.editor.text()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.editor.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.editor.take();
    }

    pub(super) fn key(&mut self, key: Key) -> Typed {
        let is_plain = !key.ctrl && !key.alt && !key.shift;
        match key.code {
            Code::Enter if is_plain => return Typed::Enter(self.text().to_owned()),
            // On the person's own line it would ask for help.
            Code::Char('?') if is_plain => return typed(&self.editor.paste("?")),
            _ => {}
        }
        typed(&self.editor.key(key))
    }

    pub(super) fn paste(&mut self, text: &str) -> Effect {
        typed(&self.editor.paste(text)).into()
    }

    /// Its rows behind a word of ours.
    pub(super) fn draw(&self, label: &'static str, room: Room) -> Drawn {
        let begin = Row::blanks(2).and(Span::own(CYAN, label)).and(Span::own(CYAN, " ❯ "));
        let begin = if begin.width() + LEAST_TEXT > room.columns {
            Row::blanks(2).and(Span::own(CYAN, "❯ "))
        } else {
            begin
        };
        let drawn = self.editor.render(&begin, room.columns, room.height.clamp(1, MOST_ROWS));
        Drawn { rows: drawn.rows, cursor: Some(drawn.cursor) }
    }
}

const MOST_ROWS: usize = 6;
const LEAST_TEXT: usize = 8;

fn typed(edit: &Edit) -> Typed {
    match edit {
        Edit::Changed | Edit::Redraw => Typed::Changed,
        Edit::TooLong { .. } => Typed::TooLong,
        _ => Typed::Nothing,
    }
}

impl From<Typed> for Effect {
    fn from(typed: Typed) -> Self {
        match typed {
            Typed::Enter(_) | Typed::Nothing => Self::Nothing,
            Typed::Changed => Self::Redraw,
            Typed::TooLong => Self::hint("That is too long: 1 MiB is the most"),
        }
    }
}
