//! `tim rules`: what an agent may do unasked, in a file of the user's own.
//!
//! Owns the subcommands and where the file is. Judges nothing itself, that is the gate's; and runs nothing. Each
//! subcommand ends with one exit code: 2 if a rule or the file is wrong, 1 if something could not be done; `test` tells its
//! judgement by it.

mod change;
mod document;
#[cfg(test)]
mod document_tests;
mod edit;
mod explain;
mod judge;
mod lines;
mod list;

use std::fmt;
use std::io::{self, Write as _};
use std::path::PathBuf;

use actors::gate::rules::{Rule, RuleSet};
use actors::gate::{Gate, Place};
use codec::text::visible;

use crate::args::{RulesArgs, RulesCommand};
use crate::environment::Environment;
use crate::exit::{self, Code};
use crate::trusted::{self, Trust};
use document::Document;
pub(crate) use document::{Entry, entries};

/// Which list of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    Allow,
    Deny,
}

impl List {
    /// Its key in the file.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            List::Allow => "allow",
            List::Deny => "deny",
        }
    }

    const fn other(self) -> Self {
        match self {
            List::Allow => List::Deny,
            List::Deny => List::Allow,
        }
    }
}

impl fmt::Display for List {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.word())
    }
}

/// What the rules are believed for. A link would let whoever can write elsewhere say what runs.
const TRUST: Trust = Trust {
    because: "it says what runs unasked",
    may_be_link: false,
    may_be_roots: true,
    may_be_shared: false,
};

/// Runs the command.
pub(crate) fn run(args: &RulesArgs, environment: &Environment) -> Code {
    match &args.command {
        RulesCommand::List(args) => list::run(args, environment),
        RulesCommand::Add(args) => change::add(args, environment),
        RulesCommand::Remove(args) => change::remove(args, environment),
        RulesCommand::Test(args) => judge::run(args, environment),
    }
}

/// Puts allow rules into the user's file: those that are not there yet.
///
/// # Errors
/// Says why they are not there.
pub(crate) async fn keep(environment: &Environment, rules: &[String]) -> Result<(), String> {
    change::keep(&file(environment)?, rules).await
}

/// The rules of the user's file. If anything is wrong with it there is none, and the error says what to change.
pub(crate) fn of_user(environment: &Environment) -> Result<RuleSet, String> {
    // Without a home there is no file either.
    file(environment).map_or_else(|_| Ok(RuleSet::default()), |path| Ok(read(path, TRUST)?.rule_set()))
}

/// Whether a run is below another tim, where an agent may have started it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Below {
    /// it is not
    Nobody,
    /// it is: no allow rule counts
    Asked,
    /// it is, and the person there has agreed to what the flags allow; an agent may have chosen the file
    Agreed,
}

/// The rules in force in a run: of the user's file, of the configuration and of the flags. If the file cannot be read nothing
/// is allowed unasked, because what it denies is not known. Below another tim neither, because whoever started us there may be
/// an agent.
pub(crate) fn in_force(
    environment: &Environment,
    configured: &RuleSet,
    flags: &RuleSet,
    below: Below,
    warn: impl Fn(&str),
) -> Gate {
    let (written, is_read) = match of_user(environment) {
        Ok(rules) => (rules, true),
        Err(why) => {
            warn(&format!("{why}; none of its rules counts, and nothing is allowed unasked"));
            (RuleSet::default(), false)
        }
    };
    if below == Below::Asked && !flags.allow.is_empty() {
        warn("--allow does not count below another tim: the person there is asked");
    }
    let mut rules = together(together(written, configured), flags);
    match below {
        _ if !is_read => rules.allow.clear(),
        Below::Nobody => {}
        Below::Asked => rules.allow.clear(),
        Below::Agreed => rules.allow.clone_from(&flags.allow),
    }
    Gate::new(rules, place(environment))
}

/// The rules of the flags. A bad one is shown, with its place.
pub(crate) fn from_flags(allow: &[String], deny: &[String]) -> Result<RuleSet, Code> {
    Ok(RuleSet { allow: parsed(allow, Some("--allow"))?, deny: parsed(deny, Some("--deny"))? })
}

/// All rules of both.
fn together(mut rules: RuleSet, more: &RuleSet) -> RuleSet {
    rules.allow.extend_from_slice(&more.allow);
    rules.deny.extend_from_slice(&more.deny);
    rules
}

/// The current folder, and the home. Where there is none, or it has no name that can be written, rules for files in it are
/// about nothing.
pub(crate) fn place(environment: &Environment) -> Place {
    let folder = std::env::current_dir().ok();
    let root = folder.and_then(|folder| folder.into_os_string().into_string().ok()).unwrap_or_default();
    let home = environment.home.as_ref().and_then(|home| home.to_str()).map(str::to_owned);
    Place { root, home }
}

/// Where the user's file is, or would be.
pub(crate) fn file(environment: &Environment) -> Result<PathBuf, String> {
    let nowhere =
        || "there is no place for rules: neither HOME nor XDG_CONFIG_HOME is set; set one of them".to_owned();
    Ok(environment.config_folder().ok_or_else(nowhere)?.join("rules.toml"))
}

/// What the file says; an empty one if it is not there.
fn read(path: PathBuf, trust: Trust) -> Result<Document, String> {
    let text = trusted::read(&path, trust).map_err(|why| format!("{}: {why}", path.display()))?;
    Document::parse(path, text.unwrap_or_default())
}

/// Reads rules of the command line, or of a flag of it. A bad one is shown, with its place.
fn parsed(rules: &[String], flag: Option<&str>) -> Result<Vec<Rule>, Code> {
    let parse = |rule: &String| Rule::parse(rule).map_err(|bad| show_bad(rule, bad.at, &bad.what, flag));
    rules.iter().map(parse).collect()
}

/// As many letters of a rule as are shown on either side of the place that is wrong.
const AROUND: usize = 36;

/// Shows a bad rule with a caret under its place. If that cannot be written, the exit code still says it.
fn show_bad(rule: &str, at: usize, why: &str, flag: Option<&str>) -> Code {
    let place = flag.map(|flag| format!("{flag}: ")).unwrap_or_default();
    crate::warn(&format!("{place}{why}"));
    let cut = |from: usize, length: usize| rule.chars().skip(from).take(length).collect::<String>();
    let skipped = at.saturating_sub(AROUND);
    let dots = |is_cut: bool| if is_cut { "…" } else { "" };
    let before = format!("{}{}", dots(skipped > 0), visible(&cut(skipped, at - skipped)));
    let after = format!("{}{}", visible(&cut(at, AROUND)), dots(rule.chars().count() > at + AROUND));
    let caret = " ".repeat(before.chars().count());
    let _ = writeln!(io::stderr(), "  {before}{after}\n  {caret}^");
    exit::USAGE
}

/// Prints rows, and says how to exit.
fn print(rows: &[String], code: Code) -> Code {
    let mut out = io::stdout().lock();
    let printed = rows.iter().try_for_each(|row| writeln!(out, "{row}"));
    match printed.and_then(|()| out.flush()) {
        Ok(()) => code,
        Err(error) => crate::output_failed(&error),
    }
}
