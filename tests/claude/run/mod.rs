//! `tim run` with the real Claude Code, and with stubs in its place, without a terminal: what is asked, answered, refused,
//! printed and recorded, and what is left when it is over.

mod alone;
mod answers;
mod background;
mod by_mcp;
mod denials;
mod driver;
mod ends;
mod going_on;
mod large;
mod looked_back;
mod many;
mod nested;
mod once;
mod place;
mod prompts;
mod starts;
mod stubs;
mod stubs_end;
mod trouble;

use serde_json::{Value, json};

use crate::messages_api::{Script, main};

pub(crate) const TESTS: usize = alone::TESTS
    + answers::TESTS
    + background::TESTS
    + by_mcp::TESTS
    + denials::TESTS
    + ends::TESTS
    + going_on::TESTS
    + large::TESTS
    + looked_back::TESTS
    + many::TESTS
    + once::TESTS
    + starts::TESTS
    + trouble::TESTS;

pub(crate) const OF_NEW: usize = alone::OF_NEW
    + answers::OF_NEW
    + by_mcp::OF_NEW
    + ends::OF_NEW
    + going_on::OF_NEW
    + large::OF_NEW
    + once::OF_NEW
    + prompts::OF_NEW
    + starts::OF_NEW
    + trouble::OF_NEW;

/// The input of a command.
fn bash(command: &str) -> Value {
    json!({"command": command, "description": "Do it"})
}

/// The model wants to use a tool once, and then says that it is over.
fn uses(tool: &str, input: Value) -> Script {
    Script::new().turn(main().asked("go").tool(tool, input)).turn(main().text("So be it."))
}

/// The model touches a file.
fn touches(name: &str) -> Script {
    uses("Bash", bash(&format!("touch {name}")))
}

/// The model only says something.
fn says(text: &str) -> Script {
    Script::new().turn(main().asked("go").text(text))
}
