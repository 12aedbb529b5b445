//! One open question with everything around it: who asks, what about, why, where, what comes next, and the keys.
//!
//! Owns what all kinds of questions have in common: Ctrl-C gives no answer, Esc steps back and never decides, `v` shows all,
//! a hint stands until the next key. It ends when it is dropped, whether it was answered or taken away.

use std::time::Duration;

use actors::question::Question;
use codec::json::Text;

use super::super::editor::by_its_name;
use super::super::keys::{Code, Key};
use super::super::style::{Row, Span, Style};
use super::super::wrap::{Breaks, Margin, fold};
use super::draw::{BACK_TO_LINE, Binding, Drawn, Room, YELLOW, at_most, keys, labelled};
use super::heading::{self, Says};
use super::reader::{LOOK_FIRST, Reader};
use super::widget::{self, Asking, pressed};
use super::{Effect, Here};

/// An open question.
#[derive(Debug)]
pub(crate) struct Block {
    kind: Box<dyn Asking>,
    says: Vec<Says>,
    agent: Option<String>,
    why: Option<String>,
    reader: Reader,
    hint: Option<String>,
    /// there is no line to go back to
    is_alone: bool,
    /// whether it stands on the screen as it is now, all of it
    is_drawn: bool,
    /// which of several questions stands there
    drawn_number: Option<usize>,
    /// whether the last drawing showed for the first time what had no room before
    shows_more: bool,
}

/// What is known about a question besides what it asks.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct About<'a> {
    /// who asks: the first of them is ours, each other is below the one before
    pub(crate) who: &'a [String],
    /// when it came, as the clock on the wall says it
    pub(crate) time: &'a str,
    /// how long ago that is
    pub(crate) age: Duration,
    /// how long it may still wait
    pub(crate) left: Option<Duration>,
    /// how many questions wait, with this one
    pub(crate) waiting: usize,
    /// the folder in which a tool would run
    pub(crate) folder: Option<&'a str>,
    /// what comes next, in a few words each
    pub(crate) then: &'a [String],
}

/// What it is drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Screen {
    /// as wide as a row may be
    pub(crate) columns: usize,
    /// as many rows as it may take
    pub(crate) height: usize,
    /// whether its keys count now
    pub(crate) is_armed: bool,
}

/// What claude says where it has no reason.
const NO_REASON: &str = "This command requires approval";

impl Block {
    /// A question as it opens.
    pub(crate) fn new(question: &Question, here: &Here) -> Self {
        let why = question.tool().and_then(|tool| tool.reason.as_ref()).map(Text::get);
        let why = why.filter(|why| why.trim().trim_end_matches('.') != NO_REASON && !why.trim().is_empty());
        Self {
            kind: widget::of(question, here),
            says: heading::of(question, here),
            agent: heading::agent(question),
            why: why.map(|why| why.trim().replace('\n', " ")),
            reader: Reader::default(),
            hint: None,
            is_alone: here.is_alone,
            is_drawn: false,
            drawn_number: None,
            shows_more: false,
        }
    }

    /// Whether the last drawing showed all of it for the first time, without anybody having turned pages.
    pub(crate) const fn shows_more(&self) -> bool {
        self.shows_more
    }

    /// Which of several questions is asked now.
    pub(crate) fn number(&self) -> usize {
        self.kind.number().0
    }

    /// What was typed into its text row and not sent.
    pub(crate) fn typed(&mut self) -> Option<String> {
        let field = self.kind.field().filter(|field| !field.text().trim().is_empty())?;
        Some(field.text().to_owned())
    }

    /// Which keys there are now, for whoever asks for help.
    pub(crate) fn keys(&self, columns: usize) -> Vec<Row> {
        let mut bindings = self.kind.bindings(self.is_all_seen());
        bindings.retain(|binding| !binding.is_back_to_line() && !binding.is_help());
        if self.reader.is_cut() {
            bindings.push(Binding::new("v", "view all"));
        }
        if !self.is_alone {
            bindings.push(Binding::new("Esc", BACK_TO_LINE));
        }
        bindings.push(Binding::new("Ctrl-C", "no answer"));
        keys(&bindings, 3, true, columns)
    }

    /// Whether all that is decided about has been on the screen.
    fn is_all_seen(&self) -> bool {
        self.reader.is_seen() && self.kind.is_shown_whole()
    }

    /// What it asks for, as the end of a sentence.
    pub(crate) fn says(&self) -> &str {
        self.says.first().map_or("asks", Says::text)
    }

    /// Says something below it until the next key, such as why an answer was not taken.
    pub(crate) fn say(&mut self, hint: &str) {
        self.hint = Some(hint.to_owned());
    }

    /// Says it no more.
    pub(crate) fn hush(&mut self) {
        self.hint = None;
    }

    /// Whether letters go into a text row of it now.
    pub(crate) fn takes_text(&mut self) -> bool {
        self.kind.field().is_some() && !self.reader.is_open()
    }

    /// Whether a letter that had this effect means nothing here: it waits for one of its keys, and not in the middle of
    /// something. One that waits only until all was seen means something.
    pub(crate) fn is_stray(&mut self, effect: &Effect) -> bool {
        let waits = self.kind.step().is_none() && self.kind.field().is_none() && !self.reader.is_open();
        waits && matches!(effect, Effect::Hint(hint) if hint != LOOK_FIRST)
    }

    /// Takes a key.
    pub(crate) fn key(&mut self, key: Key) -> Effect {
        let effect = self.take(by_its_name(key));
        self.keep_hint(effect)
    }

    /// Takes a pasted text. Its line ends send nothing.
    pub(crate) fn paste(&mut self, text: &str) -> Effect {
        let effect = if self.reader.is_open() { Effect::Nothing } else { self.kind.paste(text) };
        self.keep_hint(effect)
    }

    fn keep_hint(&mut self, effect: Effect) -> Effect {
        self.hint = match &effect {
            Effect::Hint(hint) => Some(hint.clone()),
            _ => None,
        };
        // A key behind one that changed something was pressed for another picture.
        self.is_drawn &= effect != Effect::Redraw;
        effect
    }

    fn take(&mut self, key: Key) -> Effect {
        if key.ctrl && key.code == Code::Char('c') {
            return self.give_up();
        }
        // The end of the input, where a text row has nothing to delete.
        if key.ctrl && key.code == Code::Char('d') && self.kind.field().is_none_or(|field| field.is_empty()) {
            return Effect::Decline;
        }
        if self.reader.is_open() {
            return self.reader.key(key);
        }
        let takes_text = self.kind.field().is_some();
        match pressed(key) {
            Some(Code::Esc) if self.kind.back() => Effect::Redraw,
            Some(Code::Esc) => Effect::ToLine,
            Some(Code::Char('?')) if !takes_text => Effect::Keys,
            Some(Code::Char('v')) if !takes_text && self.shows_text() && self.has_more() => {
                self.reader.open()
            }
            // It was pressed for the question before this one.
            _ if self.drawn_number != Some(self.kind.number().0) => {
                Effect::hint("Look at this question first")
            }
            _ => self.kind.key(key, self.is_drawn && self.is_all_seen()),
        }
    }

    /// Ctrl-C empties a text row first, as it does on the line.
    fn give_up(&mut self) -> Effect {
        match self.kind.field().filter(|field| !field.is_empty()) {
            Some(field) => {
                field.clear();
                Effect::Redraw
            }
            None => Effect::Decline,
        }
    }

    /// Whether a part of the text is hidden, and there is nothing else to view once it was read.
    fn has_more(&self) -> bool {
        self.reader.is_cut() && !(self.kind.has_view() && self.reader.is_seen())
    }

    fn shows_text(&self) -> bool {
        self.kind.step().is_none()
    }

    /// Draws it. What was drawn here counts as seen.
    pub(crate) fn draw(&mut self, about: &About<'_>, screen: Screen) -> Drawn {
        let columns = screen.columns;
        let head = self.head(about, columns);
        let number = self.kind.number().0;
        let (was_seen, is_reading) = (self.reader.is_seen(), self.reader.is_open());
        self.reader.show(columns, number, |columns| self.kind.text(columns));
        let hint = self.hint_rows(columns);
        let fixed = head.len() + hint.len() + self.most_key_rows(screen);
        let inner = Room { columns, height: screen.height.saturating_sub(fixed) };
        let middle = self.middle(about, inner);
        let mut drawn = Drawn::from(head);
        drawn.add(middle);
        let (is_seen, is_cut) = (self.is_all_seen(), self.reader.is_cut());
        drawn.add(self.key_rows(is_seen, is_cut, screen).into());
        drawn.add(hint.into());
        self.is_drawn = drawn.rows.len() <= screen.height;
        self.shows_more =
            self.reader.is_seen() && !was_seen && !is_reading && self.drawn_number == Some(number);
        self.drawn_number = Some(number);
        clipped(drawn, screen)
    }

    /// Everything between the heading and the keys.
    fn middle(&mut self, about: &About<'_>, room: Room) -> Drawn {
        if self.reader.is_open() {
            return self.reader.draw(room).into();
        }
        if !self.shows_text() {
            return self.kind.controls(room);
        }
        let text = self.reader.height();
        let controls = self.kind.controls(Room { height: room.height - text.min(room.height / 2), ..room });
        let left = room.height.saturating_sub(controls.rows.len());
        let (above, below) = self.around(about, Room { height: left, ..room });
        let height = left.saturating_sub(above.len() + below.len());
        let mut drawn = Drawn::from(self.reader.draw(Room { height, ..room }));
        drawn.add(above.into());
        drawn.add(controls);
        drawn.add(below.into());
        drawn
    }

    /// Why and where, and what comes next, as far as there is room beside the text.
    fn around(&self, about: &About<'_>, room: Room) -> (Vec<Row>, Vec<Row>) {
        let mut spare = room.height.saturating_sub(self.reader.height());
        // What is cut anyway is not much shorter for a reason to look closely.
        if spare == 0 && room.height >= ROOM_FOR_WHY {
            spare = MOST_WHY;
        }
        let mut take = |rows: Vec<Row>| {
            let fits = rows.len() <= spare;
            spare -= if fits { rows.len() } else { 0 };
            if fits { rows } else { Vec::new() }
        };
        let row = |text: &str| Row::foreign(Style::PLAIN, text);
        let why = self.why.as_deref().map(|why| labelled("why", &row(why), room.columns)).unwrap_or_default();
        let why = take(at_most(MOST_WHY, why, room.columns));
        let folder =
            about.folder.map(|folder| labelled("in", &row(folder), room.columns)).unwrap_or_default();
        let folder = take(at_most(2, folder, room.columns));
        let then = take(next(about.then, room.columns));
        (why.into_iter().chain(folder).collect(), then)
    }

    fn head(&self, about: &About<'_>, columns: usize) -> Vec<Row> {
        if let Some(says) = self.kind.step() {
            return heading::step(says, columns);
        }
        if let Some(head) = self.kind.head() {
            return heading::own(head, columns);
        }
        let number = self.kind.number();
        heading::rows(self.says.get(number.0), self.agent.as_deref(), number, about, columns)
    }

    /// How many rows the keys may take: which ones there are is known only when all else is drawn.
    fn most_key_rows(&self, screen: Screen) -> usize {
        let is_seen = self.is_all_seen();
        let whole = self.key_rows(true, false, screen).len();
        whole.max(self.key_rows(is_seen, true, screen).len())
    }

    fn key_rows(&self, is_seen: bool, is_cut: bool, screen: Screen) -> Vec<Row> {
        if self.reader.is_open() {
            return keys(&Reader::bindings(), 3, screen.is_armed, screen.columns);
        }
        let mut bindings = self.kind.bindings(is_seen);
        bindings.retain(|binding| !self.is_alone || !binding.is_back_to_line());
        match self.kind.needs_seen() {
            _ if !is_cut || !self.shows_text() => {}
            _ if is_seen && self.kind.has_view() => {}
            Some(key) if !is_seen => {
                bindings.insert(0, Binding::new("v", &format!("view all (needed before {key})")));
            }
            _ => {
                let place = bindings.iter().position(Binding::is_extra).unwrap_or(bindings.len());
                bindings.insert(place, Binding::extra("v", "view all"));
            }
        }
        keys(&bindings, self.kind.gap(), screen.is_armed, screen.columns)
    }

    fn hint_rows(&self, columns: usize) -> Vec<Row> {
        let hint = self.hint.as_deref().map(|hint| Row::foreign(YELLOW, hint));
        let rows =
            hint.map(|hint| fold(&hint, &Margin::blank(2), columns, Breaks::Words)).unwrap_or_default();
        at_most(3, rows, columns)
    }
}

/// On a screen that is too low for all of it the keys stay, and the top goes.
pub(super) fn clipped(drawn: Drawn, screen: Screen) -> Drawn {
    let gone = drawn.rows.len().saturating_sub(screen.height.max(1));
    let cursor = drawn.cursor.map(|(row, column)| (row.saturating_sub(gone), column));
    let rows = drawn.rows.into_iter().skip(gone).map(|row| row.fit(screen.columns)).collect();
    Drawn { rows, cursor }
}

const MOST_WHY: usize = 3;
/// With fewer rows than that a cut text needs all of them.
const ROOM_FOR_WHY: usize = 8;

/// What comes next, in one row.
fn next(then: &[String], columns: usize) -> Vec<Row> {
    let mut row = Row::default();
    for (at, what) in then.iter().enumerate() {
        row = if at > 0 { row.and(Span::own(Style::DIM, " · ")) } else { row };
        row = row.and(Span::foreign(Style::DIM, &what.replace('\n', " ")));
    }
    if then.is_empty() {
        return Vec::new();
    }
    let label = Row::blanks(2).and(Span::own(Style::DIM, "then  "));
    vec![label.then(&row).fit(columns)]
}
