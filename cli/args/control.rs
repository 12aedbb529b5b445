//! What can be said to runs from another shell: `tim ps`, `tim answer`, `tim send`, `tim stop`.

/// Show what runs: agents, clients and open questions
#[derive(Debug, clap::Args)]
#[command(long_about = PS_LONG, after_help = PS_EXAMPLES)]
pub(crate) struct PsArgs {
    /// Print one JSON object: runs, a list
    #[arg(long)]
    pub(crate) json: bool,
}

/// Answer an open question of a run
#[derive(Debug, clap::Args)]
#[command(long_about = ANSWER_LONG, after_help = ANSWER_EXAMPLES)]
pub(crate) struct AnswerArgs {
    /// Which question, as `tim ps` shows it; p14 if only one run has that
    pub(crate) key: String,
    /// The answer: y, n, a choice by its name or number, or text
    #[arg(required_unless_present_any = ["json", "decline"], conflicts_with_all = ["json", "decline"])]
    pub(crate) value: Vec<String>,
    /// What the agent should know about a no
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["json", "decline"])]
    pub(crate) reason: Option<String>,
    /// The answer as a JSON value, as an answer command would print it
    #[arg(long, value_name = "VALUE", conflicts_with = "decline")]
    pub(crate) json: Option<String>,
    /// Give no answer, and say so: as Ctrl-C at the question
    #[arg(long)]
    pub(crate) decline: bool,
}

/// Say something to an agent, or to all of them
#[derive(Debug, clap::Args)]
#[command(long_about = SEND_LONG, after_help = SEND_EXAMPLES)]
pub(crate) struct SendArgs {
    /// Who: a name of `tim ps`, or all
    pub(crate) name: String,
    /// What
    #[arg(required = true)]
    pub(crate) text: Vec<String>,
    /// In which run, if several have that name; its first letters will do
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,
}

/// Interrupt an agent, or end it
#[derive(Debug, clap::Args)]
#[command(long_about = STOP_LONG, after_help = STOP_EXAMPLES)]
pub(crate) struct StopArgs {
    /// Which agent, as `tim ps` shows it
    pub(crate) name: String,
    /// End it, with all that it started
    #[arg(long)]
    pub(crate) end: bool,
    /// In which run, if several have that name; its first letters will do
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,
}

const PS_LONG: &str = "\
Show what runs: agents, clients and open questions.

Every `tim run` and `tim serve` of yours is listed, with what its agents do and
what waits for an answer. A run that an agent started stands below that agent,
and its questions stand where they are answered. Works from any shell of yours,
but not from the shell of an agent.";

const PS_EXAMPLES: &str = "\
Examples:
  tim ps
  tim ps --json | jq -r '.runs[].questions[].key'

Exit codes: 0 listed (also if nothing runs), 6 asked by an agent's process";

const ANSWER_LONG: &str = "\
Answer an open question of a run.

Whoever answers first decides: the terminal of the run shows then that it was
answered elsewhere. What does not fit the question leaves it open and says why.
  a permission      y or n; --reason tells the agent why not
  yes or no         y or n
  a choice          its name, its value or its number
  several choices   one word for each, or none
  text              the words
  an agent's own questions   one word for each: a label, a number or text;
                    1,3 where several may be chosen";

const ANSWER_EXAMPLES: &str = "\
Examples:
  tim answer 7f3c0a1b.p14 y
  tim answer p14 n --reason 'not before the tag'
  tim answer p3 2                          the second choice
  tim answer p3 --json '{\"allow\":true}'  as an answer command would print it

Exit codes:
  0  it counted                            1  too late, or it does not fit
  2  usage, or no such question            4  no such run, or it went away
  6  asked by an agent's process: only a person's own shell may answer";

const SEND_LONG: &str = "\
Say something to an agent, or to all of them.

It reaches the agent as a line that is typed at the terminal of its run does,
and is on record before. An agent is called as `tim ps` shows it; the last part
of its name is enough if no other has that.";

const SEND_EXAMPLES: &str = "\
Examples:
  tim send claude 'also update the changelog'
  tim send main/review 'only the parser' --run 7f3c
  tim send all 'commit what you have'

Exit codes: 0 sent, 1 nobody hears it, 2 usage or no such name, 4 no run,
6 asked by an agent's process";

const STOP_LONG: &str = "\
Interrupt an agent, or end it.

Without --end what it does stops, as with Esc at its terminal, and it waits for
what to do instead. With --end it ends, and all that it started; a run whose
only agent that was ends too, with 130, as after Ctrl-C twice.";

const STOP_EXAMPLES: &str = "\
Examples:
  tim stop claude
  tim stop claude --end --run 7f3c

Exit codes: 0 done, 1 it does not run, 2 usage or no such name, 4 no run,
6 asked by an agent's process";
