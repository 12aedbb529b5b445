//! Any bytes are read or turned away. What is read is written back as JSON that means the same as what came, and the own
//! JSON scanner accepts what the parser accepts, but for its limit on nesting.
#![no_main]

use codec::json::{IntoOwned, Json};
use codec::limits::Limits;
use codec::tunnel::{Down, Up, recover, recover_answer};
use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;

fuzz_target!(|bytes: &[u8]| {
    let _ = (recover(bytes), recover_answer(bytes));
    let Ok(text) = std::str::from_utf8(bytes) else {
        assert!(Up::read(bytes, &Limits::STANDARD).is_err());
        return;
    };
    let parsed = serde_json::from_str::<IgnoredAny>(text).is_ok();
    let json = Json::parse(text);
    assert!(parsed == json.is_some() || parsed && depth(text) > 120, "{text:?}");
    let same = |line: &str| {
        assert!(!line.contains(['\n', '\r', '\t']), "one line");
        let (came, went) = (Json::parse(text).unwrap(), Json::parse(line).expect("JSON"));
        assert!(came.means(&went), "came {text}\nwent {line}");
    };
    if let Ok(up) = Up::read(bytes, &Limits::STANDARD) {
        let line = up.to_line();
        same(&line);
        let again = Up::read(line.as_bytes(), &Limits::STANDARD).expect("what we write, we read");
        assert_eq!(again.to_line(), line);
        assert_eq!(up.into_owned().to_line(), line);
    }
    if let Ok(down) = Down::read(bytes) {
        let line = down.to_line();
        same(&line);
        assert_eq!(Down::read(line.as_bytes()).expect("what we write, we read").to_line(), line);
    }
});

fn depth(text: &str) -> usize {
    text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count()
}
