//! What the model asks the person in its own words, and its plans: by both ways on which Claude Code can ask.

use serde_json::{Value, json};

use super::driver::Run;
use crate::claude::Claude;
use crate::messages_api::{Script, main};

/// By which way it asks.
type Way = &'static [&'static str];
const PIPES: Way = &[];
pub(super) const MCP: Way = &["--permission-route", "mcp"];

/// Each of these on both ways.
macro_rules! both_ways {
    ($($test:ident($on_pipes:ident, $by_mcp:ident),)*) => {
        with_both_versions![$($on_pipes, $by_mcp,)*];
        $(
            fn $on_pipes(claude: &Claude) { $test(claude, PIPES); }
            fn $by_mcp(claude: &Claude) { $test(claude, MCP); }
        )*
    };
}

both_ways![
    one_choice(one_of_several_is_chosen_on_the_pipes, one_of_several_is_chosen_by_mcp),
    several_choices(
        several_are_chosen_and_joined_with_own_words_last_on_the_pipes,
        several_are_chosen_and_joined_with_own_words_last_by_mcp
    ),
    own_words(
        own_words_with_quotes_and_lines_arrive_on_the_pipes,
        own_words_with_quotes_and_lines_arrive_by_mcp
    ),
    two_in_one(
        two_questions_in_one_have_a_way_back_on_the_pipes,
        two_questions_in_one_have_a_way_back_by_mcp
    ),
    two_at_once(
        two_that_ask_at_once_each_get_their_own_answer_on_the_pipes,
        two_that_ask_at_once_each_get_their_own_answer_by_mcp
    ),
    declined(a_question_can_be_declined_on_the_pipes, a_question_can_be_declined_by_mcp),
    carried_out(a_plan_is_shown_and_carried_out_on_the_pipes, a_plan_is_shown_and_carried_out_by_mcp),
    sent_back(a_plan_is_sent_back_with_a_reason_on_the_pipes, a_plan_is_sent_back_with_a_reason_by_mcp),
];

with_the_new_version![a_question_that_nobody_answers_in_time_is_denied,];

fn start(claude: &Claude, script: Script, way: Way, more: &[&str]) -> Run {
    Run::start(claude, script, &[way, more, &["go"]].concat())
}

fn question(text: &str, header: &str, labels: &[&str], is_multiple: bool) -> Value {
    let option = |label: &&str| json!({"label": label, "description": format!("about {label}")});
    let options: Vec<Value> = labels.iter().map(option).collect();
    json!({"question": text, "header": header, "options": options, "multiSelect": is_multiple})
}

fn asks(questions: &[Value]) -> Script {
    let call = main().asked("go").tool("AskUserQuestion", json!({"questions": questions}));
    Script::new().turn(call).turn(main().text("I see."))
}

/// Waits for the other question of two: its keys count after a moment.
fn comes(run: &Run, which: &str) {
    run.until(which, |picture| picture.has(which) && picture.is_bold("1-3 or"));
}

/// What the model was told of the first tool that it used.
fn told(run: &Run) -> String {
    run.asked(2).tool_results().swap_remove(0)
}

fn one_choice(claude: &Claude, way: Way) {
    let mut one = question("Which database?", "Database", &["PostgreSQL", "SQLite"], false);
    one["options"][1]["preview"] = json!("CREATE TABLE job (id INTEGER);");
    let mut run = start(claude, asks(&[one]), way, &[]);
    let asked = run.armed("1-3 or");
    assert!(asked.has("? claude asks: Database") && asked.has("  Which database?"), "{asked}");
    assert!(asked.has("    1  PostgreSQL   about PostgreSQL"), "nothing is marked:\n{asked}");
    assert!(asked.has("    3  Something else…"), "{asked}");
    run.types("\r");
    run.sees("Choose with 1-3");
    run.types("\x1b[B\x1b[B");
    run.sees("CREATE TABLE job (id INTEGER);");
    run.types("\r");
    run.ends_with(0);
    assert!(told(&run).contains(r#""Which database?"="SQLite""#), "{}", told(&run));
    run.assert_told(&["you answered        Database: SQLite", "I see.", "✓ done", "1 yes (you 1)"]);
}

fn several_choices(claude: &Claude, way: Way) {
    let one = question("Which sections?", "Sections", &["Intro, short", "Method", "End"], true);
    let mut run = start(claude, asks(&[one]), way, &[]);
    run.answers("1-4 or", "1");
    run.sees("1  [x] Intro, short");
    run.types("3");
    run.sees("3  [x] End");
    run.types("4");
    run.sees("your words ❯");
    run.types("an index");
    run.sees("an index");
    run.types("\r");
    run.sees("Enter sends 3");
    run.types("\r");
    run.ends_with(0);
    assert!(told(&run).contains(r#""Which sections?"="Intro, short, End, an index""#), "{}", told(&run));
}

fn own_words(claude: &Claude, way: Way) {
    let mut run = start(claude, asks(&[question("Name?", "Name", &["a", "b"], false)]), way, &[]);
    run.answers("1-3 or", "3");
    run.sees("your words ❯");
    run.types("say \"so\"\x1b\rnäh, 日曜");
    run.sees("näh, 日曜");
    run.types("\r");
    run.ends_with(0);
    assert!(told(&run).contains("\"Name?\"=\"say \"so\"\nnäh, 日曜\""), "{}", told(&run));
}

fn two_in_one(claude: &Claude, way: Way) {
    let questions =
        [question("First?", "One", &["a", "b"], false), question("Second?", "Two", &["c", "d"], true)];
    let mut run = start(claude, asks(&questions), way, &[]);
    run.answers("1-3 or", "1");
    comes(&run, "question 2 of 2");
    run.types("\x1b[D");
    comes(&run, "question 1 of 2");
    run.types("2");
    comes(&run, "question 2 of 2");
    run.types("1");
    run.sees("1  [x] c");
    run.types("\r");
    run.ends_with(0);
    let told = told(&run);
    assert!(told.contains(r#""First?"="b""#) && told.contains(r#""Second?"="c""#), "{told}");
}

fn two_at_once(claude: &Claude, way: Way) {
    let ask = |text: &str| json!({"questions": [question(text, "Same", &["yes", "no"], false)]});
    let both = main().asked("go").tool("AskUserQuestion", ask("One?")).tool("AskUserQuestion", ask("Two?"));
    let mut run = start(claude, Script::new().turn(both).turn(main().text("I see.")), way, &[]);
    for _ in 0..2 {
        let asked = run.armed("1-3 or");
        let (key, other) = if asked.has("  One?") { ("1", "  One?") } else { ("2", "  Two?") };
        run.types(key);
        run.sees_no(other);
    }
    run.ends_with(0);
    let told = run.asked(2).tool_results().concat();
    assert!(told.contains(r#""One?"="yes""#) && told.contains(r#""Two?"="no""#), "{told}");
}

fn declined(claude: &Claude, way: Way) {
    let mut run = start(claude, asks(&[question("Which?", "W", &["a", "b"], false)]), way, &[]);
    run.answers("1-3 or", "\x03");
    run.ends_with(0);
    assert!(told(&run).starts_with("The person declined to answer this."), "{}", told(&run));
    run.assert_told(&["you gave no answer", "I see.", "✓ done"]);
}

fn a_question_that_nobody_answers_in_time_is_denied(claude: &Claude) {
    for way in [PIPES, MCP] {
        let script = asks(&[question("Which?", "W", &["a", "b"], false)]);
        let mut run = start(claude, script, way, &["--question-timeout", "2s"]);
        run.sees("Which?");
        run.ends_with(5);
        assert_eq!(told(&run), "Nobody answered within 2 s, so this was not allowed.");
        run.assert_told(&["nobody for 2s", "I see.", "undecided", "a longer --question-timeout"]);
    }
}

const PLAN: &str = "# The plan\n\n1. Touch it\n2. Say so";

fn plans(then: &str) -> Script {
    let leave = main().asked("go").tool("ExitPlanMode", json!({"plan": PLAN}));
    Script::new().turn(leave).turn(main().text(then))
}

fn carried_out(claude: &Claude, way: Way) {
    let mut run = start(claude, plans("Done."), way, &["--permission-mode", "plan"]);
    let asked = run.armed("y carry it out");
    assert!(asked.has("? claude has a plan and wants to carry it out"), "{asked}");
    assert!(asked.has("    # The plan") && asked.has("    1. Touch it"), "{asked}");
    assert!(!asked.has("session"), "each plan is looked at:\n{asked}");
    run.types("y");
    run.ends_with(0);
    assert!(told(&run).contains("User has approved"), "{}", told(&run));
}

fn sent_back(claude: &Claude, way: Way) {
    let mut run = start(claude, plans("Another one, then."), way, &["--permission-mode", "plan"]);
    run.answers("t no, tell it why", "t");
    run.sees("tell it why ❯");
    run.types("test it first");
    run.sees("test it first");
    run.types("\r");
    run.ends_with(0);
    assert_eq!(told(&run), "test it first");
}
