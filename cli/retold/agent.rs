//! One agent of a retold run: its story so far, and how it is called.
//!
//! Owns which language it speaks, which is told by its wire. Ends with a row that says how its process did.

use actors::gate::Place;
use codec::claude::{Output, System};
use tokio::time::Instant;

use super::Speaker;
use crate::render::tale::{Piece, Tale};
use crate::render::whole::Whole;
use crate::render::{Badge, Block, claude, events};
use crate::term::style::{Colour, Row, Span, Style};

/// The wire of an agent that is the only one of its run ends so.
const ALONE: &str = "main";

/// One agent.
pub(super) struct Agent {
    pub(super) path: String,
    /// what it is told apart by
    name: String,
    number: usize,
    pub(super) story: Box<dyn Tale>,
    /// the text that is being written
    pub(super) whole: Whole,
    /// where it works, as far as it said so
    pub(super) place: Place,
    has_spoken: bool,
    /// the code or the signal that its process ended with
    pub(super) exit: (Option<u64>, Option<u64>),
}

impl Agent {
    /// Whether an agent of our own is at the end of that wire.
    pub(super) fn is_on(wire: &str) -> bool {
        matches!(wire.split_once(':'), Some(("claude" | "agent", _)))
    }

    pub(super) fn new(who: Speaker<'_>, number: usize) -> Self {
        let (kind, name) = who.wire.split_once(':').unwrap_or_default();
        let story: Box<dyn Tale> = match kind {
            "claude" => Box::new(claude::Story::new(anywhere())),
            _ => Box::<events::Story>::default(),
        };
        Self {
            path: who.path.to_owned(),
            name: name.to_owned(),
            number,
            story,
            whole: Whole::default(),
            place: anywhere(),
            has_spoken: false,
            exit: (None, None),
        }
    }

    /// Whether it was the only one from the beginning.
    pub(super) fn is_alone(&self) -> bool {
        self.name == ALONE
    }

    /// What is to be told of a line.
    pub(super) fn hear(&mut self, line: &[u8], now: Instant) -> Vec<Piece> {
        self.finds_its_place(line);
        let noise = || vec![Piece::Block(Block::output(&String::from_utf8_lossy(line)))];
        let pieces = self.story.hear(line, now).unwrap_or_else(noise);
        self.has_spoken |= !pieces.is_empty();
        pieces
    }

    /// Claude Code says at its beginning where it works: files are called from there on.
    fn finds_its_place(&mut self, line: &[u8]) {
        if self.has_spoken || !self.place.root.is_empty() {
            return;
        }
        if let Ok(Output::System(System::Init(init))) = Output::read(line)
            && let Some(cwd) = init.cwd
        {
            self.place = Place { root: cwd.get().into_owned(), home: None };
            self.story = Box::new(claude::Story::new(self.place.clone()));
        }
    }

    /// How it is told from others, if there are any.
    pub(super) fn badge(&self, is_one_of_several: bool) -> Option<Badge> {
        (is_one_of_several || !self.is_alone()).then(|| Badge::numbered(&self.name, self.number, 0))
    }

    /// How its process ended, if that is on record.
    pub(super) fn end_row(&self, t: u64) -> Row {
        let red = Style::of(Colour::Red);
        let (sign, style, how) = match self.exit {
            (_, Some(signal)) => ("✗ ", red, format!(" ended by signal {signal}")),
            (Some(0), None) => ("– ", Style::DIM, " ended".to_owned()),
            (Some(code), None) => ("✗ ", red, format!(" ended with exit code {code}")),
            (None, None) => ("– ", Style::DIM, " is gone".to_owned()),
        };
        let row = Row::own(style, sign).and(Span::foreign(Style::DIM, &format!("{} ", super::time(t))));
        row.and(Span::foreign(Style::DIM, self.called())).and(Span::foreign(Style::DIM, &how))
    }

    fn called(&self) -> &str {
        if self.path.is_empty() { &self.name } else { &self.path }
    }
}

/// No file is called shortly there.
pub(super) fn anywhere() -> Place {
    Place { root: String::new(), home: None }
}
