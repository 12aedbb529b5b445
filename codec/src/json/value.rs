//! One JSON value, borrowed as the text that it had on the wire.
//!
//! Every `Json` holds well-formed JSON: it comes from the scanner or from the writer. `Text` and `Num` are
//! values whose first byte showed what they are; they are decoded when asked, leniently.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

use super::field::Written;
use super::object::ObjectWriter;
use super::scan::{Scan, specials};
use super::unescape::unescape;
use super::walk;

/// What a value is, told by its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Flag,
    /// a number of any size
    Number,
    /// a string
    Text,
    /// an array
    List,
    /// an object
    Object,
}

/// A JSON value as the exact text it had on the wire.
#[derive(Clone, PartialEq, Eq)]
pub struct Json<'a>(Cow<'a, str>);

impl<'a> Json<'a> {
    /// Reads one whole JSON value, if the text is one.
    #[must_use]
    pub fn parse(text: &'a str) -> Option<Self> {
        let mut scan = Scan::new(text);
        let value = scan.value()?;
        scan.end()?;
        Some(Self::well_formed(value))
    }

    /// Takes a part of a text that was parsed already.
    pub(super) const fn well_formed(text: &'a str) -> Self {
        Json(Cow::Borrowed(text))
    }

    /// The JSON of a value that cannot fail to be written: text, numbers, flags, lists and string-keyed maps.
    /// Anything else (a map with keys that are no text) becomes `null`.
    #[must_use]
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Json<'static> {
        Json(Cow::Owned(serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())))
    }

    /// The JSON of a value that has its own way of being written: a record, an id, a scalar.
    #[must_use]
    pub fn written(value: &(impl Written + ?Sized)) -> Json<'static> {
        let mut text = String::new();
        value.write(&mut text);
        Json(Cow::Owned(text))
    }

    /// The JSON of an object, member by member.
    #[must_use]
    pub fn object(members: impl FnOnce(&mut ObjectWriter<'_>)) -> Json<'static> {
        let mut text = String::new();
        ObjectWriter::object(&mut text, members);
        Json(Cow::Owned(text))
    }

    /// `null`
    #[must_use]
    pub const fn null() -> Self {
        Json(Cow::Borrowed("null"))
    }

    /// The text on the wire.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// What the value is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self.0.as_bytes().first() {
            Some(b'"') => Kind::Text,
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::List,
            Some(b't' | b'f') => Kind::Flag,
            Some(b'n') => Kind::Null,
            _ => Kind::Number,
        }
    }

    /// The text, if the value is one.
    #[must_use]
    pub fn as_text(&self) -> Option<Text<'_>> {
        (self.kind() == Kind::Text).then(|| Text(Cow::Borrowed(&self.0)))
    }

    /// `true` or `false`, if the value is one of them.
    #[must_use]
    pub fn as_flag(&self) -> Option<bool> {
        (self.kind() == Kind::Flag).then(|| self.0.starts_with('t'))
    }

    /// The members of a list, if the value is one.
    #[must_use]
    pub fn as_list(&self) -> Option<Vec<Json<'_>>> {
        let mut items = Vec::new();
        walk::items(&self.0, |item| {
            items.push(Json::well_formed(item));
            Some(())
        })?;
        Some(items)
    }

    pub(crate) fn into_cow(self) -> Cow<'a, str> {
        self.0
    }

    /// Whether no number in the value is out of the range of a 64-bit float.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        numbers_are_finite(self.0.as_bytes())
    }

    /// The same value, independent of the line it was read from.
    #[must_use]
    pub fn into_owned(self) -> Json<'static> {
        Json(Cow::Owned(self.0.into_owned()))
    }
}

fn numbers_are_finite(bytes: &[u8]) -> bool {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        at += match byte {
            b'"' => walk::string_length(rest),
            b'-' | b'0'..=b'9' => {
                let length = number_length(rest);
                if !is_finite(rest.get(..length).unwrap_or_default()) {
                    return false;
                }
                length
            }
            _ => 1,
        };
    }
    true
}

fn number_length(rest: &[u8]) -> usize {
    rest.iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')).count()
}

fn is_finite(number: &[u8]) -> bool {
    // Without an exponent it takes 309 digits to leave the range: nearly every number is done here.
    if number.len() < 309 && memchr::memchr2(b'e', b'E', number).is_none() {
        return true;
    }
    std::str::from_utf8(number).ok().and_then(|text| text.parse::<f64>().ok()).is_some_and(f64::is_finite)
}

/// Writes the JSON string that says `text`.
pub(crate) fn escape_into(out: &mut String, text: &str) {
    // Of a line of JSON every sixth byte is a quote.
    out.reserve(text.len() + text.len() / 4 + 2);
    out.push('"');
    let mut from = 0;
    specials(text.as_bytes(), |at, byte| {
        out.push_str(text.get(from..at).unwrap_or_default());
        match byte {
            // It goes with what follows it.
            b'"' | b'\\' => {
                out.push('\\');
                from = at;
            }
            control => {
                out.push_str(Text(Json::of(&char::from(control)).0).inner());
                from = at + 1;
            }
        }
    });
    out.push_str(text.get(from..).unwrap_or_default());
    out.push('"');
}

/// Whether a text needs no escape in JSON. Nearly all names and ids are such.
pub(super) fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\')
}

/// A JSON string. What it says is decoded on demand; a lone surrogate then reads as U+FFFD. Two are equal if they are
/// written alike; [`Text::is`] compares what is said.
#[derive(Clone, PartialEq, Eq)]
pub struct Text<'a>(pub(crate) Cow<'a, str>);

impl<'a> Text<'a> {
    /// The JSON string that says `text`.
    #[must_use]
    pub fn new(text: &str) -> Text<'static> {
        let mut quoted = String::new();
        escape_into(&mut quoted, text);
        Text(Cow::Owned(quoted))
    }

    /// The text on the wire, quotes and escapes included.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// What stands between the quotes.
    #[inline]
    pub(crate) fn inner(&self) -> &str {
        self.0.get(1..self.0.len().saturating_sub(1)).unwrap_or_default()
    }

    /// What the string says. Borrowed unless it holds an escape.
    #[must_use]
    pub fn get(&self) -> Cow<'_, str> {
        match self.inner() {
            plain if memchr::memchr(b'\\', plain.as_bytes()).is_none() => Cow::Borrowed(plain),
            escaped => Cow::Owned(unescape(escaped)),
        }
    }

    /// Whether it says exactly this.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        self.get() == text
    }

    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inner().is_empty()
    }

    /// The value as plain JSON.
    #[must_use]
    pub fn into_json(self) -> Json<'a> {
        Json(self.0)
    }

    /// The same text, independent of the line it was read from.
    #[must_use]
    pub fn into_owned(self) -> Text<'static> {
        Text(Cow::Owned(self.0.into_owned()))
    }
}

/// A JSON number as written: it may be out of every range and still be carried and shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Num<'a>(pub(crate) Cow<'a, str>);

impl Num<'_> {
    /// The JSON number for a whole number.
    #[must_use]
    pub fn new(number: u64) -> Num<'static> {
        Num(Cow::Owned(number.to_string()))
    }

    /// The JSON number for any number that is one.
    #[must_use]
    pub fn of(number: f64) -> Option<Num<'static>> {
        number.is_finite().then(|| Num(Cow::Owned(number.to_string())))
    }

    /// The text on the wire.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// The nearest float; infinite if the number is out of range.
    #[must_use]
    pub fn as_f64(&self) -> f64 {
        self.0.parse().unwrap_or(f64::NAN)
    }

    /// The number, if it is a whole one (written in any way, `3e2` and `300.0` too; those up to 2^53).
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;
        if let Ok(number) = self.0.parse() {
            return Some(number);
        }
        let number = self.as_f64();
        let whole = number.fract() == 0.0 && (0.0..=LARGEST_EXACT).contains(&number);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and in range")]
        whole.then_some(number as u64)
    }

    /// The same number, independent of the line it was read from.
    #[must_use]
    pub fn into_owned(self) -> Num<'static> {
        Num(Cow::Owned(self.0.into_owned()))
    }
}

/// Debug views are what snapshots show: short, and one line each.
const DEBUG_LIMIT: usize = 72;

fn short(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(DEBUG_LIMIT) {
        None => Cow::Borrowed(text),
        Some((cut, _)) => {
            let (head, tail) = text.split_at(cut);
            Cow::Owned(format!("{head}…+{}", tail.len()))
        }
    }
}

impl fmt::Debug for Json<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&short(&self.0))
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&short(&self.get()), out)
    }
}

impl fmt::Debug for Num<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&short(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_text_is_written_as_every_other_writer_does(text in proptest::prelude::any::<String>()) {
            proptest::prop_assert_eq!(Text::new(&text).raw().to_owned(), serde_json::to_string(&text).unwrap());
        }
    }

    #[test]
    fn every_character_that_needs_an_escape_gets_the_usual_one() {
        let all: String = (0..0x100_u32).filter_map(char::from_u32).collect();
        assert_eq!(Text::new(&all).raw(), serde_json::to_string(&all).unwrap());
    }

    #[test]
    fn a_text_compares_without_being_fooled_by_a_backslash() {
        assert!(Json::parse(r#""\u0074ype""#).unwrap().as_text().unwrap().is("type"));
        assert!(!Json::parse(r#""\u0074""#).unwrap().as_text().unwrap().is("\\u0074"));
        assert!(Json::parse(r#""\\u0074""#).unwrap().as_text().unwrap().is("\\u0074"));
    }

    #[test]
    fn numbers_out_of_range_are_carried() {
        assert!(Num(Cow::Borrowed("1e400")).as_f64().is_infinite());
        assert_eq!(Num(Cow::Borrowed("1e400")).as_u64(), None);
        assert_eq!(Num(Cow::Borrowed("3e2")).as_u64(), Some(300));
        assert_eq!(Num(Cow::Borrowed("-1")).as_u64(), None);
        assert_eq!(Num(Cow::Borrowed("2.5")).as_u64(), None);
    }

    #[test]
    fn infinite_numbers_are_seen_anywhere_but_in_strings() {
        let finite = |raw: &str| Json::parse(raw).unwrap().is_finite();
        assert!(finite(r#"{"a":[[1.5]],"b":"1e400 \"1e400"}"#));
        assert!(finite("[1e300,-2.5E-9]"));
        assert!(!finite(r#"{"a":[{"b":-1e400}]}"#));
        assert!(!finite(&format!("[{}]", "9".repeat(400))));
    }
}
