//! A terminal that takes its time.

use super::super::frames::{LARGEST_PORTION, PACE};
use super::*;

fn rows(count: usize) -> Vec<Row> {
    (0..count).map(|at| Row::foreign(Style::PLAIN, &format!("  row {at} {}", "x".repeat(60)))).collect()
}

/// Lets frames take so long, until nothing is left to draw. Says how many bytes there were before the first with a text.
fn draw_slowly(stand: &mut Stand, each: Duration, text: &str) -> Option<usize> {
    let mut bytes = 0;
    for _ in 0..100_000 {
        stand.now += PACE;
        let Some(frame) = stand.screen.frame(stand.now) else {
            if stand.screen.backlog.is_empty() {
                return None;
            }
            continue;
        };
        if frame.contains(text) {
            return Some(bytes);
        }
        bytes += frame.len();
        stand.now += each;
        stand.screen.written(stand.now);
    }
    panic!("it draws for ever");
}

#[test]
fn frames_wait_for_the_one_before_and_take_all_that_came_meanwhile() {
    let mut stand = Stand::new();
    stand.screen.output(rows(2), None);
    stand.now += PACE;
    assert!(stand.screen.frame(stand.now).is_some());
    stand.screen.output(rows(3), None);
    stand.screen.typed(b"abc", stand.now);
    assert!(stand.screen.frame(stand.now).is_none(), "the first frame is still under way");
    stand.screen.written(stand.now);
    let frame = stand.screen.frame(stand.now).unwrap();
    assert!(frame.contains("row 2") && frame.contains("abc"));
}

#[test]
fn f049_a_terminal_that_takes_nothing_costs_nothing() {
    let mut stand = Stand::new();
    stand.confirm();
    stand.screen.output(rows(2), None);
    stand.now += PACE;
    assert!(stand.screen.frame(stand.now).is_some(), "a frame is under way, and stays so");
    for _ in 0..100 {
        stand.now += SECOND;
        stand.screen.output(rows(1), None);
        stand.screen.tick(stand.now);
        assert!(stand.screen.wakes().is_none_or(|at| at > stand.now));
    }
}

#[test]
fn on_a_slow_terminal_a_question_goes_before_what_waits() {
    let mut stand = Stand::new();
    stand.screen.output(rows(5_000), None);
    draw_slowly(&mut stand, SECOND, "row 100 ");
    stand.screen.written(stand.now + SECOND);
    let up = stand.waiting(prompt("confirm", r#"{"message":"Deploy?"}"#));
    stand.screen.show(&up, &Behind::default(), Box::new(|| {}), stand.now);
    assert_eq!(draw_slowly(&mut stand, SECOND, "Deploy?"), Some(0));
    assert!(!stand.screen.backlog.is_empty());
}

#[test]
fn a_fast_terminal_gets_more_at_once_and_nothing_is_dropped() {
    let mut stand = Stand::new();
    stand.screen.output(rows(5_000), None);
    draw_slowly(&mut stand, Duration::ZERO, "row 4999 ").unwrap();
    assert_eq!(stand.screen.portion, LARGEST_PORTION);
}

#[test]
fn what_a_slow_terminal_cannot_take_is_counted() {
    let mut stand = Stand::new();
    for _ in 0..100 {
        stand.screen.output(rows(1_000), None);
    }
    assert!(draw_slowly(&mut stand, SECOND, "rows of output left out").is_some());
}
