//! What is said to the parent and what its words mean: questions asked anew, and their ends. Pure.
//!
//! Owns which questions are with the parent. Every one is asked there under its key, which nobody else uses, and is off
//! this list as soon as the parent has said how it ended, or we have taken it back.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use codec::frame::Frame;
use codec::id::{Key, RequestId};
use codec::json::{Json, Num, Object, Text};
use codec::limits::Limits;
use codec::tunnel::{
    CancelReason, Down, PermissionRequest, PermissionResponse, PromptCancel, PromptConfig, PromptKind,
    PromptRequest, PromptResponse, Scope, Up, UserInput, recover_answer,
};
use codec::{Outcome, Reject, told};

use crate::end::{End, Refusal};
use crate::question::{Asks, Question, Tool};
use crate::router::emit::timestamp;
use crate::router::{Offer, Said};

use super::plain::{self, Next};
use super::translate::PATH;

/// A question that is with the parent.
struct Open {
    offer: Arc<Offer>,
    /// the answers so far, where a parent of the original is asked one after another
    answers: plain::Answers,
}

impl Open {
    /// Under which id it is asked now. Of several questions in a row each has its own, so that an answer counts once.
    fn id(&self) -> RequestId {
        match self.answers.steps {
            0 => id_of(&self.offer.key),
            answered => RequestId::new(&format!("{}.{}", self.offer.key, answered + 1)),
        }
    }
}

/// Our side of the conversation with the parent.
pub(crate) struct Upstream {
    is_plain: bool,
    began_unix_ms: u64,
    limit: usize,
    open: HashMap<RequestId, Open>,
    /// under which id each is asked
    ids: HashMap<Key, RequestId>,
    /// those of which the parent has said how they ended, until the router has taken that in
    settled: HashSet<Key>,
}

/// What the parent said.
#[derive(Debug)]
pub(crate) enum Word {
    /// something about a question of ours
    Said(Key, Said),
    /// the next part of a question of ours must be asked
    Ask(Key, String),
    /// what a person typed
    Typed(UserInput<'static>),
    /// it will hang up, and why
    Goodbye(String),
    /// nothing for us, and why if it could not be understood
    Nothing(Option<String>),
}

impl Upstream {
    pub(crate) fn new(is_plain: bool, began_unix_ms: u64) -> Self {
        Self {
            is_plain,
            began_unix_ms,
            limit: Limits::STANDARD.tunnel_line,
            open: HashMap::new(),
            ids: HashMap::new(),
            settled: HashSet::new(),
        }
    }

    /// The line that asks a question of ours, or what to say if it cannot be asked there.
    pub(crate) fn offered(&mut self, offer: &Arc<Offer>) -> Result<String, Said> {
        let open = Open { offer: Arc::clone(offer), answers: plain::Answers::default() };
        let line = self.line(&open).ok_or_else(|| give_back("The parent cannot show this question"))?;
        if line.len() > self.limit {
            let why = "Too large: the way to the person takes 8 MiB at most";
            return Err(Said::Refused(Refusal::TooLarge.word(), why.to_owned()));
        }
        self.keep(open);
        Ok(line)
    }

    fn keep(&mut self, open: Open) {
        self.settled.remove(&open.offer.key);
        self.ids.insert(open.offer.key.clone(), open.id());
        self.open.insert(open.id(), open);
    }

    fn take(&mut self, id: &RequestId) -> Option<Open> {
        let open = self.open.remove(id)?;
        self.ids.remove(&open.offer.key);
        self.settled.insert(open.offer.key.clone());
        Some(open)
    }

    /// Takes a question back. Says whether the parent still has it, and then the line that tells it so, if it would
    /// understand one.
    pub(crate) fn withdrawn(&mut self, key: &Key, end: &End) -> Option<Option<String>> {
        self.settled.remove(key);
        let id = self.ids.get(key)?.clone();
        self.open.remove(&id);
        self.ids.remove(key);
        let reason = match end {
            End::TimedOut { .. } => CancelReason::TimedOut,
            End::Disconnected | End::Cancelled { gone: true } => CancelReason::AskerGone,
            _ => CancelReason::Cancelled,
        };
        Some((!self.is_plain).then(|| Up::Cancel(PromptCancel::of(id, reason)).to_line()))
    }

    /// What a line of the parent says. What it says of a question that it does not have is nothing.
    pub(crate) fn hear(&mut self, frame: &Frame) -> Word {
        let read = match frame {
            Frame::Line(line) => Down::read(line).map(codec::json::IntoOwned::into_owned),
            Frame::Oversized(over) => Err(Reject::oversized(over, self.limit, recover_answer)),
            Frame::Torn { length } => {
                return Word::Nothing(Some(format!("the connection ended in a line, after {length} bytes")));
            }
        };
        match read {
            Ok(Down::Response(response)) => self.answered(&response),
            Ok(Down::Permission(response)) => self.decided(&response),
            Ok(Down::Shown(shown)) => match self.open.get(&shown.request_id) {
                Some(open) => Word::Said(open.offer.key.clone(), Said::Shown),
                None => Word::Nothing(None),
            },
            Ok(Down::UserInput(input)) => Word::Typed(input),
            Ok(Down::Goodbye(goodbye)) => {
                Word::Goodbye(goodbye.message.as_ref().unwrap_or(&goodbye.reason).get().into_owned())
            }
            Ok(_) => Word::Nothing(None),
            Err(reject) => self.unreadable(&reject),
        }
    }

    /// An answer that cannot be read still ends its question.
    fn unreadable(&mut self, reject: &Reject) -> Word {
        let why = reject.reason.to_string();
        match reject.asked.as_ref().and_then(|asked| self.take(&asked.id)) {
            Some(open) => {
                Word::Said(open.offer.key.clone(), give_back(&format!("The answer was unreadable: {why}")))
            }
            None => Word::Nothing(Some(why)),
        }
    }

    fn answered(&mut self, response: &PromptResponse<'static>) -> Word {
        let Some(mut open) = self.take(&response.request_id) else { return self.late(response) };
        let key = open.offer.key.clone();
        let value = response.value.clone().unwrap_or_else(|| Json::of(&()));
        let is_prompt = matches!(open.offer.question.asks, Asks::Prompt(..));
        match end_of(response) {
            Some(said) => Word::Said(key, said),
            None if !self.is_plain && !is_prompt => Word::Said(key, give_back(WRONG_FORM)),
            None if !self.is_plain => Word::Said(key, Said::Answer(value)),
            None => match plain::answer(&open.offer.question, value, &mut open.answers) {
                Next::Done(said) => Word::Said(key, said),
                Next::More => self.ask_next(key, open),
            },
        }
    }

    /// An answer to what the parent does not have any more. The router says that it was too late, on record; unless it is
    /// only a part of a question that is there under another id.
    fn late(&self, response: &PromptResponse<'static>) -> Word {
        let is_known = |key: &Key| self.ids.contains_key(key) || self.settled.contains(key);
        let key = Key::new(&response.request_id.get()).filter(|key| !is_known(key));
        match (key, response.value.clone(), response.ended()) {
            (Some(key), Some(value), Outcome::Answered) => Word::Said(key, Said::Answer(value)),
            _ => Word::Nothing(None),
        }
    }

    fn ask_next(&mut self, key: Key, open: Open) -> Word {
        match self.line(&open) {
            Some(line) => {
                self.keep(open);
                Word::Ask(key, line)
            }
            None => Word::Said(key, give_back("The parent cannot show this question")),
        }
    }

    fn decided(&mut self, response: &PermissionResponse<'static>) -> Word {
        match self.take(&response.request_id) {
            Some(open) => Word::Said(open.offer.key.clone(), verdict(response, &open.offer.question)),
            None => self.late(&PromptResponse {
                value: Some(allowed(response, None)),
                outcome: response.outcome,
                ..PromptResponse::of(response.request_id.clone())
            }),
        }
    }

    /// The line that asks it now.
    fn line(&self, open: &Open) -> Option<String> {
        let offer = &open.offer;
        if self.is_plain {
            let (kind, config) = plain::ask(offer, &open.answers)?;
            return Some(self.prompt(open, kind, Box::new(config)));
        }
        Some(match &offer.question.asks {
            Asks::Prompt(kind, config) => self.prompt(open, *kind, config.clone()),
            Asks::Permission(tool) | Asks::Questions(_, tool) => permission(offer, tool),
        })
    }

    fn prompt(&self, open: &Open, kind: PromptKind, config: Box<PromptConfig<'static>>) -> String {
        let at = timestamp(self.began_unix_ms.saturating_add(open.offer.since));
        let request = PromptRequest {
            // How much is left by the second of several questions only we know.
            timeout: left(&open.offer).filter(|_| open.answers.steps == 0),
            extras: if self.is_plain { Object::default() } else { path_of(&open.offer) },
            ..PromptRequest::of(Text::new(&at), open.id(), kind, config)
        };
        Up::Prompt(request, Object::default()).to_line()
    }
}

fn id_of(key: &Key) -> RequestId {
    RequestId::new(&key.to_string())
}

fn left(offer: &Offer) -> Option<Num<'static>> {
    offer.left_ms.map(|left| Num::new(left.max(1)))
}

/// Who asks, further down: what we know of it goes along.
fn path_of(offer: &Offer) -> Object<'static> {
    let mut beside = Object::default();
    if !offer.path.is_empty() {
        beside.push(PATH, Text::new(&offer.path).into_json());
    }
    beside
}

fn permission(offer: &Offer, tool: &Tool) -> String {
    let tool = tool.clone();
    let request = PermissionRequest {
        tool_use_id: tool.tool_use_id,
        agent_id: tool.agent_id,
        agent_name: tool.agent_name,
        reason: tool.reason,
        suggestions: tool.suggestions,
        plan: tool.plan,
        timeout: left(offer),
        extras: path_of(offer),
        ..PermissionRequest::of(id_of(&offer.key), tool.name, tool.input)
    };
    Up::Permission(request).to_line()
}

fn give_back(why: &str) -> Said {
    Said::GiveBack(why.to_owned())
}

/// How a question ended there, if it was not answered.
fn end_of(response: &PromptResponse<'_>) -> Option<Said> {
    let error = response.error().unwrap_or_default();
    ended(response.ended(), &error, response.reason.as_ref())
}

fn ended(outcome: Outcome, error: &str, reason: Option<&Text<'_>>) -> Option<Said> {
    match outcome {
        Outcome::Answered => None,
        Outcome::Declined => Some(Said::Decline),
        Outcome::TimedOut => Some(Said::TimedOut(told::after_ms(error))),
        Outcome::Disconnected => Some(Said::Lost),
        Outcome::Cancelled | Outcome::Refused => {
            let error = if error.is_empty() { "The parent refused, and did not say why" } else { error };
            Some(match reason.and_then(|reason| Refusal::known_word(&reason.get())) {
                Some(word) => Said::Refused(word, error.to_owned()),
                None => give_back(error),
            })
        }
    }
}

/// Permissions are decided by a permission's response and prompts are answered by a prompt's: anything else skips checks.
const WRONG_FORM: &str = "The parent answered in the wrong form";

/// What was decided about a tool, or about an agent's questions.
fn verdict(response: &PermissionResponse<'static>, question: &Question) -> Said {
    let message = response.message.as_ref().map(|message| message.get().into_owned());
    let outcome = response.outcome.unwrap_or(Outcome::Answered);
    if let Some(said) = ended(outcome, message.as_deref().unwrap_or_default(), response.reason.as_ref()) {
        return said;
    }
    match (&question.asks, response.granted()) {
        (Asks::Prompt(..), _) => give_back(WRONG_FORM),
        (Asks::Questions(..), true) => answers(response),
        // Questions have no verdict: not to answer them is to decline.
        (Asks::Questions(..), false) => Said::Decline,
        _ => Said::Answer(allowed(response, message)),
    }
}

/// By number if they came so, else under the texts of their questions.
fn answers(response: &PermissionResponse<'static>) -> Said {
    let input = response.updated_input.clone().and_then(|input| Object::read(input).ok());
    let by_text = input.as_ref().and_then(|input| input.peek("answers"));
    match response.answers.as_ref().or(by_text) {
        Some(answers) => Said::Answer(Json::object(|out| out.raw_member("\"answers\"", answers.raw()))),
        None => give_back("The parent approved the questions without answering them"),
    }
}

fn allowed(response: &PermissionResponse<'static>, reason: Option<String>) -> Json<'static> {
    let allow = response.granted();
    let grant = response.grant.as_ref().filter(|grant| allow && grant.scope != Scope::Once);
    Json::object(|out| {
        out.raw_member("\"allow\"", if allow { "true" } else { "false" });
        if let Some(grant) = grant {
            out.raw_member("\"scope\"", Text::new(grant.scope.word()).raw());
            match &grant.rules {
                None => out.raw_member("\"rule\"", grant.rule.raw()),
                Some(rules) => out.raw_member("\"rules\"", Json::written(rules).raw()),
            }
        }
        if let Some(reason) = reason {
            out.raw_member("\"reason\"", Text::new(&reason).raw());
        }
    })
}
