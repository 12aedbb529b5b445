//! `tim mcp` from outside: the bridge as Claude Code starts it, over its pipes, with a `tim serve` or the test itself where
//! the person is.

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

#[path = "mcp/config.rs"]
mod config;
#[path = "mcp/decisions.rs"]
mod decisions;
#[path = "mcp/driver.rs"]
mod driver;
#[path = "mcp/faults.rs"]
mod faults;
#[path = "mcp/handshake.rs"]
mod handshake;
#[path = "mcp/lines.rs"]
mod lines;
#[path = "mcp/questions.rs"]
mod questions;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;
#[path = "mcp/ways.rs"]
mod ways;
