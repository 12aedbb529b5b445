//! No line of an agent is lost: whatever is a JSON object is read, and written back as JSON that means the same.
#![no_main]

use codec::claude::{AskUserQuestion, Input, Output, Rpc, recover};
use codec::events::{Event, Said};
use codec::journal::Entry;
use codec::json::Json;
use libfuzzer_sys::fuzz_target;

macro_rules! comes_back {
    ($type:ident, $bytes:expr) => {
        if let Ok(message) = $type::read($bytes) {
            let line = message.to_line();
            same($bytes, &line);
            let again = $type::read(line.as_bytes()).expect("what we write, we read");
            assert_eq!(again.to_line(), line);
        }
    };
}

fuzz_target!(|bytes: &[u8]| {
    let _ = (recover(bytes), codec::events::recover(bytes));
    comes_back!(Output, bytes);
    comes_back!(Input, bytes);
    comes_back!(Event, bytes);
    comes_back!(Said, bytes);
    comes_back!(Rpc, bytes);
    comes_back!(Entry, bytes);
    if let Ok(output) = Output::read(bytes) {
        let _ = output.misunderstood();
    }
    if let Ok(entry) = Entry::read(bytes) {
        assert!(entry.to_line().chars().all(codec::text::is_printable));
    }
    if let Ok(rpc) = Rpc::read(bytes) {
        let _ = (rpc.approval_call(), rpc.decision());
    }
    if let Some(json) = std::str::from_utf8(bytes).ok().and_then(Json::parse) {
        let _ = AskUserQuestion::read(json);
    }
});

fn same(bytes: &[u8], line: &str) {
    let came = Json::parse(std::str::from_utf8(bytes).unwrap()).unwrap();
    assert!(came.means(&Json::parse(line).expect("JSON")), "went {line}");
}
