//! What calls a person who looks elsewhere: when, and with which bytes.
//!
//! Owns who was called for already: a question is called for once, when it is shown and no key came for a while; the end
//! of a run once, at once. Reads no clock and no key, writes nothing and runs nothing: whoever owns the terminal tells
//! what happened, looks when it is time, and does what comes out. Ends with [`Attention::leave`], after which the window
//! has its own title again.

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
mod title;

use std::collections::HashSet;
use std::time::Duration;

use codec::id::Key;
use codec::text::visible;
use tokio::time::Instant;

use crate::config::attention::Settings;
use title::Title;

/// What the terminal can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Abilities {
    /// it takes the sequences for titles and notifications, or at least swallows them
    pub(crate) osc: bool,
}

impl Abilities {
    /// By the name of the terminal, as `TERM` has it. Those that would write the sequences onto the screen get none.
    pub(crate) fn of(term: Option<&str>) -> Self {
        let is_plain = |name: &str| matches!(name, "" | "dumb" | "linux") || name.starts_with("linux-");
        Self { osc: term.is_some_and(|name| !is_plain(name)) }
    }
}

/// What is to be done to call the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    /// to be written to the terminal, between two frames
    pub(crate) bytes: String,
    /// the question for which the person's command is to be run
    pub(crate) runs_hook_for: Option<Key>,
}

/// Who is to be called for, and who was.
#[derive(Debug, Clone)]
pub(crate) struct Attention {
    bell: bool,
    notify: bool,
    has_hook: bool,
    after: Duration,
    last_key: Instant,
    shown: Option<Shown>,
    /// only those that may be shown again: see [`Attention::gone`]
    called: HashSet<Key>,
    ended: Option<String>,
    title: Title,
}

/// The question that is shown.
#[derive(Debug, Clone)]
struct Shown {
    key: Key,
    what: String,
    since: Instant,
}

/// What is answered at once, as by an answer command, did not wait: nobody is called before a question was up this long.
const SETTLED: Duration = Duration::from_secs(1);
/// How many characters a notification has at most.
const LONGEST: usize = 120;
const BELL: &str = "\x07";

impl Attention {
    /// Whoever started the program just now is there.
    pub(crate) fn new(settings: &Settings, abilities: Abilities, now: Instant) -> Self {
        Self {
            bell: settings.bell,
            notify: settings.notify && abilities.osc,
            has_hook: settings.command.is_some(),
            after: settings.after,
            last_key: now,
            shown: None,
            called: HashSet::new(),
            ended: None,
            title: Title::new(settings.title && abilities.osc),
        }
    }

    /// A key came: the person is there.
    pub(crate) fn key(&mut self, now: Instant) {
        self.last_key = self.last_key.max(now);
    }

    /// This question is shown now, instead of the one before. `what` says it in plain words, foreign ones too: `claude
    /// wants to run a command`. To say it again changes nothing but the words.
    pub(crate) fn question(&mut self, key: &Key, what: &str, now: Instant) {
        let before = self.shown.as_ref().filter(|shown| shown.key == *key);
        let since = before.map_or(now, |shown| shown.since);
        self.shown = Some(Shown { key: key.clone(), what: head(what), since });
    }

    /// This question has ended and will never be shown again, so nobody need remember it.
    pub(crate) fn gone(&mut self, key: &Key) {
        self.called.remove(key);
        self.shown.take_if(|shown| shown.key == *key);
    }

    /// So many questions wait, with the one that is shown.
    pub(crate) fn waiting(&mut self, count: usize) {
        self.title.waiting(count);
    }

    /// The run ended, as `what` says: `claude is done`. The next look calls for it, whether a key came or not: there may be
    /// no later one.
    pub(crate) fn ended(&mut self, what: &str) {
        if self.bell || self.notify {
            self.ended = Some(head(what));
        }
    }

    /// Whether no key came for so long that the person may look elsewhere.
    pub(crate) fn is_away(&self, now: Instant) -> bool {
        self.last_key.checked_add(self.after).is_some_and(|away| away <= now)
    }

    /// When to look again, if no key comes until then. None as long as there is nothing to call for.
    pub(crate) fn wake_at(&self) -> Option<Instant> {
        if self.ended.is_some() {
            return Some(self.last_key);
        }
        let is_heard = self.bell || self.notify || self.has_hook;
        let shown = self.shown.as_ref().filter(|shown| is_heard && !self.called.contains(&shown.key))?;
        // A time that is never reached is no time.
        let away = self.last_key.checked_add(self.after)?;
        Some(away.max(shown.since.checked_add(SETTLED.min(self.after))?))
    }

    /// What is to be done now.
    pub(crate) fn look(&mut self, now: Instant) -> Option<Call> {
        if let Some(what) = self.ended.take() {
            return Some(Call { bytes: self.bytes(&what), runs_hook_for: None });
        }
        let is_due = self.wake_at().is_some_and(|at| at <= now);
        let Shown { key, what, .. } = self.shown.as_ref().filter(|_| is_due)?;
        self.called.insert(key.clone());
        Some(Call { bytes: self.bytes(what), runs_hook_for: self.has_hook.then(|| key.clone()) })
    }

    /// To be written before the first frame, and again after [`Attention::leave`]: the terminal keeps the window's title.
    pub(crate) fn enter(&mut self) -> &'static str {
        self.title.enter()
    }

    /// The bytes of another title, if there is to be another.
    pub(crate) fn title(&mut self) -> Option<String> {
        self.title.change()
    }

    /// To be written at the end, or before something else gets the terminal: the window has its own title again.
    pub(crate) fn leave(&mut self) -> &'static str {
        self.title.leave()
    }

    fn bytes(&self, what: &str) -> String {
        let bell = if self.bell { BELL } else { "" };
        let notice = if self.notify { format!("\x1b]9;{}\x1b\\", notice(what)) } else { String::new() };
        format!("{bell}{notice}")
    }
}

/// As much of a text as may ever be shown, and one character more, by which it is known to be longer.
fn head(what: &str) -> String {
    what.chars().take(LONGEST + 1).collect()
}

/// The words of a notification: one row that ends where we end it. It begins with a word of ours, because some terminals
/// take a number there for an order; to them a `;` would begin another field.
fn notice(what: &str) -> String {
    let words = format!("tim: {}", visible(what)).replace(';', ",");
    if words.chars().nth(LONGEST).is_none() {
        return words;
    }
    words.chars().take(LONGEST - 1).chain(['…']).collect()
}
