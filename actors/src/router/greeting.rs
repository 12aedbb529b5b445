//! Those who greet get a name, and say what became of typed lines that went to them.

use codec::id::{Label, Path};
use codec::json::Text;
use codec::tunnel::{Peer, ReceiptState, UserInputReceipt};

use crate::dialect::Dialect;
use crate::tunnel::translate;

use super::AskerId;
use super::info::Asker;
use super::order::Order;
use super::routing::Routing;

impl Routing {
    /// A client said hello: it gets its name, and hears what nobody of the original would.
    pub(super) fn greeted(&mut self, now: u64, asker: AskerId, peer: Peer, label: &str) {
        let Some(known) = self.askers.get(&asker) else { return };
        if known.info.dialect != Dialect::TUNNEL {
            return self.noise(asker, "a second hello".to_owned());
        }
        // Whoever an agent of ours started is called by that one's name.
        let above = known.info.below.clone().or_else(|| self.run.path.clone());
        let bridged = Some(label).filter(|_| peer == Peer::Bridge && self.run.is_bridged);
        let bridged = bridged.and_then(|label| self.bridged(label, known.info.below.as_ref()));
        let own = || Label::from_any(label);
        let (speaks_for, wish) = match bridged {
            Some((agent, path)) => (Some(agent), path),
            None => (None, above.map_or_else(|| Path::root(own()), |above| above.child(own()))),
        };
        let path = self.free_path(&wish);
        if path.labels().len() > Path::LONGEST {
            return self.noise(asker, "too many tims in a row".to_owned());
        }
        let desk = self.ledger.has_desk();
        let Some(known) = self.askers.get_mut(&asker) else { return };
        self.orders.extend(known.hears_no_more().map(|path| Order::Hears(path, false)));
        known.info.dialect = Dialect::Tunnel { greeted: true };
        known.peer = Some(peer);
        known.speaks_for = speaks_for;
        self.paths.remove(&known.who.path);
        self.paths.insert(path.to_string());
        known.rename(&path);
        self.begins_to_hear(asker);
        self.send(now, asker, translate::welcome(self.run.role, path, desk));
    }

    /// The path of somebody who wants to be called so. Of two with the same wish the second gets a number.
    pub(super) fn free_path(&self, wish: &Path) -> Path {
        let numbered = |number: usize| wish.numbered(number);
        let is_free = |path: &Path| !self.paths.contains(&path.to_string());
        std::iter::once(wish.clone()).chain((2..).map(numbered)).find(is_free).unwrap_or_else(|| wish.clone())
    }

    /// Whoever shows who hears what is typed must know of somebody new.
    pub(super) fn begins_to_hear(&mut self, asker: AskerId) {
        let path = self.askers.get_mut(&asker).and_then(Asker::begins_to_hear);
        self.orders.extend(path.map(|path| Order::Hears(path, true)));
    }

    /// A child says what became of a line that went to it. It can speak for itself and for those below it.
    pub(super) fn receipt(&mut self, asker: AskerId, receipt: UserInputReceipt<'static>) {
        let Some(known) = self.askers.get_mut(&asker) else { return };
        if !known.is_on_the_way_to(&receipt.path) {
            return self.noise(asker, format!("a receipt for {}, which is elsewhere", receipt.path));
        }
        let id = receipt.input_id.get();
        match known.unreceipted.iter_mut().find(|(known, _)| *known == id) {
            // That it was written to an agent says nothing of whether anybody will read it.
            Some((_, is_told)) => *is_told |= receipt.state != ReceiptState::Written,
            None => return self.noise(asker, "a receipt for a line that did not go there".to_owned()),
        }
        self.orders.push(Order::Receipt(Box::new(receipt)));
    }

    /// What went to somebody who left without a word about it did not arrive, as far as anybody knows.
    pub(super) fn undelivered(&mut self, left: &Asker) {
        let path = left.path();
        for (id, _) in left.unreceipted.iter().filter(|(_, is_told)| !is_told) {
            if let Some(path) = &path {
                self.not_delivered(id, path.clone());
            }
        }
    }

    pub(super) fn not_delivered(&mut self, id: &str, path: Path) {
        let receipt = UserInputReceipt::of(Text::new(id), path, ReceiptState::NotDelivered);
        self.orders.push(Order::Receipt(Box::new(receipt)));
    }
}
