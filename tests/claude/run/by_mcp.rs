//! A run that asks by the tool of an MCP server, without a terminal.

use serde_json::{Value, json};

use super::driver::{Done, Run};
use super::place::Place;
use super::{touches, uses};
use crate::claude::Claude;
use crate::messages_api::{Api, Kind, Script, main};

with_both_versions![
    an_answer_command_allows,
    an_answer_command_says_no_and_the_model_hears_why_word_for_word,
    what_the_model_asks_the_person_the_answer_command_answers,
    nobody_can_answer_and_the_model_and_the_exit_code_say_so,
    servers_of_the_users_own_are_there_too,
    a_server_of_the_same_name_does_not_take_our_place,
];

with_the_new_version![
    a_rule_allows_and_a_rule_denies,
    what_is_no_answer_to_a_question_leaves_it_undecided,
    a_question_to_an_answer_command_that_sleeps_ends_in_time,
];

fn run(claude: &Claude, api: &Api, more: &[&str]) -> Done {
    Run::of(claude, api).args(&["--permission-route", "mcp"]).args(more).args(&["go"]).done()
}

fn told(api: &Api) -> Vec<String> {
    api.requests_of(Kind::Main, 2)[1].tool_results()
}

fn an_answer_command_allows(claude: &Claude) {
    let api = Api::start(touches("made"));
    let done = run(claude, &api, &["--answer-command", r#"echo '{"allow":true}'"#]);
    assert_eq!(done.exits(0).replays().stdout, "So be it.\n");
    assert!(done.place.path("made").exists());
    let ends = done.journal().ends();
    assert_eq!((ends.len(), ends[0].outcome.as_str()), (1, "answered"));
    done.place.nothing_is_left();
}

fn an_answer_command_says_no_and_the_model_hears_why_word_for_word(claude: &Claude) {
    let api = Api::start(touches("made"));
    let why = r#"Not on a \"Monday\", 日曜だけ."#;
    let says = format!(r#"printf %s '{{"allow":false,"reason":"{why}"}}'"#);
    let done = run(claude, &api, &["--answer-command", &says]);
    done.exits(0).replays();
    assert!(!done.place.path("made").exists());
    assert_eq!(told(&api), [why.replace('\\', "")]);
}

fn question(is_multiple: bool) -> Value {
    let options = json!([{"label": "Tea", "description": "t"}, {"label": "Coffee", "description": "c"}]);
    let one = json!({"question": "What to drink?", "header": "Drink", "options": options,
        "multiSelect": is_multiple});
    json!({"questions": [one]})
}

fn what_the_model_asks_the_person_the_answer_command_answers(claude: &Claude) {
    let api = Api::start(uses("AskUserQuestion", question(true)));
    let says = r#"echo '{"answers":{"What to drink?":["Tea","Coffee","both \"hot\""]}}'"#;
    run(claude, &api, &["--answer-command", says]).exits(0).replays();
    let told = told(&api).concat();
    assert!(told.contains(r#""What to drink?"="Tea, Coffee, both "hot"""#), "{told}");
}

fn nobody_can_answer_and_the_model_and_the_exit_code_say_so(claude: &Claude) {
    let api = Api::start(touches("made"));
    let done = run(claude, &api, &[]);
    done.exits(5).replays().complains("--allow 'Bash(touch:*)'");
    assert!(!done.place.path("made").exists());
    assert!(told(&api)[0].starts_with("No one can answer here"), "{:?}", told(&api));
    assert!(!api.requests_of(Kind::Main, 1)[0].tools().contains(&"AskUserQuestion"));
}

/// Whatever server the user names, ours is there beside it.
fn servers_of_the_users_own_are_there_too(claude: &Claude) {
    let place = Place::new();
    let file = place.outside("servers.json");
    std::fs::write(&file, r#"{"mcpServers":{"theirs":{"type":"stdio","command":"false","args":[]}}}"#)
        .unwrap();
    let api = Api::start(touches("made"));
    let run = Run::at(&place, claude, &api).args(&["--permission-route", "mcp", "--mcp-config"]).arg(&file);
    let run = run.args(&["--output-format", "stream-json", "--answer-command", r#"echo '{"allow":true}'"#]);
    let done = run.args(&["go"]).done();
    done.exits(0);
    let init = done.lines().into_iter().find(|line| line["subtype"] == "init").unwrap();
    let names: Vec<&str> =
        init["mcp_servers"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    assert!(names.contains(&"theirs") && names.contains(&"permissions"), "{names:?}");
    assert!(place.path("made").exists());
}

fn a_rule_allows_and_a_rule_denies(claude: &Claude) {
    let script = Script::new()
        .turn(main().asked("go").tool("Bash", super::bash("touch made")))
        .turn(main().tool("Bash", super::bash("bash -c 'touch other'")))
        .turn(main().text("So be it."));
    let api = Api::start(script);
    let done = run(claude, &api, &["--allow", "Bash(touch:*)", "--deny", "Bash(bash:*)"]);
    done.exits(0).replays();
    assert!(done.place.path("made").exists() && !done.place.path("other").exists());
}

fn what_is_no_answer_to_a_question_leaves_it_undecided(claude: &Claude) {
    for says in
        [r#"echo '{"answers":{}}'"#, r#"echo '{"allow":true}'"#, r#"echo '{"answers":{"Else?":"Tea"}}'"#]
    {
        let api = Api::start(uses("AskUserQuestion", question(false)));
        run(claude, &api, &["--answer-command", says]).exits(5).replays();
        assert!(told(&api)[0].starts_with("No one could answer this"), "{:?}", told(&api));
    }
}

fn a_question_to_an_answer_command_that_sleeps_ends_in_time(claude: &Claude) {
    let api = Api::start(uses("AskUserQuestion", question(false)));
    let done = run(claude, &api, &["--answer-command", "sleep 1000", "--question-timeout", "1s"]);
    done.exits(5).replays().complains("a longer --question-timeout");
    assert_eq!(told(&api), ["Nobody answered within 1 s, so this was not allowed."]);
    done.place.nothing_is_left();
}

/// Whoever named a server as ours is named would decide in our place.
fn a_server_of_the_same_name_does_not_take_our_place(claude: &Claude) {
    let place = Place::new();
    let theirs = r#"{"mcpServers":{"permissions":{"type":"stdio","command":"false","args":[]}}}"#;
    std::fs::write(place.outside("servers.json"), theirs).unwrap();
    std::fs::write(place.path(".mcp.json"), theirs).unwrap();
    let api = Api::start(touches("made"));
    let run = Run::at(&place, claude, &api).args(&["--permission-route", "mcp", "--mcp-config"]);
    let run = run.arg(place.outside("servers.json")).args(&["--answer-command", r#"echo '{"allow":true}'"#]);
    run.args(&["go"]).done().exits(0).replays();
    assert!(place.path("made").exists());
}
