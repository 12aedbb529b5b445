//! The real Claude Code CLI, in both pinned versions, against a scripted Messages API: what `tim run` relies upon holds.
//!
//! The fake API has tests of its own, without a CLI. Where the CLIs cannot be had, the tests say so and pass, except with `CI`
//! set.

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

#[macro_use]
#[path = "claude/count.rs"]
mod count;
#[path = "claude/at_terminal.rs"]
mod at_terminal;
#[path = "claude/background.rs"]
mod background;
#[path = "claude/bridge.rs"]
mod bridge;
#[path = "support/claude.rs"]
mod claude;
#[path = "claude/driver.rs"]
mod driver;
#[path = "claude/errors.rs"]
mod errors;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/eyes.rs"]
mod eyes;
#[path = "claude/fake_api.rs"]
mod fake_api;
#[path = "claude/interrupts.rs"]
mod interrupts;
#[path = "claude/lifecycle.rs"]
mod lifecycle;
#[path = "support/messages_api.rs"]
mod messages_api;
#[path = "claude/permissions.rs"]
mod permissions;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/picture.rs"]
mod picture;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/pty.rs"]
mod pty;
#[path = "claude/run/mod.rs"]
mod run;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;

/// The last by name, so that it is started when all others are.
#[test]
fn the_suite_ran_with_both_versions() {
    let both = background::TESTS + errors::TESTS + interrupts::TESTS + lifecycle::TESTS + permissions::TESTS;
    let both = both + bridge::TESTS + run::TESTS + at_terminal::TESTS;
    let all = [both + run::OF_NEW + at_terminal::OF_NEW, both];
    let ran = count::wait_for_the_others(all.iter().sum());
    for ((version, ran), all) in claude::Version::ALL.into_iter().zip(ran).zip(all) {
        let number = version.number();
        claude::shout(&format!("claude {number}: {ran} of {all} tests ran"));
        assert!(ran == all || !claude::in_ci(), "with claude {number} only {ran} of {all} tests ran");
    }
}
