//! What the connections share: the rest of the script, what was asked, and the gates.

use std::collections::HashSet;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use crate::support::wait::now;

use super::request::{Kind, Request};
use super::script::{Script, Turn, main, side};

/// How long the test waits for a request or a gate: a CLI starts in it, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a turn stands at a gate that nobody opens.
const HELD: Duration = Duration::from_secs(120);

/// Shared by all threads.
pub(super) struct State {
    inner: Mutex<Inner>,
    changed: Condvar,
}

struct Inner {
    script: Script,
    requests: Vec<Request>,
    reached: HashSet<String>,
    released: HashSet<String>,
    stopped: bool,
}

impl State {
    pub(super) fn new(script: Script) -> Self {
        let inner = Inner {
            script,
            requests: Vec::new(),
            reached: HashSet::new(),
            released: HashSet::new(),
            stopped: false,
        };
        Self { inner: Mutex::new(inner), changed: Condvar::new() }
    }

    /// Keeps a request and says what the answer is.
    pub(super) fn take(&self, mut request: Request) -> Turn {
        self.change(|inner| {
            let turn = inner.script.take(&request);
            request.scripted = turn.is_some() || matches!(request.kind, Kind::Side | Kind::Other);
            let otherwise =
                if request.kind == Kind::Side { side().text("ok") } else { main().text("(script ended)") };
            inner.requests.push(request);
            turn.unwrap_or(otherwise)
        })
    }

    /// Keeps a request that needs no turn.
    pub(super) fn note(&self, request: Request) {
        self.change(|inner| inner.requests.push(request));
    }

    pub(super) fn requests(&self) -> Vec<Request> {
        self.lock().requests.clone()
    }

    pub(super) fn requests_of(&self, kind: Kind, number: usize) -> Vec<Request> {
        let of_kind = |inner: &Inner| -> Vec<Request> {
            inner.requests.iter().filter(|request| request.kind == kind).cloned().collect()
        };
        let seen = self.wait(PATIENCE, |inner| Some(of_kind(inner)).filter(|found| found.len() >= number));
        seen.unwrap_or_else(|| {
            let came: Vec<_> =
                self.requests().iter().map(|request| (request.kind, request.path.clone())).collect();
            panic!("waited {PATIENCE:?} in vain for {number} requests of {kind:?}; came: {came:?}")
        })
    }

    pub(super) fn reached(&self, gate: &str) {
        let seen = self.wait(PATIENCE, |inner| inner.reached.contains(gate).then_some(()));
        assert!(seen.is_some(), "waited {PATIENCE:?} in vain for a turn at the gate {gate}");
    }

    pub(super) fn release(&self, gate: &str) {
        self.change(|inner| inner.released.insert(gate.to_owned()));
    }

    /// Stands at a gate until it opens; an error at the end of the server, or if nobody ever opens it.
    pub(super) fn pass(&self, gate: &str) -> io::Result<()> {
        self.change(|inner| inner.reached.insert(gate.to_owned()));
        let opened = self
            .wait(HELD, |inner| (inner.stopped || inner.released.contains(gate)).then_some(!inner.stopped));
        if opened == Some(true) { Ok(()) } else { Err(io::ErrorKind::TimedOut.into()) }
    }

    pub(super) fn stop(&self) {
        self.change(|inner| inner.stopped = true);
    }

    pub(super) fn stopped(&self) -> bool {
        self.lock().stopped
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap()
    }

    fn change<T>(&self, change: impl FnOnce(&mut Inner) -> T) -> T {
        let done = change(&mut self.lock());
        self.changed.notify_all();
        done
    }

    fn wait<T>(&self, patience: Duration, seen: impl Fn(&Inner) -> Option<T>) -> Option<T> {
        let until = now() + patience;
        let mut inner = self.lock();
        loop {
            let found = seen(&inner);
            let left = until.saturating_duration_since(now());
            if found.is_some() || left.is_zero() {
                return found;
            }
            inner = self.changed.wait_timeout(inner, left).unwrap().0;
        }
    }
}
