//! Checks that a text is JSON and finds the members of its outermost object, in one pass.
//!
//! Accepts exactly what `serde_json` accepts when it ignores a value (differential tests and a fuzz target hold it
//! to that), but for a limit on nesting. Faster than parsing first and looking for the members afterwards. Keeps
//! one bit a level instead of recursing, so no input can exhaust the stack.

/// The deepest nesting of a value that is accepted, about as deep as `serde_json` reads into typed values.
pub(super) const DEEPEST: u32 = 127;

/// A place in a text that is being checked. Every step returns nothing where the text is not JSON.
pub(super) struct Scan<'t> {
    text: &'t str,
    at: usize,
}

/// The name of a member as it stands between its quotes, and whether it holds an escape.
#[derive(Clone, Copy)]
pub(super) struct Name<'t> {
    pub(super) inner: &'t str,
    pub(super) escaped: bool,
}

impl<'t> Scan<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is no blank.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    #[inline]
    fn pass(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Where we are.
    pub(super) const fn place(&self) -> usize {
        self.at
    }

    /// What was passed since then.
    pub(super) fn since(&self, place: usize) -> Option<&'t str> {
        self.text.get(place..self.at)
    }

    /// Nothing but blanks may be left.
    pub(super) fn end(&mut self) -> Option<()> {
        self.peek().is_none().then_some(())
    }

    /// An object, member by member: `each` is called at the beginning of a value and must go behind it.
    #[inline]
    pub(super) fn members(&mut self, mut each: impl FnMut(&mut Self, Name<'t>) -> Option<()>) -> Option<()> {
        self.pass(b'{')?;
        if self.peek()? == b'}' {
            return self.pass(b'}');
        }
        loop {
            let name = self.name()?;
            each(self, name)?;
            match self.peek()? {
                b',' => self.at += 1,
                b'}' => return self.pass(b'}'),
                _ => return None,
            }
        }
    }

    #[inline]
    fn name(&mut self) -> Option<Name<'t>> {
        self.peek()?;
        let start = self.at;
        let escaped = self.string()?;
        let inner = self.text.get(start + 1..self.at - 1)?;
        self.pass(b':')?;
        Some(Name { inner, escaped })
    }

    /// Any value; returns its text.
    pub(super) fn value(&mut self) -> Option<&'t str> {
        self.value_to(DEEPEST)
    }

    /// Any value of less than so many levels; returns its text.
    #[inline]
    pub(super) fn value_to(&mut self, levels: u32) -> Option<&'t str> {
        let first = self.peek()?;
        let start = self.at;
        match first {
            b'"' => self.string().map(|_| ()),
            b'{' | b'[' => self.container(levels),
            _ => self.scalar(),
        }?;
        self.text.get(start..self.at)
    }

    /// A list or an object with everything in it. One bit a level tells which of the two is open.
    fn container(&mut self, levels: u32) -> Option<()> {
        let (mut objects, mut depth) = (0_u128, 0_u32);
        loop {
            match self.peek()? {
                open @ (b'{' | b'[') => {
                    self.at += 1;
                    depth += 1;
                    if depth >= levels {
                        return None;
                    }
                    objects = objects << 1 | u128::from(open == b'{');
                    let close = if open == b'{' { b'}' } else { b']' };
                    if self.peek()? != close {
                        if open == b'{' {
                            self.name()?;
                        }
                        continue;
                    }
                }
                b'"' => {
                    self.string()?;
                }
                _ => self.scalar()?,
            }
            if self.close(&mut objects, &mut depth)? {
                return Some(());
            }
        }
    }

    /// Behind a value: closes what ends here, or goes to where the next value begins. Tells whether all is closed.
    fn close(&mut self, objects: &mut u128, depth: &mut u32) -> Option<bool> {
        loop {
            let in_object = *objects & 1 == 1;
            let next = self.peek()?;
            self.at += 1;
            match next {
                b',' if in_object => return self.name().map(|_| false),
                b',' => return Some(false),
                b'}' if in_object => {}
                b']' if !in_object => {}
                _ => return None,
            }
            *objects >>= 1;
            *depth -= 1;
            if *depth == 0 {
                return Some(true);
            }
        }
    }

    /// A string; tells whether it holds an escape.
    #[inline]
    fn string(&mut self) -> Option<bool> {
        if self.byte()? != b'"' {
            return None;
        }
        self.at += 1;
        let mut escaped = false;
        loop {
            self.pass_plain();
            match self.byte()? {
                b'"' => {
                    self.at += 1;
                    return Some(escaped);
                }
                b'\\' => {
                    self.escape()?;
                    escaped = true;
                }
                0..=0x1f => return None,
                _ => self.at += 1,
            }
        }
    }

    /// Goes forward as long as nothing can end the plain part of a string. Names and short texts are done after eight
    /// bytes; long ones go by sixteen at a time, which the compiler turns into one comparison each.
    #[inline]
    fn pass_plain(&mut self) {
        while self.pass_eight() {
            self.pass_sixteens();
        }
    }

    /// Whether eight bytes went by. If not, we stand before what stopped us, or less than eight are left.
    #[inline]
    fn pass_eight(&mut self) -> bool {
        let eight = self.text.as_bytes().get(self.at..self.at + 8).map(<[u8; 8]>::try_from);
        let Some(Ok(eight)) = eight else { return false };
        let found = special(u64::from_le_bytes(eight));
        self.at += if found == 0 { 8 } else { found.trailing_zeros() as usize / 8 };
        found == 0
    }

    #[inline]
    fn pass_sixteens(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(Ok(sixteen)) = bytes.get(self.at..self.at + 16).map(<&[u8; 16]>::try_from) {
            let is_special = |byte: u8| (byte < 0x20) | (byte == b'"') | (byte == b'\\');
            if sixteen.iter().fold(false, |found, byte| found | is_special(*byte)) {
                return;
            }
            self.at += 16;
        }
    }

    fn escape(&mut self) -> Option<()> {
        let rest = self.text.as_bytes().get(self.at + 1..)?;
        match rest {
            [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => self.at += 2,
            [b'u', digits @ ..] => {
                let digits = digits.get(..4)?;
                digits.iter().all(u8::is_ascii_hexdigit).then_some(())?;
                self.at += 6;
            }
            _ => return None,
        }
        Some(())
    }

    fn scalar(&mut self) -> Option<()> {
        let rest = self.text.get(self.at..)?;
        for word in ["true", "false", "null"] {
            if rest.starts_with(word) {
                self.at += word.len();
                return Some(());
            }
        }
        self.number()
    }

    fn number(&mut self) -> Option<()> {
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        match self.byte()? {
            b'0' => self.at += 1,
            _ => self.digits()?,
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.byte() {
                self.at += 1;
            }
            self.digits()?;
        }
        // `01` is no number, and nothing but a blank or a sign of structure may follow one.
        (!matches!(self.byte(), Some(b'0'..=b'9'))).then_some(())
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.byte() {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }
}

/// Marks the bytes that are `"`, `\` or below 0x20. The lowest mark is exact, those above it need not be.
#[inline]
const fn special(eight: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let quote = eight ^ (ONES * b'"' as u64);
    let backslash = eight ^ (ONES * b'\\' as u64);
    let is_quote = quote.wrapping_sub(ONES) & !quote;
    let is_backslash = backslash.wrapping_sub(ONES) & !backslash;
    let is_control = eight.wrapping_sub(ONES * 0x20) & !eight;
    (is_quote | is_backslash | is_control) & HIGH
}

/// Hands out every byte that a string cannot hold as it is, with its place, in order.
pub(super) fn specials(bytes: &[u8], mut each: impl FnMut(usize, u8)) {
    let is_special = |byte: u8| matches!(byte, 0..=0x1f | b'"' | b'\\');
    let (eights, rest) = bytes.as_chunks::<8>();
    for (at, eight) in eights.iter().enumerate() {
        let mut marks = special(u64::from_le_bytes(*eight));
        while marks != 0 {
            let place = marks.trailing_zeros() as usize / 8;
            // Only the lowest mark is certain.
            if let Some(byte) = eight.get(place).copied().filter(|byte| is_special(*byte)) {
                each(at * 8 + place, byte);
            }
            marks &= marks - 1;
        }
    }
    let first = bytes.len() - rest.len();
    for (at, byte) in rest.iter().enumerate().filter(|(_, byte)| is_special(**byte)) {
        each(first + at, *byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::de::IgnoredAny;

    fn accepts(text: &str) -> bool {
        let mut scan = Scan::new(text);
        scan.value().is_some() && scan.end().is_some()
    }

    fn parser_accepts(text: &str) -> bool {
        serde_json::from_str::<IgnoredAny>(text).is_ok()
    }

    #[test]
    fn the_grammar_is_the_parsers() {
        let cases = [
            "0",
            "-0",
            "01",
            "1.",
            ".5",
            "1.5e+3",
            "1e",
            "-",
            "+1",
            "1e400",
            "0x1",
            "NaN",
            "true",
            "tru",
            "truex",
            "nulll",
            "\"\"",
            "\"a",
            "\"\\u12\"",
            "\"\\ud800\"",
            "\"\\x\"",
            "\"\u{1}\"",
            "\"\u{7f}\"",
            "\"é\"",
            "[]",
            "[",
            "[1,]",
            "[,1]",
            "[1 2]",
            "{}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "{\"a\":1}}",
            "[}",
            "{]",
            "",
            " ",
            " [ 1 , {\"a\" : [ ] } ] ",
            "\u{feff}1",
            "1 1",
            "[\u{b}1]",
            "{\"a\":1 \"b\":2}",
            "\"12345678\\\"9\"",
        ];
        for text in cases {
            assert_eq!(accepts(text), parser_accepts(text), "{text:?}");
        }
    }

    #[test]
    fn nesting_ends_at_the_limit_and_not_on_the_stack() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(accepts(&nested(126)));
        assert!(!accepts(&nested(127)));
        assert!(!accepts(&"[{\"a\":".repeat(1 << 20)));
    }

    proptest! {
        #[test]
        fn scanner_and_parser_accept_the_same_texts(text in r#"([\[\]{}",:\\\-+.0-9a-fA-FnulrtsE \n\x01é]|"[a-z]{0,9}\\?["nué]?|\\u[0-9d]{3,4}){0,24}"#) {
            prop_assert_eq!(accepts(&text), parser_accepts(&text));
        }

        #[test]
        fn a_changed_byte_is_seen_as_the_parser_sees_it(at in 0_usize..120, byte in any::<u8>()) {
            let mut bytes = br#"{"type":"structured","message":{"a":[1,-2.5e3,true,null,"x\u00e9\n long enough text"],"b":{"c":{}}}} "#.to_vec();
            let at = at % bytes.len();
            bytes[at] = byte;
            if let Ok(text) = std::str::from_utf8(&bytes) {
                prop_assert_eq!(accepts(text), parser_accepts(text));
            }
        }

        #[test]
        fn the_lowest_mark_is_exact(bytes in any::<[u8; 8]>()) {
            let expected = bytes.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f));
            let found = special(u64::from_le_bytes(bytes));
            prop_assert_eq!((found != 0).then(|| found.trailing_zeros() as usize / 8), expected);
        }
    }
}
