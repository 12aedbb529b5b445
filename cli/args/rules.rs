//! What can be said after `tim rules`.

use clap::Subcommand;

/// Say what an agent may do unasked, and try it out
#[derive(Debug, clap::Args)]
#[command(long_about = RULES_LONG, after_help = RULES_EXAMPLES, arg_required_else_help = true)]
pub(crate) struct RulesArgs {
    #[command(subcommand)]
    pub(crate) command: RulesCommand,
}

/// What to do with the rules.
#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    List(ListArgs),
    Add(AddArgs),
    Remove(RemoveArgs),
    Test(TestArgs),
}

/// Print the rules, and where they are
#[derive(Debug, clap::Args)]
#[command(long_about = LIST_LONG, after_help = LIST_EXAMPLES)]
pub(crate) struct ListArgs {
    /// Print one JSON object: file, allow, deny
    #[arg(long)]
    pub(crate) json: bool,
}

/// Add rules to the file
#[derive(Debug, clap::Args)]
#[command(long_about = ADD_LONG, after_help = ADD_EXAMPLES)]
pub(crate) struct AddArgs {
    /// Forbid what the rules say, instead of allowing it
    #[arg(long)]
    pub(crate) deny: bool,
    /// What to add, each in quotes
    #[arg(value_name = "RULE", required = true)]
    pub(crate) rules: Vec<String>,
}

/// Take rules out of the file
#[derive(Debug, clap::Args)]
#[command(long_about = REMOVE_LONG, after_help = REMOVE_EXAMPLES)]
pub(crate) struct RemoveArgs {
    /// Only from the list of what is forbidden
    #[arg(long)]
    pub(crate) deny: bool,
    /// What to take out, each in quotes and as `tim rules list` shows it
    #[arg(value_name = "RULE", required = true)]
    pub(crate) rules: Vec<String>,
}

/// Explain what would become of a command; runs nothing
#[derive(Debug, clap::Args)]
#[command(long_about = TEST_LONG, after_help = TEST_EXAMPLES)]
pub(crate) struct TestArgs {
    /// One more rule that allows
    #[arg(long, value_name = "RULE")]
    pub(crate) allow: Vec<String>,
    /// One more rule that forbids
    #[arg(long, value_name = "RULE")]
    pub(crate) deny: Vec<String>,
    /// Leave out the rules of the file
    #[arg(long, conflicts_with = "jsonl")]
    pub(crate) no_file: bool,
    /// The tool; CMD is then its path, its URL or its input as JSON
    #[arg(long, value_name = "NAME", default_value = BASH)]
    pub(crate) tool: String,
    /// Print one JSON object: decision, why, rule, parts
    #[arg(long, conflicts_with = "jsonl")]
    pub(crate) json: bool,
    /// Read cases from stdin, one JSON object a line
    #[arg(long, conflicts_with = "command")]
    pub(crate) jsonl: bool,
    /// What would run; what follows its first word belongs to it
    #[arg(value_name = "CMD", required_unless_present_any = ["jsonl", "tool"], trailing_var_arg = true)]
    pub(crate) command: Vec<String>,
}

/// The tool that runs commands.
pub(crate) const BASH: &str = "Bash";

const RULES_LONG: &str = "\
Say what an agent may do unasked, and try it out.

A rule names a tool, and for most tools what of it:
  Bash(git status:*)   commands that begin with these words
  Bash(npm run build)  exactly these words, and nothing after them
  Read(//etc/**)       files, by a path from the root of the file system,
  Read(~/notes/**)     from your home,
  Edit(src/**)         or from the folder of the work
  WebFetch(domain:docs.rs)   the pages of a host
  mcp__server__*       every tool of an MCP server; or one, by its whole name
  WebSearch            every use of a tool

A rule that denies wins over every rule that allows. What no rule covers is
asked. So is whatever is not understood, and any option by which a program
runs or writes something else, unless a rule spells it out. A command of
several parts (&&, |, ;) is allowed only if each part is.

Rules save you questions; they are no sandbox. They are in rules.toml in
~/.config/tim (or $XDG_CONFIG_HOME/tim), which only you may be able to write.
If anything in that file is wrong, none of its rules counts.";

const RULES_EXAMPLES: &str = "\
Examples:
  tim rules add 'Bash(git status:*)' 'Bash(cargo test:*)'
  tim rules add --deny 'Bash(git push:*)' 'Read(//etc/**)'
  tim rules test 'git status && git push'
  tim rules list";

const LIST_LONG: &str = "\
Print the rules, and where they are.

The first row is the path of the file, each other one a rule of it.";

const LIST_EXAMPLES: &str = "\
Examples:
  tim rules list
  tim rules list --json | jq -r '.allow[]'

Exit codes: 0 printed (also if there is no rule), 2 the file cannot be used";

const ADD_LONG: &str = "\
Add rules to the file.

Comments and order of the file stay. A rule that is there already is said, and
the file is left alone. Several programs may add at the same time.";

const ADD_EXAMPLES: &str = "\
Examples:
  tim rules add 'Bash(git status:*)'
  tim rules add 'Edit(src/**)' 'Read(~/notes/**)'
  tim rules add --deny 'Bash(rm:*)'

Exit codes: 0 all are in the file, 1 not saved, 2 a rule or the file is wrong";

const REMOVE_LONG: &str = "\
Take rules out of the file.

From whichever list they are in. If one of them is not there, none is taken
out, and the nearest ones are named.";

const REMOVE_EXAMPLES: &str = "\
Examples:
  tim rules remove 'Bash(git status:*)'
  tim rules remove --deny 'Bash(rm:*)'

Exit codes: 0 removed, 1 no such rule or not saved, 2 a rule or the file is
wrong";

const TEST_LONG: &str = "\
Explain what would become of a command, part by part. Nothing is run.

Judged by the rules of the file and of the flags, as if it were to run in the
current folder. Options come before CMD. Several words are joined with blanks;
quote the command to keep the quotes that are in it.";

const TEST_EXAMPLES: &str = "\
Examples:
  tim rules test 'git log --oneline | head -3'
  tim rules test --no-file --allow 'Bash(cargo test:*)' cargo test --release
  tim rules test --tool Read /etc/passwd
  tim rules test --tool mcp__tracker__create '{\"title\":\"x\"}'

With --jsonl each line is {\"command\":...} with any of allow, also and deny
(lists of rules) and rule (one that allows). The rules of the file do not count
there, those of the flags do. Each line gets one line at once:
  {\"decision\":\"allow\",\"why\":\"...\"}         or ask, or deny

Exit codes: 0 allowed, 1 asked, 5 denied, 2 a rule or the file is wrong; with
--jsonl 0, or 2 if a line could not be read";
