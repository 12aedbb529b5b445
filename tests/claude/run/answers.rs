//! A program answers for the person, or does not.

use serde_json::{Value, json};

use super::driver::{Done, Run};
use super::place::Place;
use super::{bash, touches};
use crate::claude::Claude;
use crate::messages_api::{Api, Kind, Script, main, sub};

with_both_versions![
    an_answer_command_allows,
    an_answer_command_says_no_and_the_model_hears_why_word_for_word,
    what_the_model_asks_the_person_the_answer_command_answers,
    two_subagents_ask_at_once_and_each_is_named,
    reads_outside_the_folder_are_asked_at_the_same_time,
];

with_the_new_version![
    an_answer_command_that_says_no_without_a_reason_is_named,
    an_answer_command_that_declines_has_decided,
    what_is_no_answer_leaves_it_undecided,
    what_is_not_answered_in_time_is_denied_in_words,
    what_nobody_saw_is_not_allowed_by_time,
];

/// A run with an answer command that keeps each question in a file of its own.
fn answered(claude: &Claude, api: &Api, command: &str, more: &[&str]) -> Done {
    let place = Place::new();
    let keeps = format!("cat > $(mktemp {}.XXXXXX); {command}", place.outside("asked").display());
    Run::at(&place, claude, api).args(&["--answer-command", &keeps]).args(more).args(&["go"]).done()
}

/// What the answer command was asked.
fn questions(done: &Done) -> Vec<Value> {
    let folder = done.place.outside("asked").parent().unwrap().to_owned();
    let all = std::fs::read_dir(folder).unwrap().flatten();
    let asked = all.filter(|entry| entry.file_name().to_str().unwrap().starts_with("asked."));
    asked.map(|entry| serde_json::from_slice(&std::fs::read(entry.path()).unwrap()).unwrap()).collect()
}

fn an_answer_command_allows(claude: &Claude) {
    let api = Api::start(touches("made"));
    let done = answered(claude, &api, r#"echo '{"allow":true}'"#, &[]);
    assert_eq!(done.exits(0).replays().stdout, "So be it.\n");
    assert!(done.place.path("made").exists());
    let asked = questions(&done);
    assert_eq!((asked.len(), &asked[0]["kind"]), (1, &"permission".into()));
    assert_eq!(asked[0]["tool"]["input"]["command"], "touch made");
    assert_eq!(asked[0]["path"], "claude");
}

fn an_answer_command_says_no_and_the_model_hears_why_word_for_word(claude: &Claude) {
    let api = Api::start(touches("made"));
    let why = r#"Not on a \"Monday\", 日曜だけ."#;
    let done = answered(claude, &api, &format!(r#"printf %s '{{"allow":false,"reason":"{why}"}}'"#), &[]);
    done.exits(0).replays();
    assert!(!done.place.path("made").exists());
    let told = api.requests_of(Kind::Main, 2)[1].tool_results();
    assert_eq!(told, [why.replace('\\', "")]);
}

fn an_answer_command_that_says_no_without_a_reason_is_named(claude: &Claude) {
    let api = Api::start(touches("made"));
    answered(claude, &api, r#"echo '{"allow":false}'"#, &[]).exits(0);
    let told = api.requests_of(Kind::Main, 2)[1].tool_results();
    assert_eq!(told, ["The program that answers for the person said no to this."]);
}

fn an_answer_command_that_declines_has_decided(claude: &Claude) {
    let api = Api::start(touches("made"));
    let done = answered(claude, &api, "exit 1", &[]);
    done.exits(0).replays();
    assert!(!done.place.path("made").exists());
    let told = api.requests_of(Kind::Main, 2)[1].tool_results();
    assert!(told[0].contains("declined"), "{told:?}");
}

fn what_is_no_answer_leaves_it_undecided(claude: &Claude) {
    for garbage in ["echo 'of course!'", r#"echo '"yes"'"#, "echo nonsense >&2; exit 7"] {
        let api = Api::start(touches("made"));
        let done = answered(claude, &api, garbage, &[]);
        done.exits(5).replays().complains("The answer command failed");
        assert!(!done.place.path("made").exists());
        let told = api.requests_of(Kind::Main, 2)[1].tool_results();
        assert!(told[0].starts_with("No one could answer this"), "{told:?}");
    }
}

fn what_the_model_asks_the_person_the_answer_command_answers(claude: &Claude) {
    let options = json!([{"label": "Tea", "description": "t"}, {"label": "Coffee", "description": "c"}]);
    let asked =
        json!([{"question": "What to drink?", "header": "Drink", "options": options, "multiSelect": false}]);
    let call = main().asked("go").tool("AskUserQuestion", json!({"questions": asked}));
    let api = Api::start(Script::new().turn(call).turn(main().told("Tea").text("Tea it is.")));
    let done = answered(claude, &api, r#"echo '{"answers":{"What to drink?":"Tea"}}'"#, &[]);
    assert_eq!(done.exits(0).replays().stdout, "Tea it is.\n");
    assert!(api.requests_of(Kind::Main, 2)[1].tool_results()[0].contains(r#""What to drink?"="Tea""#));
    assert_eq!(questions(&done)[0]["kind"], "question");
}

fn what_is_not_answered_in_time_is_denied_in_words(claude: &Claude) {
    let api = Api::start(touches("made"));
    let done = answered(claude, &api, "sleep 1000", &["--permission-timeout", "1s"]);
    done.exits(5).replays().complains("a longer --permission-timeout");
    assert!(!done.place.path("made").exists());
    let told = api.requests_of(Kind::Main, 2)[1].tool_results();
    assert_eq!(told, ["Nobody answered within 1 s, so this was not allowed."]);
    assert_eq!(done.journal().ends()[0].outcome, "timed_out");
    done.place.nothing_is_left();
}

fn what_nobody_saw_is_not_allowed_by_time(claude: &Claude) {
    let api = Api::start(touches("made"));
    let flags = ["--permission-timeout", "1s", "--dangerously-allow-on-timeout"];
    let done = answered(claude, &api, "sleep 1000", &flags);
    done.exits(5).replays();
    assert!(!done.place.path("made").exists());
}

/// Neither is answered before both were asked.
fn two_subagents_ask_at_once_and_each_is_named(claude: &Claude) {
    let work = |name: &str| {
        json!({"description": format!("Touch {name}"), "prompt": format!("touch {name}"),
            "subagent_type": "general-purpose", "run_in_background": false})
    };
    let script = Script::new()
        .turn(main().asked("go").tool("Agent", work("left")).tool("Agent", work("right")))
        .turn(sub().asked("touch left").tool("Bash", bash("touch left")))
        .turn(sub().asked("touch right").tool("Bash", bash("touch right")))
        .turn(sub().always().text("Touched."))
        .turn(main().always().text("All done."));
    let api = Api::start(script);
    let done = answered(claude, &api, &all_before_any(2), &[]);
    done.exits(0).replays();
    assert!(done.place.path("left").exists() && done.place.path("right").exists());
    let mut names: Vec<String> =
        questions(&done).iter().map(|asked| asked["tool"]["agent_name"].to_string()).collect();
    names.sort();
    assert_eq!(names.len(), 2);
    assert!(names[0].contains("Touch left") && names[1].contains("Touch right"), "{names:?}");
    done.journal().every_question_ended_once();
}

/// Waits until so many questions were asked, then allows. It stands in the folder that the agent works in.
fn all_before_any(number: usize) -> String {
    let asked = format!(r"[ $(ls .. | grep -c '^asked\.') -ge {number} ]");
    format!(
        r#"for i in $(seq 1500); do {asked} && break; sleep 0.02; done; {asked} && echo '{{"allow":true}}'"#
    )
}

fn reads_outside_the_folder_are_asked_at_the_same_time(claude: &Claude) {
    let place = Place::new();
    let reads = ["a", "b", "c"].map(|name| {
        let path = place.outside("home").join(name);
        std::fs::write(&path, format!("text of {name}")).unwrap();
        json!({"file_path": path})
    });
    let turn = reads.into_iter().fold(main().asked("go"), |turn, read| turn.tool("Read", read));
    let api = Api::start(Script::new().turn(turn).turn(main().text("Read.")));
    let keeps = format!("cat > $(mktemp {}.XXXXXX); {}", place.outside("asked").display(), all_before_any(3));
    let done = Run::at(&place, claude, &api).args(&["--answer-command", &keeps, "go"]).done();
    assert_eq!(done.exits(0).replays().stdout, "Read.\n");
    let told = api.requests_of(Kind::Main, 2)[1].tool_results();
    assert!(told.len() == 3 && told.iter().all(|text| text.contains("text of")), "{told:?}");
    assert_eq!(done.journal().ends().len(), 3);
}
