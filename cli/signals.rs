//! The signals that end a long-running command: caught from the start, so that none of them leaves anything behind.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;

use crate::exit::{self, Code};

/// Which signal came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Caught {
    /// its name
    pub(crate) name: &'static str,
    /// its number
    pub(crate) number: i32,
}

impl Caught {
    /// What Ctrl-C sends.
    pub(crate) const INTERRUPT: Self = Self { name: "SIGINT", number: 2 };
    /// No signal, but it ends everything as one does: a record that is required was lost.
    pub(crate) const UNRECORDED: Self = Self { name: "the required record was lost", number: 0 };

    /// How a command exits that was ended by it.
    pub(crate) fn code(self) -> Code {
        if self == Self::UNRECORDED { exit::UNWRITTEN } else { Code::signal(self.number) }
    }
}

/// The signals that end us, as they would anybody; but nothing stays behind.
const ENDING: [Caught; 13] = [
    Caught::INTERRUPT,
    Caught { name: "SIGTERM", number: 15 },
    Caught { name: "SIGHUP", number: 1 },
    Caught { name: "SIGQUIT", number: 3 },
    Caught { name: "SIGUSR1", number: 10 },
    Caught { name: "SIGUSR2", number: 12 },
    Caught { name: "SIGALRM", number: 14 },
    Caught { name: "SIGSTKFLT", number: 16 },
    Caught { name: "SIGXCPU", number: 24 },
    Caught { name: "SIGVTALRM", number: 26 },
    Caught { name: "SIGPROF", number: 27 },
    Caught { name: "SIGIO", number: 29 },
    Caught { name: "SIGPWR", number: 30 },
];

/// A file that may not grow any more is a full disk, and no reason to end.
const FILE_TOO_LARGE: i32 = 25;

/// The signals, from now on, and whatever else ends everything wherever it waits.
pub(crate) struct Signals {
    caught: Vec<(Caught, Signal)>,
    /// one that was given back
    again: Option<Caught>,
    unrecorded: Option<oneshot::Receiver<()>>,
}

impl Signals {
    /// Catches them from now on, also those that come before anybody waits for them. One that whoever started us chose to
    /// ignore, as `nohup` does, stays ignored.
    pub(crate) fn catch() -> io::Result<Self> {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        // That it is caught is all that is wanted: it stays so when this is dropped.
        drop(signal(SignalKind::from_raw(FILE_TOO_LARGE))?);
        let caught = ENDING.into_iter().filter(|caught| !is_ignored(&status, caught.number));
        let caught = caught.map(|caught| Ok((caught, signal(SignalKind::from_raw(caught.number))?)));
        caught.collect::<io::Result<_>>().map(|caught| Self { caught, again: None, unrecorded: None })
    }

    /// From now on that a required record is lost ends everything too, once.
    pub(crate) fn hear_of_loss(&mut self, unrecorded: Option<oneshot::Receiver<()>>) {
        self.unrecorded = unrecorded;
    }

    /// One that came is for whoever waits next.
    pub(crate) const fn give_back(&mut self, caught: Caught) {
        self.again = Some(caught);
    }

    /// The next one.
    pub(crate) async fn next(&mut self) -> Caught {
        if let Some(again) = self.again.take() {
            return again;
        }
        let caught = self.next_new().await;
        tracing::info!(name = caught.name, "a signal came");
        caught
    }

    async fn next_new(&mut self) -> Caught {
        poll_fn(|context| {
            let came = self.caught.iter_mut().find_map(|(caught, signal)| {
                matches!(signal.poll_recv(context), Poll::Ready(Some(()))).then_some(*caught)
            });
            let came = came.or_else(|| self.loss(context));
            came.map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    fn loss(&mut self, context: &mut Context<'_>) -> Option<Caught> {
        let said = match Pin::new(self.unrecorded.as_mut()?).poll(context) {
            Poll::Pending => return None,
            Poll::Ready(said) => said,
        };
        self.unrecorded = None;
        // Whoever would have said it may just be gone.
        said.ok().map(|()| Caught::UNRECORDED)
    }
}

/// Whether a signal was ignored when we were started, as the system says.
fn is_ignored(status: &str, number: i32) -> bool {
    let mask = status.lines().find_map(|row| row.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    mask >> (number - 1) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_that_was_ignored_at_the_start_is_known() {
        let status = "Name:\ttim\nSigIgn:\t0000000000001001\nSigCgt:\t0\n";
        assert!(is_ignored(status, 1) && is_ignored(status, 13));
        assert!(!is_ignored(status, 15) && !is_ignored("", 1));
    }
}
