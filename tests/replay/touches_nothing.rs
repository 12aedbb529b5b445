//! Whatever stands in a file, a replay of it starts nothing, opens no socket and writes nothing: as the kernel saw it.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{fixture, hostile_journal, text};

/// A folder that is gone with the test.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

/// Files that would like something to happen: every hostile line, and records of processes, sockets and commands.
fn hostile_files(folder: &Path) -> Vec<PathBuf> {
    let tempting = concat!(
        "{\"seq\":0,\"t\":0,\"rec\":\"run\",\"v\":1,\"id\":\"0f1e\",\"seed\":\"x\",\"writer\":\"tim\"}\n",
        "{\"seq\":1,\"t\":0,\"rec\":\"attach\",\"wire\":\"command:1\"}\n",
        "{\"seq\":2,\"t\":0,\"rec\":\"attach\",\"wire\":\"claude:main\",\"path\":\"../../x\"}\n",
        "{\"seq\":3,\"t\":0,\"rec\":\"spawn\",\"wire\":\"claude:main\",\"argv\":[\"touch\",\"started\"],\"pid\":1}\n",
        "{\"seq\":4,\"t\":0,\"wire\":\"claude:main\",\"dir\":\"from\",\"line\":\"{\\\"type\\\":\\\"control_request\\\",",
        "\\\"request_id\\\":\\\"a\\\",\\\"request\\\":{\\\"subtype\\\":\\\"can_use_tool\\\",\\\"tool_name\\\":\\\"Bash\\\",",
        "\\\"input\\\":{\\\"command\\\":\\\"touch started\\\"}}}\"}\n",
        "{\"seq\":5,\"t\":0,\"rec\":\"signal\",\"name\":\"SIGKILL\"}\n",
    );
    let (tempts, hostile) = (folder.join("tempting.jsonl"), folder.join("hostile.jsonl"));
    std::fs::write(&tempts, tempting).unwrap();
    std::fs::write(&hostile, hostile_journal()).unwrap();
    let recordings = ["claude/d2_can_use_tool_write_allow.2.1.325.jsonl", "runs/every-record.jsonl"];
    let recordings = recordings.map(|name| fixture("fixtures").join(name));
    [tempts, hostile].into_iter().chain(recordings).collect()
}

fn folder(name: &str) -> Folder {
    let folder = std::env::temp_dir().join(format!("tim-replay-{name}-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    Folder(folder)
}

const WAYS: [&[&str]; 5] =
    [&[], &["--wires"], &["--check"], &["--turns"], &["--output-format", "stream-json"]];

#[test]
fn t65_a_replay_starts_no_process_opens_no_socket_and_writes_nothing() {
    let (folder, traced) = (folder("traced"), folder("trace"));
    let trace = traced.0.join("trace.txt");
    for file in hostile_files(&folder.0) {
        for way in WAYS {
            let mut command = Command::new("strace");
            command.args(["-f", "-qq", "-o"]).arg(&trace).arg(env!("CARGO_BIN_EXE_tim"));
            command.arg("replay").arg(&file).args(way).env("HOME", &folder.0).current_dir(&folder.0);
            let output = match command.output() {
                Ok(output) => output,
                Err(error) => return not_traced(&error),
            };
            let calls = std::fs::read_to_string(&trace).unwrap();
            assert!(calls.contains("execve("), "strace saw nothing: {}", text(&output.stderr));
            looks_only(&calls, &format!("{} {way:?}", file.display()));
        }
    }
}

/// Only the kernel knows everything. Where it cannot be asked that is said to stderr itself, because what the harness catches
/// of a test that passes is never seen; with `CI` set it is a failure.
fn not_traced(error: &std::io::Error) {
    use std::io::Write as _;
    let in_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    assert!(!in_ci, "this test needs strace: {error}");
    writeln!(std::io::stderr(), "NOT RUN: what a replay does to the machine, which needs strace: {error}")
        .ok();
}

/// Whether somebody who did this has only looked.
fn looks_only(calls: &str, what: &str) {
    const FORBIDDEN: [&str; 24] = [
        "fork(",
        "vfork(",
        "clone(",
        "clone3(",
        "socket(",
        "socketpair(",
        "connect(",
        "bind(",
        "listen(",
        "sendto(",
        "sendmsg(",
        "kill(",
        "tkill(",
        "unlink(",
        "unlinkat(",
        "rename(",
        "renameat",
        "mkdir",
        "rmdir(",
        "symlink",
        "link(",
        "truncate(",
        "ftruncate(",
        "chmod",
    ];
    assert_eq!(calls.matches("execve(").count(), 1, "{what}: {calls}");
    for call in calls.lines().filter_map(|row| row.split_once(' ')).map(|(_, call)| call.trim_start()) {
        assert!(!FORBIDDEN.iter().any(|name| call.starts_with(name)), "{what}: {call}");
        let opens = call.starts_with("open");
        assert!(!opens || call.contains("O_RDONLY") && !call.contains("O_CREAT"), "{what}: {call}");
        let writes = call.starts_with("write") || call.starts_with("pwrite");
        let is_output =
            ["write(1,", "write(2,", "writev(1,", "writev(2,"].iter().any(|to| call.starts_with(to));
        assert!(!writes || is_output, "{what}: {call}");
    }
}

#[test]
fn nothing_is_left_behind_where_it_ran() {
    let folder = folder("watched");
    let files = hostile_files(&folder.0);
    let names = || {
        let entries = std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap());
        let mut names: Vec<_> =
            entries.map(|entry| (entry.file_name(), std::fs::read(entry.path()).unwrap())).collect();
        names.sort();
        names
    };
    let before = names();
    for (file, way) in files.iter().flat_map(|file| WAYS.map(|way| (file, way))) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tim"));
        command.arg("replay").arg(file).args(way).env_clear().env("HOME", &folder.0).current_dir(&folder.0);
        let output = command.output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {}", file.display(), text(&output.stderr));
    }
    assert_eq!(before, names());
}
