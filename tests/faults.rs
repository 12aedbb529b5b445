//! The fault matrix, row by row: what breaks around `tim serve`, and what must come of it. A test carries the number of
//! its row.
//!
//! Left out, with the reason:
//! - F038 to F041, F043: keys and screens of a terminal; the second half of F129 (Ctrl-C twice) too. Of F001, F002, F028
//!   and F044 the part that a parent sees is here, the screen is not.
//! - F031 with two desks: beneath a parent there is no other desk, and a terminal beside an answer command needs one.
//! - F125 as typed at a terminal; here the parent says who a line is for.
//! - F107 to F109 are inside, where an actor can be made to fail: `actors/src/tunnel/tests/sockets.rs` and
//!   `actors/src/terminal/tests.rs`.
//! - F119: the wall clock must jump for tim alone. There is no libfaketime here, and a time namespace moves only the
//!   monotonic clocks.
//! - Elsewhere: F123 and F124 in `nested.rs`; F013 and F036, the hostile lines, in `tunnel.rs`; F010, F122 and a part of
//!   F007, where time is measured, in `figures.rs`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]
#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]
#![expect(
    clippy::disallowed_methods,
    reason = "the test is outside: it starts processes and looks at its watch"
)]

#[path = "faults/clock.rs"]
mod clock;
#[path = "faults/doors.rs"]
mod doors;
#[path = "faults/leaving.rs"]
mod leaving;
#[path = "faults/limits.rs"]
mod limits;
#[path = "faults/many.rs"]
mod many;
#[path = "faults/memory.rs"]
mod memory;
#[path = "faults/parents.rs"]
mod parents;
#[path = "faults/places.rs"]
mod places;
#[path = "faults/prompts.rs"]
mod prompts;
#[path = "faults/races.rs"]
mod races;
#[path = "faults/reading.rs"]
mod reading;
#[path = "faults/rough.rs"]
mod rough;
#[path = "faults/signals.rs"]
mod signals;
#[path = "faults/slow.rs"]
mod slow;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;
