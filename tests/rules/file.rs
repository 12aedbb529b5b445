//! The rules file: what is added and removed, and that nothing which goes wrong harms it or lets something run.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::Arc;

use rustix::fs::{FlockOperation, flock};

use crate::support::temp::{all_below, mode};
use crate::support::wait::eventually;
use crate::{home, rules_file, set_mode, text, tim, told, write};

#[test]
fn a_rule_is_added_listed_and_removed() {
    let home = home();
    let path = rules_file(&home);
    let (code, said, complaint) = told(&home, &["list"]);
    assert_eq!((code, complaint.as_str()), (Some(0), ""));
    assert!(said.contains("no rules yet") && said.contains("tim rules add"), "{said}");
    assert!(!path.exists(), "looking makes nothing");

    let (code, said, complaint) = told(&home, &["add", "Bash(git status:*)", "Edit(src/**)"]);
    assert_eq!((code, complaint.as_str()), (Some(0), ""));
    assert_eq!(
        said,
        format!("added: allow  Bash(git status:*)\nadded: allow  Edit(src/**)\nsaved: {}\n", path.display())
    );
    assert_eq!(told(&home, &["add", "--deny", "Bash(rm:*)"]).0, Some(0));
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    let written = "# Rules of tim; see `tim rules --help`.\nallow = [\n    \"Bash(git status:*)\",\n    \"Edit(src/**)\",\n]\ndeny = [\n    \"Bash(rm:*)\",\n]\n";
    assert_eq!(text(&path), written);

    let listed = "allow  Bash(git status:*)\nallow  Edit(src/**)\ndeny   Bash(rm:*)\n";
    assert_eq!(told(&home, &["list"]).1, format!("{}\n{listed}", path.display()));
    let json: serde_json::Value = serde_json::from_str(&told(&home, &["list", "--json"]).1).unwrap();
    let allow = ["Bash(git status:*)", "Edit(src/**)"];
    let expected =
        serde_json::json!({"file": path.to_str(), "allow": allow, "deny": ["Bash(rm:*)"], "configured": []});
    assert_eq!(json, expected);

    let (code, said, _) = told(&home, &["remove", "Edit(src/**)", "Bash(rm:*)"]);
    assert_eq!((code, said.as_str()), (Some(0), "removed: allow  Edit(src/**)\nremoved: deny  Bash(rm:*)\n"));
    assert!(told(&home, &["list"]).1.ends_with("toml\nallow  Bash(git status:*)\n"));
}

#[test]
fn a_rule_that_is_there_is_said_and_the_file_left_alone() {
    let home = home();
    let path = write(&home, "# mine\nallow=['WebSearch']");
    let before = fs::metadata(&path).unwrap();
    let (code, said, complaint) = told(&home, &["add", "WebSearch"]);
    assert_eq!((code, said.as_str(), complaint.as_str()), (Some(0), "there already: allow  WebSearch\n", ""));
    let after = fs::metadata(&path).unwrap();
    assert_eq!(before.modified().unwrap(), after.modified().unwrap());
    assert_eq!(text(&path), "# mine\nallow=['WebSearch']");
}

#[test]
fn a_rule_that_is_in_the_other_list_too_is_said_to_stay_denied() {
    let home = home();
    write(&home, "deny = ['WebSearch']\n");
    let (code, said, _) = told(&home, &["add", "WebSearch"]);
    assert!(code == Some(0) && said.contains("what is denied stays denied"), "{said}");
    let (code, said, _) = told(&home, &["remove", "WebSearch"]);
    assert_eq!((code, said.as_str()), (Some(0), "removed: allow  WebSearch\nremoved: deny  WebSearch\n"));
}

#[test]
fn comments_and_order_of_the_file_survive() {
    let home = home();
    let path =
        write(&home, "# why\ndeny = []  # none\n\nallow = [\n  'WebSearch', # often\n  'WebFetch'\n]\n");
    assert_eq!(told(&home, &["add", "Bash(ls:*)"]).0, Some(0));
    assert_eq!(told(&home, &["remove", "WebFetch"]).0, Some(0));
    let expected = "# why\ndeny = []  # none\n\nallow = [\n  'WebSearch', # often\n  \"Bash(ls:*)\",\n]\n";
    assert_eq!(text(&path), expected);
}

#[test]
fn a_rule_that_is_not_there_is_said_with_the_nearest_and_nothing_is_removed() {
    let home = home();
    let path = write(&home, "allow = ['Bash(git status:*)', 'WebSearch']\ndeny = ['Bash(git stash:*)']\n");
    let before = text(&path);
    let (code, said, complaint) = told(&home, &["remove", "WebSearch", "Bash(git statsu:*)"]);
    assert_eq!((code, said.as_str()), (Some(1), ""));
    assert!(complaint.contains("allow  Bash(git status:*)"), "{complaint}");
    assert!(
        complaint.contains("deny   Bash(git stash:*)") && !complaint.contains("WebSearch"),
        "{complaint}"
    );
    let (code, _, complaint) = told(&home, &["remove", "--deny", "WebSearch"]);
    assert!(code == Some(1) && complaint.contains("no deny rule WebSearch"), "{complaint}");
    assert_eq!(text(&path), before);
}

#[test]
fn a_bad_rule_is_shown_with_its_place_and_nothing_is_written() {
    let home = home();
    for (rule, caret) in [("Bash(:*)", "       ^"), ("Bash(git status:*", "                   ^")] {
        for command in ["add", "remove"] {
            let (code, said, complaint) = told(&home, &[command, "WebSearch", rule]);
            assert_eq!((code, said.as_str()), (Some(2), ""), "{rule}");
            let rows: Vec<_> = complaint.lines().collect();
            assert_eq!(rows[1..], [&format!("  {rule}"), caret], "{complaint}");
        }
    }
    assert!(all_below(&home.path("config")).is_empty());
}

#[test]
fn a_file_that_cannot_be_used_is_said_with_its_place_and_nothing_of_it_counts() {
    for (bad, place) in [
        ("this is no TOML", ":1:6"),
        ("allow = ['WebSearch']\nalow = []", ":2:1"),
        ("allow = 'WebSearch'", ":1:9"),
        ("allow = ['WebSearch', true]", ":1:23"),
        ("allow = [\n  'Bash(git status:*)',\n  'Bash(:*)',\n]", ":3:9"),
        ("allow = ['Bash(git status:*)']\ndeny = ['Bash(git status:*']", ":2:27"),
    ] {
        let home = home();
        let path = write(&home, bad);
        let place = format!("tim: {}{place}: ", path.display());
        for command in
            [&["list"][..], &["add", "WebFetch"], &["remove", "WebFetch"], &["test", "git", "status"]]
        {
            let (code, said, complaint) = told(&home, command);
            assert_eq!((code, said.as_str()), (Some(2), ""), "{bad}: {command:?}");
            assert!(complaint.starts_with(&place), "{complaint} is not at {place}");
        }
        assert_eq!(text(&path), bad);
        assert_eq!(told(&home, &["test", "--no-file", "git", "status"]).0, Some(1));
    }
}

#[test]
fn a_link_a_folder_or_a_file_that_others_can_write_is_refused() {
    let home = home();
    let path = write(&home, "allow = ['WebSearch']\n");
    let refused = |why: &str| {
        for command in [&["list"][..], &["add", "WebFetch"], &["test", "ls"]] {
            let (code, said, complaint) = told(&home, command);
            assert_eq!((code, said.as_str()), (Some(2), ""), "{command:?}");
            assert!(complaint.contains(why) && complaint.contains("rules.toml"), "{complaint}");
        }
    };
    set_mode(&path, 0o620);
    refused("can be written by others (mode 620)");
    assert_eq!(text(&path), "allow = ['WebSearch']\n");
    set_mode(&path, 0o600);
    fs::rename(&path, home.path("elsewhere.toml")).unwrap();
    symlink(home.path("elsewhere.toml"), &path).unwrap();
    refused("is a symbolic link");
    assert!(path.is_symlink() && text(&home.path("elsewhere.toml")) == "allow = ['WebSearch']\n");
    fs::remove_file(&path).unwrap();
    symlink(home.path("nowhere"), &path).unwrap();
    refused("is a symbolic link");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    refused("is not a file");
}

#[test]
fn the_lock_is_no_link_to_elsewhere() {
    let home = home();
    let path = write(&home, "");
    symlink(home.path("victim"), path.with_extension("toml.lock")).unwrap();
    let (code, _, complaint) = told(&home, &["add", "WebSearch"]);
    assert!(code == Some(1) && complaint.contains("rules.toml.lock cannot be opened"), "{complaint}");
    assert!(!home.path("victim").exists());
}

/// Permissions do not bind root, so the folder is one that nobody can make: it would be below a file.
#[test]
fn a_folder_that_cannot_be_written_is_said() {
    let home = home();
    fs::write(home.path("config/tim"), "a file").unwrap();
    let (code, said, complaint) = told(&home, &["add", "WebSearch"]);
    assert_eq!((code, said.as_str()), (Some(1), ""));
    assert!(complaint.starts_with("tim: not saved: ") && complaint.contains("cannot be made"), "{complaint}");
    assert_eq!(told(&home, &["list"]).0, Some(0));
}

/// A limit on the size of files stands for the full disk.
#[test]
fn a_full_disk_is_said_and_the_old_file_stays() {
    let home = home();
    let path = write(&home, "allow = ['WebSearch']\n");
    let (code, said, complaint) = tim(&home, &["add", "WebFetch"]).limited("--fsize=8").start().exit();
    assert_eq!((code, said.as_str()), (Some(1), ""), "{complaint}");
    assert!(
        complaint.starts_with("tim: not saved: ") && complaint.contains("cannot be written"),
        "{complaint}"
    );
    assert_eq!(text(&path), "allow = ['WebSearch']\n");
    let left = all_below(path.parent().unwrap());
    assert!(left.iter().all(|path| !path.to_string_lossy().ends_with(".new")), "{left:?}");
}

#[test]
fn without_a_home_there_is_no_place_for_rules_and_all_is_asked() {
    let home = home();
    let homeless =
        |arguments| tim(&home, arguments).without("HOME").without("XDG_CONFIG_HOME").start().exit();
    for command in [&["list"][..], &["add", "WebSearch"], &["remove", "WebSearch"]] {
        let (code, said, complaint) = homeless(command);
        assert_eq!((code, said.as_str()), (Some(2), ""));
        assert!(complaint.contains("neither HOME nor XDG_CONFIG_HOME"), "{complaint}");
    }
    assert_eq!(homeless(&["test", "touch", "x"]).0, Some(1));
    let (code, ..) = tim(&home, &["add", "WebSearch"]).without("XDG_CONFIG_HOME").start().exit();
    assert!(code == Some(0) && home.path("home/.config/tim/rules.toml").exists());
}

#[test]
fn whoever_finds_the_file_locked_waits_and_then_says_so() {
    let home = home();
    let path = write(&home, "");
    let lock = fs::File::create(path.with_extension("toml.lock")).unwrap();
    flock(&lock, FlockOperation::LockExclusive).unwrap();
    let mut early = tim(&home, &["add", "WebSearch"]).start();
    let (code, _, complaint) = early.exit();
    assert!(code == Some(1) && complaint.contains("locked for 5 seconds; try again"), "{complaint}");
    let mut patient = tim(&home, &["add", "WebFetch"]).start();
    let opened = |entry: fs::DirEntry| fs::read_link(entry.path()).ok();
    eventually("it has come to the lock", || {
        let files = fs::read_dir(format!("/proc/{}/fd", patient.pid())).ok()?;
        files.flatten().filter_map(opened).find(|file| *file == path.with_extension("toml.lock"))
    });
    assert!(patient.lives(), "it waits");
    flock(&lock, FlockOperation::Unlock).unwrap();
    assert_eq!(patient.exit().0, Some(0));
    assert_eq!(told(&home, &["list"]).1, format!("{}\nallow  WebFetch\n", path.display()));
}

#[test]
fn f106_two_writers_at_once_lose_nothing() {
    let home = home();
    let writer = |name: &'static str| {
        let home = Arc::clone(&home);
        std::thread::spawn(move || {
            for number in 0..100 {
                let (code, _, complaint) = told(&home, &["add", &format!("Bash({name} {number}:*)")]);
                assert_eq!(code, Some(0), "{complaint}");
            }
        })
    };
    for writer in [writer("one"), writer("two")] {
        writer.join().unwrap();
    }
    let listed = told(&home, &["list"]).1;
    for number in 0..100 {
        for name in ["one", "two"] {
            assert!(listed.contains(&format!("allow  Bash({name} {number}:*)\n")), "{name} {number}");
        }
    }
    assert_eq!(listed.lines().count(), 201);
    let mut names: Vec<_> = all_below(&home.path("config/tim"))
        .into_iter()
        .filter_map(|path| path.file_name().map(ToOwned::to_owned))
        .collect();
    names.sort();
    assert_eq!(names, ["rules.toml", "rules.toml.lock"], "nothing else is left");
}

#[test]
fn f103_a_read_only_file_is_not_replaced() {
    let home = home();
    let path = write(&home, "allow = ['WebSearch']\n");
    set_mode(&path, 0o400);
    let (code, said, complaint) = told(&home, &["add", "WebFetch"]);
    assert_eq!((code, said.as_str()), (Some(1), ""));
    assert!(complaint.ends_with("rules.toml is read-only\n"), "{complaint}");
    assert_eq!(text(&path), "allow = ['WebSearch']\n");
}
