//! What a rules file may say, what is said about a bad one, and that a change leaves all the rest of it alone.

use proptest::prelude::*;

use super::List::{Allow, Deny};
use super::document::Document;

fn parse(text: &str) -> Result<Document, String> {
    Document::parse("/r.toml".into(), text.to_owned())
}

fn texts(document: &Document) -> (Vec<String>, Vec<String>) {
    let of = |list| document.rules(list).iter().map(|entry| entry.text.clone()).collect();
    (of(Allow), of(Deny))
}

fn added(text: &str, rule: &str) -> String {
    parse(text).unwrap().with(Allow, rule).unwrap().text().to_owned()
}

fn removed(text: &str, place: usize) -> String {
    parse(text).unwrap().without(Allow, place).unwrap().text().to_owned()
}

#[test]
fn nothing_and_comments_are_no_rules() {
    for text in ["", "\n\n", "# nothing yet\n", "allow = []\ndeny = [ ]\n", "deny = [\n# none\n]"] {
        assert_eq!(texts(&parse(text).unwrap()), (vec![], vec![]), "{text}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place_and_then_nothing_counts() {
    for (text, told) in [
        (
            "allow = [\"WebFetch\"]\nalow = []\n",
            "/r.toml:2:1: unknown key `alow`, expected `allow` or `deny`",
        ),
        ("allow = \"WebFetch\"\n", "/r.toml:1:9: allow must be a list of rules"),
        ("[allow]\nx = 1\n", "/r.toml:1:1: allow must be a list of rules"),
        ("[[deny]]\nx = 1\n", "/r.toml:1:1: a rule of deny must be a text"),
        ("allow = [\"WebFetch\", 5]", "/r.toml:1:22: a rule of allow must be a text"),
        ("allow = [\"WebFetch\"", "/r.toml:1:"),
        ("allow = []\nallow = []\n", "/r.toml:2:1: duplicate key"),
        ("\u{7f}ELF", "/r.toml:1:"),
        ("allow = [\n  'Bash(:*)'\n]", "/r.toml:2:9: no command is named"),
        ("deny = [\"Bash(git status:*\"]", "/r.toml:1:27: the `)` at the end is missing"),
        ("deny = [\"Bash(\\u0067it status:*\"]", "/r.toml:1:9: the `)` at the end is missing"),
        ("deny = ['Bäsh']", "/r.toml:1:11: "),
    ] {
        let why = parse(text).unwrap_err();
        assert!(why.starts_with(told), "{text:?}: {why}");
    }
}

#[test]
fn a_new_rule_goes_to_the_end_of_its_list_in_the_way_of_those_before() {
    for (before, after) in [
        ("", "# Rules of tim; see `tim rules --help`.\nallow = [\n    \"N\",\n]\n"),
        ("# mine", "# mine\nallow = [\n    \"N\",\n]\n"),
        ("deny = []\n", "deny = []\nallow = [\n    \"N\",\n]\n"),
        ("allow = []\ndeny = []", "allow = [\n    \"N\",\n]\ndeny = []"),
        ("allow = [\n]", "allow = [\n    \"N\",\n]"),
        ("allow = [ # why\n # so\n]", "allow = [ # why\n # so\n    \"N\",\n]"),
        ("allow = ['A']", "allow = ['A', \"N\"]"),
        ("allow = ['A',]", "allow = ['A', \"N\",]"),
        ("allow = [\n\t'A', # a, b\n]", "allow = [\n\t'A', # a, b\n\t\"N\",\n]"),
        ("allow = [\n  'A' # a, b\n  # c\n]", "allow = [\n  'A', # a, b\n  # c\n  \"N\",\n]"),
        ("allow = ['A',\n  'B'\n]", "allow = ['A',\n  'B',\n  \"N\",\n]"),
        ("allow = ['A', # a\n  'B']", "allow = ['A', # a\n  'B', \"N\"]"),
        ("allow = [\r\n    'A'\r\n]\r\n", "allow = [\r\n    'A',\r\n    \"N\",\r\n]\r\n"),
        ("\"allow\" = [\"\"\"A\"\"\"]", "\"allow\" = [\"\"\"A\"\"\", \"N\"]"),
    ] {
        assert_eq!(added(before, "N"), after, "{before}");
    }
}

#[test]
fn a_rule_goes_with_its_comma_and_its_row_and_comments_stay() {
    for (before, place, after) in [
        ("allow = ['A']", 0, "allow = []"),
        ("allow = ['A', 'B', 'C']", 0, "allow = ['B', 'C']"),
        ("allow = ['A', 'B', 'C']", 1, "allow = ['A', 'C']"),
        ("allow = ['A', 'B', 'C']", 2, "allow = ['A', 'B']"),
        ("allow = ['A', 'B',]", 1, "allow = ['A', ]"),
        ("allow = [\n  # a\n  'A', # b\n  'B',\n]", 0, "allow = [\n  # a\n  # b\n  'B',\n]"),
        ("allow = [\n  'A', # b\n  'B',\n]", 1, "allow = [\n  'A', # b\n]"),
        ("allow = [\n  'A',\n  'B'\n]", 1, "allow = [\n  'A',\n]"),
        ("allow = [\n  'A' # a, b\n  , 'B'\n]", 0, "allow = [\n  # a, b\n   'B'\n]"),
        ("allow = [\r\n  'A',\r\n  'B',\r\n]", 0, "allow = [\r\n  'B',\r\n]"),
    ] {
        assert_eq!(removed(before, place), after, "{before} {place}");
    }
}

#[test]
fn a_rule_is_written_as_it_reads_wherever_that_is_possible() {
    assert!(added("", r#"Bash(grep "a\.b")"#).contains(r#"    'Bash(grep "a\.b")',"#));
    assert!(added("", r#"Bash(echo "it's")"#).contains(r#"    "Bash(echo \"it's\")","#));
}

#[test]
fn a_file_that_could_not_be_read_again_is_not_made() {
    let text = format!("# {}\n", "x".repeat((1 << 20) - 10));
    assert!(parse(&text).unwrap().with(Allow, "WebFetch").unwrap_err().contains("longer than 1 MiB"));
}

/// Rules that hold what could be taken for the end of a rule, of a list or of a row.
fn rules() -> impl Strategy<Value = String> {
    r#"[a-z #,=ü\[\]']{0,8}"#.prop_map(|word| format!("Bash(echo \"{word}\")"))
}

/// Lists as people write them: on one row or several, with and without comments and a last comma.
fn lists() -> impl Strategy<Value = String> {
    let item = (rules(), prop_oneof![Just(""), Just(" # a, ] b\n"), Just("\n")]);
    let items = prop::collection::vec(item, 0..5);
    (items, any::<bool>(), any::<bool>(), prop_oneof![Just(""), Just("\n"), Just("\r\n  ")]).prop_map(
        |(items, is_open, has_comma, gap)| {
            let last = items.len().saturating_sub(1);
            let mut text = format!("[{}", if is_open { "\n" } else { "" });
            for (place, (rule, end)) in items.iter().enumerate() {
                let comma = if place < last || has_comma { "," } else { "" };
                let rule = format!("{gap}\"{}\"{comma}{end}", rule.replace('"', "\\\""));
                text.push_str(&rule);
            }
            text + "]"
        },
    )
}

proptest! {
    #[test]
    fn any_change_of_any_list_says_what_was_meant_and_keeps_all_comments(
        allow in lists(), deny in lists(), rule in rules(), place in 0..5_usize,
    ) {
        let old = parse(&format!("# begin\nallow = {allow}\ndeny = {deny} # end")).map_err(TestCaseError::fail)?;
        let comments = |document: &Document| document.text().matches("# ").count();
        for list in [Allow, Deny] {
            let new = old.with(list, &rule).map_err(TestCaseError::fail)?;
            prop_assert_eq!(comments(&new), comments(&old) + rule.matches("# ").count());
            if let Some(gone) = old.rules(list).get(place) {
                let new = old.without(list, place).map_err(TestCaseError::fail)?;
                prop_assert_eq!(comments(&new) + gone.text.matches("# ").count(), comments(&old));
            }
        }
    }
}
