//! A journal on a test's memory, whose every write can be held up and made to fail.

mod failing;
mod files;
mod order;
mod random;

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use codec::journal::{Body, Direction, Entry, Event, Gap, WireLine};

use super::{Journal, LIMIT, Progress, Sink};

/// Long enough for anything; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the disk does with a write.
#[derive(Debug, Clone, Copy)]
enum Step {
    All,
    Take(usize),
    Fail(ErrorKind),
    Panic,
}

const FULL: Step = Step::Fail(ErrorKind::StorageFull);

#[derive(Default)]
struct Disk {
    file: Vec<u8>,
    /// how many writes there were
    writes: usize,
    /// one for each write; then it takes all
    steps: VecDeque<Step>,
    /// whether each cut works; then all do
    cuts: VecDeque<bool>,
    cuts_failed: usize,
}

struct TestSink {
    disk: Arc<Mutex<Disk>>,
    /// tells that a write began; gone when the thread has let go of the sink
    began: Sender<()>,
    /// each write waits for a word, until the other end is gone
    gate: Receiver<()>,
}

impl Sink for TestSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.began.send(()).ok();
        self.gate.recv().ok();
        let mut disk = self.disk.lock().unwrap();
        disk.writes += 1;
        let taken = match disk.steps.pop_front().unwrap_or(Step::All) {
            Step::All => bytes.len(),
            Step::Take(some) => some.min(bytes.len()),
            Step::Fail(kind) => return Err(kind.into()),
            Step::Panic => {
                drop(disk);
                panic!("the sink breaks down, as the test wants it to");
            }
        };
        disk.file.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        let mut disk = self.disk.lock().unwrap();
        if !disk.cuts.pop_front().unwrap_or(true) {
            disk.cuts_failed += 1;
            return Err(ErrorKind::PermissionDenied.into());
        }
        disk.file.truncate(usize::try_from(length).unwrap());
        Ok(())
    }
}

/// A journal and what a test needs to watch it.
struct Rig {
    journal: Journal,
    pushed: u64,
    watch: Watch,
}

/// What remains when the journal is finished or dropped.
struct Watch {
    disk: Arc<Mutex<Disk>>,
    began: Receiver<()>,
    gate: Option<Sender<()>>,
    woken: Receiver<()>,
}

impl Rig {
    /// A disk that is never held up.
    fn running(steps: &[Step], cuts: &[bool]) -> Self {
        let mut rig = Self::held(LIMIT, steps, cuts);
        rig.watch.release();
        rig
    }

    /// A disk whose writes wait until they are released.
    fn held(limit: usize, steps: &[Step], cuts: &[bool]) -> Self {
        let disk = Disk {
            steps: steps.iter().copied().collect(),
            cuts: cuts.iter().copied().collect(),
            ..Disk::default()
        };
        let disk = Arc::new(Mutex::new(disk));
        let (began_in, began) = channel();
        let (gate, gate_out) = channel();
        let (wake, woken) = channel();
        let sink = TestSink { disk: Arc::clone(&disk), began: began_in, gate: gate_out };
        let journal = Journal::with_limit(sink, limit, move || wake.send(()).unwrap_or(())).unwrap();
        Self { journal, pushed: 0, watch: Watch { disk, began, gate: Some(gate), woken } }
    }

    /// A held disk whose thread is in the middle of writing record 0: what follows comes into one batch.
    fn busy(limit: usize, steps: &[Step], cuts: &[bool]) -> Self {
        let mut rig = Self::held(limit, steps, cuts);
        rig.push(1);
        rig.watch.writing();
        rig
    }

    /// Pushes so many records.
    fn push(&mut self, records: u64) {
        for _ in 0..records {
            let number = self.journal.push(time(self.pushed), &record(self.pushed));
            self.journal.flush();
            assert_eq!(number, self.pushed);
            self.pushed += 1;
        }
    }

    /// Waits until all that was pushed is settled; says what was lost.
    fn settle(&self) -> u64 {
        while self.journal.progress().settled < self.pushed {
            self.watch.woken.recv_timeout(PATIENCE).expect("nobody was woken");
        }
        assert_eq!(self.journal.progress().settled, self.pushed);
        self.journal.progress().lost
    }

    fn progress(&self) -> Progress {
        self.journal.progress()
    }

    fn finish(self) -> (Progress, String) {
        let progress = self.journal.finish(PATIENCE);
        (progress, self.watch.text())
    }
}

impl Watch {
    /// Waits until the thread begins a write.
    fn writing(&self) {
        self.began.recv_timeout(PATIENCE).expect("nothing was written");
    }

    /// Lets this and all further writes happen.
    fn release(&mut self) {
        self.gate = None;
    }

    /// Waits until the thread has let go of the sink.
    fn ended(&self) {
        while self.began.recv_timeout(PATIENCE).is_ok() {}
        assert_eq!(self.began.try_recv(), Err(std::sync::mpsc::TryRecvError::Disconnected));
    }

    fn text(&self) -> String {
        String::from_utf8(self.disk.lock().unwrap().file.clone()).unwrap()
    }

    fn writes(&self) -> usize {
        self.disk.lock().unwrap().writes
    }
}

/// The time of a record: not its number, so that nobody mixes them up.
const fn time(number: u64) -> u64 {
    1_000 + number
}

fn record(number: u64) -> String {
    let body = Body::Line(WireLine::new("tunnel:3", Direction::From, b"{}"));
    Entry { seq: number, t: time(number), body }.to_line()
}

fn gap(first: u64, lost: u64) -> String {
    let body = Body::Event(Event::Gap(Gap::of(lost)));
    Entry { seq: first, t: time(first), body }.to_line()
}

/// Lines, each with its end.
fn lines(lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().map(|line| line + "\n").collect()
}

/// What a journal says that holds nobody up but for what it has not written.
fn counted(settled: u64, lost: u64) -> Progress {
    Progress { settled, lost, released: settled }
}
