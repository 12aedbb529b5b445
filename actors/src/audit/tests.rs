use std::collections::BTreeSet;

use codec::journal::{Direction, WireLine};
use codec::json::Json;
use codec::recording::{Direction as Pipe, Recorded};
use codec::tunnel::Scope;

use super::*;

const RUN: &str = r#""rec":"run","v":1,"id":"7f3c","seed":"s","writer":"tim""#;

/// A record of which each line is written without its number; the time counts with it.
fn decisions(records: &[&str]) -> Vec<Decision> {
    let mut audit = Audit::new();
    let mut all = Vec::new();
    for (at, record) in records.iter().enumerate() {
        let line = format!(r#"{{"seq":{at},"t":{},{record}}}"#, at * 10);
        all.extend(audit.hear(&Entry::read(line.as_bytes()).unwrap()));
    }
    all.extend(audit.end());
    all
}

fn from(line: &str) -> String {
    format!(r#""wire":"claude:main","dir":"from","line":{}"#, Json::of(line).raw())
}

fn uses(id: &str, tool: &str, input: &str, parent: &str) -> String {
    from(&format!(
        r#"{{"type":"assistant","message":{{"role":"assistant","content":[{{"type":"tool_use","id":"{id}","name":"{tool}","input":{input}}}]}},"parent_tool_use_id":{parent}}}"#
    ))
}

fn gave(id: &str, meta: &str) -> String {
    from(&format!(
        r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"x"}}]}}{meta}}}"#
    ))
}

fn meta(id: &str, decision: &str) -> String {
    format!(r#","tool_result_meta":[{{"id":"{id}","permission_decision":{decision}}}]"#)
}

const CAME: &str = r#""rec":"attach","wire":"claude:main","path":"claude""#;

fn asked(number: u64, tool: &str) -> String {
    format!(
        r#""rec":"ask","key":"7f3c.p{number}","kind":"permission","wire":"claude:main","path":"claude","requestId":"r{number}","tool":{tool},"for":"agent""#
    )
}

#[test]
fn an_answer_for_the_session_says_who_and_which_rules() {
    let tool =
        r#"{"name":"Bash","input":{"command":"git fetch origin --prune"},"reason":"why","tool_use_id":"u1"}"#;
    let end = r#""rec":"outcome","key":"7f3c.p1","outcome":"answered","source":"terminal","value":{"allow":true,"scope":"session","rule":"Bash(git fetch:*)"}"#;
    let all = decisions(&[RUN, CAME, &asked(1, tool), end]);
    let [one] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!((one.name, one.asked_ms, one.at_ms), (Name::Question(1), 20, 30));
    assert_eq!((one.path.as_str(), one.what.as_str()), ("claude", "git fetch origin --prune"));
    assert_eq!(one.request_id.as_deref(), Some("r1"));
    let expected = Answered {
        source: AnswerSource::Terminal,
        allowed: Some(true),
        scope: Scope::Session,
        rules: vec!["Bash(git fetch:*)".to_owned()],
        words: None,
    };
    assert_eq!(one.by, By::Answered(expected));
}

#[test]
fn what_claude_decided_by_itself_says_by_what() {
    for (decision, allowed, how) in [
        (r#"{"decision":"accept","source":"config","reason_type":"rule"}"#, true, Own::Rule),
        (r#"{"decision":"accept","source":"config","reason_type":"subcommandResults"}"#, true, Own::Parts),
        (r#"{"decision":"reject","source":"config","reason_type":"mode"}"#, false, Own::Mode),
        (r#"{"decision":"reject","source":"hook","reason_type":"hook"}"#, false, Own::Hook),
        (r#"{"decision":"accept","source":"user_temporary"}"#, true, Own::Elsewhere),
        (r#"{"decision":"accept","source":"config"}"#, true, Own::Unsaid),
        (
            r#"{"decision":"reject","source":"config","reason_type":"asyncAgent"}"#,
            false,
            Own::Other("asyncAgent".to_owned()),
        ),
    ] {
        let all = decisions(&[
            RUN,
            CAME,
            &uses("u1", "Bash", r#"{"command":"ls"}"#, "null"),
            &gave("u1", &meta("u1", decision)),
        ]);
        let [one] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!(one.by, By::Agent { allowed: Some(allowed), how }, "{decision}");
        assert_eq!((one.name, one.at_ms, one.what.as_str()), (Name::Use(1), 30, "ls"));
    }
}

#[test]
fn an_old_cli_tells_only_at_the_end_of_a_turn_what_was_denied() {
    let denied = from(
        r#"{"type":"result","subtype":"success","permission_denials":[{"tool_name":"Bash","tool_use_id":"u2"}]}"#,
    );
    let (one, two) = (uses("u1", "Read", "{}", "null"), uses("u2", "Bash", "{}", "null"));
    let all = decisions(&[RUN, CAME, &one, &two, &gave("u1", ""), &gave("u2", ""), &denied]);
    let by: Vec<_> = all.iter().map(|one| (one.name, one.by.allowed())).collect();
    assert_eq!(by, [(Name::Use(1), Some(true)), (Name::Use(2), Some(false))]);
}

#[test]
fn where_an_old_cli_is_gone_before_the_end_of_its_turn_nobody_knows_what_was_denied() {
    let all = decisions(&[RUN, CAME, &uses("u1", "Bash", "{}", "null"), &gave("u1", "")]);
    assert_eq!(all.first().map(|one| one.by.clone()), Some(By::Agent { allowed: None, how: Own::Unsaid }));
}

#[test]
fn a_tool_that_there_is_not_was_decided_by_nobody() {
    let result = from(
        r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"u1","is_error":true,"content":"<tool_use_error>No such tool available: Frob</tool_use_error>"}]}}"#,
    );
    let all = decisions(&[RUN, CAME, &uses("u1", "Frob", "{}", "null"), &result]);
    assert_eq!(all.first().map(|one| one.by.clone()), Some(By::Agent { allowed: None, how: Own::Invalid }));
}

#[test]
fn what_claude_denies_by_a_rule_of_the_run_is_the_word_of_that_rule() {
    let run = r#""rec":"run","v":1,"id":"7f3c","seed":"s","rules":{"allow":[],"deny":["Bash(touch:*)"],"root":"/w"}"#;
    let denied = r#"{"decision":"reject","source":"config","reason_type":"rule"}"#;
    let rule_of = |command: &str| {
        let used = uses("u1", "Bash", &format!(r#"{{"command":"{command}"}}"#), "null");
        let all = decisions(&[run, CAME, &used, &gave("u1", &meta("u1", denied))]);
        all.first().map(|one| one.by.clone())
    };
    let Some(By::Answered(by)) = rule_of("touch a") else { panic!("it was our rule") };
    assert_eq!((by.source, by.allowed), (AnswerSource::Rule, Some(false)));
    assert_eq!(by.rules, ["Bash(touch:*)"]);
    assert_eq!(rule_of("echo a"), Some(By::Agent { allowed: Some(false), how: Own::Rule }));
}

#[test]
fn nobody_on_another_wire_speaks_for_an_agent() {
    let other = |behalf: &str| {
        format!(
            r#""rec":"ask","key":"7f3c.p1","kind":"permission","wire":"tunnel:1","path":"claude","requestId":"r","tool":{{"name":"Bash","input":{{}},"tool_use_id":"u1"}}{behalf}"#
        )
    };
    let used = uses("u1", "Bash", r#"{"command":"ls"}"#, "null");
    let result = gave("u1", &meta("u1", r#"{"decision":"accept","source":"config","reason_type":"rule"}"#));
    let end =
        r#""rec":"outcome","key":"7f3c.p1","outcome":"answered","source":"terminal","value":{"allow":true}"#;
    let names = |behalf: &str| {
        let all = decisions(&[RUN, CAME, &other(behalf), &used, &result, end]);
        all.iter().map(|one| one.name).collect::<Vec<_>>()
    };
    assert_eq!(names(""), [Name::Use(1), Name::Question(1)]);
    assert_eq!(names(r#","for":"guest""#), [Name::Use(1), Name::Question(1)]);
    assert_eq!(names(r#","for":"agent""#), [Name::Question(1)], "the run's own bridge does");
}

#[test]
fn what_cannot_be_read_or_was_too_much_is_counted() {
    let mut audit = Audit::new();
    let (broken, text) = (from(r#"{"type":"assistant","#), from("just words"));
    for (at, record) in [RUN, CAME, &broken, &text].iter().enumerate() {
        let line = format!(r#"{{"seq":{at},"t":0,{record}}}"#);
        audit.hear(&Entry::read(line.as_bytes()).unwrap());
    }
    assert_eq!(audit.passed_over(), PassedOver { too_many: 0, unread: 1 });
    for number in 0..=MOST_OPEN as u64 {
        let line = format!(r#"{{"seq":9,"t":0,{}}}"#, asked(number, "{}"));
        audit.hear(&Entry::read(line.as_bytes()).unwrap());
    }
    assert_eq!(audit.passed_over(), PassedOver { too_many: 1, unread: 1 });
}

#[test]
fn what_was_asked_is_told_once_whichever_pipe_is_faster() {
    let ask = asked(1, r#"{"name":"Bash","input":{"command":"ls"},"tool_use_id":"u1"}"#);
    let end =
        r#""rec":"outcome","key":"7f3c.p1","outcome":"answered","source":"terminal","value":{"allow":true}"#;
    let used = uses("u1", "Bash", r#"{"command":"ls"}"#, "null");
    let result = gave("u1", &meta("u1", r#"{"decision":"accept","source":"user_temporary"}"#));
    for order in [[&used, &ask], [&ask, &used]] {
        let all = decisions(&[RUN, CAME, order[0], order[1], end, &result]);
        assert_eq!(all.iter().map(|one| one.name).collect::<Vec<_>>(), [Name::Question(1)]);
    }
}

#[test]
fn a_subagent_is_called_by_its_task() {
    let started = from(
        r#"{"type":"system","subtype":"task_started","task_id":"k","tool_use_id":"u1","subagent_type":"Explore","description":"find config"}"#,
    );
    let result = gave("u2", &meta("u2", r#"{"decision":"accept","source":"config","reason_type":"rule"}"#));
    let all = decisions(&[RUN, CAME, &started, &uses("u2", "Bash", "{}", r#""u1""#), &result]);
    assert_eq!(all.first().and_then(|one| one.agent.as_deref()), Some("Explore \"find config\""));
}

#[test]
fn a_question_that_time_allowed_was_shown_and_is_no_plan() {
    const ALLOWS: &str = r#""rec":"run","v":1,"id":"7f3c","seed":"s","allowOnTimeout":true"#;
    let shown = r#""rec":"shown","key":"7f3c.p1","desk":"terminal""#;
    let end = r#""rec":"outcome","key":"7f3c.p1","outcome":"timed_out""#;
    let plain = r#"{"name":"Bash","input":{"command":"ls"}}"#;
    let plan = r#"{"name":"ExitPlanMode","input":{"plan":"x"}}"#;
    let whoever_else = asked(1, plain).replace(r#","for":"agent""#, "");
    let all = decisions(&[ALLOWS, CAME, &whoever_else, shown, end]);
    assert_eq!(all.first().and_then(|one| one.by.allowed()), Some(false), "it was not for an agent of ours");
    for (run, tool, is_shown, expected) in [
        (ALLOWS, plain, true, true),
        (ALLOWS, plain, false, false),
        (ALLOWS, plan, true, false),
        (RUN, plain, true, false),
    ] {
        let shown = if is_shown { shown } else { CAME };
        let all = decisions(&[run, CAME, &asked(1, tool), shown, end]);
        assert_eq!(all.first().and_then(|one| one.by.allowed()), Some(expected), "{tool}");
    }
}

#[test]
fn a_no_is_that_of_the_desk_which_said_it() {
    for (desk, source) in [
        ("terminal", AnswerSource::Terminal),
        ("up", AnswerSource::Parent),
        ("control", AnswerSource::Control),
    ] {
        let said = format!(r#""rec":"answer","key":"7f3c.p1","desk":"{desk}","outcome":"declined""#);
        let end = r#""rec":"outcome","key":"7f3c.p1","outcome":"declined""#;
        let all = decisions(&[RUN, CAME, &asked(1, "{}"), &said, end]);
        assert_eq!(all.first().map(|one| one.by.clone()), Some(By::Declined(source)));
    }
}

#[test]
fn what_nobody_decided_says_why() {
    let refused = r#""rec":"outcome","key":"7f3c.p1","outcome":"refused","reason":"no_desk""#;
    let door = r#""rec":"outcome","key":"7f3c.p9","outcome":"refused","reason":"duplicate","wire":"tunnel:1","requestId":"a""#;
    let all =
        decisions(&[RUN, CAME, &asked(1, r#"{"name":"Bash","input":{}}"#), refused, door, &asked(2, "{}")]);
    let nobody = |reason: &str| By::Nobody {
        outcome: Outcome::Refused,
        reason: Some(reason.to_owned()),
        allowed: false,
    };
    assert_eq!(
        all.iter().map(|one| one.by.clone()).collect::<Vec<_>>(),
        [nobody("no_desk"), nobody("duplicate"), By::Open]
    );
}

#[test]
fn an_agent_that_prints_events_decides_by_itself() {
    let came = r#""rec":"attach","wire":"agent:main","path":"notes""#;
    let used = r#""wire":"agent:main","dir":"from","line":"{\"type\":\"tool_use_start\",\"name\":\"edit\",\"input\":{\"path\":\"a\"}}""#;
    let all = decisions(&[RUN, came, used]);
    assert_eq!(all.first().map(|one| (one.path.as_str(), one.what.as_str())), Some(("notes", "a")));
}

#[test]
fn a_run_is_outlined() {
    let mut outline = Outline::default();
    let mut audit = Audit::new();
    let run = r#""rec":"run","v":1,"id":"7f3c","seed":"s","started":"2026-11-18T05:50:45.460Z","rules":{"allow":[],"deny":[],"root":"/w"}"#;
    let prompt = r#""rec":"typed","text":"fix it\nplease","prompt":true"#;
    let result = from(
        r#"{"type":"result","subtype":"success","is_error":false,"total_cost_usd":0.5,"num_turns":3,"session_id":"abc"}"#,
    );
    let refused = r#""rec":"outcome","key":"7f3c.p1","outcome":"refused","reason":"no_desk""#;
    let ask = asked(1, r#"{"name":"Bash","input":{}}"#);
    for (at, record) in
        [run, CAME, prompt, &ask, refused, &result, r#""rec":"end","code":5"#].iter().enumerate()
    {
        let line = format!(r#"{{"seq":{at},"t":{},{record}}}"#, at * 10);
        let entry = Entry::read(line.as_bytes()).unwrap();
        let decided = audit.hear(&entry);
        outline.hear(&entry, &decided);
    }
    assert_eq!((outline.prompt.as_deref(), outline.folder.as_deref()), (Some("fix it …"), Some("/w")));
    assert_eq!((outline.cost(), outline.turns(), outline.undecided), (Some(0.5), 3, 1));
    assert_eq!(outline.sessions().collect::<Vec<_>>(), ["abc"]);
    assert_eq!((outline.over, outline.lasted_ms), (Some(RunOver { code: 5 }), 60));
}

/// The tools that stand in a recording of Claude's pipes, and the decisions about them.
fn recorded(text: &str) -> (BTreeSet<String>, Vec<Decision>) {
    let mut audit = Audit::new();
    audit.came("claude:main", None);
    let (mut ids, mut all) = (BTreeSet::new(), Vec::new());
    for line in text.lines() {
        let recorded = Recorded::read(line.as_bytes()).unwrap();
        if recorded.dir != Pipe::Out {
            continue;
        }
        let said = recorded.line.get();
        if let Ok(codec::claude::Output::Assistant(said)) = codec::claude::Output::read(said.as_bytes())
            && let codec::claude::Content::Blocks(blocks) = &said.message.content
        {
            ids.extend(blocks.iter().filter_map(|block| match block {
                codec::claude::Block::ToolUse(used) => Some(used.id.get().into_owned()),
                _ => None,
            }));
        }
        let body = Body::Line(WireLine::new("claude:main", Direction::From, said.as_bytes()));
        all.extend(audit.hear(&Entry { seq: 0, t: 0, body }));
    }
    all.extend(audit.end());
    (ids, all)
}

#[test]
fn every_tool_that_a_real_claude_used_has_one_decision() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/claude");
    let mut seen = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let (ids, all) = recorded(&std::fs::read_to_string(&path).unwrap());
        let decided: BTreeSet<String> = all.iter().filter_map(|one| one.tool_use_id.clone()).collect();
        assert_eq!((decided.len(), &decided), (all.len(), &ids), "{}", path.display());
        seen += all.len();
    }
    assert!(seen > 50, "{seen} decisions");
}

#[test]
fn what_was_answered_to_an_agents_own_question_is_told_in_its_words() {
    let ask = r#""rec":"ask","key":"7f3c.p1","kind":"question","wire":"claude:main","path":"claude","requestId":"r","config":{"questions":[{"question":"Which database?","options":[{"label":"PostgreSQL"},{"label":"SQLite"}]},{"question":"What else?","options":[{"label":"Nothing"}]}]},"for":"agent""#;
    let end = |value: &str| {
        format!(
            r#""rec":"outcome","key":"7f3c.p1","outcome":"answered","source":"terminal","value":{{"answers":{value}}}"#
        )
    };
    let words = |value: &str| {
        let all = decisions(&[RUN, CAME, ask, &end(value)]);
        let By::Answered(answered) = all[0].by.clone() else { panic!("{all:?}") };
        answered.words.unwrap()
    };
    assert_eq!(words(r#"[{"options":[1]},{"options":[],"text":"a cache"}]"#), "SQLite; a cache");
    assert_eq!(
        words(r#"[{"options":[7]}]"#),
        r#"{"answers":[{"options":[7]}]}"#,
        "what does not fit, as it stands"
    );
}
