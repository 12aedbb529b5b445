//! What somebody asks: a prompt of a client, a permission for a tool, or the questions of an agent's own tool.
//!
//! Owns the one form that a question has between its asker's wire and the desks. Plain values: reads no wire and
//! writes none.

use std::sync::Arc;

use codec::claude::{Answer, AskUserQuestion};
use codec::id::Path;
use codec::json::{Json, Text, Written as _, Wrong};
use codec::tunnel::{PromptConfig, PromptKind, QuestionKind};
use codec::{Asked, Awaits};

/// The tool by which an agent asks a person in its own words.
const ASK_USER_QUESTION: &str = "AskUserQuestion";
/// The tool by which an agent wants to leave plan mode.
pub(crate) const EXIT_PLAN_MODE: &str = "ExitPlanMode";

/// A question.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// what is asked
    pub asks: Asks,
    /// how long it may wait, from its arrival
    pub timeout_ms: Option<u64>,
    /// who asks further down, as the one who passed it on claims
    pub claimed: Option<Path>,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Asks {
    /// one of the kinds that a client may ask
    Prompt(PromptKind, Box<PromptConfig<'static>>),
    /// may this tool run?
    Permission(Box<Tool>),
    /// an agent's questions, and the tool by which it asks them
    Questions(Box<AskUserQuestion<'static>>, Box<Tool>),
}

/// A tool that an agent would like to use.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// its name
    pub name: Text<'static>,
    /// what it would be given, untouched
    pub input: Json<'static>,
    /// the agent's own id of this use
    pub tool_use_id: Option<Text<'static>>,
    /// why the agent's own rules did not decide
    pub reason: Option<Text<'static>>,
    /// the subagent that asks
    pub agent_id: Option<Text<'static>>,
    /// its name, as it claims
    pub agent_name: Option<Text<'static>>,
    /// what the agent proposes to allow for longer, as it came
    pub suggestions: Option<Json<'static>>,
    /// the plan that it is about, where the input does not hold it
    pub plan: Option<Text<'static>>,
}

impl Tool {
    /// What using this tool asks of a person. Questions that nobody could answer are an error, not a permission.
    pub fn asks(self) -> Result<Asks, Wrong> {
        if !self.name.is(ASK_USER_QUESTION) {
            return Ok(Asks::Permission(Box::new(self)));
        }
        let questions = AskUserQuestion::read(self.input.clone()).map_err(|wrong| wrong.within("input"))?;
        Ok(Asks::Questions(Box::new(questions), Box::new(self)))
    }

    /// Whether it is about a plan, by which an agent that only looked begins to change something.
    #[must_use]
    pub fn is_plan(&self) -> bool {
        self.name.is(EXIT_PLAN_MODE)
    }

    /// Name, input and reason, as programs that read our output see them.
    #[must_use]
    pub fn to_json(&self) -> Json<'static> {
        self.written(None, None)
    }

    /// The same and which subagent asks, as programs of the person's see them.
    #[must_use]
    pub(crate) fn described(&self) -> Json<'static> {
        self.written(self.agent_name.as_ref(), None)
    }

    /// The same and which use of the tool it is about, as the journal has it: by that a log finds what came of it.
    #[must_use]
    pub(crate) fn on_record(&self) -> Json<'static> {
        self.written(self.agent_name.as_ref(), self.tool_use_id.as_ref())
    }

    fn written(&self, agent: Option<&Text<'static>>, id: Option<&Text<'static>>) -> Json<'static> {
        Json::object(|out| {
            out.member("name", |text| self.name.write(text));
            out.member("input", |text| self.input.write(text));
            if let Some(reason) = &self.reason {
                out.member("reason", |text| reason.write(text));
            }
            if let Some(plan) = &self.plan {
                out.member("plan", |text| plan.write(text));
            }
            if let Some(agent) = agent {
                out.member("agent_name", |text| agent.write(text));
            }
            if let Some(id) = id {
                out.member("tool_use_id", |text| id.write(text));
            }
        })
    }
}

impl Question {
    /// Its kind, in our own output and in the journal.
    #[must_use]
    pub fn kind(&self) -> QuestionKind {
        match &self.asks {
            Asks::Prompt(kind, _) => (*kind).into(),
            Asks::Permission(_) => QuestionKind::Permission,
            Asks::Questions(..) => QuestionKind::Question,
        }
    }

    /// What it asks, in a few words as they came.
    #[must_use]
    pub fn summary(&self) -> String {
        match &self.asks {
            Asks::Prompt(_, config) => config.question.as_ref().unwrap_or(&config.message).get().into_owned(),
            Asks::Permission(tool) => format!("{} {}", tool.name.get(), tool.input.raw()),
            Asks::Questions(asked, _) => {
                let each: Vec<_> = asked.questions.iter().map(|question| question.question.get()).collect();
                each.join(" ")
            }
        }
    }

    /// The tool that it is about, if it is about one.
    #[must_use]
    pub fn tool(&self) -> Option<&Tool> {
        match &self.asks {
            Asks::Prompt(..) => None,
            Asks::Permission(tool) | Asks::Questions(_, tool) => Some(tool),
        }
    }

    /// The input of the tool with the answers in it, if these are its questions.
    #[must_use]
    pub fn answered_input(&self, answers: &[Answer]) -> Option<Json<'static>> {
        match &self.asks {
            Asks::Questions(questions, _) => questions.answered(answers).ok(),
            _ => None,
        }
    }

    /// What it says and offers; of a permission the tool says that.
    #[must_use]
    pub fn config(&self) -> Option<Json<'static>> {
        match &self.asks {
            Asks::Prompt(_, config) => Some(Json::written(config)),
            Asks::Permission(_) => None,
            Asks::Questions(questions, _) => Some(Json::written(questions)),
        }
    }
}

/// A question on its way from its asker: what it asked, and under which name.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    /// the id that the asker chose, and the reply that it waits for
    pub asked: Asked,
    /// what it asks
    pub question: Arc<Question>,
    /// how much of our memory it takes: as many bytes as its line had
    pub size: usize,
}

impl Ask {
    /// A question that somebody asks under an id of theirs.
    #[must_use]
    pub(crate) fn new(id: codec::id::RequestId, awaits: Awaits, asks: Asks, timeout_ms: Option<u64>) -> Self {
        Self {
            asked: Asked { id, awaits },
            question: Arc::new(Question { asks, timeout_ms, claimed: None }),
            size: 0,
        }
    }

    /// The same, asked for somebody further down.
    #[must_use]
    pub(crate) fn claimed(self, path: Option<Path>) -> Self {
        if path.is_none() {
            return self;
        }
        let Self { asked, question, size } = self;
        let question = Arc::new(Question { claimed: path, ..Arc::unwrap_or_clone(question) });
        Self { asked, question, size }
    }
}
