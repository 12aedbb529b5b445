//! Many at once: ten thousand questions.

use serde_json::json;

use crate::support::client::{Client, assert_answered, assert_refused};
use crate::support::desk::Desk;
use crate::support::random::Random;
use crate::support::serve::Serve;
use crate::support::wait::eventually;

const CLIENTS: usize = 100;
const EACH: usize = 100;

fn clients(serve: &Serve) -> Vec<Client> {
    (0..CLIENTS).map(|_| serve.client()).collect()
}

/// Answers most of what is asked, with the number in it.
fn answer_most(desk: Desk) {
    let mut random = Random::new(35);
    desk.answering(move |asked| random.percent(70).then(|| json!(asked.text)));
}

#[test]
fn f035_of_ten_thousand_questions_none_is_lost_and_none_answered_twice() {
    let (mut serve, desk) = Serve::under_test();
    answer_most(desk);
    let mut clients = clients(&serve);
    let mut random = Random::new(36);
    for number in 0..EACH {
        for client in &mut clients {
            let config = json!({"message": format!("q{number}")});
            let timeout = 500 + random.below(1000);
            client.send(&crate::support::client::prompt(
                &format!("q{number}"),
                "input",
                &config,
                Some(timeout),
            ));
        }
    }
    let living = clients.split_off(CLIENTS / 5);
    for mut leaver in clients {
        leaver.confirm_within("read so far", 0);
        assert_refused(&leaver.response("read so far"), "invalid");
    }
    for mut client in living {
        for number in 0..EACH {
            let id = format!("q{number}");
            let response = client.response(&id);
            match response["outcome"].as_str().unwrap() {
                "answered" => assert_answered(&response, &json!(id)),
                outcome => assert_eq!(outcome, "timed_out", "{response}"),
            }
        }
        client.heard_nothing_else();
    }
    assert_eq!(serve.finish(), Some(143));
    let journal = serve.journal();
    journal.every_question_ended_once();
    let ends = journal.ends().into_iter().filter(|end| end.id != "read so far");
    assert_eq!(ends.count(), CLIENTS * EACH);
}

#[test]
fn t21_the_ten_thousand_and_first_question_of_all_is_refused() {
    let (serve, desk) = Serve::under_test();
    desk.answering(|_| None);
    let mut clients: Vec<Client> = (0..40).map(|_| serve.client()).collect();
    for client in &mut clients {
        (0..250).for_each(|number| client.confirm(&format!("q{number}")));
        client.confirm("q0");
        assert_refused(&client.response("q0"), "duplicate");
    }
    assert_refused(&serve.client().round_trip("one more"), "too_many");
    drop(clients.pop());
    let mut client = serve.client();
    eventually("there is room again", || {
        client.confirm_within("room?", 50);
        (client.response("room?")["outcome"] == "timed_out").then_some(())
    });
}
