//! What an agent of ours does, in the words of the tunnel: for a parent, which shows it as it shows what anybody reports.
//!
//! Owns the translation, one language each, and the names of the tools that are at work. Nothing is reported twice, nothing
//! of what the agent says, does and gets is left out; only what is too long for a person is cut, and says so. Questions are
//! none of it: they are asked there. Pure, and what it keeps is bounded.

mod claude;
mod events;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::time::Duration;

use codec::json::{Json, Num, Object, Text};
use codec::tunnel::{
    AgentSessionEnd, AgentSessionStart, LlmResponse, LlmToolResult, LlmToolUse, Log, Payload, Structured, Up,
};

use crate::router::timestamp;

use super::session::Language;
use claude::Claude;
use events::Events;

/// So much of a text is reported.
const LONGEST: usize = 64 << 10;
/// So much of what a tool is to do: an edit is shown with its difference.
const LONGEST_INPUT: usize = 256 << 10;
/// So many tools are known by their names at a time.
const MOST_CALLS: usize = 1_000;
/// What a tool is called of which only the end was heard.
const SOME_TOOL: &str = "a tool";

/// What one agent does, as reports.
#[derive(Debug)]
pub struct Reported {
    /// the program, as a person knows it
    executor: String,
    tongue: Tongue,
}

#[derive(Debug)]
enum Tongue {
    Claude(Claude),
    Events(Events),
}

/// What an agent came to.
#[derive(Debug, Clone, Default)]
pub struct Came {
    /// whether it did what it was to do
    pub is_success: bool,
    /// its conversation
    pub session: Option<String>,
    /// how long it took
    pub lasted: Duration,
    /// in dollars
    pub cost: Option<f64>,
    /// how many turns
    pub turns: u64,
    /// why it did not
    pub why: Option<String>,
}

impl Reported {
    /// An agent that speaks that, by the name of its program.
    #[must_use]
    pub fn new(language: Language, executor: &str) -> Self {
        let tongue = match language {
            Language::Claude { .. } => Tongue::Claude(Claude::default()),
            Language::Events => Tongue::Events(Events::default()),
        };
        Self { executor: executor.to_owned(), tongue }
    }

    /// A line that it printed at that time: the lines that report it.
    pub fn hear(&mut self, line: &[u8], unix_ms: u64) -> Vec<String> {
        let mut said = Said::at(unix_ms);
        let is_heard = match &mut self.tongue {
            Tongue::Claude(claude) => claude.hear(line, &self.executor, &mut said),
            Tongue::Events(events) => events.hear(line, &self.executor, &mut said),
        };
        if is_heard {
            return said.lines();
        }
        // Something in it prints what is not in its language.
        let text = String::from_utf8_lossy(line);
        vec![Up::Log(codec::tunnel::Level::Log, Log::of(vec![cut(&text, LONGEST)])).to_line()]
    }

    /// It is gone: what was not said to its end is reported, and what it came to.
    pub fn ends(&mut self, came: &Came, unix_ms: u64) -> Vec<String> {
        let mut said = Said::at(unix_ms);
        if let Tongue::Events(events) = &mut self.tongue {
            events.falls_silent(&mut said);
        }
        let number = |number: f64| Num::of(number);
        let lasted = u64::try_from(came.lasted.as_millis()).unwrap_or(u64::MAX);
        said.say(|at| {
            Structured::AgentSessionEnd(AgentSessionEnd {
                session_id: came.session.as_deref().map(Text::new),
                duration_ms: Some(Num::new(lasted)),
                cost_usd: came.cost.and_then(number),
                turns: Some(Num::new(came.turns)),
                summary: came.why.as_deref().map(|why| cut(why, LONGEST)),
                ..AgentSessionEnd::of(at, came.is_success)
            })
        });
        said.lines()
    }
}

/// What is reported of one line.
struct Said {
    at: String,
    messages: Vec<Structured<'static>>,
}

impl Said {
    fn at(unix_ms: u64) -> Self {
        Self { at: timestamp(unix_ms), messages: Vec::new() }
    }

    fn say(&mut self, message: impl FnOnce(Text<'static>) -> Structured<'static>) {
        self.messages.push(message(Text::new(&self.at)));
    }

    fn lines(self) -> Vec<String> {
        self.messages
            .into_iter()
            .map(|message| Up::Structured(message, Object::default()).to_line())
            .collect()
    }

    fn begins(&mut self, start: impl FnOnce(AgentSessionStart<'static>) -> AgentSessionStart<'static>) {
        self.say(|at| Structured::AgentSessionStart(start(AgentSessionStart::of(at))));
    }

    /// What the agent says, if that is something.
    fn talks(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.say(|at| Structured::LlmResponse(LlmResponse::of(at, cut(text, LONGEST))));
        }
    }

    /// A tool begins.
    fn uses(&mut self, name: &str, input: Option<&Json<'_>>) {
        let is_whole = |input: &&Json<'_>| input.is_finite() && input.raw().len() <= LONGEST_INPUT;
        let whole = input.filter(is_whole).map(|input| Payload(input.clone().into_owned()));
        let summary = match (&whole, input) {
            (None, Some(input)) => Some(cut(input.raw(), LONGEST)),
            _ => None,
        };
        let name = Text::new(name);
        self.say(|at| {
            Structured::LlmToolUse(LlmToolUse {
                input_summary: summary,
                input: whole,
                ..LlmToolUse::of(at, name)
            })
        });
    }

    /// A tool ended, with that text.
    fn gives(&mut self, name: &str, text: &str, has_failed: bool) {
        let text = cut(text, LONGEST).into_json();
        let result = if has_failed { failed(&text) } else { text };
        let name = Text::new(name);
        self.say(|at| {
            let result = Some(Payload(result));
            Structured::LlmToolResult(LlmToolResult { result, ..LlmToolResult::of(at, name) })
        });
    }
}

/// A result that says of itself that it is a failure: a part of a message, as the API has them.
fn failed(text: &Json<'_>) -> Json<'static> {
    let part = Json::object(|out| {
        out.raw_member("\"type\"", "\"text\"");
        out.raw_member("\"text\"", text.raw());
        out.raw_member("\"is_error\"", "true");
    });
    Json::written(&vec![part])
}

/// A text, or as much of it as is reported.
fn cut(text: &str, longest: usize) -> Text<'static> {
    if text.len() <= longest {
        return Text::new(text);
    }
    let (shown, rest) = text.split_at(text.floor_char_boundary(longest));
    Text::new(&format!("{shown}\n… {} more bytes", rest.len()))
}

/// The tools at work, by their ids. The oldest is forgotten.
#[derive(Debug, Default)]
struct Calls(VecDeque<(String, String)>);

impl Calls {
    fn begins(&mut self, id: String, name: String) {
        self.0.push_back((id, name));
        if self.0.len() > MOST_CALLS {
            self.0.pop_front();
        }
    }

    fn ends(&mut self, id: &str) -> String {
        let at = self.0.iter().rposition(|(known, _)| known == id);
        at.and_then(|at| self.0.remove(at)).map_or_else(|| SOME_TOOL.to_owned(), |(_, name)| name)
    }

    fn name_of(&self, id: &str) -> Option<&str> {
        self.0.iter().rev().find(|(known, _)| known == id).map(|(_, name)| name.as_str())
    }
}
