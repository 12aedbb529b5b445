//! Hooks, with a real shell.

use std::fs::{read_to_string, write};
use std::pin::Pin;
use std::sync::Arc;

use codec::id::Key;
use codec::limits::Limits;

use super::{AT_ONCE, Hook, LONGEST};
use crate::dialect::Heard;
use crate::process::testing::{Scratch, is_gone, until};
use crate::router::{AskerId, Keeper, Offer};
use crate::tunnel::translate::hear;

fn offer() -> Arc<Offer> {
    let line = r#"{"type":"permission_request","requestId":"p","tool_name":"Bash","input":{"command":"ls"}}"#;
    let Heard::Ask(ask) = hear(line.as_bytes(), &Limits::STANDARD) else { panic!("no question: {line}") };
    Arc::new(Offer {
        key: Key::new("7f3c.p1").unwrap(),
        asker: AskerId(1),
        path: "deploy".to_owned(),
        pid: Some(9),
        left_ms: None,
        question: ask.question,
        since: 1_000,
        keeper: Keeper::Nobody,
    })
}

async fn run(line: &str) -> Result<(), String> {
    Hook::new(line, &[]).run(&offer()).await
}

#[tokio::test]
async fn the_hook_sees_the_question_on_its_stdin() {
    let seen = Scratch::new("hook-seen");
    assert_eq!(run(&format!("cat > {}", seen.0.display())).await, Ok(()));
    let expected = r#"{"v":1,"key":"7f3c.p1","path":"deploy","pid":9,"kind":"permission","config":{},"tool":{"name":"Bash","input":{"command":"ls"}},"deadlineMs":null}"#;
    assert_eq!(read_to_string(&seen.0).unwrap(), format!("{expected}\n"));
}

#[tokio::test]
async fn what_it_prints_is_ignored_and_so_is_whether_it_reads() {
    assert_eq!(run("echo '{\"allow\":true}'").await, Ok(()));
    assert_eq!(run("exec <&-; exit 0").await, Ok(()));
}

#[tokio::test]
async fn a_hook_that_fails_is_told_in_one_line() {
    for (line, why) in [
        ("printf 'no\\nphone\\033[2J' >&2; exit 7", "exit 7: no\\nphone\\x1b[2J"),
        ("exit 1", "exit 1: (nothing)"),
        ("kill -9 $$", "signal 9: (nothing)"),
    ] {
        assert_eq!(run(line).await, Err(format!("The attention command failed: {why}")), "{line}");
    }
    assert!(run("this-is-no-program-of-anybody").await.unwrap_err().contains("exit 127: "));
}

#[tokio::test]
async fn a_variable_that_is_not_for_it_is_not_there() {
    // Cargo sets it for every test.
    let line = "test -n \"$CARGO_MANIFEST_DIR\"";
    assert_eq!(run(line).await, Ok(()));
    let failed = Hook::new(line, &["CARGO_MANIFEST_DIR"]).run(&offer()).await;
    assert_eq!(failed, Err("The attention command failed: exit 1: (nothing)".to_owned()));
}

/// The line of a hook that never ends, nor does what it started; their pids are in the file.
fn endless(pids: &Scratch) -> String {
    format!("sleep 600 & echo $! $$ > {0}.new; mv {0}.new {0}; wait", pids.0.display())
}

#[tokio::test]
async fn a_hook_that_does_not_end_is_killed_with_all_that_it_started() {
    let pids = Scratch::new("hook-endless");
    let line = endless(&pids);
    let (running, started) = until_written(run(&line), &pids).await;
    tokio::time::pause();
    tokio::time::advance(LONGEST).await;
    let why = "The attention command failed: it was killed after 30 s";
    assert_eq!(running.await, Err(why.to_owned()));
    tokio::time::resume();
    for pid in started.split_whitespace() {
        until(|| is_gone(pid).then_some(())).await;
    }
}

#[tokio::test]
async fn a_hook_whose_future_is_dropped_is_killed() {
    let pids = Scratch::new("hook-dropped");
    let line = endless(&pids);
    let (running, started) = until_written(run(&line), &pids).await;
    drop(running);
    for pid in started.split_whitespace() {
        until(|| is_gone(pid).then_some(())).await;
    }
}

#[tokio::test]
async fn a_few_run_at_a_time_and_the_others_wait() {
    let (log, go) = (Scratch::new("hook-log"), Scratch::new("hook-go"));
    let (log_path, go_path) = (log.0.display(), go.0.display());
    let wait = format!("while [ ! -e {go_path} ]; do sleep 0.01; done");
    let hook = Hook::new(&format!("echo + >> {log_path}; {wait}; echo - >> {log_path}"), &[]);
    let all: Vec<_> = (0..3 * AT_ONCE).map(|_| tokio::spawn(hook.run(&offer()))).collect();
    let started = || read_to_string(&log.0).unwrap_or_default().lines().count();
    until(|| (started() == AT_ONCE).then_some(())).await;
    write(&go.0, "").unwrap();
    for one in all {
        assert_eq!(one.await.unwrap(), Ok(()));
    }
    let mut running = 0_usize;
    for line in read_to_string(&log.0).unwrap().lines() {
        running = if line == "+" { running + 1 } else { running - 1 };
        assert!(running <= AT_ONCE);
    }
    assert_eq!(started(), 6 * AT_ONCE);
}

/// Lets a hook run until its file is written; gives it back with what is in there.
async fn until_written<F: Future>(running: F, file: &Scratch) -> (Pin<Box<F>>, String) {
    let mut running = Box::pin(running);
    let written = tokio::select! {
        _ = &mut running => panic!("it ended"),
        written = until(|| read_to_string(&file.0).ok()) => written,
    };
    (running, written)
}
