//! Nothing that steers a terminal comes out, and nothing printable is lost.
#![no_main]

use codec::text::{is_printable, visible, visible_rows};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let shown = visible(text);
    assert!(!shown.chars().any(|letter| letter.is_control() || is_dangerous(letter)));
    let mut left = shown.chars();
    for letter in text.chars().filter(|letter| is_printable(*letter)) {
        assert!(left.any(|other| other == letter));
    }
    assert_eq!(visible(&shown), shown);
    for row in visible_rows(text) {
        assert!(!row.contains('\n'));
    }
});

/// Written from the list of threats, not from the table.
fn is_dangerous(letter: char) -> bool {
    matches!(letter as u32, 0x80..=0x9F | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0xFEFF | 0xE0000..=0xE007F)
}
