//! What the model will say, written down before: turns, each a list of steps in the order in which they happen.
//!
//! ```text
//! Script::new()
//!     .turn(main().asked("hello").text("Hi.").tool("Bash", json!({"command": "touch x"})))
//!     .turn(main().told("denied").held("gate").text("Then not."))
//! ```

use serde_json::Value;

use super::request::{Kind, Request};

/// All turns of a test.
#[derive(Default)]
pub(crate) struct Script {
    turns: Vec<Turn>,
}

impl Script {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// One more turn, for requests that none before it fits.
    pub(crate) fn turn(mut self, turn: Turn) -> Self {
        self.turns.push(turn);
        self
    }

    /// All turns of another, after those of this one.
    pub(crate) fn turns(mut self, more: Self) -> Self {
        self.turns.extend(more.turns);
        self
    }

    /// The first turn that fits, used once more; none if the script has none.
    pub(super) fn take(&mut self, request: &Request) -> Option<Turn> {
        let place = self.turns.iter().position(|turn| turn.fits(request))?;
        let turn = self.turns[place].clone();
        match &mut self.turns[place].left {
            Some(1) => drop(self.turns.remove(place)),
            Some(left) => *left -= 1,
            None => {}
        }
        Some(turn)
    }
}

/// One answer of the model.
#[derive(Clone)]
pub(crate) struct Turn {
    kind: Option<Kind>,
    conditions: Vec<Condition>,
    left: Option<usize>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) steps: Vec<Step>,
}

#[derive(Clone)]
enum Condition {
    Asked(String),
    Told(String),
    Mentions(String),
}

/// One thing that happens in a turn.
#[derive(Clone)]
pub(super) enum Step {
    /// nothing goes on until the test says so
    Hold(String),
    /// head and `message_start`; the first block brings them too
    Begin,
    /// a text block that stays open
    Open(String),
    /// more of the open text block
    More(String),
    /// what is open ends
    Close,
    Thinking(String),
    Tool(String, Value),
    /// an answer with this status instead of a stream
    Fail(u16),
    /// an error event, and the end
    Error(String),
    /// the connection ends without a word
    Cut,
}

/// For the agent that the person speaks with.
pub(crate) fn main() -> Turn {
    Turn::new(Some(Kind::Main))
}

/// For an agent that it started.
pub(crate) fn sub() -> Turn {
    Turn::new(Some(Kind::Sub))
}

/// For what the CLI asks by itself. Without such a turn it is told "ok".
pub(crate) fn side() -> Turn {
    Turn::new(Some(Kind::Side))
}

/// For any of them.
pub(crate) fn any() -> Turn {
    Turn::new(None)
}

impl Turn {
    fn new(kind: Option<Kind>) -> Self {
        Self { kind, conditions: Vec::new(), left: Some(1), headers: Vec::new(), steps: Vec::new() }
    }

    fn fits(&self, request: &Request) -> bool {
        self.kind.is_none_or(|kind| kind == request.kind)
            && self.conditions.iter().all(|condition| match condition {
                Condition::Asked(words) => request.last_user().contains(words),
                Condition::Told(words) => request.last_results().iter().any(|result| result.contains(words)),
                Condition::Mentions(words) => request.mentions(words),
            })
    }

    /// Only if the last user message has these words.
    pub(crate) fn asked(mut self, words: &str) -> Self {
        self.conditions.push(Condition::Asked(words.into()));
        self
    }

    /// Only if a tool result of the last user message has these words.
    pub(crate) fn told(mut self, words: &str) -> Self {
        self.conditions.push(Condition::Told(words.into()));
        self
    }

    /// Only if these words are anywhere in the conversation.
    pub(crate) fn mentions(mut self, words: &str) -> Self {
        self.conditions.push(Condition::Mentions(words.into()));
        self
    }

    /// So often, not once.
    pub(crate) fn times(mut self, number: usize) -> Self {
        assert!(number > 0, "a turn that never happens");
        self.left = Some(number);
        self
    }

    /// As often as it fits.
    pub(crate) fn always(mut self) -> Self {
        self.left = None;
        self
    }

    /// Stands still here until `Api::release`.
    pub(crate) fn held(self, gate: &str) -> Self {
        self.step(Step::Hold(gate.into()))
    }

    /// Head and `message_start` go out here, not with the first block.
    pub(crate) fn begins(self) -> Self {
        self.step(Step::Begin)
    }

    /// A whole text block.
    pub(crate) fn text(self, text: &str) -> Self {
        self.step(Step::Open(text.into())).step(Step::Close)
    }

    /// A text block that stays open for `more`, for a gate or for a `cut`.
    pub(crate) fn opens(self, text: &str) -> Self {
        self.step(Step::Open(text.into()))
    }

    /// More of the open text block.
    pub(crate) fn more(self, text: &str) -> Self {
        let last = self.steps.iter().rfind(|step| !matches!(step, Step::Hold(_)));
        assert!(matches!(last, Some(Step::Open(_) | Step::More(_))), "no text block is open here");
        self.step(Step::More(text.into()))
    }

    pub(crate) fn thinking(self, text: &str) -> Self {
        self.step(Step::Thinking(text.into()))
    }

    /// A call of a tool.
    pub(crate) fn tool(self, name: &str, input: Value) -> Self {
        self.step(Step::Tool(name.into(), input))
    }

    /// Refused with a status: 400, 401, 429, 500, 529 …
    pub(crate) fn fails(self, status: u16) -> Self {
        let begun = self.steps.iter().any(|step| !matches!(step, Step::Hold(_)));
        assert!(!begun, "a stream that has begun has no status any more");
        self.step(Step::Fail(status))
    }

    /// A header of the answer.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// With `fails`: when to come again, in seconds.
    pub(crate) fn retry_after(self, seconds: u32) -> Self {
        self.header("retry-after", &seconds.to_string())
    }

    /// An error event in the middle of the stream, which ends there.
    pub(crate) fn errs(self, kind: &str) -> Self {
        self.step(Step::Error(kind.into()))
    }

    /// The connection is closed here.
    pub(crate) fn cut(self) -> Self {
        self.step(Step::Cut)
    }

    fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}
