//! The reading end of a connection: what one read brought, as lines.
//!
//! Owns what was read of a line that has not ended; a connection that says nothing holds nothing. Never waits for
//! anything but bytes, and looks at no line. Ends with the stream: half a line before that is said to be torn.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use bytes::BytesMut;
use codec::frame::{Frame, Lines, Tail};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::unix::OwnedReadHalf;
use tokio_util::codec::Decoder as _;

/// How much one read takes: as long as the others have to wait for their turn.
const CHUNK: usize = 64 << 10;

/// How many bytes of lines that have not ended all connections may hold together.
const UNFINISHED: usize = 256 << 20;

/// What all connections share: where they read to, and how much they hold of lines that have not ended. One may hold
/// nearly as much as a line is long; a thousand of them may not.
#[derive(Debug)]
pub(crate) struct Pool {
    /// large, so there is one: a buffer for each read would make the allocator tidy up each time
    chunk: RefCell<Box<[u8]>>,
    unfinished: Cell<usize>,
}

impl Default for Pool {
    fn default() -> Self {
        Self { chunk: RefCell::new(vec![0; CHUNK].into()), unfinished: Cell::new(0) }
    }
}

impl Pool {
    /// A connection held so much, and now holds so much. Says whether all together hold too much.
    fn change(&self, before: usize, now: usize) -> bool {
        self.unfinished.set(self.unfinished.get().saturating_sub(before).saturating_add(now));
        self.unfinished.get() > UNFINISHED
    }
}

/// The reading end of a connection, or of an agent's stdout.
pub(crate) struct Incoming<R = OwnedReadHalf> {
    stream: R,
    pool: Rc<Pool>,
    lines: Lines,
    buffer: BytesMut,
    /// how much of what all hold is this one's
    held: usize,
    /// how many frames the last read brought: the next one most likely brings as many
    brought: usize,
    has_ended: bool,
}

impl Incoming {
    /// Reads the lines of a peer, of at most `limit` bytes.
    pub(crate) fn new(stream: OwnedReadHalf, limit: usize, pool: Rc<Pool>) -> Self {
        Self::over(stream, Lines::new(limit, Tail::Drop), pool)
    }
}

impl<R: AsyncRead + Unpin> Incoming<R> {
    /// Reads lines as they are cut by these.
    pub(crate) fn over(stream: R, lines: Lines, pool: Rc<Pool>) -> Self {
        Self { stream, pool, lines, buffer: BytesMut::new(), held: 0, brought: 0, has_ended: false }
    }

    /// What the next read brings, at least one frame; nothing when the stream has ended. Dropping the future loses
    /// nothing.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Vec<Frame>>> {
        while !self.has_ended {
            self.has_ended = poll_fn(|context| self.read(context)).await? == 0;
            let frames = self.frames()?;
            let before = std::mem::replace(&mut self.held, self.buffer.len());
            if self.pool.change(before, self.held) {
                return Err(io::Error::other("too many unfinished lines"));
            }
            if !frames.is_empty() {
                return Ok(Some(frames));
            }
        }
        Ok(None)
    }

    /// One read, and how much it brought.
    fn read(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let mut chunk = self.pool.chunk.borrow_mut();
        let mut read = ReadBuf::new(&mut chunk);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut read))?;
        self.buffer.extend_from_slice(read.filled());
        Poll::Ready(Ok(read.filled().len()))
    }

    fn frames(&mut self) -> io::Result<Vec<Frame>> {
        let mut frames = Vec::with_capacity(self.brought);
        while let Some(frame) = self.lines.decode(&mut self.buffer)? {
            frames.push(frame);
        }
        if self.has_ended {
            frames.extend(self.lines.decode_eof(&mut self.buffer)?);
        }
        self.brought = frames.len();
        if self.buffer.is_empty() {
            // Nothing is left of it, but it would keep alive what the lines are slices of.
            self.buffer = BytesMut::new();
        }
        Ok(frames)
    }
}

impl<R> Drop for Incoming<R> {
    fn drop(&mut self) {
        self.pool.change(self.held, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt as _;
    use tokio::net::UnixStream;

    fn pair(pool: &Rc<Pool>) -> (Incoming, UnixStream) {
        let (near, far) = UnixStream::pair().unwrap();
        (Incoming::new(near.into_split().0, 8 << 20, Rc::clone(pool)), far)
    }

    #[tokio::test]
    async fn half_lines_of_all_connections_together_are_bounded() {
        let pool = Rc::<Pool>::default();
        pool.change(0, UNFINISHED - 10);
        let (mut incoming, mut far) = pair(&pool);
        far.write_all(b"{\"a\":1}\nhalf").await.unwrap();
        assert_eq!(incoming.next().await.unwrap().unwrap().len(), 1, "a few bytes more are no harm");
        far.write_all(b" a line that is too much").await.unwrap();
        assert!(incoming.next().await.is_err());
        drop(incoming);
        assert_eq!(pool.unfinished.get(), UNFINISHED - 10, "what it held is given back");
    }

    #[tokio::test]
    async fn what_was_read_before_the_end_comes_before_it() {
        let (mut incoming, mut far) = pair(&Rc::default());
        far.write_all(b"a\nb\nc").await.unwrap();
        drop(far);
        let mut frames = Vec::new();
        while let Some(more) = incoming.next().await.unwrap() {
            frames.extend(more);
        }
        assert_eq!(frames.len(), 3);
        assert_eq!(frames.last(), Some(&Frame::Torn { length: 1 }));
    }
}
