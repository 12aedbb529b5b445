//! Which records of earlier runs are taken away, and what never is.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};

use crate::required::configure;
use crate::support::launch::Launch;
use crate::support::serve::Serve;
use crate::support::temp::Temp;
use crate::support::wait::eventually;

const DAY: u64 = 86_400;

/// So many days ago; before the present if that is negative.
fn days_ago(days: i64) -> SystemTime {
    let time = Duration::from_secs(days.unsigned_abs() * DAY);
    if days < 0 { SystemTime::now() + time } else { SystemTime::now() - time }
}

fn age(path: &Path, days: i64) {
    File::options().append(true).open(path).unwrap().set_modified(days_ago(days)).unwrap();
}

/// A file of that age.
fn old(folder: &Path, name: &str, days: i64, bytes: usize) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, "x".repeat(bytes)).unwrap();
    age(&path, days);
    path
}

fn name(number: u32) -> String {
    format!("20250101T000000Z-{number:08x}.jsonl")
}

/// A link of that age, which leads to a file that is as old.
fn link(folder: &Temp, runs: &Path) -> (PathBuf, PathBuf) {
    let (victim, link) = (old(&folder.path(""), "victim", 90, 10), runs.join(name(0xee)));
    std::os::unix::fs::symlink(&victim, &link).unwrap();
    let seconds = days_ago(90).duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let then = Timespec { tv_sec: seconds.cast_signed(), tv_nsec: 0 };
    let times = Timestamps { last_access: then, last_modification: then };
    utimensat(CWD, &link, &times, AtFlags::SYMLINK_NOFOLLOW).unwrap();
    (victim, link)
}

#[test]
fn what_is_too_old_goes_when_a_run_begins_and_nothing_else() {
    let folder = Arc::new(Temp::new());
    let living = Serve::ready(Launch::tim_in(Arc::clone(&folder), ["serve"]).start());
    let of_living = living.journal_path();
    age(&of_living, 90);
    let runs = of_living.parent().unwrap().to_owned();
    let going = [old(&runs, &name(1), 400, 10), old(&runs, &name(2), 31, 10)];
    let (victim, link) = link(&folder, &runs);
    let as_folder = runs.join(name(0xdd));
    fs::create_dir(&as_folder).unwrap();
    let mut staying = vec![
        old(&runs, &name(3), 29, 10),
        old(&runs, &name(4), -2, 10),
        old(&runs, "notes.jsonl", 90, 10),
        old(&runs, "20250101T000000Z-0000000a.jsonl.gz", 90, 10),
        old(&runs, "20250101T000000Z-0000000A.jsonl", 90, 10),
        old(&folder.path(""), &name(5), 90, 10),
        victim,
        as_folder,
        of_living,
    ];
    let second = Serve::ready(Launch::tim_in(Arc::clone(&folder), ["serve"]).start());
    eventually("the last that goes is gone", || (!going[1].exists()).then_some(()));
    assert!(!going[0].exists(), "the oldest went first");
    staying.retain(|path| !path.exists());
    assert_eq!(staying, Vec::<PathBuf>::new());
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    drop((living, second));
}

#[test]
fn the_oldest_go_until_the_rest_fits_and_a_record_of_a_killed_run_is_like_any_other() {
    let folder = Arc::new(Temp::new());
    configure(&folder, "journal-days = 0\njournal-size = '40 KB'\n");
    let runs = folder.path("state/tim/runs");
    let mut killed = Serve::ready(Launch::tim_in(Arc::clone(&folder), ["serve"]).start());
    let left_behind = killed.journal_path();
    killed.signal(rustix::process::Signal::KILL);
    killed.ended();
    age(&left_behind, 3000);
    let others: Vec<PathBuf> =
        (1..=5).map(|number| old(&runs, &name(number), 2000 - i64::from(number), 9_500)).collect();
    let next = Serve::ready(Launch::tim_in(Arc::clone(&folder), ["serve"]).start());
    eventually("the last that goes is gone", || (!others[0].exists()).then_some(()));
    assert!(!left_behind.exists());
    assert!(others[1..].iter().all(|path| path.exists()), "{others:?}");
    drop(next);
}

#[test]
fn a_record_that_was_named_is_nobodys_to_prune_and_neither_is_its_folder() {
    let folder = Arc::new(Temp::new());
    configure(&folder, "journal-days = 1\n");
    let elsewhere = folder.folder("elsewhere");
    let (left, usual) = (old(&elsewhere, &name(1), 90, 10), folder.path("state/tim/runs"));
    fs::create_dir_all(&usual).unwrap();
    let untouched = old(&usual, &name(2), 90, 10);
    let named = Launch::tim_in(Arc::clone(&folder), ["serve", "--journal"]).arg(elsewhere.join(name(3)));
    let mut serve = Serve::ready(named.start());
    serve.client().round_trip("q");
    assert_eq!(serve.finish(), Some(143));
    assert!(left.exists() && untouched.exists());
}
