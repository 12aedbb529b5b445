//! The demo's agent without its pipes: what it says to each answer, line and end.

mod scene;

use codec::claude::{Decision, cancel_async_message, control_success, interrupt};
use codec::id::RequestId;
use codec::json::Json;

use super::machine::{Demo, Do};
use crate::args::Speed;
use scene::Scene;

#[test]
fn a_yes_to_everything_tells_the_whole_story() {
    for is_live in [true, false] {
        let mut scene = Scene::begun(is_live);
        scene.allows();
        scene.goes_to_its_end();
        assert_eq!((scene.ended, scene.asks), (Some(true), 1));
        let said = scene.said();
        for words in ["no model", "nothing on this machine", "That was a yes", "heard a yes", "for real"] {
            assert!(said.contains(words), "{words}: {said}");
        }
        let results: Vec<_> = scene.of("result").collect();
        assert_eq!(results.len(), 2);
        assert!(results.iter().all(|result| result["is_error"] == false));
        assert_eq!(results[1]["origin"]["kind"], "task-notification");
        assert_eq!(scene.states("prompt"), ["queued", "started", "completed"]);
        assert_eq!(scene.of("stream_event").next().is_some(), is_live);
        assert!(scene.lines.iter().all(|line| line.get("session_id").is_none()));
    }
}

#[test]
fn the_pieces_of_a_text_are_the_text() {
    let mut scene = Scene::begun(true);
    scene.until(|scene| scene.of("assistant").next().is_some());
    let pieces = scene.of("stream_event").filter_map(|line| line["event"]["delta"]["text"].as_str());
    assert_eq!(pieces.collect::<String>(), scene.said());
    let id = scene.of("stream_event").next().unwrap()["event"]["message"]["id"].clone();
    assert_eq!(scene.of("assistant").next().unwrap()["message"]["id"], id);
}

#[test]
fn a_no_is_quoted_and_listed_and_the_story_goes_on() {
    let mut scene = Scene::begun(false);
    scene.decides(&Decision::deny("not before lunch"));
    scene.goes_to_its_end();
    assert!(scene.said().contains("“not before lunch”"), "{}", scene.said());
    let denials = scene.of("result").next().unwrap()["permission_denials"].clone();
    assert_eq!(denials[0]["tool_name"], "Bash");
    assert_eq!(scene.ended, Some(true));
}

#[test]
fn each_end_of_the_script_has_its_own_words() {
    let ends = [(0, "heard a yes"), (1, "heard a no"), (5, "gave no answer"), (6, "Nobody"), (70, "failed")];
    for (code, words) in ends {
        let mut scene = Scene::begun(false);
        scene.allows();
        scene.until_still();
        scene.asked(code);
        scene.until_still();
        assert!(scene.said().contains(words), "{code}: {}", scene.said());
    }
}

#[test]
fn a_line_while_the_command_runs_is_read_when_it_ends_in_the_same_turn() {
    let mut scene = Scene::begun(false);
    scene.allows();
    scene.types("also the docs", "line");
    assert_eq!(scene.states("line"), ["queued"]);
    scene.goes_to_its_end();
    assert_eq!(scene.states("line"), ["queued", "started", "completed"]);
    let gave = scene.at(|line| {
        line["message"]["content"][0]["content"].as_str().is_some_and(|text| text.contains("17 passed"))
    });
    let read = scene.at(|line| line["command_uuid"] == "line" && line["state"] == "started");
    let quoted = scene.at(|line| line.to_string().contains("“also the docs”"));
    assert!(gave < read && read < quoted, "{gave} {read} {quoted}");
    assert_eq!(
        scene.of("result").next().unwrap()["user_message_uuids"],
        serde_json::json!(["prompt", "line"])
    );
}

#[test]
fn a_line_between_turns_has_a_turn_of_its_own_before_the_unasked_one() {
    let mut scene = Scene::begun(false);
    scene.allows();
    scene.until_still();
    scene.asked(0);
    scene.until(|scene| scene.of("result").next().is_some());
    scene.types("and now?", "line");
    scene.until_still();
    let origins: Vec<_> = scene.of("result").map(|result| result["origin"]["kind"].as_str()).collect();
    assert_eq!(origins, [None, None, Some("task-notification")]);
    assert!(scene.said().contains("You typed “and now?”"), "{}", scene.said());
}

#[test]
fn an_interrupt_takes_back_what_was_asked_and_is_mentioned_in_one_more_turn() {
    let mut scene = Scene::begun(false);
    let request = scene.until_asked();
    scene.hears(&interrupt(&RequestId::new("stop")));
    assert_eq!(scene.of("control_cancel_request").count(), 1);
    let result = scene.of("result").next().unwrap();
    assert_eq!((&result["is_error"], &result["terminal_reason"]), (&true.into(), &"aborted_tools".into()));
    // Too late: nothing runs.
    scene.hears(&control_success(&request, &Decision::allow(Json::of("any"))));
    scene.until_still();
    scene.closes();
    assert!(scene.said().contains("You interrupted me"), "{}", scene.said());
    assert_eq!((scene.ended, scene.asks), (Some(true), 0));
}

#[test]
fn a_second_interrupt_is_the_end_of_it() {
    let mut scene = Scene::begun(false);
    scene.hears(&interrupt(&RequestId::new("one")));
    scene.until(|scene| scene.of("system").filter(|line| line["subtype"] == "init").count() == 2);
    scene.hears(&interrupt(&RequestId::new("two")));
    scene.until_still();
    scene.closes();
    assert_eq!(scene.ended, Some(false));
    assert_eq!(scene.of("result").count(), 2);
}

#[test]
fn an_interrupt_stops_the_script_that_asks() {
    let mut scene = Scene::begun(false);
    scene.allows();
    scene.until_still();
    scene.hears(&interrupt(&RequestId::new("stop")));
    assert_eq!((scene.asks, scene.stops), (1, 1));
    scene.asked(0);
    scene.until_still();
    assert!(!scene.said().contains("heard a yes"));
}

#[test]
fn a_line_that_waits_can_be_taken_back_and_one_that_was_read_cannot() {
    let mut scene = Scene::begun(false);
    scene.allows();
    scene.types("never mind", "line");
    for (request, uuid) in [("a", "line"), ("b", "prompt")] {
        scene.hears(&cancel_async_message(&RequestId::new(request), uuid));
    }
    let said: Vec<_> = scene.of("control_response").map(|line| &line["response"]["response"]).collect();
    assert_eq!(said, [&serde_json::json!({"cancelled": true}), &serde_json::json!({"cancelled": false})]);
    assert_eq!(scene.states("line"), ["queued", "cancelled"]);
    scene.goes_to_its_end();
    assert!(!scene.said().contains("never mind"));
}

#[test]
fn a_second_message_of_the_same_name_is_dropped() {
    let mut scene = Scene::begun(false);
    scene.allows();
    scene.types("one", "line");
    scene.types("two", "line");
    scene.goes_to_its_end();
    assert!(scene.said().contains("“one”") && !scene.said().contains("“two”"), "{}", scene.said());
}

#[test]
fn when_stdin_ends_what_is_asked_is_denied_and_the_turn_is_told_to_its_end() {
    let mut scene = Scene::begun(false);
    scene.until_asked();
    scene.closes();
    scene.until_still();
    scene.asked(6);
    scene.until_still();
    assert!(scene.said().contains("“Stream closed”"), "{}", scene.said());
    assert_eq!((scene.ended, scene.of("result").count()), (Some(true), 2));
}

#[test]
fn without_a_message_it_says_nothing_and_ends() {
    let mut demo = Demo::new(Speed::Max, true);
    assert_eq!(demo.wake_at(), None);
    assert_eq!(demo.hear_the_end(0), [Do::End { is_good: true }]);
    assert_eq!(Demo::new(Speed::Max, true).hear(b"no JSON", 0), [Do::End { is_good: false }]);
}
