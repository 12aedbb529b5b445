//! A run below a run, both with scripts in the place of Claude Code: who is called how, who is asked, who hears what.

use std::sync::Arc;

use crate::person::at_terminal;
use crate::pty::Pty;
use crate::stub::written_as;
use crate::support::launch::Launch;
use crate::support::temp::Temp;
use crate::support::wait::eventually;

const TIM: &str = env!("CARGO_BIN_EXE_tim");

/// Says that it read what it just heard.
const TOOK: &str = r#"took() { uuid=$(echo "$line" | sed 's/.*"uuid":"\([^"]*\)".*/\1/')
echo '{"type":"command_lifecycle","command_uuid":"'$uuid'","state":"started"}'; }
"#;

/// A run at a terminal whose agent starts another run, which is called review. `then` is what the outer one does behind it.
fn nested(inner: &str, flags: &str, then: &str) -> (Arc<Temp>, Pty) {
    let folder = Arc::new(Temp::new());
    let inner = written_as(&folder, "inner", &format!("{TOOK}{inner}"));
    let outer = format!(
        "{TOOK}hears; init; says outer; {TIM} run -n review --claude {} {flags} look > out 2> err {then}; to_the_end",
        inner.display()
    );
    let tim = at_terminal(&folder, &outer, &[]);
    (folder, tim)
}

/// What whoever started the inner run reads of it.
fn read(folder: &Temp, name: &str) -> String {
    std::fs::read_to_string(folder.path("home").join(name)).unwrap()
}

#[test]
fn a_script_two_runs_down_is_asked_for_at_the_root_by_its_whole_path() {
    let inner = format!(
        "hears; init; says 'I look.'; asks p; hears; a=$({TIM} ask confirm 'Go on?'); says \"it said $a\"; result final; to_the_end"
    );
    let (folder, mut tim) = nested(&inner, "", "; says \"code $?\"; result");
    let asked = tim.armed("y once");
    assert!(asked.has("? claude › review › claude wants to use Write"), "{asked}");
    assert!(asked.has("claude/review │   I look."), "{asked}");
    tim.types("y");
    let asked = tim.armed("y yes");
    assert!(asked.has("? claude › review › claude › script asks"), "{asked}");
    tim.types("y");
    let told = tim.sees("claude/review │   it said yes");
    assert_eq!(told.times("I look."), 1, "{told}");
    assert_eq!(tim.ends(), 0);
    tim.sees("code 0");
    tim.sees("claude/review │ ✓ done");
    assert_eq!((read(&folder, "out"), read(&folder, "err")), ("final\n".to_owned(), String::new()));
}

#[test]
fn a_line_is_heard_by_all_of_a_chain_and_by_one_that_it_names() {
    let hears_two = |who: &str| {
        format!(
            "for i in 1 2; do hears; took; case $line in *both*) says '{who} heard both';; *only*) says '{who} heard one';; esac"
        )
    };
    let inner = format!("hears; init; says ready; {}; done; result; to_the_end", hears_two("inner"));
    let outer = format!("& {}; [ $i = 1 ] && break; done; wait; result", hears_two("outer"));
    let (_folder, mut tim) = nested(&inner, "", &outer);
    tim.sees("claude/review │   ready");
    assert!(!tim.picture().has("claude ❯"), "{}", tim.picture());
    tim.types("both of you\r");
    tim.sees("outer heard both");
    tim.sees("inner heard both");
    tim.types("@review only you\r");
    tim.sees("inner heard one");
    assert_eq!(tim.ends(), 0);
    assert_eq!(tim.picture().times("outer heard one"), 0, "{}", tim.picture());
}

#[test]
fn flags_that_loosen_count_after_a_yes_at_the_root() {
    let inner = "hears; init; asks p; hears; allowed && touch allowed; result; to_the_end";
    let (folder, mut tim) = nested(inner, "--allow 'Write(**)'", "; says \"code $?\"; result");
    let asked = tim.armed("y yes");
    assert!(asked.has("? claude › review asks"), "{asked}");
    assert!(asked.has("review wants to run with less asking:"), "{asked}");
    assert!(asked.has("--allow 'Write(**)'"), "{asked}");
    tim.types("y");
    tim.sees("code 0");
    assert_eq!(tim.ends(), 0);
    assert!(folder.path("home").join("allowed").exists(), "{}", read(&folder, "err"));
    assert_eq!(tim.picture().times("wants to write"), 0, "{}", tim.picture());
}

#[test]
fn without_that_yes_nothing_is_started() {
    let inner = "touch started; hears; init; result; to_the_end";
    let (folder, mut tim) = nested(inner, "--permission-mode acceptEdits", "; says \"code $?\"; result");
    tim.armed("n no");
    tim.types("n");
    tim.sees("code 2");
    assert_eq!(tim.ends(), 0);
    assert!(!folder.path("home").join("started").exists());
    let why = read(&folder, "err");
    assert!(why.contains("needs a yes at the root, and the person said no; nothing was started"), "{why}");
}

#[test]
fn a_subagent_prints_its_final_text_alone_and_what_it_does_is_told_at_the_root() {
    let folder = Arc::new(Temp::new());
    let inner = written_as(&folder, "inner", "hears; init; says 'I look.'; result final; to_the_end");
    let outer = format!(
        "hears; init; {TIM} subagent --claude {} look > out 2> err; says \"code $?\"; result; to_the_end",
        inner.display()
    );
    let mut tim = at_terminal(&folder, &outer, &[]);
    tim.sees("claude/subagent │   I look.");
    assert_eq!(tim.ends(), 0);
    tim.sees("code 0");
    assert_eq!((read(&folder, "out"), read(&folder, "err")), ("final\n".to_owned(), String::new()));
}

#[test]
fn of_several_agents_of_a_nested_run_each_report_says_whose_it_is() {
    let folder = Arc::new(Temp::new());
    let inner = "hears; init; case $line in *one*) says first; result one;; *) says second; result two;; esac; to_the_end";
    let inner = written_as(&folder, "inner", inner);
    let outer = format!(
        "hears; init; {TIM} run -j 2 --task one --task two --claude {} > out 2> err; says \"code $?\"; result; to_the_end",
        inner.display()
    );
    let mut tim = at_terminal(&folder, &outer, &[]);
    tim.sees("claude/run/one │   first");
    tim.sees("claude/run/two │   second");
    assert_eq!(tim.ends(), 0);
    tim.sees("code 0");
    let out = read(&folder, "out");
    assert!(out.contains("==> one <==\none\n") && out.contains("==> two <==\ntwo\n"), "{out}");
}

#[test]
fn an_answer_command_that_was_agreed_to_answers_and_cannot_ask_itself() {
    let inner = "hears; init; asks p; hears; allowed && touch allowed; result; to_the_end";
    let command = r#"--answer-command "env > seen; echo '{\"allow\":true}'""#;
    let (folder, mut tim) = nested(inner, command, "; says \"code $?\"; result");
    let asked = tim.armed("y yes");
    assert!(asked.has("--answer-command 'env > seen; echo"), "{asked}");
    tim.types("y");
    tim.sees("code 0");
    assert_eq!(tim.ends(), 0);
    assert!(folder.path("home").join("allowed").exists(), "{}", read(&folder, "err"));
    assert_eq!(tim.picture().times("wants to use Write"), 0, "{}", tim.picture());
    let seen = read(&folder, "seen");
    assert!(seen.contains("HOME=") && !seen.contains("TIM_OUTPUT_SOCKET"), "{seen}");
}

#[test]
fn every_flag_that_loosens_must_be_seen_before_it_is_agreed_to() {
    let many: String = (0..40).map(|at| format!("--allow 'Bash(echo {at}:*)' ")).collect();
    let inner = "touch started; hears; init; result; to_the_end";
    let flags = format!("{many}--permission-mode bypassPermissions");
    let (folder, mut tim) = nested(inner, &flags, "; says \"code $?\"; result");
    let asked = tim.armed("v view all (needed before y)");
    assert!(asked.has("--permission-mode bypassPermissions"), "what loosens most comes first: {asked}");
    tim.types("y");
    tim.sees("v view all (needed before y)");
    assert!(!folder.path("home").join("started").exists());
    tim.types("n");
    tim.sees("code 2");
    assert_eq!(tim.ends(), 0);
    assert!(!folder.path("home").join("started").exists());
}

#[test]
fn a_folder_that_somebody_else_holds_is_asked_about_at_the_root() {
    let folder = Arc::new(Temp::new());
    let home = folder.path("home");
    std::fs::write(home.join("held"), "").unwrap();
    let script = "hears; init; touch there; while [ -e held ]; do sleep 0.02; done; result; to_the_end";
    let holder = written_as(&folder, "holder", script);
    let holder = Launch::tim_in(Arc::clone(&folder), ["run", "go", "--lock", "--claude"]).arg(holder);
    let mut holder = holder.within(home.clone()).start();
    eventually("somebody holds the folder", || home.join("there").exists().then_some(()));
    let inner = written_as(&folder, "inner", "touch started; hears; init; result; to_the_end");
    let outer = format!(
        "hears; init; {TIM} run --lock -n review --claude {} look > out 2> err; says \"code $?\"; result; to_the_end",
        inner.display()
    );
    let mut tim = at_terminal(&folder, &outer, &[]);
    let asked = tim.armed("y yes");
    assert!(
        asked.has("? claude › review › tim asks") && asked.has("another run holds this folder"),
        "{asked}"
    );
    tim.types("n");
    tim.sees("code 2");
    assert_eq!(tim.ends(), 0);
    assert!(!home.join("started").exists());
    std::fs::remove_file(home.join("held")).unwrap();
    assert_eq!(holder.exit().0, Some(0));
}

#[test]
fn a_line_for_one_of_several_agents_further_down_reaches_it_alone() {
    let folder = Arc::new(Temp::new());
    let inner = format!(
        "{TOOK}hears; case $line in *left*) me=left;; *) me=right;; esac; init; says \"$me is here\"
hears; took; says \"$me heard it\"; result; to_the_end"
    );
    let inner = written_as(&folder, "inner", &inner);
    let outer = format!(
        "hears; init; {TIM} run -j 2 -n left --task left -n right --task right --claude {} > out 2> err; result; to_the_end",
        inner.display()
    );
    let mut tim = at_terminal(&folder, &outer, &[]);
    tim.sees("claude/run/left │   left is here");
    tim.sees("claude/run/right │   right is here");
    tim.types("@left go\r");
    tim.sees("left heard it");
    assert_eq!(tim.picture().times("right heard it"), 0, "{}", tim.picture());
    tim.types("@claude/run/right go\r");
    tim.sees("right heard it");
    assert_eq!(tim.ends(), 0, "{}", tim.picture());
    assert_eq!(tim.picture().times("left heard it"), 1, "{}", tim.picture());
}

/// A run at a terminal whose agent starts another one by that command line; its exit code is what the outer one says.
fn started(inner: &str, command: &str) -> (Arc<Temp>, Pty) {
    let folder = Arc::new(Temp::new());
    let inner = written_as(&folder, "inner", inner);
    let command = command.replace("INNER", inner.to_str().unwrap()).replace("$TIM", TIM);
    let outer = format!("hears; init; {command} > out 2> err; says \"code $?\"; result; to_the_end");
    let tim = at_terminal(&folder, &outer, &[]);
    (folder, tim)
}

#[test]
fn an_agent_that_leaves_out_where_its_parent_is_loosens_nothing_by_that() {
    let inner = "touch started; hears; init; result; to_the_end";
    for hidden in ["env -u TIM_OUTPUT_SOCKET", "setsid env -u TIM_OUTPUT_SOCKET", "TIM_OUTPUT_SOCKET="] {
        let (folder, mut tim) =
            started(inner, &format!("{hidden} $TIM run --allow 'Write(**)' --claude INNER look"));
        tim.sees("code 2");
        assert_eq!(tim.ends(), 0);
        let why = read(&folder, "err");
        assert!(why.contains("needs a yes at the root, and nobody could be asked there"), "{why}");
        assert!(!folder.path("home").join("started").exists());
    }
}

#[test]
fn at_a_terminal_that_an_agent_made_nobody_is_asked() {
    let inner = "hears; init; asks p; hears; allowed && touch allowed; result; to_the_end";
    let command =
        "printf 'yyyy' | script -qec 'env -u TIM_OUTPUT_SOCKET $TIM run --claude INNER look' /dev/null";
    let (folder, mut tim) = started(inner, command);
    tim.sees("code 5");
    assert_eq!(tim.ends(), 0);
    assert!(!folder.path("home").join("allowed").exists());
}

#[test]
fn other_rules_for_claude_code_than_the_users_need_a_yes_at_the_root() {
    let inner = "touch started; hears; init; result; to_the_end";
    for (variable, key, code) in
        [("CLAUDE_CONFIG_DIR=/nowhere", "y", "code 0"), ("HOME=/nowhere", "n", "code 2")]
    {
        let (folder, mut tim) = started(inner, &format!("{variable} $TIM run -n review --claude INNER look"));
        let asked = tim.armed("y yes");
        assert!(asked.has("review wants to run with less asking:") && asked.has(variable), "{asked}");
        tim.types(key);
        tim.sees(code);
        assert_eq!(tim.ends(), 0);
        assert_eq!(folder.path("home").join("started").exists(), key == "y");
    }
}
