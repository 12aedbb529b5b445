//! A folder that brings something: asked about once, before the agent starts.

use std::path::PathBuf;
use std::sync::Arc;

use insta::assert_snapshot;
use rustix::process::Signal;

use crate::pty::{Pty, Start};
use crate::stub::{maybe_record, record, written};
use crate::support::launch::Launch;
use crate::support::serve::Serve;
use crate::support::temp::{Temp, all_below, mode};
use crate::support::wait::eventually;

const AGENT: &str = "touch ran; hears; init; says working; result; to_the_end";

const SETTINGS: &str = r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"touch hooked"}]}],
"Stop":[{"hooks":[{"type":"command","command":"echo \u001b[2J"}]}]},
"permissions":{"allow":["Bash(ls:*)","Read","Edit"],"deny":["Bash(rm:*)"]}}"#;

/// A folder below the home that brings hooks, rules and a server.
struct Place {
    temp: Arc<Temp>,
    app: PathBuf,
    agent: PathBuf,
}

impl Place {
    /// One that brings nothing.
    fn plain() -> Self {
        let temp = Arc::new(Temp::new());
        let (app, agent) = (temp.path("home").join("src/app"), written(&temp, AGENT));
        std::fs::create_dir_all(app.join(".claude")).unwrap();
        Self { temp, app, agent }
    }

    fn new() -> Self {
        let place = Self::plain();
        place.write(".claude/settings.json", SETTINGS);
        place.write(".mcp.json", r#"{"mcpServers":{"db":{"command":"echo","args":["hello"]}}}"#);
        place
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.app.join(name), text).unwrap();
    }

    /// `tim run` there, at a terminal.
    fn at_terminal(&self, how: impl FnOnce(Start) -> Start) -> Pty {
        let arguments = ["run", "go", "--claude", self.agent.to_str().unwrap()];
        how(Start::tim(&self.temp, &arguments).within(&self.app)).go()
    }

    /// The same without one.
    fn launch(&self) -> Launch {
        Launch::tim_in(Arc::clone(&self.temp), ["run", "go", "--claude"])
            .arg(&self.agent)
            .within(self.app.clone())
    }

    /// Whether the agent was started; forgets it.
    fn ran(&self) -> bool {
        std::fs::remove_file(self.app.join("ran")).is_ok()
    }

    fn memory(&self) -> PathBuf {
        self.temp.path("state/tim/trusted-folders")
    }
}

const KEYS: &str = "y trust it and go on";

#[test]
fn it_is_asked_once_and_all_of_it_can_be_viewed() {
    let place = Place::new();
    let mut tim = place.at_terminal(|start| start);
    assert_snapshot!("trust_open", tim.armed(KEYS).masked());
    tim.types("\r ");
    tim.sees("Answer with y or n");
    tim.types("v");
    assert_snapshot!("trust_view", tim.armed("q back").masked());
    tim.types("q");
    tim.armed(KEYS);
    assert!(!place.ran(), "nothing is started before the answer");
    tim.types("y");
    assert_eq!(tim.ends(), 0);
    tim.sees("working");
    tim.assert_modes_restored();
    assert!(place.ran());
    assert_eq!(mode(&place.memory()), 0o600);
    let record = record(&place.temp);
    assert!(record.contains("First run in ~/src/app"), "it is on record: {record}");
    let is_record = |path: &PathBuf| path.extension().is_some_and(|end| end == "jsonl");
    let file = all_below(&place.temp.path("state")).into_iter().find(is_record).unwrap();
    let (code, _, stderr) = Launch::tim(["replay", "--check"]).arg(file).start().exit();
    assert_eq!(code, Some(0), "{stderr}");
    let mut again = place.at_terminal(|start| start);
    assert_eq!(again.ends(), 0);
    assert!(place.ran() && !again.picture().has("First run"), "{}", again.picture());
}

#[test]
fn a_no_starts_nothing() {
    let place = Place::new();
    let mut tim = place.at_terminal(|start| start);
    tim.armed(KEYS);
    tim.types("n");
    assert_eq!(tim.ends(), 2);
    tim.sees("tim: the folder is not trusted: nothing was started");
    tim.assert_modes_restored();
    assert!(!place.ran() && !place.memory().exists());
}

#[test]
fn neither_ctrl_c_nor_a_signal_trusts() {
    let place = Place::new();
    let mut tim = place.at_terminal(|start| start);
    tim.armed(KEYS);
    tim.types("\x03");
    assert_eq!(tim.ends(), 130);
    let mut tim = place.at_terminal(|start| start);
    tim.armed(KEYS);
    tim.signal(Signal::TERM);
    assert_eq!(tim.ends(), 143);
    tim.assert_modes_restored();
    assert!(!place.ran() && !place.memory().exists());
}

#[test]
fn what_has_changed_is_asked_about_again() {
    let place = Place::new();
    let mut tim = place.at_terminal(|start| start);
    tim.armed(KEYS);
    tim.types("y");
    assert_eq!(tim.ends(), 0);
    assert!(place.ran());
    place.write(".claude/settings.local.json", r#"{"env":{"A":"1"}}"#);
    let mut tim = place.at_terminal(|start| start);
    let asked = tim.armed(KEYS);
    assert!(asked.has("! ~/src/app brings something new.") && asked.has("environment variable ("), "{asked}");
    tim.types("n");
    assert_eq!(tim.ends(), 2);
    assert!(!place.ran());
}

#[test]
fn what_changes_while_it_is_asked_is_asked_about_again() {
    let place = Place::new();
    let mut tim = place.at_terminal(|start| start);
    tim.armed(KEYS);
    place.write(".mcp.json", r#"{"mcpServers":{"other":{"command":"echo"},"db":{"command":"echo"}}}"#);
    tim.types("y");
    let asked =
        tim.until("another question", |picture| picture.has("something new") && picture.is_bold(KEYS));
    assert!(asked.has("servers (.mcp.json)"), "{asked}");
    assert!(!place.ran() && !place.memory().exists());
    tim.types("y");
    assert_eq!(tim.ends(), 0);
    assert!(place.ran());
}

#[test]
fn in_plain_lines_it_is_a_question_like_others() {
    let place = Place::new();
    let mut tim = place.at_terminal(|start| start.env("TERM", "dumb"));
    let asked = tim.sees("y to go on, n to stop; /decline gives no answer");
    for row in
        ["First run in ~/src/app.", "2 hooks and 3 allow rules", "|   hook  PreToolUse (Bash): touch hooked"]
    {
        assert!(asked.has(row), "{row}: {asked}");
    }
    tim.types("\n");
    tim.sees("write y or n");
    tim.types("n\n");
    assert_eq!(tim.ends(), 2);
    assert!(!place.ran());
    let mut tim = place.at_terminal(|start| start.env("TERM", "dumb"));
    tim.sees("y to go on");
    tim.types("y\n");
    assert_eq!(tim.ends(), 0);
    assert!(place.ran() && place.memory().exists());
}

/// A service at a terminal of its own, and where it listens.
fn service() -> (Arc<Temp>, Pty, PathBuf) {
    let temp = Arc::new(Temp::new());
    let serve = Start::tim(&temp, &["serve"]).go();
    let is_socket = |path: &PathBuf| path.file_name().is_some_and(|name| name == "output.sock");
    let socket = eventually("its socket", || all_below(&temp.path("run/tim")).into_iter().find(is_socket));
    (temp, serve, socket)
}

#[test]
fn below_another_tim_the_person_there_is_asked_and_sees_by_whom() {
    let (_temp, mut serve, socket) = service();
    let place = Place::new();
    let mut run = place.launch().under(&socket).start();
    let asked = serve.armed("y yes");
    assert!(asked.has("› tim asks") && !asked.has("! First run"), "{asked}");
    assert!(asked.has("  First run in ~/src/app."), "{asked}");
    serve.types("v");
    serve.sees("touch hooked");
    serve.types("q");
    serve.armed("y yes");
    serve.types("n");
    let (code, _, stderr) = run.exit();
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("nothing was started") && !place.ran(), "{stderr}");
    let mut run = place.launch().under(&socket).start();
    serve.armed("y yes");
    serve.types("y");
    assert_eq!(run.exit().0, Some(0));
    assert!(place.ran() && !place.memory().exists(), "only what was said at its own terminal is remembered");
}

#[test]
fn a_parent_that_goes_while_it_is_asked_starts_nothing() {
    let (_temp, serve, socket) = service();
    let place = Place::new();
    let mut run = place.launch().under(&socket).start();
    serve.armed("y yes");
    serve.signal(Signal::KILL);
    let (code, _, stderr) = run.exit();
    assert_eq!(code, Some(4), "{stderr}");
    assert!(!place.ran());
}

#[test]
fn where_nobody_can_be_asked_it_is_a_warning_and_goes_on() {
    let place = Place::new();
    let brings = "tim: This folder brings: 2 hooks and 3 allow rules (.claude/settings.json), 1 MCP server (.mcp.json).";
    for flags in [
        &[][..],
        &["--unattended"],
        &["-p"],
        &["--output-format", "json"],
        &["--answer-command", "echo true"],
    ] {
        let launch = flags.iter().fold(place.launch(), |launch, flag| launch.arg(*flag));
        let (code, stdout, stderr) = launch.start().exit();
        assert_eq!(code, Some(0), "{flags:?}: {stderr}");
        assert!(place.ran() && !place.memory().exists(), "{flags:?}");
        assert!(
            stderr.contains(brings) && stderr.contains("tim: First run in ~/src/app."),
            "{flags:?}: {stderr}"
        );
        assert!(!stdout.contains("brings"), "{stdout}");
    }
}

#[test]
fn where_nobody_is_there_above_either_it_is_a_warning_too() {
    let (place, serve) = (Place::new(), Serve::alone());
    let (code, _, stderr) = place.launch().under(serve.socket()).start().exit();
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("This folder brings: 2 hooks") && place.ran() && !place.memory().exists());
}

#[test]
fn a_file_that_claude_code_ignores_is_said_and_no_question() {
    let place = Place::plain();
    place.write(".claude/settings.json", "{\n\"hooks\": {},\n}");
    let mut tim = place.at_terminal(|start| start);
    assert_eq!(tim.ends(), 0);
    tim.sees("! .claude/settings.json is not JSON (key must be a string at line 3");
    assert!(place.ran());
    let (code, _, stderr) = place.launch().start().exit();
    assert_eq!(code, Some(0));
    assert!(stderr.contains("tim: .claude/settings.json is not JSON"), "{stderr}");
}

#[test]
fn the_time_of_the_run_ends_the_question() {
    let place = Place::new();
    let arguments = ["run", "go", "--timeout", "2s", "--claude", place.agent.to_str().unwrap()];
    let mut tim = Start::tim(&place.temp, &arguments).within(&place.app).go();
    tim.sees("First run in ~/src/app");
    assert_eq!(tim.ends(), 3);
    assert!(!place.ran());
    assert!(maybe_record(&place.temp).is_some());
}
