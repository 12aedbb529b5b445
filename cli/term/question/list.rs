//! A list to choose from: by number, or by arrows.
//!
//! Owns which item is marked and the number that is being typed. Chooses nothing by itself. More items than there is room
//! for are shown around the marked one, and both ends say how many are beyond.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::keys::Code;
use super::super::measure::width;
use super::super::style::{Colour, Row, Span, Style};
use super::super::wrap::{Breaks, Margin, fold};
use super::draw::{CYAN, Room, at_most, more};

/// One item.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// what it is called
    pub(super) name: String,
    /// what else is said of it
    pub(super) about: Option<String>,
}

/// The list.
#[derive(Debug)]
pub(super) struct List {
    items: Vec<Item>,
    marked: Option<usize>,
    /// the number so far, where numbers may have several digits
    number: String,
    /// how many items to show at once, if somebody cares
    page: Option<usize>,
}

/// What a key came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Move {
    /// another item is marked
    Marked,
    /// the number of an item was typed
    Number(usize),
    /// there is no item of that number
    NoSuch,
}

/// What stands before the names.
#[derive(Debug, Clone, Copy)]
pub(super) enum Boxes<'a> {
    /// nothing: one is chosen
    None,
    /// whether each is chosen
    Of(&'a BTreeSet<usize>),
}

/// Up to so many items a number has one digit, and needs no Enter.
const ONE_DIGIT: usize = 9;

impl List {
    pub(super) fn new(items: Vec<Item>, marked: Option<usize>, page: Option<usize>) -> Self {
        Self { items, marked, number: String::new(), page }
    }

    /// What one is called.
    pub(super) fn name(&self, place: usize) -> Option<&str> {
        self.items.get(place).map(|item| item.name.as_str())
    }

    /// Says something of an item that was not known before.
    pub(super) fn tell(&mut self, place: usize, about: String) {
        if let Some(item) = self.items.get_mut(place) {
            item.about = Some(about);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) const fn marked(&self) -> Option<usize> {
        self.marked
    }

    pub(super) fn mark(&mut self, at: usize) {
        self.marked = Some(at);
        self.number.clear();
    }

    /// The keys that choose, in words.
    pub(super) fn numbers(&self) -> String {
        match self.len() {
            0 | 1 => "1".to_owned(),
            count @ 2..=ONE_DIGIT => format!("1-{count}"),
            _ => "number".to_owned(),
        }
    }

    /// What an Enter is told that chooses nothing.
    pub(super) fn how_to_choose(&self) -> String {
        match self.len() {
            0..=ONE_DIGIT => format!("Choose with {} or ↑↓", self.numbers()),
            count => format!("Choose with a number from 1 to {count}, or ↑↓"),
        }
    }

    /// Takes a key if it is one that moves or counts.
    pub(super) fn key(&mut self, code: Code) -> Option<Move> {
        let last = self.len().checked_sub(1)?;
        let at = match (code, self.marked) {
            (Code::Char(digit @ '0'..='9'), _) => return Some(self.digit(digit)),
            (Code::Backspace, _) if !self.number.is_empty() => return Some(self.erase()),
            (Code::Up, None) | (Code::End, _) => last,
            (Code::Up, Some(at)) => at.saturating_sub(1),
            (Code::Down, None) | (Code::Home, _) => 0,
            (Code::Down, Some(at)) => at + 1,
            (Code::PageUp, at) => at.unwrap_or(0).saturating_sub(self.page.unwrap_or(ONE_DIGIT)),
            (Code::PageDown, at) => at.unwrap_or(0) + self.page.unwrap_or(ONE_DIGIT),
            _ => return None,
        };
        self.mark(at.min(last));
        Some(Move::Marked)
    }

    fn digit(&mut self, digit: char) -> Move {
        let typed = format!("{}{digit}", self.number);
        let place = typed.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match place.filter(|place| *place < self.len()) {
            None => Move::NoSuch,
            Some(place) if self.len() <= ONE_DIGIT => {
                self.mark(place);
                Move::Number(place)
            }
            Some(place) => {
                self.mark(place);
                self.number = typed;
                Move::Marked
            }
        }
    }

    fn erase(&mut self) -> Move {
        self.number.pop();
        self.marked = self.number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        Move::Marked
    }

    /// Its rows.
    pub(super) fn rows(&self, boxes: Boxes<'_>, room: Room) -> Vec<Row> {
        let columns = Columns::of(self, boxes, room.columns);
        let shown = self.window(&columns, room.height);
        let items = self.items.iter().enumerate().skip(shown.start).take(shown.len());
        let mut rows: Vec<Row> = Vec::new();
        rows.extend((shown.start > 0).then(|| more("↑ ", shown.start, room.columns)));
        rows.extend(items.flat_map(|(at, item)| columns.item(at, item, self.marked == Some(at))));
        let below = self.len() - shown.end;
        rows.extend((below > 0).then(|| more("↓ ", below, room.columns)));
        rows
    }

    /// As many items around the marked one as there is room for.
    fn window(&self, columns: &Columns<'_>, height: usize) -> Range<usize> {
        let most = self.page.unwrap_or(usize::MAX).max(1);
        let tall = |at: usize| self.items.get(at).map_or(0, |item| columns.item(at, item, false).len());
        let middle = self.marked.unwrap_or(0).min(self.len().saturating_sub(1));
        let (mut shown, mut used) = (middle..(middle + 1).min(self.len()), tall(middle));
        loop {
            let below = (shown.end < self.len()).then(|| (shown.end, shown.start..shown.end + 1));
            let above = shown.start.checked_sub(1).map(|at| (at, at..shown.end));
            // As many on both sides, and what is left over below.
            let is_top_heavy = middle - shown.start >= shown.end.saturating_sub(middle + 1);
            let order = if is_top_heavy { [below, above] } else { [above, below] };
            let fits = |(new, wanted): &(usize, Range<usize>)| {
                let marks = usize::from(wanted.start > 0) + usize::from(wanted.end < self.len());
                wanted.len() <= most && used + tall(*new) + marks <= height
            };
            let Some((new, wanted)) = order.into_iter().flatten().find(fits) else { return shown };
            used += tall(new);
            shown = wanted;
        }
    }
}

/// Where the parts of an item stand.
struct Columns<'a> {
    boxes: Boxes<'a>,
    columns: usize,
    number: usize,
    /// how wide the names are, if what is said of them stands beside them
    names: Option<usize>,
}

/// No name is wider, if something stands beside it.
const WIDEST_NAME: usize = 24;
/// As much room as a text beside a name needs.
const LEAST_ABOUT: usize = 20;
/// An item that is longer is cut: the others matter too.
const MOST_ROWS: usize = 4;

impl<'a> Columns<'a> {
    fn of(list: &List, boxes: Boxes<'a>, columns: usize) -> Self {
        let number = list.len().to_string().len();
        let described = || list.items.iter().filter(|item| item.about.is_some());
        let widest = described().map(|item| width(&codec::text::visible(&item.name))).max().unwrap_or(0);
        let mut found = Self { boxes, columns, number, names: None };
        let left = found.begin(0, false).width() + widest + 3 + LEAST_ABOUT;
        found.names = (widest <= WIDEST_NAME && left <= columns).then_some(widest);
        found
    }

    fn begin(&self, at: usize, is_marked: bool) -> Row {
        let style = if is_marked { CYAN } else { Style::PLAIN };
        let mark = Span::own(style, if is_marked { "❯ " } else { "  " });
        let number = format!("{:>width$}  ", at + 1, width = self.number);
        let row = Row::blanks(2).and(mark).and(Span::foreign(style, &number));
        match self.boxes {
            Boxes::None => row,
            Boxes::Of(chosen) if chosen.contains(&at) => row.and(Span::own(Style::of(Colour::Green), "[x] ")),
            Boxes::Of(_) => row.and(Span::own(style, "[ ] ")),
        }
    }

    fn item(&self, at: usize, item: &Item, is_marked: bool) -> Vec<Row> {
        let style = if is_marked { CYAN } else { Style::PLAIN };
        let begin = self.begin(at, is_marked);
        let name = item.name.replace('\n', " ");
        let name = Row::foreign(style, &name);
        let about = item.about.as_ref().map(|about| Row::foreign(Style::DIM, &about.replace('\n', " ")));
        let below = Margin::blank(begin.width());
        let rows = match (about, self.names) {
            (Some(about), Some(names)) => {
                let padding = Row::blanks(names + 3 - name.width().min(names));
                let begin = begin.then(&name).then(&padding);
                fold(&about, &Margin::hanging(begin), self.columns, Breaks::Words)
            }
            (about, _) => {
                let mut rows = fold(&name, &Margin::hanging(begin), self.columns, Breaks::Words);
                rows.extend(about.iter().flat_map(|about| fold(about, &below, self.columns, Breaks::Words)));
                rows
            }
        };
        at_most(MOST_ROWS, rows, self.columns)
    }
}
