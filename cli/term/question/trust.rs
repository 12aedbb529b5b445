//! A confirm that has something to look at: above all whether a folder that brings hooks, rules or servers is trusted.
//!
//! Owns which key says what, and the pages on which all of it stands. Only `y` trusts, and nobody has to look first. Where tim
//! itself asks, its own words are the first row; where somebody else does, who that is stays there. Ends with true or
//! false, as a confirm does.

use codec::json::{Json, Text};
use codec::tunnel::PromptConfig;

use super::super::keys::{Code, Key};
use super::super::style::{Row, Style};
use super::super::wrap::command;
use super::Effect;
use super::draw::{Binding, Drawn, Room, prose};
use super::reader::{LOOK_FIRST, Reader};
use super::widget::{Asking, pressed};

#[derive(Debug)]
pub(super) struct Trust {
    /// what tim says of its own, if it is tim that asks
    head: Option<String>,
    said: String,
    details: String,
    reader: Reader,
}

impl Trust {
    /// By what a confirm says, and its details.
    pub(super) fn new(config: &PromptConfig<'_>, asks_itself: bool) -> Self {
        let message = config.message.get().into_owned();
        let details = config.details.as_ref().map(Text::get).unwrap_or_default().into_owned();
        let (head, said) = match message.split_once('\n') {
            Some((head, said)) if asks_itself => (Some(head.to_owned()), said.to_owned()),
            _ => (None, message),
        };
        Self { head, said, details, reader: Reader::default() }
    }
}

impl Asking for Trust {
    fn key(&mut self, key: Key, is_seen: bool) -> Effect {
        if self.reader.is_open() {
            return self.reader.key(key);
        }
        match pressed(key) {
            Some(Code::Char('y')) if !is_seen => Effect::hint(LOOK_FIRST),
            Some(Code::Char('y')) => Effect::Answer(Json::of(&true)),
            Some(Code::Char('n')) => Effect::Answer(Json::of(&false)),
            Some(Code::Char('v')) => self.reader.open(),
            _ => Effect::hint("Answer with y or n"),
        }
    }

    fn back(&mut self) -> bool {
        self.reader.close()
    }

    fn needs_seen(&self) -> Option<&'static str> {
        Some("y")
    }

    fn step(&self) -> Option<&'static str> {
        self.reader.is_open().then_some(if self.head.is_some() {
            "What the folder brings"
        } else {
            "All of it"
        })
    }

    fn head(&self) -> Option<&str> {
        self.head.as_deref()
    }

    fn has_view(&self) -> bool {
        true
    }

    fn text(&self, columns: usize) -> Vec<Row> {
        prose(&self.said, Style::PLAIN, columns)
    }

    fn controls(&mut self, room: Room) -> Drawn {
        // It can be opened only when it is there.
        self.reader.show(room.columns, 0, |columns| {
            command(self.details.trim_end_matches('\n'), Style::PLAIN, columns)
        });
        if self.reader.is_open() { self.reader.draw(room).into() } else { Drawn::default() }
    }

    fn bindings(&self, is_seen: bool) -> Vec<Binding> {
        if self.reader.is_open() {
            return Reader::bindings();
        }
        // What somebody else asks may be anything.
        let (yes, no) = if self.head.is_some() { ("trust it and go on", "stop") } else { ("yes", "no") };
        let yes = is_seen.then(|| Binding::new("y", yes));
        let view = is_seen.then(|| Binding::new("v", "view"));
        yes.into_iter().chain(view).chain([Binding::new("n", no)]).collect()
    }
}
