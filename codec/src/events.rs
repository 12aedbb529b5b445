//! Stream events: what an agent in any language prints and reads, one flat JSON object a line.

use crate::id::RequestId;
use crate::json::{Fault, IntoOwned, Json, Kind, Num, Text, Wrong, line, record, tagged, words};
use crate::limits::Limits;
use crate::outcome::Outcome;
use crate::reject::{Asked, Awaits, Reject, split};
use crate::skim::id_of;
use crate::tunnel::{Choice, PromptConfig, PromptKind, Scalar, check_id, check_text};

words! {
    /// How an agent wants to be answered.
    InputMode {
        /// `"approve"` or `"reject"`
        Approval = "approval",
        /// `{"index","value"}` or `"reject"`
        Choice = "choice",
        /// a text or `"reject"`
        Text = "text",
    }
}

record! {
    /// More text.
    struct TextDelta {
        text: Text<'a> = "text",
    }

    /// A tool begins.
    struct ToolUseStart {
        name: Text<'a> = "name",
    }
    lenient {
        id: Text<'a> = "id",
        input: Json<'a> = "input",
    }

    /// A tool ended.
    struct ToolResult {}
    lenient {
        id: Text<'a> = "id",
        output: Json<'a> = "output",
        is_error: bool = "is_error",
    }

    /// Tokens used.
    struct Usage {}
    lenient {
        input_tokens: Num<'a> = "input_tokens",
        output_tokens: Num<'a> = "output_tokens",
    }

    /// Something went wrong.
    struct Error {
        message: Text<'a> = "message",
    }

    /// The agent pauses and asks.
    struct InputRequest {
        request_id: RequestId = "requestId",
    }
    optional {
        prompt: Text<'a> = "prompt",
        /// any text: see [`InputRequest::mode`]
        input_type: Text<'a> = "input_type",
        choices: Vec<Text<'a>> = "choices",
    }

    /// The turn ends. An agent that ends without it has failed.
    struct Done {}
    lenient {
        /// see [`Done::is_ok`]
        ok: bool = "ok",
    }

    /// The agent has read what the person said under this id.
    struct UserRead {
        id: Text<'a> = "id",
    }

    /// The person said something.
    struct User {
        id: Text<'a> = "id",
        text: Text<'a> = "text",
    }

    /// The answer to an input request.
    struct InputResponse {
        request_id: RequestId = "requestId",
        response: Json<'a> = "response",
        outcome: Outcome = "outcome",
    }

    /// The turn is over; stop.
    struct Cancel {}
}

tagged! {
    /// One line that an agent prints.
    enum Event by "type" {
        TextDelta(TextDelta) = "text_delta",
        ToolUseStart(ToolUseStart) = "tool_use_start",
        ToolResult(ToolResult) = "tool_result",
        Usage(Usage) = "usage",
        Error(Error) = "error",
        InputRequest(InputRequest) = "input_request",
        Done(Done) = "done",
        UserRead(UserRead) = "user_read",
    }

    /// One line that an agent reads.
    enum Said by "type" {
        User(User) = "user",
        InputResponse(InputResponse) = "input_response",
        Cancel(Cancel) = "cancel",
    }
}

impl InputRequest<'_> {
    /// How to answer; approval if the agent does not say. Nothing if it says something that is none of the three, `null`
    /// included: what is asked must not be guessed.
    #[must_use]
    pub fn mode(&self) -> Option<InputMode> {
        match &self.input_type {
            Some(mode) => InputMode::from_word(&mode.get()),
            None if self.extras.has("input_type") => None,
            None => Some(InputMode::Approval),
        }
    }

    /// What is asked of a person, if one could answer it.
    pub fn asks(&self, limits: &Limits) -> Result<(PromptKind, PromptConfig<'static>), Wrong> {
        check_id(&self.request_id, limits)?;
        let expected = "approval, choice or text";
        let mode = self.mode().ok_or_else(|| Wrong::new("input_type", Fault::NotA { expected }))?;
        let choices = self.choices.as_deref().unwrap_or_default();
        let needs = |needed| Err(Wrong::new("choices", Fault::TooFew { needed }));
        let kind = match mode {
            InputMode::Approval if choices.len() != 2 => return needs("two choices"),
            InputMode::Approval => PromptKind::Approval,
            InputMode::Choice if choices.is_empty() => return needs("at least one choice"),
            InputMode::Choice => PromptKind::Choice,
            InputMode::Text => PromptKind::Text,
        };
        check_text("prompt", self.prompt.as_ref(), limits)?;
        if kind != PromptKind::Text && choices.iter().any(|choice| choice.get().trim().is_empty()) {
            return Err(Wrong::new("choices", Fault::NotA { expected: "texts that say something" }));
        }
        let config = self.config(if kind == PromptKind::Text { &[] } else { choices });
        config.check_texts(limits).map(|()| (kind, config))
    }

    fn config(&self, choices: &[Text<'_>]) -> PromptConfig<'static> {
        let prompt = self.prompt.clone().filter(|prompt| !prompt.get().trim().is_empty());
        let message = prompt.map_or_else(|| Text::new(NO_PROMPT), IntoOwned::into_owned);
        let choice = |name: &Text<'_>| {
            let name = name.clone().into_owned();
            Choice::of(name.clone(), Scalar::Text(name))
        };
        let choices = (!choices.is_empty()).then(|| choices.iter().map(choice).collect());
        PromptConfig { choices, ..PromptConfig::of(message) }
    }
}

/// What is shown of a question that says nothing.
const NO_PROMPT: &str = "(the agent does not say what it asks)";

impl Event<'_> {
    /// Whether a turn begins with it where none goes on: what comes late, about one that is over, begins none.
    #[must_use]
    pub const fn begins_turn(&self) -> bool {
        matches!(self, Event::TextDelta(_) | Event::ToolUseStart(_) | Event::InputRequest(_))
    }
}

impl ToolResult<'_> {
    /// Whether the tool failed: if the agent says so, however it says that.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        let is_odd = || self.extras.peek("is_error").is_some_and(|odd| odd.kind() != Kind::Null);
        self.is_error.unwrap_or_else(is_odd)
    }
}

impl Done<'_> {
    /// Whether the turn went well: it did unless the agent says otherwise.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        match self.ok {
            Some(ok) => ok,
            None => !self.extras.has("ok"),
        }
    }
}

impl InputResponse<'_> {
    /// Whether the person, or whatever became of the question, said no: the turn is over.
    #[must_use]
    pub fn is_reject(&self) -> bool {
        is_reject(&self.response)
    }
}

/// Whether a response is the one that ends a turn.
#[must_use]
pub fn is_reject(response: &Json<'_>) -> bool {
    response.as_text().is_some_and(|text| text.is(REJECT))
}

/// The response that ends a turn.
pub const REJECT: &str = "reject";

impl<'a> Event<'a> {
    /// Reads one line.
    pub fn read(line: &'a [u8]) -> Result<Self, Reject> {
        let members = || split(line).map_err(|reject| reject.heard_in(line, recover));
        // One that is not as it should be is kept whole. There are few: their members are read again, not all copied before.
        match Event::known(members()?) {
            Some(event) => Ok(event),
            None => members().map(Event::from_object),
        }
    }

    /// Who waits for an answer to this line although it could not be understood: the agent would wait for ever.
    #[must_use]
    pub fn misunderstood(&self) -> Option<Asked> {
        match self {
            Event::Unknown(_) => recover(self.to_line().as_bytes()),
            _ => None,
        }
    }

    /// The event as a line, without its line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        line(self)
    }
}

impl<'a> Said<'a> {
    /// Reads one line.
    pub fn read(line: &'a [u8]) -> Result<Self, Reject> {
        split(line).map(Said::from_object)
    }

    /// The message as a line, without its line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        line(self)
    }
}

/// Finds the request in a line that could not be read, or in the beginning of one that was too long to keep.
#[must_use]
pub fn recover(head: &[u8]) -> Option<Asked> {
    id_of(head, "input_request", "requestId").map(|id| Asked { id, awaits: Awaits::Input })
}

/// Whether a line only tells something: it asks nothing, under no id that could be found in it, ends no turn, and says
/// neither that something went wrong nor that a line was read. That holds also if it is no event at all. A no says nothing:
/// the line must be read. Most lines of an agent are of this kind, and finding that out is far cheaper than reading them.
#[must_use]
pub fn only_tells(line: &[u8]) -> bool {
    !may_mean_more(line) || memchr::memchr2_iter(b'"', b'\\', line).all(|at| !means_more(line, at + 1))
}

/// The types that do more than tell, as they stand behind the first quote of a string.
const MEANING: [&[u8]; 4] = [b"done\"", b"error\"", b"input_request\"", b"user_read\""];

/// Whether such a type stands there, or an escape: a type may be spelled in any way, and these are those of letters.
fn means_more(line: &[u8], at: usize) -> bool {
    match line.get(at..) {
        Some([b'u', b'0', b'0', b'5'..=b'7', ..]) => true,
        Some(rest) => MEANING.iter().any(|kind| rest.starts_with(kind)),
        None => false,
    }
}

/// Whether a type or an escape may begin anywhere in the line as those do. A short line is looked at closely at once.
fn may_mean_more(line: &[u8]) -> bool {
    let Some(last) = line.last_chunk::<17>() else { return true };
    let next = line.get(1..).unwrap_or_default();
    let (pairs, rest) =
        (line.as_chunks().0.iter().zip(next.as_chunks().0), (last.first_chunk(), last.last_chunk()));
    pairs.chain(rest.0.zip(rest.1)).any(|(first, next)| begins_in(first, next))
}

/// Looks at sixteen pairs of bytes, which the compiler turns into a few comparisons of all at once.
fn begins_in(first: &[u8; 16], next: &[u8; 16]) -> bool {
    let is_begun = |byte: u8| (byte == b'"') | (byte == b'\\');
    let is_type = |byte: u8| (byte == b'd') | (byte == b'e') | (byte == b'i') | (byte == b'u');
    let pairs = first.iter().zip(next);
    pairs.fold(0, |found, (first, next)| found | u8::from(is_begun(*first) & is_type(*next))) != 0
}
