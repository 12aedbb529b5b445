//! `tim run --backend`: agents in any language, here in shell and Python, run by the real program.
//!
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

#[path = "streams/agent.rs"]
mod agent;
#[path = "streams/backends.rs"]
mod backends;
#[path = "streams/ends.rs"]
mod ends;
#[path = "streams/errors.rs"]
mod errors;
#[path = "streams/examples.rs"]
mod examples;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/eyes.rs"]
mod eyes;
#[path = "streams/paused.rs"]
mod paused;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/picture.rs"]
mod picture;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/pty.rs"]
mod pty;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;
#[path = "streams/typed.rs"]
mod typed;
