//! Order, numbers, batches, the bound, and the two ways to end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::super::batch::Batch;
use super::super::shared::Shared;
use super::*;

#[test]
fn records_are_on_file_in_the_order_of_their_numbers() {
    let mut rig = Rig::running(&[], &[]);
    rig.push(1_000);
    let (progress, text) = rig.finish();
    assert_eq!(progress, counted(1_000, 0));
    assert_eq!(text, lines((0..1_000).map(record)));
}

#[test]
fn a_journal_that_was_told_nothing_writes_nothing() {
    let rig = Rig::running(&[], &[]);
    assert_eq!(rig.progress(), Progress::default());
    let disk = Arc::clone(&rig.watch.disk);
    assert_eq!(rig.finish(), (Progress::default(), String::new()));
    assert_eq!(disk.lock().unwrap().writes, 0);
}

#[test]
fn the_pusher_is_woken_when_a_batch_is_settled_and_not_before() {
    let mut rig = Rig::busy(LIMIT, &[], &[]);
    assert_eq!(rig.progress(), Progress::default());
    assert!(rig.watch.woken.try_recv().is_err());
    rig.watch.release();
    rig.watch.woken.recv_timeout(PATIENCE).unwrap();
    assert_eq!(rig.progress(), counted(1, 0));
}

#[test]
fn a_sleeping_writer_wakes_up_for_every_record() {
    let mut rig = Rig::running(&[], &[]);
    for _ in 0..100 {
        rig.push(1);
        assert_eq!(rig.settle(), 0);
    }
    assert_eq!(rig.watch.writes(), 100);
}

#[test]
fn what_comes_while_the_disk_is_busy_goes_out_in_one_write() {
    let mut rig = Rig::busy(LIMIT, &[], &[]);
    rig.push(500);
    rig.watch.release();
    rig.settle();
    assert_eq!(rig.watch.writes(), 2);
    assert_eq!(rig.watch.text(), lines((0..501).map(record)));
}

#[test]
fn a_record_that_exactly_fits_is_kept_and_the_next_one_is_lost_at_once() {
    let mut rig = Rig::busy(2 * lines([record(1)]).len(), &[], &[]);
    rig.push(2);
    assert_eq!(rig.progress(), counted(0, 0));
    rig.push(1);
    assert_eq!(
        rig.progress(),
        Progress { released: 4, ..counted(0, 1) },
        "settled after those before it, but nobody need wait for that"
    );
    rig.watch.release();
    assert_eq!(rig.settle(), 1);
    assert_eq!(rig.watch.text(), lines((0..3).map(record)));
    rig.push(1);
    assert_eq!(rig.settle(), 1);
    assert_eq!(rig.watch.text(), lines([record(0), record(1), record(2), gap(3, 1), record(4)]));
}

#[test]
fn the_bound_is_exact_to_the_byte() {
    let mut rig = Rig::busy(2 * lines([record(1)]).len() - 1, &[], &[]);
    rig.push(2);
    assert_eq!(rig.progress().lost, 1);
    rig.watch.release();
}

#[test]
fn nothing_slips_in_behind_a_record_that_found_no_room() {
    let mut rig = Rig::busy(lines([record(1)]).len() + 4, &[], &[]);
    rig.push(2);
    rig.journal.push(time(3), "{}");
    rig.pushed += 1;
    assert_eq!(rig.progress(), Progress { released: 4, ..counted(0, 2) });
    rig.watch.release();
    rig.settle();
    rig.push(1);
    rig.settle();
    assert_eq!(rig.watch.text(), lines([record(0), record(1), gap(2, 2), record(4)]));
}

#[test]
fn one_line_over_the_bound_is_kept_if_nothing_else_waits() {
    let mut rig = Rig::busy(10, &[], &[]);
    rig.push(2);
    assert_eq!(rig.progress().lost, 1);
    rig.watch.release();
    assert_eq!(rig.settle(), 1);
    assert_eq!(rig.watch.text(), lines([record(0), record(1)]));
}

#[test]
fn finish_writes_what_waits() {
    let mut rig = Rig::busy(LIMIT, &[], &[]);
    rig.push(10);
    rig.watch.release();
    let (progress, text) = rig.finish();
    assert_eq!(progress, counted(11, 0));
    assert_eq!(text, lines((0..11).map(record)));
}

/// A sink that takes its time to close.
struct Slow(Arc<AtomicBool>);

impl Sink for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn truncate(&mut self, _length: u64) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Slow {
    fn drop(&mut self) {
        (0..1_000).for_each(|_| thread::yield_now());
        self.0.store(true, Ordering::Release);
    }
}

#[test]
fn the_sink_is_closed_when_finish_returns() {
    let closed = Arc::new(AtomicBool::new(false));
    let mut journal = Journal::start(Slow(Arc::clone(&closed)), || {}).unwrap();
    journal.push(time(0), &record(0));
    assert_eq!(journal.finish(PATIENCE), counted(1, 0));
    assert!(closed.load(Ordering::Acquire));
}

#[test]
fn finish_gives_a_hanging_disk_up_and_nothing_more_is_written_later() {
    let mut rig = Rig::busy(lines([record(1)]).len(), &[], &[]);
    rig.push(5);
    let Rig { journal, mut watch, .. } = rig;
    assert_eq!(journal.finish(Duration::ZERO), counted(6, 6));
    watch.release();
    watch.ended();
    assert_eq!(watch.text(), lines([record(0)]), "only what was under way");
    assert!(watch.woken.try_recv().is_err(), "nobody waits for it any more");
}

#[test]
fn what_was_on_file_before_the_disk_hung_is_not_lost() {
    let mut rig = Rig::busy(LIMIT, &[], &[]);
    rig.push(2);
    rig.watch.gate.as_ref().unwrap().send(()).unwrap();
    rig.watch.writing();
    assert_eq!(rig.journal.finish(Duration::ZERO), counted(3, 2));
}

#[test]
fn a_dropped_journal_waits_for_nothing_and_still_writes_what_it_has() {
    let mut rig = Rig::busy(LIMIT, &[], &[]);
    rig.push(10);
    let Rig { journal, mut watch, .. } = rig;
    drop(journal);
    assert_eq!(watch.text(), "");
    watch.release();
    watch.ended();
    assert_eq!(watch.text(), lines((0..11).map(record)));
}

#[test]
fn an_idle_thread_ends_with_its_journal() {
    let mut rig = Rig::running(&[], &[]);
    rig.push(1);
    rig.settle();
    let Rig { journal, watch, .. } = rig;
    drop(journal);
    watch.ended();
}

#[test]
fn a_journal_may_move_to_another_thread() {
    let mut rig = Rig::running(&[], &[]);
    let (progress, text) = thread::spawn(move || {
        rig.push(10);
        rig.finish()
    })
    .join()
    .unwrap();
    assert_eq!(progress.settled, 10);
    assert_eq!(text, lines((0..10).map(record)));
}

#[test]
fn a_record_without_room_releases_others_only_while_the_disk_is_at_work() {
    let shared = Shared::new(64);
    let push = |count: u64| (0..count).map(|t| shared.push(t, &"x".repeat(30))).max();
    push(3);
    assert_eq!(shared.progress(), counted(0, 1), "nobody asked the disk to write");
    let mut batch = Batch::default();
    assert!(shared.take(&mut batch));
    push(2);
    assert_eq!(shared.progress(), counted(0, 1), "there is room again");
    push(1);
    assert_eq!(shared.progress(), Progress { released: 6, ..counted(0, 2) }, "the disk is too slow");
    assert!(shared.settle(&batch, 2, None));
    assert_eq!(shared.progress(), Progress { released: 6, ..counted(3, 2) });
}
