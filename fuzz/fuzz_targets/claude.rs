//! No line of an agent is lost: whatever is JSON is read, kept, and written back as something that reads the same.
#![no_main]

use codec::claude::{AskUserQuestion, Input, Output, Rpc, recover};
use codec::events::Event;
use codec::journal::Entry;
use codec::json::Json;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = recover(bytes);
    if let Ok(output) = Output::read(bytes) {
        let line = output.to_line();
        assert_eq!(Output::read(line.as_bytes()).expect("what we write, we read").to_line(), line);
        let _ = output.misunderstood();
    }
    if let Ok(input) = Input::read(bytes) {
        let line = input.to_line();
        assert_eq!(Input::read(line.as_bytes()).expect("what we write, we read").to_line(), line);
    }
    if let Ok(event) = Event::read(bytes) {
        let line = event.to_line();
        assert_eq!(Event::read(line.as_bytes()).expect("what we write, we read").to_line(), line);
    }
    if let Ok(rpc) = Rpc::read(bytes) {
        let _ = (rpc.approval_call(), rpc.decision());
    }
    if let Ok(entry) = Entry::read(bytes) {
        assert!(entry.to_line().chars().all(codec::text::is_printable));
    }
    if let Some(json) = std::str::from_utf8(bytes).ok().and_then(Json::parse) {
        let _ = AskUserQuestion::read(json);
    }
});
