//! A run below a run, both with the real CLI: `tim run` → claude → Bash → `tim run` → claude → Bash → `tim ask`.

use rustix::process::{Pid, Signal, kill_process};

use super::driver::{Run, bash};
use crate::claude::Claude;
use crate::messages_api::{Script, main};

with_both_versions![
    a_question_of_the_leaf_is_answered_at_the_root,
    what_is_granted_at_the_root_is_kept_by_the_nested_run,
    when_the_root_is_killed_nobody_is_left,
    when_the_nested_run_is_killed_its_question_goes_and_the_root_goes_on,
    when_the_outer_agent_is_killed_nobody_is_left_below_it,
    when_the_inner_agent_is_killed_its_question_goes_and_the_root_goes_on,
];

const TIM: &str = env!("CARGO_BIN_EXE_tim");
const LEAF: &str = "Shall the leaf go on?";

/// The outer model starts a run, the inner one a script that asks. Only the outer one may do so unasked.
fn chain(claude: &Claude) -> Run {
    let nested = format!("{TIM} run -n review --claude {} 'inner task'", claude.binary.display());
    let leaf = format!("{TIM} ask confirm '{LEAF}' --label leaf && echo it was a yes");
    let script = Script::new()
        .turn(main().asked("outer task").text("I let it be reviewed.").tool("Bash", bash(&nested)))
        .turn(main().asked("inner task").text("I look at it.").tool("Bash", bash(&leaf)))
        .turn(main().told("it was a yes").text("The inner one is done."))
        .turn(main().told("The inner one is done.").text("So am I."))
        .turn(main().text("It did not work."));
    Run::start(claude, script, &["--allowed-tools", "Bash", "outer task"])
}

/// Up to the question of the leaf: the permission of the inner agent is asked at the root first.
fn asked(claude: &Claude) -> Run {
    let mut run = chain(claude);
    let asked = run.armed("y once");
    assert!(asked.has("? claude › review › claude wants to run a command"), "{asked}");
    assert!(asked.has("claude/review │   I look at it."), "{asked}");
    run.types("y");
    let asked = run.armed("y yes");
    assert!(asked.has("? claude › review › claude › leaf asks") && asked.has(LEAF), "{asked}");
    run
}

fn words(pid: u32) -> Vec<String> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    line.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

fn has(pid: u32, wanted: &[&str]) -> bool {
    let words = words(pid);
    wanted.iter().all(|wanted| words.iter().any(|word| word == wanted))
        && !words.iter().any(|word| word == "__guard")
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

fn is_below(pid: u32, above: u32) -> bool {
    std::iter::successors(parent_of(pid), |pid| parent_of(*pid)).any(|pid| pid == above)
}

/// The nested run, the outer agent, the inner one.
fn levels(run: &Run) -> (u32, u32, u32) {
    let all = run.processes();
    let nested = *all.iter().find(|pid| has(**pid, &["run", "-n", "review"])).expect("the nested run");
    let agents: Vec<u32> = all.into_iter().filter(|pid| has(*pid, &["--input-format"])).collect();
    let (inner, outer): (Vec<u32>, Vec<u32>) = agents.into_iter().partition(|pid| is_below(*pid, nested));
    (nested, outer[0], inner[0])
}

fn kill(pid: u32) {
    kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), Signal::KILL).unwrap();
}

fn a_question_of_the_leaf_is_answered_at_the_root(claude: &Claude) {
    let mut run = asked(claude);
    run.types("y");
    run.ends_with(0);
    assert!(run.asked(3).tool_results()[0].contains("it was a yes"), "the leaf printed it");
    assert_eq!(run.asked(4).tool_results(), ["The inner one is done."], "and nothing else of it is read");
    run.assert_told(&[
        "I let it be reviewed.",
        "I look at it.",
        "The inner one is done.",
        "So am I.",
        "✓ done",
    ]);
}

fn what_is_granted_at_the_root_is_kept_by_the_nested_run(claude: &Claude) {
    let nested = format!("{TIM} run -n review --claude {} 'inner task'", claude.binary.display());
    let script = Script::new()
        .turn(main().asked("outer task").tool("Bash", bash(&nested)))
        .turn(main().asked("inner task").tool("Bash", bash("touch first && echo the first")))
        .turn(main().told("the first").tool("Bash", bash("touch second && echo the second")))
        .turn(main().told("the second").text("Both are made."))
        .turn(main().told("Both are made.").text("So am I."));
    let mut run = Run::start(claude, script, &["--allowed-tools", "Bash", "outer task"]);
    run.answers("s session…", "s");
    run.sees("? Allow for this session");
    run.types("\r");
    run.ends_with(0);
    assert!(run.path("first").exists() && run.path("second").exists());
    assert_eq!(run.picture().times("you, session"), 1, "asked once\n{}", run.picture());
}

fn when_the_root_is_killed_nobody_is_left(claude: &Claude) {
    let run = asked(claude);
    run.signal(Signal::KILL);
    run.assert_alone();
}

fn when_the_nested_run_is_killed_its_question_goes_and_the_root_goes_on(claude: &Claude) {
    let mut run = asked(claude);
    let (nested, _, inner) = levels(&run);
    kill(nested);
    run.sees_no("leaf asks");
    run.ends_with(0);
    assert!(!run.processes().contains(&inner));
    run.assert_told(&["It did not work.", "✓ done"]);
}

fn when_the_outer_agent_is_killed_nobody_is_left_below_it(claude: &Claude) {
    let mut run = asked(claude);
    kill(levels(&run).1);
    run.sees_no("leaf asks");
    run.ends_with(1);
}

fn when_the_inner_agent_is_killed_its_question_goes_and_the_root_goes_on(claude: &Claude) {
    let mut run = asked(claude);
    kill(levels(&run).2);
    run.sees_no("leaf asks");
    run.ends_with(0);
    run.assert_told(&["It did not work.", "✓ done"]);
}
