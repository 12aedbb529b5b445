//! Batches onto the sink, whatever the sink does.
//!
//! Owns the sink and knows where its last whole line ends. Never writes behind half a line: it cuts it off, or puts a
//! line end behind it. Remembers what is missing at the end of the file and says so as soon as it can.

use std::io::{self, ErrorKind};

use codec::journal::{Body, Entry, Event, Gap};

use super::Sink;
use super::batch::Batch;

pub(super) struct Writer<S> {
    sink: S,
    /// how far the sink holds whole lines
    whole: u64,
    /// how many bytes of a torn line stand behind them and could not be cut off
    torn: u64,
    /// what is missing at the end of the file, and not yet on record
    gap: Option<Missing>,
    error: Option<io::Error>,
}

/// The first of some missing records.
#[derive(Clone, Copy)]
struct Missing {
    number: u64,
    t: u64,
}

impl<S: Sink> Writer<S> {
    pub(super) const fn new(sink: S) -> Self {
        Self { sink, whole: 0, torn: 0, gap: None, error: None }
    }

    /// Writes a batch; says how many of its lines are on file.
    pub(super) fn put(&mut self, batch: &Batch) -> usize {
        let written = if self.mend(batch.first()) { self.append(batch.bytes()) } else { 0 };
        let lines = batch.lines_within(written);
        if let Some(t) = batch.time_after(lines) {
            let number = batch.first() + lines as u64;
            self.gap.get_or_insert(Missing { number, t });
        }
        lines
    }

    /// Puts on record what is missing before the record of this number. False if the file is not ready for it.
    pub(super) fn mend(&mut self, next: u64) -> bool {
        let mut text = String::new();
        if self.torn > 0 {
            text.push('\n');
        }
        if let Some(missing) = self.gap {
            text.push_str(&missing.until(next));
            text.push('\n');
        }
        if self.append(text.as_bytes()) == text.len() {
            self.gap = None;
        }
        self.torn == 0 && self.gap.is_none()
    }

    /// The latest error of the sink, once.
    pub(super) const fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// Appends whole lines; says how many bytes of them count as being on file. If a torn line cannot be cut off, the
    /// next write begins with a line end, which may make it whole: so that line end counts with the bytes before it.
    fn append(&mut self, lines: &[u8]) -> usize {
        let written = lines.get(..self.write(lines)).unwrap_or(lines);
        if written.is_empty() {
            return 0;
        }
        let whole = written.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        self.whole += self.torn + whole as u64;
        self.torn = (written.len() - whole) as u64;
        if self.torn == 0 {
            return whole;
        }
        match self.sink.truncate(self.whole) {
            Ok(()) => {
                self.torn = 0;
                whole
            }
            Err(_) => written.len() + 1,
        }
    }

    /// Writes until all is written or the sink fails; says how much was.
    fn write(&mut self, bytes: &[u8]) -> usize {
        let mut written = 0;
        while let Some(rest) = bytes.get(written..).filter(|rest| !rest.is_empty()) {
            match self.sink.write(rest) {
                Ok(0) => {
                    self.error = Some(ErrorKind::WriteZero.into());
                    break;
                }
                Ok(some) => written += some,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.error = Some(error);
                    break;
                }
            }
        }
        written
    }
}

impl Missing {
    /// The record of the gap between here and the record of that number.
    fn until(self, next: u64) -> String {
        let lost = Gap::of(next - self.number);
        Entry { seq: self.number, t: self.t, body: Body::Event(Event::Gap(lost)) }.to_line()
    }
}
