//! Runs, controlled from another shell: `tim ps`, `tim answer`, `tim send`, `tim stop`, and who may not.
//!
//! Another user's process cannot be had in a test: that it is turned away is tested in `actors/src/control/ancestry.rs`.
//! Where the tests themselves run below an agent of tim, all of this is refused, as it should be.

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

#[path = "control/answers.rs"]
mod answers;
#[path = "control/descendants.rs"]
mod descendants;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/eyes.rs"]
mod eyes;
#[path = "control/folders.rs"]
mod folders;
#[path = "control/hostile.rs"]
mod hostile;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/picture.rs"]
mod picture;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/pty.rs"]
mod pty;
#[path = "control/shell.rs"]
mod shell;
#[path = "control/steering.rs"]
mod steering;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "agents/stub.rs"]
mod stub;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;
#[path = "control/terminals.rs"]
mod terminals;
#[path = "control/trees.rs"]
mod trees;
