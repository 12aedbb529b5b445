//! `tim serve` and `tim ask` at a real terminal that can move its cursor, seen from outside: keys go in, a picture comes out.
//! Waits for something to be seen, never for a time. A test that is about a row of the fault matrix carries its number.

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

#[path = "terminal/attention.rs"]
mod attention;
#[path = "terminal/bytes.rs"]
mod bytes;
#[path = "terminal/ctrl_c.rs"]
mod ctrl_c;
#[path = "terminal/escapes.rs"]
mod escapes;
#[path = "support/eyes.rs"]
mod eyes;
#[path = "terminal/fingers.rs"]
mod fingers;
#[path = "terminal/hostile.rs"]
mod hostile;
#[path = "terminal/line.rs"]
mod line;
#[path = "terminal/looks.rs"]
mod looks;
#[path = "terminal/modes.rs"]
mod modes;
#[path = "terminal/own_tty.rs"]
mod own_tty;
#[path = "terminal/permissions.rs"]
mod permissions;
#[path = "support/picture.rs"]
mod picture;
#[path = "support/pty.rs"]
mod pty;
#[path = "terminal/questions.rs"]
mod questions;
#[path = "terminal/seat.rs"]
mod seat;
#[path = "terminal/shell.rs"]
mod shell;
#[path = "terminal/sizes.rs"]
mod sizes;
#[path = "terminal/slow.rs"]
mod slow;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;
#[path = "terminal/widgets.rs"]
mod widgets;
#[path = "terminal/withdrawn.rs"]
mod withdrawn;
