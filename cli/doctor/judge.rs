//! The judging: facts in, rows out. Pure.
//!
//! Owns what counts as fine, as could be better and as in the way, and the words for what to do. What only makes less
//! happen than could is a warning; what keeps a run from starting, or a file of the user's from counting, is a problem.

mod place;

use super::check::Check;
use super::facts::{Claude, Configured, Facts, Login, NamedBy, Rules, Settings};

/// All rows, in the order in which they matter.
pub(super) fn all(facts: &Facts) -> Vec<Check> {
    let mut all = vec![own(facts), claude(&facts.claude), login(&facts.login)];
    all.extend(settings(&facts.settings));
    all.extend(config(&facts.config));
    all.push(rules(&facts.rules));
    all.extend(place::all(facts));
    all
}

fn own(facts: &Facts) -> Check {
    let version = env!("CARGO_PKG_VERSION");
    match &facts.own {
        Ok(path) => Check::ok("tim", format!("{version}, {}", path.display())),
        Err(why) => Check::problem(
            "tim",
            format!("{version}; where it lies is not known: {why}"),
            "start it by its full path: no agent can be guarded without",
        ),
    }
}

/// The versions with which everything here is tried.
const TESTED: [[u64; 3]; 2] = [[2, 1, 197], [2, 1, 325]];
/// What is older speaks another language on its pipes.
const OLDEST: [u64; 3] = [2, 0, 0];

const INSTALL: &str = "npm install -g @anthropic-ai/claude-code, or say where it is: TIM_CLAUDE=PATH; `tim demo` \
                       works without";

fn claude(claude: &Claude) -> Check {
    const NAME: &str = "claude";
    let path = claude.program.display();
    if !claude.is_there {
        return match claude.named_by {
            NamedBy::Nobody => Check::problem(NAME, "not found on the path (PATH)", INSTALL),
            by => Check::problem(NAME, format!("there is no {path} ({})", named(by)), INSTALL),
        };
    }
    let at = format!("{path} ({})", named(claude.named_by));
    let said = match &claude.version {
        Ok(said) => said.lines().next().unwrap_or_default().trim(),
        Err(why) => {
            let todo = format!("try it: {path} --version");
            return Check::problem(NAME, format!("{at} cannot be run: {why}"), todo);
        }
    };
    let Some(version) = version(said) else {
        let found = format!("{at} does not say its version");
        return Check::warning(NAME, found, format!("is it Claude Code? Try it: {path} --version"));
    };
    versioned(NAME, version, &at)
}

fn versioned(name: &'static str, version: [u64; 3], at: &str) -> Check {
    let [oldest, newest] = TESTED;
    let found = format!("{}, {at}", dotted(version));
    let range = format!("{} to {}", dotted(oldest), dotted(newest));
    match version {
        _ if version < OLDEST => {
            Check::problem(name, format!("{found}: too old"), format!("update it; tested are {range}"))
        }
        _ if version < oldest => {
            Check::warning(name, found, format!("older than what is tested ({range}): update it"))
        }
        _ if version > newest => {
            let todo = format!("newer than what is tested ({range}); most likely it works");
            Check::warning(name, found, todo)
        }
        _ => Check::ok(name, found),
    }
}

const fn named(by: NamedBy) -> &'static str {
    match by {
        NamedBy::Flag => "--claude",
        NamedBy::Variable => "TIM_CLAUDE",
        NamedBy::Config => "configuration",
        NamedBy::Nobody => "PATH",
    }
}

/// `2.1.325 (Claude Code)`
fn version(said: &str) -> Option<[u64; 3]> {
    actors::agent::command::Abilities::read(said, "").version
}

fn dotted([major, minor, patch]: [u64; 3]) -> String {
    format!("{major}.{minor}.{patch}")
}

fn login(login: &Login) -> Check {
    const NAME: &str = "login";
    if let Some(variable) = login.variable {
        return Check::ok(NAME, format!("{variable} is set"));
    }
    if login.has_helper {
        return Check::ok(NAME, "apiKeyHelper in Claude's settings");
    }
    match &login.file {
        Some((file, true)) => Check::ok(NAME, format!("{} is there", file.display())),
        file => {
            let place = file.as_ref().map(|(file, _)| format!(", no {}", file.display()));
            let found = format!("none found here (no variable{})", place.unwrap_or_default());
            Check::warning(NAME, found, "`claude`, then /login; or it is in a keychain, where nobody looked")
        }
    }
}

/// So many are told one by one.
const MOST_IGNORED: usize = 8;

fn settings(settings: &Settings) -> Vec<Check> {
    const NAME: &str = "settings";
    let todo = "correct it: Claude Code says nothing when it ignores what stands there";
    let told = settings.ignored.iter().take(MOST_IGNORED);
    let mut all: Vec<Check> = told.map(|what| Check::warning(NAME, what, todo)).collect();
    if let Some(more @ 1..) = settings.ignored.len().checked_sub(MOST_IGNORED) {
        all.push(Check::warning(NAME, format!("and {more} more like these"), todo));
    }
    if all.is_empty() {
        let files = settings.files.join(", ");
        let none = "Claude Code has none here: neither yours nor the folder's";
        all.push(Check::ok(NAME, if files.is_empty() { none.to_owned() } else { files }));
    }
    all
}

fn config(config: &Result<Configured, String>) -> Vec<Check> {
    const NAME: &str = "config";
    let Configured { files, held } = match config {
        Err(why) => return vec![Check::problem(NAME, why, "correct that: until then no run starts")],
        Ok(configured) => configured,
    };
    let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    let none = "none: what is built in counts".to_owned();
    let read = Check::ok(NAME, if names.is_empty() { none } else { names.join(", ") });
    let held = held.iter().map(|(what, todo)| Check::warning(NAME, what, todo));
    std::iter::once(read).chain(held).collect()
}

fn rules(rules: &Result<Rules, String>) -> Check {
    const NAME: &str = "rules";
    let Rules { file, allow, deny, configured } = match rules {
        Err(why) => return Check::problem(NAME, why, "correct that: until then none of its rules counts"),
        Ok(rules) => rules,
    };
    let written = file.as_ref().map(|file| format!("{allow} allow, {deny} deny, {}", file.display()));
    let configured = (*configured > 0).then(|| format!("{configured} in the configuration"));
    let found: Vec<String> = written.into_iter().chain(configured).collect();
    Check::ok(
        NAME,
        if found.is_empty() { "none yet: everything is asked".to_owned() } else { found.join("; ") },
    )
}
