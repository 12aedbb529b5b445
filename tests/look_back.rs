//! `tim log`, seen from outside: runs that really were, and records that were written for it.

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

#[path = "look_back/audit.rs"]
mod audit;
#[path = "look_back/desk.rs"]
mod desk;
#[path = "look_back/redact.rs"]
mod redact;
#[path = "look_back/runs.rs"]
mod runs;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;
