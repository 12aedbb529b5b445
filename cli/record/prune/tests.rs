//! Which records go.

use proptest::prelude::*;

use super::*;

const NOW: u64 = 1_000 * DAY;

fn found(name: usize, days_ago: i64, bytes: u64, lives: bool) -> Found {
    let written = NOW.saturating_add_signed(-days_ago * DAY.cast_signed());
    Found { path: PathBuf::from(format!("{name:03}")), bytes, written, lives }
}

fn names(found: &[Found]) -> Vec<String> {
    found.iter().map(|one| one.path.display().to_string()).collect()
}

#[test]
fn the_too_old_go_first_then_the_oldest_until_the_rest_fits() {
    let all = vec![
        found(0, 1, 10, false),
        found(1, 40, 10, false),
        found(2, 3, 10, false),
        found(3, 2, 10, false),
        found(4, 31, 10, true),
    ];
    let kept = |days, bytes| Kept { days, bytes };
    assert_eq!(names(&going(all.clone(), kept(Some(30), None), NOW)), ["001"]);
    assert_eq!(names(&going(all.clone(), kept(Some(30), Some(30)), NOW)), ["001", "002"]);
    assert_eq!(names(&going(all.clone(), kept(None, Some(45)), NOW)), ["001"]);
    assert_eq!(names(&going(all.clone(), kept(None, Some(1)), NOW)), ["001", "002", "003"]);
    assert!(going(all, kept(None, None), NOW).is_empty());
}

#[test]
fn what_is_just_as_old_as_it_may_be_stays_and_so_does_what_fills_the_room() {
    let all = vec![found(0, 30, 10, false), found(1, 0, 10, false)];
    assert!(going(all, Kept { days: Some(30), bytes: Some(20) }, NOW).is_empty());
}

proptest! {
    #[test]
    fn the_newest_the_living_and_the_future_stay_and_nothing_goes_without_need(
        all in prop::collection::vec((-3i64..50, 0u64..40, prop::bool::weighted(0.2)), 0..12),
        days in prop::option::of(0u64..40),
        bytes in prop::option::of(0u64..200),
    ) {
        let all: Vec<Found> = all
            .into_iter()
            .enumerate()
            .map(|(name, (ago, bytes, lives))| found(name, ago, bytes, lives))
            .collect();
        let kept = Kept { days, bytes };
        let gone = going(all.clone(), kept, NOW);
        let is_gone = |one: &Found| gone.contains(one);
        let is_old = |one: &Found| days.is_some_and(|days| one.written < NOW && NOW - one.written > days * DAY);
        let newest = all.iter().max_by_key(|one| (one.written, one.path.clone()));
        let may_go = |one: &Found| !one.lives && one.written <= NOW && Some(one) != newest;
        prop_assert!(gone.iter().all(may_go));
        prop_assert!(all.iter().filter(|one| may_go(one) && is_old(one)).all(is_gone), "too old, and still there");
        let left: u64 = all.iter().filter(|one| !is_gone(one)).map(|one| one.bytes).sum();
        let fits = bytes.is_none_or(|bytes| left <= bytes);
        prop_assert!(fits || !all.iter().any(|one| may_go(one) && !is_gone(one)), "there was more to take away");
        // Of those that are not too old, the last that went was needed: with it the rest would not have fitted.
        if let Some(last) = gone.iter().filter(|one| !is_old(one)).max_by_key(|one| (one.written, one.path.clone())) {
            prop_assert!(bytes.is_some_and(|bytes| left + last.bytes > bytes));
            let is_older = |one: &&Found| (one.written, &one.path) < (last.written, &last.path);
            prop_assert!(all.iter().filter(|one| may_go(one)).filter(is_older).all(is_gone), "an older one stayed");
        }
    }
}
