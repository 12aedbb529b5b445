//! A journal, record by record.
//!
//! Owns what of a file cannot be used. Opens one file for reading and nothing else. A record that cannot be read is counted
//! and passed over: what is left still tells something. It ends with the file, with the run, or when enough was heard.

use std::path::Path;

use actors::router::timestamp;
use codec::frame::Frame;
use codec::journal::{Body, Entry, Event, Run, VERSION};
use codec::json::Text;

use crate::replay::file::{self, Part, Stopped};
use crate::runs::RunFile;

/// What of a file could not be used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Unused {
    /// records that could not be read
    pub(super) unread: u64,
    /// the last line is torn, as a killed run leaves it
    pub(super) torn: bool,
    /// the first record is missing: a full disk took it
    pub(super) headless: bool,
    /// another run begins in the file, and nothing of it is told
    pub(super) has_another: bool,
}

/// Hands each record of a journal to `take`, until that wants no more.
pub(super) fn read(run: &RunFile, take: impl FnMut(&Entry<'_>) -> bool) -> Result<Unused, String> {
    let path = run.path.as_path();
    let mut reading = Reading { run, unused: Unused::default(), has_begun: false, is_over: false, take };
    let read = file::open(path).and_then(|input| {
        file::read(path, input, |part| match part {
            Part::Next(frame) => reading.frame(path, &frame, false),
            Part::Last(frame) => reading.frame(path, &frame, true),
            Part::Pause => Ok(()),
        })
    });
    match read {
        _ if reading.is_over => Ok(reading.unused),
        Ok(()) if reading.has_begun => Ok(reading.unused),
        Ok(()) => Err(format!("{}: it is empty; `tim log` lists the runs", path.display())),
        Err(Stopped::Input(why)) => Err(why),
        Err(Stopped::Output(error)) => Err(format!("{}: {error}", path.display())),
    }
}

struct Reading<'r, T> {
    run: &'r RunFile,
    unused: Unused,
    has_begun: bool,
    /// nobody wants more of it
    is_over: bool,
    take: T,
}

impl<T: FnMut(&Entry<'_>) -> bool> Reading<'_, T> {
    fn frame(&mut self, path: &Path, frame: &Frame, is_last: bool) -> Result<(), Stopped> {
        let entry = match frame {
            Frame::Line(line) => Entry::read(line).ok(),
            Frame::Oversized(_) | Frame::Torn { .. } => None,
        };
        match entry {
            None if !self.has_begun => return Err(Stopped::unreadable(path, NO_JOURNAL)),
            None if is_last => self.unused.torn = true,
            None => self.unused.unread += 1,
            Some(entry) => self.entry(&entry).map_err(|why| Stopped::unreadable(path, why))?,
        }
        if self.is_over { Err(Stopped::unreadable(path, ENOUGH)) } else { Ok(()) }
    }

    /// The first must be that of a run, or what a full disk left; where another one begins, that is another record.
    fn entry(&mut self, entry: &Entry<'_>) -> Result<(), String> {
        let is_run = matches!(entry.body, Body::Event(Event::Run(_)));
        match &entry.body {
            _ if self.has_begun => {}
            Body::Event(Event::Run(run)) if run.v != VERSION => {
                return Err(format!(
                    "the journal has version {}, this program reads {VERSION}: a newer tim is needed",
                    run.v
                ));
            }
            Body::Event(Event::Run(_)) => {}
            Body::Event(Event::Gap(_)) => self.begin_without_head(),
            _ if entry.seq > 0 => self.begin_without_head(),
            _ => return Err(NO_JOURNAL.to_owned()),
        }
        self.unused.has_another = self.has_begun && is_run;
        self.is_over = self.unused.has_another || !(self.take)(entry);
        self.has_begun = true;
        Ok(())
    }

    /// What the first record said is known by the name of the file, if at all.
    fn begin_without_head(&mut self) {
        self.unused.headless = true;
        let mut first = Run::of(VERSION, Text::new(&self.run.id), Text::new(""));
        first.started = Some(Text::new(&timestamp(self.run.began_unix_ms)));
        (self.take)(&Entry { seq: 0, t: 0, body: Body::Event(Event::Run(first)) });
    }
}

/// Nobody reads it: whoever takes the records has what they wanted.
const ENOUGH: &str = "enough";
const NO_JOURNAL: &str = "this is no journal of tim; `tim log` lists the runs";
