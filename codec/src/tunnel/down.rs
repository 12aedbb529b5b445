//! Parent → child: answers, typed lines, and the word that a question is on a screen.

use crate::id::Path;
use crate::json::{IntoOwned, Json, Kind, NotNull, Object, Record, Text, record};
use crate::outcome::Outcome;
use crate::reject::{Asked, Awaits, Reason, Reject, readable_id, split};

use super::greeting::Welcome;
use super::line_of;
use super::permission::PermissionResponse;
use super::process::TerminateExecutor;
use crate::unknown::Unknown;

record! {
    /// The end of a question. A client of the original looks at `value` and `error`, ours at `outcome` too.
    struct PromptResponse {
        request_id: Text<'a> = "requestId",
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
        request_id: Text<'a> = "requestId",
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
    /// `terminate_executor`
    Terminate(TerminateExecutor<'a>),
    /// a type that this version does not know
    Unknown(Unknown<'a>),
}

impl<'a> Down<'a> {
    /// Reads one line.
    pub fn read(line: &'a [u8]) -> Result<Self, Reject> {
        let mut object = split(line)?;
        let kind: Text<'a> = crate::json::required(&mut object, "type")?;
        let said = kind.get();
        let read = match said.as_ref() {
            "welcome" => Record::from_object(object).map(Down::Welcome),
            "prompt_response" => return read_answer(object, Awaits::Prompt, Down::Response),
            "permission_response" => return read_answer(object, Awaits::Permission, Down::Permission),
            "prompt_shown" => Record::from_object(object).map(Down::Shown),
            "user_input" => Record::from_object(object).map(Down::UserInput),
            "terminate_executor" => Record::from_object(object).map(Down::Terminate),
            "structured" | "hello" | "permission_request" | "prompt_cancel" | "relayed" => {
                return Err(Reason::WrongDirection(said.into_owned()).into());
            }
            _ => {
                drop(said);
                Ok(Down::Unknown(Unknown { kind: Some(kind), members: object, wrong: None }))
            }
        };
        Ok(read?)
    }

    /// Its `type` on the wire.
    #[must_use]
    pub fn kind(&self) -> std::borrow::Cow<'_, str> {
        match self {
            Down::Welcome(_) => "welcome".into(),
            Down::Response(_) => "prompt_response".into(),
            Down::Shown(_) => "prompt_shown".into(),
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
            Down::Permission(record) => line_of(&kind, record),
            Down::UserInput(record) => line_of(&kind, record),
            Down::Terminate(record) => line_of(&kind, record),
            Down::Unknown(unknown) => {
                let mut line = String::new();
                crate::json::ObjectWriter::object(&mut line, |out| unknown.write("type", out));
                line
            }
        }
    }
}

/// An answer that cannot be read is still the end of its question: whoever waits must hear of it.
fn read_answer<'a, T: Record<'a>>(
    object: Object<'a>,
    awaits: Awaits,
    make: fn(T) -> Down<'a>,
) -> Result<Down<'a>, Reject> {
    let asked = readable_id(&object, "requestId").map(|id| Asked { id, awaits });
    T::from_object(object).map(make).map_err(|wrong| Reject::from(wrong).heard_by(asked))
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
    /// its timer or the end of its session: never read that as a timeout, on which something may hang.
    #[must_use]
    pub fn ended(&self) -> Outcome {
        if let Some(outcome) = self.outcome {
            return outcome;
        }
        match self.error() {
            None => Outcome::Answered,
            Some(error) if error.starts_with("Prompt request timed out") => Outcome::TimedOut,
            Some(error) if error.starts_with("Tunnel ") => Outcome::Disconnected,
            Some(error) if error.starts_with("User force closed") => Outcome::Declined,
            Some(error) if error.starts_with("Prompt was aborted") => Outcome::Cancelled,
            Some(_) => Outcome::Refused,
        }
    }
}

impl IntoOwned for Down<'_> {
    type Owned = Down<'static>;

    fn into_owned(self) -> Down<'static> {
        match self {
            Down::Welcome(record) => Down::Welcome(record.into_owned()),
            Down::Response(record) => Down::Response(record.into_owned()),
            Down::Shown(record) => Down::Shown(record.into_owned()),
            Down::Permission(record) => Down::Permission(record.into_owned()),
            Down::UserInput(record) => Down::UserInput(record.into_owned()),
            Down::Terminate(record) => Down::Terminate(record.into_owned()),
            Down::Unknown(unknown) => Down::Unknown(unknown.into_owned()),
        }
    }
}
