//! Rough handling that reviews came up with: files that are none, readers that read nothing, signals that nobody sends.

use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::client::{Client, assert_answered, permission};
use crate::support::desk::{Parent, yes};
use crate::support::launch::Launch;
use crate::support::process::resident;
use crate::support::serve::Serve;
use crate::support::temp::all_below;
use crate::support::wait::eventually;

#[test]
fn a_full_stdout_at_the_start_does_not_keep_it_from_ending() {
    let (read, mut write) = std::io::pipe().unwrap();
    rustix::io::ioctl_fionbio(&write, true).unwrap();
    while write.write(&[b'x'; 4096]).is_ok() {}
    rustix::io::ioctl_fionbio(&write, false).unwrap();
    let launch = Launch::tim(["serve", "--no-journal"]);
    let folder = launch.folder().folder("full");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tim"));
    command.args(["serve", "--no-journal"]).env_clear().env("TMPDIR", &folder).env("HOME", &folder);
    let mut child = command.stdin(Stdio::null()).stdout(write).stderr(Stdio::null()).spawn().unwrap();
    eventually("its socket", || all_below(&folder).into_iter().find(|path| path.ends_with("output.sock")));
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, Signal::TERM).unwrap();
    let status = eventually("its end", || child.try_wait().unwrap());
    assert_eq!((status.code(), all_below(&folder).len()), (Some(143), 0));
    drop(read);
}

#[test]
fn a_log_that_is_a_pipe_or_a_link_is_not_opened() {
    let launch = Launch::tim(["emit", "words"]);
    let folder = launch.folder().clone();
    let (pipe, victim, link) = (folder.path("pipe"), folder.path("victim"), folder.path("link"));
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
    std::fs::write(&victim, "mine").unwrap();
    std::os::unix::fs::symlink(&victim, &link).unwrap();
    for log in [pipe, link] {
        let (code, printed, complaint) =
            Launch::tim_in(folder.clone(), ["emit", "words"]).env("TIM_LOG", &log).start().exit();
        assert_eq!((code, printed.as_str()), (Some(0), "words\n"));
        assert!(complaint.contains("no log"), "{complaint}");
    }
    assert_eq!(std::fs::read_to_string(victim).unwrap(), "mine");
}

#[test]
fn f112_a_record_that_may_not_grow_any_more_is_said_and_ends_nothing() {
    let launch = Launch::tim(["serve", "--answer-command", "echo true"]).limited("--fsize=4096");
    let mut serve = Serve::ready(launch.start());
    let mut client = serve.client();
    for number in 0..50 {
        assert_answered(&client.round_trip(&format!("q{number}")), &json!(true));
    }
    assert_eq!(serve.finish(), Some(143));
}

#[test]
fn p8_signals_that_nobody_expects_leave_nothing_behind_either() {
    for signal in [Signal::QUIT, Signal::USR1, Signal::ALARM] {
        let mut process = Launch::tim(["serve", "--no-journal"]).start();
        let folder = process.folder().clone();
        let serve = eventually("its socket", || {
            all_below(&folder.path("")).into_iter().find(|path| path.ends_with("output.sock"))
        });
        process.signal(signal);
        let status = process.ended();
        assert_eq!((status.code(), status.signal()), (Some(128 + signal.as_raw()), None));
        assert!(!serve.exists(), "{signal:?}");
    }
}

#[test]
fn f110_questions_that_are_taken_back_take_no_memory_while_the_parent_is_stopped() {
    let parent = Parent::open();
    let (serve, _desk) = Serve::under_parent(&parent, Launch::tim(["serve", "--no-journal"]));
    takes_no_memory(&serve);
    let parent = Parent::open();
    let plain =
        Launch::tim(["serve", "--no-journal"]).env("TIM_TUNNEL", "plain").under(parent.path()).start();
    let _desk = parent.accept();
    takes_no_memory(&Serve::ready(plain));
}

/// Asks and takes back, again and again, while nobody reads above.
fn takes_no_memory(serve: &Serve) {
    let mut client = serve.client();
    let text = "x".repeat(60_000);
    let ask = |client: &mut Client, number: usize| {
        client.ask(&format!("q{number}"), "confirm", &json!({"message": text}));
        client.send(
            &json!({"type": "prompt_cancel", "requestId": format!("q{number}"), "reason": "cancelled"}),
        );
        assert_eq!(client.response(&format!("q{number}"))["outcome"], "cancelled");
    };
    (0..50).for_each(|number| ask(&mut client, number));
    let before = resident(serve.pid());
    (50..2_050).for_each(|number| ask(&mut client, number));
    let grown = resident(serve.pid()).saturating_sub(before);
    assert!(grown < 16 << 20, "{grown} bytes more after 120 MB of questions that nobody has any more");
}

#[test]
fn f045_what_the_parent_answered_before_it_went_counts() {
    for _ in 0..20 {
        let parent = Parent::open();
        let (serve, mut desk) = Serve::under_parent(&parent, Launch::tim(["serve", "--no-journal"]));
        let mut client = serve.client();
        client.confirm("q");
        let asked = desk.prompt();
        desk.answer(&asked, &json!(true));
        drop(desk);
        client.log("something to write, so that the writing fails first");
        assert_answered(&client.response("q"), &json!(true));
    }
}

#[test]
fn all_that_a_client_reported_before_it_closed_is_passed_on() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    let mut bytes = br#"{"type":"hello","tim":1,"as":"script","label":"quick"}"#.to_vec();
    for number in 0..3_000 {
        bytes.extend(format!("\n{{\"type\":\"log\",\"args\":[\"{number}\"]}}").into_bytes());
    }
    bytes.push(b'\n');
    client.send_bytes(&bytes);
    drop(client);
    let is_last = |line: &Value| line.to_string().contains("\"2999\"");
    desk.take("the last report", is_last);
}

#[test]
fn after_a_parent_is_lost_reports_are_printed_again() {
    let parent = Parent::open();
    let (serve, desk) = Serve::under_parent(&parent, Launch::tim(["serve", "--no-journal"]));
    drop(desk);
    let mut client = serve.client();
    serve.stderr.wait("the warning", |text, _| text.contains("the parent is gone").then_some(()));
    client.log("heard at last");
    serve.stdout.wait("the report", |text, _| text.contains("heard at last").then_some(()));
}

#[test]
fn the_same_hello_again_and_again_holds_nobody_up() {
    let (serve, desk) = Serve::under_test();
    desk.answering(yes);
    let crowd: Vec<Client> = (0..900).map(|_| Client::greet(serve.socket(), "script", "same").0).collect();
    let mut rude = serve.client();
    rude.send_bytes(
        "{\"type\":\"hello\",\"tim\":1,\"as\":\"script\",\"label\":\"same\"}\n".repeat(40_000).as_bytes(),
    );
    let mut other = serve.client();
    assert_answered(&other.round_trip("q"), &json!(true));
    drop(crowd);
}

#[test]
fn t18_a_parent_that_answers_in_the_wrong_form_approves_nothing() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    client.send(&permission("p", "Bash", &json!({"command": "echo"})));
    let asked = desk.take("the permission", |line| line["type"] == "permission_request");
    desk.send(&json!({"type": "prompt_response", "requestId": asked["requestId"], "value": {"allow": true}}));
    let response = client.take("the response", |line| line["type"] == "permission_response");
    assert_eq!((&response["approved"], &response["outcome"]), (&json!(false), &json!("refused")));
}

#[test]
fn f020_a_path_that_cannot_be_told_in_one_line_is_refused() {
    let launch = Launch::tim(["serve", "--no-journal"]);
    let folder = launch.folder().folder("two\nlines");
    let (code, printed, complaint) = launch.arg("--socket").arg(folder.join("s")).start().exit();
    assert_eq!((code, printed.as_str()), (Some(2), ""), "{complaint}");
    assert!(complaint.contains("cannot be printed"), "{complaint}");
}

#[test]
fn the_reason_of_a_refusal_comes_down_all_hops() {
    let root = Serve::alone();
    let middle = Serve::ready(Launch::tim(["serve", "--no-journal"]).under(root.socket()).start());
    let mut client = middle.client();
    client.confirm("q");
    let response = client.response("q");
    assert_eq!((&response["outcome"], &response["reason"]), (&json!("refused"), &json!("no_desk")));
}

#[test]
fn f007_a_client_that_reads_is_not_closed_for_large_answers_that_come_together() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    for number in 0..6 {
        client.ask(&format!("q{number}"), "input", &json!({"message": "?"}));
    }
    let asked: Vec<_> = (0..6).map(|_| desk.prompt()).collect();
    let text = "x".repeat(1_500_000);
    let answers: Vec<String> =
        asked.iter().map(|asked| format!("{}\n", asked.answer(&json!(text)))).collect();
    desk.send_bytes(answers.concat().as_bytes());
    for number in 0..6 {
        assert_answered(&client.response(&format!("q{number}")), &json!(text));
    }
}

#[test]
fn f132_a_parent_that_takes_nothing_is_no_success() {
    let parent = Parent::open();
    for arguments in [["emit", "words"].as_slice(), &["ask", "confirm", "Go?"]] {
        let launch = arguments.iter().fold(Launch::tim([]), |launch, argument| launch.arg(*argument));
        let mut process = launch.under(parent.path()).start();
        let mut desk = parent.accept();
        desk.take("the greeting", |line| line["type"] == "hello");
        desk.stream().shutdown(std::net::Shutdown::Read).unwrap();
        desk.send(&json!({"type": "welcome", "tim": 1, "role": "serve", "path": "script", "desk": true}));
        assert_eq!(process.exit().0, Some(4), "{arguments:?}");
    }
}
