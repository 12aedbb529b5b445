//! Any disk, any order: what is on file and what was said about it agree.

use proptest::prelude::*;

use super::*;

/// What the pushing side does.
#[derive(Debug, Clone, Copy)]
enum Act {
    Push(u64),
    Settle,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![3 => (1..6_u64).prop_map(Act::Push), 2 => Just(Act::Settle)];
    prop::collection::vec(act, 0..20)
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let length = record(0).len();
    let step = prop_oneof![
        3 => Just(Step::All),
        // Around the end of a line is where it gets difficult.
        3 => (0..4 * length).prop_map(Step::Take),
        3 => (1..4_usize, 0..3_usize).prop_map(move |(lines, less)| Step::Take(lines * (length + 1) - less)),
        4 => Just(FULL),
        1 => Just(Step::Fail(ErrorKind::Interrupted)),
    ];
    prop::collection::vec(step, 0..30)
}

/// What a reader makes of a journal.
#[derive(Debug, Default)]
struct Reading {
    /// the number that must come next
    next: u64,
    records: u64,
    missing: u64,
    torn: usize,
}

impl Reading {
    fn of(text: &str) -> Self {
        text.split_terminator('\n').fold(Self::default(), |mut reading, line| {
            match Entry::read(line.as_bytes()) {
                Ok(entry) => reading.add(&entry),
                Err(_) => reading.torn += 1,
            }
            reading
        })
    }

    fn add(&mut self, entry: &Entry<'_>) {
        assert_eq!((entry.seq, entry.t), (self.next, time(self.next)));
        match &entry.body {
            Body::Event(Event::Gap(gap)) => {
                assert!(gap.lost > 0);
                self.missing += gap.lost;
                self.next += gap.lost;
            }
            _ => {
                self.records += 1;
                self.next += 1;
            }
        }
    }
}

fn run(mut rig: Rig, acts: &[Act]) -> (u64, Progress, String, usize) {
    for act in acts {
        let before = rig.progress();
        match act {
            Act::Push(records) => rig.push(*records),
            Act::Settle => drop(rig.settle()),
        }
        assert!(rig.progress().settled >= before.settled && rig.progress().lost >= before.lost);
    }
    let pushed = rig.pushed;
    let disk = Arc::clone(&rig.watch.disk);
    let (progress, text) = rig.finish();
    let cuts_failed = disk.lock().unwrap().cuts_failed;
    (pushed, progress, text, cuts_failed)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_disk_does_every_record_is_on_file_or_counted(
        acts in acts(),
        steps in steps(),
        cuts in prop::collection::vec(any::<bool>(), 0..10),
        limit in 1..400_usize,
    ) {
        let mut rig = Rig::held(limit, &steps, &cuts);
        rig.watch.release();
        let (pushed, progress, text, cuts_failed) = run(rig, &acts);
        let reading = Reading::of(&text);
        prop_assert_eq!(progress.settled, pushed);
        prop_assert_eq!(reading.records + progress.lost, pushed);
        prop_assert!(reading.torn <= cuts_failed, "{}", text);
        prop_assert!(cuts_failed > 0 || text.is_empty() || text.ends_with('\n'), "{}", text);
        // A gap that is not on record can only be the last thing that happened.
        prop_assert_eq!(reading.next + (progress.lost - reading.missing), pushed);
    }
}
