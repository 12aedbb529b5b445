//! What a JSON string says. Lenient where the parser is not: a surrogate without its other half is U+FFFD, because peers
//! that cut texts by UTF-16 units do send them, in questions too.

/// Decodes what stands between the quotes of a well-formed JSON string.
pub(super) fn unescape(escaped: &str) -> String {
    let mut out = String::with_capacity(escaped.len());
    let mut rest = escaped;
    while let Some((plain, after)) = next_escape(rest) {
        out.push_str(plain);
        rest = unescape_one(after, &mut out);
    }
    out.push_str(rest);
    out
}

/// What stands before the next escape, and what behind its backslash.
fn next_escape(text: &str) -> Option<(&str, &str)> {
    let at = memchr::memchr(b'\\', text.as_bytes())?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Decodes one escape, of which `after` begins behind the backslash; returns what follows it.
fn unescape_one<'t>(after: &'t str, out: &mut String) -> &'t str {
    let mut letters = after.chars();
    match letters.next() {
        Some('n') => out.push('\n'),
        Some('t') => out.push('\t'),
        Some('r') => out.push('\r'),
        Some('b') => out.push('\u{8}'),
        Some('f') => out.push('\u{c}'),
        Some('u') => return unescape_unit(letters.as_str(), out),
        Some(other) => out.push(other),
        None => {}
    }
    letters.as_str()
}

/// Decodes `XXXX` (behind `\u`), together with the low surrogate that must follow a high one.
fn unescape_unit<'t>(digits: &'t str, out: &mut String) -> &'t str {
    let (Some(first), rest) = take_unit(digits) else { return digits };
    if let (0xD800..=0xDBFF, Some(next)) = (first, rest.strip_prefix("\\u"))
        && let (Some(second @ 0xDC00..=0xDFFF), rest) = take_unit(next)
    {
        let point = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        out.push(char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER));
        return rest;
    }
    out.push(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
    rest
}

fn take_unit(digits: &str) -> (Option<u32>, &str) {
    match digits.split_at_checked(4) {
        Some((unit, rest)) => (u32::from_str_radix(unit, 16).ok(), rest),
        None => (None, digits),
    }
}

/// The same text, written in the one way that two texts share only if they say the same: escapes where JSON needs them,
/// and a surrogate without its other half as its escape.
pub(crate) fn canonical(escaped: &str) -> String {
    let mut out = String::with_capacity(escaped.len());
    let mut rest = escaped;
    while let Some((plain, after)) = rest.split_once('\\') {
        out.push_str(plain);
        let mut said = String::new();
        rest = unescape_one(after, &mut said);
        match after.strip_prefix('u').and_then(|digits| take_unit(digits).0) {
            Some(unit @ 0xD800..=0xDFFF) if said == "\u{fffd}" => out.push_str(&format!("\\u{unit:04x}")),
            _ => out.push_str(super::Text::new(&said).inner()),
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(raw: &str) -> String {
        unescape(raw.trim_matches('"'))
    }

    #[test]
    fn a_lone_surrogate_reads_as_the_replacement_character() {
        assert_eq!(text(r#""a\ud800b""#), "a\u{fffd}b");
        assert_eq!(text(r#""\udc00\ud83d""#), "\u{fffd}\u{fffd}");
        assert_eq!(text(r#""\ud83d\u0041""#), "\u{fffd}A");
        assert_eq!(text(r#""\ud83d\ud83d\ude00""#), "\u{fffd}😀");
    }

    #[test]
    fn escapes_read_as_serde_reads_them() {
        let raw = r#""q\"b\\s\/\b\f\n\r\t\u00e9\ud83d\ude00é""#;
        assert_eq!(text(raw), serde_json::from_str::<String>(raw).unwrap());
    }

    proptest! {
        #[test]
        fn any_text_reads_back_from_its_escapes(text in any::<String>()) {
            let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
            prop_assert_eq!(unescape(&units), text);
        }

        #[test]
        fn the_canonical_form_says_the_same_and_is_shared_by_all_that_do(text in any::<String>(), lone in 0xD800_u32..0xE000) {
            let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
            let plain = super::super::Text::new(&text);
            prop_assert_eq!(canonical(&units), canonical(plain.inner()));
            prop_assert_eq!(unescape(&canonical(&units)), text);
            let lone = format!("x\\u{lone:04X}\\u0041");
            prop_assert_eq!(canonical(&canonical(&lone)), lone.to_lowercase().replace("\\u0041", "A"));
        }

        #[test]
        fn any_units_read_as_the_standard_library_reads_them(units in proptest::collection::vec(any::<u16>(), 0..20)) {
            let escaped: String = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
            prop_assert_eq!(unescape(&escaped), String::from_utf16_lossy(&units));
        }
    }
}
