//! Where the socket lies: what is in the way is not touched, what is not ours is not removed.

use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;

use crate::support::client::{assert_answered, assert_refused};
use crate::support::launch::Launch;
use crate::support::serve::Serve;
use crate::support::temp::{Temp, all_below, mode};
use crate::support::wait::eventually;

/// `tim serve` at a path in a folder that outlives it.
fn launch_at(folder: &Arc<Temp>, path: impl AsRef<Path>) -> Launch {
    Launch::tim_in(Arc::clone(folder), ["serve", "--socket"]).arg(path.as_ref())
}

fn temp() -> Arc<Temp> {
    Arc::new(Temp::new())
}

/// A start that must not be one: what it says on stderr.
fn turned_away(launch: Launch) -> String {
    let (code, stdout, stderr) = launch.start().exit();
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
    assert!(stderr.starts_with("tim: "), "{stderr}");
    stderr
}

fn is_socket(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket())
}

#[test]
fn t01_folder_and_socket_and_journal_are_for_nobody_else() {
    let mut serve = Serve::alone();
    let folder = serve.socket().parent().unwrap().to_owned();
    assert!(folder.starts_with(serve.folder().path("run").join("tim")), "{}", folder.display());
    assert_eq!((mode(&folder), mode(serve.socket())), (0o700, 0o600));
    assert_eq!(mode(&serve.journal_path()), 0o600);
    assert_eq!(serve.finish(), Some(143));
    assert!(!folder.exists(), "its own folder is removed");
}

#[test]
fn f019_where_the_usual_path_is_too_long_a_short_one_is_found() {
    let launch = Launch::tim(["serve"]).without("XDG_RUNTIME_DIR");
    let long = launch.folder().folder(&"l".repeat(150));
    let mut serve = Serve::ready(launch.env("TMPDIR", long).start());
    assert!(serve.socket().as_os_str().len() <= 107, "{}", serve.socket().display());
    assert_eq!(mode(serve.socket().parent().unwrap()), 0o700);
    assert_refused(&serve.client().round_trip("q"), "no_desk");
    let folder = serve.socket().parent().unwrap().to_owned();
    assert_eq!(serve.finish(), Some(143));
    assert!(!folder.exists(), "{}", folder.display());
}

#[test]
fn f019_an_explicit_path_that_is_too_long_is_an_error() {
    let temp = temp();
    let path = temp.folder(&"l".repeat(120)).join("s");
    turned_away(launch_at(&temp, &path));
    assert!(all_below(path.parent().unwrap()).is_empty());
}

#[test]
fn f020_a_folder_that_is_a_symlink_is_not_used() {
    let temp = temp();
    let victim = temp.folder("victim");
    let planted = temp.path("planted");
    symlink(&victim, &planted).unwrap();
    turned_away(launch_at(&temp, planted.join("s")));
    assert!(all_below(&victim).is_empty());
}

#[test]
fn f020_a_folder_that_others_may_write_to_is_not_used() {
    for bits in [0o770, 0o702, 0o777, 0o1777] {
        let temp = temp();
        let folder = temp.folder("shared");
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(bits)).unwrap();
        turned_away(launch_at(&temp, folder.join("s")));
        assert_eq!((all_below(&folder).len(), mode(&folder)), (0, bits));
    }
}

#[test]
fn f020_a_folder_of_somebody_else_is_not_used() {
    if !rustix::process::geteuid().is_root() {
        return println!("only root can give a folder away");
    }
    let temp = temp();
    let folder = temp.folder("foreign");
    std::os::unix::fs::chown(&folder, Some(65_534), None).unwrap();
    turned_away(launch_at(&temp, folder.join("s")));
    assert!(all_below(&folder).is_empty());
}

#[test]
fn f020_a_folder_that_is_not_there_is_an_error() {
    let temp = temp();
    let folder = temp.path("missing");
    turned_away(launch_at(&temp, folder.join("s")));
    assert!(!folder.exists());
}

#[test]
fn f021_a_regular_file_or_a_symlink_at_the_path_is_left_as_it_is() {
    let temp = temp();
    let folder = temp.folder("sockets");
    let (file, link) = (folder.join("file"), folder.join("link"));
    std::fs::write(&file, "precious").unwrap();
    symlink(&file, &link).unwrap();
    turned_away(launch_at(&temp, &file));
    turned_away(launch_at(&temp, &link));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious");
    assert_eq!(std::fs::read_link(&link).unwrap(), file);
}

#[test]
fn f022_a_stale_socket_is_replaced() {
    let temp = temp();
    let path = temp.folder("sockets").join("s");
    drop(UnixListener::bind(&path).unwrap());
    assert!(is_socket(&path), "its owner is gone, the file is there");
    let mut serve = Serve::ready(launch_at(&temp, &path).start());
    assert_eq!((serve.socket(), mode(&path)), (path.as_path(), 0o600));
    assert_refused(&serve.client().round_trip("q"), "no_desk");
    assert_eq!(serve.finish(), Some(143));
    assert!(
        !path.exists() && path.parent().unwrap().exists(),
        "its socket is removed, the folder is not its own"
    );
}

#[test]
fn f023_a_live_server_is_left_alone() {
    let temp = temp();
    let path = temp.folder("sockets").join("s");
    let first = Serve::ready(launch_at(&temp, &path).start());
    turned_away(launch_at(&temp, &path));
    assert_refused(&first.client().round_trip("q"), "no_desk");
}

#[test]
fn f023_of_two_that_start_at_once_one_serves_and_the_other_says_why_not() {
    for _ in 0..10 {
        let temp = temp();
        let path = temp.folder("sockets").join("s");
        drop(UnixListener::bind(&path).unwrap());
        let mut started = [1, 2].map(|_| launch_at(&temp, &path).start());
        let refused = eventually("one of them ends", || started.iter_mut().position(|one| !one.lives()));
        assert_eq!(started[refused].ended().code(), Some(2));
        let [first, second] = started;
        let serve = Serve::ready(if refused == 0 { second } else { first });
        assert_refused(&serve.client().round_trip("q"), "no_desk");
    }
}

#[test]
fn f024_a_deleted_socket_file_harms_no_connection_that_is_there() {
    let (mut serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    std::fs::remove_file(serve.socket()).unwrap();
    client.confirm("q");
    let asked = desk.prompt();
    desk.answer(&asked, &json!(true));
    assert_answered(&client.response("q"), &json!(true));
    assert_eq!(serve.finish(), Some(143));
    assert!(all_below(&serve.folder().path("run/tim")).is_empty(), "nothing is left");
}

#[test]
fn f025_the_socket_of_a_successor_is_not_removed() {
    let mut serve = Serve::alone();
    let path = serve.socket().to_owned();
    std::fs::remove_file(&path).unwrap();
    let successor = UnixListener::bind(&path).unwrap();
    assert_eq!(serve.finish(), Some(143));
    assert!(is_socket(&path));
    drop(successor);
}

#[test]
fn f025_a_file_that_took_the_place_of_the_socket_is_not_removed() {
    let mut serve = Serve::alone();
    let path = serve.socket().to_owned();
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, "precious").unwrap();
    assert_eq!(serve.finish(), Some(143));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
}

#[test]
fn f026_a_deleted_folder_harms_nobody_who_is_connected() {
    let (mut serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    std::fs::remove_dir_all(serve.socket().parent().unwrap()).unwrap();
    client.confirm("q");
    let asked = desk.prompt();
    desk.answer(&asked, &json!(true));
    assert_answered(&client.response("q"), &json!(true));
    assert_eq!(serve.finish(), Some(143));
}
