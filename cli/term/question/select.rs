//! One of several choices: the asker gets its value, or its number and its value.
//!
//! Owns the choices' values. Without a default nothing is marked at first, so an Enter on its way chooses nothing.

use codec::json::{Json, Written as _};
use codec::tunnel::{Choice, PromptConfig};

use super::super::keys::{Code, Key};
use super::super::style::Row;
use super::Effect;
use super::draw::{BACK_TO_LINE, Binding, Drawn, Room};
use super::list::{Boxes, Item, List, Move};
use super::widget::{Asking, REJECT, Said, pressed};

#[derive(Debug)]
pub(super) struct Select {
    said: Said,
    list: List,
    values: Vec<Json<'static>>,
    /// the number goes with the value, and all can be rejected
    is_numbered: bool,
}

impl Select {
    /// Answered by the value of a choice.
    pub(super) fn by_value(config: &PromptConfig<'_>) -> Self {
        let default = config.default.as_ref().map(Json::written);
        let values = values(config);
        let marked = default.and_then(|default| values.iter().position(|value| default.means(value)));
        Self::new(config, values, marked, false)
    }

    /// Answered by the number and the value of a choice, or by a rejection.
    pub(super) fn by_number(config: &PromptConfig<'_>) -> Self {
        Self::new(config, values(config), None, true)
    }

    fn new(
        config: &PromptConfig<'_>,
        values: Vec<Json<'static>>,
        marked: Option<usize>,
        is_numbered: bool,
    ) -> Self {
        let list = List::new(items(config), marked, config.rows());
        Self { said: Said::by(config), list, values, is_numbered }
    }

    fn choose(&self, place: Option<usize>) -> Effect {
        match place.and_then(|place| Some((place, self.values.get(place)?))) {
            None => Effect::Hint(self.list.how_to_choose()),
            Some((_, value)) if !self.is_numbered => Effect::Answer(value.clone()),
            Some((place, value)) => Effect::Answer(Json::object(|out| {
                out.member("index", |to| to.push_str(&place.to_string()));
                out.member("value", |to| value.write(to));
            })),
        }
    }
}

/// What the choices stand for.
pub(super) fn values(config: &PromptConfig<'_>) -> Vec<Json<'static>> {
    choices(config).iter().map(|choice| Json::written(&choice.value)).collect()
}

/// The choices as people see them.
pub(super) fn items(config: &PromptConfig<'_>) -> Vec<Item> {
    let item = |choice: &Choice<'_>| Item {
        name: choice.name.get().into_owned(),
        about: choice.description.as_ref().map(|about| about.get().into_owned()),
    };
    choices(config).iter().map(item).collect()
}

fn choices<'c, 'a>(config: &'c PromptConfig<'a>) -> &'c [Choice<'a>] {
    config.choices.as_deref().unwrap_or_default()
}

impl Asking for Select {
    fn key(&mut self, key: Key, _: bool) -> Effect {
        let Some(code) = pressed(key) else { return Effect::Hint(self.list.how_to_choose()) };
        match (code, self.list.key(code)) {
            (_, Some(Move::Marked)) => Effect::Redraw,
            (_, Some(Move::Number(place))) => self.choose(Some(place)),
            (Code::Enter, None) => self.choose(self.list.marked()),
            (Code::Char('r'), None) if self.is_numbered => Effect::Answer(Json::of(REJECT)),
            _ => Effect::Hint(self.list.how_to_choose()),
        }
    }

    fn text(&self, columns: usize) -> Vec<Row> {
        self.said.rows(columns)
    }

    fn controls(&mut self, room: Room) -> Drawn {
        self.list.rows(Boxes::None, room).into()
    }

    fn bindings(&self, _: bool) -> Vec<Binding> {
        let choose = Binding::new(&format!("{} or ↑↓ then Enter", self.list.numbers()), "");
        let reject = self.is_numbered.then(|| Binding::new("r", "reject"));
        let rest = [Binding::extra("Esc", BACK_TO_LINE), Binding::extra("Ctrl-C", "decline")];
        [choose].into_iter().chain(reject).chain(rest).collect()
    }
}
