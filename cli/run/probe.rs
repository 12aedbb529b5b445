//! Which Claude Code there is, and what its version can do.
//!
//! Owns the search for the program, and what was found out about it: asked once (`--version`, `--help`), then kept in the
//! cache folder for as long as the file stays the same. A program that does not answer is taken for an old one.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use actors::agent::command::Abilities;
use actors::system::says as words_of;
use rustix::fs::{Access, access};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncReadExt as _;
use tokio::process::Command;

use super::Backend;
use crate::args::Speed;
use crate::backend::Program;
use crate::environment::Environment;

/// A program that takes longer to say its version is not waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// So much of what it says is looked at.
const MOST: u64 = 256 << 10;
/// What it printed is there by then.
const REST: Duration = Duration::from_millis(100);

/// The agent of a run, with all that must be known to start it.
pub(super) enum Found<'a> {
    Claude { program: PathBuf, abilities: Abilities, passed_on: &'a [OsString] },
    Stream { program: PathBuf, arguments: &'a [OsString] },
    Demo { speed: Option<Speed> },
}

/// Finds out what is not known yet.
pub(super) async fn look<'a>(backend: &'a Backend, environment: &Environment) -> Found<'a> {
    match backend {
        Backend::Claude { program, passed_on, .. } => {
            let program = find(program, environment);
            let abilities = abilities(&program, environment).await;
            Found::Claude { program, abilities, passed_on }
        }
        Backend::Stream(Program { program, arguments, .. }) => {
            Found::Stream { program: find(program, environment), arguments }
        }
        Backend::Demo { speed } => Found::Demo { speed: *speed },
    }
}

/// The program of that name, as a shell would find it; the name itself if there is none.
pub(crate) fn find(name: &OsStr, environment: &Environment) -> PathBuf {
    if name.as_encoded_bytes().contains(&b'/') {
        return absolute(Path::new(name));
    }
    let folders = environment.search_path.as_deref().map(std::env::split_paths);
    let found = folders.into_iter().flatten().map(|folder| folder.join(name)).find(|path| is_program(path));
    found.map_or_else(|| PathBuf::from(name), |path| absolute(&path))
}

/// The agent runs in the current folder, but its guard must find it whatever happens to that.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn is_program(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}

/// What it can do: as it is known from before, or as it says.
async fn abilities(program: &Path, environment: &Environment) -> Abilities {
    let (file, stamp) = (environment.cache_folder().map(|folder| folder.join("claude")), stamp(program));
    if let (Some(file), Some(stamp)) = (&file, &stamp)
        && let Some(known) = known(file, stamp)
    {
        return known;
    }
    let (version, help) = tokio::join!(says(program, "--version"), says(program, "--help"));
    if let (Some(file), Some(stamp), Ok(version), Ok(help)) = (file, stamp, &version, &help) {
        // It is only asked again next time.
        let _ = keep(&file, &stamp, version, help);
    }
    Abilities::read(&version.unwrap_or_default(), &help.unwrap_or_default())
}

/// What changes when the program does.
fn stamp(program: &Path) -> Option<String> {
    let about = std::fs::metadata(program).ok()?;
    let path = program.to_str().filter(|path| !path.contains('\n'))?;
    Some(format!("{path} {} {}.{}", about.len(), about.mtime(), about.mtime_nsec()))
}

fn known(file: &Path, stamp: &str) -> Option<Abilities> {
    let text = std::fs::read_to_string(file).ok()?;
    let mut lines = text.lines();
    let (first, version) = (lines.next()?, lines.next()?);
    let help: String = lines.map(|line| format!("{line}\n")).collect();
    (first == stamp).then(|| Abilities::read(version, &help))
}

/// Only the flags of the help: nothing else of it is looked at.
fn keep(file: &Path, stamp: &str, version: &str, help: &str) -> std::io::Result<()> {
    let version = version.lines().next().unwrap_or_default();
    let flags: Vec<&str> = help.split_whitespace().filter(|word| word.starts_with("--")).collect();
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let fresh = folder.join(format!("claude.{}", crate::clock::random_hex(8)));
    let mut new = std::fs::File::create_new(&fresh)?;
    write!(new, "{stamp}\n{version}\n{}\n", flags.join("\n"))?;
    std::fs::rename(&fresh, file)
}

/// Why a program says nothing that counts.
#[derive(Debug)]
pub(crate) enum Silent {
    Unstarted(std::io::Error),
    /// it did not end in time
    Slow,
    Failed(std::process::ExitStatus),
}

impl fmt::Display for Silent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Silent::Unstarted(error) => out.write_str(&words_of(error)),
            Silent::Slow => write!(out, "no word of it in {} s", PATIENCE.as_secs()),
            Silent::Failed(status) => write!(out, "{status}"),
        }
    }
}

/// What it prints, as far as it is looked at. Whatever it started is ended with it.
pub(crate) async fn says(program: &Path, flag: &str) -> Result<String, Silent> {
    let mut command = Command::new(program);
    command.arg(flag).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.process_group(0).kill_on_drop(true).spawn().map_err(Silent::Unstarted)?;
    let group = Group(child.id().and_then(|pid| Pid::from_raw(pid.cast_signed())));
    let stdout = child.stdout.take().ok_or(Silent::Slow)?;
    let mut stdout = stdout.take(MOST);
    let mut said = Vec::new();
    let ended = async {
        tokio::select! {
            // What it left behind may hold the pipe: its own end counts.
            status = child.wait() => status.ok(),
            read = stdout.read_to_end(&mut said) => match read {
                Ok(_) => child.wait().await.ok(),
                Err(_) => None,
            },
        }
    };
    let status = tokio::time::timeout(PATIENCE, ended).await.ok().flatten();
    tracing::debug!(program = %program.display(), flag, code = status.and_then(|status| status.code()), "asked a program");
    let status = status.ok_or(Silent::Slow)?;
    let rest = tokio::time::timeout(REST, stdout.read_to_end(&mut said)).await;
    drop((rest, group));
    match status.success() {
        true => Ok(String::from_utf8_lossy(&said).into_owned()),
        false => Err(Silent::Failed(status)),
    }
}

/// The processes of one question, which are ended with it.
struct Group(Option<Pid>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // Mostly there is nobody left.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Which program to run.
pub(crate) fn wanted(flag: Option<&OsString>, config: Option<&OsString>) -> OsString {
    flag.or(config).cloned().unwrap_or_else(|| "claude".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    struct Folder(PathBuf);

    impl Folder {
        fn new() -> Self {
            let folder = std::env::temp_dir().join(format!("tim-probe-{}", crate::clock::random_hex(12)));
            std::fs::create_dir(&folder).unwrap();
            Self(folder)
        }

        fn program(&self, text: &str) -> PathBuf {
            let path = self.0.join("claude");
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            path
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            std::fs::remove_dir_all(&self.0).unwrap();
        }
    }

    #[test]
    fn a_program_is_found_as_a_shell_would_find_it() {
        let folder = Folder::new();
        let path = folder.program("#!/bin/sh\n");
        let search_path = Some(format!("/nowhere:{}", folder.0.display()).into());
        let environment = Environment { search_path, ..Environment::default() };
        assert_eq!(find(OsStr::new("claude"), &environment), path);
        assert_eq!(find(OsStr::new("clod"), &environment), PathBuf::from("clod"));
        assert_eq!(find(OsStr::new("/x/claude"), &environment), PathBuf::from("/x/claude"));
    }

    #[tokio::test]
    async fn what_it_can_do_is_asked_once_and_again_when_it_has_changed() {
        let folder = Folder::new();
        let count = folder.0.join("count");
        let says = |version: &str| format!("#!/bin/sh\necho x >> {}\necho {version}\n", count.display());
        let environment = Environment { cache_home: Some(folder.0.join("cache")), ..Environment::default() };
        let path = folder.program(&says("2.1.325"));
        let asked = || std::fs::read_to_string(&count).unwrap().lines().count();
        for _ in 0..2 {
            assert_eq!(abilities(&path, &environment).await.version, Some([2, 1, 325]));
            assert_eq!(asked(), 2, "for its version and its help");
        }
        let path = folder.program(&says("2.1.1970"));
        assert_eq!(abilities(&path, &environment).await.version, Some([2, 1, 1970]));
        assert_eq!(asked(), 4);
    }

    #[tokio::test]
    async fn a_program_that_does_not_answer_is_taken_for_an_old_one() {
        let folder = Folder::new();
        let path = folder.program("#!/bin/sh\nexit 1\n");
        let environment = Environment::default();
        assert_eq!(abilities(&path, &environment).await, Abilities::default());
        assert_eq!(abilities(Path::new("/nowhere/x"), &environment).await, Abilities::default());
    }
}
