//! What the pushing thread and the writing thread share.
//!
//! Owns the batch that is being filled and the count of what became of the others. The lock is held for a copy or a
//! swap, never during a write. All changes of the progress happen under the lock; it is also published in atomics,
//! because it is looked at more often than anything else.

use std::io;
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Progress;
use super::batch::Batch;

pub(super) struct Shared {
    limit: usize,
    state: Mutex<State>,
    /// the writing thread waits here for work
    work: Condvar,
    /// whoever finishes the journal waits here for the end
    end: Condvar,
    settled: AtomicU64,
    lost: AtomicU64,
    released: AtomicU64,
}

#[derive(Default)]
struct State {
    filling: Batch,
    /// records that are known to be on file
    on_file: u64,
    progress: Progress,
    error: Option<io::Error>,
    /// the writing thread waits; only then is it worth a system call to wake it
    asleep: bool,
    /// the writing thread has a batch in its hands
    writing: bool,
    /// nothing more will be pushed
    closed: bool,
    /// nothing more will be written
    ended: bool,
}

impl State {
    /// Settles all there is: what is not on file is lost.
    fn give_up(&mut self) {
        let pushed = self.filling.next();
        self.filling.restart(pushed);
        self.progress = Progress { settled: pushed, lost: pushed - self.on_file, released: pushed };
    }
}

impl Shared {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            state: Mutex::default(),
            work: Condvar::new(),
            end: Condvar::new(),
            settled: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            released: AtomicU64::new(0),
        }
    }

    /// Adds a record to the batch that is being filled; returns its number. A writer that sleeps goes on sleeping, unless
    /// the room becomes scarce.
    pub(super) fn push(&self, t: u64, line: &str) -> u64 {
        let mut state = self.lock();
        let number = state.filling.next();
        let kept = state.filling.push(t, line, self.limit);
        if state.ended {
            // The thread broke down. Lines must not pile up, nor anybody wait for them.
            state.give_up();
        } else if !kept {
            state.progress.lost += 1;
            // Only if the disk is at work: if it was just not asked to write, nobody waits long.
            if state.writing {
                state.progress.released = number + 1;
            }
        }
        self.publish(state.progress);
        if state.filling.bytes().len() > self.limit / 2 {
            self.wake_writer(state);
        }
        number
    }

    /// Wakes the writing thread if it sleeps and there is something for it.
    pub(super) fn flush(&self) {
        let state = self.lock();
        if !state.filling.is_empty() {
            self.wake_writer(state);
        }
    }

    /// Exchanges the batch, which is done with, for the next one; waits for it. False when there will be none.
    pub(super) fn take(&self, batch: &mut Batch) -> bool {
        batch.restart(batch.next());
        let mut state = self.lock();
        while state.filling.is_empty() && !state.closed {
            state.asleep = true;
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.asleep = false;
        }
        if state.filling.is_empty() {
            return false;
        }
        mem::swap(&mut state.filling, batch);
        state.filling.restart(batch.next());
        state.writing = true;
        true
    }

    /// Settles a batch of which so many lines are on file. False if nobody waits for that any more.
    pub(super) fn settle(&self, batch: &Batch, on_file: usize, error: Option<io::Error>) -> bool {
        let mut state = self.lock();
        if state.ended {
            return false;
        }
        state.writing = false;
        state.on_file += on_file as u64;
        state.progress.lost += (batch.lines() - on_file) as u64;
        state.progress.settled = batch.next();
        state.progress.released = state.progress.released.max(batch.next());
        state.error = error.or(state.error.take());
        self.publish(state.progress);
        true
    }

    /// Nothing more will be pushed: the writing thread ends when it has written what there is.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        self.wake_writer(state);
    }

    /// Nothing more will be written: what is not on file by now is lost.
    pub(super) fn end(&self) {
        let mut state = self.lock();
        state.ended = true;
        state.give_up();
        self.publish(state.progress);
        drop(state);
        self.end.notify_all();
    }

    /// Waits until the writing thread has ended, but no longer than this.
    pub(super) fn wait_for_end(&self, patience: Duration) {
        let waited = self.end.wait_timeout_while(self.lock(), patience, |state| !state.ended);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    pub(super) fn progress(&self) -> Progress {
        let settled = self.settled.load(Ordering::Acquire);
        let released = self.released.load(Ordering::Acquire).max(settled);
        Progress { settled, lost: self.lost.load(Ordering::Relaxed), released }
    }

    pub(super) fn take_error(&self) -> Option<io::Error> {
        self.lock().error.take()
    }

    /// The loss goes first, and is looked at last: whoever sees that records are settled or let go also sees that some of
    /// them are lost.
    fn publish(&self, progress: Progress) {
        self.lost.store(progress.lost, Ordering::Relaxed);
        self.released.store(progress.released, Ordering::Release);
        self.settled.store(progress.settled, Ordering::Release);
    }

    fn wake_writer(&self, mut state: MutexGuard<'_, State>) {
        let asleep = mem::take(&mut state.asleep);
        // The lock first, or the writer would wake up only to wait for it.
        drop(state);
        if asleep {
            self.work.notify_one();
        }
    }

    /// A thread that panicked left the state as whole as it found it: nothing in here calls out.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
