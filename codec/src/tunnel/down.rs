//! Parent → child: answers, typed lines, and the word that a question is on a screen.

use crate::id::{Path, RequestId};
use crate::json::{IntoOwned, Json, Kind, NotNull, Record, Text, line_of, object_of, record};
use crate::outcome::{Outcome, told};
use crate::reject::{Reason, Reject, split};

use super::greeting::{Goodbye, Welcome};
use super::permission::PermissionResponse;
use super::process::{Process, TerminateExecutor};
use super::recover::recover_answer;
use super::report::{Level, Stream};
use super::up::UPWARD;
use crate::unknown::Unknown;

record! {
    /// The end of a question. A client of the original looks at `value` and `error`, ours at `outcome` too.
    struct PromptResponse {
        request_id: RequestId = "requestId",
    }
    optional {
        value: Json<'a> = "value",
        /// an error that is no text still ends the question: see [`PromptResponse::error`]
        failure: Json<'a> = "error",
        outcome: Outcome = "outcome",
        /// why it was refused, in one word
        reason: Text<'a> = "reason",
    }

    /// Somebody sees the question now.
    struct PromptShown {
        request_id: RequestId = "requestId",
    }

    /// A line that a person typed.
    struct UserInput {
        content: Text<'a> = "content",
    }
    optional {
        /// wanted if a receipt is wanted
        input_id: NotNull<Text<'a>> = "inputId",
        /// the path of the agent that should hear it; nobody else may
        to: NotNull<Path> = "to",
    }
}

/// One message from a parent.
#[derive(Debug, Clone, PartialEq)]
pub enum Down<'a> {
    /// `welcome`
    Welcome(Welcome<'a>),
    /// `prompt_response`
    Response(PromptResponse<'a>),
    /// `prompt_shown`
    Shown(PromptShown<'a>),
    /// `permission_response`
    Permission(PermissionResponse<'a>),
    /// `user_input`
    UserInput(UserInput<'a>),
    /// `goodbye`
    Goodbye(Goodbye<'a>),
    /// `terminate_executor`
    Terminate(TerminateExecutor<'a>),
    /// a type that this version does not know
    Unknown(Unknown<'a>),
}

impl<'a> Down<'a> {
    /// Reads one line. An answer that cannot be read is still the end of its question: whoever waits hears of it.
    pub fn read(line: &'a [u8]) -> Result<Self, Reject> {
        Self::read_line(line).map_err(|reject| reject.heard_in(line, recover_answer))
    }

    fn read_line(line: &'a [u8]) -> Result<Self, Reject> {
        let mut object = split(line)?;
        let kind: Text<'a> = crate::json::required(&mut object, "type")?;
        let said = kind.get();
        Ok(match said.as_ref() {
            "welcome" => Down::Welcome(Record::from_object(object)?),
            "prompt_response" => Down::Response(Record::from_object(object)?),
            "permission_response" => Down::Permission(Record::from_object(object)?),
            "prompt_shown" => Down::Shown(Record::from_object(object)?),
            "goodbye" => Down::Goodbye(Record::from_object(object)?),
            "user_input" => Down::UserInput(Record::from_object(object)?),
            "terminate_executor" => Down::Terminate(Record::from_object(object)?),
            other if goes_up(other) => return Err(Reason::WrongDirection(other.to_owned()).into()),
            _ => {
                drop(said);
                Down::Unknown(Unknown { kind: Some(kind), members: object, wrong: None })
            }
        })
    }

    /// Its `type` on the wire.
    #[must_use]
    pub fn kind(&self) -> std::borrow::Cow<'_, str> {
        match self {
            Down::Welcome(_) => "welcome".into(),
            Down::Response(_) => "prompt_response".into(),
            Down::Shown(_) => "prompt_shown".into(),
            Down::Goodbye(_) => "goodbye".into(),
            Down::Permission(_) => "permission_response".into(),
            Down::UserInput(_) => "user_input".into(),
            Down::Terminate(_) => "terminate_executor".into(),
            Down::Unknown(unknown) => unknown.kind(),
        }
    }

    /// The message as a line, without its line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        let kind = self.kind();
        match self {
            Down::Welcome(record) => line_of(&kind, record),
            Down::Response(record) => line_of(&kind, record),
            Down::Shown(record) => line_of(&kind, record),
            Down::Goodbye(record) => line_of(&kind, record),
            Down::Permission(record) => line_of(&kind, record),
            Down::UserInput(record) => line_of(&kind, record),
            Down::Terminate(record) => line_of(&kind, record),
            Down::Unknown(unknown) => object_of(|out| unknown.write("type", out)),
        }
    }
}

fn goes_up(kind: &str) -> bool {
    UPWARD.contains(&kind)
        || Process::KINDS.contains(&kind)
        || Level::from_word(kind).is_some()
        || Stream::from_word(kind).is_some()
}

impl PromptResponse<'static> {
    /// The end of a question that was answered.
    #[must_use]
    pub fn answered(id: RequestId, value: Json<'static>) -> Self {
        Self { value: Some(value), outcome: Some(Outcome::Answered), ..Self::of(id) }
    }

    /// The end of a question that was not: how it ended, and what its asker is told.
    #[must_use]
    pub fn unanswered(id: RequestId, outcome: Outcome, told: &str) -> Self {
        let failure = Text::new(told).into_json();
        Self { failure: Some(failure), outcome: Some(outcome), ..Self::of(id) }
    }
}

impl PromptResponse<'_> {
    /// What went wrong, in words. An empty error counts as none; one that is no text is shown as it stands.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        let failure = self.failure.as_ref()?;
        match failure.kind() {
            Kind::Null => None,
            Kind::Text => {
                failure.as_text().map(|text| text.get().into_owned()).filter(|text| !text.is_empty())
            }
            _ => Some(failure.raw().to_owned()),
        }
    }

    /// How the question ended. A server of the original tells only by its words. What it calls aborted may be
    /// its timer or the end of its session: never read that as a timeout, on which something may hang. An answer
    /// that also says what went wrong is none.
    #[must_use]
    pub fn ended(&self) -> Outcome {
        match (self.outcome, self.error()) {
            (Some(Outcome::Answered) | None, None) => Outcome::Answered,
            (Some(Outcome::Answered), Some(_)) => Outcome::Refused,
            (Some(outcome), _) => outcome,
            (None, Some(error)) => in_words(&error),
        }
    }
}

fn in_words(error: &str) -> Outcome {
    let begins = |words: &str| error.starts_with(words);
    match () {
        () if begins(told::TIMED_OUT) => Outcome::TimedOut,
        () if begins("Tunnel ") => Outcome::Disconnected,
        () if begins(told::DECLINED) || begins("User force closed") => Outcome::Declined,
        () if begins(told::CANCELLED) || begins("Prompt was aborted") => Outcome::Cancelled,
        () => Outcome::Refused,
    }
}

impl IntoOwned for Down<'_> {
    type Owned = Down<'static>;

    fn into_owned(self) -> Down<'static> {
        match self {
            Down::Welcome(record) => Down::Welcome(record.into_owned()),
            Down::Response(record) => Down::Response(record.into_owned()),
            Down::Shown(record) => Down::Shown(record.into_owned()),
            Down::Goodbye(record) => Down::Goodbye(record.into_owned()),
            Down::Permission(record) => Down::Permission(record.into_owned()),
            Down::UserInput(record) => Down::UserInput(record.into_owned()),
            Down::Terminate(record) => Down::Terminate(record.into_owned()),
            Down::Unknown(unknown) => Down::Unknown(unknown.into_owned()),
        }
    }
}
