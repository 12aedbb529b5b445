//! The line that a person types.
//!
//! Owns the text, the place in it, what was cut out of it, and the lines sent before. Keys and pasted texts go in; what is to
//! be done comes out. Draws nothing and reads nothing, so it can wait, with half a line in it, while a question has the
//! keys. Never cuts a text that is too long, and never sends one in pieces. It can be stopped and started again.

mod history;
mod keymap;
mod render;
#[cfg(test)]
mod tests;
mod text;

use history::History;
use text::Text;

pub(crate) use keymap::by_its_name;

/// How many bytes one line may have.
pub(crate) const LONGEST_LINE: usize = 1024 * 1024;

/// What a key came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Edit {
    /// the key means nothing here
    Nothing,
    /// the line or the place in it may look different now
    Changed,
    /// the line is to be sent; it is empty again
    Submit(String),
    /// draw everything anew
    Redraw,
    /// show what was folded
    Unfold,
    /// show which keys there are
    Keys,
    /// Ctrl-C on an empty line
    Interrupt,
    /// Ctrl-D on an empty line
    Eof,
    /// Ctrl-Z
    Suspend,
    /// Esc
    Escape,
    /// Tab
    Tab,
    /// the line would have got too long; it is as it was
    TooLong {
        /// how long it would have been
        bytes: usize,
    },
}

/// Whether it takes keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum State {
    /// it does
    #[default]
    Active,
    /// something else has the keys for now; the line is kept
    Paused,
    /// nobody would read the line; there is none
    Stopped,
}

/// The line.
#[derive(Debug, Default)]
pub(crate) struct Editor {
    state: State,
    text: Text,
    history: History,
    /// what was cut out last
    cut: String,
    /// the last key cut something out: what is cut out next belongs to it
    is_cutting: bool,
    /// the column that moves up and down want to keep
    goal: Option<usize>,
}

impl Editor {
    /// What is typed so far.
    pub(crate) fn text(&self) -> &str {
        self.text.as_str()
    }

    /// Whether nothing is.
    pub(crate) fn is_empty(&self) -> bool {
        self.text().is_empty()
    }

    /// Gives the text away; then the line is empty.
    pub(crate) fn take(&mut self) -> String {
        self.history.leave();
        self.text.take()
    }

    /// Whether it takes keys.
    #[cfg(test)]
    pub(crate) const fn state(&self) -> State {
        self.state
    }

    /// Takes no keys for now.
    pub(crate) fn pause(&mut self) {
        if self.state == State::Active {
            self.state = State::Paused;
        }
    }

    /// Takes keys again, with the line as it was.
    pub(crate) fn resume(&mut self) {
        if self.state == State::Paused {
            self.state = State::Active;
        }
    }

    /// Takes no keys any more, and gives back what was typed and not sent.
    pub(crate) fn stop(&mut self) -> String {
        self.state = State::Stopped;
        self.history.leave();
        self.text.take()
    }

    /// Takes keys again after a stop.
    pub(crate) fn start(&mut self) {
        self.state = State::Active;
    }

    /// The next agent has a line of its own: what was typed for the last one and not sent is given back, and `↑` finds it.
    pub(crate) fn begin_anew(&mut self) -> Option<String> {
        let left = self.stop();
        self.start();
        let left = Some(left).filter(|left| !left.trim().is_empty())?;
        self.history.add(&left);
        Some(left)
    }

    /// Takes a pasted text. Its newlines stay what they are: they send nothing.
    pub(crate) fn paste(&mut self, text: &str) -> Edit {
        if self.state != State::Active {
            return Edit::Nothing;
        }
        self.forget_last_key();
        self.insert(&text.replace("\r\n", "\n").replace('\r', "\n"))
    }

    /// Puts a text back that had been sent, before what is typed now.
    pub(crate) fn put_back(&mut self, text: &str) -> Edit {
        let text = if self.is_empty() { text.to_owned() } else { format!("{text}\n") };
        self.text.go_to(0);
        self.insert(&text)
    }

    fn insert(&mut self, text: &str) -> Edit {
        let bytes = self.text().len() + text.len();
        if bytes > LONGEST_LINE {
            return Edit::TooLong { bytes };
        }
        self.text.insert(text);
        Edit::Changed
    }

    fn submit(&mut self) -> Edit {
        self.history.leave();
        let line = self.text.take();
        if line.trim().is_empty() {
            return Edit::Changed;
        }
        self.history.add(&line);
        Edit::Submit(line)
    }

    /// Empties the line; what was there can be brought back.
    fn clear(&mut self) -> Edit {
        self.history.leave();
        self.cut = self.text.take();
        Edit::Changed
    }

    /// Cuts out everything between the cursor and there. Cuts in a row are one.
    fn cut_to(&mut self, place: usize, goes_on: bool) -> Edit {
        let is_before = place < self.text.cursor();
        let cut = self.text.remove_to(place);
        if cut.is_empty() {
            self.is_cutting = goes_on;
            return Edit::Changed;
        }
        self.cut = match (goes_on, is_before) {
            (false, _) => cut,
            (true, true) => cut + &self.cut,
            (true, false) => std::mem::take(&mut self.cut) + &cut,
        };
        self.is_cutting = true;
        Edit::Changed
    }

    /// One line up, or the line that was sent before.
    fn up(&mut self, goal: Option<usize>) -> Edit {
        match self.text.line_above(goal) {
            Some((place, goal)) => self.go_in_column(place, goal),
            None => {
                let older = self.history.older(self.text.as_str());
                self.replace(older)
            }
        }
    }

    /// One line down, or the line that was sent after.
    fn down(&mut self, goal: Option<usize>) -> Edit {
        match self.text.line_below(goal) {
            Some((place, goal)) => self.go_in_column(place, goal),
            None => {
                let newer = self.history.newer(self.text.as_str());
                self.replace(newer)
            }
        }
    }

    fn go_in_column(&mut self, place: usize, goal: usize) -> Edit {
        self.goal = Some(goal);
        self.go(place)
    }

    fn go(&mut self, place: usize) -> Edit {
        self.text.go_to(place);
        Edit::Changed
    }

    fn replace(&mut self, line: Option<String>) -> Edit {
        let Some(line) = line else { return Edit::Nothing };
        self.text.take();
        self.text.insert(&line);
        Edit::Changed
    }

    fn forget_last_key(&mut self) -> (bool, Option<usize>) {
        (std::mem::take(&mut self.is_cutting), self.goal.take())
    }
}
