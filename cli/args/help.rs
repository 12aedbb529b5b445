//! What `tim --help` says: the commands in their groups, and all exit codes in one table.
//!
//! Texts only, broken by hand: they must not break inside a word on a screen of 80 columns, and the short help fits on one of
//! 24 rows. Tests hold them to what there is.

/// What it is, in a row.
pub(super) const ABOUT: &str =
    "Carries every question of a coding agent to you, and what you type to the agent";

/// The commands by what they are for, instead of clap's one list.
pub(super) const TEMPLATE: &str = "\
{about}

Usage: tim COMMAND                       `tim COMMAND --help` teaches by example

Work             run         Run Claude Code, or another agent, with you at hand
                 demo        Try tim without Claude Code: an agent pretends
Watch and steer  ps          Show what runs: agents, clients and open questions
                 answer      Answer an open question of a run
                 send        Say something to an agent, or to all of them
                 stop        Interrupt an agent, or end it
Look back        log         See which runs there were, and who decided what
                 replay      Play a recorded run again, through the same router
Set up           rules       Say what an agent may do unasked, and try it out
                 config      See what is configured, and who said it
                 doctor      Look whether all is there that tim needs
                 completion  Print what a shell needs to complete words
                 man         Print a page for `man`, or write all of them
Scripts          ask         Ask a person a question and print the answer
                 emit        Report something to the person, through the tunnel
                 serve       Open a socket and carry the questions that come
                 mcp         Be asked by a Claude Code that you started yourself{after-help}";

/// The last rows of the short help.
pub(super) const SHORT: &str = "\
-h this help, --help with exit codes, -V the version, -v a log. First: tim demo";

/// All exit codes: one meaning each, as far as the commands go.
pub(super) const LONG: &str = "\
Options:
  -v, --verbose  Log what happens (-vv: all of it) to ~/.local/state/tim/log, or
                 to the file that TIM_LOG names; never onto the screen
  -h, --help     Print help; -h is shorter
  -V, --version  Print the version

Begin with `tim demo`, which needs nothing else; then `tim run 'fix the test'`.
If something is not as it should be, `tim doctor` says what to do.

Exit codes:
    0  done; answered
    1  failed; the answer is no; asks (rules test); differs (replay --check)
    2  usage or configuration; a folder that you do not trust
    3  the time was up
    4  the tim above this one, or the run that was meant, is gone
    5  nobody decided something (run); declined (ask); denied (rules test)
    6  nobody can answer here; not for an agent's own process
   70  a failure of tim's own
   74  what must be written could not be (output, or a record that is required)
  126  the agent cannot be run
  127  the agent is not found
  130  Ctrl-C; any other signal n: 128 + n
  141  whoever read stdout is gone";
