//! What a person says to agents unasked: typed lines, and steering without words. On file before anybody hears it.
//!
//! Owns who hears a line, and the names of lines and requests: they are counted, or given by whoever typed, so that a
//! replay gives the same ones.

use codec::claude;
use codec::id::{Label, Path, RequestId};
use codec::journal::{self, Steering};
use codec::json::{Json, Object, Text};
use codec::tunnel::{Peer, ReceiptState, Structured, Up, UserInputReceipt, UserTerminalInput};

use crate::dialect::Dialect;
use crate::messages::Typed;

use super::AskerId;
use super::info::Asker;
use super::order::Order;
use super::routing::Routing;

/// How many typed lines are remembered for one child until it says what became of them.
const MOST_UNRECEIPTED: usize = 1_000;

/// The longest name of a typed line, in bytes.
const LONGEST_ID: usize = 256;

impl Routing {
    /// A person typed a line, for everybody or for whoever is called so. Says to whom it goes.
    pub(crate) fn typed(&mut self, now: u64, typed: &Typed) -> Vec<String> {
        // A name that nobody could have chosen is none: it would travel with every receipt.
        let input_id = typed.input_id.as_deref().filter(|id| id.len() <= LONGEST_ID);
        self.scribe.event(now, || journal::Event::Typed(record(typed, input_id)));
        if !typed.is_prompt {
            self.publish_typed(now, &typed.text);
        }
        let hearers = self.hearers(typed.to.as_ref());
        if let (true, Some(id)) = (hearers.is_empty(), input_id) {
            let path = typed.to.as_ref().or(self.run.path.as_ref()).cloned();
            self.not_delivered(id, path.unwrap_or_else(|| Path::root(Label::from_any("main"))));
        }
        let path = |asker: &AskerId| self.askers.get(asker).map(|known| known.who.path.clone());
        let paths = hearers.iter().filter_map(path).collect();
        for asker in hearers {
            self.pass_on(now, asker, typed, input_id);
        }
        paths
    }

    fn publish_typed(&mut self, now: u64, text: &str) {
        if self.run.publishes {
            let input = UserTerminalInput::of(Text::new(&self.timestamp(now)), Text::new(text));
            let line = Up::Structured(Structured::UserTerminalInput(input), Object::default()).to_line();
            self.outbox.hold(self.scribe.last(), Order::PublishTyped(line));
        }
    }

    /// Who hears a line for that path, or for everybody, in the order in which they came.
    fn hearers(&self, to: Option<&Path>) -> Vec<AskerId> {
        let hears = |known: &Asker| known.may_listen() && to.is_none_or(|to| known.hears_what_is_for(to));
        let mut hearers: Vec<AskerId> =
            self.askers.iter().filter(|(_, known)| hears(known)).map(|(asker, _)| *asker).collect();
        hearers.sort_unstable();
        hearers
    }

    fn pass_on(&mut self, now: u64, asker: AskerId, typed: &Typed, input_id: Option<&str>) {
        let Some(known) = self.askers.get_mut(&asker) else { return };
        let line = match known.info.dialect {
            Dialect::Tunnel { .. } => {
                crate::tunnel::translate::typed(&typed.text, typed.to.as_ref(), input_id)
            }
            Dialect::Claude => {
                let uuid = input_id.filter(|id| is_uuid(id)).map(str::to_owned);
                let uuid = uuid.unwrap_or_else(|| self.next_uuid());
                crate::agent::translate::typed(&typed.text, &typed.images, &uuid)
            }
            Dialect::Events => {
                known.turns.spoken_to();
                let id = input_id.map(str::to_owned).unwrap_or_else(|| self.next_uuid());
                crate::agent::events::typed(&typed.text, &id)
            }
        };
        if let (Some(Asker { peer: Some(Peer::Tim), unreceipted, .. }), Some(id)) =
            (self.askers.get_mut(&asker), input_id)
        {
            unreceipted.push_back((id.to_owned(), false));
            if unreceipted.len() > MOST_UNRECEIPTED {
                unreceipted.pop_front();
            }
        }
        self.send(now, asker, line);
    }

    /// A person steers an agent without words. A client of the tunnel cannot be steered so.
    pub(crate) fn steer(&mut self, now: u64, asker: AskerId, what: Steering, input_id: Option<&str>) {
        let Some(known) = self.askers.get(&asker) else { return };
        let dialect = known.info.dialect;
        // What an agent that speaks stream events was told cannot be taken back.
        let is_possible = what != Steering::TakeBack || dialect == Dialect::Claude;
        if !dialect.is_of_agent() || !is_possible {
            return;
        }
        let wire = &known.info.wire;
        self.scribe.event(now, || {
            let mut steer = journal::Steer::of(Text::new(wire), what);
            steer.input_id = input_id.map(Text::new);
            journal::Event::Steer(steer)
        });
        let id = RequestId::new(&format!("{}.c{}", self.run.id, self.steered + 1));
        let line = match what {
            Steering::Interrupt if dialect == Dialect::Events => crate::agent::events::cancel(),
            Steering::Interrupt => claude::interrupt(&id),
            Steering::TakeBack => claude::cancel_async_message(&id, input_id.unwrap_or_default()),
            // Its guard ends it, and nobody tells it so: that is only noted.
            Steering::End => return,
        };
        self.steered += 1;
        self.send(now, asker, line);
    }

    /// An agent of ours shows by its lines what became of a typed one.
    pub(crate) fn receipt_of_agent(&mut self, asker: AskerId, input_id: &str, state: ReceiptState) {
        let Some(path) = self.askers.get(&asker).and_then(Asker::path) else { return };
        let receipt = UserInputReceipt::of(Text::new(input_id), path, state);
        self.orders.push(Order::Receipt(Box::new(receipt)));
    }

    /// A name that only this run gives: an agent silently drops what has the name of something earlier.
    fn next_uuid(&mut self) -> String {
        self.named += 1;
        uuid(&self.run.seed, self.named)
    }
}

fn record(typed: &Typed, input_id: Option<&str>) -> journal::Typed<'static> {
    let mut record = journal::Typed::of(Text::new(&typed.text));
    record.to = typed.to.as_ref().map(|to| Text::new(&to.to_string()));
    record.input_id = input_id.map(Text::new);
    record.images = (!typed.images.is_empty()).then(|| Json::written(&typed.images));
    record.prompt = typed.is_prompt.then_some(true);
    record
}

/// Whether this has the form by which messages of agents are named.
fn is_uuid(text: &str) -> bool {
    let dashes = [8, 13, 18, 23];
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match dashes.contains(&at) {
            true => byte == b'-',
            false => byte.is_ascii_hexdigit(),
        })
}

/// The number of a message in the form of a random uuid, from what only this run knows.
fn uuid(seed: &str, number: u64) -> String {
    // Odd, so that different numbers stay different; with many bits, so that they differ everywhere.
    const SPREAD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    let from_seed = seed.bytes().fold(1_u128, |so_far, byte| {
        so_far.wrapping_mul(SPREAD).wrapping_add(u128::from(byte)).rotate_left(29)
    });
    let mixed = from_seed.wrapping_add(u128::from(number)).wrapping_mul(SPREAD);
    let hex = format!("{mixed:032x}");
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    format!("{}-{}-4{}-8{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_messages_are_uuids_and_differ_by_run_and_number() {
        let names = [uuid("a", 1), uuid("a", 2), uuid("b", 1)];
        assert!(names.iter().all(|name| is_uuid(name)), "{names:?}");
        assert!(names[0] != names[1] && names[0] != names[2] && names[1] != names[2], "{names:?}");
    }

    #[test]
    fn what_is_no_uuid_is_not_taken_for_one() {
        for text in ["", "x", "7f3c0a1b-0000-4000-8000-00000000000g", "7f3c0a1b000-04000-8000-000000000000"] {
            assert!(!is_uuid(text), "{text}");
        }
        assert!(is_uuid("7f3c0a1b-0000-4000-8000-000000000001"));
    }
}
