//! Text from outside, made safe to show.
//!
//! Owns the list of characters that a terminal or an eye could be fooled by. They are shown as escapes and
//! never deleted: what a person approves must be what they saw.

use std::borrow::Cow;
use std::fmt::Write as _;

/// One row of text in which every control, bidi, zero-width, tag or otherwise invisible character stands as a
/// visible escape (`\n`, `\x1b`, `\u{202e}`). Everything that has a glyph or is a plain blank stays as it is; so does a
/// backslash, so a row cannot tell an escape from the same letters typed out. Commands are shown by [`visible_rows`].
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut after_pictograph = false;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        // One selector behind a pictograph is how people write `⚠️`. Anywhere else it carries hidden data.
        if is_printable(letter) || after_pictograph && is_selector(letter) {
            out.push(letter);
        } else {
            push_escape(letter, &mut out);
        }
        after_pictograph = is_pictograph(letter);
        // So is one between a digit and the keycap around it: `1️⃣`.
        if matches!(letter, '0'..='9' | '#' | '*') && text_of_keycap(&mut letters.clone()) {
            after_pictograph = true;
        }
    }
    Cow::Owned(out)
}

/// The rows of a longer text, each made visible.
pub fn visible_rows(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    text.split('\n').map(visible)
}

/// Whether a character may stand on the screen as it is.
#[must_use]
pub fn is_printable(letter: char) -> bool {
    if letter.is_ascii() {
        return matches!(letter, ' '..='~');
    }
    let after = HIDDEN.partition_point(|(_, last)| *last < letter);
    HIDDEN.get(after).is_none_or(|(first, _)| letter < *first) && !is_noncharacter(letter)
}

/// Escapes in a line of JSON what `cat` should not send to a terminal; none if there is nothing of the kind. Such
/// characters must stand only inside JSON strings.
#[must_use]
pub fn escape_hidden(line: &str) -> Option<String> {
    // Without a branch for each byte, so that several are looked at together: nearly every line ends here.
    let is_ascii = line.bytes().fold(true, |all, byte| all & (0x20..0x7f).contains(&byte));
    if is_ascii || is_all_printable(line) {
        return None;
    }
    let mut out = String::with_capacity(line.len() + 16);
    for letter in line.chars() {
        if is_printable(letter) {
            out.push(letter);
        } else {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                let written = write!(out, "\\u{unit:04x}");
                debug_assert!(written.is_ok(), "writing to a String cannot fail");
            }
        }
    }
    Some(out)
}

/// Whether every character may stand there as it is. Most are ASCII, also where a few are not.
fn is_all_printable(line: &str) -> bool {
    let mut rest = line;
    while let Some(at) = beyond_ascii(rest.as_bytes()) {
        let mut letters = rest.split_at(at).1.chars();
        if !letters.next().is_some_and(is_printable) {
            return false;
        }
        rest = letters.as_str();
    }
    true
}

/// Where the first byte stands that is no printable ASCII; eight are looked at together.
fn beyond_ascii(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let (eights, rest) = bytes.as_chunks::<8>();
    for (at, eight) in eights.iter().enumerate() {
        let eight = u64::from_le_bytes(*eight);
        let deletes = eight ^ (ONES * 0x7f);
        let is_delete = deletes.wrapping_sub(ONES) & !deletes;
        // A borrow may mark a byte too many, but only above one that is marked rightly.
        let marks = (eight | eight.wrapping_sub(ONES * 0x20) | is_delete) & HIGH;
        if marks != 0 {
            return Some(at * 8 + marks.trailing_zeros() as usize / 8);
        }
    }
    let tail = rest.iter().position(|byte| !(0x20..0x7f).contains(byte));
    tail.map(|tail| bytes.len() - rest.len() + tail)
}

/// Characters that come as a sign or as an emoji, which a variation selector tells apart.
const fn is_pictograph(letter: char) -> bool {
    matches!(letter as u32, 0xA9 | 0xAE | 0x203C | 0x2049 | 0x2122 | 0x2139 | 0x2190..=0x21FF | 0x2300..=0x23FF)
        || matches!(letter as u32, 0x24C2 | 0x25A0..=0x27BF | 0x2900..=0x297F | 0x2B00..=0x2BFF)
        || matches!(letter as u32, 0x3030 | 0x303D | 0x3297 | 0x3299 | 0x1F000..=0x1FAFF)
}

fn text_of_keycap(rest: &mut impl Iterator<Item = char>) -> bool {
    rest.next() == Some('\u{fe0f}') && rest.next() == Some('\u{20e3}')
}

const fn is_selector(letter: char) -> bool {
    matches!(letter, '\u{fe0e}' | '\u{fe0f}')
}

const fn is_noncharacter(letter: char) -> bool {
    (letter as u32) & 0xFFFE == 0xFFFE
}

fn push_escape(letter: char, out: &mut String) {
    let written = match letter {
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        '\0'..='\x7f' => write!(out, "\\x{:02x}", letter as u32),
        _ => write!(out, "\\u{{{:x}}}", letter as u32),
    };
    debug_assert!(written.is_ok(), "writing to a String cannot fail");
}

/// Characters beyond ASCII that are invisible, steer the terminal, or reorder what stands beside them, in order:
/// C1 controls, format characters without a glyph, line separators, everything Unicode calls default-ignorable, and the
/// letters that are blank without being a space.
const HIDDEN: &[(char, char)] = &[
    ('\u{80}', '\u{9f}'),
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fdd0}', '\u{fdef}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{13430}', '\u{13455}'),
    ('\u{16fe4}', '\u{16fe4}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d159}', '\u{1d159}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_dangerous_half_of_a_command_is_shown_and_not_deleted() {
        assert_eq!(visible("ls \x1b]0;; touch x"), "ls \\x1b]0;; touch x");
        assert_eq!(visible("Deny\x08\x08\x08\x08Allow\rok"), "Deny\\x08\\x08\\x08\\x08Allow\\rok");
        assert_eq!(visible("\u{9b}2J\u{85}"), "\\u{9b}2J\\u{85}");
    }

    #[test]
    fn bidi_zero_width_and_tag_characters_are_shown() {
        assert_eq!(visible("\u{202e}gnp.exe\u{202c}"), "\\u{202e}gnp.exe\\u{202c}");
        assert_eq!(visible("Al\u{200b}low\u{2060} \u{feff}all"), "Al\\u{200b}low\\u{2060} \\u{feff}all");
        assert_eq!(visible("\u{e0069}"), "\\u{e0069}");
        assert_eq!(visible("a\u{2028}b\u{3164}c"), "a\\u{2028}b\\u{3164}c");
    }

    #[test]
    fn line_ends_tabs_and_what_is_no_character_are_shown() {
        assert_eq!(visible("a\nb\tc\rd\0"), "a\\nb\\tc\\rd\\x00");
        assert_eq!(visible("\u{fffe}\u{1ffff}\u{10fffe}\u{fdd0}"), "\\u{fffe}\\u{1ffff}\\u{10fffe}\\u{fdd0}");
        assert_eq!(visible("\u{fffd}\u{1fffd}"), "\u{fffd}\u{1fffd}");
    }

    #[test]
    fn ordinary_text_of_any_script_stays_as_it_is() {
        for text in
            ["plain ~", "naïve café", "日本語　テスト", "⚠️ 😀 ✓ ❯", "1️⃣ #️⃣", "שלום", "e\u{301}", "\u{fffd}"]
        {
            assert_eq!(visible(text), text);
        }
        assert!(matches!(visible("plain"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_variation_selector_shows_up_where_it_selects_nothing() {
        assert_eq!(visible("⚠️\u{fe0f}\u{fe0e}"), "⚠️\\u{fe0f}\\u{fe0e}");
        assert_eq!(visible("\u{fe0f}a"), "\\u{fe0f}a");
        assert_eq!(visible("1\u{fe0f}2"), "1\\u{fe0f}2");
        assert_eq!(visible("\x07\u{fe0f}"), "\\x07\\u{fe0f}");
        assert_eq!(visible("a\u{fe01}\u{e0101}"), "a\\u{fe01}\\u{e0101}");
        assert_eq!(visible("r\u{fe0f}m -r\u{fe0e}f"), "r\\u{fe0f}m -r\\u{fe0e}f");
        assert_eq!(visible(" \u{fe0f}e\u{301}\u{fe0f}"), " \\u{fe0f}e\u{301}\\u{fe0f}");
    }

    #[test]
    fn rows_end_at_line_ends_only() {
        assert_eq!(visible_rows("a\nb\r\n\u{2028}c").collect::<Vec<_>>(), ["a", "b\\r", "\\u{2028}c"]);
    }

    #[test]
    fn the_table_is_sorted_and_without_overlap() {
        assert!(HIDDEN.windows(2).all(|pair| pair[0].1 < pair[1].0));
        assert!(HIDDEN.iter().all(|(first, last)| first <= last));
    }

    /// Written from the threat list, not from the table.
    fn is_dangerous(letter: char) -> bool {
        letter.is_control()
            || matches!(letter as u32, 0x202A..=0x202E | 0x2066..=0x2069 | 0x200B..=0x200F | 0xFEFF | 0xE0000..=0xE007F)
            || matches!(letter as u32, 0x2028 | 0x2029 | 0x061C | 0x00AD)
    }

    proptest! {
        #[test]
        fn a_line_is_printable_if_all_its_letters_are(text in any::<String>(), plain in "[ -~é—漢]{0,40}") {
            for line in [&text, &plain, &format!("{plain}{text}")] {
                prop_assert_eq!(is_all_printable(line), line.chars().all(is_printable));
            }
        }

        #[test]
        fn no_dangerous_character_ever_comes_out(text in hostile_text()) {
            prop_assert!(!visible(&text).chars().any(is_dangerous));
        }

        #[test]
        fn no_printable_character_is_ever_lost(text in hostile_text()) {
            let shown = visible(&text);
            let mut left = shown.chars();
            for letter in text.chars().filter(|letter| is_printable(*letter)) {
                prop_assert!(left.any(|other| other == letter), "{letter:?} is missing in {shown:?}");
            }
        }

        #[test]
        fn making_visible_twice_changes_nothing_more(text in hostile_text()) {
            let once = visible(&text);
            prop_assert_eq!(&visible(&once), &once);
        }
    }

    fn hostile_text() -> impl Strategy<Value = String> {
        let letter = prop_oneof![
            3 => any::<char>(),
            2 => proptest::char::range('\0', '\u{a0}'),
            1 => proptest::char::range('\u{2000}', '\u{2070}'),
            1 => proptest::char::range('\u{fe00}', '\u{feff}'),
            1 => proptest::char::range('\u{e0000}', '\u{e01ff}'),
        ];
        proptest::collection::vec(letter, 0..60).prop_map(|letters| letters.into_iter().collect())
    }

    proptest::proptest! {
        #[test]
        fn the_first_byte_that_is_no_printable_ascii_is_found_wherever_it_stands(
            bytes in proptest::collection::vec(proptest::prelude::prop_oneof![
                8 => 0x20..0x7f_u8,
                1 => proptest::prelude::any::<u8>(),
                1 => proptest::sample::select(vec![0x1f, 0x20, 0x7e, 0x7f, 0x80]),
            ], 0..40),
        ) {
            let expected = bytes.iter().position(|byte| !(0x20..0x7f).contains(byte));
            proptest::prop_assert_eq!(beyond_ascii(&bytes), expected);
        }
    }
}
