//! What an agent prints: too long, not in its language, twice, unknown.

use std::sync::Arc;

use crate::stub::{played, record, run, run_in};
use crate::support::process::resident;
use crate::support::temp::Temp;

#[test]
fn f082_a_line_of_nearly_32_mib_is_taken() {
    let script = "hears; init; printf '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"'; \
                  head -c 33000000 /dev/zero | tr '\\0' x; echo '\"}'; to_the_end";
    let (code, stdout, stderr) = played(run(script));
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stdout.trim_end().len(), 33_000_000);
}

#[test]
fn f083_a_line_that_is_far_too_long_is_dropped_with_a_notice_and_kept_nowhere() {
    let folder = Arc::new(Temp::new());
    let read = folder.path("read");
    let script = format!(
        "hears; init; printf '{{\"type\":\"user\",\"x\":\"'; head -c 200000000 /dev/zero | tr '\\0' x; echo '\"}}'\n\
         says 'it goes on'; touch {}; hears; result; to_the_end",
        read.display()
    );
    let mut tim = run_in(Arc::clone(&folder), &script).arg("-k").arg("--timeout").arg("1m").start();
    crate::support::wait::eventually("the line is written", || read.exists().then_some(()));
    let memory = resident(tim.pid());
    assert!(memory < 160 << 10, "{memory} KiB");
    tim.signal(rustix::process::Signal::TERM);
    let (_, _, stderr) = tim.exit();
    assert!(stderr.contains("a line was dropped"), "{stderr}");
}

#[test]
fn f084_f085_what_is_no_json_is_shown_as_text_and_the_run_goes_on() {
    let folder = Arc::new(Temp::new());
    let script = r"hears; init; echo 'warning: something odd'; printf 'bad \377 byte \033[31m\n'; result";
    let (code, stdout, stderr) = played(run_in(Arc::clone(&folder), script));
    assert_eq!((code, stdout.as_str()), (0, "ok\n"), "{stderr}");
    assert!(stderr.contains("  warning: something odd\n"), "{stderr}");
    assert!(stderr.contains("bad \u{fffd} byte") && !stderr.contains('\u{1b}'), "{stderr:?}");
    assert!(record(&folder).contains(r#""b64":"YmFk"#), "the record has the bytes");
}

#[test]
fn f084_programs_get_even_that_as_json() {
    let (code, stdout, _) =
        played(run("hears; init; echo odd; result").arg("--output-format").arg("stream-json"));
    assert_eq!(code, 0);
    assert!(stdout.contains(r#"{"type":"tim_raw_line","line":"odd"}"#), "{stdout}");
    assert!(stdout.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()), "{stdout}");
}

#[test]
fn f086_f087_f088_pieces_blank_lines_and_a_missing_last_line_end_do_no_harm() {
    let script = r#"hears; init; printf '\r\n\n'; printf '{"type":"assistant","message":{"content":[{"type":"text","text":"sch'
printf '\303'; sleep 0.05; printf '\266n"}]}}\r\n'
printf '{"type":"result","subtype":"success","is_error":false,"result":"sch\303\266n"}'"#;
    let (code, stdout, stderr) = played(run(script));
    assert_eq!((code, stdout.as_str()), (0, "schön\n"), "{stderr}");
}

#[test]
fn f089_what_is_of_tomorrow_is_recorded_and_not_shown() {
    let folder = Arc::new(Temp::new());
    let script = r#"hears; init; echo '{"type":"of_tomorrow","x":1}'; result"#;
    let (code, _, stderr) = played(run_in(Arc::clone(&folder), script));
    assert_eq!(code, 0);
    assert!(record(&folder).contains("of_tomorrow") && !stderr.contains("of_tomorrow"), "{stderr}");
}

#[test]
fn f091_a_question_that_is_asked_twice_under_one_id_is_answered_once() {
    let folder = Arc::new(Temp::new());
    let (asked, heard) = (folder.path("asked"), folder.path("heard"));
    // Written at once: the first must not be answered before the second is asked.
    let script = format!(
        "hears; init; both=$(asks q; asks q); echo \"$both\"; hears; echo \"$line\" > {0}; result; cat >> {0}",
        heard.display()
    );
    let answer = format!("echo x >> {}; echo '{{\"allow\":true}}'", asked.display());
    let (code, _, stderr) = played(run_in(Arc::clone(&folder), &script).arg("--answer-command").arg(answer));
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(std::fs::read_to_string(asked).unwrap(), "x\n");
    assert_eq!(std::fs::read_to_string(heard).unwrap().lines().count(), 1);
}

#[test]
fn a_request_that_nobody_knows_gets_an_error_for_an_answer() {
    let folder = Arc::new(Temp::new());
    let heard = folder.path("heard");
    let script = format!(
        "hears; init; echo '{{\"type\":\"control_request\",\"request_id\":\"z\",\"request\":{{\"subtype\":\"sing\"}}}}'; \
         hears; echo \"$line\" > {}; result",
        heard.display()
    );
    let (code, ..) = played(run_in(Arc::clone(&folder), &script));
    assert_eq!(code, 0);
    let heard = std::fs::read_to_string(heard).unwrap();
    assert!(heard.contains(r#""subtype":"error","request_id":"z""#), "{heard}");
}
