//! What the agent says: in pieces while it is written, whole when it is there, never twice.
//!
//! Owns which texts of a message were told in pieces. The whole line of a block comes before the block is said to be over,
//! so what it repeats is compared with what was told. Line ends at either end of a text are no part of it. Shows nothing.

use std::collections::VecDeque;

use super::Piece;
use crate::render::flow::{Flow, talk};

/// Of a longer text the pieces are believed: it is not kept to be compared.
const LONGEST_KEPT: usize = 4 << 20;

/// A message has a few; the oldest are forgotten if their whole lines never come.
const MOST_TEXTS: usize = 32;

/// What the agent is saying.
#[derive(Debug, Default)]
pub(super) struct Saying {
    message: Option<String>,
    /// the texts of this message that came in pieces, without those that are over and were compared
    texts: VecDeque<Told>,
}

/// A text that came in pieces.
#[derive(Debug, Default)]
struct Told {
    index: u64,
    text: String,
    flow: Flow,
    is_over: bool,
    /// its whole line came: nothing of it is new any more
    is_whole: bool,
    is_too_long: bool,
}

impl Saying {
    /// A message begins.
    pub(super) fn begins(&mut self, message: Option<String>) -> Vec<Piece> {
        let ends = self.ends();
        self.message = message;
        ends
    }

    /// More of a text came.
    pub(super) fn goes_on(&mut self, index: u64, more: &str) -> Vec<Piece> {
        if !self.texts.iter().any(|text| text.index == index) {
            self.texts.push_back(Told { index, ..Told::default() });
            if self.texts.len() > MOST_TEXTS {
                self.texts.pop_front();
            }
        }
        let told = self.texts.iter_mut().find(|text| text.index == index);
        told.filter(|told| !told.is_whole && !told.is_over)
            .and_then(|told| told.more(more))
            .into_iter()
            .collect()
    }

    /// A block is over.
    pub(super) fn is_over(&mut self, index: u64) -> Vec<Piece> {
        let told = self.texts.iter_mut().find(|text| text.index == index && !text.is_over);
        let ends = told.and_then(Told::end);
        self.texts.retain(|text| !(text.is_over && text.is_whole));
        ends.into_iter().collect()
    }

    /// The whole text of a block.
    pub(super) fn whole(&mut self, message: Option<&str>, text: &str) -> Vec<Piece> {
        let is_same = message.is_none() || message == self.message.as_deref();
        let told = self.texts.iter_mut().find(|text| is_same && !text.is_whole);
        let Some(told) = told else { return talk(text).map(Piece::Block).into_iter().collect() };
        let pieces = told.compare(text);
        self.texts.retain(|text| !(text.is_over && text.is_whole));
        pieces
    }

    /// Nothing more comes of what was begun.
    pub(super) fn ends(&mut self) -> Vec<Piece> {
        let mut texts = std::mem::take(&mut self.texts);
        texts.iter_mut().filter_map(Told::end).collect()
    }
}

impl Told {
    fn more(&mut self, more: &str) -> Option<Piece> {
        self.is_too_long |= self.text.len() + more.len() > LONGEST_KEPT;
        if self.is_too_long {
            self.text = String::new();
        } else {
            self.text.push_str(more);
        }
        self.flow.more(more).map(Piece::Stream)
    }

    fn end(&mut self) -> Option<Piece> {
        self.is_over = true;
        self.flow.ends().then_some(Piece::StreamEnds)
    }

    fn compare(&mut self, text: &str) -> Vec<Piece> {
        self.is_whole = true;
        let same = |told: &str| text.strip_prefix(told).or_else(|| told.starts_with(text).then_some(""));
        let rest = if self.is_too_long { Some("") } else { same(&self.text) };
        match rest {
            Some("") => Vec::new(),
            Some(rest) if !self.is_over => self.more(rest).into_iter().collect(),
            Some(rest) => talk(rest).map(Piece::Block).into_iter().collect(),
            // Told once more, rather than not at all.
            None => self.end().into_iter().chain(talk(text).map(Piece::Block)).collect(),
        }
    }
}
