//! The diagnostic log, if `TIM_LOG` names a file for it.
//!
//! Owns the file: appended to, for our eyes alone. Never writes to the terminal, never holds the value of a
//! secret variable, and never makes the program fail: what cannot be logged is not.

use std::fmt::{self, Write as _};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Mutex;

use codec::text::visible;
use rustix::fs::OFlags;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Lets everything that the program logs go to that file.
pub(crate) fn start(path: &Path) -> io::Result<()> {
    // Opening must neither wait, as it would for a pipe, nor lead elsewhere.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    let flags = i32::try_from(flags).map_err(io::Error::other)?;
    let file = OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let log = Log { file: Mutex::new(file) };
    tracing::subscriber::set_global_default(log).map_err(io::Error::other)
}

struct Log {
    file: Mutex<File>,
}

/// Nothing here is ever inside something else, so spans are not kept.
impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        ["tim", "actors"].iter().any(|own| metadata.target().starts_with(own))
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut row = Row(format!("{} {}", event.metadata().level(), event.metadata().target()));
        event.record(&mut row);
        if let Ok(mut file) = self.file.lock() {
            let _ = writeln!(file, "{}", visible(&crate::without_secrets(&row.0)));
        }
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// One row of the log.
struct Row(String);

impl Visit for Row {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = match field.name() {
            "message" => write!(self.0, " {value:?}"),
            name => write!(self.0, " {name}={value:?}"),
        };
    }
}
