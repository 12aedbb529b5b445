//! Where the record of a run goes, as the configuration says, and which records of earlier runs stay.
//!
//! Owns the name of a record in the folder of all runs. A record that is required and cannot be made is an error; one that
//! was asked for by name too; any other is only missed.

mod prune;

use actors::journal::{CreateError, JournalFile, create, create_in};
use actors::router::{RunInfo, timestamp};

use crate::config::{Config, JournalChoice};
use crate::exit;
use crate::routed::Failed;
pub(crate) use prune::Kept;

/// The file for the record of a run. Where it may be missed, `warn` says why.
pub(crate) fn file(
    run: &RunInfo,
    config: &Config,
    warn: impl Fn(&str),
) -> Result<Option<JournalFile>, Failed> {
    let is_required = config.requires_journal;
    let missed = |why: &str| match is_required {
        true => Err((format!("no journal, and one is required: {why}"), exit::UNWRITTEN)),
        false => {
            warn(&format!("no journal: {why}"));
            Ok(None)
        }
    };
    let staying = |file: JournalFile| if is_required { file.that_must_stay() } else { file };
    match &config.journal {
        JournalChoice::Off if is_required => missed(TURNED_OFF),
        JournalChoice::Off => Ok(None),
        JournalChoice::File(path) => {
            create(path).map(staying).map(Some).map_err(|error| unusable(&error, is_required))
        }
        JournalChoice::Folder(folder) => match create_in(folder, &name(run)) {
            Ok(file) => {
                prune::start(folder.clone(), config.kept, run.began_unix_ms);
                Ok(Some(staying(file)))
            }
            Err(error) => missed(&error.to_string()),
        },
        JournalChoice::Nowhere => {
            missed("neither HOME nor XDG_STATE_HOME says where; set one, or name a file (--journal)")
        }
    }
}

const TURNED_OFF: &str =
    "TIM_JOURNAL or the configuration turns it off; unset that, or name a file (--journal)";

/// A file that was asked for by name.
fn unusable(error: &CreateError, is_required: bool) -> Failed {
    (format!("no journal: {error}"), if is_required { exit::UNWRITTEN } else { exit::USAGE })
}

/// `20261116T075520Z-7f3c0a1b.jsonl`
fn name(run: &RunInfo) -> String {
    let at: String = timestamp(run.began_unix_ms).chars().filter(|letter| !"-:".contains(*letter)).collect();
    let at = at.split('.').next().unwrap_or_default();
    format!("{at}Z-{}.jsonl", run.id)
}

/// Whether a file of the folder of all runs has such a name.
pub(crate) fn is_named(name: &str) -> bool {
    let is = |at: usize, byte: u8| match at {
        8 => byte == b'T',
        15 => byte == b'Z',
        16 => byte == b'-',
        17..=24 => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
        _ => byte.is_ascii_digit(),
    };
    name.strip_suffix(".jsonl")
        .is_some_and(|stem| stem.len() == 25 && stem.bytes().enumerate().all(|(at, byte)| is(at, byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_known_by_its_exact_name() {
        assert!(is_named("20261116T075520Z-7f3c0a1b.jsonl"));
        for name in [
            "20261116T075520Z-7f3c0a1b.jsonl.gz",
            "20261116T075520Z-7f3c0a1b",
            "20261116T075520Z-7F3C0A1B.jsonl",
            "20261116T075520Z-7f3c0a1.jsonl",
            "20261116T075520Z-7f3c0a1b2.jsonl",
            "20261116-075520Z-7f3c0a1b.jsonl",
            "x0261116T075520Z-7f3c0a1b.jsonl",
            "20261116T075520Z-7f3c0a1g.jsonl",
            "notes.jsonl",
            ".jsonl",
            "",
        ] {
            assert!(!is_named(name), "{name}");
        }
    }
}
