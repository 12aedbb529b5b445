//! Who may come in, and how many: foreign users, too many connections, no descriptors left, storms.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, Signal, geteuid, getrlimit, setrlimit};
use serde_json::json;

use crate::support::client::{Client, assert_answered};
use crate::support::desk::{Parent, yes};
use crate::support::launch::Launch;
use crate::support::process::{descriptors, processor, resident};
use crate::support::serve::Serve;
use crate::support::wait::{PATIENCE, eventually};
use crate::support::wire::Wire;

/// Lets this process have as many descriptors as it may.
fn many_descriptors() {
    let hard = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: hard, maximum: hard }).unwrap();
}

/// A server that may have as many connections as it wants to.
fn serve_many() -> Serve {
    many_descriptors();
    let (serve, desk) = Serve::under_parent(&Parent::open(), Launch::tim(["serve"]));
    desk.answering(yes);
    serve
}

/// Connects as another user, on a thread that becomes one.
fn connect_as_nobody(serve: &Serve) -> std::io::Result<UnixStream> {
    let socket = serve.socket().to_owned();
    let nobody = rustix::process::Uid::from_raw(65_534);
    let thread = std::thread::spawn(move || {
        rustix::thread::set_thread_res_uid(nobody, nobody, nobody)?;
        UnixStream::connect(socket)
    });
    thread.join().unwrap()
}

#[test]
fn f016_a_peer_of_another_user_is_closed_before_a_byte_is_read() {
    if !geteuid().is_root() {
        return println!("only root can become somebody else");
    }
    let launch = Launch::tim(["serve"]);
    let folder = launch.folder().folder("open");
    let path = folder.join("s");
    let (serve, mut desk) = Serve::under_parent(&Parent::open(), launch.arg("--socket").arg(&path));
    assert!(connect_as_nobody(&serve).is_err(), "the file modes keep others out");
    for open in [folder.parent().unwrap(), &folder] {
        std::fs::set_permissions(open, std::fs::Permissions::from_mode(0o711)).unwrap();
    }
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).unwrap();
    let mut stranger = Wire::new(connect_as_nobody(&serve).expect("the modes are open now"));
    stranger.try_send(&json!({"type": "log", "args": ["from a stranger"]}));
    assert!(stranger.end("of another user").is_empty());
    let mut client = serve.client();
    client.confirm("q");
    let asked = desk.prompt();
    desk.answer(&asked, &json!(true));
    assert_answered(&client.response("q"), &json!(true));
    let journal = std::fs::read_to_string(serve.journal_path()).unwrap();
    assert!(!journal.contains("from a stranger"), "not a byte is read");
}

#[test]
fn f017_connections_over_the_limit_are_told_so_and_closed() {
    let serve = serve_many();
    let mut clients: Vec<Client> = (0..1024).map(|_| serve.client()).collect();
    for (number, client) in clients.iter_mut().enumerate() {
        assert_answered(&client.round_trip(&format!("q{number}")), &json!(true));
    }
    for _ in 0..76 {
        let said = serve.client().end("over the limit");
        assert_eq!(said.len(), 1, "{said:?}");
        assert_eq!(
            (&said[0]["type"], &said[0]["reason"]),
            (&json!("goodbye"), &json!("too_many_connections"))
        );
    }
    for client in &mut clients {
        assert_answered(&client.round_trip("again"), &json!(true));
    }
    clients.truncate(1000);
    eventually("a place is free again", || {
        let mut client = serve.client();
        client.confirm("new");
        client.take_within(PATIENCE, |line| line["requestId"] == "new")
    });
}

#[test]
fn f012_a_thousand_idle_connections_take_little_and_leave_nothing() {
    let serve = serve_many();
    let mut other = serve.client();
    assert_answered(&other.round_trip("before"), &json!(true));
    let (memory, open) = (resident(serve.pid()), descriptors(serve.pid()));
    let idle: Vec<Client> = (0..1000).map(|_| serve.client()).collect();
    eventually("all are accepted", || (descriptors(serve.pid()) >= open + 1000).then_some(()));
    assert_answered(&other.round_trip("amid"), &json!(true));
    let grown = resident(serve.pid()).saturating_sub(memory);
    assert!(grown <= 1000 * 64, "{grown} KiB for 1000 connections");
    drop(idle);
    eventually("all descriptors are closed", || (descriptors(serve.pid()) == open).then_some(()));
    assert_answered(&other.round_trip("after"), &json!(true));
}

#[test]
fn f018_without_descriptors_it_waits_without_working_and_recovers() {
    let (serve, desk) =
        Serve::under_parent(&Parent::open(), Launch::tim(["serve"]).limited("--nofile=64:64"));
    desk.answering(yes);
    let mut early = serve.client();
    assert_answered(&early.round_trip("q"), &json!(true));
    let mut clients: Vec<Client> = (0..100).map(|_| serve.client()).collect();
    let last = clients.last_mut().unwrap();
    last.confirm("waits");
    eventually("its descriptors are used up", || (descriptors(serve.pid()) >= 60).then_some(()));
    let before = processor(serve.pid());
    last.silent_for(Duration::from_secs(1));
    let used = processor(serve.pid()) - before;
    assert!(used <= 50, "ten times 5 % of a second: {used}0 ms");
    assert_answered(&early.round_trip("still works"), &json!(true));
    clients.drain(..60);
    assert_answered(&clients.last_mut().unwrap().response("waits"), &json!(true));
    let complaints = serve.stderr.text().lines().count();
    assert!(complaints < 20, "at most one a second: {complaints} lines");
}

#[test]
fn f027_a_storm_of_connections_and_signals_does_not_end_the_accepting() {
    let (mut serve, desk) = Serve::under_test();
    desk.answering(yes);
    for number in 0..300 {
        let mut client = serve.client();
        client.confirm("never heard");
        drop(client);
        match number % 3 {
            0 => serve.signal(Signal::WINCH),
            1 => serve.signal(Signal::CONT),
            _ => [Signal::STOP, Signal::CONT].into_iter().for_each(|signal| serve.signal(signal)),
        }
    }
    assert_answered(&serve.client().round_trip("still accepts"), &json!(true));
    assert!(serve.lives());
    let open = |serve: &Serve| descriptors(serve.pid());
    eventually("what has left is closed", || (open(&serve) < 60).then_some(()));
}
