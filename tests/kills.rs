//! kill -9 at random moments: what a client or an agent was told is on record, nobody is told twice, nobody is left, and
//! the next start works.
//!
//! `TIM_KILLS` says how often, `TIM_SEED` from which seed: `TIM_KILLS=1000 cargo test --release --test kills`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]
#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]
#![expect(
    clippy::disallowed_methods,
    reason = "the test is outside: it starts processes and looks at its watch"
)]

#[path = "kills/agents.rs"]
mod agents;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "agents/stub.rs"]
mod stub;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use support::client::{Client, prompt};
use support::desk::{Asked, Parent};
use support::journal::Journal;
use support::launch::Launch;
use support::random::Random;
use support::serve::Serve;
use support::temp::Temp;
use support::times;
use support::wait::spin;

const CLIENTS: usize = 4;
const EACH: usize = 8;

/// What the parent says to a question: mostly something, sometimes nothing, sometimes something that is no answer.
fn say(random: &mut Random, asked: &Asked) -> Option<Value> {
    match (random.below(10), asked.kind.as_str()) {
        (0, _) => None,
        (1, "confirm") => Some(json!("no answer to this")),
        (_, "confirm") => Some(json!(random.percent(50))),
        (_, "checkbox") => Some(json!([1])),
        _ => Some(json!(format!("text {}", random.next()))),
    }
}

/// Asks several questions of several kinds, some with a deadline, one of them twice.
fn ask_all(client: &mut Client, random: &mut Random) -> bool {
    (0..EACH).all(|number| {
        let (kind, config) = match random.below(3) {
            0 => ("confirm", json!({"message": "?"})),
            1 => ("input", json!({"message": "?"})),
            _ => ("checkbox", json!({"message": "?", "choices": [{"name": "a", "value": 1}]})),
        };
        let timeout = random.percent(30).then(|| 1 + random.below(20));
        client.try_send(&prompt(&format!("q{number}"), kind, &config, timeout))
    })
}

/// All that a client was told, until its connection ended.
fn told(mut client: Client) -> Vec<Value> {
    client.end("the server is dead")
}

/// One life: started, asked, killed. What each client was told.
fn one_life(folder: &Arc<Temp>, paths: (&Path, &Path), random: &mut Random) -> Vec<Vec<Value>> {
    let launch =
        Launch::tim_in(Arc::clone(folder), ["serve", "--socket"]).arg(paths.0).arg("--journal").arg(paths.1);
    let (mut serve, desk) = Serve::under_parent(&Parent::open(), launch);
    let mut answers = Random::new(random.next());
    desk.answering(move |asked| say(&mut answers, asked));
    let clients: Vec<Client> = (0..CLIENTS).map(|_| serve.client()).collect();
    let lives: Vec<_> = clients
        .into_iter()
        .map(|mut client| {
            let mut random = Random::new(random.next());
            std::thread::spawn(move || {
                ask_all(&mut client, &mut random);
                told(client)
            })
        })
        .collect();
    spin(Duration::from_micros(random.below(12_000)));
    serve.signal(Signal::KILL);
    serve.ended();
    lives.into_iter().map(|life| life.join().unwrap()).collect()
}

/// No client was told twice, or of something that it did not ask.
fn told_at_most_once(told: &[Value]) {
    let mut seen = BTreeSet::new();
    for line in told {
        assert_eq!(line["type"], "prompt_response", "{line}");
        let id = line["requestId"].as_str().unwrap();
        assert!((0..EACH).any(|number| id == format!("q{number}")), "never asked: {line}");
        assert!(seen.insert(id), "told twice: {line}");
    }
}

/// Everything that any client was told is on record: the same end with the same value, and the line itself.
fn on_record(journal: &Journal, told: &[Vec<Value>]) {
    let ends = journal.ends();
    let mut sent: Vec<Value> =
        journal.lines("to").into_iter().map(|(_, line)| serde_json::from_str(line).unwrap()).collect();
    let mut ended: Vec<(Value, String, Option<Value>)> =
        ends.into_iter().map(|end| (end.id, end.outcome, end.value)).collect();
    for line in told.iter().flatten() {
        let end = (
            line["requestId"].clone(),
            line["outcome"].as_str().unwrap().to_owned(),
            line.get("value").cloned(),
        );
        let at = ended.iter().position(|recorded| *recorded == end);
        ended.swap_remove(at.unwrap_or_else(|| panic!("told, but not on record: {line}")));
        let at = sent.iter().position(|recorded| recorded == line);
        sent.swap_remove(at.unwrap_or_else(|| panic!("sent, but not on record: {line}")));
    }
}

#[test]
fn t61_what_a_client_was_told_before_a_kill_is_on_record() {
    let seed = times("TIM_SEED", 61) as u64;
    let kills = times("TIM_KILLS", 30);
    println!("{kills} kills from seed {seed}");
    let mut random = Random::new(seed);
    let folder = Arc::new(Temp::new());
    let socket = folder.folder("sockets").join("s");
    let (mut heard, mut torn) = (0, 0);
    for round in 0..kills {
        let file: PathBuf = folder.path(&format!("{round}.jsonl"));
        let told = one_life(&folder, (&socket, &file), &mut random);
        told.iter().for_each(|lines| told_at_most_once(lines));
        let journal = Journal::read(&file);
        on_record(&journal, &told);
        heard += told.iter().map(Vec::len).sum::<usize>();
        torn += usize::from(journal.torn > 0);
        std::fs::remove_file(&file).unwrap();
    }
    println!("{heard} answers were told, {torn} records have a torn last line");
    assert!(heard > 0, "no life was long enough");
}
