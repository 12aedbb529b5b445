//! What a whole run looks like, on an ordinary screen and on a large one.

use insta::assert_snapshot;
use serde_json::json;

use super::driver::{Run, bash};
use crate::claude::Claude;
use crate::messages_api::{Script, main};
use crate::picture::Picture;
use crate::support::temp::Temp;

with_the_new_version![a_whole_run_on_an_ordinary_screen, a_whole_run_on_a_large_screen,];

const BEGINS: &str =
    "I'll run the test first, then read the tokenizer. That is a sentence of more than one row.";
const FOUND: &str = "It drops the last byte:\n\n- of a *file*\n- without `\\n`\n\n```rust\nlet end = 1;\n```";
const LAST: &str =
    "The tokenizer drops the last byte when a file has no final newline. I keep it in split_line and";

fn story(folder: &Temp) -> Script {
    let file = folder.path("work").join("parse.rs");
    let options = json!([
        {"label": "PostgreSQL", "description": "a server; the team already runs one"},
        {"label": "SQLite", "description": "one file, no server"},
    ]);
    let asked = json!([{"question": "Which database?", "header": "Database", "options": options,
        "multiSelect": false}]);
    let edit = json!({"file_path": file, "old_string": "two", "new_string": "2\nand a half"});
    Script::new()
        .turn(main().asked("fix").text(BEGINS).tool("Bash", bash("seq 1 60")))
        .turn(main().tool("Read", json!({"file_path": file})))
        .turn(main().text(FOUND).tool("Edit", edit))
        .turn(main().tool("Bash", bash("git fetch origin --prune && touch x")))
        .turn(main().tool("AskUserQuestion", json!({"questions": asked})))
        .turn(main().opens(LAST).held("end").more(" that is all."))
        .turn(main().asked("also").text("Added."))
}

/// Looks at a whole run, from its first question to its end.
fn look(claude: &Claude, size: (u16, u16), name: &str) {
    let mut run = Run::at_size(claude, story, &["fix the failing test in parse.rs"], size);
    std::fs::write(run.path("parse.rs"), "one\ntwo\nthree\n").unwrap();
    let shown = |what: &str, picture: &Picture| assert_snapshot!(format!("{name}_{what}"), masked(picture));
    shown("edit", &run.armed("y once"));
    run.types("y");
    shown("bash", &run.until("git", |picture| picture.has("git fetch") && picture.is_bold("y once")));
    run.types("s");
    shown("rules", &run.sees("Allow for this session"));
    run.types("\x1b");
    run.answers("n no", "n");
    shown("asks", &run.armed("1-3 or"));
    run.types("2");
    run.sees("split_line and");
    run.says("also add a test for CRLF");
    run.types("and update the chan");
    shown("writes", &run.until("both", |picture| picture.has("queued") && picture.has("the chan")));
    run.types("\x15");
    run.sees_no("the chan");
    run.api.release("end");
    run.ends_with(0);
    let all: Vec<String> = run.picture().history().iter().map(|row| mask(row)).collect();
    assert_snapshot!(format!("{name}_whole"), all.join("\n").trim_end());
}

fn a_whole_run_on_an_ordinary_screen(claude: &Claude) {
    look(claude, (80, 24), "run_ordinary");
}

fn a_whole_run_on_a_large_screen(claude: &Claude) {
    look(claude, (200, 50), "run_large");
}

/// A picture without what is different each time.
fn masked(picture: &Picture) -> String {
    let rows = picture.masked();
    let row = |row: &str| match row.split_once('┊') {
        Some((row, looks)) => format!("{:<80}┊{looks}\n", mask(row)),
        None => format!("{row}\n"),
    };
    rows.lines().map(row).collect()
}

/// A row without what is different each time: times, costs, folders, names of runs.
fn mask(row: &str) -> String {
    let is_time = |word: &str| {
        word.ends_with('s')
            && word.starts_with(|first: char| first.is_ascii_digit())
            && word.chars().all(|letter| letter.is_ascii_digit() || ".ms".contains(letter))
    };
    let masked = |word: &str| match word {
        "⠋" | "⠙" | "⠹" | "⠸" | "⠼" | "⠴" | "⠦" | "⠧" | "⠇" | "⠏" => "⠹".to_owned(),
        _ if is_time(word) => "TIME".to_owned(),
        _ if word.starts_with("$0.") => "COST".to_owned(),
        _ if word.starts_with('/') && word.ends_with("/work") => "FOLDER".to_owned(),
        _ if word.len() == 8 && word.chars().all(|letter| letter.is_ascii_hexdigit()) => "RUN".to_owned(),
        _ if word.len() == 5 && word.as_bytes()[2] == b':' => "HH:MM".to_owned(),
        _ => word.to_owned(),
    };
    let words: Vec<String> = row.trim_end().split(' ').map(masked).collect();
    let mut row = words.join(" ");
    // What stands at the right end moves with the width of the time.
    while row.starts_with('⠹') && row.contains("    ") {
        row = row.replace("    ", "   ");
    }
    // How long a tool took is told only if that was a second or more.
    if row.starts_with('●') { row.trim_end_matches("TIME").trim_end().to_owned() } else { row }
}
