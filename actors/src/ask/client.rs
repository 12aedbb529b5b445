//! A client of somebody's socket, for programs that ask and report without a router of their own.
//!
//! Owns the connection and which questions wait for an answer. Each ends once: by an answer, by a clock, or with the
//! connection. Dropping a question that waits takes it back; dropping the client closes the connection.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use codec::frame::Frame;
use codec::id::Key;
use codec::json::Json;
use codec::limits::Limits;
use codec::tunnel::Up;
use tokio::net::unix::OwnedWriteHalf;
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, spawn_local};

use crate::end::End;
use crate::question::Question;
use crate::router::{AskerId, Keeper, Offer, Said};
use crate::tunnel::{Ended, Greeting, Incoming, NoParent, Outgoing, Parent, Upstream, Word};

use super::{NotAnswered, Person, report_of, result_of};

/// How long what the parent said last may take to be heard when it takes nothing any more.
const GRACE: Duration = Duration::from_secs(1);

/// What our questions are called there: their names need only differ from each other.
const RUN: &str = "0";

/// A client of somebody's socket.
pub struct Client {
    shared: Rc<Shared>,
    reading: JoinHandle<()>,
    writing: JoinHandle<()>,
}

struct Shared {
    upstream: RefCell<Upstream>,
    out: Outgoing,
    waiting: RefCell<HashMap<Key, oneshot::Sender<Said>>>,
    last: Cell<u64>,
    /// set when the parent has hung up
    is_lost: Cell<bool>,
}

impl Client {
    /// Connects and greets. Must be called on a tokio `LocalSet`. `began_unix_ms` is for the timestamps in what is asked.
    pub async fn connect(path: &Path, greeting: &Greeting, began_unix_ms: u64) -> Result<Self, NoParent> {
        let parent = Parent::dial(path, greeting).await?;
        let shared = Rc::new(Shared {
            upstream: RefCell::new(Upstream::new(parent.is_plain(), began_unix_ms)),
            out: Outgoing::default(),
            waiting: RefCell::default(),
            last: Cell::new(0),
            is_lost: Cell::new(false),
        });
        let Parent { write, incoming, early, .. } = parent;
        let reading = spawn_local(Rc::clone(&shared).read(incoming, early));
        let writing = spawn_local(Rc::clone(&shared).write(write));
        Ok(Self { shared, reading, writing })
    }

    /// Whether the parent has hung up: nobody answers here any more.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.shared.is_lost.get() || self.shared.out.is_gone()
    }

    /// Reports something: the line of a message, which must be a report. Waits as long as the parent takes.
    pub async fn report(&self, line: &str) -> Result<(), NotAnswered> {
        report_of(line)?;
        self.shared.push(line)?;
        self.shared.out.has_room().await;
        Ok(())
    }

    /// Waits until everything is on its way, and hangs up.
    pub async fn finish(mut self) -> Result<(), NotAnswered> {
        self.shared.out.close();
        if !self.shared.out.is_gone() {
            // However the writing ended, by then it is known whether the parent was there to the last.
            let _ = (&mut self.writing).await;
        }
        if self.shared.is_lost.get() || self.shared.out.is_gone() {
            Err(NotAnswered::Disconnected)
        } else {
            Ok(())
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.reading.abort();
        self.writing.abort();
    }
}

impl Person for Client {
    async fn ask(&self, question: Question) -> Result<Json<'static>, NotAnswered> {
        let shared = &self.shared;
        let timeout = question.timeout_ms.map(Duration::from_millis);
        let question = Arc::new(question);
        let offer = shared.offer(&question);
        let line = match shared.upstream.borrow_mut().offered(&offer) {
            Ok(line) => line,
            Err(said) => {
                return result_of(&question, said, timeout).unwrap_or(Err(NotAnswered::Disconnected));
            }
        };
        if let Err(reject) = Up::read(line.as_bytes(), &Limits::STANDARD) {
            // It was never sent, so nothing is to be taken back.
            shared.upstream.borrow_mut().withdrawn(&offer.key, &End::Cancelled { gone: false });
            return Err(NotAnswered::Invalid(reject.reason.to_string()));
        }
        let (answers, mut answer) = oneshot::channel();
        shared.waiting.borrow_mut().insert(offer.key.clone(), answers);
        let mut withdrawal =
            Withdrawal { shared, key: offer.key.clone(), end: End::Cancelled { gone: false } };
        shared.push(&line)?;
        let said = match timeout {
            None => answer.await,
            Some(timeout) => match tokio::time::timeout(timeout, &mut answer).await {
                Ok(said) => said,
                Err(_) => {
                    withdrawal.end =
                        End::TimedOut { after_ms: offer.left_ms.unwrap_or_default(), shown: false };
                    return Err(NotAnswered::TimedOut { after: timeout });
                }
            },
        };
        let said = said.map_err(|_| NotAnswered::Disconnected)?;
        result_of(&question, said, timeout).unwrap_or(Err(NotAnswered::Disconnected))
    }
}

impl Shared {
    fn offer(&self, question: &Arc<Question>) -> Arc<Offer> {
        self.last.set(self.last.get() + 1);
        Arc::new(Offer {
            key: Key { run: RUN.into(), number: self.last.get() },
            asker: AskerId(0),
            path: String::new(),
            pid: None,
            question: Arc::clone(question),
            since: 0,
            left_ms: question.timeout_ms,
            keeper: Keeper::Nobody,
        })
    }

    /// Lets a line leave in its turn.
    fn push(&self, line: &str) -> Result<(), NotAnswered> {
        if self.is_lost.get() {
            return Err(NotAnswered::Disconnected);
        }
        self.out.push(line.as_bytes());
        Ok(())
    }

    /// If the parent takes nothing any more, what it said before is still heard: the end of the stream says that it is
    /// lost.
    async fn write(self: Rc<Self>, stream: OwnedWriteHalf) {
        if self.out.write_to(&stream, None).await != Ended::Flushed {
            self.out.give_up();
            tokio::time::sleep(GRACE).await;
            self.lose();
        }
    }

    /// Reads until the parent hangs up; then whoever waits hears that.
    async fn read(self: Rc<Self>, mut incoming: Incoming, early: Vec<Frame>) {
        let mut next = Some(early);
        while let Some(frames) = next {
            for frame in &frames {
                self.hear(frame);
            }
            next = incoming.next().await.unwrap_or_default();
        }
        self.lose();
    }

    fn hear(&self, frame: &Frame) {
        let word = self.upstream.borrow_mut().hear(frame);
        match word {
            Word::Said(key, said) => self.settle(&key, said),
            Word::Ask(_, line) => self.out.push(line.as_bytes()),
            Word::Typed(_) | Word::Goodbye(_) | Word::Nothing(_) => {}
        }
    }

    fn lose(&self) {
        self.is_lost.set(true);
        self.waiting.borrow_mut().clear();
        self.out.give_up();
    }

    fn settle(&self, key: &Key, said: Said) {
        if said == Said::Shown {
            return;
        }
        if let Some(answers) = self.waiting.borrow_mut().remove(key) {
            // Whoever asked may have given up a moment ago.
            let _ = answers.send(said);
        }
    }
}

/// Takes a question back that nobody waits for any more. One that has ended is with the parent no longer.
struct Withdrawal<'a> {
    shared: &'a Shared,
    key: Key,
    end: End,
}

impl Drop for Withdrawal<'_> {
    fn drop(&mut self) {
        self.shared.waiting.borrow_mut().remove(&self.key);
        let line = self.shared.upstream.borrow_mut().withdrawn(&self.key, &self.end);
        if let Some(Some(line)) = line {
            self.shared.out.push(line.as_bytes());
        }
    }
}
