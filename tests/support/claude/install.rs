//! Installs a CLI by npm: once for all tests of all processes, whole or not at all.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use super::shout;
use super::slot::lock;
use crate::support::temp::Temp;
use crate::support::wait::now;

/// A few hundred megabytes, over any line.
const INSTALLING: Duration = Duration::from_secs(400);
/// In the folder of its version.
const BINARY: &str = "node_modules/.bin/claude";
const CHECKING: Duration = Duration::from_secs(30);

/// The binary of that version, installed if it is not yet.
pub(super) fn installed(folder: &Path, version: &str) -> Result<PathBuf, String> {
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let place = folder.join(version);
    let (marker, binary) = (place.join("complete"), place.join(BINARY));
    // Whoever is second waits for the first, who may need both attempts.
    let _guard = lock(&[folder.join(format!("{version}.lock"))], 2 * INSTALLING + CHECKING);
    if marker.exists() {
        return Ok(binary);
    }
    let npm = program("npm").ok_or("there is no npm")?;
    let first = install(&npm, &place, version);
    first.or_else(|why| {
        shout(&format!("claude {version}: {why}; once more"));
        install(&npm, &place, version)
    })?;
    File::create(&marker).map_err(|error| error.to_string())?;
    Ok(binary)
}

/// Into an empty folder. npm's own cache lies beside it and goes away with it: it is of no use to anybody.
fn install(npm: &Path, place: &Path, version: &str) -> Result<(), String> {
    let cache = place.with_file_name(format!("{version}.npm-cache"));
    fs::remove_dir_all(place).ok();
    fs::create_dir_all(place).map_err(|error| error.to_string())?;
    shout(&format!("installing claude {version} by npm, once"));
    let log = File::create(place.join("npm.log")).map_err(|error| error.to_string())?;
    let mut command = Command::new(npm);
    command.arg("install").arg("--prefix").arg(place).arg(format!("@anthropic-ai/claude-code@{version}"));
    command.args(["--no-audit", "--no-fund", "--no-update-notifier", "--cache"]).arg(&cache);
    command.current_dir(place).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    let ended = run(command, INSTALLING);
    fs::remove_dir_all(&cache).ok();
    match ended {
        Ok(status) if status.success() => check(&place.join(BINARY), version),
        Ok(status) => Err(format!("npm ended with {status}: {}", last_words(&place.join("npm.log")))),
        Err(why) => Err(format!("npm: {why}")),
    }
}

fn last_words(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(5)..].join("; ")
}

/// Whether it is what it should be.
pub(super) fn check(binary: &Path, version: &str) -> Result<(), String> {
    let folder = Temp::new();
    let said = folder.path("said");
    let mut command = Command::new(binary);
    command.arg("--version").env_clear();
    command
        .envs(super::environment(&folder, "http://127.0.0.1:9"))
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    command.stdout(File::create(&said).map_err(|error| error.to_string())?);
    let status = run(command, CHECKING)?;
    let text = fs::read_to_string(said).unwrap_or_default();
    if status.success() && text.split_whitespace().next() == Some(version) {
        return Ok(());
    }
    Err(format!("--version ended with {status} and said {text:?}, not {version}"))
}

/// Runs it to its end, which comes in time or by force.
fn run(mut command: Command, patience: Duration) -> Result<ExitStatus, String> {
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let until = now() + patience;
    while now() < until {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(status);
        }
        std::thread::park_timeout(Duration::from_millis(10));
    }
    child.kill().ok();
    child.wait().ok();
    Err(format!("did not end in {patience:?}"))
}

/// Where a program lies, if it does.
pub(super) fn program(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}
