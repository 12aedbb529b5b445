//! Two things at the same moment: whichever comes first, there is one end, and the record says the same as the wire.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::random::Random;
use crate::support::serve::Serve;
use crate::support::times;
use crate::support::wait::{now, spin};

const SEED: u64 = 6;

#[test]
fn f006_a_client_that_closes_at_the_moment_of_its_answer_leaves_one_record() {
    let (serve, mut desk) = Serve::under_test();
    let mut random = Random::new(SEED);
    let rounds = times("TIM_RACES", 200);
    for round in 0..rounds {
        let mut client = serve.client();
        client.confirm(&format!("q{round}"));
        let asked = desk.prompt_about(&format!("q{round}"));
        let gap = Duration::from_micros(random.below(1000));
        if random.percent(50) {
            desk.answer(&asked, &json!(true));
            spin(gap);
            drop(client);
        } else {
            drop(client);
            spin(gap);
            desk.answer(&asked, &json!(true));
        }
    }
    let mut client = serve.client();
    client.confirm("after");
    let asked = desk.prompt_about("after");
    desk.answer(&asked, &json!(true));
    client.response("after");
    let journal = serve.journal();
    journal.every_question_ended_once();
    let ends = journal.ends();
    assert_eq!(ends.len(), rounds + 1);
    let count = |outcome: &str| ends.iter().filter(|end| end.outcome == outcome).count();
    println!("{} answered, {} cancelled", count("answered"), count("cancelled"));
    assert_eq!(count("answered") + count("cancelled"), rounds + 1);
}

#[test]
fn f029_an_answer_at_the_moment_of_the_timeout_gives_one_end() {
    const DEADLINE: u64 = 15;
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    let mut random = Random::new(SEED);
    let rounds = times("TIM_RACES", 200);
    let mut told: Vec<Value> = Vec::new();
    for round in 0..rounds {
        let id = format!("q{round}");
        let start = now();
        client.confirm_within(&id, DEADLINE);
        let asked = desk.prompt_about(&id);
        let moment = Duration::from_micros(DEADLINE * 1000 - 1000 + random.below(2500));
        spin(moment.saturating_sub(start.elapsed()));
        desk.answer(&asked, &json!(true));
        told.push(client.response(&id));
    }
    client.confirm("after");
    let asked = desk.prompt_about("after");
    desk.answer(&asked, &json!(true));
    client.response("after");
    client.heard_nothing_else();
    let journal = serve.journal();
    journal.every_question_ended_once();
    for (end, response) in journal.ends().iter().zip(&told) {
        assert_eq!((&json!(end.outcome), &end.id), (&response["outcome"], &response["requestId"]));
        assert!(["answered", "timed_out"].contains(&end.outcome.as_str()), "{response}");
    }
    let answered = told.iter().filter(|response| response["outcome"] == "answered").count();
    println!("{answered} answered, {} timed out", told.len() - answered);
}
