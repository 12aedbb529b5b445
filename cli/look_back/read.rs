//! A journal, record by record.
//!
//! Owns what of a file cannot be used. Opens one file for reading and nothing else. A record that cannot be read is counted
//! and passed over: what is left still tells something.

use std::path::Path;

use codec::frame::Frame;
use codec::journal::{Body, Entry, Event, VERSION};

use crate::replay::file::{self, Part};

/// What of a file could not be used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Unused {
    /// records that could not be read
    pub(super) unread: u64,
    /// the last line is torn, as a killed run leaves it
    pub(super) torn: bool,
}

/// Hands each record of a journal to `take`, until it wants no more.
pub(super) fn read(path: &Path, mut take: impl FnMut(&Entry<'_>) -> bool) -> Result<Unused, String> {
    let mut unused = Unused::default();
    let (mut has_begun, mut wants_more) = (false, true);
    let read = open(path)?;
    let read = file::read(path, read, |part| {
        let (frame, is_last) = match part {
            Part::Next(frame) => (frame, false),
            Part::Last(frame) => (frame, true),
            Part::Pause => return Ok(()),
        };
        let entry = match &frame {
            Frame::Line(line) => Entry::read(line).ok(),
            Frame::Oversized(_) | Frame::Torn { .. } => None,
        };
        let begins = matches!(entry.as_ref().map(|entry| &entry.body), Some(Body::Event(Event::Run(_))));
        match entry {
            Some(entry) if !has_begun => {
                has_begun = true;
                is_run(&entry).map_err(|why| file::Stopped::unreadable(path, why))?;
                wants_more = take(&entry);
            }
            None if !has_begun => return Err(file::Stopped::unreadable(path, NO_JOURNAL)),
            // Another run begins: that is another record.
            Some(_) if begins => wants_more = false,
            Some(entry) => wants_more = take(&entry),
            None if is_last => unused.torn = true,
            None => unused.unread += 1,
        }
        if wants_more { Ok(()) } else { Err(file::Stopped::unreadable(path, ENOUGH)) }
    });
    match read {
        Err(_) if has_begun && !wants_more => Ok(unused),
        Ok(()) if has_begun => Ok(unused),
        Ok(()) => Err(format!("{}: it is empty", path.display())),
        Err(stopped) => Err(said(path, stopped)),
    }
}

fn open(path: &Path) -> Result<Box<dyn std::io::Read>, String> {
    file::open(path).map_err(|stopped| said(path, stopped))
}

fn said(path: &Path, stopped: file::Stopped) -> String {
    match stopped {
        file::Stopped::Input(why) => why,
        file::Stopped::Output(error) => format!("{}: {error}", path.display()),
    }
}

/// Nobody reads it: whoever takes the records has what they wanted.
const ENOUGH: &str = "enough";
const NO_JOURNAL: &str = "this is no journal of tim";

fn is_run(entry: &Entry<'_>) -> Result<(), String> {
    match &entry.body {
        Body::Event(Event::Run(run)) if run.v == VERSION => Ok(()),
        Body::Event(Event::Run(run)) => {
            Err(format!("the journal has version {}, this program reads {VERSION}", run.v))
        }
        _ => Err(NO_JOURNAL.to_owned()),
    }
}
