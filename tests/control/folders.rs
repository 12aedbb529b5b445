//! Where the control socket lies, and that nothing of it is left behind.

use std::os::unix::net::UnixStream;
use std::sync::Arc;

use rustix::process::Signal;

use crate::shell::{listed, socket, tim};
use crate::support::launch::Launch;
use crate::support::serve::Serve;
use crate::support::temp::{Temp, all_below, mode};

fn serve_in(folder: &Arc<Temp>) -> Serve {
    Serve::ready(Launch::tim_in(Arc::clone(folder), ["serve"]).start())
}

#[test]
fn it_lies_beside_the_other_socket_for_our_eyes_alone_and_goes_with_the_run() {
    let mut serve = Serve::alone();
    let control = socket(serve.folder());
    assert_eq!(control.parent(), serve.socket().parent());
    assert_eq!((mode(&control), mode(control.parent().unwrap())), (0o600, 0o700));
    serve.finish();
    assert_eq!(all_below(&serve.folder().path("run/tim")), [control; 0]);
}

#[test]
fn beside_a_socket_whose_place_was_said_it_has_a_folder_of_its_own() {
    let folder = Arc::new(Temp::new());
    let place = folder.path("s");
    let launch = Launch::tim_in(Arc::clone(&folder), ["serve", "--socket"]).arg(&place);
    let mut serve = Serve::ready(launch.start());
    assert_eq!(serve.socket(), place);
    let control = socket(&folder);
    assert_eq!(mode(control.parent().unwrap()), 0o700);
    assert!(listed(&folder, serve.pid()).is_some());
    serve.finish();
    assert!(!control.parent().unwrap().exists());
}

#[test]
fn what_a_killed_run_left_is_not_listed_and_swept_by_the_next() {
    let folder = Arc::new(Temp::new());
    let mut killed = serve_in(&folder);
    let control = socket(&folder);
    let pid = killed.pid();
    killed.signal(Signal::KILL);
    killed.ended();
    assert!(control.exists() && UnixStream::connect(&control).is_err(), "it is left, and dead");
    assert!(listed(&folder, pid).is_none());
    let (code, text, stderr) = tim(&folder, &["ps"]);
    assert_eq!((code, stderr.as_str()), (0, ""), "{text}");
    let next = serve_in(&folder);
    assert!(!control.parent().unwrap().exists(), "swept");
    assert!(listed(&folder, next.pid()).is_some());
}
