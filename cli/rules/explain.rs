//! A judgement of the gate, for people or for programs.
//!
//! Owns the rows: what becomes of the whole, then of each part beside why. No row of them is wider than 80 columns but
//! for the command at the end, which is there to be copied. Decides nothing.

use actors::gate::{Decision, Finding, Judgement};
use codec::json::{Json, Text, Written};
use codec::text::{escape_hidden, visible};

use crate::fold::{Rows, columns};

/// As wide as a screen is.
const COLUMNS: usize = 80;

/// As wide as the column of the parts may be; a longer part has a row of its own.
const WIDEST: usize = 32;

/// The rows for people.
pub(super) fn rows(judgement: &Judgement, offered: &[String]) -> Vec<String> {
    let mut rows = head(judgement);
    rows.extend(parts(&judgement.parts));
    rows.extend(offer(offered));
    rows
}

/// What becomes of it, and why; the why on rows of its own if that is long.
fn head(judgement: &Judgement) -> Vec<String> {
    let verdict = match judgement.decision {
        Decision::Allow => "allowed",
        Decision::Ask => "asks",
        Decision::Deny => "denied",
    };
    let row = format!("{verdict}: {}", visible(&judgement.why));
    if columns(&row) <= COLUMNS {
        return vec![row];
    }
    let mut why = Rows::new(COLUMNS);
    why.row("", &judgement.why);
    std::iter::once(format!("{verdict}:")).chain(why.into_rows()).collect()
}

fn parts(parts: &[Finding]) -> Vec<String> {
    let width = |part: &Finding| visible(&part.text).chars().count();
    let column = parts.iter().map(width).filter(|width| *width <= WIDEST).max().unwrap_or(0);
    let mut rows = Rows::new(COLUMNS);
    for part in parts {
        let found = format!("{:5}  {}", part.decision.word(), visible(&part.why));
        if width(part) <= WIDEST {
            rows.row("", &format!("{:column$}  {found}", visible(&part.text)));
        } else {
            rows.row("", &part.text);
            rows.row("", &format!("{:column$}  {found}", ""));
        }
    }
    rows.into_rows()
}

/// The command that would allow it, to be copied; with a row for each rule if it is long.
fn offer(rules: &[String]) -> Option<String> {
    let quoted: Vec<_> = rules.iter().map(|rule| format!("'{}'", rule.replace('\'', "'\\''"))).collect();
    let row = format!("to allow it: tim rules add {}", quoted.join(" "));
    let long = || format!("to allow it:\n  tim rules add {}", quoted.join(" \\\n    "));
    (!rules.is_empty()).then(|| if columns(&row) <= COLUMNS { row } else { long() })
}

/// One object for programs.
pub(super) fn json(judgement: &Judgement) -> String {
    let part = |part: &Finding| {
        Json::object(|out| {
            out.member("text", |to| Text::new(&part.text).write(to));
            out.member("decision", |to| Text::new(part.decision.word()).write(to));
            out.member("why", |to| Text::new(&part.why).write(to));
        })
    };
    let rule = judgement.rule.as_ref().map_or(Json::null(), |rule| Text::new(rule).into_json());
    let parts: Vec<_> = judgement.parts.iter().map(part).collect();
    line(&Json::object(|out| {
        out.member("decision", |to| Text::new(judgement.decision.word()).write(to));
        out.member("why", |to| Text::new(&judgement.why).write(to));
        out.member("rule", |to| rule.write(to));
        out.member("parts", |to| parts.write(to));
    }))
}

/// The short form, of which there is one for each line.
pub(super) fn short_json(decision: Decision, why: &str) -> String {
    line(&Json::object(|out| {
        out.member("decision", |to| Text::new(decision.word()).write(to));
        out.member("why", |to| Text::new(why).write(to));
    }))
}

/// Without a character that a terminal would act upon.
pub(super) fn line(json: &Json<'_>) -> String {
    escape_hidden(json.raw()).unwrap_or_else(|| json.raw().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judgement(decision: Decision, why: &str, parts: &[(&str, Decision, &str)]) -> Judgement {
        let part = |(text, decision, why): &(&str, Decision, &str)| Finding {
            text: (*text).to_owned(),
            decision: *decision,
            why: (*why).to_owned(),
            rule: None,
        };
        Judgement { decision, why: why.to_owned(), rule: None, parts: parts.iter().map(part).collect() }
    }

    #[test]
    fn each_part_stands_beside_what_becomes_of_it() {
        let found =
            [("git status", Decision::Allow, "Bash(git status:*)"), ("touch x", Decision::Ask, "no rule")];
        let asked = judgement(Decision::Ask, "`touch x` has no rule", &found);
        let expected = [
            "asks: `touch x` has no rule",
            "  git status  allow  Bash(git status:*)",
            "  touch x     ask    no rule",
            "to allow it: tim rules add 'Bash(touch:*)' 'Bash(echo it'\\''s)'",
        ];
        assert_eq!(rows(&asked, &["Bash(touch:*)".to_owned(), "Bash(echo it's)".to_owned()]), expected);
    }

    #[test]
    fn a_long_offer_has_a_row_for_each_rule_and_can_still_be_copied() {
        let rules = [format!("Bash({}:*)", "x".repeat(40)), "Bash(second:*)".to_owned()];
        let offered = offer(&rules).unwrap();
        let expected = format!("to allow it:\n  tim rules add '{}' \\\n    'Bash(second:*)'", rules[0]);
        assert_eq!(offered, expected);
    }

    #[test]
    fn a_long_part_has_its_own_rows_and_nothing_is_wider_than_the_screen() {
        let (long, why) = ("x".repeat(100), "because ".repeat(12));
        let rows = rows(
            &judgement(Decision::Deny, &why, &[("a", Decision::Allow, "b"), (&long, Decision::Ask, &why)]),
            &[],
        );
        assert!(rows.iter().all(|row| row.chars().count() <= COLUMNS), "{rows:#?}");
        assert_eq!(rows.first().unwrap(), "denied:");
        assert!(rows.iter().any(|row| row.starts_with("     ask    because")), "{rows:#?}");
    }

    #[test]
    fn nothing_foreign_reaches_the_terminal_as_it_is() {
        let odd = judgement(Decision::Ask, "\x1b[2J\u{202e}", &[("a\x1b\nb", Decision::Ask, "\r")]);
        let shown = rows(&odd, &[]).concat() + &json(&odd) + &short_json(odd.decision, &odd.why);
        assert!(shown.chars().all(codec::text::is_printable), "{shown}");
    }
}
