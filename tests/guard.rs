//! The guard of an agent: what it reports, what it passes through, and that nobody is left when tim is gone.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]
#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]
#![expect(
    clippy::disallowed_methods,
    reason = "the test is outside: it starts processes and looks at its watch"
)]

#[path = "guard/held.rs"]
mod held;
#[path = "guard/marked.rs"]
mod marked;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};

use actors::agent::process::{Ended, Running, Spawn, StartFailure};
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use held::Holder;
use marked::{BOUND, Mark};
use support::process::{descriptors, runs};
use support::temp::Temp;
use support::wait::eventually;

async fn in_time<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(BOUND, what).await.expect("it happens in time")
}

async fn start(spawn: &Spawn) -> Running {
    in_time(spawn.start()).await.expect("it starts")
}

fn pid(number: u32) -> Pid {
    Pid::from_raw(i32::try_from(number).unwrap()).unwrap()
}

#[tokio::test]
async fn exit_codes_and_signals_are_reported_exactly() {
    for (script, ended) in [
        ("exit 0", Ended::Code(0)),
        ("exit 1", Ended::Code(1)),
        ("exit 77", Ended::Code(77)),
        ("exit 143", Ended::Code(143)),
        ("exit 255", Ended::Code(255)),
        ("kill -TERM $$", Ended::Signal(15)),
        ("kill -KILL $$", Ended::Signal(9)),
        ("kill -HUP $$", Ended::Signal(1)),
        ("kill -PIPE $$", Ended::Signal(13)),
    ] {
        let mut running = start(&Mark::new().script(script)).await;
        assert_eq!(in_time(running.process.gone()).await, ended, "{script}");
        assert_eq!(in_time(running.process.wait()).await, ended, "asked again: {script}");
    }
}

#[tokio::test]
async fn bytes_pass_through_both_ways_and_so_do_the_ends() {
    let running = start(&Mark::new().script("cat; echo complaint >&2; exit 3")).await;
    let Running { mut stdin, mut stdout, mut stderr, mut process } = running;
    let sent: Vec<u8> = (0..3_000_000_u32).map(|number| number.to_le_bytes()[0]).collect();
    let (mut said, mut complained) = (Vec::new(), Vec::new());
    let write = async {
        stdin.write_all(&sent).await.unwrap();
        drop(stdin);
    };
    in_time(async { tokio::join!(write, stdout.read_to_end(&mut said)).1.unwrap() }).await;
    assert!(said == sent, "{} bytes came back of {}", said.len(), sent.len());
    in_time(stderr.read_to_end(&mut complained)).await.unwrap();
    assert_eq!(complained, b"complaint\n");
    assert_eq!(in_time(process.wait()).await, Ended::Code(3));
}

#[tokio::test]
async fn the_end_of_the_agents_output_is_seen_while_the_guard_still_ends_what_it_left() {
    let mark = Mark::new();
    // What is ignored is inherited: so the one that is left ignores it from its first moment on.
    let script = "trap '' TERM; (exec >&- 2>&- <&-; while :; do sleep 600; done) & echo $!; exit 5";
    let Running { mut stdout, mut stderr, mut process, stdin: _stdin } = start(&mark.script(script)).await;
    let mut said = String::new();
    in_time(stdout.read_to_string(&mut said)).await.unwrap();
    in_time(stderr.read_to_end(&mut Vec::new())).await.unwrap();
    assert_eq!(in_time(process.wait()).await, Ended::Code(5));
    assert!(runs(said.trim().parse().unwrap()), "what was left ignores the request to end");
    assert_eq!(in_time(process.gone()).await, Ended::Code(5));
    mark.is_gone();
}

#[tokio::test]
async fn an_agent_has_three_descriptors_and_no_terminal() {
    // Only a program that has spoken has closed the libraries that it was loaded from.
    let script = "echo; read line";
    let mut running = start(&Mark::new().script(script)).await;
    in_time(running.stdout.read_u8()).await.unwrap();
    let open = |pid: u32| -> BTreeSet<String> {
        let entries = std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap().flatten();
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
    };
    let mut plain = Command::new("sh");
    plain.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut plain = plain.spawn().unwrap();
    plain.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    let agent = running.process.agent_pid();
    // What whoever started the tests left open for all is nothing that a guard adds.
    assert_eq!(open(agent), open(plain.id()));
    plain.kill().unwrap();
    plain.wait().unwrap();
    let guard = running.process.guard_pid().unwrap();
    assert_eq!(rustix::process::getsid(Some(pid(agent))).unwrap(), pid(guard));
}

#[tokio::test]
async fn all_end_when_it_is_told_to_and_those_who_do_not_listen_are_killed() {
    let mark = Mark::new();
    let mut running = start(&mark.script("sleep 600 & setsid sleep 600 & wait")).await;
    mark.until_there_are(4);
    running.process.terminate();
    assert_eq!(in_time(running.process.gone()).await, Ended::Signal(15));
    mark.is_gone();
    let mut deaf = start(&mark.script("trap '' TERM; while :; do sleep 600; done")).await;
    mark.until_there_are(3);
    deaf.process.kill();
    assert_eq!(in_time(deaf.process.gone()).await, Ended::Signal(9));
    mark.is_gone();
}

#[tokio::test]
async fn a_stopped_agent_ends_too() {
    let mark = Mark::new();
    let mut running = start(&mark.script("kill -STOP $$; exit 1")).await;
    let stat = format!("/proc/{}/stat", running.process.agent_pid());
    eventually("it to be stopped", || {
        std::fs::read_to_string(&stat).unwrap().rsplit(") ").next().unwrap().starts_with('T').then_some(())
    });
    running.process.terminate();
    assert_eq!(in_time(running.process.gone()).await, Ended::Signal(15));
}

#[tokio::test]
async fn a_dropped_agent_is_gone_and_so_is_one_whose_guard_is_signalled() {
    let mark = Mark::new();
    drop(start(&mark.script("setsid sleep 600 & wait")).await);
    mark.until_all_are_gone();
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let mut running = start(&mark.script("setsid sleep 600 & wait")).await;
        mark.until_there_are(3);
        kill_process(pid(running.process.guard_pid().unwrap()), signal).unwrap();
        assert_eq!(in_time(running.process.gone()).await, Ended::Signal(15));
        mark.is_gone();
    }
}

#[tokio::test]
async fn an_agent_whose_guard_is_killed_does_not_go_on_unguarded() {
    let mark = Mark::new();
    let mut running = start(&mark.script("setsid sleep 600 & wait")).await;
    mark.until_there_are(3);
    kill_process(pid(running.process.guard_pid().unwrap()), Signal::KILL).unwrap();
    assert_eq!(in_time(running.process.gone()).await, Ended::Unknown);
    mark.until_all_are_gone();
}

/// An agent that does its worst, and how many processes that makes, its guard included.
const WORST: [(&str, &str, usize); 6] = [
    ("in a session of its own", "setsid sleep 600 & wait", 3),
    ("a daemon", "(setsid sh -c '(sleep 600; :) & exit' &); sleep 600", 4),
    ("deaf", "trap '' TERM HUP INT; while :; do sleep 600; done", 3),
    ("deaf daemons", "(setsid sh -c \"trap '' TERM; while :; do sleep 600; done\" &) ; exec sleep 600", 4),
    ("ever new", "trap '' TERM; n=0; while [ $((n += 1)) -lt 2000 ]; do sleep 60 & sleep 0.01; done", 12),
    // Each starts the next and ends: there is never more than a moment to catch one.
    (
        "ever another",
        "export n=0 f='trap \"\" TERM; [ $((n += 1)) -lt 50000 ] && sh -c \"$f\" &'; sh -c \"$f\"; sleep 600",
        3,
    ),
];

#[test]
fn nobody_is_left_after_tim_was_killed() {
    // All at once: most of it is waiting for the grace to end.
    std::thread::scope(|scope| {
        for (what, script, count) in WORST {
            scope.spawn(move || {
                let mark = Mark::new();
                let holder = Holder::of(&mark, script);
                mark.until_there_are(count);
                holder.kill();
                println!("{what}: all gone {:?} after kill -9", mark.until_all_are_gone());
            });
        }
    });
}

#[test]
fn a_ctrl_c_at_the_terminal_does_not_reach_the_agent() {
    let mark = Mark::new();
    let mut holder = Holder::of(&mark, "sleep 600; :");
    mark.until_there_are(3);
    let before = mark.alive();
    for _ in 0..3 {
        holder.interrupt_group();
        holder.until_says("interrupted");
    }
    assert_eq!(mark.alive(), before);
    holder.kill();
    mark.until_all_are_gone();
}

#[tokio::test]
async fn what_cannot_be_started_says_why() {
    let folder = Temp::new();
    let file = |name: &str, content: &str, mode: u32| {
        std::fs::write(folder.path(name), content).unwrap();
        std::fs::set_permissions(folder.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
        folder.path(name).to_str().unwrap().to_owned()
    };
    let long = "x".repeat(200_000);
    let (plain, lost) = (file("plain", "", 0o600), file("lost", "#!/no/such/interpreter\n", 0o700));
    let spawn = |program: &str, argument: &str| Mark::new().program(program, &[argument]);
    let missing = Spawn { folder: folder.path("none"), ..spawn("true", "") };
    let unguarded = Spawn { guard_program: folder.path("none"), ..spawn("true", "") };
    for (spawn, expected, code) in [
        (spawn("tim-no-such-program", ""), "is not found", 127),
        (spawn(&lost, ""), "interpreter", 127),
        (spawn(&plain, ""), "may not be executed", 126),
        (spawn("true", &long), "too long", 126),
        (missing, "there is no such folder", 126),
        (unguarded, "the guard of `true`", 126),
    ] {
        let failure: StartFailure = in_time(spawn.start()).await.unwrap_err();
        assert!(failure.to_string().contains(expected), "{failure}");
        assert_eq!(failure.exit_code(), code, "{failure}");
    }
}

#[test]
fn nobody_but_tim_starts_a_guard_and_the_help_does_not_name_it() {
    let tim = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_tim")).args(arguments).stdin(Stdio::null()).output().unwrap()
    };
    let refused = tim(&["__guard", "--", "echo", "started"]);
    assert_eq!((refused.status.code(), refused.stdout.as_slice()), (Some(2), &b""[..]));
    assert!(!String::from_utf8(tim(&["--help"]).stdout).unwrap().contains("guard"));
}

const MANY: &str = "TIM_TEST_MANY";

/// In a process of its own: only so nobody else opens and closes descriptors meanwhile.
#[test]
fn two_hundred_agents_leave_no_zombie_and_no_descriptor() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let command = command.args(["--exact", "two_hundred_in_a_row"]).env(MANY, "200");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Not a test of its own: what the one above starts.
#[tokio::test]
async fn two_hundred_in_a_row() {
    let Ok(count) = std::env::var(MANY) else { return };
    let (mark, own) = (Mark::new(), std::process::id());
    let mut before = None;
    for number in 0..count.parse().unwrap() {
        let mut running = start(&mark.script("exit 0")).await;
        // Some are waited for, others are simply let go.
        if number % 2 == 0 {
            in_time(running.process.gone()).await;
        }
        drop(running);
        // What the first one made the runtime open stays.
        before = before.or_else(|| Some(descriptors(own)));
    }
    let children = || std::fs::read_to_string("/proc/thread-self/children").unwrap();
    let settled = async {
        while !children().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    in_time(settled).await;
    assert!(Some(descriptors(own)) <= before, "{} now, {before:?} before", descriptors(own));
}
