//! The messages of the person: which wait, which were read, and which of those nobody has mentioned yet. Pure.
//!
//! Owns their names and texts. Decides neither when they are read nor what is said about them.

/// The messages of one run.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    waiting: Vec<Message>,
    /// names that were used
    known: Vec<String>,
    /// texts that were read and not yet mentioned
    unmentioned: Vec<String>,
    is_used: bool,
}

#[derive(Debug)]
struct Message {
    uuid: Option<String>,
    text: String,
    /// the person typed it; it is not what the run began with
    is_typed: bool,
}

impl Inbox {
    pub(super) fn push(&mut self, uuid: Option<String>, text: String, is_typed: bool) {
        self.known.extend(uuid.clone());
        self.is_used |= is_typed;
        self.waiting.push(Message { uuid, text, is_typed });
    }

    /// Whether there was one of that name.
    pub(super) fn knows(&self, uuid: Option<&str>) -> bool {
        uuid.is_some_and(|uuid| self.known.iter().any(|known| known == uuid))
    }

    /// Reads all that waits: the names of those that have one.
    pub(super) fn reads(&mut self) -> Vec<String> {
        let read = std::mem::take(&mut self.waiting);
        let typed = read.iter().filter(|message| message.is_typed).map(|message| message.text.clone());
        self.unmentioned.extend(typed);
        read.into_iter().filter_map(|message| message.uuid).collect()
    }

    /// Takes one back that waits; whether it did.
    pub(super) fn takes_back(&mut self, uuid: &str) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|message| message.uuid.as_deref() != Some(uuid));
        before > self.waiting.len()
    }

    /// The names of those that wait.
    pub(super) fn waiting(&self) -> Vec<String> {
        self.waiting.iter().filter_map(|message| message.uuid.clone()).collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether the person typed something, be it read or not.
    pub(super) fn is_used(&self) -> bool {
        self.is_used
    }

    /// What was read and is to be mentioned now, if anything.
    pub(super) fn mentions(&mut self) -> Option<String> {
        let texts = std::mem::take(&mut self.unmentioned);
        let quoted: Vec<_> = texts.iter().map(|text| format!("“{}”", short(text))).collect();
        (!quoted.is_empty()).then(|| quoted.join(" and "))
    }
}

/// More of a line is not quoted.
const LONGEST: usize = 60;

fn short(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let mut kept: String = line.chars().take(LONGEST).collect();
    if kept.len() < text.trim().len() {
        kept.push('…');
    }
    kept
}
