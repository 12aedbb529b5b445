//! Eight scripts and three real Claude Codes in one run, two hundred questions, answered from another shell at random.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::json;

use super::bash;
use super::driver::Run;
use super::place::Place;
use crate::claude::Claude;
use crate::messages_api::{Api, Script, main};
use crate::support::client::Client;
use crate::support::random::Random;
use crate::support::temp::all_below;
use crate::support::wait::eventually;

with_both_versions![of_two_hundred_questions_of_eleven_agents_none_is_lost_and_none_doubled,];

const SCRIPTS: usize = 8;
const EACH: usize = 23;
const REAL: usize = 3;
const OF_REAL: usize = 16;

/// The first three that are started are real.
const CHOICE: &str = r#"#!/bin/sh
case "$1" in --version|--help) exec REAL "$@";; esac
for slot in 1 2 3; do mkdir ../tmp/slot-$slot 2> /dev/null && exec REAL "$@"; done
read -r line; echo '{"type":"system","subtype":"init","session_id":"s"}'
name=${line#*name-}; name=${name%%\"*}; asked=0
while [ $asked -lt EACH ]; do
  asked=$((asked + 1))
  echo '{"type":"control_request","request_id":"q'$asked'","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"touch '$name'-'$asked'"},"tool_use_id":"t'$asked'"}}'
  read -r line || exit 1
  case "$line" in *'"q'$asked'"'*'"behavior":"allow"'*) touch $name-$asked;; *'"q'$asked'"'*) ;; *) exit 1;; esac
done
echo '{"type":"result","subtype":"success","is_error":false,"result":"ok","num_turns":1,"session_id":"s"}'
cat > /dev/null
"#;

/// Whoever of the real ones comes next makes the next file.
fn script() -> Script {
    let first = (1..=REAL).fold(Script::new(), |script, number| {
        script.turn(main().asked("name-").tool("Bash", bash(&format!("touch r-{number}"))))
    });
    let more = (REAL + 1..=OF_REAL)
        .fold(first, |script, number| script.turn(main().tool("Bash", bash(&format!("touch r-{number}")))));
    more.turn(main().times(REAL).text("Enough."))
}

fn of_two_hundred_questions_of_eleven_agents_none_is_lost_and_none_doubled(claude: &Claude) {
    let (place, api) = (Place::new(), Api::start(script()));
    let text = CHOICE.replace("REAL", claude.binary.to_str().unwrap()).replace("EACH", &EACH.to_string());
    let choice = place.program("choice", &text);
    let names: Vec<String> = (0..SCRIPTS + REAL).map(|at| format!("name-{at}")).collect();
    let tasks: Vec<&str> = names.iter().flat_map(|name| ["--task", name.as_str()]).collect();
    let run = Run::at(&place, claude, &api).env("TIM_CLAUDE", choice);
    let going = run.args(&["--wait", "-j", "11"]).args(&tasks).start();
    let is_it = |path: &PathBuf| path.ends_with("control.sock");
    let socket = eventually("the socket", || all_below(&place.outside("run/tim")).into_iter().find(is_it));
    let said = answer_all(&mut Client::connect(&socket), &mut Random::new(claude.version as u64 + 7));
    let done = going.done();
    done.exits(0);
    for (command, allow) in &said {
        let file = place.path(command.strip_prefix("touch ").unwrap());
        assert_eq!(file.exists(), *allow, "{command}");
    }
    let journal = done.journal();
    journal.every_question_ended_once();
    assert_eq!(journal.ends().len(), SCRIPTS * EACH + OF_REAL);
    done.replays();
    assert!(api.unscripted().is_empty(), "{:?}", api.unscripted());
}

/// Answers one of what is open, again and again; says what was said about each command.
fn answer_all(client: &mut Client, random: &mut Random) -> BTreeMap<String, bool> {
    let mut said = BTreeMap::new();
    while said.len() < SCRIPTS * EACH + OF_REAL {
        let question = eventually("a question", || {
            client.send(&json!({"type": "ps"}));
            let ps = client.take("what is open", |line| line["type"] == "ps");
            let open = ps["questions"].as_array().unwrap();
            let at = random.next().checked_rem(u64::try_from(open.len()).unwrap())?;
            open.get(usize::try_from(at).unwrap()).cloned()
        });
        let command = question["tool"]["input"]["command"].as_str().unwrap().to_owned();
        let allow = random.percent(50);
        client.send(&json!({"type": "answer", "key": question["key"], "value": {"allow": allow}}));
        let reply = client.take("a reply", |_| true);
        assert_eq!(reply["type"], "ok", "{reply}");
        assert_eq!(said.insert(command, allow), None, "asked twice");
    }
    said
}
