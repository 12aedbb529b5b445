//! The rules file as a text: which keys there are, what each may say, and where each rule stands.
//!
//! Text in, text out; opens nothing. A document is right as a whole or not at all: one bad rule, and none of them counts.
//! A changed document is read again, and must say exactly what was meant to be changed and nothing else.

use std::ops::Range;
use std::path::PathBuf;

use actors::gate::rules::{BadRule, Rule, RuleSet};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{List, edit};
use crate::source::Source;
use crate::trusted::LONGEST;

/// A rules file that was understood.
#[derive(Debug, Clone)]
pub(super) struct Document {
    path: PathBuf,
    text: String,
    allow: Option<Entries>,
    deny: Option<Entries>,
}

/// A list of rules, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entries {
    /// its bytes, brackets included
    pub(super) span: Range<usize>,
    pub(crate) rules: Vec<Entry>,
}

/// A rule, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) rule: Rule,
    /// what the file says, without quotes and escapes
    pub(crate) text: String,
    /// its bytes, quotes included
    pub(crate) span: Range<usize>,
}

impl Document {
    /// Reads the text of the file. The error says where it is wrong.
    pub(super) fn parse(path: PathBuf, text: String) -> Result<Self, String> {
        let source = Source { path: &path, text: &text };
        let table = DeTable::parse(&text).map_err(|error| source.unreadable(&error))?;
        let (mut allow, mut deny) = (None, None);
        for (key, value) in table.get_ref() {
            match key.get_ref().as_ref() {
                "allow" => allow = Some(entries(source, List::Allow, value)?),
                "deny" => deny = Some(entries(source, List::Deny, value)?),
                other => {
                    let what = format!("unknown key `{other}`, expected `allow` or `deny`");
                    return Err(source.wrong(Some(key.span().start), &what));
                }
            }
        }
        Ok(Self { path, text, allow, deny })
    }

    /// The text of the file.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The rules of a list, in order.
    pub(super) fn rules(&self, list: List) -> &[Entry] {
        self.entries(list).map_or(&[], |entries| &entries.rules)
    }

    /// The rules in the form that the gate takes.
    pub(super) fn rule_set(&self) -> RuleSet {
        let rules = |list| self.rules(list).iter().map(|entry| entry.rule.clone()).collect();
        RuleSet { allow: rules(List::Allow), deny: rules(List::Deny) }
    }

    /// Where a rule stands in a list, if it does.
    pub(super) fn find(&self, list: List, rule: &Rule) -> Option<usize> {
        self.rules(list).iter().position(|entry| entry.rule == *rule)
    }

    /// The same with one rule more, at the end of a list.
    pub(super) fn with(&self, list: List, rule: &str) -> Result<Self, String> {
        let mut wanted = self.texts(list);
        wanted.push(rule);
        self.changed(edit::insert(&self.text, self.entries(list), list, rule), list, &wanted)
    }

    /// The same without the rule at that place of a list.
    pub(super) fn without(&self, list: List, place: usize) -> Result<Self, String> {
        let mut wanted = self.texts(list);
        if place < wanted.len() {
            wanted.remove(place);
        }
        self.changed(edit::remove(&self.text, self.rules(list), place), list, &wanted)
    }

    /// Reads what a change has made of the text, and compares it with what was wanted.
    fn changed(&self, text: String, list: List, wanted: &[&str]) -> Result<Self, String> {
        if text.len() as u64 > LONGEST {
            return Err(format!("{}: it would be longer than {} MiB", self.path.display(), LONGEST >> 20));
        }
        let changed = Self::parse(self.path.clone(), text)?;
        let kept = list.other();
        if changed.texts(list) == wanted && changed.texts(kept) == self.texts(kept) {
            return Ok(changed);
        }
        let at = self.entries(list).map(|entries| entries.span.start);
        let what = format!("the list `{list}` is written in a way that only you can change");
        Err(Source { path: &self.path, text: &self.text }.wrong(at, &what))
    }

    const fn entries(&self, list: List) -> Option<&Entries> {
        match list {
            List::Allow => self.allow.as_ref(),
            List::Deny => self.deny.as_ref(),
        }
    }

    fn texts(&self, list: List) -> Vec<&str> {
        self.rules(list).iter().map(|entry| entry.text.as_str()).collect()
    }
}

/// The list that a key holds.
pub(crate) fn entries(
    source: Source<'_>,
    list: List,
    value: &Spanned<DeValue<'_>>,
) -> Result<Entries, String> {
    let Some(items) = value.get_ref().as_array() else {
        let what = format!("{list} must be a list of rules, such as [\"Bash(git status:*)\"]");
        return Err(source.wrong(Some(value.span().start), &what));
    };
    let rules = items.iter().map(|item| entry(source, list, item)).collect::<Result<_, _>>()?;
    Ok(Entries { span: value.span(), rules })
}

fn entry(source: Source<'_>, list: List, item: &Spanned<DeValue<'_>>) -> Result<Entry, String> {
    let span = item.span();
    let Some(text) = item.get_ref().as_str() else {
        let what = format!("a rule of {list} must be a text, such as \"Bash(git status:*)\"");
        return Err(source.wrong(Some(span.start), &what));
    };
    let bad = |bad: BadRule| source.wrong(Some(place_in(source.text, &span, text, bad.at)), &bad.what);
    let rule = Rule::parse(text).map_err(bad)?;
    Ok(Entry { rule, text: text.to_owned(), span })
}

/// Where a character of a rule stands in the file: where its string does, if that is not written as it reads.
fn place_in(file: &str, span: &Range<usize>, rule: &str, at: usize) -> usize {
    let written = file.get(span.clone()).unwrap_or_default();
    let is_plain = written.len() == rule.len() + 2 && written.get(1..=rule.len()) == Some(rule);
    let before: usize = rule.chars().take(at).map(char::len_utf8).sum();
    if is_plain { span.start + 1 + before } else { span.start }
}
