//! Memory: lines without an end, little room, connections that come and go.

use serde_json::json;

use crate::support::client::assert_answered;
use crate::support::desk::{Parent, yes};
use crate::support::launch::Launch;
use crate::support::process::{descriptors, resident};
use crate::support::serve::Serve;
use crate::support::wait::eventually;

const MIB: usize = 1 << 20;
/// A gibibyte takes a debug build too long.
const ENDLESS: usize = if cfg!(debug_assertions) { 256 } else { 1024 };

#[test]
fn t45_a_line_without_an_end_takes_no_memory() {
    let (serve, desk) = Serve::under_test();
    desk.answering(yes);
    let (mut endless, mut other) = (serve.client(), serve.client());
    assert_answered(&other.round_trip("before"), &json!(true));
    let before = resident(serve.pid());
    let piece = vec![b'x'; MIB];
    let mut most = 0;
    for number in 0..ENDLESS {
        endless.send_bytes(&piece);
        if number % 16 == 0 {
            assert_answered(&other.round_trip(&format!("q{number}")), &json!(true));
            most = most.max(resident(serve.pid()));
        }
    }
    let grown = most.max(resident(serve.pid())).saturating_sub(before);
    println!("{ENDLESS} MiB took {grown} KiB");
    assert!(grown <= 16 << 10, "{grown} KiB");
    endless.send_bytes(b"\n");
    assert_answered(&endless.round_trip("after"), &json!(true));
}

#[test]
fn f111_with_little_memory_it_outlives_long_lines() {
    let parent = Parent::open();
    let launch = Launch::tim(["serve"]).limited(&format!("--as={}", 512 * MIB));
    let (serve, desk) = Serve::under_parent(&parent, launch);
    desk.answering(yes);
    let mut other = serve.client();
    let mut hostile: Vec<_> = (0..8).map(|_| serve.client()).collect();
    let nested = format!("{}\n", "[".repeat(4 * MIB));
    for client in &mut hostile {
        client.send_bytes(nested.as_bytes());
        client.send_bytes(&vec![b'"'; 7 * MIB]);
    }
    assert_answered(&other.round_trip("amid"), &json!(true));
    for client in &mut hostile {
        client.send_bytes(&vec![b'z'; 32 * MIB]);
        client.send_bytes(b"\n");
        assert_answered(&client.round_trip("after"), &json!(true));
    }
}

#[test]
fn t52_coming_asking_and_leaving_leaks_nothing() {
    let (serve, desk) = Serve::under_parent(&Parent::open(), Launch::tim(["serve", "--no-journal"]));
    desk.answering(yes);
    let cycles = |count: usize| {
        for _ in 0..count {
            assert_answered(&serve.client().round_trip("q"), &json!(true));
        }
    };
    cycles(500);
    let mut watcher = serve.client();
    assert_answered(&watcher.round_trip("watch"), &json!(true));
    let settled =
        || eventually("what left is closed", || Some(descriptors(serve.pid())).filter(|open| *open < 40));
    let (memory, open) = (resident(serve.pid()), settled());
    cycles(2000);
    let grown = resident(serve.pid()).saturating_sub(memory);
    assert!(grown <= 5 << 10, "2,000 clients left {grown} KiB behind");
    eventually("all descriptors are closed", || (descriptors(serve.pid()) <= open).then_some(()));
}
