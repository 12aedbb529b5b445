//! What waits to be written to an agent's stdin.
//!
//! Owns the lines until they are written, in order, and the pipe. Understands none of them. An agent that does not read
//! holds up nobody but itself. Ends when it is told to and everything is written, or when the pipe breaks.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;

use bytes::Bytes;
use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::Notify;

/// The lines that wait.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    waiting: RefCell<VecDeque<Bytes>>,
    bytes: Cell<usize>,
    is_closed: Cell<bool>,
    news: Notify,
}

/// More than this is not kept for an agent that does not read. What it needs to go on is, whatever it takes.
pub(crate) const MOST_UNREAD: usize = 1 << 20;

impl Writer {
    /// Whether what waits leaves room for one more line that need not be.
    pub(crate) fn has_room_for(&self, line: &Bytes) -> bool {
        self.bytes.get() == 0 || self.bytes.get().saturating_add(line.len()) <= MOST_UNREAD
    }

    /// One more line.
    pub(crate) fn push(&self, line: Bytes) {
        self.bytes.set(self.bytes.get().saturating_add(line.len()));
        self.waiting.borrow_mut().push_back(line);
        self.news.notify_one();
    }

    /// No more lines: the pipe is closed when those that wait are written.
    pub(crate) fn close(&self) {
        self.is_closed.set(true);
        self.news.notify_one();
    }

    /// Writes until it is closed, and tells of each line that was written. The pipe is closed at the end.
    pub(crate) async fn write_to(
        &self,
        mut pipe: impl AsyncWrite + Unpin,
        written: impl Fn(Bytes),
    ) -> io::Result<()> {
        while let Some(line) = self.next().await {
            let mut whole = Vec::with_capacity(line.len() + 1);
            whole.extend_from_slice(&line);
            whole.push(b'\n');
            pipe.write_all(&whole).await?;
            pipe.flush().await?;
            self.done();
            written(line);
        }
        Ok(())
    }

    /// The oldest line is with the agent.
    fn done(&self) {
        let line = self.waiting.borrow_mut().pop_front();
        self.bytes.set(self.bytes.get().saturating_sub(line.map_or(0, |line| line.len())));
    }

    /// What will never be written: the pipe broke.
    pub(crate) fn unwritten(&self) -> Vec<Bytes> {
        self.bytes.set(0);
        self.waiting.take().into()
    }

    async fn next(&self) -> Option<Bytes> {
        loop {
            if let Some(line) = self.waiting.borrow().front().cloned() {
                return Some(line);
            }
            if self.is_closed.get() {
                return None;
            }
            self.news.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use tokio::io::AsyncReadExt as _;

    #[tokio::test]
    async fn what_waits_is_written_in_order_and_then_the_pipe_is_closed() {
        let (near, mut far) = tokio::io::duplex(4);
        let writer = Writer::default();
        let told = RefCell::new(Vec::new());
        writer.push(Bytes::from_static(b"a long first line"));
        writer.push(Bytes::from_static(b"b"));
        writer.close();
        let mut read = String::new();
        let writing = writer.write_to(near, |line| told.borrow_mut().push(line));
        let (written, count) = tokio::join!(writing, far.read_to_string(&mut read));
        assert!(written.is_ok() && count.is_ok());
        assert_eq!(read, "a long first line\nb\n");
        assert_eq!(told.borrow().len(), 2);
    }

    #[test]
    fn f079_an_agent_that_does_not_read_is_kept_no_more_than_it_may_be() {
        let writer = Writer::default();
        let line = |length: usize| Bytes::from(vec![b'x'; length]);
        assert!(writer.has_room_for(&line(MOST_UNREAD * 8)), "the first one, however long");
        writer.push(line(10));
        assert!(writer.has_room_for(&line(MOST_UNREAD - 10)));
        assert!(!writer.has_room_for(&line(MOST_UNREAD - 9)));
    }

    #[tokio::test]
    async fn a_broken_pipe_ends_it() {
        let (near, far) = tokio::io::duplex(4);
        drop(far);
        let writer = Rc::new(Writer::default());
        writer.push(Bytes::from_static(b"a"));
        writer.push(Bytes::from_static(b"b"));
        assert!(writer.write_to(near, |_| ()).await.is_err());
        assert_eq!(writer.unwritten(), ["a", "b"], "somebody may wait for what was in them");
    }
}
