//! A difference in a few rows: where it is, and which members differ.
//!
//! Owns how two lines are compared member by member, down to the JSON inside a recorded line, and how much of a long text is
//! shown. Decides nothing: that they differ is known by then. All that comes out is visible.

use std::fmt;

use codec::json::{Json, Object};
use codec::text::visible;

use super::Difference;

/// So many members are shown; more differ only if the lines have nothing to do with each other.
const MOST_MEMBERS: usize = 12;
/// So many characters of a value are shown, so many of them before the first that differs.
const LONGEST: usize = 60;
const BEFORE: usize = 20;
/// Of a line that has no match so many characters are shown.
const LONGEST_LINE: usize = 200;

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.heading())?;
        self.rows().iter().try_for_each(|row| write!(out, "\n    {row}"))
    }
}

impl Difference {
    /// Which record, when, and on which wire or of what kind.
    #[must_use]
    pub fn heading(&self) -> String {
        let about = if self.wire.is_empty() { self.kind() } else { self.wire.clone() };
        let about = if about.is_empty() { about } else { format!(", {}", visible(&about)) };
        format!("record {} at {}.{:03} s{about}", self.record, self.at / 1_000, self.at % 1_000)
    }

    /// The members that differ, or what has no match.
    #[must_use]
    pub fn rows(&self) -> Vec<String> {
        match (&self.recorded, &self.replayed) {
            (Some(recorded), Some(replayed)) => self.members(recorded, replayed),
            (Some(recorded), None) => vec![format!("recorded, but not now: {}", head(recorded))],
            (None, Some(replayed)) => vec![format!("now, but not recorded: {}", head(replayed))],
            (None, None) => Vec::new(),
        }
    }

    /// What kind of record it is about, and of whom.
    fn kind(&self) -> String {
        let line = self.recorded.as_ref().or(self.replayed.as_ref());
        let object = line.and_then(|line| Object::parse(line).ok()).unwrap_or_default();
        let text = |name: &str| Some(object.peek(name)?.as_text()?.get().into_owned());
        let words = ["rec", "wire", "dir", "key"].iter().filter_map(|name| text(name));
        words.collect::<Vec<_>>().join(" ")
    }

    fn members(&self, recorded: &str, replayed: &str) -> Vec<String> {
        let (Some(one), Some(other)) = (Json::parse(recorded), Json::parse(replayed)) else {
            return vec![differing("", recorded, replayed)];
        };
        // Of what another program said only that it is in what we say is compared.
        let is_least = !self.wire.is_empty();
        let mut found = Found { rows: Vec::new(), more: 0 };
        found.compare("", &one, &other, is_least);
        if found.more > 0 {
            found.rows.push(format!("… and {} more", found.more));
        }
        found.rows
    }
}

struct Found {
    rows: Vec<String>,
    more: usize,
}

impl Found {
    fn push(&mut self, row: impl FnOnce() -> String) {
        if self.rows.len() < MOST_MEMBERS {
            self.rows.push(row());
        } else {
            self.more += 1;
        }
    }

    /// Two values that should mean the same. What stands in the second alone counts unless only the least is wanted.
    fn compare(&mut self, path: &str, one: &Json<'_>, other: &Json<'_>, is_least: bool) {
        if one.means(other) {
            return;
        }
        if let (Ok(one), Ok(other)) = (Object::read(one.clone()), Object::read(other.clone())) {
            return self.objects(path, &one, &other, is_least);
        }
        if let (Some(one), Some(other)) = (one.as_list(), other.as_list()) {
            return self.lists(path, &one, &other);
        }
        if let (Some(one), Some(other)) = (one.as_text(), other.as_text()) {
            let (one, other) = (one.get(), other.get());
            // A line of a wire is JSON in a text.
            if let (Some(one), Some(other)) = (object_in(&one), object_in(&other)) {
                return self.compare(path, &one, &other, false);
            }
            return self.push(|| differing(path, &quoted(&one), &quoted(&other)));
        }
        self.push(|| differing(path, one.raw(), other.raw()));
    }

    fn objects(&mut self, path: &str, one: &Object<'_>, other: &Object<'_>, is_least: bool) {
        // Numbers of records differ after the first difference, and say nothing by that.
        let is_record = path.is_empty() && !is_least;
        for (name, value) in one.iter().filter(|(name, _)| !(is_record && *name == "seq")) {
            let path = joined(path, &name);
            match other.peek(&name) {
                Some(other) => self.compare(&path, value, other, false),
                None => {
                    self.push(|| format!("{}: recorded {}, now missing", visible(&path), short(value.raw())));
                }
            }
        }
        for (name, value) in other.iter().filter(|(name, _)| !is_least && !one.has(name)) {
            let path = joined(path, &name);
            self.push(|| format!("{}: not recorded, now {}", visible(&path), short(value.raw())));
        }
    }

    fn lists(&mut self, path: &str, one: &[Json<'_>], other: &[Json<'_>]) {
        for at in 0..one.len().max(other.len()) {
            let path = format!("{path}[{at}]");
            match (one.get(at), other.get(at)) {
                (Some(one), Some(other)) => self.compare(&path, one, other, false),
                (Some(one), None) => {
                    self.push(|| format!("{}: recorded {}, now missing", visible(&path), short(one.raw())));
                }
                (_, Some(other)) => {
                    self.push(|| format!("{}: not recorded, now {}", visible(&path), short(other.raw())));
                }
                (None, None) => {}
            }
        }
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn object_in(text: &str) -> Option<Json<'_>> {
    if text.starts_with('{') { Json::parse(text) } else { None }
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// Two values, each cut around the first character that differs.
fn differing(path: &str, one: &str, other: &str) -> String {
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let path = if path.is_empty() { String::new() } else { format!("{}: ", visible(path)) };
    format!("{path}recorded {}, now {}", around(one, same), around(other, same))
}

/// A text around the character of that number.
fn around(text: &str, at: usize) -> String {
    let is_short = text.chars().nth(LONGEST).is_none();
    let from = if is_short { 0 } else { at.saturating_sub(BEFORE) };
    let mut letters = text.chars().skip(from);
    let shown: String = letters.by_ref().take(LONGEST).collect();
    let (before, after) = (if from > 0 { "…" } else { "" }, if letters.next().is_some() { "…" } else { "" });
    format!("{before}{}{after}", visible(&shown))
}

fn short(text: &str) -> String {
    around(text, 0)
}

fn head(line: &str) -> String {
    let mut letters = line.chars();
    let shown: String = letters.by_ref().take(LONGEST_LINE).collect();
    format!("{}{}", visible(&shown), if letters.next().is_some() { "…" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(wire: &str, recorded: Option<&str>, replayed: Option<&str>) -> String {
        let (recorded, replayed) = (recorded.map(str::to_owned), replayed.map(str::to_owned));
        Difference { record: 57, at: 12_080, wire: wire.to_owned(), recorded, replayed }.to_string()
    }

    #[test]
    fn only_the_members_that_differ_are_named_by_their_path() {
        let told = difference(
            "",
            Some(
                r#"{"seq":57,"t":1,"rec":"outcome","key":"a.p1","source":"rule","value":{"a":[1,2],"b":null}}"#,
            ),
            Some(
                r#"{"seq":58,"t":1.0,"rec":"outcome","key":"a.p1","source":"terminal","value":{"a":[1,3,4]},"x":{}}"#,
            ),
        );
        assert_eq!(
            told,
            concat!(
                "record 57 at 12.080 s, outcome a.p1\n",
                "    source: recorded \"rule\", now \"terminal\"\n",
                "    value.a[1]: recorded 2, now 3\n",
                "    value.a[2]: not recorded, now 4\n",
                "    value.b: recorded null, now missing\n",
                "    x: not recorded, now {}",
            )
        );
    }

    #[test]
    fn the_json_inside_a_recorded_line_is_unfolded() {
        let line = |behavior: &str| {
            format!(
                r#"{{"seq":1,"t":0,"wire":"claude:main","dir":"to","line":"{{\"response\":{{\"behavior\":\"{behavior}\"}}}}"}}"#
            )
        };
        assert_eq!(
            difference("", Some(&line("allow")), Some(&line("deny"))),
            "record 57 at 12.080 s, claude:main to\n    line.response.behavior: recorded \"allow\", now \"deny\""
        );
    }

    #[test]
    fn of_another_program_only_what_it_said_is_compared() {
        let told = difference(
            "tunnel:1",
            Some(r#"{"type":"prompt_response","value":"a"}"#),
            Some(r#"{"type":"prompt_response","outcome":"answered"}"#),
        );
        assert_eq!(told, "record 57 at 12.080 s, tunnel:1\n    value: recorded \"a\", now missing");
    }

    #[test]
    fn what_has_no_match_is_shown_by_its_beginning() {
        let long = format!("{{\"type\":\"{}\"}}", "x\u{1b}".repeat(500));
        let told = difference("tunnel:1", Some(&long), None);
        assert!(told.contains("recorded, but not now: {\"type\":\"x\\x1bx") && told.ends_with('…'), "{told}");
        assert!(difference("", None, Some("garbage")).ends_with("now, but not recorded: garbage"));
    }

    #[test]
    fn long_texts_are_cut_around_the_first_letter_that_differs() {
        let text = |middle: &str| format!(r#"{{"text":"{}{middle}{}"}}"#, "a".repeat(300), "b".repeat(300));
        let told = difference("", Some(&text("é")), Some(&text("ö")));
        let (a, b) = ("a".repeat(20), "b".repeat(39));
        assert_eq!(told, format!("record 57 at 12.080 s\n    text: recorded …{a}é{b}…, now …{a}ö{b}…"));
    }

    #[test]
    fn lines_that_have_nothing_in_common_do_not_fill_the_screen() {
        let many: Vec<_> = (0..40).map(|number| format!("\"m{number}\":{number}")).collect();
        let told = difference("", Some(&format!("{{{}}}", many.join(","))), Some("{}"));
        assert_eq!(told.lines().count(), 1 + MOST_MEMBERS + 1);
        assert!(told.ends_with("… and 28 more"), "{told}");
    }
}
