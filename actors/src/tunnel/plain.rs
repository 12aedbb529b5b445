//! Questions for a parent of the original, which knows five kinds and no permission. Pure.
//!
//! What it does not know is asked as what comes nearest, and its answer turned back: a permission is a choice between two
//! with the denial as default, approval a confirm, choice a select, text an input, an agent's questions one after another,
//! each with the person's own words as the last choice.

use codec::claude::Question as AgentQuestion;
use codec::json::{Json, Num, Text};
use codec::limits::Limits;
use codec::text::visible;
use codec::tunnel::{Choice, PromptConfig, PromptKind, Scalar};

use crate::question::{Asks, Question, Tool};
use crate::router::{Offer, Said};

/// What is asked of the parent.
pub(super) type Asked = (PromptKind, PromptConfig<'static>);

/// What an answer of the parent means.
pub(super) enum Next {
    /// that is all
    Done(Said),
    /// it was one of several
    More,
}

/// The answers so far, where several are asked one after another.
#[derive(Debug, Default)]
pub(super) struct Answers {
    given: Vec<Json<'static>>,
    /// the options that were chosen beside the person's own words, which are asked for next
    owed: Option<Vec<u64>>,
    /// how many times the parent has answered
    pub(super) steps: usize,
}

/// No person needs more; a program may never come to an end.
const MOST_STEPS: usize = 200;

const ALLOW: &str = "allow";
const DENY: &str = "deny";
/// Stands for "none of these" among choices that are known by their number.
const NONE: &str = "none";

/// What to ask, after these answers. Nothing if it cannot be asked in a form that the parent could show.
pub(super) fn ask(offer: &Offer, answers: &Answers) -> Option<Asked> {
    match &offer.question.asks {
        Asks::Prompt(PromptKind::Approval, config) => Some((PromptKind::Confirm, approval(config))),
        Asks::Prompt(PromptKind::Choice, config) => Some((PromptKind::Select, choice(config))),
        Asks::Prompt(PromptKind::Text, config) => {
            Some((PromptKind::Input, PromptConfig::of(config.message.clone())))
        }
        Asks::Prompt(kind, config) => Some((*kind, config.as_ref().clone())),
        Asks::Permission(tool) => permission(tool, &offer.path).map(|config| (PromptKind::Select, config)),
        Asks::Questions(asked, _) => {
            let question = asked.questions.get(answers.given.len())?;
            match answers.owed {
                Some(_) => Some((PromptKind::Input, PromptConfig::of(question.question.clone()))),
                None => Some(one_question(question)),
            }
        }
    }
}

fn named(name: &str, value: Scalar<'static>) -> Choice<'static> {
    Choice::of(Text::new(name), value)
}

fn text(value: &str) -> Scalar<'static> {
    Scalar::Text(Text::new(value))
}

fn number(at: usize) -> Scalar<'static> {
    Scalar::Number(Num::new(at as u64))
}

fn choice(config: &PromptConfig<'static>) -> PromptConfig<'static> {
    let choices = config.choices.as_deref().unwrap_or_default().iter().enumerate();
    let mut choices: Vec<_> =
        choices.map(|(at, choice)| Choice { value: number(at), ..choice.clone() }).collect();
    choices.push(named("None of these", text(NONE)));
    PromptConfig { choices: Some(choices), ..PromptConfig::of(config.message.clone()) }
}

/// Enter alone must not approve, and both answers are called what the asker calls them.
fn approval(config: &PromptConfig<'static>) -> PromptConfig<'static> {
    let message = match config.choices.as_deref() {
        Some([yes, no]) => {
            let names = format!("yes: {}, no: {}", visible(&yes.name.get()), visible(&no.name.get()));
            Text::new(&format!("{} ({names})", config.message.get()))
        }
        _ => config.message.clone(),
    };
    PromptConfig { default: Some(Scalar::Flag(false)), ..PromptConfig::of(message) }
}

/// A permission is shown whole or not at all, and what the agent calls its tool cannot look like words of ours.
fn permission(tool: &Tool, path: &str) -> Option<PromptConfig<'static>> {
    let reason =
        tool.reason.as_ref().map(|reason| format!(" ({})", visible(&reason.get()))).unwrap_or_default();
    let name = tool.name.get();
    let plan = tool.plan.as_ref().map(|plan| format!("\n{}", visible(&plan.get()))).unwrap_or_default();
    let input = visible(tool.input.raw());
    let message = format!("May {} use {}?{reason}\n{input}{plan}", visible(path), visible(&name));
    (message.len() <= Limits::STANDARD.question_text).then(|| PromptConfig {
        choices: Some(vec![named("Deny", text(DENY)), named("Allow once", text(ALLOW))]),
        default: Some(text(DENY)),
        ..PromptConfig::of(Text::new(&message))
    })
}

fn one_question(question: &AgentQuestion<'static>) -> Asked {
    let options = question.options.iter().enumerate();
    let choices = options.map(|(at, option)| Choice {
        description: option.description.clone(),
        ..Choice::of(option.label.clone(), number(at))
    });
    let own = named("Something else…", number(question.options.len()));
    let kind = if question.is_multiple() { PromptKind::Checkbox } else { PromptKind::Select };
    (
        kind,
        PromptConfig {
            choices: Some(choices.chain([own]).collect()),
            ..PromptConfig::of(question.question.clone())
        },
    )
}

/// What the parent's answer means. Answers to an agent's questions are collected in `answers`.
pub(super) fn answer(question: &Question, value: Json<'static>, answers: &mut Answers) -> Next {
    answers.steps += 1;
    let is = |word: &str| value.as_text().is_some_and(|text| text.is(word));
    let word = |word: &str| Text::new(word).into_json();
    let said = match &question.asks {
        Asks::Prompt(PromptKind::Approval, _) => match value.as_flag() {
            Some(true) => word("approve"),
            _ => word("reject"),
        },
        Asks::Prompt(PromptKind::Choice, _) if is(NONE) => word("reject"),
        Asks::Prompt(PromptKind::Choice, config) => chosen(config, &value).unwrap_or(value),
        Asks::Prompt(PromptKind::Text, _) if is_blank(&value) => word("reject"),
        Asks::Prompt(..) => value,
        Asks::Permission(_) => {
            Json::object(|out| out.raw_member("\"allow\"", if is(ALLOW) { "true" } else { "false" }))
        }
        Asks::Questions(asked, _) => {
            let Some(one) = asked.questions.get(answers.given.len()) else { return Next::More };
            answers.take(one.options.len() as u64, &value);
            if answers.steps > MOST_STEPS {
                return Next::Done(Said::GiveBack("The parent answers without end".to_owned()));
            }
            if answers.given.len() < asked.questions.len() {
                return Next::More;
            }
            let all: Vec<&str> = answers.given.iter().map(Json::raw).collect();
            Json::object(|out| out.raw_member("\"answers\"", &format!("[{}]", all.join(","))))
        }
    };
    Next::Done(Said::Answer(said))
}

fn is_blank(value: &Json<'_>) -> bool {
    value.as_text().is_some_and(|text| text.get().trim().is_empty())
}

fn chosen(config: &PromptConfig<'_>, value: &Json<'_>) -> Option<Json<'static>> {
    let index: usize = value.raw().parse().ok()?;
    let choice = config.choices.as_deref()?.get(index)?;
    Some(Json::object(|out| {
        out.raw_member("\"index\"", &index.to_string());
        out.raw_member("\"value\"", Json::written(&choice.value).raw());
    }))
}

impl Answers {
    /// What was said to the question that is asked now. Whoever chooses words of their own is asked for them next.
    fn take(&mut self, own: u64, value: &Json<'_>) {
        let chosen = match (self.owed.take(), value.as_text()) {
            (Some(chosen), Some(text)) if !is_blank(value) => {
                return self.given.push(answered(&Json::of(&chosen), Some(&text)));
            }
            // Whoever says nothing may choose again.
            (Some(_), _) => return,
            (None, _) => match numbers(value) {
                Some(chosen) if chosen.contains(&own) => {
                    chosen.into_iter().filter(|number| *number != own).collect()
                }
                // What is no choice at all is said to whoever checks the answer.
                _ => return self.given.push(answered(&listed(value), None)),
            },
        };
        self.owed = Some(chosen);
    }
}

/// One number or a list of them: which options of an agent's question were chosen.
fn listed(value: &Json<'_>) -> Json<'static> {
    let list = if value.as_list().is_some() { value.raw().to_owned() } else { format!("[{}]", value.raw()) };
    Json::parse(&list).map(Json::into_owned).unwrap_or_else(|| Json::of::<[u8]>(&[]))
}

fn numbers(value: &Json<'_>) -> Option<Vec<u64>> {
    listed(value).as_list()?.iter().map(|one| one.raw().parse().ok()).collect()
}

fn answered(options: &Json<'_>, text: Option<&Text<'_>>) -> Json<'static> {
    Json::object(|out| {
        out.raw_member("\"options\"", options.raw());
        if let Some(text) = text {
            out.raw_member("\"text\"", text.raw());
        }
    })
}
