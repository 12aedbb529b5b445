//! What the demo's agent does and says, step by step, and how it takes what the person answers. Pure.
//!
//! Owns the words. Nothing of it is done: the file, the commands and their output are made up; only the question of the
//! script is a real one.

use super::machine::{Beat, Demo};
use super::wire::{Gave, How, Task, Use};

/// What comes next.
#[derive(Debug)]
pub(super) enum Step {
    /// a command that needs a yes
    Command,
    /// a script that asks; what became of the command is said first
    Script(String),
    /// something in the background; what became of the script is said first
    Background(String),
    /// that is all for this turn
    TurnEnds,
}

/// How long the background work lasts.
pub(super) const IN_BACKGROUND: u64 = 3_000;

/// What the script asks.
pub(crate) const QUESTION: &str = "Pretend to release version 1.2.0?";

const INTRO: &str = "This is a demo of tim. I am a script that is built into it: there is no model behind me, and \
    nothing on this machine is changed, whatever you answer. What you see is real: my process, its pipes, the \
    questions, and where your answers go.";

const COMMAND: &str = "So much for reading a file. Now I want to run a command, and for that I need your yes. While it \
    runs, type a line and press Enter: I read it when the command ends.";

const WHY: &str = "the demo only pretends: nothing runs, whatever you answer";

const SCRIPT: &str = "A script that an agent starts can ask you as well, however deep it is nested. This one calls \
    `tim ask confirm`.";

const BACKGROUND: &str = "Now something in the background, for a few seconds.";

/// What runs there.
const DOC: &str = "cargo doc --no-deps";

const TURN_ENDS: &str = "My turn ends here, but tim waits for what still runs.";

const DONE: &str = "The documentation is built, and that gave me this turn unasked.\n\nThat was all: a permission, a line \
    while I worked, a question of a script, work in the background. With Claude Code installed, \
    `tim run 'fix the failing test'` does it for real.";

const INTERRUPTED: &str = "You interrupted me, so I stopped at once, and the turn ended. \
    Say what you would rather have, or end it with Ctrl-D; `tim demo` plays it all again.";

impl Demo {
    /// A turn that the person began.
    pub(super) fn turn_asked(&mut self) {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.say(INTRO);
            let tool = Use::read(self.name("toolu_demo_"), "src/parse.rs");
            self.after(400, Beat::Use(tool));
            self.after(700, gave(FILE, How::Unasked));
            return self.after(0, Beat::Step(Step::Command));
        }
        let typed = self.inbox.mentions().unwrap_or_default();
        self.say(&format!(
            "You typed {typed}. A real agent would go to work on it; I can only say that it reached me, in a turn of \
             its own."
        ));
        self.after(0, Beat::EndTurn);
    }

    /// A turn about what ran in the background.
    pub(super) fn turn_unasked(&mut self) {
        self.says(if self.is_interrupted { INTERRUPTED } else { DONE }, None);
        self.after(0, Beat::EndTurn);
    }

    pub(super) fn step(&mut self, step: Step) {
        match step {
            Step::Command => {
                self.says(COMMAND, None);
                self.uses_bash("cargo test -p parser", false);
                self.after(0, Beat::Ask(WHY));
            }
            Step::Script(ended) => {
                self.says(&ended, Some(SCRIPT));
                self.uses_bash("./release.sh --dry-run", false);
                self.after(0, Beat::Script);
            }
            Step::Background(ended) => {
                self.says(&ended, Some(BACKGROUND));
                self.uses_bash(DOC, true);
                self.after(200, Beat::GoesOn(Task { id: "demo_doc", what: DOC, tool_use_id: None }));
                self.after(0, Beat::Step(Step::TurnEnds));
            }
            Step::TurnEnds => {
                self.says(TURN_ENDS, None);
                self.after(0, Beat::EndTurn);
            }
        }
    }

    fn uses_bash(&mut self, command: &str, is_background: bool) {
        let tool = Use::bash(self.name("toolu_demo_"), command, is_background);
        self.after(400, Beat::Use(tool));
    }

    /// The person decided about the command, or somebody for them.
    pub(super) fn permission_ended(&mut self, decision: Result<(), String>) {
        let ended = match decision {
            Ok(()) => {
                self.after(0, Beat::Linger);
                self.after(600, gave(TESTS, How::Allowed));
                "That was a yes, so the command “ran”: 17 tests passed.".to_owned()
            }
            Err(why) => {
                self.after(0, gave(&why, How::Denied));
                format!("That was a no, so nothing ran. What I was told: “{}”", why.trim())
            }
        };
        self.after(0, Beat::Step(Step::Script(ended)));
    }

    /// The script ended: its exit code says what it heard.
    pub(super) fn script_ended(&mut self, code: Option<i32>) {
        let (gave_text, how, ended) = match code {
            Some(0) => ("released 1.2.0 (not really)", How::Unasked, "The script heard a yes and went on."),
            Some(1) => ("Exit code 1\nnot released", How::Failed, "The script heard a no and stopped."),
            Some(5) => {
                let ended = "You gave no answer, and the script knows that from a no: its exit code was 5.";
                ("Exit code 5\nno answer", How::Failed, ended)
            }
            Some(3 | 4 | 6) => (
                "Exit code 6\nnobody there",
                How::Failed,
                "Nobody could answer the script, and it heard that.",
            ),
            _ => ("Exit code 70\nfailed", How::Failed, "The script failed before it could ask."),
        };
        self.after(300, gave(gave_text, how));
        self.after(0, Beat::Step(Step::Background(ended.to_owned())));
    }

    /// Says something, then what the person typed meanwhile, then what comes next.
    fn says(&mut self, text: &str, next: Option<&str>) {
        let heard = self.inbox.mentions().map(|typed| {
            format!("Meanwhile you typed {typed}. This is where an agent reads it: within its turn.")
        });
        let parts = [Some(text), heard.as_deref(), next];
        self.say(&parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n"));
    }
}

fn gave(text: &str, how: How) -> Beat {
    Beat::Gave(Gave { text: text.to_owned(), how })
}

const FILE: &str = "\
//! A file that is not there: the demo made it up.
pub fn split(line: &[u8]) -> Option<&[u8]> {
    let end = line.iter().position(|byte| *byte == b'\\n')?;
    line.get(..end)
}
";

const TESTS: &str = "\
Compiling parser v1.2.0
Finished `test` profile in 1.94s
Running unittests src/lib.rs

running 17 tests
test empty ... ok
test one_line ... ok
test two_lines ... ok
test no_final_newline ... ok
test carriage_return ... ok
test only_newlines ... ok
test long_line ... ok
test not_utf8 ... ok
test byte_order_mark ... ok
test comments ... ok
test quoted ... ok
test quoted_newline ... ok
test nested ... ok
test deeply_nested ... ok
test torn ... ok
test limit ... ok
test limit_plus_one ... ok

test result: ok. 17 passed; 0 failed
";
