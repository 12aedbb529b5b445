//! What the lines of Claude Code mean for its session. Pure.
//!
//! Owns its background work, its results, the messages that are asked back, and the server without which it could ask
//! nobody.

use codec::claude::{ControlResponse, Output, System, may_ask, recover};
use codec::frame::Frame;
use codec::id::RequestId;
use codec::json::{Item, Json, Object};

use super::Effect;
use crate::agent::background::Background;
use crate::agent::signs::sign;
use crate::agent::stdin::Event;
use crate::agent::verdict::Tally;

/// What is known of a Claude Code by its lines.
#[derive(Debug, Default)]
pub(super) struct Claude {
    background: Background,
    tally: Tally,
    /// messages that are asked back, by the name of that request
    asked_back: Vec<(RequestId, String)>,
    /// the server without which it could ask nobody
    needs: Option<&'static str>,
}

/// What every result says.
const RESULT: &[u8] = b"\"type\":\"result\"";

impl Claude {
    /// One that asks by the server of that name.
    pub(super) fn asking_by(needs: Option<&'static str>) -> Self {
        Self { needs, ..Self::default() }
    }

    /// A line of it: what follows at once, and what it means for its stdin.
    pub(super) fn hear(&mut self, frame: &Frame) -> (Vec<Effect>, Vec<Event>) {
        match frame {
            Frame::Line(line) => match Output::read(line) {
                Ok(output) => self.hear_output(&output),
                Err(_) => (Vec::new(), vec![unreadable(line)]),
            },
            // A question whose name is not known could never be answered.
            Frame::Oversized(over) if may_ask(&over.head) && recover(&over.head).is_none() => {
                (vec![Effect::Interrupt], vec![Event::Heard])
            }
            Frame::Oversized(_) | Frame::Torn { .. } => (Vec::new(), vec![Event::Heard]),
        }
    }

    fn hear_output(&mut self, line: &Output<'_>) -> (Vec<Effect>, Vec<Event>) {
        self.tally.hear(line);
        let mut effects: Vec<Effect> = self.is_mute(line).into_iter().collect();
        let mut events: Vec<Event> = self.background.hear(line).into_iter().map(Event::Task).collect();
        events.push(sign(line));
        if let Output::ControlResponse(reply) = line {
            effects.extend(self.replied(reply));
        }
        (effects, events)
    }

    /// Whether it begins without the server by which it asks: its first question would end it, without a result.
    /// Later ones do not count: a server that went since comes again with the next question.
    fn is_mute(&mut self, line: &Output<'_>) -> Option<Effect> {
        let Output::System(System::Init(init)) = line else { return None };
        let needs = self.needs.take()?;
        let servers = init.mcp_servers.iter().flatten().filter_map(Item::known);
        let status = servers.filter(|server| server.name.is(needs)).find_map(|server| server.status.as_ref());
        let status = status.map_or_else(|| "missing".to_owned(), |status| status.get().into_owned());
        (status != "connected").then_some(Effect::Mute(status))
    }

    /// A message is asked back by the request of that name.
    pub(super) fn is_asked_back(&mut self, request: RequestId, uuid: String) {
        self.asked_back.push((request, uuid));
    }

    /// The reply to a request of ours.
    fn replied(&mut self, reply: &ControlResponse<'_>) -> Option<Effect> {
        let at = self.asked_back.iter().position(|(id, _)| *id == reply.response.request_id)?;
        let (_, uuid) = self.asked_back.remove(at);
        let response = reply.response.response.clone().and_then(|json| Object::read(json).ok());
        let is_so =
            response.is_some_and(|response| response.peek("cancelled").and_then(Json::as_flag) == Some(true));
        Some(if is_so { Effect::TakenBack(uuid) } else { Effect::NotTakenBack(uuid) })
    }

    /// What its results come to.
    pub(super) fn end(self) -> Tally {
        self.tally
    }
}

/// A line that nobody can read. A result may be among them, because it repeats the input of tools that were denied, and
/// that may be deeper than anybody reads: the turn is over all the same, and the run would wait for ever.
fn unreadable(line: &[u8]) -> Event {
    if may_be_result(line) { Event::TurnEnded { unasked: false, read: Vec::new() } } else { Event::Heard }
}

/// Whether a line that nobody can read may be a result.
pub(crate) fn may_be_result(line: &[u8]) -> bool {
    line.windows(RESULT.len()).any(|part| part == RESULT)
}
