//! How the agent's process of a run is started: which program, what it is told, what it sees of the environment.

use std::ffi::OsString;
use std::path::Path;

use actors::agent::command::{self, NOT_FOR_CLAUDE, Route, Wishes};
use actors::agent::process::Spawn;

use super::part::Part;
use super::probe::Found;
use super::stage::Stage;
use crate::environment::Environment;
use crate::routed::Failed;
use crate::{demo, exit, mcp};

impl Stage<'_> {
    /// How the agent's process is started. `resume` is the session to go on with, if not the one that the user named.
    pub(super) fn spawn(&self, part: &Part, found: Found<'_>, resume: Option<&str>) -> Result<Spawn, Failed> {
        let failed = |what: &str, error: std::io::Error| (format!("{what}: {error}"), exit::INTERNAL);
        let own = std::env::current_exe().map_err(|error| failed("tim does not find itself", error))?;
        // Of several agents whole things are shown: pieces would be for nothing.
        let is_live = self.screen().is_some() && !self.job.print && self.job.at_once() == 1;
        let (program, arguments) = match found {
            Found::Claude { program, abilities, passed_on } => {
                let route = self.route(part, &own)?;
                let wishes = Wishes { route, ..self.wishes(passed_on, resume, is_live) };
                let arguments = command::arguments(&abilities, &wishes);
                (program.into_os_string(), arguments.map_err(|ours| (ours.to_string(), exit::USAGE))?)
            }
            Found::Stream { program, arguments } => (program.into_os_string(), arguments.to_vec()),
            Found::Demo { speed } => {
                let is_played = self.desks.player.is_some();
                (own.clone().into_os_string(), demo::arguments(speed, is_live, is_played))
            }
        };
        Ok(Spawn {
            guard_program: own,
            program,
            arguments,
            folder: std::env::current_dir()
                .map_err(|error| (format!("the folder is gone: {error}"), exit::USAGE))?,
            environment: child_environment(self.listener.path(), self.environment),
        })
    }

    /// What Claude Code is asked for.
    fn wishes(&self, passed_on: &[OsString], resume: Option<&str>, is_live: bool) -> Wishes {
        let kept = if resume.is_some() { without_session(passed_on) } else { passed_on.to_vec() };
        let resume = resume.into_iter().flat_map(|session| ["--resume".into(), session.into()]);
        Wishes {
            is_live,
            deny: self.run.gate.rules().deny.iter().map(ToString::to_string).collect(),
            asks_nobody: self.is_deserted,
            passed_on: kept.into_iter().chain(resume).collect(),
            route: Route::default(),
        }
    }

    /// By which way it asks: `own` is this program, which is the MCP server too.
    fn route(&self, part: &Part, own: &Path) -> Result<Route, Failed> {
        if self.job.asks_by().is_none() {
            return Ok(Route::Stdio);
        }
        let config = mcp::config(own, Some(self.listener.path()), Some(&part.name()));
        let config = config.map_err(|why| (why, exit::USAGE))?;
        Ok(Route::Mcp { tool: mcp::TOOL, config })
    }
}

/// The flags without those that say which conversation it is.
fn without_session(flags: &[OsString]) -> Vec<OsString> {
    let (mut kept, mut skips_value) = (Vec::new(), false);
    for flag in flags {
        let name = flag.to_str().unwrap_or_default();
        let is_value = std::mem::take(&mut skips_value) && !name.starts_with('-');
        let (name, has_value) = name.split_once('=').map_or((name, false), |(name, _)| (name, true));
        match name {
            _ if is_value => {}
            "--resume" | "-r" | "--session-id" => skips_value = !has_value,
            "--continue" | "-c" | "--fork-session" => {}
            _ => kept.push(flag.clone()),
        }
    }
    kept
}

/// What is different for the agent: it asks here, and is nobody's child.
fn child_environment(socket: &Path, environment: &Environment) -> Vec<(OsString, Option<OsString>)> {
    let removed = NOT_FOR_CLAUDE.iter().map(|name| (OsString::from(name), None));
    // How our own parent is spoken to is nothing to those who speak to us.
    let of_parent = ["TIM_TUNNEL", "TIM_EXECUTOR", "TIM_OWNER_PROCESS_ID"].map(|name| (name.into(), None));
    let mut all: Vec<_> = removed.chain(of_parent).collect();
    all.push(("TIM_OUTPUT_SOCKET".into(), Some(socket.as_os_str().to_owned())));
    let is_file = |value: &OsString| !["0", "1", "off", "on"].iter().any(|word| value == word);
    if environment.journal.as_ref().is_some_and(is_file) {
        // Two runs cannot write the same record.
        all.push(("TIM_JOURNAL".into(), None));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_goes_on_has_one_conversation_whatever_was_named_before() {
        let flags = |words: &str| words.split(' ').map(OsString::from).collect::<Vec<_>>();
        let kept =
            without_session(&flags("--model m --resume a --session-id b -c --fork-session --effort low"));
        assert_eq!(kept, flags("--model m --effort low"));
        assert_eq!(without_session(&flags("--resume=a --continue -r -k")), flags("-k"));
    }
}
