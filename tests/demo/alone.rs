//! Without a terminal: the demo plays the person's part too, and tells it all on stdout.

use serde_json::Value;

use crate::support::launch::Launch;
use crate::support::temp::{Temp, all_below};
use crate::support::wait::eventually;

/// The processes that were started in that folder's name.
fn started_in(folder: &Temp) -> Vec<String> {
    let name = folder.path("home").into_os_string().into_string().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let is_of_it = |path: &std::path::PathBuf| {
        let environment = std::fs::read(path.join("environ")).unwrap_or_default();
        environment.windows(name.len()).any(|part| part == name.as_bytes())
    };
    let found = processes.map(|entry| entry.path()).filter(is_of_it);
    found.map(|path| path.display().to_string()).collect()
}

const STORY: [&str; 17] = [
    "the demo plays your part as well",
    "→ You: Show me what tim does.",
    "no model behind me",
    "● Read  src/parse.rs  5 lines",
    "? claude wants to run a command  cargo test -p parser",
    "✓ the demo answers: yes, once",
    "→ You: also look at the changelog",
    "● Bash  cargo test -p parser",
    "lines left out",
    "test result: ok. 17 passed; 0 failed",
    "“also look at the changelog”",
    "? claude/release asks  Pretend to release version 1.2.0?",
    "✓ the demo answers: yes",
    "The script heard a yes",
    "background  cargo doc --no-deps  completed",
    "does it for real",
    "✓ done",
];

#[test]
fn it_tells_the_whole_story_on_stdout_and_leaves_nothing_behind() {
    let mut demo = Launch::tim(["demo", "--speed", "max"]).start();
    let (code, stdout, stderr) = demo.exit();
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
    let mut rest = stdout.as_str();
    for words in STORY {
        let (_, behind) = rest.split_once(words).unwrap_or_else(|| panic!("no {words:?} in {rest}"));
        rest = behind;
    }
    assert!(!stdout.contains("tim run -r"), "there is nothing to go on with: {stdout}");
    assert!(!stdout.contains('\x1b'), "{stdout:?}");
    let folder = demo.folder();
    eventually("no process to be left", || started_in(folder).is_empty().then_some(()));
    let left: Vec<_> =
        ["run", "tmp", "config", "home"].iter().flat_map(|name| all_below(&folder.path(name))).collect();
    assert!(left.iter().all(|path| path.is_dir()), "{left:?}");
    let records = all_below(&folder.path("state"));
    let record = records.iter().find(|path| path.extension().is_some_and(|end| end == "jsonl")).unwrap();
    let (code, told, _) = Launch::tim(["replay", "--check"]).arg(record.clone()).start().exit();
    assert_eq!(code, Some(0), "{told}");
}

#[test]
fn with_p_only_the_final_text_is_on_stdout() {
    let (code, stdout, stderr) = Launch::tim(["demo", "-p", "--speed", "max"]).start().exit();
    assert_eq!(code, Some(0));
    assert!(stdout.starts_with("The documentation is built"), "{stdout}");
    assert!(stderr.contains("✓ the demo answers: yes, once"), "{stderr}");
}

#[test]
fn programs_read_every_event_and_then_what_it_came_to() {
    let launch = Launch::tim(["demo", "--speed", "max", "--output-format", "stream-json"]);
    let (code, stdout, _) = launch.start().exit();
    assert_eq!(code, Some(0));
    let lines: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for kind in ["prompt_request", "prompt_answered", "command_lifecycle", "result"] {
        assert!(
            lines.iter().any(|line| line["type"] == kind || line["message"]["type"] == kind),
            "{kind}: {stdout}"
        );
    }
    let last = lines.last().unwrap();
    assert_eq!((&last["type"], &last["outcome"]), (&"tim_result".into(), &"done".into()), "{last}");
    assert!(last.get("session_id").is_none(), "{last}");
}

#[test]
fn an_answer_command_and_rules_of_the_user_have_no_part_in_it() {
    let launch =
        Launch::tim(["demo", "--speed", "max"]).env("TIM_ANSWER_COMMAND", "echo '{\"allow\":false}'");
    let folder = launch.folder().folder("config/tim");
    std::fs::write(folder.join("rules.toml"), "deny = [\"Bash(cargo test:*)\"]\n").unwrap();
    let (code, stdout, stderr) = launch.start().exit();
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(stdout.contains("That was a yes"), "{stdout}");
}
