//! Any number of choices, also none.
//!
//! Owns which are checked. Keys only check and uncheck; nothing but an Enter sends.

use std::collections::BTreeSet;

use codec::json::Json;
use codec::tunnel::PromptConfig;

use super::super::keys::{Code, Key};
use super::super::style::{Row, Style};
use super::Effect;
use super::draw::{BACK_TO_LINE, Binding, Drawn, Room, at_most, labelled};
use super::list::{Boxes, List, Move};
use super::select::{items, values};
use super::widget::{Asking, Said, pressed};

#[derive(Debug)]
pub(super) struct Checkbox {
    said: Said,
    list: List,
    values: Vec<Json<'static>>,
    checked: BTreeSet<usize>,
}

impl Checkbox {
    pub(super) fn new(config: &PromptConfig<'_>) -> Self {
        let choices = config.choices.as_deref().unwrap_or_default().iter();
        let checked = choices.enumerate().filter(|(_, choice)| choice.checked == Some(true));
        Self {
            said: Said::by(config),
            checked: checked.map(|(place, _)| place).collect(),
            list: List::new(items(config), None, config.rows()),
            values: values(config),
        }
    }

    /// What is checked, by name: in a long list it may be far from what is shown.
    fn chosen_row(&self, room: Room) -> Vec<Row> {
        if self.checked.is_empty() || self.list.len() <= SHORT_LIST {
            return Vec::new();
        }
        let names: Vec<_> = self.checked.iter().filter_map(|place| self.list.name(*place)).collect();
        let names = Row::foreign(Style::PLAIN, &names.join(", ").replace('\n', " "));
        at_most(2, labelled("chosen", &names, room.columns), room.columns)
    }

    fn answer(&self) -> Effect {
        let chosen: Vec<_> =
            self.checked.iter().filter_map(|place| self.values.get(*place)).cloned().collect();
        Effect::Answer(Json::written(&chosen))
    }
}

/// All of a list that is no longer is shown on nearly every screen.
const SHORT_LIST: usize = 9;

/// Checks what is not checked, and the other way round.
pub(super) fn toggle(checked: &mut BTreeSet<usize>, place: usize) -> Effect {
    if !checked.remove(&place) {
        checked.insert(place);
    }
    Effect::Redraw
}

/// Checks all; if all are, none.
pub(super) fn toggle_all(checked: &mut BTreeSet<usize>, count: usize) -> Effect {
    let is_all = (0..count).all(|place| checked.contains(&place));
    for place in 0..count {
        if is_all {
            checked.remove(&place)
        } else {
            checked.insert(place)
        };
    }
    Effect::Redraw
}

impl Asking for Checkbox {
    fn key(&mut self, key: Key, _: bool) -> Effect {
        let hint = Effect::Hint(self.list.how_to_choose());
        let Some(code) = pressed(key) else { return hint };
        match (code, self.list.key(code), self.list.marked()) {
            (_, Some(Move::Marked), _) => Effect::Redraw,
            (_, Some(Move::Number(place)), _) | (Code::Char(' '), None, Some(place)) => {
                toggle(&mut self.checked, place)
            }
            (Code::Char('a'), None, _) => toggle_all(&mut self.checked, self.list.len()),
            (Code::Enter, None, _) => self.answer(),
            _ => hint,
        }
    }

    fn text(&self, columns: usize) -> Vec<Row> {
        self.said.rows(columns)
    }

    fn controls(&mut self, room: Room) -> Drawn {
        let chosen = self.chosen_row(room);
        let height = room.height.saturating_sub(chosen.len());
        let mut rows = self.list.rows(Boxes::Of(&self.checked), Room { height, ..room });
        rows.extend(chosen);
        rows.into()
    }

    fn bindings(&self, _: bool) -> Vec<Binding> {
        let sends = match self.checked.len() {
            0 => "sends none".to_owned(),
            count => format!("sends {count}"),
        };
        vec![
            Binding::new(&toggling(&self.list), "toggles"),
            Binding::new("a", "all"),
            Binding::new("Enter", &sends),
            Binding::extra("Esc", BACK_TO_LINE),
            Binding::extra("Ctrl-C", "decline"),
        ]
    }
}

/// The keys that check and uncheck, in words.
pub(super) fn toggling(list: &List) -> String {
    let numbers = list.numbers();
    if numbers.starts_with('1') { format!("{numbers} or space") } else { format!("{numbers} then space") }
}
