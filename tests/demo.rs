//! `tim demo`, seen from outside: at a real terminal with a person's keys, and without one, where it plays both parts.
//! Waits for something to be seen, never for a time.

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

#[path = "demo/alone.rs"]
mod alone;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/eyes.rs"]
mod eyes;
#[path = "demo/person.rs"]
mod person;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/picture.rs"]
mod picture;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/pty.rs"]
mod pty;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;
