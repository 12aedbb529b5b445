//! A raw recording of Claude's pipes as inputs of the replay: a person at a terminal, and one agent.
//!
//! What was written to its stdin in reply to a request was somebody's answer to it; the line itself is what the router
//! should say.

use bytes::Bytes;
use codec::claude::{ControlBody, ControlReply, Decision, Input, answers_in};
use codec::frame::Frame;
use codec::id::{Key, RequestId};
use codec::json::{Json, Object, Text};
use codec::recording::{Direction, Recorded};
use codec::tunnel::{AnswerSource, QuestionKind};

use crate::dialect::Dialect;
use crate::router::Said;

use super::{Aside, Became, Happening, Replay};

const AGENT: &str = "claude:main";
const DESK: &str = "terminal";

impl Replay {
    /// Whether the file is a recording: then somebody sits at a terminal, and the agent is there.
    pub(super) fn begins_recording(&mut self, line: &[u8]) -> bool {
        if Recorded::read(line).is_err() {
            return false;
        }
        self.comparison.compare_lines();
        self.seat(DESK, AnswerSource::Terminal, true);
        self.attach(AGENT, Dialect::Claude, Some("main".to_owned()), None, None);
        true
    }

    pub(super) fn recorded_line(&mut self, line: &[u8]) -> Became {
        let recorded = match Recorded::read(line) {
            Ok(recorded) => recorded,
            Err(reject) => {
                self.unused(format!("a line that cannot be read: {reject}"));
                return Became::Unused;
            }
        };
        self.advance(milliseconds(recorded.t.as_f64()));
        let told_unused = self.unused_so_far;
        let became = self.recorded(recorded.dir, &recorded.line.get());
        self.tell_differences();
        if self.unused_so_far > told_unused { Became::Unused } else { became }
    }

    fn recorded(&mut self, dir: Direction, said: &str) -> Became {
        match dir {
            Direction::Out => self.frame(AGENT, Frame::Line(Bytes::copy_from_slice(said.as_bytes()))),
            Direction::In => return self.written(said),
            Direction::Meta if said.starts_with("exit") => self.agent_ended(said),
            Direction::Err => {
                self.tell(|| {
                    let (wire, text) = (AGENT.to_owned(), said.to_owned());
                    Happening::Aside(Aside::Printed { wire, text })
                });
            }
            Direction::Meta => return Became::Passed("meta"),
            Direction::McpIn | Direction::McpOut | Direction::McpSignal => return Became::Passed("mcp"),
        }
        Became::Used
    }

    fn agent_ended(&mut self, how: &str) {
        let (code, signal) = exit_of(how);
        if let Some(asker) = self.askers.remove(AGENT) {
            self.routing.detach(self.now, asker, how);
            self.settle();
            self.tell(|| Happening::Aside(Aside::Exited { wire: AGENT.to_owned(), code, signal }));
            self.tell(|| Happening::Aside(Aside::Gone(AGENT.to_owned())));
        }
    }

    /// A reply to a request was an answer, a message was typed. What else was written steers the agent, which here is nobody's
    /// to say.
    fn written(&mut self, line: &str) -> Became {
        match Input::read(line.as_bytes()) {
            Ok(Input::ControlResponse(reply)) => self.replied(line, reply.response),
            Ok(Input::User(user)) => {
                let text = user.message.content.text();
                self.tell(|| Happening::Aside(Aside::Typed { text, to: None }));
            }
            Ok(Input::ControlRequest(request)) => {
                if matches!(request.request, ControlBody::Interrupt(_)) {
                    self.tell(|| Happening::Aside(Aside::Interrupted(AGENT.to_owned())));
                }
                return Became::Passed("in: requests of whoever drove the agent");
            }
            Ok(_) => return Became::Passed("in: what only the agent understands"),
            Err(_) => return Became::Passed("in: no message"),
        }
        Became::Used
    }

    fn replied(&mut self, line: &str, reply: ControlReply<'_>) {
        let number =
            self.askers.get(AGENT).and_then(|asker| self.routing.ledger().find(*asker, &reply.request_id));
        // A reply to what is not open is late: no question has that number.
        let key = Key { run: self.routing.run_id().clone(), number: number.map_or(0, |number| number.0) };
        self.comparison.expected(AGENT, line, self.place());
        let said = match (self.asks_questions(&reply.request_id), reply.response, reply.error) {
            (is_question, Some(response), _) => answer(is_question, response),
            (_, None, error) => denied(error.as_ref()),
        };
        self.said(&Text::new(DESK), &key, said);
    }

    fn asks_questions(&self, id: &RequestId) -> bool {
        let ledger = self.routing.ledger();
        let number = self.askers.get(AGENT).and_then(|asker| ledger.find(*asker, id));
        let open = number.and_then(|number| ledger.look(number));
        open.is_some_and(|(_, question, _)| question.kind() == QuestionKind::Question)
    }
}

/// What a person must have said for this to be written.
fn answer(is_question: bool, response: Json<'_>) -> Said {
    let decision = Object::read(response).map(Decision::from_object);
    match decision {
        Ok(Decision::Allow(allow)) if is_question => {
            let input = allow.updated_input.unwrap_or_else(Json::null);
            Said::Answer(Json::object(|out| {
                out.member("answers", |text| text.push_str(&answers_of(&input)));
            }))
        }
        Ok(Decision::Allow(_)) => Said::Answer(Json::object(|out| out.raw_member("\"allow\"", "true"))),
        Ok(Decision::Deny(_)) if is_question => Said::Decline,
        Ok(Decision::Deny(deny)) => denied(deny.message.as_ref()),
        _ => denied(None),
    }
}

fn answers_of(input: &Json<'_>) -> String {
    let answers = Json::object(|out| {
        for (question, words) in answers_in(input) {
            out.member(&question, |text| text.push_str(Text::new(&words).raw()));
        }
    });
    answers.raw().to_owned()
}

fn denied(reason: Option<&Text<'_>>) -> Said {
    Said::Answer(Json::object(|out| {
        out.raw_member("\"allow\"", "false");
        if let Some(reason) = reason {
            out.member("reason", |text| text.push_str(reason.raw()));
        }
    }))
}

/// Recordings count in seconds. The cast saturates, and nobody records for ages.
pub(crate) fn milliseconds(seconds: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
    let ms = (seconds * 1_000.0) as u64;
    ms
}

/// How a process ended, as a recorder notes it, `exit 1` or `exit -9`: its code, or the signal.
pub(crate) fn exit_of(note: &str) -> (Option<u64>, Option<u64>) {
    let word = note.split_whitespace().nth(1).unwrap_or_default();
    match word.strip_prefix('-') {
        Some(signal) => (None, signal.parse().ok()),
        None => (word.parse().ok(), None),
    }
}
