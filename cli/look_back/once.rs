//! A question of a nested run is on record there and in each run above it. Pure.
//!
//! Owns which of two decisions in different records are one and the same. It is never enough that somebody calls them so:
//! a client may ask under any id. The one below must say that it was decided above, and both must have ended alike.

use std::collections::HashSet;

use actors::audit::{Answered, By, Decision, Name};
use codec::Outcome;
use codec::tunnel::{AnswerSource, QuestionKind};

/// What two records of one decision have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Twin {
    /// the name that it has in the run below
    key: String,
    kind: Option<QuestionKind>,
    tool: Option<String>,
    allowed: Option<bool>,
    way: Way,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    Answered,
    Declined,
    Nobody(Outcome),
}

/// The decisions that were asked for from below.
#[derive(Debug, Default)]
pub(super) struct Above(HashSet<Twin>);

impl Above {
    /// A decision of any run: if it was asked for under a name that a question of another run may have, it may be that one.
    pub(super) fn add(&mut self, decision: &Decision) {
        let Some(key) = decision.request_id.as_ref().filter(|id| id.contains(".p")) else { return };
        let way = match decision.by {
            By::Answered(_) => Way::Answered,
            By::Declined(_) => Way::Declined,
            By::Nobody { outcome, .. } => Way::Nobody(outcome),
            By::Agent { .. } | By::Open => return,
        };
        self.0.insert(twin(key.clone(), decision, way));
    }

    /// Whether this decision of that run is told by one of them.
    pub(super) fn tell(&self, run: &str, decision: &Decision) -> bool {
        let way = match decision.by {
            By::Answered(Answered { source: AnswerSource::Parent, .. }) => Way::Answered,
            By::Declined(AnswerSource::Parent) => Way::Declined,
            By::Nobody { outcome, .. } => Way::Nobody(outcome),
            _ => return false,
        };
        matches!(decision.name, Name::Question(_))
            && self.0.contains(&twin(format!("{run}.{}", decision.name), decision, way))
    }
}

fn twin(key: String, decision: &Decision, way: Way) -> Twin {
    Twin { key, kind: decision.kind, tool: decision.tool.clone(), allowed: decision.by.allowed(), way }
}
