//! Pieces of messages are left out of the record: the whole message follows. Nothing else is.

use std::sync::Arc;

use serde_json::Value;

use crate::stub::{played, record, run_in};
use crate::support::launch::Launch;
use crate::support::temp::Temp;

/// The lines that came from the agent, as they are on record.
fn heard(record: &str) -> Vec<String> {
    let lines = record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let from = lines.filter(|line| line["dir"] == "from");
    from.map(|line| line["line"].as_str().unwrap().to_owned()).collect()
}

fn checked(folder: &Temp) {
    let files = crate::records(folder);
    assert_eq!(files.len(), 1);
    let (code, stdout, stderr) = Launch::tim(["replay", "--check"]).arg(&files[0]).start().exit();
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stdout.starts_with("as recorded"), "{stdout}");
}

#[test]
fn of_claudes_messages_the_pieces_are_left_out_and_what_only_looks_like_one_is_not() {
    let folder = Arc::new(Temp::new());
    let script = r#"hears; init
echo '{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a piece"}}}'
echo '{"event":{"type":"message_stop"},"type":"stream_event"}'
echo '{"type":"stream_event",but this is no JSON'
echo '{"type":"stream_event","subtype":"without an event"}'
says 'the whole'; asks q; hears; result; to_the_end"#;
    let launch = run_in(Arc::clone(&folder), script).arg("--answer-command").arg(crate::YES);
    let (code, stdout, stderr) = played(launch.arg("--output-format").arg("stream-json"));
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("a piece"), "whoever reads it hears all of it: {stdout}");
    let heard = heard(&record(&folder));
    let is_heard = |part: &str| heard.iter().any(|line| line.contains(part));
    assert!(!is_heard("a piece"), "{heard:#?}");
    for part in
        ["message_stop", "but this is no JSON", "without an event", "the whole", "can_use_tool", "result"]
    {
        assert!(is_heard(part), "{part}: {heard:#?}");
    }
    checked(&folder);
}

#[test]
fn of_a_stream_agent_every_piece_stays_for_there_is_nothing_else() {
    let folder = Arc::new(Temp::new());
    let agent = folder.path("backend");
    let script = "#!/bin/sh\nread -r line\necho '{\"type\":\"text_delta\",\"text\":\"one \"}'\n\
                  echo '{\"type\":\"text_delta\",\"text\":\"two\"}'\necho '{\"type\":\"done\",\"ok\":true}'\ncat > /dev/null\n";
    std::fs::write(&agent, script).unwrap();
    std::fs::set_permissions(&agent, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let launch = Launch::tim_in(Arc::clone(&folder), ["run", "go", "--backend"]).arg(&agent);
    let (code, stdout, stderr) = played(launch);
    assert_eq!((code, stdout.as_str()), (0, "one two\n"), "{stderr}");
    assert_eq!(heard(&record(&folder)).len(), 3);
    checked(&folder);
}
