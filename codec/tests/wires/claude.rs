//! Claude Code: what tim writes to it, and what it makes of the lines that matter most.

use crate::support::{Wire, files, fixtures, lines, same_json};
use codec::claude::{
    Answer, AskUserQuestion, Content, ControlReply, Decision, Image, Input, Message, Output,
    PermissionUpdate, Rpc, Tokens, ToolResultBlock, UnknownImage, UserMessage, answers_in,
    cancel_async_message, control_error, control_request, control_success, interrupt, recover,
};
use codec::id::RequestId;
use codec::json::{Field, IntoOwned, Json, Object, Text, line};
use codec::{Asked, Awaits};
use proptest::prelude::*;

/// The first line of a recording that contains a text, on one wire.
fn recorded(file: &str, wire: Wire, with: &str) -> String {
    let found = lines(&fixtures().join("claude").join(file)).into_iter();
    let mut texts = found.filter(|line| line.wire == wire).map(|line| String::from_utf8(line.bytes).unwrap());
    texts.find(|text| text.contains(with)).unwrap()
}

#[test]
fn what_tim_writes_is_what_claude_was_seen_to_take() {
    let file = "d14_cancel_queued_message.2.1.325.jsonl";
    let uuid = "00000000-0000-4000-8000-0000000000a1";
    let cancel = recorded(file, Wire::ClaudeIn, "cancel_async_message");
    assert!(same_json(&cancel_async_message(&RequestId::new("c1"), uuid), &cancel));
    let typed = recorded(file, Wire::ClaudeIn, uuid);
    let Ok(Input::User(UserMessage { message, .. })) = Input::read(typed.as_bytes()) else { panic!() };
    let Content::Text(text) = &message.content else { panic!() };
    assert!(same_json(&UserMessage::text(&text.get(), uuid).to_line(), &typed));
    let stop = recorded("d4_interrupt_while_can_use_tool_pending.2.1.325.jsonl", Wire::ClaudeIn, "interrupt");
    assert!(same_json(&interrupt(&RequestId::new("int-1")), &stop));
}

#[test]
fn an_allow_gives_the_input_back_untouched() {
    let asked = recorded("d2_can_use_tool_write_allow.2.1.197.jsonl", Wire::ClaudeOut, "can_use_tool");
    let Ok(Output::ControlRequest(request)) = Output::read(asked.as_bytes()) else { panic!() };
    let codec::claude::ControlBody::CanUseTool(tool) = &request.request else { panic!() };
    let reply = control_success(&request.request_id, &Decision::allow(tool.input.clone()));
    assert!(reply.contains(tool.input.raw()), "byte for byte");
    let seen = recorded("d2_can_use_tool_write_allow.2.1.197.jsonl", Wire::ClaudeIn, "behavior");
    assert!(same_json(&reply, &seen), "{reply}\n{seen}");
}

#[test]
fn a_deny_carries_its_message() {
    let seen = recorded("d2c_can_use_tool_deny.2.1.325.jsonl", Wire::ClaudeIn, "deny");
    let Ok(Input::ControlResponse(response)) = Input::read(seen.as_bytes()) else { panic!() };
    let reply = response.response;
    let Decision::Deny(deny) = Field::read(reply.response.clone().unwrap()).unwrap() else { panic!() };
    let ours = Decision::deny(&deny.message.unwrap().get());
    assert!(same_json(&control_success(&reply.request_id, &ours), &seen));
}

#[test]
fn any_control_request_can_be_made_and_any_can_be_refused() {
    let mut members = Object::default();
    members.push("model", Json::of("claude-sonnet-4-5"));
    let ours = control_request(&RequestId::new("r1"), "set_model", &members);
    assert!(same_json(
        &ours,
        &recorded("d6_control_requests_tour.2.1.325.jsonl", Wire::ClaudeIn, "set_model")
    ));
    let refusal =
        r#"{"type":"control_response","response":{"subtype":"error","request_id":"r","error":"no \"x\""}}"#;
    assert!(same_json(&control_error(&RequestId::new("r"), "no \"x\""), refusal));
}

#[test]
fn a_request_that_is_not_understood_is_told_so_that_claude_does_not_wait_for_ever() {
    let asked = Some(Asked { id: RequestId::new("r"), awaits: Awaits::Control });
    for line in [
        r#"{"type":"control_request","request_id":"r","request":{"subtype":"of_tomorrow"}}"#,
        r#"{"request":{"subtype":"can_use_tool"},"type":"control_request","request_id":"r"}"#,
        r#"{"type":"control_request","request_id":"r","request":5}"#,
        r#"{"type":"control_request","request_id":"r"}"#,
        r#"{"type":"control_request","type":"control_request","request_id":"r","request":{"subtype":"interrupt"}}"#,
    ] {
        assert_eq!(Output::read(line.as_bytes()).unwrap().misunderstood(), asked, "{line}");
    }
    let fine = r#"{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"T","input":{}}}"#;
    assert_eq!(Output::read(fine.as_bytes()).unwrap().misunderstood(), None);
}

#[test]
fn a_request_that_nests_too_deep_is_still_answered() {
    let input = format!(r#"{{"a":{}1{}}}"#, "[".repeat(200), "]".repeat(200));
    let line = format!(
        r#"{{"type":"control_request","request_id":"r","request":{{"subtype":"can_use_tool","tool_name":"T","input":{input}}}}}"#
    );
    let asked = Output::read(line.as_bytes()).unwrap_err().asked;
    assert_eq!(asked, Some(Asked { id: RequestId::new("r"), awaits: Awaits::Control }));
}

#[test]
fn the_request_in_a_line_that_was_too_long_is_found_if_its_id_came_early() {
    let early = br#"{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","input":{"content":"xxx"#;
    assert_eq!(recover(early), Some(Asked { id: RequestId::new("r"), awaits: Awaits::Control }));
    assert_eq!(recover(br#"{"request":{"subtype":"can_use_tool","input":{"content":"xxx"#), None);
    let quoted = br#"[debug] sent {"type":"control_request","request_id":"r","request":{}}"#;
    assert_eq!(Output::read(quoted).unwrap_err().asked, None, "text that quotes a request asks nothing");
    assert_eq!(recover(br#"{"type":"assistant","request_id":"r","message":{"content":"xxx"#), None);
}

#[test]
fn only_a_clear_yes_is_a_success() {
    let succeeded = |rest: &str| {
        let line = format!(r#"{{"type":"result","subtype":"success"{rest}}}"#);
        let Ok(Output::Result(result)) = Output::read(line.as_bytes()) else { panic!("{rest}") };
        result.succeeded()
    };
    assert!(succeeded(r#","is_error":false"#));
    assert!(!succeeded(r#","is_error":true"#));
    assert!(!succeeded(""));
    assert!(!succeeded(r#","is_error":"false""#));
    assert!(!succeeded(r#","is_error":false,"is_error":true"#), "the last one counts");
    let Ok(Output::Result(limit)) =
        Output::read(br#"{"type":"result","subtype":"error_max_turns","is_error":false}"#)
    else {
        panic!()
    };
    assert!(!limit.succeeded());
}

#[test]
fn odd_shapes_lose_nothing_and_string_content_stays_one_text() {
    for line in [
        r#"{"type":"system","subtype":"init","mcp_servers":5}"#,
        r#"{"type":"system","subtype":"background_tasks_changed"}"#,
        r#"{"type":"assistant","message":null}"#,
        r#"{"type":"assistant","message":{"content":[null,{"type":"text"},{"type":"of_tomorrow"}]}}"#,
        r#"{"type":["system"],"subtype":7}"#,
        r#"{"type":"result","type":"result","subtype":"success"}"#,
        r#"{"type":"result","subtype":"success","is_error":"x","is_error":false}"#,
        r#"{"type":"result","subtype":"success","is_error":false,"is_error":"x"}"#,
        r#"{"type":"user","message":{"content":"a"},"uuid":1,"uuid":"b"}"#,
    ] {
        let output = Output::read(line.as_bytes()).unwrap();
        assert!(same_json(&output.to_line(), line), "{line} became {}", output.to_line());
    }
    let Ok(Output::User(user)) =
        Output::read(br#"{"type":"user","message":{"role":"user","content":"abc"}}"#)
    else {
        panic!()
    };
    assert!(matches!(user.message.content, Content::Text(text) if text.is("abc")));
}

#[test]
fn one_odd_entry_does_not_hide_the_others() {
    let line = r#"{"type":"result","subtype":"success","permission_denials":[{"tool_name":"Write"},{"tool":"odd"},null]}"#;
    let Ok(Output::Result(result)) = Output::read(line.as_bytes()) else { panic!() };
    let denials = result.permission_denials.as_ref().unwrap();
    assert_eq!(denials.len(), 3);
    assert!(denials[0].known().unwrap().tool_name.is("Write") && denials[1].known().is_none());
    assert!(same_json(&Output::Result(result).to_line(), line));
}

#[test]
fn a_narrowed_permission_is_written_narrowed_whatever_stood_there() {
    let update = r#"{"type":"addRules","destination":7,"rules":[]}"#;
    let mut update: PermissionUpdate<'_> = Field::read(Json::parse(update).unwrap()).unwrap();
    assert_eq!(update.destination, None);
    update.destination = Some(Text::new("session"));
    assert!(same_json(&line(&update), r#"{"type":"addRules","destination":"session","rules":[]}"#));
}

#[test]
fn the_small_readings_say_what_they_are_named_after() {
    let block = |content: &str| {
        let line = format!(r#"{{"tool_use_id":"t","content":{content}}}"#);
        let block: ToolResultBlock<'_> = Field::read(Json::parse(&line).unwrap()).unwrap();
        block.text()
    };
    assert_eq!(block(r#""plain""#), "plain");
    assert_eq!(block(r#"[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]"#), "a\nb");
    assert_eq!(block("5"), "");
    let line = r#"{"content":"x","usage":{"input_tokens":10,"output_tokens":5}}"#;
    let message: Message<'_> = Field::read(Json::parse(line).unwrap()).unwrap();
    assert_eq!(message.tokens(), Tokens { input: 10, output: 5 });
    let reply = |subtype: &str| {
        let line = format!(r#"{{"subtype":"{subtype}","request_id":"r"}}"#);
        let reply: ControlReply<'_> = Field::read(Json::parse(&line).unwrap()).unwrap();
        reply.is_success()
    };
    assert!(reply("success") && !reply("error"));
}

#[test]
fn an_image_is_told_by_its_bytes_and_written_as_claude_was_seen_to_take_it() {
    let seen = recorded("a6_image_block.2.1.325.jsonl", Wire::ClaudeIn, "image/png");
    let data = seen.split("\"data\": \"").nth(1).unwrap().split('"').next().unwrap();
    let file = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, data).unwrap();
    let image = Image::from_bytes(&file).unwrap();
    let ours = UserMessage::blocks("What is this?", vec![image.block()], "u").to_line();
    let theirs = seen.replacen('{', r#"{"uuid":"u","#, 1);
    assert!(same_json(&ours, &theirs), "{ours}\n{theirs}");
    let kinds: [(&[u8], &str); 3] = [
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
    ];
    for (bytes, kind) in kinds {
        assert!(line(&Image::from_bytes(bytes).unwrap().block()).contains(kind), "{kind}");
    }
    assert_eq!(Image::from_bytes(b"#!/bin/sh"), Err(UnknownImage));
    assert_eq!(Image::from_bytes(b""), Err(UnknownImage));
}

fn asked(input: &str) -> Result<AskUserQuestion<'static>, codec::json::Wrong> {
    AskUserQuestion::read(Json::parse(input).unwrap()).map(IntoOwned::into_owned)
}

fn option(number: usize) -> Answer {
    Answer { options: vec![number], text: None }
}

#[test]
fn answers_go_back_as_claude_was_seen_to_take_them() {
    let request = recorded("c1s_ask_single_stdio.2.1.325.jsonl", Wire::ClaudeOut, "can_use_tool");
    let Ok(Output::ControlRequest(request)) = Output::read(request.as_bytes()) else { panic!() };
    let codec::claude::ControlBody::CanUseTool(tool) = &request.request else { panic!() };
    let questions = AskUserQuestion::read(tool.input.clone()).unwrap();
    let answered = questions.answered(&[option(1)]).unwrap();
    let seen = recorded("c1s_ask_single_stdio.2.1.325.jsonl", Wire::ClaudeIn, "answers");
    assert!(seen.contains(r#""answers": {"Which database should we use?": "SQLite"}"#));
    assert!(same_json(&control_success(&request.request_id, &Decision::allow(answered)), &seen));
}

#[test]
fn several_choices_are_joined_and_what_was_written_comes_last() {
    let input = r#"{"questions":[{"question":"Q \"1\"?","options":[{"label":"A, B"},{"label":"C"}],"multiSelect":true}],"metadata":{"x":1}}"#;
    let answer = Answer { options: vec![1, 0], text: Some("my\n\"own\"".to_owned()) };
    let back = asked(input).unwrap().answered(&[answer]).unwrap();
    assert_eq!(answers_in(&back), [("Q \"1\"?".to_owned(), "C, A, B, my\n\"own\"".to_owned())]);
    assert!(back.raw().contains(r#""metadata":{"x":1}"#), "all other members are kept");
}

#[test]
fn questions_with_the_same_text_lose_no_answer() {
    let question = r#"{"question":"Same","options":[{"label":"A"},{"label":"B"}]}"#;
    let input = format!(r#"{{"questions":[{question},{question}]}}"#);
    let back = asked(&input).unwrap().answered(&[option(1), option(0)]).unwrap();
    assert_eq!(answers_in(&back), [("Same".to_owned(), "B, A".to_owned())]);
}

#[test]
fn what_cannot_be_answered_is_an_error_with_its_place() {
    let complaint = |input: &str| asked(input).unwrap_err().to_string();
    assert_eq!(complaint(r#"{"questions":[]}"#), "questions must hold at least one question");
    assert_eq!(complaint("{}"), "questions is missing");
    assert_eq!(complaint("null"), "it must be an object");
    assert_eq!(complaint(r#"{"questions":[{}]}"#), "questions[0].question is missing");
    let empty = r#"{"questions":[{"question":"Q","options":[]}]}"#;
    assert_eq!(complaint(empty), "questions[0].options must hold at least one option");
    let many = |count: usize| {
        let options = vec![r#"{"label":"A"}"#; count].join(",");
        format!(r#"{{"questions":[{{"question":"Q","options":[{options}]}}]}}"#)
    };
    assert!(asked(&many(50)).is_ok());
    assert_eq!(complaint(&many(51)), "questions[0].options holds more than 50");
}

#[test]
fn an_answer_must_be_one_that_the_question_offers() {
    let one = asked(r#"{"questions":[{"question":"Q","options":[{"label":"A"},{"label":"B"}]}]}"#).unwrap();
    let several = asked(
        r#"{"questions":[{"question":"Q","options":[{"label":"A"},{"label":"B"}],"multiSelect":true}]}"#,
    )
    .unwrap();
    let answer = |options: &[usize], text: Option<&str>| {
        [Answer { options: options.to_vec(), text: text.map(str::to_owned) }]
    };
    for good in [answer(&[1], None), answer(&[], Some("own"))] {
        assert!(one.answered(&good).is_ok() && several.answered(&good).is_ok(), "{good:?}");
    }
    assert!(several.answered(&answer(&[1, 0], Some("own"))).is_ok());
    assert!(one.answered(&answer(&[1, 0], None)).is_err(), "only one may be chosen");
    assert!(one.answered(&answer(&[1], Some("own"))).is_err(), "nor one and a text");
    for bad in [
        answer(&[2], None),
        answer(&[0, 0], None),
        answer(&[], None),
        answer(&[], Some(" ")),
        answer(&[0], Some("")),
    ] {
        assert!(one.answered(&bad).is_err() && several.answered(&bad).is_err(), "{bad:?}");
    }
    assert!(one.answered(&[]).is_err(), "no answer at all");
}

#[test]
fn the_asker_cannot_answer_its_own_question() {
    let input = r#"{"questions":[{"question":"Deploy?","options":[{"label":"Yes"},{"label":"No"}]}],"answers":{"Deploy?":"Yes"},"\u0072esponse":"Yes, deploy","annotations":{"Deploy?":{"notes":"Yes"}},"metadata":1}"#;
    let back = asked(input).unwrap().answered(&[option(1)]).unwrap();
    let expected = r#"{"questions":[{"question":"Deploy?","options":[{"label":"Yes"},{"label":"No"}]}],"metadata":1,"answers":{"Deploy?":"No"}}"#;
    assert!(same_json(back.raw(), expected), "{back:?}");
    assert_eq!(answers_in(&back), [("Deploy?".to_owned(), "No".to_owned())]);
}

#[test]
fn the_permission_tool_over_mcp_is_understood_in_every_recording() {
    let (mut calls, mut decisions) = (0, 0);
    for line in files(&["claude"]).iter().flat_map(|path| lines(path)).filter(|line| line.wire == Wire::Mcp) {
        let rpc = Rpc::read(&line.bytes).unwrap();
        assert!(!rpc.says_nothing(), "{rpc:?}");
        calls += usize::from(rpc.approval_call().is_some());
        decisions += usize::from(rpc.decision().is_some());
    }
    assert!(calls >= decisions && decisions > 20, "{calls} calls, {decisions} decisions");
}

proptest! {
    #[test]
    fn any_typed_line_arrives_as_it_was_typed(text in any::<String>()) {
        let line = UserMessage::text(&text, "u").to_line();
        prop_assert!(!line.contains('\n'), "one line");
        let sent: serde_json::Value = serde_json::from_str(&line).unwrap();
        prop_assert_eq!(sent["message"]["content"].as_str(), Some(text.as_str()));
    }
}
