//! Two runs in one folder: the second says so; one that holds the folder is asked about, also if it is dead.

use std::sync::Arc;

use rustix::process::Signal;

use crate::pty::{Pty, Start};
use crate::stub::{agent, played, run};
use crate::support::launch::Process;
use crate::support::temp::Temp;
use crate::support::wait::eventually;

fn folder() -> Arc<Temp> {
    let folder = Arc::new(Temp::new());
    std::fs::write(folder.path("home/held"), "").unwrap();
    folder
}

/// A run that is there until the file is gone.
fn holder(folder: &Arc<Temp>, flags: &[&str]) -> Process {
    let all: Vec<&str> = flags.iter().copied().chain(["marks there waits held"]).collect();
    let process = run(folder, &all).start();
    eventually("the first run", || folder.path("home/there").exists().then_some(()));
    process
}

fn at_terminal(folder: &Temp, flags: &[&str]) -> Pty {
    let path = agent(folder);
    let arguments: Vec<&str> =
        ["run", "--claude", path.to_str().unwrap(), "marks second"].iter().chain(flags).copied().collect();
    Start::tim(folder, &arguments).go()
}

fn shelf(folder: &Temp) -> Vec<std::path::PathBuf> {
    crate::support::temp::all_below(&folder.path("state/tim/folders"))
        .into_iter()
        .filter(|path| path.is_file())
        .collect()
}

#[test]
fn a_run_says_that_another_is_in_its_folder_and_goes_on() {
    let folder = folder();
    let mut first = holder(&folder, &[]);
    let (code, _, stderr) = played(run(&folder, &["marks second"]));
    assert_eq!(code, 0);
    let said = format!("(pid {})", first.pid());
    assert!(stderr.contains("another run is in this folder: ") && stderr.contains(&said), "{stderr}");
    std::fs::remove_file(folder.path("home/held")).unwrap();
    let (code, _, stderr) = first.exit();
    assert_eq!(code, Some(0));
    assert!(!stderr.contains("another run"), "{stderr}");
    assert!(shelf(&folder).is_empty(), "{:?}", shelf(&folder));
}

#[test]
fn a_run_that_wants_to_hold_a_folder_asks_if_another_holds_it() {
    let folder = folder();
    let _first = holder(&folder, &["--lock"]);
    let (code, _, stderr) = played(run(&folder, &["marks second", "--lock"]));
    assert_eq!(code, 2, "nobody can be asked: {stderr}");
    assert!(stderr.contains("another run holds this folder"), "{stderr}");
    assert!(!folder.path("home/second").exists());
    let mut tim = at_terminal(&folder, &["--lock"]);
    tim.sees("another run holds this folder");
    tim.sees("Go on all the same?");
    tim.armed("y yes");
    tim.types("n");
    assert_eq!(tim.ends(), 2);
    assert!(!folder.path("home/second").exists(), "a no starts nothing");
    let mut tim = at_terminal(&folder, &["--lock"]);
    tim.armed("y yes");
    tim.types("y");
    assert_eq!(tim.ends(), 0);
    assert!(folder.path("home/second").exists());
}

#[test]
fn a_lock_that_a_dead_run_left_is_said_and_taken_after_a_yes() {
    let folder = folder();
    let mut first = holder(&folder, &["--lock"]);
    let pid = first.pid();
    first.signal(Signal::KILL);
    first.ended();
    let (code, _, stderr) = played(run(&folder, &["marks other"]));
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("which is gone without letting go"), "{stderr}");
    let mut tim = at_terminal(&folder, &["--lock"]);
    tim.sees(&format!("(pid {pid}"));
    tim.sees("Take it?");
    tim.armed("y yes");
    tim.types("y");
    assert_eq!(tim.ends(), 0);
    let (code, _, stderr) = played(run(&folder, &["marks third", "--lock"]));
    assert_eq!(code, 0, "it was taken and let go: {stderr}");
    assert!(shelf(&folder).is_empty(), "{:?}", shelf(&folder));
}
