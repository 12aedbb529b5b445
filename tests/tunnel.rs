//! The tunnel from outside: clients of the original and of ours, desks, `tim ask` and `tim emit`, over real sockets.

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

#[path = "tunnel/ask.rs"]
mod ask;
#[path = "tunnel/command.rs"]
mod command;
#[path = "tunnel/compatible.rs"]
mod compatible;
#[path = "tunnel/emit.rs"]
mod emit;
#[path = "tunnel/formats.rs"]
mod formats;
#[path = "tunnel/greeting.rs"]
mod greeting;
#[path = "tunnel/hostile.rs"]
mod hostile;
#[path = "tunnel/journals.rs"]
mod journals;
#[path = "tunnel/kinds.rs"]
mod kinds;
#[path = "tunnel/original.rs"]
mod original;
#[path = "tunnel/plain.rs"]
mod plain;
#[path = "tunnel/rules.rs"]
mod rules;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;
