//! A run that asks by the tool of an MCP server: what a person sees is what they would see on the pipes.

use rustix::process::{Pid, Signal, kill_process};

use super::driver::{Run, bash, command};
use super::questions::MCP;
use super::{ends, permissions};
use crate::claude::{Claude, Version};
use crate::messages_api::{Script, main};
use crate::support::wait::eventually;

with_both_versions![
    what_is_allowed_once_is_done,
    a_reason_reaches_the_model_word_for_word,
    what_is_allowed_for_the_session_is_not_asked_again,
    several_questions_at_once_are_asked_one_after_another,
    an_interrupt_takes_the_question_back,
    a_subagent_asks_under_its_own_name,
    a_server_that_dies_takes_its_question_along_and_comes_again_with_the_next,
    a_server_that_starts_late_is_waited_for_or_the_run_says_why_it_cannot,
];

with_the_new_version![
    time_in_which_a_person_thinks_is_no_silence_of_the_agent,
    what_nobody_answers_in_time_is_denied_or_allowed_as_the_user_said,
];

fn start(claude: &Claude, script: Script, more: &[&str]) -> Run {
    Run::start(claude, script, &[MCP, more, &["go"]].concat())
}

fn what_is_allowed_for_the_session_is_not_asked_again(claude: &Claude) {
    let script = Script::new()
        .turn(main().asked("go").tool("Bash", bash("touch one")))
        .turn(main().tool("Bash", bash("touch two")))
        .turn(main().text("Both."));
    let mut run = start(claude, script, &[]);
    run.answers("s session…", "s");
    run.sees("rule  Bash(touch:*)");
    run.types("\r");
    run.ends_with(0);
    assert!(run.path("one").exists() && run.path("two").exists());
    run.assert_told(&["you, session", "Both.", "✓ done", "2 yes (you 1, rules 1)"]);
}

/// The process of `tim mcp serve`.
fn server(run: &Run) -> Pid {
    let pid = eventually("the server", || {
        let is_it = |pid: &u32| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
            words.windows(2).any(|two| two == [b"mcp".as_slice(), b"serve".as_slice()])
        };
        run.processes().into_iter().find(is_it)
    });
    Pid::from_raw(i32::try_from(pid).unwrap()).unwrap()
}

fn a_server_that_dies_takes_its_question_along_and_comes_again_with_the_next(claude: &Claude) {
    let script = Script::new()
        .turn(main().asked("go").tool("Bash", bash("touch one")))
        .turn(main().tool("Bash", bash("touch two")))
        .turn(main().text("The second."));
    let mut run = start(claude, script, &[]);
    run.armed("y once");
    let first = server(&run);
    kill_process(first, Signal::KILL).unwrap();
    run.until("the second", |picture| picture.has("    touch two") && picture.is_bold("y once"));
    assert_ne!(server(&run), first);
    run.types("y");
    run.ends_with(0);
    assert!(!run.path("one").exists() && run.path("two").exists());
    run.assert_told(&["agent gone", "you, once", "The second."]);
}

fn a_server_that_starts_late_is_waited_for_or_the_run_says_why_it_cannot(claude: &Claude) {
    let words = [MCP, &["go"]].concat();
    let slow = |start: crate::pty::Start| start.env("TIM_TEST_BRIDGE_DELAY_MS", "4000");
    let mut run = Run::with(claude, command("touch made", "Made."), &words, slow);
    match claude.version {
        Version::New => {
            run.answers("y once", "y");
            run.ends_with(0);
            assert!(run.path("made").exists());
        }
        // It begins after two seconds, whoever is there.
        Version::Old => {
            assert_eq!(run.ends(), 1, "{}", run.picture());
            run.assert_told(&[
                "Claude Code began without the server by which it asks",
                "--permission-route stdio",
            ]);
            assert!(!run.path("made").exists());
            run.assert_alone();
        }
    }
}

/// The person thinks for longer than the agent may say nothing; then it goes on.
fn time_in_which_a_person_thinks_is_no_silence_of_the_agent(claude: &Claude) {
    let times = ["--idle-timeout", "5s", "--permission-timeout", "8s", "--dangerously-allow-on-timeout"];
    let mut run = start(claude, command("touch made", "Made."), &times);
    run.sees("touch made");
    run.ends_with(0);
    assert!(run.path("made").exists());
}

fn what_nobody_answers_in_time_is_denied_or_allowed_as_the_user_said(claude: &Claude) {
    for is_allowed in [false, true] {
        let flags: &[&str] = if is_allowed { &["--dangerously-allow-on-timeout"] } else { &[] };
        let flags = [&["--permission-timeout", "2s"], flags].concat();
        let mut run = start(claude, command("touch made", "So."), &flags);
        run.sees("touch made");
        run.ends_with(if is_allowed { 0 } else { 5 });
        assert_eq!(run.path("made").exists(), is_allowed);
        let told = run.asked(2).tool_results();
        assert_eq!(told == ["Nobody answered within 2 s, so this was not allowed."], !is_allowed, "{told:?}");
    }
}

fn what_is_allowed_once_is_done(claude: &Claude) {
    permissions::allowed_once(claude, MCP);
}

fn a_reason_reaches_the_model_word_for_word(claude: &Claude) {
    permissions::denied_with_a_reason(claude, MCP);
}

fn several_questions_at_once_are_asked_one_after_another(claude: &Claude) {
    permissions::several_at_once(claude, MCP);
}

fn a_subagent_asks_under_its_own_name(claude: &Claude) {
    permissions::asked_by_a_subagent(claude, MCP);
}

fn an_interrupt_takes_the_question_back(claude: &Claude) {
    ends::interrupted_at_a_question(claude, MCP);
}
