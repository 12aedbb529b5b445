//! A Claude Code that tim did not start, and `tim serve`: its permissions come through `tim mcp serve`, as `tim mcp config`
//! says it.

use std::path::Path;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::claude::Claude;
use crate::driver::Session;
use crate::messages_api::{Api, Kind, Script, main};
use crate::support::desk::{Asked, Desk};
use crate::support::launch::Launch;
use crate::support::serve::Serve;
use crate::support::wait::eventually;

with_both_versions![
    what_the_person_allows_runs,
    what_the_person_denies_does_not_and_the_model_hears_why,
    an_answered_question_reaches_the_model,
    a_killed_bridge_denies_and_its_successor_asks,
    without_a_tim_everything_is_denied,
    two_reads_are_asked_at_once,
    an_interruption_takes_the_question_back,
];

const TOOL: &str = "mcp__permissions__approval_prompt";

/// Starts it as a person would type it, and says go.
fn started(claude: &Claude, api: &Api, socket: &Path) -> Session {
    let (code, config, _) = Launch::tim(["mcp", "config", "--socket"]).arg(socket).start().exit();
    assert_eq!(code, Some(0));
    let flags = ["--mcp-config", config.trim(), "--permission-prompt-tool", TOOL];
    let mut session = Session::start(claude, api, &flags);
    session.say("go");
    let init = session.system("init");
    let server = json!({"name": "permissions", "status": "connected"});
    let known = &init["mcp_servers"][0];
    assert_eq!((&known["name"], &known["status"]), (&server["name"], &server["status"]), "{init}");
    session
}

fn touch(name: &str) -> Value {
    json!({"command": format!("touch {name}"), "description": "Touch"})
}

fn touching(name: &str) -> Script {
    Script::new().turn(main().asked("go").tool("Bash", touch(name))).turn(main().text("So be it."))
}

/// Decides about a tool.
fn decide(desk: &mut Desk, asked: &Asked, approved: bool) {
    desk.send(&json!({"type": "permission_response", "requestId": asked.id, "approved": approved,
        "outcome": "answered"}));
}

fn what_the_person_allows_runs(claude: &Claude) {
    let (api, serve) = (Api::start(touching("made")), Serve::answered_by(r#"echo '{"allow":true}'"#));
    let mut session = started(claude, &api, serve.socket());
    assert_eq!(session.result()["result"], "So be it.");
    assert!(session.path("made").exists());
    assert_eq!(session.ended(), Some(0));
    assert_eq!(serve.journal().ends().len(), 1);
}

fn what_the_person_denies_does_not_and_the_model_hears_why(claude: &Claude) {
    let no = r#"echo '{"allow":false,"reason":"Not on a Monday."}'"#;
    let (api, serve) = (Api::start(touching("made")), Serve::answered_by(no));
    let mut session = started(claude, &api, serve.socket());
    assert_eq!(session.result()["permission_denials"][0]["tool_name"], "Bash");
    assert_eq!(api.requests_of(Kind::Main, 2)[1].tool_results(), ["Not on a Monday."]);
    assert!(!session.path("made").exists());
    assert_eq!(session.ended(), Some(0));
}

fn an_answered_question_reaches_the_model(claude: &Claude) {
    let options = json!([{"label": "Tea", "description": "t"}, {"label": "Milk", "description": "m"}]);
    let asked = json!([{"question": "What?", "header": "Drink", "options": options, "multiSelect": true}]);
    let call = main().asked("go").tool("AskUserQuestion", json!({"questions": asked}));
    let api = Api::start(Script::new().turn(call).turn(main().told("Tea").text("Tea it is.")));
    let serve = Serve::answered_by(r#"echo '{"answers":{"What?":["Tea","Milk","and sugar"]}}'"#);
    let mut session = started(claude, &api, serve.socket());
    assert_eq!(session.result()["result"], "Tea it is.");
    let told = api.requests_of(Kind::Main, 2)[1].tool_results().remove(0);
    assert!(told.contains(r#""What?"="Tea, Milk, and sugar""#), "{told}");
    assert_eq!(session.ended(), Some(0));
}

/// The bridge that asks there. It is a child of the CLI that the test started.
fn bridge_at(socket: &Path) -> Pid {
    let wanted = ["mcp", "serve", "--socket", socket.to_str().unwrap()].join("\0");
    eventually("the bridge", || {
        let numbers = std::fs::read_dir("/proc").unwrap().flatten();
        let mut numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let number = numbers.find(|number| {
            let line = std::fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(&wanted)
        })?;
        Pid::from_raw(number)
    })
}

fn a_killed_bridge_denies_and_its_successor_asks(claude: &Claude) {
    let script = Script::new()
        .turn(main().asked("go").tool("Bash", touch("first")))
        .turn(main().tool("Bash", touch("second")))
        .turn(main().text("So be it."));
    let api = Api::start(script);
    let (serve, mut desk) = Serve::under_test();
    let mut session = started(claude, &api, serve.socket());
    let first = desk.prompt();
    kill_process(bridge_at(serve.socket()), Signal::KILL).unwrap();
    assert_eq!(desk.withdrawn(&first), "asker_gone");
    let second = desk.prompt();
    assert_eq!(second.message["input"]["command"], "touch second");
    decide(&mut desk, &second, true);
    session.result();
    assert!(!session.path("first").exists() && session.path("second").exists());
    assert_eq!(session.ended(), Some(0));
}

fn without_a_tim_everything_is_denied(claude: &Claude) {
    let api = Api::start(touching("made"));
    let mut serve = Serve::alone();
    serve.finish();
    let mut session = started(claude, &api, serve.socket());
    session.result();
    let told = api.requests_of(Kind::Main, 2)[1].tool_results().remove(0);
    assert!(told.contains(&format!("tim serve --socket {}", serve.socket().display())), "{told}");
    assert!(!session.path("made").exists());
    assert_eq!(session.ended(), Some(0));
}

fn two_reads_are_asked_at_once(claude: &Claude) {
    let (serve, mut desk) = Serve::under_test();
    let file = |name: &str| {
        let path = serve.folder().path(name);
        std::fs::write(&path, format!("text of {name}")).unwrap();
        json!({"file_path": path})
    };
    let reads = main().asked("go").tool("Read", file("one")).tool("Read", file("two"));
    let api = Api::start(Script::new().turn(reads).turn(main().text("So be it.")));
    let mut session = started(claude, &api, serve.socket());
    let (one, two) = (desk.prompt(), desk.prompt());
    decide(&mut desk, &two, true);
    decide(&mut desk, &one, true);
    session.result();
    let told = api.requests_of(Kind::Main, 2)[1].tool_results().join(" ");
    assert!(told.contains("text of one") && told.contains("text of two"), "{told}");
    assert_eq!(session.ended(), Some(0));
}

fn an_interruption_takes_the_question_back(claude: &Claude) {
    let api = Api::start(touching("made"));
    let (serve, mut desk) = Serve::under_test();
    let mut session = started(claude, &api, serve.socket());
    let asked = desk.prompt();
    session.interrupt();
    assert_eq!(desk.withdrawn(&asked), "cancelled");
    decide(&mut desk, &asked, true);
    session.result();
    assert!(!session.path("made").exists());
    session.ended();
}
