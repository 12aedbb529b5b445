//! Where the record of a run goes, as the configuration says.

use actors::journal::{JournalFile, create, create_in};
use actors::router::{RunInfo, timestamp};

use crate::config::JournalChoice;

/// The file for the record of a run. One that was asked for by name must be possible; the usual one is only missed, and
/// `warn` says why.
pub(crate) fn file(
    run: &RunInfo,
    choice: &JournalChoice,
    warn: impl Fn(&str),
) -> Result<Option<JournalFile>, String> {
    let missed = |why: &str| {
        warn(&format!("no journal: {why}"));
        Ok(None)
    };
    match choice {
        JournalChoice::Off => Ok(None),
        JournalChoice::File(path) => match create(path) {
            Ok(file) => Ok(Some(file)),
            Err(error) => Err(format!("no journal: {error}")),
        },
        JournalChoice::Folder(folder) => match create_in(folder, &name(run)) {
            Ok(file) => Ok(Some(file)),
            Err(error) => missed(&error.to_string()),
        },
        JournalChoice::Nowhere => missed("neither HOME nor XDG_STATE_HOME says where"),
    }
}

/// `20261116T075520Z-7f3c0a1b.jsonl`
fn name(run: &RunInfo) -> String {
    let at: String = timestamp(run.began_unix_ms).chars().filter(|letter| !"-:".contains(*letter)).collect();
    let at = at.split('.').next().unwrap_or_default();
    format!("{at}Z-{}.jsonl", run.id)
}
