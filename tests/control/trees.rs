//! What `tim ps` shows.

use std::sync::Arc;

use serde_json::json;

use crate::shell::{key, listed, tim};
use crate::stub::run_in;
use crate::support::client::Client;
use crate::support::launch::Launch;
use crate::support::serve::Serve;
use crate::support::temp::Temp;
use crate::support::wait::eventually;

#[test]
fn a_run_is_listed_with_its_agent_what_it_does_and_what_it_asks() {
    let folder = Arc::new(Temp::new());
    let script = "hears; init; says working; asks q; hears; result; to_the_end";
    let mut run = run_in(Arc::clone(&folder), script).arg("--wait").start();
    let key = key(&folder, run.pid());
    let status = listed(&folder, run.pid()).unwrap();
    assert_eq!((&status["v"], &status["role"], &status["desk"]), (&json!(1), &json!("run"), &json!(true)));
    assert_eq!(
        (&status["agents"][0]["path"], &status["agents"][0]["waits"]),
        (&json!("claude"), &json!(true))
    );
    let asker = &status["askers"][0];
    assert_eq!((&asker["what"], &asker["speaks"]), (&json!("agent"), &json!("claude")), "{status}");
    let question = &status["questions"][0];
    assert_eq!((&question["kind"], &question["tool"]["name"]), (&json!("permission"), &json!("Write")));
    assert!(question["sinceMs"].is_u64() && question["shown"] == false, "{question}");
    let (code, text, _) = tim(&folder, &["ps"]);
    assert_eq!(code, 0);
    let rows = [
        format!("{}  tim run  ", status["run"].as_str().unwrap()),
        "  claude        ? waits for you".to_owned(),
        "  questions".to_owned(),
        format!("    {key}  claude  Write a"),
        format!("answer  tim answer {key} y"),
    ];
    for row in rows {
        assert!(text.lines().any(|line| line.starts_with(&row)), "{row:?} in {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    tim(&folder, &["answer", &key, "y"]);
    assert_eq!(run.exit().0, Some(0));
}

#[test]
fn a_nested_run_stands_below_its_client_and_its_question_is_asked_once() {
    let folder = Arc::new(Temp::new());
    let root = Serve::ready(Launch::tim_in(Arc::clone(&folder), ["serve", "--wait"]).start());
    let nested = Launch::tim_in(Arc::clone(&folder), ["serve"]).under(root.socket());
    let nested = Serve::ready(nested.start());
    let mut client = Client::greet(nested.socket(), "script", "deploy").0;
    client.confirm("Shall I?");
    let above = key(&folder, root.pid());
    let below = key(&folder, nested.pid());
    assert_ne!(above, below);
    let (_, text, _) = tim(&folder, &["ps"]);
    let at = |what: &str| {
        text.lines().position(|line| line.contains(what)).unwrap_or_else(|| panic!("{what} in {text}"))
    };
    let run = |key: &str| key.split('.').next().unwrap().to_owned();
    assert!(at(&format!("pid {}", nested.pid())) + 1 == at(&run(&below)), "{text}");
    assert!(text.lines().nth(at(&run(&below))).unwrap().starts_with("    "), "{text}");
    assert_eq!(text.matches("Shall I?").count(), 1, "{text}");
    assert!(text.contains(&above) && !text.contains(&below), "{text}");
    assert_eq!(tim(&folder, &["answer", &above, "n"]).0, 0);
    assert_eq!(client.response("Shall I?")["value"], false);
    client.confirm("Again?");
    let below = eventually("it is asked", || {
        listed(&folder, nested.pid())?["questions"][0]["key"].as_str().map(str::to_owned)
    });
    assert_eq!(tim(&folder, &["answer", &below, "y"]).0, 0, "also where it was asked first");
    assert_eq!(client.response("Again?")["value"], true);
}

#[test]
fn every_help_fits_a_screen_of_80_columns_and_teaches_by_example() {
    let folder = Arc::new(Temp::new());
    for command in ["ps", "answer", "send", "stop"] {
        let (code, help, complaint) = tim(&folder, &[command, "--help"]);
        assert_eq!((code, complaint.as_str()), (0, ""), "{command}");
        assert!(help.contains("Examples:") && help.contains("Exit codes"), "{command}");
        let widest = help.lines().max_by_key(|line| line.chars().count()).unwrap();
        assert!(widest.chars().count() <= 80, "{command}: {widest}");
    }
}
