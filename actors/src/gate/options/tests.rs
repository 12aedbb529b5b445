use super::*;
use crate::gate::shell::scan;

fn risky(command: &str) -> Vec<usize> {
    let script = scan(command).unwrap_or_else(|unclear| panic!("{command}: {unclear:?}"));
    let place = Place { root: "/proj/app".to_owned(), home: None };
    risks(&script.parts[0].words, &place).iter().map(|risk| risk.at).collect()
}

#[test]
fn the_words_that_run_or_write_are_those_of_the_collection() {
    let mut wrong = Vec::new();
    let lines = include_str!("../../../../fixtures/rules/options.tsv").lines();
    for (expected, command) in lines.filter_map(|line| line.split_once('\t')) {
        let found = risky(command);
        let is_right = match expected {
            "-" => found.is_empty(),
            "whole" => found.contains(&WHOLE),
            "always" => found.contains(&ALWAYS),
            number => found.contains(&number.parse().unwrap()),
        };
        if !is_right {
            wrong.push(format!("{expected}: {command}: found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_follows_the_program_of_an_interpreter_or_a_wrapper_is_the_programs_own() {
    assert!(!risky("python3 -m pytest tests -q").contains(&3));
    assert!(!risky("npx -y tsc --noEmit").contains(&3));
    assert!(!risky("xargs grep -l x").contains(&WHOLE));
    assert!(risky("xargs git log").contains(&WHOLE));
}

#[test]
fn every_program_is_in_one_place_of_the_table() {
    let mut names: Vec<_> = programs().into_iter().map(|(name, _)| name).collect();
    names.sort_unstable();
    let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}
