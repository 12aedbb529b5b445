//! What the release binary takes of memory, as the kernel counts it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use super::client::{connect, hear};
use super::figures::{Bound, alone};
use super::server::Folder;

const CLIENTS: usize = 1_000;
/// How long the line is that never ends.
const ENDLESS: usize = 1 << 30;

/// `tim serve` on its own. Dropping it ends it.
struct Tim {
    child: Child,
    folder: Folder,
}

/// Where the binary is, if it was built.
fn binary() -> Option<PathBuf> {
    let own = std::env::current_exe().unwrap();
    let path = own.parent().unwrap().parent().unwrap().join("tim");
    if path.exists() {
        return Some(path);
    }
    println!("    SKIPPED: no binary at {}; `cargo build --release` makes it", path.display());
    None
}

impl Tim {
    /// A server that says where it is and has served one client.
    fn start(binary: &PathBuf) -> Self {
        let folder = Folder::new();
        let mut child = Command::new(binary)
            .args(["serve", "--quiet", "--no-journal", "--answer-command", "true", "--socket"])
            .arg(folder.socket())
            .env_clear()
            .env("HOME", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let tim = Self { child, folder };
        assert!(said.ends_with('\n'), "it said where it is");
        drop(tim.greet());
        tim
    }

    fn connect(&self) -> UnixStream {
        connect(&self.folder.socket())
    }

    /// A client that was welcomed: everybody who came before it is inside by then.
    fn greet(&self) -> UnixStream {
        let mut stream = self.connect();
        stream.write_all(b"{\"type\":\"hello\",\"tim\":1,\"as\":\"script\"}\n").unwrap();
        hear(&stream, 1);
        stream
    }

    /// In KiB.
    fn memory(&self, which: &str) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(which)).unwrap();
        line.trim_start_matches(':').trim().trim_end_matches(" kB").parse().unwrap()
    }
}

impl Drop for Tim {
    fn drop(&mut self) {
        // Gone already is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What it takes when nobody is there, and what each client adds that says nothing, or only hello.
pub(super) fn memory() {
    let Some(binary) = binary() else { return };
    let tim = Tim::start(&binary);
    let idle = tim.memory("VmRSS");
    alone("(e) idle, MB", idle * 1_024.0 / 1e6, Bound::AtMost(6.0));
    let silent: Vec<UnixStream> = (0..CLIENTS).map(|_| tim.connect()).collect();
    let last = tim.greet();
    alone("    each of 1,000 silent, KiB", each(&tim, idle), Bound::AtMost(10.0));
    drop((silent, last, tim));
    let tim = Tim::start(&binary);
    let idle = tim.memory("VmRSS");
    let greeted: Vec<UnixStream> = (0..CLIENTS).map(|_| tim.greet()).collect();
    alone("    each of 1,000 greeted, KiB", each(&tim, idle), Bound::AtMost(10.0));
    drop(greeted);
}

fn each(tim: &Tim, idle: f64) -> f64 {
    (tim.memory("VmRSS") - idle) / CLIENTS as f64
}

/// How much it grows at the most while a line comes that does not end.
pub(super) fn endless_line() {
    let Some(binary) = binary() else { return };
    let tim = Tim::start(&binary);
    let (idle, mut stream) = (tim.memory("VmRSS"), tim.connect());
    let piece = vec![b'x'; 1 << 20];
    for _ in 0..ENDLESS / piece.len() {
        stream.write_all(&piece).unwrap();
    }
    let grown = (tim.memory("VmHWM") - idle) / 1_024.0;
    alone("    1 GiB without line end, MiB more", grown, Bound::AtMost(16.0));
}
