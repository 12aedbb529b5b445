//! Any text is judged without a panic; one that is allowed begins, part by part, with the words of a rule; what is denied is
//! not allowed by any other rule.
#![no_main]

use actors::gate::rules::{Rule, RuleSet};
use actors::gate::shell::{Part, scan};
use actors::gate::{Decision, Gate, Place};
use libfuzzer_sys::fuzz_target;

const ALLOWED: [&str; 3] = ["aa", "sort", "git"];

fuzz_target!(|text: &str| {
    let allow: Vec<_> = ALLOWED.iter().filter_map(|name| Rule::parse(&format!("Bash({name}:*)")).ok()).collect();
    let deny: Vec<_> = Rule::parse("Bash(bb:*)").into_iter().collect();
    let place = Place { root: "/w".to_owned(), home: None };
    let judged = Gate::new(RuleSet { allow, deny }, place).judge_command(text).decision;
    let parts = scan(text).map(|script| script.parts).unwrap_or_default();
    let words = |part: &Part| part.words.iter().map(|word| word.text.clone()).collect::<Vec<_>>();
    let commands: Vec<Vec<String>> = parts.iter().map(words).collect();
    if judged == Decision::Allow {
        assert!(!commands.is_empty());
        let is_known = |words: &Vec<String>| words.first().is_some_and(|name| {
            let is_wrapped = ["timeout", "nice"].contains(&name.as_str());
            let is_named = |word: &String| ALLOWED.contains(&word.as_str());
            name == "cd" || is_named(name) || is_wrapped && words.iter().any(is_named)
        });
        assert!(commands.iter().all(is_known), "{commands:?}");
    }
    if commands.iter().any(|words| words.first().is_some_and(|name| name == "bb")) {
        assert_eq!(judged, Decision::Deny);
    }
    drop(Rule::parse(text));
});
