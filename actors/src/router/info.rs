//! Who takes part in a run. Plain values.

use std::sync::Arc;

use codec::id::Path;
use codec::limits::Limits;
use codec::tunnel::AnswerSource;

use crate::dialect::Dialect;

use super::event::OpenLimits;

/// What a run needs to know of itself.
#[derive(Debug, Clone)]
pub struct RunInfo {
    /// its name, a few hex digits: every key begins with it
    pub id: Arc<str>,
    /// where ids come from that are not counted
    pub seed: String,
    /// when it began, in milliseconds since 1970: for timestamps in our output, nothing is decided by it
    pub began_unix_ms: u64,
    /// how much may be open
    pub open: OpenLimits,
    /// how much one message may hold
    pub limits: Limits,
    /// whether somebody reads our own output
    pub publishes: bool,
}

/// Somebody who asks.
#[derive(Debug, Clone)]
pub struct AskerInfo {
    /// `claude:main`, `tunnel:3`
    pub wire: String,
    /// its language
    pub dialect: Dialect,
    /// what it is called
    pub path: Option<String>,
    /// its process, if known
    pub pid: Option<u64>,
}

impl AskerInfo {
    /// Whether a line for that path goes through here.
    pub(super) fn is_on_the_way_to(&self, to: &Path) -> bool {
        let own = self.path.as_deref().and_then(Path::new);
        own.is_some_and(|own| to.labels().starts_with(own.labels()))
    }
}

/// Somewhere where answers come from.
#[derive(Debug, Clone)]
pub struct DeskInfo {
    /// `terminal`, `up`, `command`
    pub name: String,
    /// what its answers count as
    pub source: AnswerSource,
}
