//! What waits for a peer, and in which order it leaves.

use bytes::BytesMut;

use crate::tunnel::outgoing::{Outgoing, UNSENT};

fn text(chunk: Option<BytesMut>) -> String {
    String::from_utf8(chunk.unwrap_or_default().to_vec()).unwrap()
}

#[test]
fn what_must_arrive_goes_first_and_all_of_it_together() {
    let out = Outgoing::default();
    out.offer(&[b"a report ", b"in parts"]);
    out.push(b"a question");
    out.push(b"another");
    assert_eq!(text(out.take()), "a question\nanother\n");
    assert_eq!(text(out.take()), "a report in parts\n");
    assert_eq!(out.take(), None);
}

#[test]
fn output_that_nobody_reads_is_dropped_and_counted_and_the_gap_is_told_in_its_place() {
    let out = Outgoing::default();
    let line = vec![b'x'; UNSENT / 2];
    for _ in 0..5 {
        out.offer(&[&line]);
    }
    out.push(b"a question");
    assert_eq!(text(out.take()), "a question\n", "a question always finds room");
    let output = text(out.take());
    assert_eq!(output.lines().count(), 2, "the first line, and how many are missing");
    assert!(output.ends_with("tim: 4 lines of output dropped here: nobody read them\"]}\n"), "{output:.80}");
    out.offer(&[b"again"]);
    assert_eq!(text(out.take()), "again\n");
}

#[test]
fn a_question_does_not_wait_behind_much_output() {
    let out = Outgoing::default();
    for _ in 0..100 {
        out.offer(&[&[b'x'; 9_999]]);
    }
    assert_eq!(out.take().unwrap().len(), 60_000, "whole lines");
    out.push(b"a question");
    assert_eq!(text(out.take()), "a question\n");
    let rest: usize = std::iter::from_fn(|| out.take()).map(|chunk| chunk.len()).sum();
    assert_eq!(rest, 940_000, "and nothing is lost");
}

#[test]
fn a_question_that_is_taken_back_while_it_waits_takes_no_room() {
    let out = Outgoing::default();
    for number in 1..=10_000 {
        out.ask(number, "x".repeat(60_000));
        assert!(out.retract(number));
    }
    assert_eq!((out.unsent(), out.take()), (0, None));
    out.ask(10_001, "kept".to_owned());
    out.ask(10_002, "taken back".to_owned());
    out.ask(10_003, "kept too".to_owned());
    assert!(out.retract(10_002) && !out.retract(10_002));
    assert_eq!(text(out.take()), "kept\nkept too\n");
    assert!(!out.retract(10_001), "it is on its way");
}

#[test]
fn nothing_waits_for_a_peer_that_is_gone() {
    let out = Outgoing::default();
    out.push(b"before");
    out.give_up();
    out.push(b"a reply");
    out.ask(1, "a question".to_owned());
    out.offer(&[b"a report"]);
    assert_eq!((out.unsent(), out.is_gone()), (0, true));
}

#[test]
fn one_line_may_be_larger_than_what_may_wait() {
    let out = Outgoing::default();
    out.offer(&[&vec![b'x'; 2 * UNSENT]]);
    assert_eq!(out.unsent(), 2 * UNSENT + 1);
}
