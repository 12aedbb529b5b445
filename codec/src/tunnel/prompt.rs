//! Questions: what may be asked, and what makes a question answerable.

use crate::id::RequestId;
use crate::json::{Fault, Field, IntoOwned, Json, Kind, Num, Text, Written, Wrong, record, words};
use crate::limits::Limits;

words! {
    /// What kind of question a client may ask.
    PromptKind {
        Input = "input",
        Confirm = "confirm",
        Select = "select",
        Checkbox = "checkbox",
        PrefixSelect = "prefix_select",
        Approval = "approval",
        Choice = "choice",
        Text = "text",
    }

    /// What kind of question there is, in our own output and journal.
    QuestionKind {
        Input = "input",
        Confirm = "confirm",
        Select = "select",
        Checkbox = "checkbox",
        PrefixSelect = "prefix_select",
        Approval = "approval",
        Choice = "choice",
        Text = "text",
        /// on the tunnel it has a message of its own
        Permission = "permission",
        /// what an agent asks by its own tool
        Question = "question",
    }

    /// Why a client takes a question back.
    CancelReason {
        AskerGone = "asker_gone",
        TimedOut = "timed_out",
        Cancelled = "cancelled",
    }
}

record! {
    /// A question.
    struct PromptRequest {
        timestamp: Text<'a> = "timestamp",
        request_id: RequestId = "requestId",
        prompt_type: PromptKind = "promptType",
        config: Box<PromptConfig<'a>> = "promptConfig",
    }
    optional {
        timeout: Num<'a> = "timeoutMs",
    }

    /// What the question says and offers.
    struct PromptConfig {
        message: Text<'a> = "message",
    }
    optional {
        header: Text<'a> = "header",
        question: Text<'a> = "question",
        default: Scalar<'a> = "default",
        choices: Vec<Choice<'a>> = "choices",
        /// a wish: see [`PromptConfig::rows`]
        page_size: Num<'a> = "pageSize",
        validation_hint: Text<'a> = "validationHint",
        command: Text<'a> = "command",
        /// what a confirm is about, whole: whoever is asked may want to look at it first
        details: Text<'a> = "details",
    }

    /// One thing to choose.
    struct Choice {
        name: Text<'a> = "name",
        value: Scalar<'a> = "value",
    }
    optional {
        description: Text<'a> = "description",
        checked: bool = "checked",
    }

    /// child → parent: the question is taken back.
    struct PromptCancel {
        request_id: RequestId = "requestId",
        reason: CancelReason = "reason",
    }
}

/// A value that a choice or a default can have.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar<'a> {
    /// a text
    Text(Text<'a>),
    /// a finite number
    Number(Num<'a>),
    /// true or false
    Flag(bool),
}

impl<'a> Field<'a> for Scalar<'a> {
    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        let wrong = Wrong::not_a("text, a finite number, true or false");
        match json.kind() {
            Kind::Text => Text::read(json).map(Scalar::Text),
            Kind::Number if json.is_finite() => Num::read(json).map(Scalar::Number),
            Kind::Flag => bool::read(json).map(Scalar::Flag),
            _ => Err(wrong),
        }
    }
}

impl Written for Scalar<'_> {
    fn write(&self, out: &mut String) {
        match self {
            Scalar::Text(text) => text.write(out),
            Scalar::Number(number) => number.write(out),
            Scalar::Flag(flag) => flag.write(out),
        }
    }
}

impl IntoOwned for Scalar<'_> {
    type Owned = Scalar<'static>;

    fn into_owned(self) -> Scalar<'static> {
        match self {
            Scalar::Text(text) => Scalar::Text(text.into_owned()),
            Scalar::Number(number) => Scalar::Number(number.into_owned()),
            Scalar::Flag(flag) => Scalar::Flag(flag),
        }
    }
}

impl From<PromptKind> for QuestionKind {
    fn from(kind: PromptKind) -> Self {
        match kind {
            PromptKind::Input => QuestionKind::Input,
            PromptKind::Confirm => QuestionKind::Confirm,
            PromptKind::Select => QuestionKind::Select,
            PromptKind::Checkbox => QuestionKind::Checkbox,
            PromptKind::PrefixSelect => QuestionKind::PrefixSelect,
            PromptKind::Approval => QuestionKind::Approval,
            PromptKind::Choice => QuestionKind::Choice,
            PromptKind::Text => QuestionKind::Text,
        }
    }
}

impl PromptRequest<'_> {
    /// How long the question may wait, if it says so. Checked to be in range.
    #[must_use]
    pub fn timeout_ms(&self) -> Option<u64> {
        self.timeout.as_ref().map(whole_ms)
    }

    /// Whether the question can be shown and answered.
    pub(crate) fn check(&self, limits: &Limits) -> Result<(), Wrong> {
        check_id(&self.request_id, limits)?;
        check_timeout(self.timeout.as_ref(), limits)?;
        let config =
            self.config.check_texts(limits).and_then(|()| self.config.check_answerable(self.prompt_type));
        config.map_err(|wrong| wrong.within("promptConfig"))
    }
}

impl<'a> PromptConfig<'a> {
    pub(crate) fn check_texts(&self, limits: &Limits) -> Result<(), Wrong> {
        check_text("message", Some(&self.message), limits)?;
        check_text("header", self.header.as_ref(), limits)?;
        check_text("question", self.question.as_ref(), limits)?;
        check_text("validationHint", self.validation_hint.as_ref(), limits)?;
        check_text("command", self.command.as_ref(), limits)?;
        check_text("details", self.details.as_ref(), limits)?;
        check_scalar("default", self.default.as_ref(), limits)?;
        let choices = self.choices.as_deref().unwrap_or_default();
        if choices.len() > limits.choices {
            return Err(Wrong::new("choices", Fault::TooMany { limit: limits.choices }));
        }
        for (at, choice) in choices.iter().enumerate() {
            choice.check(limits).map_err(|wrong| wrong.within(&format!("choices[{at}]")))?;
        }
        Ok(())
    }

    /// Each kind needs something to be answered with.
    fn check_answerable(&self, kind: PromptKind) -> Result<(), Wrong> {
        let choices = self.choices.as_deref().unwrap_or_default();
        match kind {
            PromptKind::Select | PromptKind::Checkbox | PromptKind::Choice if choices.is_empty() => {
                Err(Wrong::new("choices", Fault::TooFew { needed: "at least one choice" }))
            }
            PromptKind::Approval if !matches!(choices.len(), 0 | 2) => {
                Err(Wrong::new("choices", Fault::TooFew { needed: "two choices or none" }))
            }
            PromptKind::Confirm if !matches!(self.default, None | Some(Scalar::Flag(_))) => {
                Err(Wrong::new("default", Fault::NotA { expected: "true or false" }))
            }
            PromptKind::PrefixSelect if self.command.is_none() => Err(Wrong::new("command", Fault::Missing)),
            _ => Ok(()),
        }
    }

    /// How many choices to show at once, if the asker cares.
    #[must_use]
    pub fn rows(&self) -> Option<usize> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let clamp = |size: f64| size.clamp(1.0, 1_000.0) as usize;
        self.page_size.as_ref().map(|size| clamp(size.as_f64()))
    }
}

impl Choice<'_> {
    fn check(&self, limits: &Limits) -> Result<(), Wrong> {
        check_text("name", Some(&self.name), limits)?;
        check_text("description", self.description.as_ref(), limits)?;
        check_scalar("value", Some(&self.value), limits)
    }
}

fn check_scalar(name: &str, value: Option<&Scalar<'_>>, limits: &Limits) -> Result<(), Wrong> {
    match value {
        Some(Scalar::Text(text)) => check_text(name, Some(text), limits),
        _ => Ok(()),
    }
}

pub(crate) fn check_text(name: &str, text: Option<&Text<'_>>, limits: &Limits) -> Result<(), Wrong> {
    let limit = limits.question_text;
    // The raw form is never shorter than what it says, but for the two quotes: most texts are done here.
    match text {
        Some(text) if text.raw().len() - 2 > limit && text.get().len() > limit => {
            Err(Wrong::new(name, Fault::TooLong { limit, unit: "bytes" }))
        }
        _ => Ok(()),
    }
}

pub(crate) fn check_id(id: &RequestId, limits: &Limits) -> Result<(), Wrong> {
    let limit = limits.id_characters;
    if id.raw().len() - 2 > limit && id.get().chars().count() > limit {
        return Err(Wrong::new("requestId", Fault::TooLong { limit, unit: "characters" }));
    }
    Ok(())
}

pub(crate) fn check_timeout(timeout: Option<&Num<'_>>, limits: &Limits) -> Result<(), Wrong> {
    let Some(timeout) = timeout else { return Ok(()) };
    let (least, most) = limits.timeout_ms.clone().into_inner();
    #[expect(clippy::cast_precision_loss, reason = "limits are far below 2^53")]
    let in_range = (least as f64..=most as f64).contains(&timeout.as_f64());
    if in_range { Ok(()) } else { Err(Wrong::new("timeoutMs", Fault::OutOfRange { least, most })) }
}

/// A fraction of a millisecond is waited for in full.
pub(super) fn whole_ms(timeout: &Num<'_>) -> u64 {
    let ms = timeout.as_f64().ceil();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
    let ms = ms as u64;
    ms
}
