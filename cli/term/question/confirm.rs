//! Yes or no.
//!
//! Owns which key says which. An Enter says what the question says it does, and nothing if it says nothing.

use codec::json::Json;
use codec::tunnel::{PromptConfig, Scalar};

use super::super::keys::{Code, Key};
use super::super::style::Row;
use super::Effect;
use super::draw::{BACK_TO_LINE, Binding, Drawn, Room};
use super::reader::LOOK_FIRST;
use super::widget::{Asking, Said, pressed};

#[derive(Debug)]
pub(super) struct Confirm {
    said: Said,
    default: Option<bool>,
}

impl Confirm {
    pub(super) fn new(config: &PromptConfig<'_>) -> Self {
        let default = match &config.default {
            Some(Scalar::Flag(flag)) => Some(*flag),
            _ => None,
        };
        Self { said: Said::by(config), default }
    }

    fn hint(&self) -> Effect {
        Effect::hint(if self.default.is_some() { "Answer with y, n or Enter" } else { "Answer with y or n" })
    }
}

impl Asking for Confirm {
    fn key(&mut self, key: Key, is_seen: bool) -> Effect {
        let says = match pressed(key) {
            Some(Code::Char('y')) => Some(true),
            Some(Code::Char('n')) => Some(false),
            Some(Code::Enter) => self.default,
            _ => None,
        };
        match says {
            Some(true) if !is_seen => Effect::hint(LOOK_FIRST),
            Some(flag) => Effect::Answer(Json::of(&flag)),
            None => self.hint(),
        }
    }

    fn needs_seen(&self) -> Option<&'static str> {
        Some("y")
    }

    fn text(&self, columns: usize) -> Vec<Row> {
        self.said.rows(columns)
    }

    fn controls(&mut self, _: Room) -> Drawn {
        Drawn::default()
    }

    fn bindings(&self, is_seen: bool) -> Vec<Binding> {
        let yes = is_seen.then(|| Binding::new("y", "yes"));
        let no = Binding::new("n", "no");
        let enter = match self.default {
            Some(true) => is_seen.then(|| Binding::new("Enter", "takes yes [Y/n]")),
            Some(false) => Some(Binding::new("Enter", "takes no [y/N]")),
            None => None,
        };
        yes.into_iter().chain([no]).chain(enter).chain([Binding::extra("Esc", BACK_TO_LINE)]).collect()
    }
}
