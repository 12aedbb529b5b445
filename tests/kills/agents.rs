//! kill -9 of a run with an agent: every answer and every typed line that the agent read is on record, and nothing is left
//! of the run but that.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::stub::{played, run_in, written_as};
use crate::support::desk::{Asked, Desk, Parent};
use crate::support::journal::Journal;
use crate::support::launch::Launch;
use crate::support::random::Random;
use crate::support::temp::{Temp, all_below};
use crate::support::times;
use crate::support::wait::{eventually, spin};

/// Asks, reads one line, notes it: each in one write of its own, so that what is noted was read.
fn agent(noted: &Path) -> String {
    format!(
        "read -r line || exit; init; i=0\nwhile printf '%s\\n' \"$line\" >> {}; do i=$((i+1)); asks q$i; read -r line || exit; done",
        noted.display()
    )
}

/// The person above: allows or denies what is asked, and now and then types a line.
fn person(mut desk: Desk, mut random: Random) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let mut typed = 0;
        while let Some(line) = desk.line_or_end() {
            let Some(asked) = Asked::read(&line) else { continue };
            let approved = random.percent(50);
            let said = json!({"type": "permission_response", "requestId": asked.id, "approved": approved, "outcome": "answered"});
            if random.percent(30) {
                typed += 1;
                let id = format!("00000000-0000-4000-8000-{typed:012}");
                let line = json!({"type": "user_input", "content": format!("line {typed}"), "inputId": id});
                if !desk.try_send(&line) {
                    return;
                }
            }
            if !desk.try_send(&said) {
                return;
            }
        }
    })
}

/// The command lines of all that has to do with a folder, but for ours.
fn left_over(folder: &Path) -> Vec<String> {
    let name = folder.to_str().unwrap().trim_end_matches('/').to_owned();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    let shown = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    shown.filter(|line| line.contains(&name)).collect()
}

/// The records in the folder of all runs.
fn records(folder: &Temp) -> Vec<PathBuf> {
    all_below(&folder.path("state/tim/runs"))
}

/// One life: started, asked, killed. What the agent noted.
fn one_life(folder: &Arc<Temp>, random: &mut Random) -> Vec<String> {
    let noted = folder.path("noted");
    std::fs::write(&noted, "").unwrap();
    let parent = Parent::open();
    let launch = Launch::tim_in(Arc::clone(folder), ["run", "go", "--claude"]).arg(folder.path("asker"));
    let mut tim = launch.under(parent.path()).start();
    let person = person(parent.greet("run"), Random::new(random.next()));
    if random.percent(85) {
        eventually("the agent has read something", || {
            std::fs::metadata(&noted).is_ok_and(|noted| noted.len() > 0).then_some(())
        });
    }
    spin(Duration::from_micros(random.below(25_000)));
    tim.signal(Signal::KILL);
    tim.ended();
    person.join().unwrap();
    eventually(&format!("nobody is left: {:?}", left_over(&folder.path(""))), || {
        left_over(&folder.path("")).is_empty().then_some(())
    });
    std::fs::read_to_string(&noted).unwrap().lines().map(str::to_owned).collect()
}

/// All that the agent read is on record, word for word, and as often.
fn on_record(journal: &Journal, read: &[String]) {
    let mut sent: Vec<&str> = journal
        .lines("to")
        .into_iter()
        .filter(|(wire, _)| *wire == "claude:main")
        .map(|(_, line)| line)
        .collect();
    for line in read {
        let at = sent.iter().position(|recorded| recorded == line);
        sent.swap_remove(at.unwrap_or_else(|| panic!("read, but not on record: {line}")));
    }
}

/// The record of a killed run plays; that its last line is torn is a remark.
fn replays(file: &Path, torn: usize) {
    let (code, stdout, stderr) = Launch::tim(["replay"]).arg(file).start().exit();
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert_eq!(
        stdout.contains("the last line is torn") || stderr.contains("the last line is torn"),
        torn > 0
    );
}

fn is_longer_than_its_first_line(file: &Path) -> bool {
    std::fs::read_to_string(file).unwrap().lines().count() > 1
}

/// A kill in the middle of a write is rare: what it leaves is made here.
fn tear(file: &Path) {
    let length = std::fs::metadata(file).unwrap().len();
    std::fs::OpenOptions::new().write(true).open(file).unwrap().set_len(length - 2).unwrap();
}

/// The next run in the same places is like any other, and takes away what the killed one left in them.
fn starts_again(folder: &Arc<Temp>) {
    let (code, stdout, stderr) = played(run_in(Arc::clone(folder), "hears; init; result; to_the_end"));
    assert_eq!((code, stdout.as_str()), (0, "ok\n"), "{stderr}");
}

#[test]
fn f114_what_an_agent_read_before_a_kill_is_on_record_and_nothing_else_is_left() {
    let (seed, kills) = (times("TIM_SEED", 114) as u64, times("TIM_KILLS", 30));
    println!("{kills} kills from seed {seed}");
    let mut random = Random::new(seed);
    let folder = Arc::new(Temp::new());
    written_as(&folder, "asker", &agent(&folder.path("noted")));
    let (mut heard, mut typed, mut torn, mut unborn) = (0, 0, 0, 0);
    for _ in 0..kills {
        let read = one_life(&folder, &mut random);
        match records(&folder).as_slice() {
            [] => unborn += 1,
            [file] => {
                let journal = Journal::read(file);
                on_record(&journal, &read);
                torn += usize::from(journal.torn > 0);
                // A file without a single whole line says not even which run it was.
                match journal.records("run").len() {
                    0 => unborn += 1,
                    _ => {
                        replays(file, journal.torn);
                        if journal.torn == 0 && is_longer_than_its_first_line(file) {
                            tear(file);
                            replays(file, 1);
                        }
                    }
                }
            }
            several => panic!("{several:?}"),
        }
        heard += read.len();
        typed += read.iter().filter(|line| line.contains("\"line ")).count();
        starts_again(&folder);
        records(&folder).iter().for_each(|file| std::fs::remove_file(file).unwrap());
    }
    println!(
        "{heard} lines were read, {typed} of them typed; {torn} records are torn, {unborn} had not begun"
    );
    assert!(heard > kills && typed > 0, "no life was long enough: {heard} lines, {typed} typed");
}
