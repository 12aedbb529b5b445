//! An agent that can be stopped on its way: this program, started with a name of its own.
//!
//! It prints the file up to one mark, then up to the next, and says each time when the pipe is empty; it goes on when it is
//! told to. Ends with the file.

use std::fs::File;
use std::io::{Read as _, Write as _, stdout};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use crate::stream::Stream;
use crate::tim::quoted;

/// The argument that makes this program the agent.
pub(crate) const NAME: &str = "__agent";

/// How it is started: the file, where it rests, and the socket of whoever lets it go on.
pub(crate) fn command(events: &Stream, socket: &Path) -> String {
    let own = quoted(&std::env::current_exe().unwrap());
    let (file, socket) = (quoted(&events.path), quoted(socket));
    format!("{own} {NAME} {file} {socket} {} {}", events.tenth, events.last)
}

/// Prints the file.
pub(crate) fn speak(told: &[String]) {
    let [file, socket, marks @ ..] = told else { unreachable!("it is started by this program") };
    let (file, mut host) = (File::open(file).unwrap(), UnixStream::connect(socket).unwrap());
    let (mut at, mut out) = (0, stdout().lock());
    for mark in marks {
        let mark: u64 = mark.parse().unwrap();
        std::io::copy(&mut (&file).take(mark - at), &mut out).unwrap();
        out.flush().unwrap();
        at = mark;
        rest(&mut host);
    }
    std::io::copy(&mut &file, &mut out).unwrap();
    out.flush().unwrap();
}

/// Waits until all was read, says so, and waits to be told to go on.
fn rest(host: &mut UnixStream) {
    while rustix::io::ioctl_fionread(stdout()).unwrap() > 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    host.write_all(b".").unwrap();
    host.read_exact(&mut [0]).unwrap();
}
