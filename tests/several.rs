//! Several agents in one run: one after another or at once, each with its own name, task, end and box.

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

#[path = "several/batch.rs"]
mod batch;
#[path = "several/crew.rs"]
mod crew;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/eyes.rs"]
mod eyes;
#[path = "several/flood.rs"]
mod flood;
#[path = "several/folder.rs"]
mod folder;
#[path = "several/night.rs"]
mod night;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/picture.rs"]
mod picture;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/pty.rs"]
mod pty;
#[path = "several/stub.rs"]
mod stub;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;
