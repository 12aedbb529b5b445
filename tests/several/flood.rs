//! Many agents and many questions, answered from another shell, at random speed and in random order: none is lost, none
//! doubled, and each agent hears what was said to its own.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::journal::Journal;
use crate::support::launch::Launch;
use crate::support::random::Random;
use crate::support::temp::{Temp, all_below};
use crate::support::wait::eventually;

const AGENTS: usize = 8;
const EACH: usize = 25;
const RUNS: u64 = 30;

/// Asks up to three things at once, and writes down what it is told of each, in the order in which it hears it.
const AGENT: &str = r#"#!/bin/sh
case "$1" in --version) echo '2.1.325 (Claude Code)'; exit;; --help) exit;; esac
read -r line; echo '{"type":"system","subtype":"init","session_id":"s"}'
name=${line#*name-}; name=${name%%\"*}
asked=0; open=0; told=0
while [ $told -lt EACH ]; do
  while [ $open -lt 3 ] && [ $asked -lt EACH ]; do
    asked=$((asked + 1)); open=$((open + 1))
    echo '{"type":"control_request","request_id":"'$name'-'$asked'","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"touch '$name'-'$asked'"},"tool_use_id":"t'$asked'"}}'
  done
  read -r line || exit 1
  id=${line#*\"request_id\":\"}; id=${id%%\"*}
  case "$line" in *'"behavior":"allow"'*) said=true;; *) said=false;; esac
  echo "$id $said" >> "told-$name"
  told=$((told + 1)); open=$((open - 1))
done
echo '{"type":"result","subtype":"success","is_error":false,"result":"ok","num_turns":1,"session_id":"s"}'
cat > /dev/null
"#;

fn agent(folder: &Temp) -> PathBuf {
    let path = folder.path("agent");
    std::fs::write(&path, AGENT.replace("EACH", &EACH.to_string())).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// A person in another shell, who looks what is open and answers some of it.
struct Shell {
    client: Client,
    random: Random,
    /// what was said about each command, by the run's own word
    said: BTreeMap<String, bool>,
}

impl Shell {
    fn request(&mut self, request: &Value) -> Value {
        self.client.send(request);
        self.client.take("a reply", |_| true)
    }

    /// Answers one of what is open; nothing if nothing is.
    fn answers_one(&mut self) -> Option<()> {
        let ps = self.request(&json!({"type": "ps"}));
        let open = ps["questions"].as_array().unwrap();
        let count = u64::try_from(open.len()).unwrap();
        let question = open.get(usize::try_from(self.random.next().checked_rem(count)?).unwrap())?;
        let command = question["tool"]["input"]["command"].as_str().unwrap().to_owned();
        let agent = command.strip_prefix("touch ").unwrap().split('-').next().unwrap().to_owned();
        assert_eq!(question["path"], format!("name-{agent}"), "who asks is who it is");
        let allow = self.random.percent(50);
        let reply =
            self.request(&json!({"type": "answer", "key": question["key"], "value": {"allow": allow}}));
        assert_eq!(reply["type"], "ok", "{reply}");
        assert_eq!(self.said.insert(command, allow), None, "asked twice");
        // Now and then somebody takes their time, and sometimes a second answer comes.
        if self.random.percent(10) {
            let again =
                self.request(&json!({"type": "answer", "key": question["key"], "value": {"allow": !allow}}));
            assert_eq!(again["reason"], "late", "{again}");
        }
        for _ in 0..self.random.below(4) {
            std::thread::yield_now();
        }
        Some(())
    }
}

fn one_life(seed: u64) {
    let folder = Arc::new(Temp::new());
    let launch = Launch::tim_in(Arc::clone(&folder), ["run", "--wait", "-j", "8", "--claude"]);
    let launch = launch.arg(agent(&folder)).within(folder.path("home"));
    let launch = (0..AGENTS).fold(launch, |launch, at| launch.arg("--task").arg(format!("name-{at}")));
    let journal = folder.path("run.jsonl");
    let mut tim = launch.arg("--journal").arg(&journal).start();
    let is_it = |path: &PathBuf| path.ends_with("control.sock");
    let socket = eventually("the socket", || all_below(&folder.path("run/tim")).into_iter().find(is_it));
    let mut shell =
        Shell { client: Client::connect(&socket), random: Random::new(seed), said: BTreeMap::new() };
    while shell.said.len() < AGENTS * EACH {
        eventually("a question", || shell.answers_one());
    }
    let (code, _, stderr) = tim.exit();
    assert_eq!(code, Some(0), "seed {seed}: {stderr}");
    for at in 0..AGENTS {
        let told = std::fs::read_to_string(folder.path(&format!("home/told-{at}"))).unwrap();
        let told: Vec<(&str, bool)> = told
            .lines()
            .map(|line| line.split_once(' ').unwrap())
            .map(|(id, said)| (id, said == "true"))
            .collect();
        assert_eq!(told.len(), EACH, "seed {seed}: {told:?}");
        for (id, said) in told {
            assert_eq!(shell.said.remove(&format!("touch {id}")), Some(said), "seed {seed}: {id}");
        }
    }
    assert!(shell.said.is_empty(), "answered and never heard: {:?}", shell.said);
    let journal = Journal::read(&journal);
    journal.every_question_ended_once();
    assert_eq!(journal.ends().len(), AGENTS * EACH);
}

#[test]
fn of_two_hundred_questions_of_eight_agents_none_is_lost_and_none_doubled() {
    let runs = std::env::var("TIM_FLOODS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(RUNS);
    for seed in 1..=runs {
        one_life(seed);
    }
}
