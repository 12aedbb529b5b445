//! The actors over real sockets: who comes in, who is closed, and what a failure of one does to the others.

use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::time::Duration;

use actix::prelude::*;

use super::stand::{BOUND, Client, Folder, Stand};
use crate::router::Router;
use crate::tunnel::connection::Tunnel;
use crate::tunnel::{Bounds, NoSocket, RANDOM, SocketFile};

/// Something goes wrong in an actor.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Boom;

impl Handler<Boom> for Tunnel {
    type Result = ();

    fn handle(&mut self, Boom: Boom, _: &mut Self::Context) {
        panic!("a bug in a connection's actor");
    }
}

impl Handler<Boom> for Router {
    type Result = ();

    fn handle(&mut self, Boom: Boom, _: &mut Self::Context) {
        panic!("a bug in the router");
    }
}

const YES: &str = r#"{"type":"prompt_response","requestId":"a","value":true,"outcome":"answered"}"#;

#[actix::test]
async fn a_client_asks_and_is_answered_over_a_real_socket() {
    let stand = Stand::new(Bounds::standard()).await;
    stand.yes_man().await;
    let mut client = stand.client().await;
    client.ask("a").await;
    assert_eq!(client.hear().await.unwrap(), YES);
}

#[actix::test]
async fn f016_a_process_of_another_user_is_closed_before_a_byte_is_read() {
    let stand = Stand::new(Bounds { uid: Bounds::standard().uid + 1, ..Bounds::standard() }).await;
    stand.yes_man().await;
    let mut client = stand.client().await;
    assert_eq!(client.hear().await, None, "closed, although it said nothing yet");
}

#[actix::test]
async fn f017_one_connection_too_many_hears_why_and_is_closed_and_the_others_work_on() {
    let stand = Stand::new(Bounds { connections: 2, ..Bounds::standard() }).await;
    stand.yes_man().await;
    let (mut first, second) = (stand.client().await, stand.client().await);
    first.ask("a").await;
    assert_eq!(first.hear().await.unwrap(), YES, "both are inside by now");
    let mut third = stand.client().await;
    let goodbye = third.hear().await.unwrap();
    assert!(goodbye.contains("\"goodbye\"") && goodbye.contains("too_many_connections"), "{goodbye}");
    assert_eq!(third.hear().await, None);
    drop(second);
    until(|| async { stand.client().await.hears_yes().await }).await;
    first.ask("a").await;
    assert_eq!(first.hear().await.unwrap(), YES);
}

impl Client {
    /// Whether this one is answered at all.
    async fn hears_yes(mut self) -> bool {
        use tokio::io::AsyncWriteExt as _;
        let ask = r#"{"type":"structured","message":{"type":"prompt_request","timestamp":"t","requestId":"a","promptType":"confirm","promptConfig":{"message":"?"}}}"#;
        // Turned away it may be closed by now.
        let _ = self.write.write_all(format!("{ask}\n").as_bytes()).await;
        self.hear().await.as_deref() == Some(YES)
    }
}

async fn until<F: Future<Output = bool>>(what: impl Fn() -> F) {
    let tried = async {
        while !what().await {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(BOUND, tried).await.expect("it happens in time");
}

#[actix::test]
async fn f107_a_connection_whose_actor_fails_is_closed_and_nobody_else_notices() {
    let stand = Stand::new(Bounds::standard()).await;
    stand.yes_man().await;
    let (mut one, mut other) = (stand.client().await, stand.client().await);
    one.ask("a").await;
    other.ask("a").await;
    assert_eq!((one.hear().await.unwrap(), other.hear().await.unwrap()), (YES.to_owned(), YES.to_owned()));
    let tunnel = stand.listener.tunnels().remove(0);
    assert!(tunnel.send(Boom).await.is_err(), "it failed");
    assert_eq!(one.hear().await, None);
    other.ask("a").await;
    assert_eq!(other.hear().await.unwrap(), YES);
}

#[actix::test]
async fn f109_a_router_that_fails_leaves_nobody_waiting() {
    let stand = Stand::new(Bounds::standard()).await;
    let (mut silent, mut asking) = (stand.client().await, stand.client().await);
    asking.say(r#"{"type":"hello","tim":1,"as":"script"}"#).await;
    assert!(asking.hear().await.unwrap().contains("welcome"));
    assert!(stand.router.send(Boom).await.is_err());
    for client in [&mut silent, &mut asking] {
        // Whoever says something is told by the end of the connection, and so is everybody when the run ends by this.
        client.ask("a").await;
        assert_eq!(client.hear().await, None);
    }
}

#[actix::test]
async fn everybody_gets_the_last_words_before_the_socket_is_closed_and_gone() {
    let stand = Stand::new(Bounds::standard()).await;
    let mut client = stand.client().await;
    client.say(r#"{"type":"hello","tim":1,"as":"script"}"#).await;
    let path = stand.listener.path().to_owned();
    assert!(client.hear().await.unwrap().contains("welcome"));
    stand.listener.close(Duration::from_secs(5)).await;
    assert_eq!(client.hear().await, None);
    assert!(!path.exists() && !path.parent().unwrap().exists());
}

#[actix::test]
async fn a_fresh_socket_is_for_our_eyes_alone() {
    let folder = Folder::new();
    let (file, _listener) = SocketFile::fresh(None, &folder.0, &"a".repeat(RANDOM)).await.unwrap();
    let mode =
        |path: &std::path::Path| std::fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode(file.path()), mode(file.path().parent().unwrap())), (0o600, 0o700));
}

#[actix::test]
async fn what_a_killed_tim_left_behind_is_swept_and_a_living_one_is_not() {
    let folder = Folder::new();
    let (living, listener) = SocketFile::fresh(None, &folder.0, &"a".repeat(RANDOM)).await.unwrap();
    // Without its listener it looks dead; that it is locked says that it lives.
    drop(listener);
    let dead = folder.0.join(format!("tim-{}", "b".repeat(RANDOM)));
    std::fs::create_dir(&dead).unwrap();
    std::fs::set_permissions(&dead, std::fs::Permissions::from_mode(0o700)).unwrap();
    drop(std::os::unix::net::UnixListener::bind(dead.join("output.sock")).unwrap());
    let full = folder.0.join(format!("tim-{}", "c".repeat(RANDOM)));
    std::fs::create_dir(&full).unwrap();
    std::fs::write(full.join("output.sock"), "not a socket").unwrap();
    let (fresh, _listener) = SocketFile::fresh(None, &folder.0, &"d".repeat(RANDOM)).await.unwrap();
    assert!(!dead.exists(), "a dead one goes");
    assert!(living.path().exists() && full.join("output.sock").exists() && fresh.path().exists());
}

#[actix::test]
async fn f025_a_socket_that_somebody_put_in_our_place_is_not_removed() {
    let folder = Folder::new();
    let path = folder.0.join("s");
    std::fs::set_permissions(&folder.0, std::fs::Permissions::from_mode(0o700)).unwrap();
    let (file, _listener) = SocketFile::at(&path).await.unwrap();
    std::fs::remove_file(&path).unwrap();
    let other = std::os::unix::net::UnixListener::bind(&path).unwrap();
    let inode = std::fs::symlink_metadata(&path).unwrap().ino();
    drop(file);
    assert_eq!(std::fs::symlink_metadata(&path).unwrap().ino(), inode);
    drop(other);
}

#[actix::test]
async fn only_a_dead_socket_of_ours_is_replaced() {
    let folder = Folder::new();
    std::fs::set_permissions(&folder.0, std::fs::Permissions::from_mode(0o700)).unwrap();
    let path = folder.0.join("s");
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    let (living, _listener) = SocketFile::at(&path).await.expect("a dead one is replaced");
    assert!(std::fs::symlink_metadata(living.path()).unwrap().file_type().is_socket());
    let occupied = |result: Result<_, NoSocket>| matches!(result, Err(NoSocket::Occupied { .. }));
    assert!(occupied(SocketFile::at(&path).await.map(drop)), "a living one is not");
    let file = folder.0.join("file");
    std::fs::write(&file, "words").unwrap();
    assert!(occupied(SocketFile::at(&file).await.map(drop)), "nor is a file");
    let link = folder.0.join("link");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    assert!(occupied(SocketFile::at(&link).await.map(drop)), "nor is a link");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "words");
    std::fs::set_permissions(&folder.0, std::fs::Permissions::from_mode(0o770)).unwrap();
    let unsafe_folder = SocketFile::at(&folder.0.join("new")).await.map(drop);
    assert!(matches!(unsafe_folder, Err(NoSocket::UnsafeFolder { .. })));
}

#[actix::test]
async fn f019_a_path_that_is_too_long_is_an_error_or_made_short() {
    let folder = Folder::new();
    let long = folder.0.join("x".repeat(100));
    std::fs::create_dir(&long).unwrap();
    std::fs::set_permissions(&long, std::fs::Permissions::from_mode(0o700)).unwrap();
    assert!(matches!(SocketFile::at(&long.join("s")).await, Err(NoSocket::TooLong(_))));
    let random = format!("{:016x}", std::process::id());
    let (short, _listener) = SocketFile::fresh(None, &long, &random).await.unwrap();
    assert!(short.path().starts_with("/tmp"), "{}", short.path().display());
}

#[actix::test]
async fn where_a_fresh_socket_goes_is_known_before_at_every_length() {
    let folder = Folder::new();
    let own = folder.0.as_os_str().len();
    for length in 1..107_usize.saturating_sub(own) {
        let temp = folder.0.join("x".repeat(length));
        std::fs::create_dir(&temp).unwrap();
        std::fs::set_permissions(&temp, std::fs::Permissions::from_mode(0o700)).unwrap();
        for runtime in [None, Some(temp.as_path())] {
            let expected = super::super::shelf(runtime, &temp);
            let random = format!("{:08x}{length:08x}", std::process::id());
            let (file, _listener) = SocketFile::fresh(runtime, &temp, &random).await.unwrap();
            assert_eq!(file.path().parent().unwrap().parent(), Some(expected.as_path()), "{length}");
        }
    }
}

#[actix::test]
async fn both_sockets_share_a_folder_that_goes_with_the_last_of_them() {
    let folder = Folder::new();
    let (asked, _asked) = SocketFile::fresh(None, &folder.0, &"a".repeat(RANDOM)).await.unwrap();
    let (control, _control) = asked.control(None, &folder.0, &"b".repeat(RANDOM)).await.unwrap();
    let shared = asked.path().parent().unwrap().to_owned();
    assert_eq!(control.path(), shared.join("control.sock"));
    assert_eq!(std::fs::symlink_metadata(control.path()).unwrap().permissions().mode() & 0o7777, 0o600);
    drop(asked);
    assert!(control.path().exists(), "whichever goes first");
    drop(control);
    assert!(!shared.exists());
}

#[actix::test]
async fn beside_a_socket_whose_place_was_said_the_one_of_control_has_a_folder_of_its_own() {
    let folder = Folder::new();
    std::fs::set_permissions(&folder.0, std::fs::Permissions::from_mode(0o700)).unwrap();
    let (at, _at) = SocketFile::at(&folder.0.join("s")).await.unwrap();
    let (control, _control) = at.control(None, &folder.0, &"b".repeat(RANDOM)).await.unwrap();
    assert_eq!(control.path(), folder.0.join(format!("tim-{}/control.sock", "b".repeat(RANDOM))));
    let found = crate::tunnel::control_sockets(None, &folder.0);
    assert!(found.contains(&control.path().to_owned()), "{found:?}");
    std::fs::set_permissions(control.path().parent().unwrap(), std::fs::Permissions::from_mode(0o750))
        .unwrap();
    let found = crate::tunnel::control_sockets(None, &folder.0);
    assert!(!found.contains(&control.path().to_owned()), "others may look in: {found:?}");
}

#[actix::test]
async fn dead_sockets_of_either_kind_are_swept_and_a_folder_with_anything_else_is_left_alone() {
    let folder = Folder::new();
    let left = |random: &str, names: &[&str]| {
        let left = folder.0.join(format!("tim-{}", random.repeat(RANDOM)));
        std::fs::create_dir(&left).unwrap();
        std::fs::set_permissions(&left, std::fs::Permissions::from_mode(0o700)).unwrap();
        for name in names {
            drop(std::os::unix::net::UnixListener::bind(left.join(name)).unwrap());
        }
        left
    };
    let both = left("a", &["output.sock", "control.sock"]);
    let alone = left("b", &["control.sock"]);
    let with_more = left("c", &["output.sock", "control.sock"]);
    std::fs::write(with_more.join("notes"), "mine").unwrap();
    let empty = left("d", &[]);
    let _fresh = SocketFile::fresh(None, &folder.0, &"e".repeat(RANDOM)).await.unwrap();
    assert!(!both.exists() && !alone.exists(), "the dead go");
    assert!(with_more.join("output.sock").exists() && with_more.join("notes").exists() && empty.exists());
}
