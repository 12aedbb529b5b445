//! Every failure that somebody can cause says what happened, why, and what to do: in one to three rows, on stderr. Each
//! group of them is a table here and a document in `errors/snapshots`, to be read as a person at a shell reads it.
//!
//! What no snapshot would show is asserted of each: see `told.rs`. Waits for something to be seen, never for a time.

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

#[path = "errors/agents.rs"]
mod agents;
#[path = "errors/config.rs"]
mod config;
#[path = "errors/control.rs"]
mod control;
#[path = "errors/disk.rs"]
mod disk;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/eyes.rs"]
mod eyes;
#[path = "errors/files.rs"]
mod files;
#[path = "errors/home.rs"]
mod home;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/picture.rs"]
mod picture;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/pty.rs"]
mod pty;
#[path = "errors/records.rs"]
mod records;
#[path = "errors/signals.rs"]
mod signals;
#[path = "errors/sockets.rs"]
mod sockets;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;
#[path = "errors/terminal.rs"]
mod terminal;
#[path = "errors/told.rs"]
mod told;
#[path = "errors/usage.rs"]
mod usage;
