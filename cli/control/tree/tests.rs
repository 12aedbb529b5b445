use codec::control::Reply;

use super::*;

/// What a run says of itself.
fn run(id: &str, pid: u64, more: &str) -> Status<'static> {
    let line = format!(
        r#"{{"type":"ps","v":1,"run":"{id}","pid":{pid},"role":"run","folder":"/home/me/src/app","startedUnixMs":1000,"version":"0.1.0","desk":true,{more}}}"#
    );
    match Reply::read(line.as_bytes()).unwrap() {
        Reply::Status(status) => codec::json::IntoOwned::into_owned(*status),
        other => panic!("{other:?}"),
    }
}

fn shown(runs: &[&Status<'_>]) -> String {
    let view = View { now_unix_ms: 131_500, home: Some("/home/me"), columns: 80 };
    let rows = rows(runs, &view);
    assert!(rows.iter().all(|row| crate::term::measure::width(row) <= 80), "{rows:#?}");
    rows.join("\n")
}

const ASKS: &str = r#""questions":[{"v":1,"key":"7f3c.p14","path":"web","pid":9,"kind":"permission","config":{},"tool":{"name":"Bash","input":{"command":"npm install --save-dev @testing-library/react @testing-library/dom\nand more"}},"sinceMs":31500}]"#;

#[test]
fn a_run_is_shown_with_its_agents_its_clients_and_what_they_ask() {
    let status = run(
        "7f3c",
        7,
        &format!(
            r#""agents":[{{"path":"api","waits":false,"doing":"Bash cargo clippy","costUsd":0.2}},{{"path":"web","waits":true}}],"askers":[{{"wire":"claude:api","path":"api","what":"agent","speaks":"claude","hears":true}},{{"wire":"tunnel:1","path":"script","what":"script","speaks":"tunnel","hears":false,"pid":4711}}],{ASKS}"#
        ),
    );
    assert_eq!(
        shown(&[&status]),
        "7f3c  tim run  ~/src/app                                                   2m10s
  api           Bash cargo clippy                                          $0.20
  web           ? waits for you
  └ script  script  pid 4711
  questions
    7f3c.p14  web  Bash npm install --save-dev @testing-library/react @tes…  31s
answer  tim answer 7f3c.p14 y"
    );
}

#[test]
fn a_run_below_another_stands_there_and_its_questions_are_not_told_twice() {
    let root = run(
        "7f3c",
        7,
        &format!(
            r#""agents":[{{"path":"claude","waits":true}}],"askers":[{{"wire":"tunnel:1","path":"claude/review","what":"tim","speaks":"tunnel","hears":true,"pid":9}}],{ASKS}"#
        ),
    );
    let nested = run(
        "91aa",
        9,
        &format!(
            r#""path":"claude/review","agents":[{{"path":"claude/review/claude","waits":true}}],"askers":[],{}"#,
            ASKS.replace("7f3c", "91aa")
        ),
    );
    assert_eq!(roots(&[&nested, &root]), [false, true]);
    assert_eq!(
        shown(&[&nested, &root]),
        "7f3c  tim run  ~/src/app                                                   2m10s
  claude        ? waits for you
  └ claude/review  tim  pid 9
    91aa  tim run  ~/src/app                                               2m10s
      claude/review/claude  ? waits for you
  questions
    7f3c.p14  web  Bash npm install --save-dev @testing-library/react @tes…  31s
answer  tim answer 7f3c.p14 y"
    );
}

#[test]
fn a_run_is_below_another_only_if_it_says_so_itself() {
    let claims = r#""agents":[],"askers":[{"wire":"tunnel:1","path":"x","what":"tim","speaks":"tunnel","hears":true,"pid":7}],"questions":[]"#;
    let liar = run("91aa", 9, claims);
    let honest = run("7f3c", 7, &format!(r#""agents":[],"askers":[],{ASKS}"#));
    assert_eq!(roots(&[&liar, &honest]), [true, true]);
    assert!(shown(&[&liar, &honest]).contains("7f3c.p14"), "its questions are listed");
}

#[test]
fn two_that_claim_to_be_below_each_other_are_both_shown_once() {
    let client = |pid: u64| {
        format!(
            r#""path":"x","agents":[],"askers":[{{"wire":"tunnel:1","path":"x","what":"tim","speaks":"tunnel","hears":true,"pid":{pid}}}],"questions":[]"#
        )
    };
    let (one, two) = (run("7f3c", 7, &client(9)), run("91aa", 9, &client(7)));
    let text = shown(&[&one, &two]);
    assert_eq!((text.matches("7f3c").count(), text.matches("91aa").count()), (1, 1), "{text}");
}

#[test]
fn what_others_say_does_nothing_to_the_terminal() {
    let status = run(
        "7f3c",
        7,
        r#""agents":[{"path":"a\u001b[2J","waits":false,"doing":"\u202e\u0007x"}],"askers":[{"wire":"tunnel:1","path":"s\nt","what":"script\u0000","speaks":"tunnel","hears":false}],"questions":[{"v":1,"key":"7f3c.p1","path":"\u001b]0;evil","kind":"confirm","config":{"message":"\u009b2J"}}]"#,
    );
    let text = shown(&[&status]);
    let is_safe = |letter: char| letter == '\n' || codec::text::is_printable(letter);
    assert!(text.chars().all(is_safe), "{text:?}");
    assert_eq!(text.lines().count(), 6, "{text}");
}
