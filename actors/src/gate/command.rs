//! Judges a command of a shell by its parts.
//!
//! Every part must be covered by an allow rule; a deny rule that is about any part denies all of it. A rule covers what
//! its words say, and of the options that run or write those that it spells out. Runs nothing; ends as a judgement that
//! says why.

use super::deny::denying;
use super::options::{Risk, base_name, is_inert, looked_through, own, risks, shortened};
use super::rules::{BASH, Rule, RuleSet};
use super::shell::{self, Part, Unclear, Word};
use super::{Decision, Finding, Judgement, Place, lists};

/// Programs that do what the settings of the folder say in which they run.
const BY_FOLDER: &str = "git gh hg hub jj tig";

const NO_RULE: &str = "no rule covers it";

/// Judges a command.
pub(super) fn judge(command: &str, rules: &RuleSet, place: &Place) -> Judgement {
    let (parts, unfinished, unclear) = match shell::scan(command) {
        Ok(script) => (script.parts, Vec::new(), None),
        Err(Unclear { at, what, parts, unfinished }) => (parts, unfinished, Some((at, what))),
    };
    let findings = findings(&parts, rules, place);
    let whole = |rules: &[Rule]| rules.iter().find(|rule| rule.names(BASH)).map(ToString::to_string);
    let found = findings.iter().find(|finding| finding.decision == Decision::Deny);
    let denied = found.and_then(|finding| finding.rule.clone());
    let denied = denied.or_else(|| denying(rules, &unfinished, place).map(ToString::to_string));
    match (whole(&rules.deny), denied, whole(&rules.allow), unclear) {
        (Some(rule), ..) => Judgement::by_rule(Decision::Deny, &rule, all(findings, Decision::Deny, &rule)),
        (_, Some(rule), ..) => Judgement::by_rule(Decision::Deny, &rule, findings),
        (_, _, Some(rule), _) => match against_all(command, &parts, unclear.is_some(), rules, place) {
            None => Judgement::by_rule(Decision::Allow, &rule, all(findings, Decision::Allow, &rule)),
            Some(why) => Judgement::asks(why, findings),
        },
        (.., Some((at, what))) => {
            Judgement::asks(format!("not understood at column {}: {what}", at + 1), findings)
        }
        (.., None) => together(findings),
    }
}

/// The same decision for every part, by a rule for all commands.
fn all(mut findings: Vec<Finding>, decision: Decision, rule: &str) -> Vec<Finding> {
    for finding in &mut findings {
        (finding.decision, finding.why, finding.rule) = (decision, rule.to_owned(), Some(rule.to_owned()));
    }
    findings
}

/// Allowed if every part is, and a rule had to do with it.
fn together(findings: Vec<Finding>) -> Judgement {
    let asks = findings.iter().find(|finding| finding.decision != Decision::Allow);
    if let Some(Finding { text, why, .. }) = asks {
        return Judgement::asks(format!("`{}`: {why}", shortened(text)), findings);
    }
    let rule = findings.iter().find_map(|finding| finding.rule.clone());
    match (rule, findings.as_slice()) {
        (None, _) => Judgement::asks(NO_RULE, findings),
        (Some(rule), [_]) => Judgement::by_rule(Decision::Allow, &rule, findings),
        (Some(rule), _) => Judgement {
            why: "every part is allowed".to_owned(),
            ..Judgement::by_rule(Decision::Allow, &rule, findings)
        },
    }
}

fn findings(parts: &[Part], rules: &RuleSet, place: &Place) -> Vec<Finding> {
    let mut is_elsewhere = false;
    let mut findings = Vec::new();
    for part in parts {
        let judged = part_by_rules(&part.words, rules, place, is_elsewhere);
        is_elsewhere |= goes_elsewhere(&part.words);
        let (decision, why, rule) = match (denying(rules, &part.words, place), judged) {
            (Some(rule), _) => (Decision::Deny, rule.to_string(), Some(rule.to_string())),
            (None, Ok(Some(rule))) => (Decision::Allow, rule.clone(), Some(rule)),
            (None, Ok(None)) => (Decision::Allow, "a folder inside this one".to_owned(), None),
            (None, Err(why)) => (Decision::Ask, why, None),
        };
        findings.push(Finding { text: part.source.clone(), decision, why, rule });
    }
    findings
}

fn is_cd(words: &[Word]) -> bool {
    words.first().is_some_and(|word| word.is("cd"))
}

/// Whether what follows runs in another folder.
fn goes_elsewhere(words: &[Word]) -> bool {
    const MOVES: &str = "cd popd pushd";
    match words {
        [wrapper, program, ..] if wrapper.is("command") || wrapper.is("builtin") => {
            lists(MOVES, &program.text)
        }
        _ => words.first().is_some_and(|word| lists(MOVES, &word.text)),
    }
}

/// The rule that allows a part, if it needs one; or why there is none.
fn part_by_rules(
    words: &[Word],
    rules: &RuleSet,
    place: &Place,
    is_elsewhere: bool,
) -> Result<Option<String>, String> {
    if is_cd(words) && risks(words, place).is_empty() {
        return Ok(None);
    }
    let mut why = NO_RULE.to_owned();
    for view in views(words) {
        let mut matching = rules.allow.iter().filter(|rule| rule.matches(view)).peekable();
        if matching.peek().is_none() {
            continue;
        }
        let risks = risks(view, place);
        for rule in matching {
            let uncovered = risks.iter().find(|risk| risk.at >= rule.spells_out());
            match uncovered.map(Risk::why).or_else(|| moved(view, &risks, is_elsewhere)) {
                None => return Ok(Some(rule.to_string())),
                Some(reason) => why = reason,
            }
        }
    }
    Err(why)
}

/// What means something else after a `cd`.
fn moved(words: &[Word], risks: &[Risk<'_>], is_elsewhere: bool) -> Option<String> {
    let program = words.first().filter(|_| is_elsewhere)?;
    let name = base_name(&program.text);
    let is_relative = program.text.contains('/') && !program.text.starts_with('/');
    let by_folder = |name: &str| lists(BY_FOLDER, name) || name.starts_with("git-");
    let is_by_folder = !is_inert(name) && words.iter().any(|word| by_folder(base_name(&word.text)));
    (is_by_folder || is_relative || !risks.is_empty()).then(|| {
        format!("`{}` after a `cd` may be another one, or do what that folder says", shortened(name))
    })
}

/// The command as it stands, and the one inside of `timeout N` and `nice -n N`.
fn views(words: &[Word]) -> impl Iterator<Item = &[Word]> {
    let inner = looked_through(words);
    [Some(words).filter(|_| inner.len() != words.len()), Some(inner)].into_iter().flatten()
}

/// Whether a text has the name of tim in it, as a word.
fn names_tim(text: &str) -> bool {
    text.split(|letter: char| !letter.is_ascii_alphanumeric()).any(|word| word.eq_ignore_ascii_case("tim"))
}

/// Why not even a rule for all of Bash allows a command.
fn against_all(
    command: &str,
    parts: &[Part],
    is_unclear: bool,
    rules: &RuleSet,
    place: &Place,
) -> Option<String> {
    if let Some(risk) = parts.iter().find_map(|part| own::risks(&part.words)) {
        return Some(risk.why());
    }
    let runs = |part: &Part| !risks(looked_through(&part.words), place).is_empty();
    if is_unclear && names_tim(command) || parts.iter().any(|part| names_tim(&part.source) && runs(part)) {
        return Some("it may start a tim that asks less".to_owned());
    }
    // What a deny rule is about must not hide in something that is not understood, or in another program.
    if !rules.deny.iter().any(Rule::is_for_commands) {
        return None;
    }
    let hides = || parts.iter().flat_map(|part| risks(looked_through(&part.words), place)).next();
    match is_unclear {
        true => Some("not understood, so a deny rule may be about it".to_owned()),
        false => hides().map(|risk| format!("{}, so a deny rule may be about it", risk.why())),
    }
}
