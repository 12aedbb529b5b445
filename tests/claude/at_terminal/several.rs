//! Several of them at once: each asks, the person sees who, and each gets its own answer; and one after another.

use super::driver::{Run, bash};
use crate::claude::Claude;
use crate::messages_api::{Script, main};
use crate::pty::Start;
use crate::support::temp::Temp;

with_both_versions![three_at_once_ask_and_each_gets_its_own_answer,];
with_the_new_version![tasks_of_a_file_run_one_after_another_and_a_line_goes_to_the_one_at_work,];

/// Each task makes a file of its own, and says what came of it.
fn makes(name: &str) -> Script {
    let command = bash(&format!("touch {name}"));
    Script::new()
        .turn(main().asked(&format!("make {name}")).tool("Bash", command))
        .turn(main().mentions(&format!("make {name}")).told("said no").text(&format!("No {name} then.")))
        .turn(main().mentions(&format!("make {name}")).text(&format!("Made {name}.")))
}

fn three_at_once_ask_and_each_gets_its_own_answer(claude: &Claude) {
    let script = makes("one").turns(makes("two")).turns(makes("three"));
    let arguments = [
        "-j",
        "3",
        "-n",
        "api",
        "-n",
        "web",
        "-n",
        "docs",
        "--task",
        "make one",
        "--task",
        "make two",
        "--task",
        "make three",
    ];
    let mut run = Run::start(claude, script, &arguments);
    let names = [("api", "one"), ("web", "two"), ("docs", "three")];
    let mut denied = None;
    for turn in 0..3 {
        let picture = run.until("a question whose keys count", |picture| picture.is_bold("y once"));
        let is_up = |(name, _): &&(&str, &str)| picture.has(&format!("? {name} wants to run a command"));
        let (name, file) = names.iter().find(is_up).expect("somebody asks");
        assert!(picture.has(&format!("touch {file}")), "{name} has its own command:\n{picture}");
        run.types(if turn == 1 { "n" } else { "y" });
        if turn == 1 {
            denied = Some(*file);
        }
        run.sees_no(&format!("? {name} wants to run a command"));
    }
    run.ends_with(0);
    run.sees("✓ 3 of 3 done");
    for (_, file) in names {
        assert_eq!(run.path(file).exists(), denied != Some(file), "{file}");
    }
}

fn tasks_of_a_file_run_one_after_another_and_a_line_goes_to_the_one_at_work(claude: &Claude) {
    let script = Script::new()
        .turn(main().asked("make one").held("first").text("Made one."))
        .turn(main().asked("also this").text("And that."))
        .turn(main().asked("make two").text("Made two."));
    let start = |folder: &Temp| {
        std::fs::write(folder.path("work").join("TODO.md"), "- [ ] make one\n- [ ] make two\n").unwrap();
        Start::tim(folder, &["run", "--claude", claude.binary.to_str().unwrap(), "--tasks", "TODO.md"])
    };
    let mut run = Run::go(claude, |_| script, start);
    run.sees("→ You: make one");
    run.says("also this");
    run.sees("queued  also this");
    run.api.release("first");
    run.ends_with(0);
    run.assert_told(&[
        "→ You: make one",
        "Made one.",
        "→ You: also this",
        "And that.",
        "→ You: make two",
        "Made two.",
    ]);
    run.assert_told(&["✓ 2 of 2 done", "make one", "make two"]);
    let text = std::fs::read_to_string(run.path("TODO.md")).unwrap();
    assert_eq!(text, "- [x] make one\n- [x] make two\n");
}
