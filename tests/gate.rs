//! The gate against the real bash: what it lets through unasked is what bash then runs, and nothing else.
//!
//! Owns the comparison of the scanner with bash over generated texts, and of the judgement with bash over allowed commands
//! that were tampered with. It never runs a program other than bash, and no text that could name a file outside of its own
//! folder. Each run ends after a number of texts, which the environment may raise: `TIM_SHELL_TEXTS`,
//! `TIM_MUTANTS`. The texts are the same each time, unless `TIM_GATE_SEED` says otherwise.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]
#![expect(clippy::indexing_slicing, clippy::string_slice, reason = "a test may fail loudly")]
#![expect(clippy::print_stdout, reason = "the figures are for whoever runs it by hand")]
#![expect(
    clippy::disallowed_methods,
    reason = "the test is outside: it starts processes and looks at its watch"
)]

#[path = "gate/alphabet.rs"]
mod alphabet;
#[path = "gate/bash.rs"]
mod bash;
#[path = "gate/differential.rs"]
mod differential;
#[path = "gate/harmless.rs"]
mod harmless;
#[path = "gate/leash.rs"]
mod leash;
#[path = "gate/listed.rs"]
mod listed;
#[path = "gate/mutations.rs"]
mod mutations;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;
#[path = "gate/templates.rs"]
mod templates;
#[path = "gate/texts.rs"]
mod texts;
#[path = "gate/tricks.rs"]
mod tricks;
