//! The writing end of a connection: lines wait here until the peer takes them.
//!
//! Owns what is unsent, in three lanes: replies go first, then questions, which can be taken back as long as they wait,
//! so that there are never more of them than are open; output goes last, and is dropped and counted when the peer is too
//! slow for it. What waits leaves in few writes. Never blocks whoever puts a line in. Ends when it is closed and empty,
//! or when the peer is gone or too slow; then nothing is taken any more.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use bytes::{Buf as _, BytesMut};
use codec::json::Text;
use codec::tunnel::{Level, Log, Up};
use tokio::net::unix::OwnedWriteHalf;
use tokio::sync::Notify;
use tokio::time::Instant;

/// How much may wait for a peer that does not read.
pub(crate) const UNSENT: usize = 1 << 20;
/// How much may wait for a peer that does: a few of the longest lines.
const UNSENT_AT_ALL: usize = 32 << 20;
/// How long a peer that does not read may be taken for one that does.
const MOMENT: Duration = Duration::from_secs(1);

/// Why writing ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// it was closed, and everything is written
    Flushed,
    /// the peer took nothing for as long as it may
    TooSlow,
    /// the peer is gone
    Gone,
}

/// The writing end of a connection.
#[derive(Default)]
pub(crate) struct Outgoing {
    lanes: RefCell<Lanes>,
    news: Notify,
    /// something was written
    progress: Notify,
}

#[derive(Default)]
struct Lanes {
    urgent: BytesMut,
    /// each under the number by which it can be taken back
    questions: VecDeque<(u64, String)>,
    /// how many bytes of them wait
    asked: usize,
    output: BytesMut,
    /// lines of output that were dropped and not yet reported
    dropped: u64,
    /// what the writer has taken and not yet written
    taken: usize,
    /// since when the peer has taken nothing although something waits
    stuck_since: Option<Instant>,
    is_closed: bool,
    /// nothing will ever be written
    is_gone: bool,
}

impl Outgoing {
    /// Puts in a line that must arrive.
    pub(crate) fn push(&self, line: &[u8]) {
        let mut lanes = self.lanes.borrow_mut();
        if lanes.is_gone {
            return;
        }
        lanes.urgent.extend_from_slice(line);
        lanes.urgent.extend_from_slice(b"\n");
        self.news.notify_one();
    }

    /// Puts in a question that can be taken back by its number.
    pub(crate) fn ask(&self, number: u64, line: String) {
        let mut lanes = self.lanes.borrow_mut();
        if !lanes.is_gone {
            lanes.asked += line.len() + 1;
            lanes.questions.push_back((number, line));
            self.news.notify_one();
        }
    }

    /// Takes a question back. Says whether it still waited: if so the peer will never hear of it.
    pub(crate) fn retract(&self, number: u64) -> bool {
        let mut lanes = self.lanes.borrow_mut();
        let Some(at) = lanes.questions.iter().position(|(other, _)| *other == number) else { return false };
        let line = lanes.questions.remove(at);
        lanes.asked -= line.map_or(0, |(_, line)| line.len() + 1);
        true
    }

    /// Whether the peer is gone.
    pub(crate) fn is_gone(&self) -> bool {
        self.lanes.borrow().is_gone
    }

    /// Puts in a line of output, given in parts, if there is room.
    pub(crate) fn offer(&self, parts: &[&[u8]]) {
        let mut lanes = self.lanes.borrow_mut();
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let is_full = !lanes.output.is_empty() && lanes.output.len() + lanes.taken + length > UNSENT;
        if is_full || lanes.dropped > 0 || lanes.is_gone {
            lanes.dropped += 1;
            return;
        }
        for part in parts {
            lanes.output.extend_from_slice(part);
        }
        lanes.output.extend_from_slice(b"\n");
        self.news.notify_one();
    }

    /// How many bytes wait.
    pub(crate) fn unsent(&self) -> usize {
        let lanes = self.lanes.borrow();
        lanes.urgent.len() + lanes.asked + lanes.output.len() + lanes.taken
    }

    /// Waits until little enough waits that more may be put in.
    pub(crate) async fn has_room(&self) {
        loop {
            let progress = self.progress.notified();
            if self.unsent() <= UNSENT / 4 {
                return;
            }
            progress.await;
        }
    }

    /// The peer is gone: nothing of it will ever be written, and nobody need wait for that.
    pub(crate) fn give_up(&self) {
        *self.lanes.borrow_mut() = Lanes { is_closed: true, is_gone: true, ..Lanes::default() };
        self.news.notify_one();
        self.progress.notify_waiters();
    }

    /// Whether so much waits that this peer must be given up.
    pub(crate) fn is_too_slow(&self) -> bool {
        let unsent = self.unsent();
        let stuck = self.lanes.borrow().stuck_since.is_some_and(|since| since.elapsed() > MOMENT);
        unsent > UNSENT_AT_ALL || (unsent > UNSENT && stuck)
    }

    /// Nothing more comes: the writer ends when it has written what there is.
    pub(crate) fn close(&self) {
        self.lanes.borrow_mut().is_closed = true;
        self.news.notify_one();
    }

    /// Writes whatever is put in, until it is closed. `patience` is how long the peer may take nothing at all.
    pub(crate) async fn write_to(&self, stream: &OwnedWriteHalf, patience: Option<Duration>) -> Ended {
        loop {
            let Some(mut chunk) = self.take() else {
                if self.lanes.borrow().is_closed {
                    return Ended::Flushed;
                }
                self.news.notified().await;
                continue;
            };
            while !chunk.is_empty() {
                match stream.try_write(&chunk) {
                    Ok(written) => {
                        chunk.advance(written);
                        let mut lanes = self.lanes.borrow_mut();
                        (lanes.taken, lanes.stuck_since) = (chunk.len(), None);
                        self.progress.notify_waiters();
                    }
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        self.lanes.borrow_mut().stuck_since.get_or_insert_with(Instant::now);
                        if let Some(ended) = wait_for_room(stream, patience).await {
                            return ended;
                        }
                    }
                    Err(_) => return Ended::Gone,
                }
            }
        }
    }

    /// What is to be written next: questions and replies before output, and behind a gap in the output how large it is.
    pub(crate) fn take(&self) -> Option<BytesMut> {
        let mut lanes = self.lanes.borrow_mut();
        let chunk = match () {
            () if !lanes.urgent.is_empty() => std::mem::take(&mut lanes.urgent),
            () if !lanes.questions.is_empty() => lanes.take_questions(),
            () => lanes.take_output(),
        };
        lanes.taken = chunk.len();
        (!chunk.is_empty()).then_some(chunk)
    }
}

/// How much output is written before questions get their turn again.
const TURN: usize = 64 << 10;

impl Lanes {
    /// A few questions, but one in any case; the others can still be taken back.
    fn take_questions(&mut self) -> BytesMut {
        let mut chunk = BytesMut::new();
        while chunk.len() < TURN
            && let Some((_, line)) = self.questions.pop_front()
        {
            self.asked -= line.len() + 1;
            chunk.extend_from_slice(line.as_bytes());
            chunk.extend_from_slice(b"\n");
        }
        chunk
    }

    /// Whole lines of output, as many as fit one turn, but one in any case.
    fn take_output(&mut self) -> BytesMut {
        let is_end = |byte: &u8| *byte == b'\n';
        let turn = self.output.get(..TURN).unwrap_or(&self.output);
        let end = turn.iter().rposition(is_end).or_else(|| self.output.iter().position(is_end));
        let mut chunk = self.output.split_to(end.map_or(0, |end| end + 1));
        if !self.output.is_empty() {
            return chunk;
        }
        // A fresh buffer, so that one flood does not hold its memory for the rest of the run.
        self.output = BytesMut::new();
        if let dropped @ 1.. = std::mem::take(&mut self.dropped) {
            let lines = if dropped == 1 { "line" } else { "lines" };
            let told = Text::new(&format!("tim: {dropped} {lines} of output dropped here: nobody read them"));
            let line = Up::Log(Level::Warn, Log::of(vec![told])).to_line();
            chunk.extend_from_slice(line.as_bytes());
            chunk.extend_from_slice(b"\n");
        }
        chunk
    }
}

/// Waits until the peer takes something. Says why if it does not.
async fn wait_for_room(stream: &OwnedWriteHalf, patience: Option<Duration>) -> Option<Ended> {
    let ready = match patience {
        None => stream.writable().await,
        Some(patience) => match tokio::time::timeout(patience, stream.writable()).await {
            Ok(ready) => ready,
            Err(_) => return Some(Ended::TooSlow),
        },
    };
    ready.is_err().then_some(Ended::Gone)
}
