//! Everything that a long-running command prints, on a thread of its own: whoever reads slowly, or has stopped the
//! terminal, never holds up the routing.
//!
//! Owns stdout, stderr and the terminal as places to write to. What waits is bounded: rows are dropped and counted when
//! there is no room; those of the question that is up are not, and there is one such question. A place that is gone
//! takes nothing any more, and that is no error. Ends when it is told to, with what is left if that takes no longer than
//! it may.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

/// How many bytes may wait before reports are dropped.
const ROOM: usize = 8 << 20;

/// Where something is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Stdout,
    Stderr,
    Terminal,
}

/// What happens when something is printed.
type Then = Box<dyn FnOnce() + Send>;

struct Item {
    place: Place,
    text: String,
    then: Option<Then>,
}

#[derive(Default)]
struct Queue {
    /// for the terminal: a question does not wait behind output
    terminal: VecDeque<Item>,
    waiting: VecDeque<Item>,
    bytes: usize,
    dropped: u64,
    is_closed: bool,
    is_done: bool,
    /// why nothing more can be written to stdout
    stdout_failure: Option<io::Error>,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    news: Condvar,
    /// something was printed, or everything
    printed: Notify,
}

/// The near end of the thread.
#[derive(Clone)]
pub(crate) struct Printer(Arc<Shared>);

impl Printer {
    /// Starts the thread. Without a terminal what is meant for it goes to stderr.
    pub(crate) fn start(terminal: Option<File>) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let printing = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("printer".to_owned())
            .spawn(move || print_all(&printing, terminal))?;
        Ok(Self(shared))
    }

    /// Prints a text that somebody may work on: it is never dropped. Whoever prints many waits for room between them.
    pub(crate) fn print_data(&self, text: String) {
        let mut queue = self.0.lock();
        queue.bytes = queue.bytes.saturating_add(text.len());
        queue.waiting.push_back(Item { place: Place::Stdout, text, then: None });
        self.0.news.notify_all();
    }

    /// Whether more can wait.
    pub(crate) fn has_room(&self) -> bool {
        self.0.lock().bytes < ROOM / 2
    }

    /// Until more can wait.
    pub(crate) async fn room(&self) {
        while !self.has_room() {
            let printed = self.0.printed.notified();
            if !self.has_room() {
                printed.await;
            }
        }
    }

    /// Until whoever reads stdout is gone.
    pub(crate) async fn stdout_closed(&self) {
        loop {
            let printed = self.0.printed.notified();
            if self.0.lock().stdout_failure.is_some() {
                return;
            }
            printed.await;
        }
    }

    /// Why nothing more could be written to stdout, if that is so.
    pub(crate) fn stdout_failure(&self) -> Option<io::Error> {
        self.0.lock().stdout_failure.take()
    }

    /// Until everything is printed: nothing more comes. Or until nothing at all was printed for so long: nobody reads it.
    pub(crate) async fn all_printed(&self, patience: Option<Duration>) {
        self.0.lock().is_closed = true;
        self.0.news.notify_all();
        loop {
            let printed = self.0.printed.notified();
            if self.0.lock().is_done {
                return;
            }
            match patience {
                None => printed.await,
                Some(patience) if tokio::time::timeout(patience, printed).await.is_err() => return,
                Some(_) => {}
            }
        }
    }

    /// Prints a text, if there is room for it; on the terminal in any case.
    pub(crate) fn print(&self, place: Place, text: String) {
        self.put(Item { place, text, then: None });
    }

    /// Prints a text on the terminal, and lets something happen when it is there.
    pub(crate) fn print_then(&self, text: String, then: Then) {
        self.put(Item { place: Place::Terminal, text, then: Some(then) });
    }

    fn put(&self, item: Item) {
        let mut queue = self.0.lock();
        match item.place {
            Place::Terminal => queue.terminal.push_back(item),
            _ if queue.bytes.saturating_add(item.text.len()) > ROOM => queue.dropped += 1,
            _ => {
                queue.bytes += item.text.len();
                queue.waiting.push_back(item);
            }
        }
        self.0.news.notify_all();
    }

    /// Forgets what waits for the terminal.
    pub(crate) fn forget_terminal(&self) {
        self.0.lock().terminal.clear();
    }

    /// Waits until everything is printed, or for so long.
    pub(crate) fn finish(&self, patience: Duration) {
        let mut queue = self.0.lock();
        queue.is_closed = true;
        self.0.news.notify_all();
        // What is not printed by then nobody reads.
        let _ = self.0.news.wait_timeout_while(queue, patience, |queue| !queue.is_done);
    }
}

impl Shared {
    /// A queue is whole at any time, also if somebody who held it is gone.
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next thing to print, as soon as there is one; nothing when there will be none.
    fn next(&self) -> Option<Item> {
        let mut queue = self.lock();
        loop {
            if let Some(item) = queue.terminal.pop_front() {
                return Some(item);
            }
            if let Some(item) = queue.waiting.pop_front() {
                queue.bytes = queue.bytes.saturating_sub(item.text.len());
                return Some(item);
            }
            if let dropped @ 1.. = std::mem::take(&mut queue.dropped) {
                let text = format!("tim: {dropped} rows of output dropped: nobody read them\n");
                return Some(Item { place: Place::Stderr, text, then: None });
            }
            if queue.is_closed {
                queue.is_done = true;
                self.news.notify_all();
                self.printed.notify_waiters();
                return None;
            }
            queue = self.news.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn print_all(shared: &Shared, mut terminal: Option<File>) {
    while let Some(Item { place, text, then }) = shared.next() {
        let printed = match (place, &mut terminal) {
            (Place::Terminal, Some(terminal)) => put(terminal, &text),
            (Place::Stdout, _) => put(&mut io::stdout(), &text),
            (Place::Stderr | Place::Terminal, _) => put(&mut io::stderr(), &text),
        };
        let printed = printed.map_err(|error| {
            if place == Place::Stdout {
                shared.lock().stdout_failure.get_or_insert(error);
            }
        });
        // A reader that is gone is not a reason to stop; but then nobody has seen it.
        if let (Ok(()), Some(then)) = (printed, then) {
            then();
        }
        shared.printed.notify_waiters();
    }
}

fn put(to: &mut impl Write, text: &str) -> io::Result<()> {
    to.write_all(text.as_bytes())?;
    to.flush()
}
