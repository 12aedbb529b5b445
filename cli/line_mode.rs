//! A question asked in plain lines: rows out, typed lines in, no cursor movement. It works on any terminal.
//!
//! Owns where one question is: which of an agent's questions is asked now, and the answers so far. Reads no terminal and
//! prints nothing. It ends with the first thing to be said to the router; a line that fits nothing says nothing.

mod read;
mod rows;
#[cfg(test)]
mod tests;

use actors::question::Asks;
use actors::router::{Offer, Said};
use codec::claude::{Answer, AskUserQuestion};
use codec::id::Key;

/// What declines any question.
const DECLINE: &str = "/decline";

/// One question at a terminal.
#[derive(Debug, Clone)]
pub(crate) struct LineMode {
    offer: Offer,
    columns: usize,
    /// to the first of an agent's questions
    answers: Vec<Answer>,
}

/// What a typed line came to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Entered {
    /// the question is done: this is to be said of it
    Said(Said),
    /// the line fits nothing; this hint says what does
    Again(String),
    /// the agent has one more question: its rows
    Next(Vec<String>),
}

impl LineMode {
    /// Begins to ask a question, on a screen of so many columns.
    pub(crate) const fn new(offer: Offer, columns: usize) -> Self {
        Self { offer, columns, answers: Vec::new() }
    }

    /// Which question it is.
    pub(crate) const fn key(&self) -> &Key {
        &self.offer.key
    }

    /// The text of the question, while so many others wait. The last row says what to type.
    pub(crate) fn rows(&self, waiting: usize) -> Vec<String> {
        rows::of(&self.offer, self.answers.len(), Some(waiting), self.columns)
    }

    /// Takes a line, with or without its end.
    pub(crate) fn enter(&mut self, line: &str) -> Entered {
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.trim() == DECLINE {
            return Entered::Said(Said::Decline);
        }
        // What an arrow key sends where nobody reads it as one.
        if line.chars().any(|letter| letter.is_control() && letter != '\t') {
            return Entered::Again("there is an invisible key in this line: write it again".to_owned());
        }
        let question = std::sync::Arc::clone(&self.offer.question);
        let value = match &question.asks {
            Asks::Prompt(kind, config) => read::prompt(*kind, config, line),
            Asks::Permission(_) => read::permission(line),
            Asks::Questions(asked, _) => return self.enter_one(asked, line),
        };
        value.map_or_else(Entered::Again, |value| Entered::Said(Said::Answer(value)))
    }

    /// Takes the answer to one of an agent's questions.
    fn enter_one(&mut self, asked: &AskUserQuestion<'_>, line: &str) -> Entered {
        if let Some(question) = asked.questions.get(self.answers.len()) {
            match read::answer(question, line) {
                Ok(answer) => self.answers.push(answer),
                Err(hint) => return Entered::Again(hint),
            }
        }
        if self.answers.len() < asked.questions.len() {
            return Entered::Next(rows::of(&self.offer, self.answers.len(), None, self.columns));
        }
        Entered::Said(Said::Answer(read::answers(&self.answers)))
    }
}
