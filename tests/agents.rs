//! Agents that misbehave, row by row of the fault matrix (F061 to F095, and of F103 what a person sees): shell scripts in the place of Claude Code.
//!
//! Left out, with the reason:
//! - F075 and F076: a double fork and a system without processes are in `guard.rs` and in the guard's own tests.
//! - F079 and F080: lines that are typed need a terminal; the bound is tested in `actors/src/agent/writer.rs`, the line that is
//!   typed when the agent has just died with the real CLI in `claude/at_terminal`.
//! - F090: two results are what the stdin machine's own tests are about, and the real CLI gives them with every follow-up.

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

#[path = "agents/always.rs"]
mod always;
#[path = "agents/below.rs"]
mod below;
#[path = "agents/configured.rs"]
mod configured;
#[path = "agents/ends.rs"]
mod ends;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/eyes.rs"]
mod eyes;
#[path = "agents/lines.rs"]
mod lines;
#[path = "agents/nested.rs"]
mod nested;
#[path = "agents/person.rs"]
mod person;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/picture.rs"]
mod picture;
#[path = "agents/pipes.rs"]
mod pipes;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/pty.rs"]
mod pty;
#[path = "agents/stub.rs"]
mod stub;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;
#[path = "agents/trust.rs"]
mod trust;
