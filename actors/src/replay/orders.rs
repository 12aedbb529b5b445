//! What the replayed router wants done: noted, compared and told, and done to nobody.

use crate::router::{AskerId, Order, Who};

use super::{Happening, Kind, Replay, Wanted};

impl Replay {
    /// Notes what the router wants done. Nobody is there to do it to.
    pub(super) fn settle(&mut self) {
        let timeless = self.kind == Some(Kind::Own);
        let mut orders = std::mem::take(&mut self.orders);
        orders.extend(self.routing.orders());
        for order in orders.drain(..) {
            self.note_order(order, timeless);
        }
        self.orders = orders;
        // What is in a journal of our own is compared with it.
        if !timeless {
            self.capture.clear();
        }
    }

    fn note_order(&mut self, order: Order, timeless: bool) {
        match order {
            Order::Keep(number, offer, _) if !timeless => {
                if let Some(at) = offer.left_ms.map(|left| self.now.saturating_add(left)) {
                    self.deadlines.insert((at, number));
                    self.due.insert(number, at);
                }
            }
            Order::Close(number, _) => {
                if let Some(at) = self.due.remove(&number) {
                    self.deadlines.remove(&(at, number));
                }
            }
            Order::Send(asker, line) => self.note_sent(asker, &line),
            Order::Publish(emitted) => self.told.push((self.now, Happening::Question(*emitted))),
            Order::Report(who, line) => {
                self.tell(|| Happening::Reported { wire: who.wire.clone(), path: who.path.clone(), line });
            }
            Order::Noise(who, why) => self.tell(|| noise(&who, why, false)),
            Order::Misasked(who, why) => self.tell(|| noise(&who, why, true)),
            Order::Tell(desk, key, news) => {
                let name = self.desks.iter().find(|(_, id)| **id == desk).map(|(name, _)| name.clone());
                let desk = name.unwrap_or_default();
                self.tell(|| Happening::Told { desk, key, news });
            }
            _ => {}
        }
    }

    fn note_sent(&mut self, asker: AskerId, line: &[u8]) {
        self.sent += 1;
        // In a journal of our own it is compared as the record of it.
        let is_compared = self.kind != Some(Kind::Own);
        if !is_compared && self.wanted == Wanted::Brief {
            return;
        }
        let wire = self.wires.get(&asker).cloned().unwrap_or_default();
        let line = String::from_utf8_lossy(line).into_owned();
        self.comparison.sent(&wire, &line, self.place());
        self.tell(|| Happening::Sent { wire, line });
    }
}

fn noise(who: &Who, why: String, is_question: bool) -> Happening {
    Happening::Noise { wire: who.wire.clone(), path: who.path.clone(), why, is_question }
}
