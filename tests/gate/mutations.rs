//! The gate against tampering: no command that was allowed stays so when something else runs with it.
//!
//! Owns the rules of the test, the tampered commands and their figures. Bash decides what is hostile: a mutant that runs
//! what the rules do not name, or writes a file. The rules are read a second time here, in a few lines that share nothing
//! with the gate. It ends with the shortest hostile mutant that was let through, or without one.

use actors::gate::rules::{Rule, RuleSet};
use actors::gate::{Decision, Gate, Place};

use crate::bash::{Command, Ran, in_two, parses, run};
use crate::support::random::Random;
use crate::support::times;
use crate::templates::ALLOWED;
use crate::tricks::mutant;

/// How many mutants are made before they are run.
const ROUND: usize = 10_000;

fn gate() -> Gate {
    let allow = ["Bash(aa:*)", "Bash(bb x:*)", "Bash(cc x y)", "Bash(git commit:*)"]
        .map(|rule| Rule::parse(rule).expect("a rule"));
    Gate::new(RuleSet { allow: allow.to_vec(), ..RuleSet::default() }, Place::default())
}

fn allows(gate: &Gate, text: &str) -> bool {
    gate.judge_command(text).decision == Decision::Allow
}

/// Whether bash did what no rule allows.
fn is_hostile(ran: &Ran) -> bool {
    ran.wrote || ran.commands.iter().any(|command| command.is_led_astray || !is_named(command))
}

/// The rules, in words.
fn is_named(command: &Command) -> bool {
    let words: Vec<_> = command.words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["aa", ..] | ["bb", "x", ..] | ["cc", "x", "y"] | ["git", "commit", ..] | ["cd", "x"] => true,
        // What runs inside is run by the program itself, which is not there.
        ["timeout", "5", inner @ ..] => matches!(inner, ["aa", ..] | ["bb", "x", ..] | ["cc", "x", "y"]),
        _ => false,
    }
}

#[derive(Debug, Default)]
struct Figures {
    generated: usize,
    parsed: usize,
    hostile: usize,
    /// of those that bash can read
    parsed_and_hostile: usize,
    /// what the gate lets through, rightly
    allowed_and_harmless: usize,
    allowed_and_hostile: Vec<(String, Ran)>,
}

impl Figures {
    fn add(&mut self, text: String, is_parsed: bool, ran: Ran, is_allowed: bool) {
        let is_hostile = is_hostile(&ran);
        self.generated += 1;
        self.parsed += usize::from(is_parsed);
        self.hostile += usize::from(is_hostile);
        self.parsed_and_hostile += usize::from(is_parsed && is_hostile);
        self.allowed_and_harmless += usize::from(is_allowed && !is_hostile);
        if is_allowed && is_hostile {
            self.allowed_and_hostile.push((text, ran));
        }
    }

    fn print(&self) {
        let Self {
            generated,
            parsed,
            hostile,
            parsed_and_hostile,
            allowed_and_harmless,
            allowed_and_hostile,
        } = self;
        let let_through = allowed_and_hostile.len();
        println!(
            "mutants {generated}, parsed by bash {parsed}, hostile {hostile}, both {parsed_and_hostile}"
        );
        println!("allowed: harmless {allowed_and_harmless}, hostile {let_through}");
    }
}

#[test]
fn no_hostile_mutant_of_an_allowed_command_is_allowed() {
    let gate = gate();
    let count = times("TIM_MUTANTS", 2_500);
    let mut random = Random::new(times("TIM_GATE_SEED", 7) as u64);
    let mut figures = Figures::default();
    for begin in (0..count).step_by(ROUND) {
        let texts: Vec<_> = (0..ROUND.min(count - begin)).map(|_| mutant(&mut random)).collect();
        let answers = in_two(&texts, parses).into_iter().zip(in_two(&texts, run));
        for (text, (is_parsed, ran)) in texts.into_iter().zip(answers) {
            let is_allowed = allows(&gate, &text);
            figures.add(text, is_parsed, ran, is_allowed);
        }
    }
    figures.print();
    figures.allowed_and_hostile.sort_by_key(|(text, _)| text.len());
    let worst = figures.allowed_and_hostile.first();
    assert!(worst.is_none(), "{} are let through, such as {worst:?}", figures.allowed_and_hostile.len());
    assert!(figures.parsed_and_hostile * 2 >= count, "too many mutants are no danger to anybody");
}

#[test]
fn what_the_mutants_are_made_of_is_allowed() {
    let gate = gate();
    for text in ALLOWED {
        assert!(allows(&gate, text), "{text:?}: {:?}", gate.judge_command(text));
    }
    for (text, ran) in ALLOWED.iter().zip(run(&ALLOWED.map(str::to_owned))) {
        assert!(!is_hostile(&ran) && !ran.stopped, "{text:?}: {ran:?}");
    }
}
