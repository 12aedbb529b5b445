//! Which key goes where: to the line or to the question, as [`Focus`](super::focus::Focus) says.
//!
//! Owns the keys that are the same everywhere (Ctrl-L, Ctrl-O, Ctrl-Z), and what Ctrl-C means when there is nothing to
//! clear and nothing to decline. What a key says about a question is the question's.

use std::time::Duration;

use actors::router::Said;
use actors::terminal::ARMED_AFTER;
use codec::id::Path;
use tokio::time::Instant;

use super::super::editor::{Edit, LONGEST_LINE, by_its_name};
use super::super::keys::{Code, Input, Key, LONGEST_PASTE, Waits};
use super::super::question::{Effect, keys_help};
use super::super::style::{Row, Style};
use super::live::fail_if_told;
use super::targets::{self, Goes};
use super::{Act, Hint, Screen};

/// So long after an ESC nothing that belongs to it comes any more.
const ESCAPE: Duration = Duration::from_millis(50);
/// So long after a piece of a paste its end has got lost.
const PASTE: Duration = Duration::from_secs(5);
/// So long after one of several questions a key that is held down does not answer the next.
const BETWEEN: Duration = Duration::from_millis(300);
/// Why a line is not sent at once that may be the rest of an answer.
pub(super) const VANISHED: &str =
    "The question that you were at is gone: Enter again sends this to the agent";
/// Within this time a second Ctrl-C ends.
const TWICE: Duration = Duration::from_secs(2);

impl Screen {
    /// The terminal sent something.
    pub(crate) fn typed(&mut self, bytes: &[u8], now: Instant) -> Vec<Act> {
        self.last_byte = now;
        self.setup.attention.key(now);
        let inputs = self.decoder.feed(bytes);
        self.take(inputs, now)
    }

    /// Keys that are known only because nothing followed.
    pub(super) fn tick_keys(&mut self, now: Instant) -> Vec<Act> {
        let inputs = match self.decoder.waits() {
            Some(Waits::Briefly) if now >= self.last_byte + ESCAPE => self.decoder.idle(),
            Some(Waits::ForPaste) if now >= self.last_byte + PASTE => {
                self.decoder.stalled().into_iter().collect()
            }
            _ => return Vec::new(),
        };
        self.take(inputs, now)
    }

    pub(super) fn decoder_waits(&self) -> Option<Instant> {
        self.decoder.waits().map(|waits| match waits {
            Waits::Briefly => self.last_byte + ESCAPE,
            Waits::ForPaste => self.last_byte + PASTE,
        })
    }

    fn take(&mut self, inputs: Vec<Input>, now: Instant) -> Vec<Act> {
        let mut acts = Vec::new();
        for input in inputs {
            self.pause_or_resume_line();
            self.hint = None;
            self.is_urgent = true;
            match input {
                Input::Key(key) => acts.extend(self.key(by_its_name(key), now)),
                Input::Paste(text) => acts.extend(self.paste(&text, now)),
                Input::PasteTooLong { bytes } => self.too_long(bytes, LONGEST_PASTE),
            }
        }
        acts
    }

    /// The line takes no keys while a question does; it is kept as it is.
    pub(super) fn pause_or_resume_line(&mut self) {
        match &self.up {
            Some(up) if up.focus.counts() => self.editor.pause(),
            _ => self.editor.resume(),
        }
    }

    fn key(&mut self, key: Key, now: Instant) -> Option<Act> {
        match (key.code, key.ctrl) {
            (Code::Char('z'), true) => return Some(Act::Suspend),
            (Code::Char('l'), true) => self.redraw(),
            (Code::Char('o'), true) => self.unfold(),
            _ if self.has_question_the_key(key) => return self.key_to_question(key, now),
            _ if !self.setup.has_line => return self.key_to_nothing(key),
            _ => return self.key_to_line(key, now),
        }
        None
    }

    /// Whether a key is the question's: its keys count, or nothing that this key could do decides it.
    fn has_question_the_key(&mut self, key: Key) -> bool {
        let has_line = self.setup.has_line;
        let Some(up) = &mut self.up else { return false };
        let is_typing = !has_line && key.code != Code::Enter && up.block.takes_text();
        up.focus.counts() || is_typing
    }

    /// Without a line keys that do not count yet are nobody's; but one can always leave.
    fn key_to_nothing(&mut self, key: Key) -> Option<Act> {
        let is_out = key.ctrl && matches!(key.code, Code::Char('c' | 'd'));
        match &self.up {
            Some(up) if is_out => Some(Act::Say(up.offer.key.clone(), Said::Decline)),
            None if is_out => Some(Act::End),
            _ => None,
        }
    }

    fn key_to_question(&mut self, key: Key, now: Instant) -> Option<Act> {
        let up = self.up.as_mut()?;
        let is_out = key.ctrl && matches!(key.code, Code::Char('c' | 'd'));
        if up.rests_until.is_some_and(|until| now < until) && !is_out {
            return None;
        }
        let before = up.block.number();
        let effect = up.block.key(key);
        up.rests_until = (up.block.number() != before).then_some(now + BETWEEN);
        // Whoever writes a sentence must not answer by a letter in the middle of it.
        let stray = letter(key).filter(|_| self.setup.has_line && up.block.is_stray(&effect));
        if stray.is_some() {
            up.focus.rests(now);
        }
        self.stray = stray.map(|letter| (letter, now));
        self.after_question(effect)
    }

    fn after_question(&mut self, effect: Effect) -> Option<Act> {
        let up = self.up.as_mut()?;
        match effect {
            Effect::Answer(value) => return Some(Act::Say(up.offer.key.clone(), Said::Answer(value))),
            Effect::Decline => return Some(Act::Say(up.offer.key.clone(), Said::Decline)),
            Effect::ToLine if self.setup.has_line => up.focus.goes_to_line(),
            Effect::ToLine => up.block.say("Ctrl-C gives no answer"),
            Effect::Keys => {
                let rows = up.block.keys(self.columns.saturating_sub(1).max(1));
                self.help(rows);
            }
            Effect::Nothing | Effect::Redraw | Effect::Hint(_) => {}
        }
        None
    }

    fn paste(&mut self, text: &str, now: Instant) -> Option<Act> {
        let has_line = self.setup.has_line;
        if let Some(up) = self.up.as_mut().filter(|up| up.focus.counts() || !has_line) {
            let effect = up.block.paste(text);
            return self.after_question(effect);
        }
        let was_empty = self.editor.is_empty();
        self.goes_on_behind_stray(now);
        let edit = self.editor.paste(text);
        self.after_line(edit, was_empty, now)
    }

    fn key_to_line(&mut self, key: Key, now: Instant) -> Option<Act> {
        let was_empty = self.editor.is_empty();
        if let (true, Code::Up, Some(newest)) = (was_empty, key.code, self.queued.newest()) {
            return Some(Act::TakeBack(newest));
        }
        match key.code {
            Code::Char(_) if !key.ctrl => self.goes_on_behind_stray(now),
            _ => self.stray = None,
        }
        // Whoever takes a line out of the history looks at it.
        self.was_line_dropped &= key.code != Code::Up;
        let edit = self.editor.key(key);
        self.after_line(edit, was_empty, now)
    }

    /// What is typed now stands behind the letter with which it began, if that has just come.
    fn goes_on_behind_stray(&mut self, now: Instant) {
        if let Some(up) = &mut self.up {
            up.block.hush();
        }
        if let Some((first, _)) = self.stray.take().filter(|(_, at)| now < *at + ARMED_AFTER) {
            self.editor.paste(first.encode_utf8(&mut [0; 4]));
        }
    }

    fn after_line(&mut self, edit: Edit, was_empty: bool, now: Instant) -> Option<Act> {
        self.doubt_line(was_empty, now);
        if let (Some(up), Edit::Changed | Edit::Submit(_)) = (&mut self.up, &edit) {
            match self.editor.is_empty() {
                true if !was_empty => up.focus.line_emptied(now),
                true => {}
                false => up.focus.line_typed(),
            }
        }
        match edit {
            Edit::Submit(line) => return self.send(&line),
            Edit::Interrupt if self.up.as_ref().is_some_and(|up| up.focus.is_on_question()) => {
                self.hint("The keys of this question count in a moment", None);
            }
            Edit::Interrupt => return Some(self.interrupt(now)),
            Edit::Escape if self.up.is_none() => return Some(self.interruption()),
            Edit::Tab => self.tab(),
            Edit::Keys => self.help(keys_help::on_the_line(self.width())),
            Edit::Eof if self.setup.tells_read => return Some(Act::Finish),
            Edit::Eof => self.hint("Ctrl-C twice ends", None),
            Edit::TooLong { bytes } => self.too_long(bytes, LONGEST_LINE),
            // Taken before, or of no consequence.
            Edit::Redraw | Edit::Unfold | Edit::Suspend | Edit::Escape | Edit::Nothing | Edit::Changed => {}
        }
        None
    }

    /// A line that is begun when a question has just vanished may be the rest of what was typed for that.
    fn doubt_line(&mut self, was_empty: bool, now: Instant) {
        if was_empty && !self.editor.is_empty() {
            self.line_is_for = self.targets.meant().cloned();
            let is_rest = self.vanished.is_some_and(|vanished| now < vanished + ARMED_AFTER);
            self.line_doubt = match std::mem::take(&mut self.was_line_dropped) {
                true => Some("Its beginning was not sent, and another agent listens: Enter again sends this"),
                false => is_rest.then_some(VANISHED),
            };
        }
    }

    /// Completes a name, goes to the question, or to the next who listens.
    fn tab(&mut self) {
        if let Some(rest) = self.targets.completes(self.editor.text()) {
            self.editor.paste(&rest);
        } else if let Some(up) = &mut self.up {
            up.focus.goes_to_question();
        } else {
            self.targets.next();
            self.line_is_for = self.targets.meant().cloned();
        }
    }

    fn send(&mut self, line: &str) -> Option<Act> {
        fail_if_told(self.setup.fails_on.as_deref(), line);
        if let Some(why) = self.line_doubt.take() {
            self.keep_line(line, why);
            return None;
        }
        if let Some(why) = self.misses(line) {
            self.keep_line(line, &why);
            return None;
        }
        let (text, to) = match self.targets.goes(line) {
            Goes::To(path, _) if !line.starts_with('@') && self.is_for_another(&path) => {
                let why =
                    format!("Who listens has changed: Enter again sends this to {}", targets::name(&path));
                self.keep_line(line, &why);
                self.line_is_for = Some(path);
                return None;
            }
            Goes::To(path, text) => (text, Some(path)),
            Goes::ToChain(text) => return Some(self.sends(text, None, None)),
            Goes::ToAll(text) => (text, None),
            Goes::Nowhere => {
                self.keep_line(line, "Nobody is there who reads lines: yours waits here");
                return None;
            }
        };
        let name = match &to {
            Some(path) if line.starts_with('@') => Some(targets::name(path)).filter(|_| text != line),
            Some(path) => self.targets.name().map(|_| targets::name(path)),
            None => Some("all".to_owned()),
        };
        Some(self.sends(text, to, name.as_deref()))
    }

    /// Why a line that begins with somebody's name is not sent at once: nobody is called so. The same line again is.
    fn misses(&mut self, line: &str) -> Option<String> {
        let why = self.targets.misses(line).filter(|_| self.missed.as_deref() != Some(line))?;
        self.missed = Some(line.to_owned());
        let to = match self.targets.goes(line) {
            Goes::To(path, _) => format!(" to {}", targets::name(&path)),
            Goes::ToChain(_) | Goes::ToAll(_) => " to all of them".to_owned(),
            Goes::Nowhere => return Some(why),
        };
        Some(format!("{why}. Enter again sends this{to}"))
    }

    fn sends(&mut self, text: String, to: Option<Path>, name: Option<&str>) -> Act {
        let number = self.queued.next();
        if self.setup.tells_read {
            self.queued.add(number, &text, name);
        } else {
            let rows = self.sent_row(&text, name);
            self.note(rows);
        }
        Act::Send { number, text, to }
    }

    /// Whether the line was begun for somebody else.
    fn is_for_another(&self, path: &Path) -> bool {
        self.line_is_for.as_ref().is_some_and(|begun| begun != path)
    }

    /// The line is not sent after all.
    fn keep_line(&mut self, line: &str, why: &str) {
        self.editor.put_back(line);
        if let Some(up) = &mut self.up {
            up.focus.line_typed();
        }
        self.hint(why, None);
    }

    /// The first asks what goes on to stop, the second within two seconds ends it all.
    fn interrupt(&mut self, now: Instant) -> Act {
        if self.interrupted.is_some_and(|before| now < before + TWICE) {
            return Act::End;
        }
        self.interrupted = Some(now);
        self.hint(self.setup.ends, Some(now + TWICE));
        self.interruption()
    }

    fn interruption(&self) -> Act {
        Act::Interrupt(self.targets.meant().cloned())
    }

    fn unfold(&mut self) {
        match self.folded.pop_front() {
            Some(rows) => {
                self.finish_stream();
                let head = Row::own(Style::DIM, "  … unfolded:");
                self.backlog.output([vec![head], rows].concat());
            }
            None => self.hint("There is nothing more to unfold", None),
        }
    }

    fn help(&mut self, rows: Vec<Row>) {
        self.hint = Some(Hint { rows, until: None });
    }

    fn too_long(&mut self, bytes: usize, most: usize) {
        self.hint(&format!("Too long: {bytes} bytes, and {most} is the most. Your line is as it was."), None);
    }
}

/// The letter of a key that is one.
fn letter(key: Key) -> Option<char> {
    match key.code {
        Code::Char(letter) if !key.ctrl && !key.alt && !letter.is_whitespace() => Some(letter),
        _ => None,
    }
}
