//! The journal's thread: takes lines, writes them in order, and says how far it has come.
//!
//! Owns the sink and the thread that writes to it. Never makes the pushing thread wait for the disk, never reads a
//! clock, and never writes half a record and goes on as if nothing had happened. It ends by [`Journal::finish`], which
//! waits for the thread a bounded time, or by being dropped, which lets the thread write what it has and waits for
//! nothing.
//!
//! Records are numbered 0, 1, 2, … in the order of their push; the number is the `seq` that the caller writes into the
//! line. A record is *settled* when it is on file or when it is lost; both release what waited for it (invariant 11).
//! "On file" means that write(2) took it; there is no fsync.
//!
//! Records are lost when the disk fails, or when it is so slow that the buffer is full. Where records are missing, the
//! next write that succeeds begins with a record of the gap. It has no number of its own: it stands in for the
//! missing ones, with `seq` and `t` of the first of them, and `lost` says how many there are. So a reader sees
//! `0 … k`, then a gap with `seq` k+1 that lost n, then k+1+n: the next number after a gap is its `seq` plus its
//! `lost`, and after any other record its `seq` plus one. A gap at the end of a run is written at the end, if the disk
//! lets us. A line that the disk tore is cut off again; where even that fails, it stands alone on its line.

mod batch;
mod file;
mod shared;
#[cfg(test)]
mod tests;
mod writer;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

pub use file::{CreateError, JournalFile, create, create_in};

use batch::Batch;
use shared::Shared;
use writer::Writer;

/// How many bytes may wait for the disk. As many again may be in the hands of the writing thread.
pub const LIMIT: usize = 64 << 20;

/// Where journal bytes go: a file, or a test's memory. It is empty at the start.
pub trait Sink: Send + 'static {
    /// Appends some of the bytes and says how many, as write(2) does.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// Cuts the sink down to this many bytes; the next write goes on from there.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
}

/// What became of the records so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// every record with a smaller number is on file, or counted as lost
    pub settled: u64,
    /// records that were lost in all; those that found no room count at once, also before they are settled
    pub lost: u64,
    /// nobody need wait for a record with a smaller number: it is settled, or the disk is so slow that records after it
    /// found no room
    pub released: u64,
}

/// The pushing end of the journal.
pub struct Journal {
    shared: Arc<Shared>,
}

impl Journal {
    /// Starts the thread that owns the sink. It calls `wake` after each batch that was settled; `wake` must not block.
    pub fn start(sink: impl Sink, wake: impl Fn() + Send + 'static) -> io::Result<Self> {
        Self::with_limit(sink, LIMIT, wake)
    }

    /// As [`Journal::start`], with room for `limit` bytes of lines (with their line ends) that wait.
    pub fn with_limit(sink: impl Sink, limit: usize, wake: impl Fn() + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared::new(limit));
        let journal = Self { shared: Arc::clone(&shared) };
        thread::Builder::new().name("journal".to_owned()).spawn(move || run(&shared, sink, wake))?;
        Ok(journal)
    }

    /// Hands over the line of the next record, without line end, and the time in it. Never waits for the disk.
    /// Returns the number of the record. It is written when [`Journal::flush`] says so, or with what was flushed before:
    /// to wake a thread for every record would cost more than all else together.
    pub fn push(&mut self, t: u64, line: &str) -> u64 {
        debug_assert!(!line.contains('\n'), "a record is one line");
        self.shared.push(t, line)
    }

    /// Lets everything that was pushed be written now.
    pub fn flush(&mut self) {
        self.shared.flush();
    }

    /// How far the journal has come. Takes no lock.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.shared.progress()
    }

    /// Why the disk last lost something, once for each time that it did. Records that are lost without an error
    /// found no room.
    #[must_use]
    pub fn take_error(&self) -> Option<io::Error> {
        self.shared.take_error()
    }

    /// Writes what is left, ends the thread and says what became of it all. A sink that hangs for longer than
    /// `patience` is given up: what is not known to be on file then counts as lost.
    #[must_use]
    pub fn finish(self, patience: Duration) -> Progress {
        self.shared.close();
        self.shared.wait_for_end(patience);
        self.shared.end();
        self.shared.progress()
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.shared.close();
    }
}

/// The thread. However it ends, nobody waits for it afterwards.
fn run(shared: &Shared, sink: impl Sink, wake: impl Fn()) {
    let mut writer = Writer::new(sink);
    let ran = catch_unwind(AssertUnwindSafe(|| write_all(shared, &mut writer, &wake)));
    // The file is closed before anybody hears that all is done.
    drop(writer);
    shared.end();
    if ran.is_err() {
        wake();
    }
}

fn write_all(shared: &Shared, writer: &mut Writer<impl Sink>, wake: &impl Fn()) {
    let mut batch = Batch::default();
    while shared.take(&mut batch) {
        let on_file = writer.put(&batch);
        if !shared.settle(&batch, on_file, writer.take_error()) {
            return;
        }
        wake();
    }
    writer.mend(batch.next());
}
