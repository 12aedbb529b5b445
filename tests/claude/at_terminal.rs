//! `tim run` as a person has it: at a terminal, with the real Claude Code below and a scripted model behind that.
//!
//! Keys go in, a picture comes out; what the model was told is read from the scripted API. Every run that ends is looked at:
//! its exit code, the terminal as it was, and nobody left of what it started.

#[path = "at_terminal/around.rs"]
mod around;
#[path = "at_terminal/by_mcp.rs"]
mod by_mcp;
#[path = "at_terminal/driver.rs"]
mod driver;
#[path = "at_terminal/early.rs"]
mod early;
#[path = "at_terminal/ends.rs"]
mod ends;
#[path = "at_terminal/first.rs"]
mod first;
#[path = "at_terminal/going_on.rs"]
mod going_on;
#[path = "at_terminal/grants.rs"]
mod grants;
#[path = "at_terminal/lines.rs"]
mod lines;
#[path = "at_terminal/looks.rs"]
mod looks;
#[path = "at_terminal/nested.rs"]
mod nested;
#[path = "at_terminal/people.rs"]
mod people;
#[path = "at_terminal/permissions.rs"]
mod permissions;
#[path = "at_terminal/questions.rs"]
mod questions;
#[path = "at_terminal/several.rs"]
mod several;
#[path = "at_terminal/trust.rs"]
mod trust;

pub(crate) const TESTS: usize = around::TESTS
    + by_mcp::TESTS
    + early::TESTS
    + ends::TESTS
    + first::TESTS
    + going_on::TESTS
    + grants::TESTS
    + lines::TESTS
    + nested::TESTS
    + people::TESTS
    + permissions::TESTS
    + questions::TESTS
    + several::TESTS
    + trust::TESTS;
pub(crate) const OF_NEW: usize = around::OF_NEW
    + by_mcp::OF_NEW
    + early::OF_NEW
    + going_on::OF_NEW
    + lines::OF_NEW
    + looks::OF_NEW
    + people::OF_NEW
    + permissions::OF_NEW
    + questions::OF_NEW
    + several::OF_NEW;
