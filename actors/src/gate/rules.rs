//! Rules, in the syntax of Claude Code: `Bash(git status:*)`, `Edit(src/**)`, `mcp__server__*`, `WebSearch`.
//!
//! Owns what a rule says. A rule that is not understood is an error that names the place; it is never a rule that matches
//! less or more. Judges nothing by itself except whether it names a tool or the words of a command.

use std::fmt;

use super::paths::Pattern;
use super::shell::{self, Word, WordKind};
use super::tools::is_for_files;

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    text: String,
    pub(super) covers: Covers,
}

/// What a rule is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Covers {
    /// every use of the tool of that name
    Tool(String),
    /// every tool of that server of the Model Context Protocol: what its tools' names begin with
    Server(String),
    /// commands that begin with these words, or are exactly these
    Command { words: Vec<String>, is_exact: bool },
    /// files, for one of the families of tools
    Files(String, Pattern),
    /// pages of that host
    Host(String),
}

/// What is wrong with a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRule {
    /// how many characters are before the place
    pub at: usize,
    /// what is wrong, and what to write instead
    pub what: String,
}

impl BadRule {
    fn new(at: usize, what: impl Into<String>) -> Self {
        Self { at, what: what.into() }
    }
}

impl fmt::Display for BadRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "column {}: {}", self.at + 1, self.what)
    }
}

impl std::error::Error for BadRule {}

/// The rules in force.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleSet {
    /// what may run unasked
    pub allow: Vec<Rule>,
    /// what never runs
    pub deny: Vec<Rule>,
}

/// The tool that runs commands.
pub(super) const BASH: &str = "Bash";

impl Rule {
    /// Reads a rule.
    pub fn parse(text: &str) -> Result<Self, BadRule> {
        if text.trim() != text {
            let at = text.chars().take_while(|letter| letter.is_whitespace()).count();
            let at = if at > 0 { 0 } else { text.trim_end().chars().count() };
            return Err(BadRule::new(at, "a blank that does not belong to the rule"));
        }
        // Rules are given to Claude Code on its command line, where such a word would be a flag.
        if text.starts_with('-') {
            return Err(BadRule::new(0, "a tool whose name begins with -: this looks like a flag"));
        }
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
        let name: String = text.chars().take_while(|letter| is_name(*letter)).collect();
        let rest = text.strip_prefix(name.as_str()).unwrap_or_default();
        let covers = covers(&name, rest)?;
        Ok(Self { text: text.to_owned(), covers })
    }

    /// A rule for commands that begin with these words, or are exactly these.
    #[must_use]
    pub(super) fn for_command(words: &[Word], is_exact: bool) -> Self {
        let quoted: Vec<_> = words.iter().map(|word| quote(&word.text)).collect();
        let end = if is_exact { "" } else { ":*" };
        Self {
            text: format!("{BASH}({}{end})", quoted.join(" ")),
            covers: Covers::Command { words: words.iter().map(|word| word.text.clone()).collect(), is_exact },
        }
    }

    /// Whether it is about the words of commands.
    pub(super) const fn is_for_commands(&self) -> bool {
        matches!(self.covers, Covers::Command { .. })
    }

    /// The program that it is about.
    pub(super) fn program(&self) -> Option<&str> {
        match &self.covers {
            Covers::Command { words, .. } => words.first().map(String::as_str),
            _ => None,
        }
    }

    /// Whether it is about every use of this tool.
    pub(super) fn names(&self, tool: &str) -> bool {
        match &self.covers {
            Covers::Tool(name) => name == tool,
            Covers::Server(start) => tool.starts_with(start),
            _ => false,
        }
    }

    /// Whether a command begins with its words, or is exactly these.
    pub(super) fn matches(&self, command: &[Word]) -> bool {
        let same = |word: &str, other: &Word| other.is(word);
        command
            .split_first()
            .is_some_and(|(program, rest)| self.compares(|first| program.is(first), rest, same))
    }

    /// Whether it could be about a program of that name, however that is written.
    pub(super) fn is_about(&self, name: &str, rest: &[Word]) -> bool {
        // A pattern may become any word.
        let may_be = |word: &str, other: &Word| other.kind == WordKind::Pattern || other.text == word;
        self.compares(|first| first.eq_ignore_ascii_case(name), rest, may_be)
    }

    fn compares(
        &self,
        is_program: impl Fn(&str) -> bool,
        rest: &[Word],
        is: impl Fn(&str, &Word) -> bool,
    ) -> bool {
        let Covers::Command { words, is_exact } = &self.covers else { return false };
        let Some((first, further)) = words.split_first() else { return false };
        let is_long_enough =
            if *is_exact { rest.len() == further.len() } else { rest.len() >= further.len() };
        is_program(first) && is_long_enough && further.iter().zip(rest).all(|(word, other)| is(word, other))
    }

    /// How many words of a command it spells out; all of them if it is exact.
    pub(super) const fn spells_out(&self) -> usize {
        match &self.covers {
            Covers::Command { is_exact: true, .. } => usize::MAX,
            Covers::Command { words, .. } => words.len(),
            _ => 0,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

/// Reads what is behind the name.
fn covers(name: &str, rest: &str) -> Result<Covers, BadRule> {
    let here = name.chars().count();
    if name.is_empty() {
        return Err(BadRule::new(0, "a rule begins with the name of a tool, such as Bash or Edit"));
    }
    if name.starts_with("mcp__") {
        return server_or_tool(name, rest);
    }
    if rest.is_empty() {
        return Ok(Covers::Tool(name.to_owned()));
    }
    let Some(inside) = rest.strip_prefix('(') else {
        return Err(BadRule::new(here, "expected the end, or `(` and what the rule is for"));
    };
    let Some(inside) = inside.strip_suffix(')') else {
        return Err(BadRule::new(here + rest.chars().count(), "the `)` at the end is missing"));
    };
    let here = here + 1;
    match name {
        BASH => command(inside, here),
        "WebFetch" => host(inside, here),
        _ if is_for_files(name) => {
            let pattern = Pattern::parse(inside).map_err(|(at, what)| BadRule::new(here + at, what))?;
            Ok(Covers::Files(name.to_owned(), pattern))
        }
        _ => Err(BadRule::new(here - 1, format!("rules for {name} have no `( )`: write {name} alone"))),
    }
}

/// `mcp__server`, `mcp__server__*` or `mcp__server__tool`.
fn server_or_tool(name: &str, rest: &str) -> Result<Covers, BadRule> {
    let here = name.chars().count();
    let below = name.strip_prefix("mcp__").unwrap_or_default();
    let (server, tool) = below.split_once("__").unwrap_or((below, "*"));
    if server.is_empty() {
        return Err(BadRule::new("mcp__".len(), "the name of the server is missing"));
    }
    match (tool, rest) {
        ("*", "") | ("", "*") => Ok(Covers::Server(format!("mcp__{server}__"))),
        ("" | "*", _) => Err(BadRule::new(here, "expected `*` or the name of a tool")),
        (_, "") => Ok(Covers::Tool(name.to_owned())),
        _ => Err(BadRule::new(here, "expected the end: `*` stands for all tools of a server only")),
    }
}

/// The words of a command, and whether anything may follow them.
fn command(inside: &str, here: usize) -> Result<Covers, BadRule> {
    let prefix = inside.strip_suffix(":*").or_else(|| inside.strip_suffix(" *"));
    let written = prefix.unwrap_or(inside);
    if written.trim().is_empty() || written == "*" {
        let what = "no command is named; to allow every command write Bash alone";
        return Err(BadRule::new(here, what));
    }
    let bad = |at: usize, what: &str| BadRule::new(here + at, what);
    let mut parts = match shell::scan(written) {
        Ok(script) => script.parts,
        Err(unclear) => return Err(bad(unclear.at, &format!("{}; quote it", unclear.what))),
    };
    let Some(part) = parts.pop().filter(|part| parts.is_empty() && part.source == written.trim()) else {
        return Err(bad(0, "a rule is one command; write one rule for each"));
    };
    if part.is_redirected {
        return Err(bad(0, "leave out the redirections"));
    }
    if !part.assignments.is_empty() {
        return Err(bad(0, "leave out the variables before the command"));
    }
    if part.words.iter().any(|word| word.kind != WordKind::Plain) {
        let what = "a pattern; only `:*` at the end stands for more words. Quote what is meant as it stands";
        return Err(bad(0, what));
    }
    Ok(Covers::Command {
        words: part.words.into_iter().map(|word| word.text).collect(),
        is_exact: prefix.is_none(),
    })
}

/// `domain:example.com`.
fn host(inside: &str, here: usize) -> Result<Covers, BadRule> {
    let is_host = |host: &&str| {
        !host.is_empty()
            && host.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-'))
    };
    match inside.strip_prefix("domain:").filter(is_host) {
        Some(host) => Ok(Covers::Host(host.to_ascii_lowercase())),
        None => Err(BadRule::new(here, "expected domain: and the name of a host, such as domain:docs.rs")),
    }
}

/// A word as it can stand in a rule, and in a shell.
pub(super) fn quote(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./:=@%+,".contains(letter);
    let needs_none =
        !word.is_empty() && word.chars().all(is_plain) && !word.starts_with('=') && !word.ends_with(':');
    if needs_none { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests;
