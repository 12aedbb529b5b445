//! How questions ended, counted, for those who want one object at the end and not every event.

use std::collections::BTreeMap;

use actors::router::{Emitted, Stage};
use codec::json::{Json, Written as _};

/// The counts.
#[derive(Debug, Default, Clone)]
pub(crate) struct Tally {
    asked: u64,
    ended: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// One more was asked, or ended.
    pub(crate) fn count(&mut self, emitted: &Emitted) {
        match &emitted.what {
            Stage::Asked { .. } => self.asked += 1,
            Stage::Ended(end) => *self.ended.entry(end.outcome().word()).or_default() += 1,
        }
    }

    /// As an object: how many were asked, and how many ended how.
    pub(crate) fn to_json(&self) -> Json<'static> {
        Json::object(|out| {
            out.member("asked", |to| self.asked.write(to));
            for (outcome, count) in &self.ended {
                out.member(outcome, |to| count.write(to));
            }
        })
    }
}
