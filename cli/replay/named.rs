//! Which file is meant: one of that name, or else the record of the run that is called so.
//!
//! Looks for a file and, if there is none, into the folder of all runs. Opens neither.

use std::path::{Path, PathBuf};

use crate::config::{self, Flags, JournalChoice};
use crate::environment::Environment;
use crate::run::resume;

/// The file to read.
pub(super) fn path(wanted: &Path, environment: &Environment) -> Result<PathBuf, String> {
    let run = wanted.to_str().filter(|name| resume::is_run(name));
    match run {
        Some(run) if wanted.symlink_metadata().is_err() => record(run, environment),
        _ => Ok(wanted.to_owned()),
    }
}

/// Whether runs are recorded from now on has nothing to do with where they were.
fn record(run: &str, environment: &Environment) -> Result<PathBuf, String> {
    let recording = Environment { journal: Some("on".into()), ..environment.clone() };
    let config = config::load(&recording, Flags::default()).map_err(|error| error.to_string())?;
    match config.journal {
        JournalChoice::Folder(folder) => resume::record(run, &folder),
        _ => Err(format!("cannot read {run}: it is no file, and nobody knows where the runs are")),
    }
}
