//! Each test with each version, and how many of them really ran.

use std::sync::{Condvar, Mutex};

use crate::claude::{Claude, Version};
use crate::support::wait::{PATIENCE, now};

#[derive(Default)]
struct Count {
    ran: [usize; 2],
    ended: usize,
    /// anything that began or ended
    steps: usize,
}

static COUNT: (Mutex<Count>, Condvar) =
    (Mutex::new(Count { ran: [0; 2], ended: 0, steps: 0 }), Condvar::new());

fn change(change: impl FnOnce(&mut Count)) {
    let mut count = COUNT.0.lock().unwrap();
    change(&mut count);
    count.steps += 1;
    COUNT.1.notify_all();
}

/// Counted as ended, however it ends.
struct Ended;

impl Drop for Ended {
    fn drop(&mut self) {
        change(|count| count.ended += 1);
    }
}

/// Runs a test with a version, if that can be had.
pub(crate) fn run(version: Version, test: fn(&Claude)) {
    change(|_| ());
    let _ended = Ended;
    if let Some(claude) = Claude::get(version) {
        change(|count| count.ran[version as usize] += 1);
        test(&claude);
    }
}

/// Waits until all have ended, or nothing happens any more: only some may have been called for. Gives how many ran with
/// each version.
pub(crate) fn wait_for_the_others(all: usize) -> [usize; 2] {
    let mut count = COUNT.0.lock().unwrap();
    let (mut steps, mut until) = (count.steps, now() + 3 * PATIENCE);
    loop {
        if count.steps != steps {
            (steps, until) = (count.steps, now() + 3 * PATIENCE);
        }
        let left = until.saturating_duration_since(now());
        if count.ended >= all || left.is_zero() {
            return count.ran;
        }
        count = COUNT.1.wait_timeout(count, left).unwrap().0;
    }
}

/// Makes two tests of each function, one for each version, and counts them.
macro_rules! with_both_versions {
    ($($test:ident,)*) => {
        pub(crate) const TESTS: usize = [$(stringify!($test)),*].len();

        mod new {
            $(#[test] fn $test() { crate::count::run(crate::claude::Version::New, super::$test); })*
        }

        mod old {
            $(#[test] fn $test() { crate::count::run(crate::claude::Version::Old, super::$test); })*
        }
    };
}

/// Makes a test of each function, for the new version alone, and counts them.
macro_rules! with_the_new_version {
    ($($test:ident,)*) => {
        pub(crate) const OF_NEW: usize = [$(stringify!($test)),*].len();

        mod only_new {
            $(#[test] fn $test() { crate::count::run(crate::claude::Version::New, super::$test); })*
        }
    };
}
