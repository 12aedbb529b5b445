//! The diagnostic log: what happens inside, for whoever hunts a fault. `TIM_LOG` names a file for it, or -v wants one.
//!
//! Owns where it goes, what a row looks like and when it begins anew. Never writes to the terminal but once where it is,
//! never holds the value of a secret variable, and never makes the program fail: what cannot be logged is not. Where nobody
//! wants a log nothing is made of what could be logged.

mod file;
mod row;

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::clock::unix_ms;
use crate::environment::Environment;
use row::Row;

/// The run of this process, as soon as there is one.
static RUN: OnceLock<String> = OnceLock::new();

/// From now on every row says which run it is about.
pub(crate) fn run_is(id: &str) {
    RUN.get_or_init(|| id.to_owned());
}

/// Where a log is wanted, and how much of it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wanted {
    place: Option<PathBuf>,
    /// it is the one file of all runs: kept small, its folder made if need be
    is_own: bool,
    level: LevelFilter,
}

/// What the flag and the environment ask for; nothing if nobody wants a log.
fn wanted(verbose: u8, environment: &Environment) -> Option<Wanted> {
    let level = match (verbose, &environment.log) {
        (0, None) => return None,
        (1, _) => LevelFilter::INFO,
        (_, _) => LevelFilter::TRACE,
    };
    let own = || environment.state_folder().map(|folder| folder.join("log"));
    let place = environment.log.as_ref().map(PathBuf::from).or_else(own);
    Some(Wanted { place, is_own: environment.log.is_none(), level })
}

/// Starts the log, if somebody wants one: said once, if it was wanted by the flag.
pub(crate) fn start(verbose: u8, environment: &Environment) {
    let Some(Wanted { place, is_own, level }) = wanted(verbose, environment) else { return };
    let Some(path) = place else {
        return crate::warn("no log: neither HOME nor XDG_STATE_HOME says where; TIM_LOG names a file");
    };
    let home = environment.home.as_deref().and_then(Path::to_str);
    let shown = crate::terminal::short(&path.to_string_lossy(), home);
    let opened = if is_own { file::own(&path) } else { file::open(&path) };
    match opened.and_then(|file| take_over(file, level)) {
        Ok(()) if verbose > 0 => crate::warn(&format!("log: {shown}")),
        Ok(()) => {}
        Err(error) => crate::warn(&format!("no log: {}", actors::system::unwritable(shown, &error))),
    }
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "tim starts");
}

fn take_over(file: File, level: LevelFilter) -> std::io::Result<()> {
    let log = Log { file: Mutex::new(file), level };
    tracing::subscriber::set_global_default(log).map_err(std::io::Error::other)
}

struct Log {
    file: Mutex<File>,
    level: LevelFilter,
}

/// Nothing here is ever inside something else, so spans are not kept.
impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let is_own = ["tim", "actors"].iter().any(|own| metadata.target().starts_with(own));
        is_own && *metadata.level() <= self.level
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.level)
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut row = Row::default();
        event.record(&mut row);
        let about = row::About {
            unix_ms: unix_ms(),
            level: *event.metadata().level(),
            pid: std::process::id(),
            run: RUN.get().map(String::as_str),
            target: event.metadata().target(),
        };
        let line = row.line(&about, |text| crate::without_secrets(text).into_owned());
        if let Ok(mut file) = self.file.lock() {
            // In one piece: others may write to the same file.
            let _ = file.write_all(line.as_bytes());
        }
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_by_name_goes_before_the_own_one_and_without_the_flag_gets_everything() {
        let none = Environment { state_home: Some("/s".into()), ..Environment::default() };
        let named = Environment { log: Some("/l".into()), ..none.clone() };
        let told = |verbose, environment: &Environment| {
            let Wanted { place, is_own, level } = wanted(verbose, environment)?;
            Some((place?.display().to_string(), is_own, level))
        };
        let own = || "/s/tim/log".to_owned();
        assert_eq!(told(0, &none), None);
        assert_eq!(told(1, &none), Some((own(), true, LevelFilter::INFO)));
        assert_eq!(told(2, &none), Some((own(), true, LevelFilter::TRACE)));
        assert_eq!(told(0, &named), Some(("/l".to_owned(), false, LevelFilter::TRACE)));
        assert_eq!(told(1, &named), Some(("/l".to_owned(), false, LevelFilter::INFO)));
        assert_eq!(wanted(1, &Environment::default()).unwrap().place, None);
    }
}
