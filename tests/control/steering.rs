//! Words for an agent, and the end of what it does, from another shell.

use std::path::Path;
use std::sync::Arc;

use crate::shell::{listed, tim};
use crate::stub::run_in;
use crate::support::launch::{Launch, Process};
use crate::support::process::runs;
use crate::support::temp::Temp;
use crate::support::wait::eventually;

/// What an agent does that hears a line, keeps it, says that it was read, and is done.
fn reads(heard: &Path) -> String {
    format!(
        r#"hears; echo "$line" > {}; uuid=$(echo "$line" | sed 's/.*"uuid":"\([^"]*\)".*/\1/')
echo '{{"type":"command_lifecycle","command_uuid":"'$uuid'","state":"started"}}'; result done; to_the_end"#,
        heard.display()
    )
}

/// A run whose agent has begun, and has said so by a file.
fn begun(folder: &Arc<Temp>, script: &str) -> Process {
    let ready = folder.path("ready");
    let script = format!("hears; init; echo $$ > {}; {script}", ready.display());
    let run = run_in(Arc::clone(folder), &script).start();
    eventually("the agent has begun", || {
        let is_led = listed(folder, run.pid()).is_some_and(|run| run["agents"][0].is_object());
        (ready.exists() && is_led).then_some(())
    });
    run
}

#[test]
fn a_line_from_another_shell_reaches_the_agent_and_is_on_record() {
    let folder = Arc::new(Temp::new());
    let heard = folder.path("heard");
    let mut run = begun(&folder, &reads(&heard));
    let (code, said, stderr) = tim(&folder, &["send", "nobody", "x"]);
    assert_eq!((code, said.as_str()), (2, ""));
    assert!(stderr.contains("nobody here is called nobody; there is claude"), "{stderr}");
    let (code, said, stderr) = tim(&folder, &["send", "@claude", "also", "the changelog"]);
    assert_eq!((code, said.as_str()), (0, "sent to claude\n"), "{stderr}");
    let (code, stdout, stderr) = run.exit();
    assert_eq!((code, stdout.as_str()), (Some(0), "done\n"), "{stderr}");
    assert!(std::fs::read_to_string(heard).unwrap().contains("also the changelog"));
    let record = crate::stub::record(&folder);
    assert!(record.contains(r#""rec":"typed","text":"also the changelog","to":"claude""#), "{record}");
}

#[test]
fn what_is_for_all_reaches_everybody() {
    let folder = Arc::new(Temp::new());
    let heard = folder.path("heard");
    let mut run = begun(&folder, &reads(&heard));
    let run_id = listed(&folder, run.pid()).unwrap()["run"].as_str().unwrap().to_owned();
    assert_eq!(tim(&folder, &["send", "all", "commit", "--run", &run_id]).0, 0);
    assert_eq!(run.exit().0, Some(0));
    assert!(std::fs::read_to_string(heard).unwrap().contains("commit"));
}

#[test]
fn stop_interrupts_the_turn_and_the_agent_goes_on_living() {
    let folder = Arc::new(Temp::new());
    let heard = folder.path("heard");
    let script = format!("hears; echo \"$line\" > {}; result; to_the_end", heard.display());
    let mut run = begun(&folder, &script);
    let (code, said, stderr) = tim(&folder, &["stop", "claude"]);
    assert_eq!((code, said.as_str()), (0, "interrupted claude\n"), "{stderr}");
    let heard = eventually("the agent hears it", || {
        std::fs::read_to_string(&heard).ok().filter(|line| line.ends_with('\n'))
    });
    assert!(heard.contains(r#""subtype":"interrupt""#), "{heard}");
    run.exit();
    assert!(crate::stub::record(&folder).contains(r#""rec":"steer""#));
}

#[test]
fn stop_end_ends_the_agent_and_all_that_it_started_and_the_run_with_it() {
    let folder = Arc::new(Temp::new());
    let child = folder.path("child");
    let script = format!("sleep 1000 & echo $! > {0}.new; mv {0}.new {0}; to_the_end", child.display());
    let mut run = begun(&folder, &script);
    let pid: u32 = eventually("its child", || std::fs::read_to_string(&child).ok()?.trim().parse().ok());
    let (code, said, stderr) = tim(&folder, &["stop", "claude", "--end"]);
    assert_eq!((code, said.as_str()), (0, "ended claude\n"), "{stderr}");
    assert_eq!(run.exit().0, Some(130), "as after Ctrl-C twice");
    assert!(!runs(pid), "nobody is left");
}

#[test]
fn a_service_has_no_agents_of_its_own_to_stop() {
    let folder = Arc::new(Temp::new());
    let serve = crate::support::serve::Serve::ready(Launch::tim_in(Arc::clone(&folder), ["serve"]).start());
    let run = listed(&folder, serve.pid()).unwrap()["run"].as_str().unwrap().to_owned();
    let (code, _, stderr) = tim(&folder, &["stop", "claude", "--run", &run]);
    assert_eq!(code, 1);
    assert!(stderr.contains("was started elsewhere, and stops there"), "{stderr}");
}
