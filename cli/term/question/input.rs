//! A text: any, or one that must say something and may reject.
//!
//! Owns the text row. What is typed is sent as it is. An empty text is sent only where it means a default, or where an
//! Enter was pressed twice.

use std::cell::Cell;

use codec::json::{Json, Text};
use codec::tunnel::{PromptConfig, Scalar};

use super::super::keys::Key;
use super::super::style::{Row, Span, Style};
use super::Effect;
use super::draw::{BACK_TO_LINE, Binding, Drawn, Room, at_most, labelled};
use super::field::{Field, Typed};
use super::widget::{Asking, REJECT, Said};

#[derive(Debug)]
pub(super) struct Input {
    said: Said,
    field: Field,
    default: Option<Json<'static>>,
    hint: Option<String>,
    /// it must say something, and one can reject
    must_say: bool,
    /// the person was told that another Enter sends nothing
    is_warned: bool,
    /// the last drawing had no room for all of the default
    is_default_cut: Cell<bool>,
}

impl Input {
    /// Any text will do.
    pub(super) fn new(config: &PromptConfig<'_>) -> Self {
        let default = config.default.as_ref().map(|default| match default {
            Scalar::Text(text) => Json::written(text),
            Scalar::Number(number) => Text::new(number.raw()).into_json(),
            Scalar::Flag(flag) => Text::new(if *flag { "true" } else { "false" }).into_json(),
        });
        let hint = config.validation_hint.as_ref().map(|hint| hint.get().into_owned());
        Self {
            said: Said::by(config),
            field: Field::default(),
            default,
            hint,
            must_say: false,
            is_warned: false,
            is_default_cut: Cell::new(false),
        }
    }

    /// It must say something.
    pub(super) fn that_says_something(config: &PromptConfig<'_>) -> Self {
        Self { must_say: true, default: None, ..Self::new(config) }
    }

    fn enter(&mut self, text: &str) -> Effect {
        match text.trim() {
            "" if self.must_say => Effect::hint("Write something, or r to reject"),
            "r" | "/reject" if self.must_say => Effect::Answer(Json::of(REJECT)),
            // The bare word would be taken for a rejection.
            REJECT if self.must_say => Effect::hint("Write /reject if you reject"),
            _ if !text.is_empty() => Effect::Answer(Text::new(text).into_json()),
            _ => self.enter_nothing(),
        }
    }

    fn enter_nothing(&mut self) -> Effect {
        if let Some(default) = &self.default {
            return match self.is_default_cut.get() {
                true => Effect::hint("Not all of the default is shown: write your text"),
                false => Effect::Answer(default.clone()),
            };
        }
        if std::mem::replace(&mut self.is_warned, true) {
            return Effect::Answer(Json::of(""));
        }
        Effect::hint("There is no text: Enter again sends an empty one")
    }
}

impl Asking for Input {
    fn key(&mut self, key: Key, _: bool) -> Effect {
        let typed = self.field.key(key);
        let was_warned = std::mem::take(&mut self.is_warned);
        match typed {
            Typed::Enter(text) => {
                self.is_warned = was_warned;
                self.enter(&text)
            }
            typed => typed.into(),
        }
    }

    fn paste(&mut self, text: &str) -> Effect {
        self.is_warned = false;
        self.field.paste(text)
    }

    fn field(&mut self) -> Option<&mut Field> {
        Some(&mut self.field)
    }

    fn text(&self, columns: usize) -> Vec<Row> {
        let mut rows = self.said.rows(columns);
        if let Some(hint) = &self.hint {
            let hint = Row::foreign(Style::PLAIN, &hint.replace('\n', " "));
            rows.extend(at_most(MOST_HINT, labelled("hint", &hint, columns), columns));
        }
        rows
    }

    fn controls(&mut self, room: Room) -> Drawn {
        let mut drawn = Drawn::default();
        let default = self.default.as_ref().and_then(|default| default.as_text().map(Text::into_owned));
        if let Some(default) = default {
            let row = Row::default().and(Span::foreign(Style::PLAIN, &default.get()));
            let rows = labelled("default", &row, room.columns);
            self.is_default_cut.set(rows.len() > MOST_HINT);
            drawn.rows = at_most(MOST_HINT, rows, room.columns);
        }
        let height = room.height.saturating_sub(drawn.rows.len());
        drawn.add(self.field.draw("your text", Room { height, ..room }));
        drawn
    }

    fn bindings(&self, _: bool) -> Vec<Binding> {
        let enter = match &self.default {
            Some(_) if self.field.is_empty() => "takes the default",
            _ => "sends",
        };
        let reject = self.must_say.then(|| Binding::new("r or /reject", "rejects"));
        let rest = [Binding::extra("Esc", BACK_TO_LINE), Binding::extra("Ctrl-C", "decline")];
        [Binding::new("Enter", enter)].into_iter().chain(reject).chain(rest).collect()
    }
}

/// Rows for what only helps.
const MOST_HINT: usize = 3;
