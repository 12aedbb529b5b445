//! The fault matrix, row by row: what breaks around `tim serve`, and what must come of it. A test carries the number of
//! its row.
//!
//! Left out, with the reason:
//! - What needs a terminal is in `terminal.rs`: F038, F039 and the second half of F129 (Ctrl-C twice) in
//!   `terminal/ctrl_c.rs`, F040 and F041 in `terminal/fingers.rs`, F043, F046, F054 and F055 in `terminal/modes.rs`, F048
//!   and F049 in `terminal/slow.rs`, F051 and F052 in `terminal/sizes.rs`, F053 in `terminal/shell.rs`, F056 and F058 to
//!   F060 in `terminal/bytes.rs`, F057 and F125 as it is typed in `terminal/line.rs`. Of F001, F002, F028 and F044 the part
//!   that a parent sees is here and the screen is in `terminal/withdrawn.rs`; there is F031 with two desks, a terminal and
//!   an answer command, too.
//! - F096 to F102, the permission channel, are in `mcp/faults.rs`, where the bridge is.
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
