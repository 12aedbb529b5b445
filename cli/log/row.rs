//! One row of the log: when, how important, whose, about what. Pure.
//!
//! Owns its form: a time, the level, process and run, the part of the program, a sentence, and `name=value` pairs. A value
//! with blanks, quotes or nothing in it is quoted. No row holds what a terminal would act upon, nor a line end but its own.

use std::fmt::{self, Write as _};

use actors::router::timestamp;
use codec::text::visible;
use tracing::Level;
use tracing::field::{Field, Visit};

/// What is known of an event besides what it says.
pub(super) struct About<'a> {
    pub(super) unix_ms: u64,
    pub(super) level: Level,
    pub(super) pid: u32,
    pub(super) run: Option<&'a str>,
    pub(super) target: &'a str,
}

/// What an event says.
#[derive(Default)]
pub(super) struct Row {
    message: String,
    pairs: Vec<(&'static str, String)>,
}

impl Row {
    /// As a line of the file. `mask` takes out what no log may hold: before it is quoted, which would hide it.
    pub(super) fn line(&self, about: &About<'_>, mask: impl Fn(&str) -> String) -> String {
        let About { unix_ms, level, pid, run, target } = about;
        let mut line = format!("{} {level:5} pid={pid}", timestamp(*unix_ms));
        if let Some(run) = run {
            // A text never fails to take more.
            let _ = write!(line, " run={run}");
        }
        let _ = write!(line, " {target}: {}", mask(&self.message));
        for (name, value) in &self.pairs {
            let value = mask(value);
            let _ = match is_plain(&value) {
                true => write!(line, " {name}={value}"),
                false => write!(line, " {name}={value:?}"),
            };
        }
        format!("{}\n", visible(&line))
    }
}

/// Whether a value can be told from what follows it.
fn is_plain(value: &str) -> bool {
    let is_odd = |letter: char| letter.is_whitespace() || letter.is_control() || "\"=".contains(letter);
    !value.is_empty() && !value.contains(is_odd)
}

impl Visit for Row {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "message" => value.clone_into(&mut self.message),
            name => self.pairs.push((name, value.to_owned())),
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.record_str(field, &format!("{value:?}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(run: Option<&str>) -> About<'_> {
        About { unix_ms: 1_794_815_720_123, level: Level::INFO, pid: 7, run, target: "tim::x" }
    }

    #[test]
    fn a_row_says_when_who_and_what_and_quotes_what_could_be_misread() {
        let pairs = [("a", "1"), ("b", "two words"), ("c", ""), ("d", "x=\"y\""), ("e", "l\nm")];
        let pairs = pairs.map(|(name, value)| (name, value.to_owned())).to_vec();
        let row = Row { message: "it came".to_owned(), pairs };
        let expected = "2026-11-16T07:55:20.123Z INFO  pid=7 run=7f3c tim::x: it came a=1 b=\"two words\" c=\"\" \
                        d=\"x=\\\"y\\\"\" e=\"l\\nm\"\n";
        assert_eq!(row.line(&about(Some("7f3c")), str::to_owned), expected);
        let line = row.line(&about(None), str::to_owned);
        assert!(line.starts_with("2026-11-16T07:55:20.123Z INFO  pid=7 tim::x: "), "{line}");
    }

    #[test]
    fn a_row_is_one_line_without_secrets_and_without_what_a_terminal_acts_upon() {
        let row = Row { message: "a\u{1b}[2Jb\nc secret".to_owned(), pairs: vec![("x", "\"secret".into())] };
        let line = row.line(&about(None), |text| text.replace("secret", "[NAME]"));
        assert_eq!(line.matches('\n').count(), 1, "{line}");
        assert!(!line.contains('\u{1b}') && !line.contains("secret"), "{line}");
        assert_eq!(line.matches("[NAME]").count(), 2, "{line}");
    }
}
