//! Stdout: the lines of the protocol, and nothing else.
//!
//! A short line that finds room is written at once. From the first that does not, a thread of its own writes all of them: a
//! client that does not read holds up nobody. Ends when there is nothing more to write, or nobody who reads it.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// What a pipe takes whole if it takes anything.
const AT_ONCE: usize = 4096;

/// How much may wait for a client that does not read: several answers of the greatest size.
const MOST_WAITING: usize = 256 << 20;

/// The way out.
pub(super) struct Out {
    queue: Option<mpsc::UnboundedSender<String>>,
    /// how many bytes wait
    waiting: Arc<AtomicUsize>,
    /// for the thread, to say that it is done
    done: Option<oneshot::Sender<()>>,
    ended: CancellationToken,
}

impl Out {
    /// `ended` is cancelled when nobody reads any more. What is given back resolves when all is written that ever will be.
    pub(super) fn new(ended: CancellationToken) -> (Self, oneshot::Receiver<()>) {
        let (done, written) = oneshot::channel();
        (Self { queue: None, waiting: Arc::default(), done: Some(done), ended }, written)
    }

    /// Writes a line, or lets it be written.
    pub(super) fn line(&mut self, mut line: String) -> io::Result<()> {
        line.push('\n');
        if self.queue.is_none() && line.len() <= AT_ONCE && has_room() {
            return print(&line).inspect_err(|_| self.ended.cancel());
        }
        let queue = match &self.queue {
            Some(queue) => queue,
            None => {
                let queue = write_all(self.done.take(), Arc::clone(&self.waiting), self.ended.clone())?;
                self.queue.insert(queue)
            }
        };
        if self.waiting.fetch_add(line.len(), Ordering::Relaxed) > MOST_WAITING {
            // Whoever asks so much and reads nothing will never hear it.
            self.ended.cancel();
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        queue.send(line).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// Whether stdout takes something without waiting; one that is gone says so when it is written to.
fn has_room() -> bool {
    let stdout = io::stdout();
    let mut polled = [PollFd::new(&stdout, PollFlags::OUT)];
    matches!(poll(&mut polled, Some(&Timespec::default())), Ok(1..))
}

fn print(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(line.as_bytes())?;
    out.flush()
}

/// Writes lines, on a thread of its own, until there are no more or nobody reads them.
fn write_all(
    done: Option<oneshot::Sender<()>>,
    waiting: Arc<AtomicUsize>,
    ended: CancellationToken,
) -> io::Result<mpsc::UnboundedSender<String>> {
    let (sender, mut lines) = mpsc::unbounded_channel::<String>();
    let write = move || {
        while let Some(line) = lines.blocking_recv() {
            if print(&line).is_err() {
                // Nobody will ever hear what is decided.
                ended.cancel();
                break;
            }
            waiting.fetch_sub(line.len(), Ordering::Relaxed);
        }
        drop(done);
    };
    std::thread::Builder::new().name("stdout".to_owned()).spawn(write)?;
    Ok(sender)
}
