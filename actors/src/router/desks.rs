//! Who holds which question: every one is offered to every desk at once.
//!
//! Owns the desks and their offers. Decides nothing about a question's end; says who must be told of it. Pure.

use std::collections::BTreeMap;
use std::sync::Arc;

use codec::tunnel::AnswerSource;

use super::event::Seating;
use super::numbered::ByNumber;
use super::{DeskId, Number};

/// The desks, and what each of them holds.
#[derive(Debug, Default)]
pub(crate) struct Desks {
    desks: BTreeMap<DeskId, Seating>,
    /// all of them: nearly every question is held by just these
    all: Arc<[DeskId]>,
    /// the desks that hold a question; few, in the order in which they came
    holders: ByNumber<Number, Arc<[DeskId]>>,
}

impl Desks {
    /// A desk came. It is offered what is open.
    pub(crate) fn come(&mut self, desk: DeskId, seating: Seating) {
        self.desks.insert(desk, seating);
        self.all = self.desks.keys().copied().collect();
    }

    /// A desk left. What it held must be taken from it before: see [`Desks::held_by`].
    pub(crate) fn leave(&mut self, desk: DeskId) -> Option<AnswerSource> {
        let seating = self.desks.remove(&desk);
        self.all = self.desks.keys().copied().collect();
        seating.map(|seating| seating.source)
    }

    /// What answers of this desk count as.
    #[must_use]
    pub(crate) fn source(&self, desk: DeskId) -> Option<AnswerSource> {
        self.desks.get(&desk).map(|seating| seating.source)
    }

    /// Whether there is nobody who counts as being there.
    #[must_use]
    pub(crate) fn is_deserted(&self) -> bool {
        !self.desks.values().any(|seating| seating.counts)
    }

    /// Offers a question to every desk there is, and says to whom.
    pub(crate) fn offer(&mut self, number: Number) -> Arc<[DeskId]> {
        self.holders.insert(number, Arc::clone(&self.all));
        Arc::clone(&self.all)
    }

    /// Offers a question that is open already to a desk that came later.
    pub(crate) fn offer_to(&mut self, number: Number, desk: DeskId) {
        let holders = self.holders.entry(number).or_default();
        *holders = holders.iter().copied().chain([desk]).collect();
    }

    /// Whether a desk holds a question: only then may it answer.
    #[must_use]
    pub(crate) fn holds(&self, desk: DeskId, number: Number) -> bool {
        self.holders.get(&number).is_some_and(|holders| holders.contains(&desk))
    }

    /// A desk gives a question back. Says whether nobody who counts holds it any more.
    pub(crate) fn give_back(&mut self, desk: DeskId, number: Number) -> bool {
        let Some(holders) = self.holders.get_mut(&number) else { return false };
        *holders = holders.iter().copied().filter(|holder| *holder != desk).collect();
        let counts = |holder: &DeskId| self.desks.get(holder).is_some_and(|seating| seating.counts);
        !holders.iter().any(counts)
    }

    /// Takes an ended question from all desks.
    pub(crate) fn withdraw(&mut self, number: Number) {
        self.holders.remove(&number);
    }

    /// What a desk holds, the oldest first.
    #[must_use]
    pub(crate) fn held_by(&self, desk: DeskId) -> Vec<Number> {
        let holding =
            |(number, holders): (&Number, &Arc<[DeskId]>)| holders.contains(&desk).then_some(*number);
        let mut held: Vec<Number> = self.holders.iter().filter_map(holding).collect();
        held.sort_unstable();
        held
    }
}
