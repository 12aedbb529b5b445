//! What went wrong with somebody's lines, said but not a hundred thousand times.

use actors::router::Who;
use tokio::time::Instant;

use crate::noise::Noise;
use crate::voice::Voice;

/// Complaints about lines that were dropped.
pub(crate) struct Complaints {
    voice: Voice,
    noise: Noise,
    began: Instant,
}

impl Complaints {
    pub(crate) fn new(voice: Voice) -> Self {
        Self { voice, noise: Noise::default(), began: Instant::now() }
    }

    /// A line of that one was dropped.
    pub(crate) fn dropped(&mut self, who: &Who, why: &str) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (left_out, is_told) = self.noise.hear(now, &who.wire);
        for (wire, count) in left_out {
            self.voice.warn(&format!("{wire}: {count} more lines dropped"));
        }
        if is_told {
            self.voice.warn(&format!("{} ({}): a line was dropped: {why}", who.path, who.wire));
        }
    }

    /// Records are being lost.
    pub(crate) fn gap(&self, lost: u64, why: Option<String>) {
        let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
        self.voice
            .warn(&format!("the journal loses records, {lost} so far{why}; answers go on without them"));
    }
}
