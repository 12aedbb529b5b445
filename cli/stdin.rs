//! The lines of stdin, for commands that read messages there.
//!
//! Owns what was read of a line that has not ended. Waits only for whoever writes; ends with stdin, and an error is the end
//! too.

use std::io::{self, BufRead as _};

use bytes::BytesMut;
use codec::frame::{Frame, Lines, Tail};
use tokio::sync::mpsc;
use tokio_util::codec::Decoder as _;

/// The lines, or what else came.
pub(crate) struct StdinLines {
    lines: Lines,
    buffer: BytesMut,
    is_over: bool,
}

impl StdinLines {
    /// Lines of at most `limit` bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self { lines: Lines::new(limit, Tail::Deliver), buffer: BytesMut::new(), is_over: false }
    }

    /// The next one; waits for it, and nothing else happens meanwhile on this thread.
    pub(crate) fn next(&mut self) -> Option<io::Result<Frame>> {
        loop {
            let frame = self.decode().transpose();
            if frame.is_some() || self.is_over {
                return frame;
            }
            if let Err(error) = self.read() {
                self.is_over = true;
                return Some(Err(error));
            }
        }
    }

    fn decode(&mut self) -> io::Result<Option<Frame>> {
        if self.is_over {
            self.lines.decode_eof(&mut self.buffer)
        } else {
            self.lines.decode(&mut self.buffer)
        }
    }

    fn read(&mut self) -> io::Result<()> {
        let mut stdin = io::stdin().lock();
        let read = stdin.fill_buf()?;
        self.buffer.extend_from_slice(read);
        let length = read.len();
        self.is_over = length == 0;
        stdin.consume(length);
        Ok(())
    }

    /// The rest, read on a thread of its own: what comes is passed on at once, however long the next one takes.
    pub(crate) fn on_a_thread(mut self) -> io::Result<mpsc::Receiver<io::Result<Frame>>> {
        let (sender, frames) = mpsc::channel(64);
        let read = move || {
            while let Some(frame) = self.next() {
                if sender.blocking_send(frame).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("stdin".to_owned()).spawn(read)?;
        Ok(frames)
    }
}
