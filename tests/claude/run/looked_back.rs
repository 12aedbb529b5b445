//! What a run with the real Claude Code looks like afterwards: who decided, as far as each version says it.

use serde_json::{Value, json};

use super::bash;
use super::driver::Run;
use crate::claude::{Claude, Version};
use crate::messages_api::{Api, Script, main, sub};
use crate::support::launch::Launch;

with_both_versions![decisions_say_who_decided_as_far_as_the_agent_tells,];

/// The model uses a tool that needs no permission, one that a subagent is asked about, and one that nobody allows.
fn script() -> Script {
    let agent = json!({"description": "find config", "subagent_type": "Explore", "prompt": "look", "run_in_background": false});
    Script::new()
        .turn(main().asked("go").tool("Bash", bash("ls")))
        .turn(main().tool("Bash", bash("touch made")))
        .turn(main().tool("Agent", agent))
        .turn(sub().tool("Bash", bash("touch below")))
        .turn(sub().text("found"))
        .turn(main().text("So be it."))
}

fn decisions_say_who_decided_as_far_as_the_agent_tells(claude: &Claude) {
    let api = Api::start(script());
    let done = Run::of(claude, &api).args(&["--allow", "Bash(touch below)", "--refused-ok", "go"]).done();
    done.exits(0).replays();
    let launch = Launch::tim_in(done.place.0.clone(), ["log", "--decisions", "--json"]);
    let (code, told, said) = launch.start().exit();
    assert_eq!((code, said.as_str()), (Some(0), ""));
    let told: Value = serde_json::from_str(&told).unwrap();
    let rows: Vec<[&str; 3]> = told["decisions"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["tool"] == "Bash")
        .map(|one| ["what", "agent", "decidedBy"].map(|name| one[name].as_str().unwrap_or_default()))
        .collect();
    let unasked = if claude.version == Version::New { "claude, rule or mode" } else { "claude, unasked" };
    let expected = [
        ["ls", "", unasked],
        ["touch made", "", "nobody, refused"],
        ["touch below", "Explore \"find config\"", "Bash(touch below)"],
    ];
    assert_eq!(rows, expected, "{told}");
}
