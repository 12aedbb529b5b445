//! Waits: each has a bound and says what it waited for.

use std::time::{Duration, Instant};

/// How long a test waits for anything before it fails: at least ten times what is promised of any of it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// The time on the test's own watch.
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Looks again and again until there is something to see. Only for what announces itself nowhere: files, `/proc`.
pub(crate) fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let until = now() + PATIENCE;
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(now() < until, "waited {PATIENCE:?} in vain: {what}");
        std::thread::park_timeout(Duration::from_millis(2));
    }
}

/// Keeps the processor busy for a moment: for races that a sleep would be too coarse for.
pub(crate) fn spin(time: Duration) {
    let until = now() + time;
    while now() < until {
        std::hint::spin_loop();
    }
}
