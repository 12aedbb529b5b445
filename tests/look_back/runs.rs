//! The list of runs, and one of them.

use rustix::process::Signal;

use crate::desk::{CAME, NO, Past, YES, asks, ends, from};
use crate::support::launch::Launch;
use crate::support::serve::Serve;

#[test]
fn a_run_of_today_is_listed_told_and_explained() {
    let past = Past::new();
    let (code, ..) = Launch::tim_in(past.0.clone(), ["demo", "-p", "--speed", "max"]).start().exit();
    assert_eq!(code, Some(0));
    let listed = past.told(&[]);
    assert!(listed.contains("Show me what tim does.") && listed.contains("✓ done"), "{listed}");
    let run = past.json(&[])["runs"][0].clone();
    assert_eq!((&run["exit"], &run["running"], &run["yes"]), (&0.into(), &false.into(), &2.into()));
    let name = run["run"].as_str().unwrap().get(..4).unwrap().to_owned();
    let told = past.told(&[&name]);
    for words in [
        "→ You: Show me what tim does.",
        "● Read  src/parse.rs",
        "✓ ",
        "Bash cargo test -p parser",
        "→ You: also look",
        "✓ done",
    ] {
        assert!(told.contains(words), "no {words:?} in {told}");
    }
    let why = past.told(&["why", &format!("{name}.p1")]);
    for words in ["claude asked to use Bash", "cargo test -p parser", "no rule covers it", "told     allow"] {
        assert!(why.contains(words), "no {words:?} in {why}");
    }
    let whole = past.json(&[&name]);
    assert_eq!(whole["run"]["run"], run["run"]);
    assert_eq!(whole["turns"].as_array().unwrap().len(), 2, "{whole}");
    assert_eq!(whole["decisions"].as_array().unwrap().len(), 5, "{whole}");
}

#[test]
fn a_conversation_is_told_with_its_questions_in_their_places() {
    let past = Past::new();
    let used = from(
        r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"u-r1","name":"Bash","input":{"command":"npm publish"}}]},"parent_tool_use_id":null}"#,
    );
    let said = from(
        r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"I publish it."}]},"parent_tool_use_id":null}"#,
    );
    let prompt = r#""rec":"typed","text":"release it","to":"claude","prompt":true"#;
    let (ask, end) = (asks("7f3c0a1b.p1", "claude", "npm publish", "r1"), ends("7f3c0a1b.p1", NO));
    let gap = r#""rec":"gap","lost":3"#;
    past.run(
        "7f3c0a1b",
        "2026-11-17T14:02:11.000Z",
        &[CAME, prompt, &said, &used, &ask, &end, gap, r#""rec":"end","code":5"#],
    );
    let (code, told, warned) = past.log(&["7f3c"]);
    assert_eq!(code, Some(0));
    assert!(warned.contains("3 records are missing"), "{warned}");
    let rows: Vec<&str> = told.lines().filter(|row| !row.is_empty()).collect();
    let expected = [
        "run 7f3c0a1b  Tue 2026-11-17 14:02:11  /w/app",
        "→ You: release it",
        "  I publish it.",
        "✗ 14:02 you, no             Bash npm publish · not yet",
        "! 3 records are missing here",
        "– Bash  npm publish  did not end",
        "– undecided  8s",
        "  questions  0 yes  1 no  0 undecided",
        "  who decided  tim log 7f3c --decisions",
    ];
    assert_eq!(rows, expected, "{told}");
}

#[test]
fn a_run_that_is_at_work_is_told_from_one_that_was_cut_off() {
    let past = Past::new();
    past.run("91aa0000", "2026-11-17T14:02:11.000Z", &[CAME]);
    // Once it says where it listens, its record has begun.
    let mut serve = Serve::ready(Launch::tim_in(past.0.clone(), ["serve", "--quiet"]).start());
    let ends = |run: usize| past.json(&[])["runs"][run].clone();
    assert_eq!((&ends(1)["running"], &ends(1)["role"]), (&true.into(), &"serve".into()));
    assert_eq!(ends(0)["running"], false);
    assert!(past.told(&[]).contains("at work"));
    assert!(past.told(&[]).contains("✗ cut off"));
    serve.signal(Signal::TERM);
    serve.exit();
    assert_eq!((&ends(1)["running"], &ends(1)["exit"]), (&false.into(), &143.into()));
}

#[test]
fn records_that_are_none_hide_no_others() {
    let past = Past::new();
    past.run(
        "7f3c0a1b",
        "2026-11-17T14:02:11.000Z",
        &[CAME, &asks("7f3c0a1b.p1", "claude", "ls", "r1"), &ends("7f3c0a1b.p1", YES)],
    );
    for (name, text) in [
        ("20261117T140212Z-00000001.jsonl", ""),
        ("20261117T140213Z-00000002.jsonl", "what is this\n"),
        (
            "20261117T140214Z-00000003.jsonl",
            "{\"seq\":0,\"t\":0,\"rec\":\"run\",\"v\":99,\"id\":\"3\",\"seed\":\"s\"}\n",
        ),
        ("notes.txt", "not a record at all\n"),
    ] {
        std::fs::write(past.folder().join(name), text).unwrap();
    }
    let torn = past.run("aaaa0000", "2026-11-17T15:00:00.000Z", &[CAME, "\"rec\":\"attach\",\"wire\":\"x\""]);
    let whole = std::fs::read(&torn).unwrap();
    std::fs::write(&torn, &whole[..whole.len() - 9]).unwrap();
    for arguments in [&[][..], &["--decisions"]] {
        let (code, told, warned) = past.log(arguments);
        assert_eq!(code, Some(0), "{told}{warned}");
        assert!(told.contains("7f3c"), "{told}");
        for words in ["it is empty", "no journal of tim", "version 99", "torn"] {
            assert!(warned.contains(words), "no {words:?} in {warned}");
        }
    }
}

#[test]
fn what_is_not_there_is_said_with_what_to_do() {
    let past = Past::new();
    assert!(past.told(&[]).contains("no runs yet"));
    for (arguments, words) in [
        (&["ffff"][..], "`tim log` lists them"),
        (&["nothing.jsonl"], "neither a file nor the name of a run"),
        (&["why", "7f3c"], "such as 7f3c.p14"),
        (&["why", "ffff.p1"], "`tim log` lists them"),
        (&["--since", "5"], "--since 5: write today, yesterday"),
        (&["redact", "ffff"], "`tim log` lists them"),
    ] {
        let (code, told, warned) = past.log(arguments);
        assert_eq!((code, told.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(warned.contains(words), "{warned}");
    }
    let launch = Launch::tim_in(past.0.clone(), ["log"]).without("HOME").without("XDG_STATE_HOME");
    let (code, _, warned) = launch.start().exit();
    assert_eq!(code, Some(2));
    assert!(warned.contains("neither HOME nor XDG_STATE_HOME"), "{warned}");
}

#[test]
fn a_record_without_its_first_line_or_with_a_second_run_is_told_as_far_as_it_goes() {
    let past = Past::new();
    let asked = asks("7f3c0a1b.p1", "claude", "ls", "r1");
    let path = past.run("7f3c0a1b", "2026-11-17T14:02:11.000Z", &[CAME, &asked, &ends("7f3c0a1b.p1", YES)]);
    let whole = std::fs::read_to_string(&path).unwrap();
    let headless = whole.split_once('\n').unwrap().1.to_owned();
    std::fs::write(&path, &headless).unwrap();
    for arguments in [&[][..], &["7f3c"], &["--decisions"], &["why", "7f3c.p1"]] {
        let (code, told, warned) = past.log(arguments);
        assert_eq!(code, Some(0), "{arguments:?}: {warned}");
        assert!(told.contains("7f3c") && warned.contains("the first record is missing"), "{told}{warned}");
    }
    let (_, told, _) = past.log(&["--since", "2026-11-17", "--until", "2026-11-18"]);
    assert!(told.contains("Tue 14:02  7f3c.p1"), "its name says when it was: {told}");
    std::fs::write(&path, whole.clone() + &whole).unwrap();
    let (_, told, warned) = past.log(&["--decisions"]);
    assert!(told.contains("1 of 1") && warned.contains("another run begins in it"), "{told}{warned}");
}

#[test]
fn a_device_is_no_record() {
    let past = Past::new();
    for arguments in [&["/dev/zero"][..], &["/dev/zero", "--decisions"], &["redact", "/dev/zero"]] {
        let (code, _, warned) = past.log(arguments);
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(warned.contains("it is a device"), "{warned}");
    }
    let (code, _, warned) = Launch::tim(["replay", "/dev/zero"]).start().exit();
    assert_eq!(code, Some(2));
    assert!(warned.contains("it is a device"), "{warned}");
}

#[test]
fn a_run_that_was_gone_on_with_had_one_agent() {
    let past = Past::new();
    past.run("7f3c0a1b", "2026-11-17T14:02:11.000Z", &[CAME, r#""rec":"detach","wire":"claude:main""#, CAME]);
    assert_eq!(past.json(&[])["runs"][0]["agents"], serde_json::json!(["claude"]));
}
