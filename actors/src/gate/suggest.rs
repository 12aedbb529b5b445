//! What a person could grant so that a command is not asked about again.
//!
//! Owns the list of rules for each part of a command, the widest first. Each was tried: it allows the part. None allows a
//! shell, an interpreter or a wrapper as such; what such a program runs is then part of the rule.

use super::command;
use super::options::{base_name, is_runner, looked_through, risks};
use super::rules::{Rule, RuleSet};
use super::shell::{self, Part, Word};
use super::{Decision, Place, lists};

/// What could be granted for one part of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// the part as it was written
    pub part: String,
    /// the rules that would allow it, the widest first
    pub rules: Vec<Suggestion>,
    /// which of them to show first
    pub preferred: usize,
}

/// A rule that could be granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// the rule
    pub rule: String,
    /// how many words of the part it spells out
    pub words: usize,
    /// whether nothing may follow them
    pub exact: bool,
}

/// Longer rules are hard to read.
const MOST_WORDS: usize = 12;

/// Programs whose second word says what they do.
const WITH_COMMANDS: &str = "apt brew bun bundle cargo composer conda docker gh git go gradle helm kubectl make mvn npm npx pip pip3 \
     pnpm podman poetry rake rustup systemctl terraform uv yarn";

/// Words behind which any program may stand.
const RUNNING: &str = "compose dlx exec foreach node run ssh x";

/// Options whose value is a program of its own.
const CODE: &str = "-c -e --eval -p --print -r";

/// Programs that are granted only as they stand, unless the person makes the rule shorter.
const DESTROYING: &str = "chmod chown dd kill killall mv pkill rm rmdir shred truncate";

/// What could be granted for a command, part by part; nothing if it is not understood. A part that needs no rule, and
/// one that no rule would allow, has none.
#[must_use]
pub fn suggest(command: &str, place: &Place) -> Vec<Offer> {
    let Ok(script) = shell::scan(command) else { return Vec::new() };
    script.parts.iter().map(|part| offer(part, place)).collect()
}

fn offer(part: &Part, place: &Place) -> Offer {
    let words = looked_through(&part.words);
    let lengths = 1..=words.len().min(MOST_WORDS);
    let prefixes = lengths.map(|length| (words.get(..length).unwrap_or_default(), false));
    let candidates = prefixes.chain(std::iter::once((words, true)).filter(|_| words.len() <= MOST_WORDS));
    let rules: Vec<_> =
        candidates.filter_map(|(words, exact)| suggestion(part, words, exact, place)).collect();
    let preferred = preferred(words, &rules);
    Offer { part: part.source.clone(), rules, preferred }
}

/// A rule of these words, if it would allow the part and says what it allows.
fn suggestion(part: &Part, words: &[Word], exact: bool, place: &Place) -> Option<Suggestion> {
    if !exact && !says_what_runs(part, words, place) {
        return None;
    }
    let rule = Rule::for_command(words, exact);
    // What is written is what counts: the rule must survive being read again.
    let rule = Rule::parse(&rule.to_string()).ok().filter(|read| *read == rule)?;
    let rules = RuleSet { allow: vec![rule.clone()], deny: Vec::new() };
    let judged = command::judge(&part.source, &rules, place);
    (judged.decision == Decision::Allow).then(|| Suggestion {
        rule: rule.to_string(),
        words: words.len(),
        exact,
    })
}

/// Whether the words say what would run, also with others behind them. Of an interpreter or a wrapper they name the program
/// that it runs; of any other program none of them runs another.
fn says_what_runs(part: &Part, words: &[Word], place: &Place) -> bool {
    let is_runner = |word: &Word| is_runner(base_name(&word.text));
    let is_option = |word: &Word| word.text.starts_with('-');
    let Some((program, rest)) = words.split_first() else { return false };
    if is_runner(program) {
        let names_one = rest.last().is_some_and(|last| !is_option(last) && !is_runner(last));
        return names_one && !rest.iter().any(|word| lists(CODE, &word.text));
    }
    let risks = risks(looked_through(&part.words), place);
    let by_option = |word: usize| words.get(word).is_some_and(is_option);
    !words.iter().any(|word| lists(RUNNING, &word.text)) && !risks.iter().any(|risk| by_option(risk.at))
}

/// The program and what it is told to do; otherwise the shortest there is.
fn preferred(words: &[Word], rules: &[Suggestion]) -> usize {
    let program = words.first().map(|word| base_name(&word.text)).unwrap_or_default();
    if lists(DESTROYING, program) {
        return rules.len().saturating_sub(1);
    }
    let is_command = words.get(1).is_some_and(|word| !word.text.starts_with('-'));
    let wanted = if is_command && lists(WITH_COMMANDS, program) { 2 } else { 1 };
    rules.iter().position(|rule| rule.words >= wanted).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offers(command: &str) -> Vec<(Vec<String>, usize)> {
        let place = Place { root: "/proj/app".to_owned(), home: None };
        let rules = |offer: Offer| (offer.rules.into_iter().map(|one| one.rule).collect(), offer.preferred);
        suggest(command, &place).into_iter().map(rules).collect()
    }

    #[test]
    fn the_widest_rule_comes_first_and_the_usual_one_is_preferred() {
        let (rules, preferred) = offers("git fetch origin --prune").remove(0);
        let expected = [
            "Bash(git:*)",
            "Bash(git fetch:*)",
            "Bash(git fetch origin:*)",
            "Bash(git fetch origin --prune:*)",
            "Bash(git fetch origin --prune)",
        ];
        assert_eq!((rules, preferred), (expected.map(str::to_owned).to_vec(), 1));
        assert_eq!(offers("ls -la").remove(0).1, 0);
    }

    #[test]
    fn each_part_has_its_own_rules_and_what_needs_none_has_none() {
        let all = offers("cd src && npm test 2>&1 | tail -20");
        let firsts: Vec<_> =
            all.iter().map(|(rules, preferred)| rules.get(*preferred).map(String::as_str)).collect();
        assert_eq!(firsts, [None, Some("Bash(npm test:*)"), Some("Bash(tail:*)")]);
        assert!(offers("echo $x").is_empty());
    }

    #[test]
    fn a_rule_that_would_not_allow_the_command_is_not_offered() {
        assert_eq!(offers("sort -o x y").remove(0).0, ["Bash(sort -o x y)"]);
        assert_eq!(offers("tim run --allow Bash x").remove(0).0, [] as [&str; 0]);
        assert_eq!(offers("rm *").remove(0).0, [] as [&str; 0]);
        assert_eq!(offers("eval x").remove(0).0, ["Bash(eval x)"]);
    }

    #[test]
    fn no_rule_is_offered_that_allows_an_interpreter_a_shell_or_a_wrapper() {
        for command in [
            "bash",
            "bash -c x",
            "python3 -c x",
            "sudo ls",
            "env ls",
            "xargs ls",
            "sh x.sh",
            "node -e x",
            "npx tsc",
            "timeout -k 1 2 ls",
            "nohup python3 x",
        ] {
            for rule in offers(command).remove(0).0 {
                let program = command.split(' ').next().unwrap();
                assert_ne!(rule, format!("Bash({program}:*)"), "{command}");
                assert!(!rule.ends_with(" -c:*)") && !rule.ends_with(" -e:*)"), "{rule}");
            }
        }
        assert_eq!(offers("sudo python3 x.py").remove(0).0[0], "Bash(sudo python3 x.py:*)");
    }

    #[test]
    fn what_runs_another_program_is_offered_only_as_it_stands() {
        for command in [
            "find . -exec touch x \\;",
            "docker run img sh -c x",
            "docker exec c ls",
            "docker compose exec c bash",
            "kubectl exec p ls",
            "poetry run python -c x",
            "uv run python x.py",
            "bundle exec rake",
            "npm exec -- x",
            "go run .",
            "rg --pre x y",
            "fd -x touch",
            "git rebase -x make",
            "git submodule foreach ls",
            "ssh host ls",
            "python3 -c x y",
            "bash -c x",
        ] {
            let rules = offers(command).remove(0).0;
            assert!(rules.iter().all(|rule| !rule.ends_with(":*)")), "{command}: {rules:?}");
            assert_eq!(rules.len(), 1, "{command}");
        }
        assert_eq!(offers("npm install x").remove(0).0[0], "Bash(npm install:*)");
    }

    #[test]
    fn what_destroys_is_offered_as_it_stands() {
        let (rules, preferred) = offers("rm -rf build").remove(0);
        assert_eq!(rules[preferred], "Bash(rm -rf build)");
    }

    #[test]
    fn behind_a_timeout_the_command_itself_is_offered() {
        assert_eq!(offers("timeout 30 npm test").remove(0).0[0], "Bash(npm:*)");
    }

    #[test]
    fn long_rules_are_not_offered() {
        let command = |words: usize| format!("echo{}", " y".repeat(words - 1));
        let (most, more) = (offers(&command(12)).remove(0).0, offers(&command(13)).remove(0).0);
        assert_eq!((most.len(), more.len()), (13, 12));
        assert!(more.iter().all(|rule| rule.ends_with(":*)")));
    }

    #[test]
    fn a_runner_alone_is_offered_as_it_stands() {
        assert_eq!(offers("env").remove(0).0, ["Bash(env)"]);
        assert_eq!(offers("npm run").remove(0).0, ["Bash(npm:*)", "Bash(npm run)"]);
    }

    #[test]
    fn the_second_word_is_preferred_only_where_it_says_what_is_done() {
        for (command, preferred) in [
            ("ls src", "Bash(ls:*)"),
            ("git --no-pager log", "Bash(git:*)"),
            ("git", "Bash(git:*)"),
            ("/usr/bin/git log", "Bash(/usr/bin/git log:*)"),
        ] {
            let (rules, at) = offers(command).remove(0);
            assert_eq!(rules[at], preferred);
        }
    }
}
