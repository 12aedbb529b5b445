//! Before the first question: a folder that brings its own hooks, rules or servers.
//!
//! Owns that one question of tim's own. Only `y` trusts; what the folder brings can be looked at first. Ends with true or
//! false, as a confirm does.

use codec::json::Json;

use super::super::editor::by_its_name;
use super::super::keys::{Code, Key};
use super::super::style::{Row, Span, Style};
use super::super::wrap::{Breaks, Margin, command, fold};
use super::Effect;
use super::block::{Screen, clipped};
use super::draw::{Binding, Drawn, Room, YELLOW, at_most, keys, prose};
use super::reader::Reader;
use super::widget::pressed;

/// The question whether a folder is trusted.
#[derive(Debug)]
pub(crate) struct Trust {
    folder: String,
    brings: String,
    details: String,
    reader: Reader,
    hint: Option<&'static str>,
}

impl Trust {
    /// For a folder that brings something: in a few words, and in full.
    pub(crate) fn new(folder: &str, brings: &str, details: &str) -> Self {
        Self {
            folder: folder.to_owned(),
            brings: brings.to_owned(),
            details: details.to_owned(),
            reader: Reader::default(),
            hint: None,
        }
    }

    /// Takes a key.
    pub(crate) fn key(&mut self, key: Key) -> Effect {
        let key = by_its_name(key);
        self.hint = None;
        if key.ctrl && key.code == Code::Char('c') {
            return Effect::Decline;
        }
        if self.reader.is_open() {
            return self.reader.key(key);
        }
        match pressed(key) {
            Some(Code::Char('y')) => Effect::Answer(Json::of(&true)),
            Some(Code::Char('n')) => Effect::Answer(Json::of(&false)),
            Some(Code::Char('v')) => self.reader.open(),
            Some(Code::Esc) => Effect::ToLine,
            _ => {
                self.hint = Some(HINT);
                Effect::hint(HINT)
            }
        }
    }

    /// Draws it.
    pub(crate) fn draw(&mut self, screen: Screen) -> Drawn {
        let columns = screen.columns;
        self.reader.show(columns, 0, |columns| command(&self.details, Style::PLAIN, columns));
        let mut drawn = Drawn::from(self.head(columns));
        let bindings = if self.reader.is_open() { Reader::bindings() } else { bindings() };
        let mut below = keys(&bindings, 3, screen.is_armed, columns);
        if let Some(hint) = self.hint {
            below.extend(fold(&Row::own(YELLOW, hint), &Margin::blank(2), columns, Breaks::Words));
        }
        let height = screen.height.saturating_sub(drawn.rows.len() + below.len());
        let middle = if self.reader.is_open() {
            self.reader.draw(Room { columns, height })
        } else {
            at_most(height, prose(&self.brings, Style::PLAIN, columns), columns)
        };
        drawn.add(middle.into());
        drawn.add(below.into());
        clipped(drawn, screen)
    }

    fn head(&self, columns: usize) -> Vec<Row> {
        let head =
            Row::own(YELLOW, "First run in ").and(Span::foreign(YELLOW, &self.folder.replace('\n', " ")));
        let head = head.and(Span::own(YELLOW, ". Claude Code skips its trust question in this mode."));
        fold(&head, &Margin::hanging(Row::own(YELLOW, "! ")), columns, Breaks::Words)
    }
}

const HINT: &str = "Answer with y or n";

fn bindings() -> Vec<Binding> {
    vec![Binding::new("y", "trust it and go on"), Binding::new("v", "view"), Binding::new("n", "stop")]
}
