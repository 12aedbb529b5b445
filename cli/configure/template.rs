//! What a new file of the configuration says: every key, as a comment, with what it is for.
//!
//! Texts only. A key that is missing here fails a test.

/// The user's own file.
pub(super) const OWN: &str = r#"# Settings of tim, for every folder. `tim config show` says what counts, and why.
# Each line that begins with #key = is the default, or an example.

# --- What may run unasked. `tim rules add` keeps such rules in rules.toml, beside this file.
#allow = ["Bash(git status:*)", "Bash(cargo test:*)"]
#deny = ["Bash(git push:*)"]

# --- Who answers, and how long that may take
# A program that answers: the question on its stdin, the answer on stdout.
#answer-command = "~/bin/decide.py"
# How long a permission may wait; then it is denied, and the agent is told so.
#permission-timeout = "10m"
# Then it is allowed instead, if somebody saw it. Dangerous, as it says.
#dangerously-allow-on-timeout = false
# How long a question of the agent may wait; then it is told that nobody answered.
#question-timeout = "1h"
# An agent ends after this time, or if it says nothing for so long; exit 3.
#timeout = "2h"
#idle-timeout = "30m"
# A run in which something was refused, because nobody could decide it, exits with 0 and not with 5.
#refused-ok = false

# --- Which agent
#claude = "~/.local/bin/claude"
#model = "opus"
# Whether lines that are typed at the terminal go to the agent.
#terminal-input = true

# --- The record of each run
#journal = true
#journal-folder = "~/.local/state/tim/runs"
# How long and how much is kept; 0 for ever.
#journal-days = 30
#journal-size = "2 GB"
# Nothing happens whose record cannot be written; exit 74.
#require-journal = false

# --- Folders whose .tim/config.toml and .tim/config.local.toml may loosen: allow rules, commands, agents.
# Whoever can write there then decides what runs unasked, agents at work there too.
#trusted-folders = ["~/src/app"]

# --- How you are called when a question waits and you look elsewhere
#[attention]
#bell = true
#notify = true
#title = true
#after = "10s"
#command = "my-lamp blink"

# --- Agents of your own: `tim run --backend reviewer`
#[backends.reviewer]
#command = "python3 ~/agents/review.py"
"#;

/// The file of a project.
pub(super) const PROJECT: &str = r#"# Settings of tim for this folder and those below it, for all who work here.
# .tim/config.local.toml is for one's own and goes over this file: keep it out of version control.
# Each line that begins with #key = is an example.

# --- These count for everybody
#deny = ["Bash(git push:*)", "Read(.env)"]
#require-journal = true

# --- All others count only for whoever names this folder in trusted-folders of their own file:
#     allow, answer-command, permission-timeout, dangerously-allow-on-timeout, question-timeout, timeout, idle-timeout,
#     refused-ok, claude, model, terminal-input, journal, journal-folder, journal-days, journal-size, [attention],
#     [backends.NAME]
"#;
