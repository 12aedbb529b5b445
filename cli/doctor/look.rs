//! The looking: every fact from where it is. Reads, asks the system, and asks Claude Code for its version; writes nothing.
//!
//! Judges nothing. Each look is bounded: files by their readers, Claude Code and sockets by time.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use actors::system;
use rustix::fs::{Access, access};
use rustix::process::{Resource, getpgrp, getrlimit};
use rustix::termios::{tcgetpgrp, tcgetwinsize};
use tokio::net::UnixStream;

use super::facts::{
    Above, Claude, Configured, Facts, Limits, Login, NamedBy, Rules, Settings, Terminal, Tty,
};
use super::folders;
use crate::args::DoctorArgs;
use crate::config::project::{self, State};
use crate::config::{self, Config, Flags};
use crate::environment::Environment;
use crate::run::probe;
use crate::term::attention::Abilities;
use crate::{above, rules, trust};

/// Whoever listens at a socket takes a connection at once.
const PATIENCE: Duration = Duration::from_secs(2);

/// Looks at everything.
pub(super) async fn look(args: &DoctorArgs, environment: &Environment) -> Facts {
    let loaded = config::load(environment, Flags::default());
    let config = loaded.as_ref().ok();
    let here = std::env::current_dir().unwrap_or_default();
    let of_user = trust::of_user(environment);
    let above = above(environment).await;
    let term = environment.term.as_deref().and_then(|term| term.to_str());
    Facts {
        own: std::env::current_exe().map_err(|error| system::says(&error)),
        claude: claude(args, environment, config).await,
        login: login(environment, of_user.as_ref().is_some_and(|own| own.has_key_helper)),
        settings: settings(environment, &here, of_user),
        config: configured(environment),
        rules: of_rules(environment, config),
        terminal: terminal(environment, above.is_agents),
        attention: (
            config.map(|config| config.attention.clone()).unwrap_or_default(),
            Abilities::of(term).osc,
        ),
        sockets: folders::sockets(environment),
        records: folders::records(environment, config),
        state: environment.state_folder().map(folders::look),
        limits: limits(),
        guard: actors::agent::guard::can_work().map_err(|error| system::says(&error)),
        above,
    }
}

async fn claude(args: &DoctorArgs, environment: &Environment, config: Option<&Config>) -> Claude {
    let configured = config.map_or(environment.claude.as_ref(), |config| config.claude.as_ref());
    let program = probe::find(&probe::wanted(args.claude.as_ref(), configured), environment);
    let named_by = match () {
        () if args.claude.is_some() => NamedBy::Flag,
        () if environment.claude.is_some() => NamedBy::Variable,
        () if configured.is_some() => NamedBy::Config,
        () => NamedBy::Nobody,
    };
    // A bare name is one that was not found.
    let is_there = program.is_absolute() && program.exists();
    let version = match is_there {
        true => probe::says(&program, "--version").await.map_err(|silent| silent.to_string()),
        false => Err("there is no such program".to_owned()),
    };
    Claude { program, named_by, is_there, version }
}

/// Only whether there is something: what it is stays where it is.
fn login(environment: &Environment, has_helper: bool) -> Login {
    let file = trust::own_place(environment).map(|folder| folder.join(".credentials.json"));
    let file = file.map(|file| {
        let is_there = file.metadata().is_ok_and(|about| about.is_file() && about.len() > 0);
        (file, is_there)
    });
    Login { variable: environment.claude_login, has_helper, file }
}

fn settings(environment: &Environment, here: &Path, of_user: Option<trust::OfUser>) -> Settings {
    let folder = trust::look(environment, here);
    let (own_name, own_ignored) = of_user.map(|own| (own.name, own.ignored)).unzip();
    let files = own_name.into_iter().chain(folder.names()).collect();
    let ignored = own_ignored.into_iter().flatten().chain(folder.warnings()).collect();
    Settings { files, ignored }
}

fn configured(environment: &Environment) -> Result<Configured, String> {
    let found = config::find(environment).map_err(|error| error.to_string())?;
    let own = config::user_file(environment);
    let mut configured = Configured::default();
    for seen in found.files.iter().filter(|seen| seen.state != State::Missing) {
        configured.files.push(seen.path.clone());
        if let State::Held(keys, because) = &seen.state {
            let what = format!("{}: not used: {}", seen.path.display(), project::listed(keys));
            configured.held.push((what, seen.todo(*because, own.as_deref())));
        }
    }
    Ok(configured)
}

fn of_rules(environment: &Environment, config: Option<&Config>) -> Result<Rules, String> {
    let set = rules::of_user(environment)?;
    let file = rules::file(environment).ok().filter(|file| file.exists());
    // What is wrong with the configuration has a row of its own.
    let configured =
        config.map(|config| config.rules.allow.len() + config.rules.deny.len()).unwrap_or_default();
    Ok(Rules { file, allow: set.allow.len(), deny: set.deny.len(), configured })
}

fn terminal(environment: &Environment, is_agents: bool) -> Terminal {
    Terminal {
        tty: if is_agents { Tty::Agents } else { tty() },
        is_unwanted: environment.is_non_interactive,
        term: environment.term.as_ref().map(|term| term.to_string_lossy().into_owned()),
        has_colours: !environment.no_color,
        locale: environment.locale.clone().map(|(name, value)| (name, value.to_string_lossy().into_owned())),
    }
}

/// As a run would find it.
fn tty() -> Tty {
    let Ok(terminal) = File::open("/dev/tty") else { return Tty::None };
    if access("/dev/tty", Access::WRITE_OK).is_err() {
        return Tty::None;
    }
    match (tcgetpgrp(&terminal), tcgetwinsize(&terminal)) {
        (Ok(group), _) if group != getpgrp() => Tty::Others,
        (Ok(_), Ok(size)) => Tty::Ours(size.ws_col, size.ws_row),
        _ => Tty::None,
    }
}

fn limits() -> Limits {
    let soft = |resource| getrlimit(resource).current;
    Limits { files: soft(Resource::Nofile), processes: soft(Resource::Nproc) }
}

async fn above(environment: &Environment) -> Above {
    let is_agents = above::Above::look(environment).is_agents();
    let Some(path) = environment.output_socket.clone() else { return Above { socket: None, is_agents } };
    let dialled = tokio::time::timeout(PATIENCE, UnixStream::connect(&path)).await;
    let listens = dialled.is_ok_and(|dialled| dialled.is_ok());
    Above { socket: Some((path, listens)), is_agents }
}
