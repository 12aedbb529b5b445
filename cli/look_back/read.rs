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
    let read = file::read(path, |part| {
        let (frame, is_last) = match part {
            Part::Next(frame) => (frame, false),
            Part::Last(frame) => (frame, true),
            Part::Pause => return Ok(()),
        };
        let entry = match &frame {
            Frame::Line(line) if wants_more => Entry::read(line).ok(),
            Frame::Line(_) => return Ok(()),
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
        Ok(())
    });
    match read {
        Ok(()) if has_begun => Ok(unused),
        Ok(()) => Err(format!("{}: it is empty", path.display())),
        Err(file::Stopped::Input(why)) => Err(why),
        Err(file::Stopped::Output(error)) => Err(format!("{}: {error}", path.display())),
    }
}

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
