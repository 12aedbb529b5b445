//! Below another tim an agent may have chosen the flags: those by which less would be asked need a yes at the root.
//!
//! Owns which flags these are, the question, and what follows from its answer. It is asked before anything is started. Only a
//! clear yes counts, for this run and for these flags alone; whatever else happens, nothing is started.

use std::ffi::{OsStr, OsString};

use actors::ask::{NotAnswered, ask_early};
use actors::question::{Asks, Question};
use actors::tunnel::Parent;
use codec::json::Text;
use codec::tunnel::{PromptConfig, PromptKind};

use super::Job;
use crate::args::RunArgs;
use crate::clock::unix_ms;
use crate::exit;
use crate::quote::quoted;
use crate::routed::Failed;

/// So much of the flags stands in an error. In the question all of them do: what was not shown is not agreed to.
const LONGEST: usize = 300;

/// The flags by which less would be asked, as they were said; those that loosen most come first. What a backend is told is
/// its own business.
pub(super) fn loosening(args: &RunArgs) -> Vec<String> {
    let (asks, claude) = (&args.asks, &args.of_claude);
    let is_loose = |mode: &&OsString| !["default", "plan", "dontAsk"].iter().any(|strict| *mode == strict);
    let with = |flag: &str, value: &OsStr| format!("{flag} {}", quoted(&value.to_string_lossy()));
    let mode = claude.permission_mode.as_ref().filter(is_loose);
    let mut said: Vec<String> = mode.map(|mode| with("--permission-mode", mode)).into_iter().collect();
    if !args.passed_on.is_empty() && args.backend.is_none() {
        let words: Vec<String> = args.passed_on.iter().map(|word| quoted(&word.to_string_lossy())).collect();
        said.push(format!("-- {}", words.join(" ")));
    }
    said.extend(asks.dangerously_allow_on_timeout.then(|| "--dangerously-allow-on-timeout".to_owned()));
    said.extend(asks.answer_command.iter().map(|command| with("--answer-command", command.as_ref())));
    said.extend(claude.allowed_tools.iter().map(|tools| with("--allowed-tools", tools)));
    said.extend(claude.settings.iter().map(|settings| with("--settings", settings)));
    said.extend(claude.mcp_config.iter().map(|servers| with("--mcp-config", servers)));
    said.extend(claude.add_dir.iter().map(|folder| with("--add-dir", folder)));
    said.extend(claude.agent.iter().map(|agent| with("--agent", agent)));
    said.extend(asks.allow.iter().map(|rule| with("--allow", rule.as_ref())));
    said
}

/// Asks for a yes, if one is needed.
pub(super) async fn agreed(job: &Job, parent: Option<&mut Parent>) -> Result<(), Failed> {
    if job.loosens.is_empty() {
        return Ok(());
    }
    let not = |why: &str| {
        let flags = short(&job.loosens.join(" "));
        (
            format!(
                "{flags}: below another tim this needs a yes at the root, and {why}; nothing was started"
            ),
            exit::USAGE,
        )
    };
    let Some(parent) = parent else { return Err(not("nobody could be asked there")) };
    let Some(welcome) = &parent.welcome else { return Err(not("the tim there cannot be asked for it")) };
    let name = welcome.path.labels().last().map(ToString::to_string).unwrap_or_default();
    match ask_early(parent, question(&name, &job.loosens), unix_ms()).await {
        Ok(answer) if answer.as_flag() == Some(true) => Ok(()),
        Ok(_) | Err(NotAnswered::Declined) => Err(not("the person said no")),
        Err(NotAnswered::Disconnected) => {
            let (why, _) = not("the connection to the person was lost");
            Err((why, exit::DISCONNECTED))
        }
        Err(why) => Err(not(&why.to_string())),
    }
}

/// A confirm that shows every flag, each in a line of its own. No default: an Enter agrees to nothing.
fn question(name: &str, flags: &[String]) -> Question {
    let message = format!("{name} wants to run with less asking:\n{}", flags.join("\n"));
    let config = PromptConfig::of(Text::new(&message));
    Question { asks: Asks::Prompt(PromptKind::Confirm, Box::new(config)), timeout_ms: None, claimed: None }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text.split_at(at).0),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};

    fn said(words: &[&str]) -> Vec<String> {
        let words = ["tim", "run", "go"].iter().chain(words).map(OsString::from);
        let Command::Run(args) = Args::read(&words.collect::<Vec<_>>()).unwrap().command else { panic!() };
        loosening(&args)
    }

    #[test]
    fn every_flag_that_loosens_is_named_as_it_was_said() {
        let all = "--allow Read --answer-command ./yes.sh --permission-timeout 1s --dangerously-allow-on-timeout \
                   --permission-mode acceptEdits --allowed-tools Bash --settings {} --mcp-config m.json \
                   --add-dir / --agent x -- --betas b";
        let expected = [
            "--permission-mode acceptEdits",
            "-- --betas b",
            "--dangerously-allow-on-timeout",
            "--answer-command ./yes.sh",
            "--allowed-tools Bash",
            "--settings '{}'",
            "--mcp-config m.json",
            "--add-dir /",
            "--agent x",
            "--allow Read",
        ];
        assert_eq!(said(&all.split_whitespace().collect::<Vec<_>>()), expected);
        assert_eq!(said(&["--allow", "Bash(echo 'a':*)"]), [r"--allow 'Bash(echo '\''a'\'':*)'"]);
    }

    /// Whoever adds a flag says here, or in [`loosening`], whether less is asked by it.
    #[test]
    fn of_every_flag_it_is_said_whether_it_loosens() {
        const LOOSENS: &str = "allow answer-command dangerously-allow-on-timeout permission-mode allowed-tools settings \
                               mcp-config add-dir agent";
        // A program to run is the business of the gate, as every program that an agent starts is; what is refused, what waits
        // and what is told allows nothing.
        const ASKS_NO_LESS: &str = "append-system-prompt backend claude continue deny disallowed-tools effort fail-fast \
             fallback-model file fork-session help idle-timeout image jobs journal keep-going keep-open \
             lock max-budget-usd max-turns model name no-journal no-terminal-input non-interactive \
             output-format permission-route permission-timeout print question-timeout refused-ok \
             require-human require-journal resume session-id strict-mcp-config system-prompt task tasks timeout tools \
             unattended wait";
        let has = |list: &str, flag: &str| list.split_whitespace().any(|known| known == flag);
        let command = <Args as clap::CommandFactory>::command();
        let run = command.find_subcommand("run").unwrap();
        for flag in run.get_arguments().filter_map(|argument| argument.get_long()) {
            assert!(has(LOOSENS, flag) != has(ASKS_NO_LESS, flag), "--{flag}");
        }
    }

    #[test]
    fn what_asks_as_much_or_more_needs_no_yes() {
        for words in [
            &["--permission-mode", "plan"][..],
            &["--permission-mode", "dontAsk"],
            &["--deny", "Bash"],
            &["--model", "m", "-n", "review", "-p"],
            &["--backend", "./x", "--", "--anything"],
        ] {
            assert!(said(words).is_empty(), "{words:?}");
        }
    }

    #[test]
    fn the_question_has_no_default_and_shows_every_flag_whole() {
        let long = format!("--allow 'Bash({}:*)'", "x".repeat(400));
        let Question { asks: Asks::Prompt(kind, config), .. } =
            question("review", std::slice::from_ref(&long))
        else {
            panic!()
        };
        assert_eq!((kind, config.default.is_none()), (PromptKind::Confirm, true));
        assert_eq!(config.message.get(), format!("review wants to run with less asking:\n{long}"));
        assert!(config.details.is_none(), "what stands there need not be looked at");
    }
}
