//! The answer command: what it is told, how its end is understood, and that it does not outlive its question.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::client::{Client, assert_answered, assert_refused, assert_unanswered, permission};
use crate::support::launch::Launch;
use crate::support::process::runs;
use crate::support::serve::Serve;
use crate::support::wait::eventually;

/// A server whose command is a script, in whose folder it may leave files.
fn scripted(script: &str) -> Serve {
    let launch = Launch::tim(["serve", "--answer-command"]);
    let folder = launch.folder().folder("script");
    let file = folder.join("answer.sh");
    std::fs::write(&file, format!("cd {}\n{script}\n", folder.display())).unwrap();
    Serve::ready(launch.arg(format!("sh {}", file.display())).start())
}

fn left_by(serve: &Serve, name: &str) -> String {
    let file = serve.folder().path("script").join(name);
    eventually(&format!("the script has written {name}"), || read_whole(&file))
}

fn read_whole(file: &Path) -> Option<String> {
    std::fs::read_to_string(file).ok().filter(|text| text.ends_with('\n'))
}

#[test]
fn the_command_is_told_the_whole_question() {
    let serve = scripted("cat > asked; echo >> asked; echo true");
    let (mut client, _) = Client::greet(serve.socket(), "script", "review");
    let config = json!({"message": "Proceed?", "default": false});
    client.send(&crate::support::client::prompt("q", "confirm", &config, Some(60_000)));
    assert_answered(&client.response("q"), &json!(true));
    let asked: Value = serde_json::from_str(&left_by(&serve, "asked")).unwrap();
    assert_eq!((&asked["v"], &asked["kind"], &asked["config"]), (&json!(1), &json!("confirm"), &config));
    assert_eq!((&asked["path"], &asked["pid"]), (&json!("review"), &json!(std::process::id())));
    let left = asked["deadlineMs"].as_u64().expect("what is left of it");
    assert!((1..=60_000).contains(&left), "{left}");
    let key = asked["key"].as_str().unwrap().to_owned();
    assert_eq!(serve.journal().records("outcome")[0]["key"], key);
}

#[test]
fn a_permission_is_told_with_its_tool_and_allowed_by_a_clear_yes() {
    let serve = scripted("cat > asked; echo >> asked; echo '{\"allow\":true}'");
    let mut client = serve.client();
    client.send(&permission("p", "Bash", &json!({"command": "echo"})));
    let response = client.response("p");
    assert_eq!(
        (&response["approved"], &response["outcome"]),
        (&json!(true), &json!("answered")),
        "{response}"
    );
    let asked: Value = serde_json::from_str(&left_by(&serve, "asked")).unwrap();
    assert_eq!(asked["kind"], "permission");
    assert_eq!(
        (&asked["tool"]["name"], &asked["tool"]["input"]),
        (&json!("Bash"), &json!({"command": "echo"}))
    );
}

#[test]
fn t18_nothing_but_a_clear_yes_allows() {
    for said in ["true", "yes", "{\"allow\":1}", "{\"allow\":\"true\"}", "", "{\"allow\":true}}", "[true]"] {
        let serve = scripted(&format!("cat > /dev/null; echo '{said}'"));
        let mut client = serve.client();
        client.send(&permission("p", "Bash", &json!({"command": "echo"})));
        let response = client.response("p");
        assert_eq!(
            (&response["approved"], &response["outcome"]),
            (&json!(false), &json!("refused")),
            "{said}"
        );
    }
}

#[test]
fn exit_1_declines() {
    let serve = scripted("cat > /dev/null; exit 1");
    assert_unanswered(&serve.client().round_trip("q"), "declined", "Declined by the user");
    assert_eq!(serve.journal().end_of("q").outcome, "declined");
}

#[test]
fn every_other_end_gives_the_question_back() {
    for script in ["exit 7", "echo nonsense", "echo 'true false'", "kill -9 $$", "echo true; exit 3", ":"] {
        let serve = scripted(&format!("cat > /dev/null; {script}"));
        assert_refused(&serve.client().round_trip("q"), "given_back");
    }
}

#[test]
fn a_command_that_does_not_read_its_question_may_answer_all_the_same() {
    let serve = scripted("echo true");
    let mut client = serve.client();
    client.ask("long", "confirm", &json!({"message": "m".repeat(64 << 10)}));
    assert_answered(&client.response("long"), &json!(true));
    assert_answered(&client.round_trip("again"), &json!(true));
}

#[test]
fn a_command_that_is_not_there_gives_the_question_back() {
    let serve = Serve::answered_by("/nowhere/at/all");
    assert_refused(&serve.client().round_trip("q"), "given_back");
}

#[test]
fn a_command_and_its_children_do_not_outlive_a_question() {
    let serve = scripted("sleep 1000 & echo $! > child; echo $$ > self; wait");
    let (mut client, mut leaver) = (serve.client(), serve.client());
    client.confirm_within("q", 1500);
    let pids = ["child", "self"].map(|name| left_by(&serve, name).trim().parse::<u32>().unwrap());
    assert_eq!(client.response("q")["outcome"], "timed_out");
    pids.iter().for_each(|pid| eventually("it is ended", || (!runs(*pid)).then_some(())));
    for name in ["child", "self"] {
        std::fs::remove_file(serve.folder().path("script").join(name)).unwrap();
    }
    leaver.confirm("q");
    let pids = ["child", "self"].map(|name| left_by(&serve, name).trim().parse::<u32>().unwrap());
    drop(leaver);
    pids.iter().for_each(|pid| eventually("it is ended", || (!runs(*pid)).then_some(())));
}

#[test]
fn a_command_does_not_outlive_the_server() {
    let mut serve = scripted("sleep 1000 & echo $! > child; echo $$ > self; wait");
    let mut client = serve.client();
    client.confirm("q");
    let pids = ["child", "self"].map(|name| left_by(&serve, name).trim().parse::<u32>().unwrap());
    assert_eq!(serve.finish(), Some(143));
    assert_eq!(client.response("q")["outcome"], "disconnected");
    pids.iter().for_each(|pid| eventually("it is ended", || (!runs(*pid)).then_some(())));
}

#[test]
fn many_questions_are_answered_by_a_command_each() {
    let serve = scripted("cat > /dev/null; echo true");
    let mut client = serve.client();
    (0..30).for_each(|number| client.confirm(&format!("q{number}")));
    for number in 0..30 {
        assert_answered(&client.response(&format!("q{number}")), &json!(true));
    }
}

#[test]
fn t44_the_command_gets_neither_descriptors_nor_the_tunnel_of_the_server() {
    let serve = scripted("cat > /dev/null; ls -l /proc/self/fd > open; env > set; echo true");
    assert_answered(&serve.client().round_trip("q"), &json!(true));
    let descriptors = left_by(&serve, "open");
    let held = ["socket:", "anon_inode", "jsonl"].iter().any(|kind| descriptors.contains(kind));
    assert!(!held, "{descriptors}");
    assert!(!left_by(&serve, "set").contains("TIM_OUTPUT_SOCKET"), "it would be asked by itself");
}

#[test]
fn what_a_command_allows_for_always_holds_for_the_run_and_is_saved_nowhere() {
    for saved in ["", r#","saved":"tim""#, r#","saved":"claude""#] {
        let answer = format!(r#"{{"allow":true,"scope":"always","rule":"Bash(ls:*)"{saved}}}"#);
        let mut serve = scripted(&format!("echo >> asked; echo '{answer}'"));
        let (mut client, _) = Client::greet(serve.socket(), "bridge", "permissions");
        for command in ["ls", "ls -l"] {
            client.send(&permission(command, "Bash", &json!({"command": command})));
            assert_eq!(client.response(command)["approved"], json!(true));
        }
        assert_eq!(left_by(&serve, "asked"), "\n", "the second was answered by the rule");
        serve.finish();
        assert!(!serve.folder().path("config/tim").exists(), "{answer}");
        assert!(!serve.folder().path("home/.claude").exists(), "{answer}");
        let recorded = serve.journal().ends().remove(0).value.unwrap();
        assert_eq!(recorded, serde_json::from_str::<Value>(&answer).unwrap(), "as it was said");
    }
}
