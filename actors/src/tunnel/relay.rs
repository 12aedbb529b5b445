//! Reports on their way up: as they came, with what we know of who said them in front.

use std::rc::Rc;

use bytes::Bytes;
use codec::limits::Limits;
use codec::tunnel::{Up, UserInputReceipt, relay};

use crate::router::Who;

use super::outgoing::Outgoing;

/// A report of a client as it is passed on, in one line: with who said it in front. Nothing if it has come too far or is too
/// long for that.
#[must_use]
pub fn passed_on(who: &Who, line: &Bytes) -> Option<String> {
    let message = Up::read(line, &Limits::STANDARD).ok()?;
    let parts = relay(&who.segments(), line, &message, &Limits::STANDARD)?;
    String::from_utf8(parts.concat()).ok()
}

/// Passes reports on to the parent. Never waits for it: what it does not take is dropped and counted.
#[derive(Clone)]
pub struct Relay {
    pub(super) out: Rc<Outgoing>,
    pub(super) is_plain: bool,
}

impl Relay {
    /// A report of a client of ours. One that has come too far or is too long to be passed on is dropped, and the caller
    /// hears of it.
    #[must_use]
    pub fn report(&self, who: &Who, line: &Bytes) -> bool {
        let Ok(message) = Up::read(line, &Limits::STANDARD) else { return false };
        if self.is_plain {
            // The original knows no envelope: what is in one goes up without it.
            match &message {
                Up::Relayed(relayed) => self.out.offer(&[relayed.line.raw().as_bytes()]),
                _ => self.out.offer(&[line]),
            }
            return true;
        }
        match relay(&who.segments(), line, &message, &Limits::STANDARD) {
            Some([head, report, tail]) => {
                self.out.offer(&[&head, &report, &tail]);
                true
            }
            None => false,
        }
    }

    /// A report of our own.
    pub fn own(&self, line: &str) {
        self.out.offer(&[line.as_bytes()]);
    }

    /// What became of a line that a person typed at the root. Whoever does not read hears of it as late as of output.
    pub fn receipt(&self, receipt: &UserInputReceipt<'static>) {
        if !self.is_plain {
            self.out.offer(&[Up::Receipt(receipt.clone()).to_line().as_bytes()]);
        }
    }

    /// Whether the parent is gone: nothing goes up any more.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.out.is_gone()
    }
}
