//! Any bytes are read or turned away; what is read is written back as something that reads the same; and the own JSON
//! scanner accepts what the parser accepts, but for its limit on nesting.
#![no_main]

use codec::json::{IntoOwned, Json};
use codec::limits::Limits;
use codec::tunnel::{Down, Up, recover};
use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let parsed = serde_json::from_str::<IgnoredAny>(text).is_ok();
        let scanned = Json::parse(text).is_some();
        assert!(parsed == scanned || parsed && depth(text) > 120, "{text:?}");
    }
    let _ = recover(bytes);
    if let Ok(up) = Up::read(bytes, &Limits::STANDARD) {
        let line = up.to_line();
        assert!(!line.contains('\n'), "one line");
        let again = Up::read(line.as_bytes(), &Limits::STANDARD).expect("what we write, we read");
        assert_eq!(again.to_line(), line);
        assert_eq!(up.into_owned().to_line(), line);
    }
    if let Ok(down) = Down::read(bytes) {
        let line = down.to_line();
        assert_eq!(Down::read(line.as_bytes()).expect("what we write, we read").to_line(), line);
    }
});

fn depth(text: &str) -> usize {
    text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count()
}
