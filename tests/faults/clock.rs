//! A process that was stopped: what has expired fails once, what has not lives on.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::support::client::{assert_answered, assert_unanswered};
use crate::support::serve::Serve;

#[test]
fn f120_f135_after_a_stop_what_has_expired_fails_once_and_the_rest_lives() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    client.confirm_within("short", 300);
    client.confirm_within("long", 600_000);
    client.confirm("for ever");
    let [short, long, ever] = ["short", "long", "for ever"].map(|text| desk.prompt_about(text));
    serve.signal(Signal::STOP);
    client.silent_for(Duration::from_millis(1500));
    serve.signal(Signal::CONT);
    assert_unanswered(&client.response("short"), "timed_out", "Prompt request timed out after 300ms");
    assert_eq!(desk.withdrawn(&short), "timed_out");
    for asked in [long, ever] {
        desk.answer(&asked, &json!(true));
        assert_answered(&client.response(&asked.text), &json!(true));
    }
    client.heard_nothing_else();
    serve.journal().every_question_ended_once();
}

#[test]
fn f135_what_is_asked_while_it_is_stopped_is_answered_afterwards() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    serve.signal(Signal::STOP);
    let mut late = serve.client();
    client.confirm("a");
    late.confirm("b");
    late.silent_for(Duration::from_millis(200));
    serve.signal(Signal::CONT);
    for (client, id) in [(&mut client, "a"), (&mut late, "b")] {
        let asked = desk.prompt_about(id);
        desk.answer(&asked, &json!(true));
        assert_answered(&client.response(id), &json!(true));
    }
}
