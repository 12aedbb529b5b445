//! What goes on, for whoever looks at a run from outside: who is here, and which questions are open. Changes nothing.

use std::sync::Arc;

use codec::id::Key;

use crate::dialect::Dialect;

use super::event::Said;
use super::info::Asker;
use super::order::{News, Offer, Order};
use super::routing::Routing;
use super::{DeskId, Number};

/// What goes on.
#[derive(Debug)]
pub(crate) struct Picture {
    /// whether somebody is there who can be asked
    pub(crate) has_desk: bool,
    /// those who may ask, in the order in which they came
    pub(crate) askers: Vec<Seen>,
    /// the open questions, the oldest first
    pub(crate) open: Vec<Open>,
}

/// Somebody who may ask.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) wire: String,
    pub(crate) path: String,
    pub(crate) pid: Option<u64>,
    /// what it is, in one word
    pub(crate) what: &'static str,
    /// its language, in one word
    pub(crate) speaks: &'static str,
    /// whether typed lines go there
    pub(crate) hears: bool,
}

/// A question that is open.
#[derive(Debug)]
pub(crate) struct Open {
    pub(crate) offer: Arc<Offer>,
    /// for how long
    pub(crate) age_ms: u64,
    /// somebody sees it
    pub(crate) is_shown: bool,
}

/// What came of something that was said about a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ruling {
    /// it counted
    Counted,
    /// the question had ended
    Late,
    /// there never was such a question
    Unknown,
    /// it does not fit, and why; the question is still open
    Unfit(String),
}

impl Routing {
    /// What goes on.
    pub(crate) fn picture(&self, now: u64) -> Picture {
        let mut askers: Vec<_> = self.askers.iter().collect();
        askers.sort_unstable_by_key(|(id, _)| **id);
        let open = |number: Number| {
            let offer = self.offer(now, number)?;
            let age_ms = now.saturating_sub(offer.since);
            Some(Open { offer, age_ms, is_shown: self.ledger.is_shown(number) })
        };
        Picture {
            has_desk: self.ledger.has_desk(),
            askers: askers.into_iter().map(|(_, asker)| seen(asker)).collect(),
            open: self.ledger.numbers().into_iter().filter_map(open).collect(),
        }
    }

    /// A desk says something about a question, and hears what came of it at once.
    pub(crate) fn rule_on(&mut self, now: u64, desk: DeskId, key: &Key, said: Said) -> Ruling {
        let was_asked = key.run == self.run.id && self.ledger.has_numbered(Number(key.number));
        let is_here = self.desks.contains_key(&desk);
        let from = self.orders.len();
        self.said(now, desk, key, said);
        let told = self.orders.iter().skip(from).find_map(|order| match order {
            Order::Tell(to, _, news) if *to == desk => Some(news),
            _ => None,
        });
        match told {
            _ if !was_asked => Ruling::Unknown,
            Some(News::Late) => Ruling::Late,
            Some(News::Unfit(why)) => Ruling::Unfit(why.clone()),
            None if is_here => Ruling::Counted,
            None => Ruling::Late,
        }
    }
}

fn seen(asker: &Asker) -> Seen {
    let dialect = asker.info.dialect;
    Seen {
        wire: asker.who.wire.clone(),
        path: asker.who.path.clone(),
        pid: asker.who.pid,
        what: match asker.peer {
            _ if dialect.is_of_agent() => "agent",
            Some(peer) => peer.word(),
            None => "client",
        },
        speaks: match dialect {
            Dialect::Claude => "claude",
            Dialect::Events => "events",
            Dialect::Tunnel { .. } => "tunnel",
        },
        hears: asker.may_listen(),
    }
}
