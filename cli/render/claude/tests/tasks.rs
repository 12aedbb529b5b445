//! Subagents and what runs in the background.

use super::*;

#[test]
fn what_a_subagent_does_is_told_behind_its_name() {
    let agent = r#"{"description":"find config","prompt":"p","subagent_type":"Explore"}"#;
    let mut listener = Listener::new();
    listener.hears(&uses("a1", "Task", agent, None));
    listener.hears(&uses("t1", "Read", r#"{"file_path":"/etc/hosts"}"#, Some("a1")));
    assert_eq!(listener.story.doing(), "Explore \"find config\" › Read /etc/hosts");
    assert_eq!(listener.story.tool_at_work(), Some("Task"));
    listener.hears(&gives("t1", "a\nb", ""));
    assert_eq!(listener.told(), "● Explore \"find config\" › Read  /etc/hosts  2 lines");
    listener.hears(&uses("t2", "Bash", r#"{"command":"ls"}"#, Some("a1"))).hears(&gives("t2", "x", ""));
    assert_eq!(listener.told(), "● Explore \"find config\" › Bash  ls");
    let says =
        says("m9", "It is in /etc.").replace(r#""message":"#, r#""parent_tool_use_id":"a1","message":"#);
    assert_eq!(listener.hears(&says).told(), "  Explore \"find config\" › It is in /etc.");
    listener.hears(&gives("a1", "It is in /etc.\nReally.", ""));
    assert_eq!(listener.told(), "● Task  find config (Explore)\n    It is in /etc.\n    Really.");
}

#[test]
fn what_runs_in_the_background_is_told_when_it_begins_and_when_it_ends() {
    let started = r#"{"type":"system","subtype":"task_started","task_id":"b1","tool_use_id":"t1","description":"Wait","is_backgrounded":true}"#;
    let ended = r#"{"type":"system","subtype":"task_notification","task_id":"b1","status":"failed"}"#;
    let detail = r#""tool_use_result":{"stdout":"","backgroundTaskId":"b1"}"#;
    let mut listener = Listener::new();
    listener
        .hears(&uses("t1", "Bash", r#"{"command":"sleep 9","run_in_background":true}"#, None))
        .hears(started);
    assert_eq!(listener.told(), "  background  sleep 9");
    listener.hears(&gives("t1", "Command running in background with ID: b1.", detail)).hears(&result(""));
    assert_eq!((listener.told().as_str(), listener.story.doing().as_str()), ("", "background: sleep 9"));
    assert_eq!(listener.hears(ended).told(), "✗ background  sleep 9  failed");
    assert_eq!(listener.story.doing(), "idle");
}

#[test]
fn a_command_that_is_sent_to_the_background_later_is_told_with_what_it_gave_so_far() {
    let started = r#"{"type":"system","subtype":"task_started","task_id":"b1","tool_use_id":"t1","is_backgrounded":false}"#;
    let ended = r#"{"type":"system","subtype":"task_notification","task_id":"b1","status":"completed"}"#;
    let detail = r#""tool_use_result":{"stdout":"start","backgroundTaskId":"b1"}"#;
    let mut listener = Listener::new();
    listener.hears(&uses("t1", "Bash", r#"{"command":"make"}"#, None)).hears(started).passes(3.0);
    listener.hears(&gives("t1", "start\nCommand did not complete within its 3s timeout", detail));
    assert_eq!(listener.told(), "● Bash  make  3s\n    start\n    goes on in the background");
    assert_eq!(listener.hears(ended).told(), "  background  make  completed");
}

#[test]
fn a_subagent_in_the_background_goes_on_behind_the_agent_and_leaves_nothing() {
    let agent = r#"{"description":"find config","subagent_type":"Explore"}"#;
    let started = r#"{"type":"system","subtype":"task_started","task_id":"b1","tool_use_id":"a1","subagent_type":"Explore","description":"find config","is_backgrounded":true}"#;
    let launched = r#""tool_use_result":{"isAsync":true,"status":"async_launched"}"#;
    let ended = r#"{"type":"system","subtype":"task_notification","task_id":"b1","tool_use_id":"a1","status":"killed"}"#;
    let mut listener = Listener::new();
    listener.hears(&uses("a1", "Agent", agent, None)).hears(started);
    assert_eq!(
        listener.hears(&gives("a1", "launched", launched)).told(),
        "  background  Explore \"find config\""
    );
    listener.hears(&uses("t1", "Bash", r#"{"command":"ls"}"#, Some("a1")));
    assert_eq!(listener.story.doing(), "Explore \"find config\" › Bash ls");
    assert_eq!(listener.story.tool_at_work(), None);
    listener.hears(&says("m", "Meanwhile."));
    assert_eq!(listener.story.doing(), "writing");
    listener.told();
    assert_eq!(
        listener.hears(&result("")).hears(ended).told(),
        "– background  Explore \"find config\"  killed"
    );
    assert_eq!(listener.story.doing(), "idle");
}
