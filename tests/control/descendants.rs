//! What an agent started controls nothing, however it was started, and is told where nothing.

use std::sync::Arc;

use crate::shell::{key, tim, waiting};
use crate::stub::run_in;
use crate::support::launch::HOMES;
use crate::support::temp::Temp;
use crate::support::wait::eventually;

#[test]
fn the_shell_of_an_agent_is_refused_also_when_it_has_no_parent_left() {
    let folder = Arc::new(Temp::new());
    let (left, program) = (folder.folder("left"), env!("CARGO_BIN_EXE_tim"));
    let tries = format!(
        "for what in 'ps' 'answer p1 y' 'send claude x' 'stop claude'; do {program} $what; echo \"exit $?\"; done"
    );
    let left_by = left.display();
    let forked = format!("{program} answer p1 y > {left_by}/orphan 2>&1; echo exit \\$? >> {left_by}/orphan");
    let script = format!(
        "hears; init; env > {left_by}/env; asks q\n\
         ( {tries} ) > {left_by}/child 2>&1\n\
         setsid sh -c \"( sh -c '{forked}' & ) ; exit\" &\n\
         hears; echo \"$line\" > {left_by}/answer; result; to_the_end"
    );
    let mut run = run_in(Arc::clone(&folder), &script).arg("--wait").start();
    let whole = |name: &str, times: usize| {
        let path = left.join(name);
        let text =
            move || std::fs::read_to_string(&path).ok().filter(|text| text.matches("exit ").count() == times);
        eventually(&format!("what {name} heard"), text)
    };
    for text in [whole("child", 4), whole("orphan", 1)] {
        let codes: Vec<&str> = text.lines().filter(|line| line.starts_with("exit")).collect();
        assert!(codes.iter().all(|code| *code == "exit 6"), "{text}");
        assert!(text.contains("nothing that an agent started controls a run"), "{text}");
    }
    assert!(!left.join("answer").exists(), "nobody has answered");
    assert_eq!(tim(&folder, &["answer", &key(&folder, run.pid()), "y"]).0, 0, "a person's own shell may");
    let (code, _, stderr) = run.exit();
    assert_eq!(code, Some(0), "{stderr}");
    assert!(std::fs::read_to_string(left.join("answer")).unwrap().contains("\"allow\""));
    let environment = std::fs::read_to_string(left.join("env")).unwrap();
    assert!(
        environment.contains("TIM_OUTPUT_SOCKET=") && !environment.contains("control.sock"),
        "{environment}"
    );
}

#[test]
fn an_answer_command_is_no_shell_of_the_person() {
    let folder = Arc::new(Temp::new());
    let program = env!("CARGO_BIN_EXE_tim");
    let left = folder.path("left");
    let command =
        format!("{program} ps > {0} 2>&1; echo exit $? >> {0}; echo '{{\"allow\":false}}'", left.display());
    let script = "hears; init; asks q; hears; result; to_the_end";
    let (code, ..) = run_in(Arc::clone(&folder), script).arg("--answer-command").arg(command).start().exit();
    assert_eq!(code, Some(0));
    let text = std::fs::read_to_string(left).unwrap();
    assert!(text.contains("exit 6") && text.contains("this run itself started"), "{text}");
}

/// A plain Claude Code that somebody started by hand and that asks through its bridge has no guard above it.
#[test]
fn what_a_guest_started_answers_nothing_as_long_as_its_bridge_is_there() {
    let serve = waiting();
    let folder = Arc::clone(serve.folder());
    let (program, left) = (env!("CARGO_BIN_EXE_tim"), folder.path("left"));
    let said = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"approval_prompt","arguments":{"tool_name":"Bash","input":{"command":"touch x"}}}}"#;
    let script = format!(
        "mkfifo in; {program} mcp serve --socket {} < in > replies & exec 3> in; echo '{said}' >&3\n\
         while [ ! -e go ]; do sleep 0.02; done\n\
         {program} answer p1 y > {1} 2>&1; echo exit $? >> {1}; read -r _\n",
        serve.socket().display(),
        left.display(),
    );
    let mut guest = std::process::Command::new("sh");
    guest.args(["-c", &script]).current_dir(folder.path("home")).stdin(std::process::Stdio::piped());
    guest
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .envs(HOMES.map(|(name, place)| (name, folder.path(place))));
    let mut guest = guest.spawn().unwrap();
    let key = key(&folder, serve.pid());
    std::fs::write(folder.path("home/go"), "").unwrap();
    let text = eventually("what the guest heard", || {
        std::fs::read_to_string(&left).ok().filter(|text| text.contains("exit "))
    });
    assert!(text.contains("exit 6") && text.contains("nothing that an agent started"), "{text}");
    assert_eq!(tim(&folder, &["answer", &key, "n"]).0, 0, "a person's own shell may");
    drop(guest.stdin.take());
    guest.wait().unwrap();
}
