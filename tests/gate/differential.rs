//! The scanner beside bash: whatever it understands, bash runs just what it listed.
//!
//! Owns the run over generated texts and its figures. A text that the scanner does not understand is not run: there is
//! nothing to compare. It ends with the shortest text on which the two differ, or without one.

use actors::gate::shell::{Script, WordKind, scan};

use crate::bash::{Ran, in_two, run};
use crate::listed::fault;
use crate::support::times;
use crate::texts::generate;

/// How many texts are made before they are run.
const ROUND: usize = 20_000;

/// A text on which scanner and bash differ.
struct Unsound {
    text: String,
    script: Script,
    ran: Ran,
    fault: &'static str,
}

#[test]
fn whatever_the_scanner_understands_bash_runs_as_it_was_listed() {
    let count = times("TIM_SHELL_TEXTS", 6_000);
    let mut figures = Figures::default();
    let mut unsound = Vec::new();
    let first_seed = times("TIM_GATE_SEED", 1) as u64;
    for (seed, begin) in (first_seed..).zip((0..count).step_by(ROUND)) {
        let texts = generate(seed, ROUND.min(count - begin));
        let (understood, scripts): (Vec<String>, Vec<Script>) =
            texts.into_iter().filter_map(|text| scan(&text).ok().map(|script| (text, script))).unzip();
        let ran = in_two(&understood, run);
        figures.add(&scripts, &ran);
        for ((text, script), ran) in understood.into_iter().zip(scripts).zip(ran) {
            unsound.extend(confirmed(text, script, &ran));
        }
    }
    println!("texts {count}, {figures:?}, unsound {}", unsound.len());
    assert!(figures.accepted * 10 > count, "{figures:?} of {count}: too few are understood to mean anything");
    assert!(
        figures.with_patterns > 0 && figures.with_documents > 0,
        "{figures:?}: a kind of word is never seen"
    );
    report(unsound);
}

/// What a run has found: each of them was listed as one plain word where bash made two of it.
const FOUND: [&str; 6] = [
    "aa -m \"$(cat <<'EOF'\nEOF ()\n\tEOF\naa\nEOF\n)\"; bb ",
    "aa {a},b}",
    "aa ,{},}x",
    "aa @{u}\\{a,b}",
    "aa{}a,b} x",
    "aa \"a'b\"{a},b}",
];

#[test]
fn texts_on_which_scanner_and_bash_once_differed_no_longer_do() {
    let texts = FOUND.map(str::to_owned);
    let answers = texts.iter().zip(run(&texts));
    let unsound = answers.filter_map(|(text, ran)| confirmed(text.clone(), scan(text).ok()?, &ran));
    report(unsound.collect());
}

/// What the run was made of.
#[derive(Debug, Default)]
struct Figures {
    accepted: usize,
    with_patterns: usize,
    with_documents: usize,
    commands_run: usize,
}

impl Figures {
    fn add(&mut self, scripts: &[Script], ran: &[Ran]) {
        let has = |script: &&Script, kind| {
            script.parts.iter().flat_map(|part| &part.words).any(|word| word.kind == kind)
        };
        self.accepted += scripts.len();
        self.with_patterns += scripts.iter().filter(|script| has(script, WordKind::Pattern)).count();
        self.with_documents += scripts.iter().filter(|script| has(script, WordKind::Document)).count();
        self.commands_run += ran.iter().map(|ran| ran.commands.len()).sum::<usize>();
    }
}

/// A difference, if it is still there when the text is run alone.
fn confirmed(text: String, script: Script, ran: &Ran) -> Option<Unsound> {
    fault(&text, &script, ran)?;
    let ran = run(std::slice::from_ref(&text)).pop().expect("one text, one answer");
    let fault = fault(&text, &script, &ran)?;
    Some(Unsound { text, script, ran, fault })
}

/// Fails with the shortest of the texts, if there are any.
fn report(mut unsound: Vec<Unsound>) {
    unsound.sort_by_key(|one| one.text.len());
    for Unsound { text, script, ran, fault } in unsound.iter().take(12) {
        let listed: Vec<_> = script.parts.iter().map(|part| &part.words).collect();
        println!("{text:?}: {fault}\n    listed {listed:?}\n    ran {ran:?}");
    }
    assert!(unsound.is_empty(), "on {} texts scanner and bash differ", unsound.len());
}
