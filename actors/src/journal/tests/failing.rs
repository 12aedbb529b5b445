//! What the disk may do wrong, one thing at a time.

use super::*;

/// A record of which the disk took half.
fn half(number: u64) -> String {
    let text = record(number);
    text.chars().take(text.len() / 2).collect()
}

/// A disk that takes record 0, then of the next batch record 1 and this much, and then is full.
fn full_after(rest: usize) -> Vec<Step> {
    vec![Step::All, Step::Take(lines([record(1)]).len() + rest), FULL]
}

#[test]
fn a_disk_that_takes_a_little_at_a_time_gets_it_all() {
    let mut rig = Rig::busy(LIMIT, &[Step::Take(3), Step::Take(1), Step::All, Step::Take(7)], &[]);
    rig.push(3);
    rig.watch.release();
    assert_eq!(rig.settle(), 0);
    assert_eq!(rig.watch.text(), lines((0..4).map(record)));
}

#[test]
fn an_interrupted_write_is_made_again() {
    let interrupted = Step::Fail(ErrorKind::Interrupted);
    let mut rig = Rig::running(&[interrupted, Step::Take(5), interrupted, interrupted], &[]);
    rig.push(1);
    assert_eq!(rig.settle(), 0);
    assert_eq!(rig.watch.text(), lines([record(0)]));
    assert!(rig.journal.take_error().is_none());
}

#[test]
fn a_disk_that_takes_nothing_has_failed() {
    let mut rig = Rig::running(&[Step::Take(0)], &[]);
    rig.push(1);
    assert_eq!(rig.settle(), 1);
    assert_eq!(rig.journal.take_error().unwrap().kind(), ErrorKind::WriteZero);
}

#[test]
fn a_full_disk_releases_everybody_and_keeps_whole_lines() {
    let mut rig = Rig::busy(LIMIT, &full_after(half(2).len()), &[]);
    rig.push(3);
    rig.watch.release();
    assert_eq!(rig.settle(), 2);
    assert_eq!(rig.watch.text(), lines([record(0), record(1)]));
}

#[test]
fn the_reason_of_a_loss_is_told_once() {
    let mut rig = Rig::busy(LIMIT, &full_after(0), &[]);
    rig.push(3);
    rig.watch.release();
    rig.settle();
    rig.push(1);
    rig.settle();
    assert_eq!(
        rig.journal.take_error().unwrap().kind(),
        ErrorKind::StorageFull,
        "also after it went well again"
    );
    assert!(rig.journal.take_error().is_none());
}

#[test]
fn a_disk_that_recovers_gets_the_gap_first() {
    let mut rig = Rig::busy(LIMIT, &full_after(half(2).len()), &[]);
    rig.push(3);
    rig.watch.release();
    rig.settle();
    rig.push(1);
    assert_eq!(rig.settle(), 2);
    rig.push(1);
    rig.settle();
    assert_eq!(rig.watch.text(), lines([record(0), record(1), gap(2, 2), record(4), record(5)]));
}

#[test]
fn a_torn_line_that_cannot_be_cut_off_stands_alone() {
    let mut rig = Rig::busy(LIMIT, &full_after(half(2).len()), &[false]);
    rig.push(3);
    rig.watch.release();
    assert_eq!(rig.settle(), 2);
    rig.push(1);
    assert_eq!(rig.settle(), 2);
    assert_eq!(rig.watch.text(), lines([record(0), record(1), half(2), gap(2, 2), record(4)]));
}

#[test]
fn a_line_that_lacks_only_its_end_and_cannot_be_cut_off_is_not_lost() {
    let mut rig = Rig::busy(LIMIT, &full_after(record(2).len()), &[false]);
    rig.push(3);
    rig.watch.release();
    assert_eq!(rig.settle(), 1);
    rig.push(1);
    rig.settle();
    assert_eq!(rig.watch.text(), lines([record(0), record(1), record(2), gap(3, 1), record(4)]));
}

#[test]
fn the_end_of_the_very_last_line_is_owed_until_the_finish() {
    let mut rig = Rig::running(&[Step::Take(record(0).len()), FULL], &[false]);
    rig.push(1);
    assert_eq!(rig.settle(), 0);
    assert_eq!(rig.watch.text(), record(0));
    assert_eq!(rig.finish(), (counted(1, 0), lines([record(0)])));
}

#[test]
fn a_full_disk_that_tore_nothing_has_nothing_to_cut() {
    let mut rig = Rig::busy(LIMIT, &full_after(0), &[false]);
    rig.push(3);
    rig.watch.release();
    assert_eq!(rig.settle(), 2);
    rig.push(1);
    rig.settle();
    assert_eq!(rig.watch.text(), lines([record(0), record(1), gap(2, 2), record(4)]));
    assert_eq!(rig.watch.disk.lock().unwrap().cuts_failed, 0);
}

#[test]
fn a_gap_grows_until_it_is_on_record() {
    let mut rig = Rig::running(&[FULL, FULL, FULL], &[]);
    for lost in 1..=3 {
        rig.push(1);
        assert_eq!(rig.settle(), lost);
    }
    rig.push(1);
    assert_eq!(rig.settle(), 3);
    assert_eq!(rig.watch.text(), lines([gap(0, 3), record(3)]));
}

#[test]
fn a_record_of_a_gap_that_is_torn_is_cut_off_and_written_again() {
    let mut rig = Rig::running(&[FULL, Step::Take(9), FULL], &[]);
    rig.push(1);
    rig.settle();
    rig.push(1);
    assert_eq!(rig.settle(), 2);
    assert_eq!(rig.watch.text(), "");
    rig.push(1);
    rig.settle();
    assert_eq!(rig.watch.text(), lines([gap(0, 2), record(2)]));
}

#[test]
fn a_record_of_a_gap_that_lacks_only_its_end_counts_once() {
    let mut rig = Rig::running(&[FULL, Step::Take(gap(0, 1).len()), FULL], &[false]);
    rig.push(1);
    rig.settle();
    rig.push(1);
    rig.settle();
    rig.push(1);
    assert_eq!(rig.settle(), 2);
    assert_eq!(rig.watch.text(), lines([gap(0, 1), gap(1, 1), record(2)]));
}

#[test]
fn a_line_end_that_saves_the_torn_line_alone_is_written_once() {
    let steps = [Step::Take(half(0).len()), FULL, Step::Take(1), FULL];
    let mut rig = Rig::running(&steps, &[false]);
    for _ in 0..3 {
        rig.push(1);
        rig.settle();
    }
    assert_eq!(rig.watch.text(), lines([half(0), gap(0, 2), record(2)]));
}

#[test]
fn after_a_gap_on_record_comes_a_new_one() {
    let mut rig = Rig::running(&[FULL, Step::All, FULL], &[]);
    for _ in 0..3 {
        rig.push(1);
        rig.settle();
    }
    assert_eq!(rig.progress().lost, 2);
    assert_eq!(rig.watch.text(), lines([gap(0, 1), gap(1, 1), record(2)]));
}

#[test]
fn records_without_room_and_records_without_disk_make_one_gap() {
    let mut rig = Rig::busy(2 * lines([record(1)]).len(), &full_after(half(2).len()), &[]);
    rig.push(4);
    assert_eq!(rig.progress().lost, 2);
    rig.watch.release();
    assert_eq!(rig.settle(), 3);
    rig.push(1);
    assert_eq!(rig.settle(), 3);
    assert_eq!(rig.watch.text(), lines([record(0), record(1), gap(2, 3), record(5)]));
}

#[test]
fn a_gap_at_the_end_is_on_record_if_the_disk_lets_us() {
    let mut rig = Rig::running(&[FULL], &[]);
    rig.push(1);
    rig.settle();
    assert_eq!(rig.finish(), (counted(1, 1), lines([gap(0, 1)])));
    let mut rig = Rig::running(&[FULL, FULL], &[]);
    rig.push(1);
    rig.settle();
    assert_eq!(rig.finish(), (counted(1, 1), String::new()));
}

#[test]
fn a_sink_that_panics_releases_everybody() {
    let mut rig = Rig::busy(LIMIT, &[Step::Panic], &[]);
    rig.push(2);
    rig.watch.release();
    assert_eq!(rig.settle(), 3);
    rig.push(1);
    assert_eq!(rig.progress(), counted(4, 4), "and so does what comes later, at once");
    assert_eq!(rig.finish(), (counted(4, 4), String::new()));
}
