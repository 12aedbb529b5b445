//! What the real bash makes of a text: which commands it runs, and whether it can read it at all.
//!
//! Owns the reading of what the driver says. Many texts share a process; a text that hangs, floods or ends the process is
//! the last one that was begun, and the others are run without it. It never runs a text that is not harmless. It ends when
//! each text has its answer.

use crate::harmless::is_harmless;
use crate::leash::{Leash, Purpose};

/// What became of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Ran {
    /// the commands that were run, as they came
    pub(crate) commands: Vec<Command>,
    /// whether a file was made or changed
    pub(crate) wrote: bool,
    /// whether it had to be stopped, so that there may be more commands
    pub(crate) stopped: bool,
}

/// A command that was run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Command {
    /// its name and its arguments
    pub(crate) words: Vec<String>,
    /// whether a variable was set that may lead it elsewhere, such as `PATH`
    pub(crate) is_led_astray: bool,
}

/// How many texts a process is given.
const BATCH: usize = 250;

/// More commands than that are an endless loop.
const MOST_COMMANDS: usize = 300;

/// Runs texts, each for itself.
pub(crate) fn run(texts: &[String]) -> Vec<Ran> {
    in_batches(texts, |batch| {
        let mut leash = Leash::start(batch, Purpose::Run);
        let mut reader = Reader { leash: &mut leash, done: Vec::new() };
        reader.read();
        let mut done = reader.done;
        for (index, ran) in done.iter_mut().enumerate() {
            ran.wrote = leash.wrote(index);
        }
        done
    })
}

/// Whether bash can read texts.
pub(crate) fn parses(texts: &[String]) -> Vec<bool> {
    in_batches(texts, |batch| {
        let mut leash = Leash::start(batch, Purpose::Parse);
        let mut answers = Vec::new();
        while let Some(field) = leash.field().filter(|field| field != "end") {
            match field.as_str() {
                "text" => leash.begin_text(),
                "good" | "bad" => answers.push(field == "good"),
                other => panic!("the driver says {other:?}"),
            }
        }
        assert_eq!(answers.len(), batch.len(), "no text stops the reading of others: {batch:?}");
        answers
    })
}

/// Works on the texts in as many batches as it takes. A batch may end early: with the text that stopped it.
fn in_batches<T>(texts: &[String], work: impl Fn(&[String]) -> Vec<T>) -> Vec<T> {
    for text in texts {
        assert!(is_harmless(text), "never to be run: {text:?}");
    }
    let mut all = Vec::new();
    while all.len() < texts.len() {
        let left = &texts[all.len()..];
        let done = work(&left[..left.len().min(BATCH)]);
        assert!(!done.is_empty(), "bash began none of {left:?}");
        all.extend(done);
    }
    all
}

struct Reader<'a> {
    leash: &'a mut Leash,
    done: Vec<Ran>,
}

impl Reader<'_> {
    /// Reads until the end, or to the text that does not come to its end.
    fn read(&mut self) {
        loop {
            let more = match self.leash.field().as_deref() {
                Some("end") => return,
                Some("unsafe") => panic!("programs can be started: nothing is run"),
                Some("text") => {
                    self.leash.begin_text();
                    self.done.push(Ran::default());
                    true
                }
                Some(astray) => self.command(astray == "1").is_some(),
                None => false,
            };
            if !more {
                self.done.last_mut().expect("bash begins a text").stopped = true;
                return;
            }
        }
    }

    /// Reads a command; nothing if it is cut off or one too many.
    fn command(&mut self, is_led_astray: bool) -> Option<()> {
        let count: usize = self.leash.field()?.parse().expect("the number of words");
        let words = (0..count).map(|_| self.leash.field()).collect::<Option<Vec<_>>>()?;
        let commands = &mut self.done.last_mut().expect("a text has begun").commands;
        commands.push(Command { words, is_led_astray });
        (commands.len() < MOST_COMMANDS).then_some(())
    }
}

/// Works on the texts with both hands: each half in a thread of its own.
pub(crate) fn in_two<T: Send>(texts: &[String], work: fn(&[String]) -> Vec<T>) -> Vec<T> {
    let (left, right) = texts.split_at(texts.len() / 2);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| work(right));
        let mut all = work(left);
        all.extend(other.join().expect("the other half"));
        all
    })
}

#[cfg(test)]
mod tests {
    use super::{Ran, parses, run};

    fn words_of(ran: &Ran) -> Vec<String> {
        ran.commands.iter().map(|command| command.words.join("|")).collect()
    }

    #[test]
    fn bash_says_what_it_ran_and_a_text_that_hangs_or_exits_harms_no_other() {
        let texts = [
            "aa 'x y' && bb",
            "while aa; do bb; done",
            "exit; aa",
            "aa &",
            "aa \"x\ny\"",
            "aa > f",
            "PATH=. aa",
            "aa -m \"$(cat <<'E'\na ' b\n\nE\n)\"",
            "enable -f x; aa",
        ];
        let ran = run(&texts.map(str::to_owned));
        let expected = [
            vec!["aa|x y", "bb"],
            vec![],
            vec![],
            vec!["aa"],
            vec!["aa|x\ny"],
            vec!["aa"],
            vec!["aa"],
            vec!["aa|-m|a ' b"],
            vec!["enable|-f|x", "aa"],
        ];
        for (index, expected) in expected.iter().enumerate().filter(|(index, _)| *index != 1) {
            assert_eq!(&words_of(&ran[index]), expected, "{}", texts[index]);
        }
        let stopped: Vec<_> = ran.iter().map(|ran| ran.stopped).collect();
        assert_eq!(stopped, [false, true, false, false, false, false, false, false, false]);
        assert!(ran[5].wrote && !ran[4].wrote && ran[6].commands[0].is_led_astray);
    }

    #[test]
    fn no_program_can_be_started_and_no_other_folder_entered() {
        let texts = ["/bin/sh -c aa; bb", "cd /; exec aa; command kill 1"].map(str::to_owned);
        let ran = run(&texts);
        assert_eq!(words_of(&ran[0]), ["bb"]);
        assert_eq!(words_of(&ran[1]), ["cd|/", "exec|aa", "kill|1"]);
    }

    #[test]
    fn bash_says_what_it_can_read_and_runs_nothing_of_it() {
        let texts = ["aa", "aa '", "aa\n)", "exit 1", "aa <<E\nx", "if aa"].map(str::to_owned);
        assert_eq!(parses(&texts), [true, false, false, true, true, false]);
    }
}
