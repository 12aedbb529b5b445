//! Child → parent: what a client of the tunnel may say. It asks and reports; nothing here answers or types.

use crate::json::{
    Fault, IntoOwned, Json, Names, Object, ObjectWriter, Record, Tagged, Text, Wrong, line_of, object_of,
};
use crate::limits::Limits;
use crate::reject::{Reason, Reject, split_with};

use super::greeting::Hello;
use super::permission::PermissionRequest;
use super::process::Process;
use super::prompt::{PromptCancel, PromptRequest};
use super::recover::recover;
use super::report::{Level, Log, RawOutput, Relayed, Stream, UserInputReceipt};
use super::structured::Structured;
use crate::unknown::Unknown;

/// One message from a client.
#[derive(Debug, Clone, PartialEq)]
pub enum Up<'a> {
    /// `hello`
    Hello(Hello<'a>),
    /// `log`, `error`, `warn`, `debug`
    Log(Level, Log<'a>),
    /// `stdout`, `stderr`
    Raw(Stream, RawOutput<'a>),
    /// `structured`, all but a question; the envelope's own unknown members beside it
    Structured(Structured<'a>, Object<'a>),
    /// `structured` with a `prompt_request`: a question
    Prompt(PromptRequest<'a>, Object<'a>),
    /// `permission_request`
    Permission(PermissionRequest<'a>),
    /// `prompt_cancel`
    Cancel(PromptCancel<'a>),
    /// `user_input_receipt`
    Receipt(UserInputReceipt<'a>),
    /// `relayed`
    Relayed(Relayed<'a>),
    /// the process messages
    Process(Process<'a>),
    /// a type that this version does not know: relayed as it is, and nothing else
    Unknown(Unknown<'a>),
}

/// Where a line of the tunnel holds others.
const NAMES: Names<'_> = Names { message: "message", relayed: "line" };

/// Types that only a parent may send. A client that does is not ignored by accident.
const DOWNWARD: &[&str] = &[
    "prompt_response",
    "prompt_shown",
    "permission_response",
    "user_input",
    "welcome",
    "goodbye",
    "terminate_executor",
];

/// Types that only a child may send, beside the log levels, the raw outputs and the process messages.
pub(super) const UPWARD: &[&str] =
    &["structured", "permission_request", "hello", "prompt_cancel", "user_input_receipt", "relayed"];

impl<'a> Up<'a> {
    /// Reads one line.
    pub fn read(line: &'a [u8], limits: &Limits) -> Result<Self, Reject> {
        Self::read_line(line, limits).map_err(|reject| reject.heard_in(line, recover))
    }

    fn read_line(line: &'a [u8], limits: &Limits) -> Result<Self, Reject> {
        let (kind, opened) = split_with(line, NAMES)?.open()?;
        let said = kind.get();
        if said == "structured" {
            let (message, beside) = opened.message(NAMES.message)?;
            return read_structured(message, beside, limits);
        }
        let object = opened.flat();
        if let Some(level) = Level::from_word(&said) {
            return Ok(Up::Log(level, Record::from_object(object)?));
        }
        if let Some(stream) = Stream::from_word(&said) {
            return Ok(Up::Raw(stream, Record::from_object(object)?));
        }
        match said.as_ref() {
            "permission_request" => read_permission(object, limits),
            "hello" => Ok(Up::Hello(Record::from_object(object)?)),
            "prompt_cancel" => Ok(Up::Cancel(Record::from_object(object)?)),
            "user_input_receipt" => Ok(Up::Receipt(Record::from_object(object)?)),
            "relayed" => read_relayed(object, limits),
            other if DOWNWARD.contains(&other) => Err(Reason::WrongDirection(other.to_owned()).into()),
            other if Process::KINDS.contains(&other) => Ok(Up::Process(Process::read(other, object)?)),
            _ => {
                drop(said);
                Ok(Up::Unknown(Unknown { kind: Some(kind), members: object, wrong: None }))
            }
        }
    }

    /// Whether the message only reports, so that it may be relayed as it is.
    #[must_use]
    pub const fn is_report(&self) -> bool {
        matches!(self, Up::Log(..) | Up::Raw(..) | Up::Structured(..) | Up::Process(_) | Up::Unknown(_))
    }

    /// Its `type` on the wire.
    #[must_use]
    pub fn kind(&self) -> std::borrow::Cow<'_, str> {
        match self {
            Up::Hello(_) => "hello".into(),
            Up::Log(level, _) => level.word().into(),
            Up::Raw(stream, _) => stream.word().into(),
            Up::Structured(..) | Up::Prompt(..) => "structured".into(),
            Up::Permission(_) => "permission_request".into(),
            Up::Cancel(_) => "prompt_cancel".into(),
            Up::Receipt(_) => "user_input_receipt".into(),
            Up::Relayed(_) => "relayed".into(),
            Up::Process(process) => process.kind().into(),
            Up::Unknown(unknown) => unknown.kind(),
        }
    }

    /// The message as a line, without its line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        let kind = self.kind();
        match self {
            Up::Hello(record) => line_of(&kind, record),
            Up::Log(_, record) => line_of(&kind, record),
            Up::Raw(_, record) => line_of(&kind, record),
            Up::Structured(message, extras) => envelope(extras, |out| message.write(out)),
            Up::Prompt(request, extras) => envelope(extras, |out| {
                out.raw_member("\"type\"", "\"prompt_request\"");
                request.members(out);
            }),
            Up::Permission(record) => line_of(&kind, record),
            Up::Cancel(record) => line_of(&kind, record),
            Up::Receipt(record) => line_of(&kind, record),
            Up::Relayed(record) => line_of(&kind, record),
            Up::Process(process) => object_of(|out| {
                out.raw_member("\"type\"", Text::new(&kind).raw());
                process.members(out);
            }),
            Up::Unknown(unknown) => object_of(|out| unknown.write("type", out)),
        }
    }
}

fn envelope(extras: &Object<'_>, message: impl FnOnce(&mut ObjectWriter<'_>)) -> String {
    object_of(|out| {
        out.raw_member("\"type\"", "\"structured\"");
        out.member("message", |text| ObjectWriter::object(text, message));
        extras.write(out);
    })
}

fn read_structured<'a>(message: Tagged<'a>, beside: Object<'a>, limits: &Limits) -> Result<Up<'a>, Reject> {
    let within = |wrong: Wrong| wrong.within("message");
    let (kind, members) = message.open().map_err(within)?;
    if kind.is("prompt_request") {
        return Ok(read_prompt(members, beside, limits).map_err(within)?);
    }
    Ok(Up::Structured(Structured::read(kind, members).map_err(within)?, beside))
}

fn read_prompt<'a>(message: Object<'a>, beside: Object<'a>, limits: &Limits) -> Result<Up<'a>, Wrong> {
    let request = PromptRequest::from_object(message)?;
    request.check(limits)?;
    Ok(Up::Prompt(request, beside))
}

fn read_permission<'a>(object: Object<'a>, limits: &Limits) -> Result<Up<'a>, Reject> {
    let request = PermissionRequest::from_object(object)?;
    request.check(limits)?;
    Ok(Up::Permission(request))
}

/// What is relayed must be a report. That is looked at before it is read: a report inside a report inside a report
/// would be read once for each.
fn read_relayed<'a>(object: Object<'a>, limits: &Limits) -> Result<Up<'a>, Reject> {
    let relayed = Relayed::from_object(object)?;
    match relayed.via.len() {
        0 => {
            return Err(
                Wrong::new("via", Fault::TooFew { needed: "a segment for each tim on the way" }).into()
            );
        }
        hops if hops > limits.hops => {
            return Err(Wrong::new("via", Fault::TooMany { limit: limits.hops }).into());
        }
        _ => {}
    }
    let not_relayable = |kind: &str| Err(Reason::NotRelayable(kind.to_owned()).into());
    let line = Object::read(relayed.line.clone()).map_err(|wrong| wrong.within("line"))?;
    if line.peek("type").and_then(Json::as_text).is_some_and(|kind| kind.is("relayed")) {
        return not_relayable("relayed");
    }
    let inner =
        Up::read_line(relayed.line.raw().as_bytes(), limits).map_err(|reject| match reject.reason {
            Reason::Field(wrong) => Reject::from(wrong.within("line")),
            _ => reject,
        })?;
    match inner {
        Up::Prompt(..) => not_relayable("prompt_request"),
        inner if inner.is_report() => Ok(Up::Relayed(relayed)),
        inner => not_relayable(&inner.kind()),
    }
}

impl IntoOwned for Up<'_> {
    type Owned = Up<'static>;

    fn into_owned(self) -> Up<'static> {
        match self {
            Up::Hello(record) => Up::Hello(record.into_owned()),
            Up::Log(level, record) => Up::Log(level, record.into_owned()),
            Up::Raw(stream, record) => Up::Raw(stream, record.into_owned()),
            Up::Structured(message, extras) => Up::Structured(message.into_owned(), extras.into_owned()),
            Up::Prompt(request, extras) => Up::Prompt(request.into_owned(), extras.into_owned()),
            Up::Permission(record) => Up::Permission(record.into_owned()),
            Up::Cancel(record) => Up::Cancel(record.into_owned()),
            Up::Receipt(record) => Up::Receipt(record.into_owned()),
            Up::Relayed(record) => Up::Relayed(record.into_owned()),
            Up::Process(process) => Up::Process(process.into_owned()),
            Up::Unknown(unknown) => Up::Unknown(unknown.into_owned()),
        }
    }
}
