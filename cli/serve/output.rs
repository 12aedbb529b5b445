//! What a service prints: questions and their ends, reports of its clients, and what goes wrong.
//!
//! Below another tim reports go up instead and nothing is printed but trouble. Never waits for whoever reads.

use actors::messages::Output as Said;
use actors::ports::Outlet;
use actors::router::Who;
use actors::tunnel::Relay;
use bytes::Bytes;
use codec::limits::Limits;
use codec::text::visible;
use codec::tunnel::Up;
use tokio::time::Instant;

use crate::noise::Noise;
use crate::printer::{Place, Printer};

/// Where the output of a service goes.
pub(super) struct Output {
    relay: Option<Relay>,
    printer: Printer,
    quiet: bool,
    noise: Noise,
    began: Instant,
}

impl Output {
    pub(super) fn new(relay: Option<Relay>, printer: Printer, quiet: bool) -> Self {
        Self { relay, printer, quiet, noise: Noise::default(), began: Instant::now() }
    }

    /// The way up, as long as there is a parent.
    fn parent(&self) -> Option<&Relay> {
        self.relay.as_ref().filter(|relay| !relay.is_gone())
    }

    fn report(&mut self, who: &Who, line: &Bytes) {
        match self.parent() {
            Some(relay) => {
                if !relay.report(who, line) {
                    self.complain(who, "a report that is too long or came too far to be passed on");
                }
            }
            None if self.quiet => {}
            None => {
                let Ok(message) = Up::read(line, &Limits::STANDARD) else { return };
                for row in crate::render::rows_of(&message) {
                    self.printer.print(Place::Stdout, format!("{}  {row}\n", visible(&who.path)));
                }
            }
        }
    }

    /// Says what was dropped, but not a hundred thousand times.
    fn complain(&mut self, who: &Who, why: &str) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (left_out, is_told) = self.noise.hear(now, &who.wire);
        for (wire, count) in left_out {
            self.warn(&format!("{wire}: {count} more lines dropped"));
        }
        if is_told {
            self.warn(&format!("{} ({}): a line was dropped: {why}", who.path, who.wire));
        }
    }

    fn warn(&self, what: &str) {
        super::warn(&self.printer, what);
    }
}

impl Outlet for Output {
    fn take(&mut self, output: Said) {
        match output {
            Said::Own(emitted) if !self.quiet && self.parent().is_none() => {
                self.printer.print(Place::Stdout, format!("{}\n", crate::replay::question(&emitted)));
            }
            Said::Own(_) => {}
            Said::Report(who, line) => self.report(&who, &line),
            Said::Receipt(receipt) => {
                if let Some(relay) = self.parent() {
                    relay.receipt(&receipt);
                }
            }
            Said::Dropped(who, why) => self.complain(&who, &why),
            Said::Gap(lost, why) => {
                let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
                self.warn(&format!(
                    "the journal loses records, {lost} so far{why}; answers go on without them"
                ));
            }
        }
    }
}
