//! What a person allows for always: where it is saved, what is said if it is not, and that it holds either way.

use std::fs;
use std::sync::Arc;

use crate::person::at_terminal;
use crate::picture::Picture;
use crate::pty::Pty;
use crate::stub::record;
use crate::support::temp::Temp;

/// An agent that wants to run a command, twice, and writes down what it is told.
const TWICE: &str = r#"wants() { echo '{"type":"control_request","request_id":"'"$1"'","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"'"$2"'"},"tool_use_id":"t'"$1"'"}}'; }
hears; init; wants a 'git fetch origin'; hears; echo "$line" > heard
wants b 'git fetch --all'; hears; echo "$line" >> heard; result; to_the_end"#;

/// The person opens the rule that would hold for always.
fn opened(folder: &Arc<Temp>) -> Pty {
    let mut tim = at_terminal(folder, TWICE, &[]);
    tim.armed("p always…");
    tim.types("p");
    let row = tim.sees("rule  Bash(git fetch:*)");
    assert!(row.has("? Allow always") && row.has("Tab:"), "{row}");
    tim
}

/// Both were allowed, whatever became of the rule.
#[track_caller]
fn assert_allowed(tim: &mut Pty, folder: &Temp) {
    assert_eq!(tim.ends(), 0, "{}", tim.picture());
    let heard = fs::read_to_string(folder.path("home/heard")).unwrap();
    assert_eq!(heard.matches(r#""behavior":"allow""#).count(), 2, "{heard}");
}

#[test]
fn a_rule_is_saved_in_tims_file_and_answers_in_the_next_run() {
    let folder = Arc::new(Temp::new());
    let mut tim = opened(&folder);
    tim.types("\r");
    assert_allowed(&mut tim, &folder);
    let rules = fs::read_to_string(folder.path("config/tim/rules.toml")).unwrap();
    assert!(rules.contains("\"Bash(git fetch:*)\""), "{rules}");
    assert!(!folder.path("home/.claude").exists());
    let mut next = at_terminal(&folder, TWICE, &[]);
    assert_allowed(&mut next, &folder);
    next.sees("questions  2 yes (rules 2)");
}

#[test]
fn by_tab_a_rule_is_saved_in_claudes_settings_of_the_folder_and_that_is_on_record() {
    let folder = Arc::new(Temp::new());
    fs::create_dir_all(folder.path("home/.claude")).unwrap();
    let settings = folder.path("home/.claude/settings.local.json");
    fs::write(&settings, "{\n    \"model\": \"x\"\n}\n").unwrap();
    let mut tim = opened(&folder);
    tim.types("\t");
    tim.sees("Claude's own matching applies there");
    tim.types("\r");
    assert_allowed(&mut tim, &folder);
    assert_eq!(
        fs::read_to_string(settings).unwrap(),
        "{\n    \"model\": \"x\",\n    \"permissions\": {\n        \"allow\": [\n            \"Bash(git fetch:*)\"\n        ]\n    }\n}\n"
    );
    assert!(!folder.path("config/tim/rules.toml").exists(), "not in tim's file too");
    let record = record(&folder);
    assert!(record.contains(r#""rule":"Bash(git fetch:*)","saved":"claude""#), "{record}");
}

/// The rows as one: where a sentence is wrapped depends on how long the path in it is.
fn folded(picture: &Picture) -> String {
    picture.rows().iter().flat_map(|row| row.split_whitespace()).collect::<Vec<_>>().join(" ")
}

/// Permissions do not bind root, so a folder stands where the file should be.
#[test]
fn f103_a_rule_that_cannot_be_saved_is_said_and_holds_for_the_run() {
    for (place, keys, seen) in [
        ("config/tim/rules.toml", "", "Tab:"),
        ("home/.claude/settings.local.json", "\t", "Claude's own matching"),
    ] {
        let folder = Arc::new(Temp::new());
        fs::create_dir_all(folder.path(place)).unwrap();
        let mut tim = opened(&folder);
        tim.types(keys);
        tim.sees(seen);
        tim.types("\r");
        assert_allowed(&mut tim, &folder);
        let picture = tim.sees("! the rule holds for this run only:");
        assert!(folded(&picture).contains("is not a file"), "{picture}");
        tim.sees("questions  2 yes (you 1, rules 1)");
    }
}

#[test]
fn f105_settings_that_are_corrupt_stay_as_they_are() {
    let folder = Arc::new(Temp::new());
    fs::create_dir_all(folder.path("home/.claude")).unwrap();
    let settings = folder.path("home/.claude/settings.local.json");
    fs::write(&settings, "{ \"permissions\": ").unwrap();
    let mut tim = opened(&folder);
    tim.types("\t");
    tim.sees("Claude's own matching");
    tim.types("\r");
    assert_allowed(&mut tim, &folder);
    tim.sees("! the rule holds for this run only:");
    tim.until("why", |picture| folded(picture).contains("not JSON"));
    assert_eq!(fs::read_to_string(settings).unwrap(), "{ \"permissions\": ");
}
