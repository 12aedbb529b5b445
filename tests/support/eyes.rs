//! Whoever looks at a terminal: reads what is written there, as fast as they do, and makes a picture of it. A picture is
//! looked at only between two frames.

use std::io::Read;
use std::num::NonZeroU16;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::picture::Picture;
use crate::support::wait::{PATIENCE, now};

/// How the far end of the terminal reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reads {
    /// all, at once
    All,
    /// so many bytes, so many times a second
    Slowly(usize, u64),
    /// nothing, until it is told to
    Nothing,
    /// nothing any more
    NoMore,
}

/// Whoever looks.
pub(crate) struct Eyes {
    seen: Mutex<Seen>,
    news: Condvar,
}

/// What was written to the terminal.
struct Seen {
    parser: vt100::Parser,
    raw: Vec<u8>,
    /// a frame has begun and not ended
    in_frame: bool,
    reads: Reads,
}

/// Rows that were scrolled away and are kept.
const KEPT: usize = 500;
const FRAME: (&[u8], &[u8]) = (b"\x1b[?2026h", b"\x1b[?2026l");
/// What a test writes behind all that its program wrote; no terminal shows it.
pub(crate) const LAST: &[u8] = b"\x1b[?7777z";

impl Eyes {
    pub(crate) fn new(size: (u16, u16)) -> Self {
        let seen = Seen { parser: parser(size), raw: Vec::new(), in_frame: false, reads: Reads::All };
        Self { seen: Mutex::new(seen), news: Condvar::new() }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        // A test that fails while it looks must still end its program.
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the picture is as it should be.
    pub(crate) fn until(&self, what: &str, wanted: impl Fn(&Picture) -> bool) -> Picture {
        let bound = now() + PATIENCE;
        let mut seen = self.seen();
        loop {
            let picture = seen.picture();
            if !seen.in_frame && wanted(&picture) {
                return picture;
            }
            let left = bound.saturating_duration_since(now());
            assert!(!left.is_zero(), "waited {PATIENCE:?} in vain for {what}; the screen:\n{picture}");
            seen = self.news.wait_timeout(seen, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until a text was written, though it may have been scrolled away since.
    pub(crate) fn until_written(&self, text: &str) {
        let bound = now() + PATIENCE;
        let (mut seen, mut from) = (self.seen(), 0);
        while !seen.raw[from..].windows(text.len()).any(|part| part == text.as_bytes()) {
            from = seen.raw.len().saturating_sub(text.len());
            let left = bound.saturating_duration_since(now());
            assert!(
                !left.is_zero(),
                "waited {PATIENCE:?} in vain for {text:?}; the screen:\n{}",
                seen.picture()
            );
            seen = self.news.wait_timeout(seen, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Whether whatever is written is read.
    pub(crate) fn read_all(&self) -> bool {
        self.seen().reads == Reads::All
    }

    /// Waits for the last that is written, which does not count.
    pub(crate) fn until_last(&self) {
        let bound = now() + PATIENCE;
        let mut seen = self.seen();
        while !seen.raw.ends_with(LAST) {
            let left = bound.saturating_duration_since(now());
            assert!(!left.is_zero(), "waited {PATIENCE:?} in vain for the last that was written");
            seen = self.news.wait_timeout(seen, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        let length = seen.raw.len() - LAST.len();
        seen.raw.truncate(length);
    }

    /// What is on the screen, also in the middle of a frame.
    pub(crate) fn now(&self) -> Picture {
        self.seen().picture()
    }

    /// Everything that was written.
    pub(crate) fn raw(&self) -> Vec<u8> {
        self.seen().raw.clone()
    }

    /// From now on they read so.
    pub(crate) fn read_so(&self, reads: Reads) {
        self.seen().reads = reads;
        self.news.notify_all();
    }

    /// The terminal has another size; `resize` tells it so before anything more is read.
    pub(crate) fn resize(&self, (columns, rows): (u16, u16), resize: impl FnOnce()) {
        let mut seen = self.seen();
        seen.parser.set_size(at_least_one(rows), at_least_one(columns));
        resize();
    }

    /// They have that size, whatever the terminal says.
    pub(crate) fn show_as(&self, size: (u16, u16)) {
        let mut seen = self.seen();
        let mut parser = parser(size);
        parser.process(&seen.raw);
        seen.parser = parser;
    }

    /// Reads until nobody has the terminal any more, or until nobody wants to look.
    pub(crate) fn read(&self, mut reader: impl Read) {
        let mut piece = [0; 4096];
        loop {
            let most = self.may_read().min(piece.len());
            let length = if most == 0 { 0 } else { reader.read(&mut piece[..most]).unwrap_or(0) };
            if length == 0 {
                return;
            }
            self.seen().take(&piece[..length]);
            self.news.notify_all();
        }
    }

    /// How much may be read now; a slow one lets time pass first.
    fn may_read(&self) -> usize {
        let mut seen = self.seen();
        loop {
            match seen.reads {
                Reads::All => return usize::MAX,
                Reads::NoMore => return 0,
                Reads::Slowly(bytes, times) => {
                    drop(seen);
                    std::thread::park_timeout(Duration::from_millis(1000 / times));
                    return bytes;
                }
                Reads::Nothing => seen = self.news.wait(seen).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

impl Seen {
    fn take(&mut self, bytes: &[u8]) {
        let from = self.raw.len().saturating_sub(FRAME.0.len() - 1);
        self.raw.extend_from_slice(bytes);
        self.parser.process(bytes);
        let last = |what: &[u8]| self.raw[from..].windows(what.len()).rposition(|part| part == what);
        let (begin, end) = (last(FRAME.0), last(FRAME.1));
        if begin.is_some() || end.is_some() {
            self.in_frame = begin > end;
        }
    }

    fn picture(&self) -> Picture {
        Picture::of(self.parser.screen())
    }
}

fn parser((columns, rows): (u16, u16)) -> vt100::Parser {
    vt100::Parser::new(at_least_one(rows), at_least_one(columns), KEPT)
}

fn at_least_one(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap_or(NonZeroU16::MIN)
}
