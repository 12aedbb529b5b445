//! What every kind of question can do, and which kind a question is.
//!
//! Owns the choice of the kind. A kind is told keys and draws its part; what all have in common is the block's.

use std::fmt::Debug;

use actors::question::{Asks, Question};
use codec::json::Text;
use codec::tunnel::{PromptConfig, PromptKind};

use super::super::keys::{Code, Key};
use super::super::style::{Row, Style};
use super::approval::Approval;
use super::checkbox::Checkbox;
use super::confirm::Confirm;
use super::draw::{Binding, Drawn, Room, prose};
use super::field::Field;
use super::input::Input;
use super::permission::Permission;
use super::prefix::PrefixSelect;
use super::questions::Questions;
use super::select::Select;
use super::trust::Trust;
use super::{Effect, Here};

/// One kind of question.
pub(super) trait Asking: Debug {
    /// Takes a key, and whether all that is decided about has been on the screen.
    fn key(&mut self, key: Key, is_seen: bool) -> Effect;

    /// Takes a pasted text.
    fn paste(&mut self, text: &str) -> Effect {
        match self.field() {
            Some(field) => field.paste(text),
            None => Effect::hint("A pasted text is no answer here"),
        }
    }

    /// The text row that has the keys now.
    fn field(&mut self) -> Option<&mut Field> {
        None
    }

    /// Goes one step back inside the question; says whether there was one.
    fn back(&mut self) -> bool {
        false
    }

    /// The key that needs all to have been seen, if there is one.
    fn needs_seen(&self) -> Option<&'static str> {
        None
    }

    /// Whether the text is all of what is decided about.
    fn is_shown_whole(&self) -> bool {
        true
    }

    /// What the heading says instead, in the middle of something.
    fn step(&self) -> Option<&'static str> {
        None
    }

    /// The first row, where it is a word of our own and not somebody's question.
    fn head(&self) -> Option<&str> {
        None
    }

    /// Whether `v` shows something more than the text.
    fn has_view(&self) -> bool {
        false
    }

    /// Which of several questions is asked now, and how many there are.
    fn number(&self) -> (usize, usize) {
        (0, 1)
    }

    /// What is decided about. Drawn once for each width and number; none in a step that shows something else.
    fn text(&self, columns: usize) -> Vec<Row>;

    /// What is below that: choices, a text row.
    fn controls(&mut self, room: Room) -> Drawn;

    /// Which keys there are now.
    fn bindings(&self, is_seen: bool) -> Vec<Binding>;

    /// How far they are apart.
    fn gap(&self) -> usize {
        3
    }
}

/// The kind for a question.
pub(super) fn of(question: &Question, here: &Here) -> Box<dyn Asking> {
    match &question.asks {
        Asks::Permission(tool) => Box::new(Permission::new(tool, here)),
        Asks::Questions(asked, _) => Box::new(Questions::new(asked)),
        Asks::Prompt(PromptKind::Confirm, config) if config.details.is_some() => {
            Box::new(Trust::new(config, here.asks_itself))
        }
        Asks::Prompt(kind, config) => of_prompt(*kind, config),
    }
}

fn of_prompt(kind: PromptKind, config: &PromptConfig<'_>) -> Box<dyn Asking> {
    match kind {
        PromptKind::Confirm => Box::new(Confirm::new(config)),
        PromptKind::Select => Box::new(Select::by_value(config)),
        PromptKind::Choice => Box::new(Select::by_number(config)),
        PromptKind::Checkbox => Box::new(Checkbox::new(config)),
        PromptKind::Input => Box::new(Input::new(config)),
        PromptKind::Text => Box::new(Input::that_says_something(config)),
        PromptKind::PrefixSelect => Box::new(PrefixSelect::new(config)),
        PromptKind::Approval => Box::new(Approval::new(config)),
    }
}

/// The key, if nothing is held down beside it that could make it mean something else.
pub(super) const fn pressed(key: Key) -> Option<Code> {
    if key.ctrl || key.alt { None } else { Some(key.code) }
}

/// What stands on the wire for "none of this".
pub(super) use codec::events::REJECT;

/// What a client's question says.
#[derive(Debug, Clone)]
pub(super) struct Said {
    message: Option<String>,
    question: Option<String>,
}

impl Said {
    pub(super) fn by(config: &PromptConfig<'_>) -> Self {
        let text = |text: &Text<'_>| Some(text.get().into_owned()).filter(|text| !text.trim().is_empty());
        let question = config.question.as_ref().and_then(text);
        let message = text(&config.message).filter(|message| Some(message) != question.as_ref());
        Self { message, question }
    }

    pub(super) fn rows(&self, columns: usize) -> Vec<Row> {
        let said = [self.message.as_ref(), self.question.as_ref()].into_iter().flatten();
        said.flat_map(|text| prose(text, Style::BOLD, columns)).collect()
    }
}
