//! Stream events as reports.
//!
//! A text comes in pieces: it is reported paragraph by paragraph, and what is left of it when something else is told.

use codec::events::Event;
use codec::json::{Json, Num, Text};
use codec::tunnel::{AgentSessionStart, FailureReport, Structured, TokenUsage};

use super::{Calls, LONGEST, Said, cut};

/// What is known of its stream.
#[derive(Debug, Default)]
pub(super) struct Events {
    has_begun: bool,
    /// what came of the paragraph that is being written
    text: String,
    calls: Calls,
}

impl Events {
    /// Whether it is a line of its language.
    pub(super) fn hear(&mut self, line: &[u8], executor: &str, said: &mut Said) -> bool {
        let Ok(event) = Event::read(line) else { return false };
        if !std::mem::replace(&mut self.has_begun, true) {
            let executor = Some(Text::new(executor));
            said.begins(|start| AgentSessionStart { executor, ..start });
        }
        match &event {
            Event::TextDelta(more) => return self.says(&more.text.get(), said),
            Event::Usage(_) | Event::UserRead(_) | Event::Unknown(_) => {}
            _ => self.falls_silent(said),
        }
        match &event {
            Event::ToolUseStart(tool) => {
                let name = tool.name.get().into_owned();
                said.uses(&name, tool.input.as_ref());
                self.calls.begins(text_of(tool.id.as_ref()), name);
            }
            Event::ToolResult(result) => {
                let name = self.calls.ends(&text_of(result.id.as_ref()));
                let output = result.output.as_ref().map(given).unwrap_or_default();
                said.gives(&name, &output, result.has_failed());
            }
            Event::Usage(usage) => {
                let number = |number: &Option<Num<'_>>| number.clone().map(Num::into_owned);
                let (input, output) = (number(&usage.input_tokens), number(&usage.output_tokens));
                said.say(|at| {
                    let (input_tokens, output_tokens) = (input, output);
                    Structured::TokenUsage(TokenUsage { input_tokens, output_tokens, ..TokenUsage::of(at) })
                });
            }
            Event::Error(error) => {
                let message = cut(&error.message.get(), LONGEST);
                said.say(|at| Structured::FailureReport(FailureReport::of(at, message)));
            }
            _ => {}
        }
        true
    }

    fn says(&mut self, more: &str, said: &mut Said) -> bool {
        self.text.push_str(more);
        while let Some(end) = end_of_paragraph(&self.text) {
            let rest = self.text.split_off(end);
            said.talks(std::mem::replace(&mut self.text, rest).trim_matches('\n'));
        }
        true
    }

    /// What it was saying is over.
    pub(super) fn falls_silent(&mut self, said: &mut Said) {
        said.talks(std::mem::take(&mut self.text).trim_matches('\n'));
    }
}

/// Where the first paragraph of a text ends: behind it comes a blank line, or it is too long to wait for that.
fn end_of_paragraph(text: &str) -> Option<usize> {
    let begin = text.len() - text.trim_start_matches('\n').len();
    let end = text.get(begin..)?.find("\n\n").map(|end| begin + end + 2);
    let is_long = text.len() >= LONGEST;
    end.or_else(|| is_long.then(|| text.floor_char_boundary(LONGEST)))
}

fn text_of(id: Option<&Text<'_>>) -> String {
    id.map(|id| id.get().into_owned()).unwrap_or_default()
}

/// What a tool gave: its text, or all of it.
fn given(output: &Json<'_>) -> String {
    output.as_text().map_or_else(|| output.raw().to_owned(), |text| text.get().into_owned())
}
