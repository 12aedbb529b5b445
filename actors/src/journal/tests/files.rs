//! Real files: who may read them, and what is never touched.

use std::env;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::super::file::{close_folder, lock};
use super::super::{CreateError, create, create_in};
use super::*;

/// A folder of the test's own, gone afterwards.
struct Temp(PathBuf);

impl Temp {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("tim-journal-{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = env::temp_dir().join(name);
        fs::create_dir(&folder).unwrap();
        chmod(&folder, 0o700);
        Self(folder)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_new_file_is_for_its_owner_alone() {
    let temp = Temp::new();
    create(&temp.at("a.jsonl")).unwrap();
    assert_eq!(mode(&temp.at("a.jsonl")), 0o600);
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a umask belongs to a process: this one gets a process of its own"
)]
fn the_mode_of_a_new_file_is_exact_whatever_the_umask_is() {
    let module = module_path!().split_once("::").unwrap().1;
    let other_test = format!("{module}::a_new_file_is_for_its_owner_alone");
    let output = process::Command::new("sh")
        .args(["-c", "umask 0477 && exec \"$0\" --exact \"$1\""])
        .arg(env::current_exe().unwrap())
        .arg(other_test)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn a_journal_on_a_real_file_holds_every_record() {
    let temp = Temp::new();
    let mut journal = Journal::start(create(&temp.at("a.jsonl")).unwrap(), || {}).unwrap();
    for number in 0..10_000 {
        journal.push(time(number), &record(number));
    }
    assert_eq!(journal.finish(PATIENCE), counted(10_000, 0));
    assert_eq!(fs::read_to_string(temp.at("a.jsonl")).unwrap(), lines((0..10_000).map(record)));
}

#[test]
fn one_that_must_stay_is_written_to_only_while_it_is_there_and_whole() {
    let temp = Temp::new();
    let path = temp.at("a.jsonl");
    let mut file = create(&path).unwrap().that_must_stay();
    assert_eq!(file.write(b"12345").unwrap(), 5);
    file.truncate(3).unwrap();
    assert_eq!(file.write(b"45").unwrap(), 2, "what we cut ourselves is no loss");
    fs::rename(&path, temp.at("b.jsonl")).unwrap();
    assert_eq!(file.write(b"6").unwrap(), 1, "moved, it is still there");
    fs::write(temp.at("b.jsonl"), "12").unwrap();
    assert!(file.write(b"7").is_err(), "somebody shortened it");

    let mut removed = create(&path).unwrap().that_must_stay();
    fs::remove_file(&path).unwrap();
    assert!(removed.write(b"1").is_err());
}

/// The device that is always full.
struct Full(fs::File);

impl Sink for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        std::io::Write::write(&mut self.0, bytes)
    }

    fn truncate(&mut self, _: u64) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn f112_a_device_that_is_full_loses_all_says_why_and_holds_nobody_up() {
    let full = Full(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let mut journal = Journal::start(full, || {}).unwrap();
    for number in 0..3 {
        journal.push(0, &record(number));
    }
    let ended = journal.finish(PATIENCE);
    assert_eq!(ended, Progress { settled: 3, lost: 3, released: 3 });
}

#[test]
fn whoever_looks_for_a_moment_whether_a_run_lives_does_not_keep_it_from_its_lock() {
    let mut tries = 0;
    lock(|| {
        tries += 1;
        if tries < 3 { Err(Errno::WOULDBLOCK) } else { Ok(()) }
    });
    assert_eq!(tries, 3);
    lock(|| {
        tries += 1;
        Err(Errno::NOLCK)
    });
    assert_eq!(tries, 4, "where there are no locks it is not tried again");
}

#[test]
fn a_journal_is_locked_as_long_as_it_is_open() {
    let temp = Temp::new();
    let journal = create(&temp.at("a.jsonl")).unwrap();
    let other = fs::File::open(temp.at("a.jsonl")).unwrap();
    let look = || flock(&other, FlockOperation::NonBlockingLockShared);
    assert_eq!(look(), Err(Errno::WOULDBLOCK));
    drop(journal);
    look().unwrap();
}

#[test]
fn after_a_cut_a_file_goes_on_where_it_was_cut() {
    let temp = Temp::new();
    let mut file = create(&temp.at("a.jsonl")).unwrap();
    assert_eq!(file.write(b"whole\ntorn").unwrap(), 10);
    file.truncate(6).unwrap();
    assert_eq!(file.write(b"next\n").unwrap(), 5);
    assert_eq!(fs::read_to_string(temp.at("a.jsonl")).unwrap(), "whole\nnext\n");
}

#[test]
fn what_is_there_already_stays_as_it_is() {
    let temp = Temp::new();
    let path = temp.at("a.jsonl");
    fs::write(&path, "precious").unwrap();
    chmod(&path, 0o644);
    for error in [create(&path).unwrap_err(), create_in(&temp.0, "a.jsonl").unwrap_err()] {
        assert!(matches!(&error, CreateError::Exists { path: there } if *there == path), "{error:?}");
        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    }
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), mode(&path)), ("precious", 0o644));
}

#[test]
fn a_link_in_place_of_the_file_is_not_followed() {
    let temp = Temp::new();
    fs::write(temp.at("target"), "precious").unwrap();
    chmod(&temp.at("target"), 0o644);
    symlink(temp.at("target"), temp.at("link")).unwrap();
    symlink(temp.at("nowhere"), temp.at("dangling")).unwrap();
    for name in ["link", "dangling"] {
        let error = create(&temp.at(name)).unwrap_err();
        assert!(matches!(&error, CreateError::Link { path } if *path == temp.at(name)), "{error:?}");
        assert!(temp.at(name).is_symlink());
    }
    assert!(!temp.at("nowhere").exists());
    let target = fs::read_to_string(temp.at("target")).unwrap();
    assert_eq!((target.as_str(), mode(&temp.at("target"))), ("precious", 0o644));
}

#[test]
fn missing_folders_are_made_for_their_owner_alone() {
    let temp = Temp::new();
    create_in(&temp.at("a/b"), "c.jsonl").unwrap();
    let modes = ["a", "a/b", "a/b/c.jsonl"].map(|name| mode(&temp.at(name)));
    assert_eq!(modes, [0o700, 0o700, 0o600]);
}

#[test]
fn a_folder_of_ours_is_closed_to_others() {
    let temp = Temp::new();
    for wide in [0o755, 0o701, 0o770] {
        chmod(&temp.0, wide);
        create_in(&temp.0, &format!("{wide:o}.jsonl")).unwrap();
        assert_eq!(mode(&temp.0), 0o700);
    }
}

#[test]
fn a_link_in_place_of_the_folder_is_not_followed() {
    let temp = Temp::new();
    fs::create_dir(temp.at("target")).unwrap();
    chmod(&temp.at("target"), 0o755);
    symlink(temp.at("target"), temp.at("link")).unwrap();
    symlink(temp.at("nowhere"), temp.at("dangling")).unwrap();
    for name in ["link", "link/", "link/.", "dangling"] {
        let error = create_in(&temp.at(name), "a.jsonl").unwrap_err();
        assert!(matches!(&error, CreateError::Link { .. }), "{name}: {error:?}");
    }
    assert_eq!(mode(&temp.at("target")), 0o755);
    assert_eq!(fs::read_dir(temp.at("target")).unwrap().count(), 0);
    assert!(!temp.at("nowhere").exists());
}

#[test]
fn a_file_in_place_of_the_folder_is_an_error() {
    let temp = Temp::new();
    fs::write(temp.at("file"), "precious").unwrap();
    let error = create_in(&temp.at("file"), "a.jsonl").unwrap_err();
    assert!(matches!(&error, CreateError::NotAFolder { .. }), "{error:?}");
    let error = create_in(&temp.at("file/below"), "a.jsonl").unwrap_err();
    assert!(matches!(&error, CreateError::System { .. }), "{error:?}");
}

#[test]
fn a_folder_that_many_share_is_left_alone() {
    let temp = Temp::new();
    chmod(&temp.0, 0o1777);
    let error = create_in(&temp.0, "a.jsonl").unwrap_err();
    assert!(matches!(&error, CreateError::Shared { .. }), "{error:?}");
    assert_eq!((mode(&temp.0), temp.at("a.jsonl").exists()), (0o1777, false));
}

/// `/`, `.` and `..` are such paths too. They are not tried: a bug would close them to everybody.
#[test]
fn a_folder_without_a_name_of_its_own_is_left_alone() {
    let temp = Temp::new();
    fs::create_dir(temp.at("below")).unwrap();
    chmod(&temp.0, 0o755);
    let error = create_in(&temp.at("below/.."), "a.jsonl").unwrap_err();
    assert!(matches!(&error, CreateError::Shared { .. }), "{error:?}");
    assert_eq!((mode(&temp.0), temp.at("a.jsonl").exists()), (0o755, false));
}

#[test]
fn a_folder_of_somebody_else_is_refused_and_keeps_its_mode() {
    let temp = Temp::new();
    let folder = temp.at("foreign");
    fs::create_dir(&folder).unwrap();
    chmod(&folder, 0o777);
    // As if somebody else owned it: giving a folder away is for root alone.
    let file = create(&temp.at("a.jsonl")).unwrap();
    let stranger = fs::metadata(&folder).unwrap().uid() + 1;
    let error = close_folder(&folder, stranger, 0o777, &file).unwrap_err();
    assert!(matches!(&error, CreateError::Foreign { path } if *path == folder), "{error:?}");
    assert_eq!(mode(&folder), 0o777);
}

#[test]
fn a_name_leads_nowhere_else() {
    let temp = Temp::new();
    let absolute = temp.at("x");
    for name in ["", ".", "..", absolute.to_str().unwrap(), "a/b", "a/", "../x"] {
        let error = create_in(&temp.at("new"), name).unwrap_err();
        assert!(matches!(&error, CreateError::Name { .. }), "{name}: {error:?}");
    }
    assert!(!temp.at("new").exists());
}

#[test]
fn an_error_of_the_system_says_where_and_why() {
    let temp = Temp::new();
    let path = temp.at("missing/a.jsonl");
    let error = create(&path).unwrap_err().to_string();
    assert!(error.contains(path.to_str().unwrap()) && error.contains("no such file"), "{error}");
}
