//! An agent's questions, one after another, with a way back.
//!
//! Owns the answers so far. Nothing is marked when a question opens, and a question without an answer is asked again. The
//! last item of each is the person's own words; those are typed in place.

use std::collections::BTreeSet;

use codec::claude::{AskUserQuestion, Question, QuestionOption};
use codec::json::{Json, Text, Written as _};

use super::super::keys::{Code, Key};
use super::super::style::{Row, Style};
use super::Effect;
use super::checkbox::{toggle, toggle_all, toggling};
use super::draw::{BACK_TO_LINE, Binding, Drawn, Room, at_most, indented, prose};
use super::field::{Field, Typed};
use super::list::{Boxes, Item, List, Move};
use super::widget::{Asking, pressed};

#[derive(Debug)]
pub(super) struct Questions {
    each: Vec<One>,
    at: usize,
}

/// One of them, and what was said to it.
#[derive(Debug)]
struct One {
    text: String,
    previews: Vec<Option<String>>,
    list: List,
    is_multiple: bool,
    chosen: BTreeSet<usize>,
    words: Field,
    is_writing: bool,
}

/// What comes of a key for one of them.
enum Step {
    Stay(Effect),
    /// it is answered
    Done,
    /// to the one before
    Back,
}

impl Questions {
    pub(super) fn new(asked: &AskUserQuestion<'_>) -> Self {
        Self { each: asked.questions.iter().map(One::new).collect(), at: 0 }
    }

    fn one(&self) -> Option<&One> {
        self.each.get(self.at)
    }

    fn is_last(&self) -> bool {
        self.at + 1 >= self.each.len()
    }

    fn go_on(&mut self) -> Effect {
        // Each one was answered on the way here: there is no other way forward.
        if self.is_last() { Effect::Answer(self.answer()) } else { self.go_to(self.at + 1) }
    }

    fn go_to(&mut self, at: usize) -> Effect {
        self.at = at;
        Effect::Redraw
    }

    fn answer(&self) -> Json<'static> {
        let each: Vec<_> = self.each.iter().map(One::answer).collect();
        Json::object(|out| out.member("answers", |to| each.write(to)))
    }
}

impl One {
    fn new(question: &Question<'_>) -> Self {
        let item = |option: &QuestionOption<'_>| Item {
            name: option.label.get().into_owned(),
            about: option.description.as_ref().map(|about| about.get().into_owned()),
        };
        let own = Item { name: "Something else…".to_owned(), about: None };
        let items = question.options.iter().map(item).chain([own]).collect();
        let preview =
            |option: &QuestionOption<'_>| option.preview.as_ref().map(|text| text.get().into_owned());
        Self {
            text: question.question.get().into_owned(),
            previews: question.options.iter().map(preview).collect(),
            list: List::new(items, None, None),
            is_multiple: question.is_multiple(),
            chosen: BTreeSet::new(),
            words: Field::default(),
            is_writing: false,
        }
    }

    /// The place of the person's own words.
    fn own(&self) -> usize {
        self.previews.len()
    }

    fn is_answered(&self) -> bool {
        !self.chosen.is_empty()
    }

    fn key(&mut self, key: Key) -> Step {
        if self.is_writing {
            return self.write(key);
        }
        let Some(code) = pressed(key) else { return self.hint() };
        match (code, self.list.key(code), self.list.marked()) {
            (_, Some(Move::Marked), _) => Step::Stay(Effect::Redraw),
            (_, Some(Move::Number(place)), _) => self.pick(place),
            (Code::Left, None, _) => Step::Back,
            (Code::Char(' '), None, Some(place)) if self.is_multiple => self.pick(place),
            (Code::Char('a'), None, _) if self.is_multiple => {
                let options = self.own();
                Step::Stay(toggle_all(&mut self.chosen, options))
            }
            (Code::Enter, None, _) if self.is_multiple => self.send(),
            (Code::Enter, None, Some(place)) => self.pick(place),
            _ => self.hint(),
        }
    }

    fn hint(&self) -> Step {
        Step::Stay(Effect::Hint(self.list.how_to_choose()))
    }

    fn pick(&mut self, place: usize) -> Step {
        if place == self.own() && !(self.is_multiple && self.chosen.contains(&place)) {
            self.is_writing = true;
            return Step::Stay(Effect::Redraw);
        }
        if self.is_multiple {
            return Step::Stay(toggle(&mut self.chosen, place));
        }
        self.chosen = BTreeSet::from([place]);
        Step::Done
    }

    fn send(&self) -> Step {
        if self.is_answered() { Step::Done } else { Step::Stay(Effect::hint("Choose at least one")) }
    }

    fn write(&mut self, key: Key) -> Step {
        match self.words.key(key) {
            Typed::Enter(text) if text.trim().is_empty() => {
                Step::Stay(Effect::hint("Write something, or Esc back to the list"))
            }
            Typed::Enter(text) => {
                self.is_writing = false;
                let own = self.own();
                self.list.tell(own, text.trim().replace('\n', " "));
                if self.is_multiple {
                    self.chosen.insert(own);
                    return Step::Stay(Effect::Redraw);
                }
                self.chosen = BTreeSet::from([own]);
                Step::Done
            }
            typed => Step::Stay(typed.into()),
        }
    }

    fn answer(&self) -> Json<'static> {
        let options: Vec<usize> = self.chosen.iter().copied().filter(|place| *place < self.own()).collect();
        Json::object(|out| {
            out.member("options", |to| Json::of(&options).write(to));
            if self.chosen.contains(&self.own()) {
                out.member("text", |to| Text::new(self.words.text()).write(to));
            }
        })
    }

    fn preview(&self, room: Room) -> Vec<Row> {
        let preview = self.list.marked().and_then(|place| self.previews.get(place)).and_then(Option::as_ref);
        let rows = preview.map(|text| indented(text, Style::DIM, 7, room.columns)).unwrap_or_default();
        at_most(MOST_PREVIEW.min(room.height), rows, room.columns)
    }
}

/// Rows of a preview.
const MOST_PREVIEW: usize = 10;

impl Asking for Questions {
    fn key(&mut self, key: Key, _: bool) -> Effect {
        let step = match self.each.get_mut(self.at) {
            Some(one) => one.key(key),
            None => Step::Done,
        };
        match (step, self.at.checked_sub(1)) {
            (Step::Stay(effect), _) => effect,
            (Step::Done, _) => self.go_on(),
            (Step::Back, Some(before)) => self.go_to(before),
            (Step::Back, None) => Effect::hint("This is the first question"),
        }
    }

    fn field(&mut self) -> Option<&mut Field> {
        self.each.get_mut(self.at).filter(|one| one.is_writing).map(|one| &mut one.words)
    }

    fn back(&mut self) -> bool {
        let writing = self.each.get_mut(self.at).map(|one| std::mem::take(&mut one.is_writing));
        if writing == Some(true) {
            return true;
        }
        let before = self.at.checked_sub(1);
        self.at = before.unwrap_or(0);
        before.is_some()
    }

    fn number(&self) -> (usize, usize) {
        (self.at, self.each.len())
    }

    fn text(&self, columns: usize) -> Vec<Row> {
        self.one().map(|one| prose(&one.text, Style::BOLD, columns)).unwrap_or_default()
    }

    fn controls(&mut self, room: Room) -> Drawn {
        let Some(one) = self.one() else { return Drawn::default() };
        let boxes = if one.is_multiple { Boxes::Of(&one.chosen) } else { Boxes::None };
        let below = if one.is_writing {
            one.words.draw("your words", room)
        } else {
            one.preview(Room { height: room.height / 2, ..room }).into()
        };
        let height = room.height.saturating_sub(below.rows.len());
        let mut drawn = Drawn::from(one.list.rows(boxes, Room { height, ..room }));
        drawn.add(below);
        drawn
    }

    fn bindings(&self, _: bool) -> Vec<Binding> {
        let Some(one) = self.one() else { return Vec::new() };
        if one.is_writing {
            return vec![Binding::new("Enter", "takes these words"), Binding::new("Esc", "back to the list")];
        }
        let mut all = if one.is_multiple {
            let enter =
                if self.is_last() { format!("sends {}", one.chosen.len()) } else { "goes on".to_owned() };
            vec![
                Binding::new(&toggling(&one.list), "toggles"),
                Binding::new("a", "all"),
                Binding::new("Enter", &enter),
            ]
        } else {
            vec![Binding::new(&format!("{} or ↑↓ then Enter", one.list.numbers()), "")]
        };
        all.extend((self.at > 0).then(|| Binding::new("←", &format!("question {}", self.at))));
        all.extend((self.at == 0).then(|| Binding::extra("Esc", BACK_TO_LINE)));
        all.push(Binding::extra("Ctrl-C", "decline"));
        all
    }
}
