//! The strings at the top of an object that was not read.
//!
//! A line over the limit or with something the matter is not read, but the id of the question in it must be found, so
//! that its asker hears of it. Looks at the outer two levels of an object that the line begins with, and of that object
//! only: text that quotes a request asks nothing. Believes only strings whose end it saw, keeps no more than two names,
//! and follows no recursion.

use crate::frame::HEAD;
use crate::id::RequestId;
use crate::json::{Field as _, Json, Text};

/// A string at the top of an object: its name, and where it stands.
pub(crate) struct Found<'f> {
    pub(crate) place: Place<'f>,
    pub(crate) name: &'f str,
    pub(crate) text: Text<'f>,
}

/// Where a string stands: in the object itself, or in one inside it.
pub(crate) enum Place<'f> {
    Outer,
    Inner {
        /// the name of the inner object
        outer: &'f str,
        /// which inner object it is: two of the same name are two
        number: usize,
    },
}

/// Calls `each` with the strings that stand directly in the object, or in an object directly inside it.
pub(crate) fn skim(head: &[u8], mut each: impl FnMut(Found<'_>)) {
    let mut skimmer =
        Skimmer { rest: beginning(head), depth: 0, keys: [None, None], inner: 0, inner_is_list: false };
    if skimmer.rest.first() != Some(&b'{') {
        return;
    }
    while skimmer.step(&mut each).is_some() {}
}

/// The id under `name` of an object that says to be of the type `kind`.
pub(crate) fn id_of(head: &[u8], kind: &str, name: &str) -> Option<RequestId> {
    let (mut is_kind, mut id) = (false, FoundId::None);
    skim(head, |found| match found.place {
        Place::Outer if found.name == "type" => is_kind |= found.text.is(kind),
        Place::Outer if found.name == name => id.add(&found.text),
        _ => {}
    });
    id.one().filter(|_| is_kind)
}

/// Without the blanks and the byte-order mark that some writers put in front.
fn beginning(head: &[u8]) -> &[u8] {
    head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head).trim_ascii_start()
}

/// An id that may have been found: none yet, one, or several that do not agree.
#[derive(Default)]
pub(crate) enum FoundId {
    #[default]
    None,
    One(RequestId),
    Several,
}

impl FoundId {
    pub(crate) fn add(&mut self, text: &Text<'_>) {
        if text.raw().len() > HEAD {
            // Nobody recognises an id of that size, and the reply would be as long.
            *self = FoundId::Several;
            return;
        }
        let id = RequestId::from_text(text);
        *self = match std::mem::take(self) {
            FoundId::None => FoundId::One(id),
            FoundId::One(earlier) if earlier == id => FoundId::One(id),
            _ => FoundId::Several,
        };
    }

    pub(crate) fn one(self) -> Option<RequestId> {
        match self {
            FoundId::One(id) => Some(id),
            _ => None,
        }
    }
}

struct Skimmer<'h> {
    rest: &'h [u8],
    depth: usize,
    /// the names under which the values of the two outer levels stand
    keys: [Option<String>; 2],
    /// how many inner objects were opened
    inner: usize,
    inner_is_list: bool,
}

impl<'h> Skimmer<'h> {
    /// Goes one sign further; nothing at the end of the object or of what is left of it.
    fn step(&mut self, each: &mut impl FnMut(Found<'_>)) -> Option<()> {
        let (first, after) = self.rest.split_first()?;
        match first {
            b'"' => return self.string(each),
            b'{' | b'[' => self.open(*first == b'['),
            b'}' | b']' if self.depth <= 1 => return None,
            b'}' | b']' => self.depth -= 1,
            b',' => {
                if let Some(key) = self.depth.checked_sub(1).and_then(|level| self.keys.get_mut(level)) {
                    *key = None;
                }
            }
            _ => {}
        }
        self.rest = after;
        Some(())
    }

    fn open(&mut self, is_list: bool) {
        self.depth += 1;
        if self.depth == 2 {
            self.inner += 1;
            self.inner_is_list = is_list;
            self.keys = [self.keys[0].take(), None];
        }
    }

    /// A name, a value, or a string that stands too deep to matter.
    fn string(&mut self, each: &mut impl FnMut(Found<'_>)) -> Option<()> {
        let (string, after) = self.rest.split_at_checked(string_end(self.rest)?)?;
        self.rest = after;
        let text =
            || std::str::from_utf8(string).ok().and_then(Json::parse).and_then(|json| Text::read(json).ok());
        let named = |key: &mut Option<String>| {
            *key = Some(text().map(|text| text.get().into_owned()).unwrap_or_default())
        };
        let number = self.inner;
        match (self.depth, self.inner_is_list, &mut self.keys) {
            (1, _, [key @ None, _]) | (2, false, [_, key @ None]) => named(key),
            (1, _, [Some(name), _]) => {
                if let Some(text) = text() {
                    each(Found { place: Place::Outer, name, text });
                }
            }
            (2, false, [Some(outer), Some(name)]) => {
                if let Some(text) = text() {
                    each(Found { place: Place::Inner { outer, number }, name, text });
                }
            }
            _ => {}
        }
        Some(())
    }
}

/// Behind the closing quote of the string that `rest` begins with, if it closes at all.
fn string_end(rest: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', rest.get(at..)?)?;
        match rest.get(at)? {
            b'"' => return Some(at + 1),
            _ => at += 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(head: &[u8]) -> Vec<(String, String)> {
        let mut found = Vec::new();
        skim(head, |string| {
            let path = match string.place {
                Place::Outer => string.name.to_owned(),
                Place::Inner { outer, number } => format!("{outer}#{number}/{}", string.name),
            };
            found.push((path, string.text.get().into_owned()));
        });
        found
    }

    #[test]
    fn strings_of_the_outer_two_levels_are_found_until_the_cut() {
        let head = br#" {"type":"structured","n":[{"type":"x"}],"message":{"requestId":"a\"b","deep":{"type":"no"},"text":"cut he"#;
        let expected = [("type", "structured"), ("message#2/requestId", "a\"b")];
        assert_eq!(found(head), expected.map(|(path, text)| (path.to_owned(), text.to_owned())));
    }

    #[test]
    fn no_cut_of_a_line_makes_it_say_something_else() {
        let whole = br#"{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","x":"\\\""}}"#;
        let all = found(whole);
        for cut in 0..whole.len() {
            let found = found(&whole[..cut]);
            assert_eq!(found.as_slice(), &all[..found.len()], "cut at {cut}");
        }
    }

    #[test]
    fn inner_objects_are_counted_and_lists_hold_none_of_their_strings() {
        let head =
            br#"{"a":{"x":"1","deep":{"y":"no"}},"list":["no",{"z":"no"}],"b":{"x":"abcdef\"ghi"},"c":"2"}"#;
        let expected = [("a#1/x", "1"), ("b#3/x", "abcdef\"ghi"), ("c", "2")];
        assert_eq!(found(head), expected.map(|(path, text)| (path.to_owned(), text.to_owned())));
    }

    #[test]
    fn an_id_longer_than_any_head_is_nobodys() {
        let of = |length: usize| {
            let id = "x".repeat(length);
            id_of(format!(r#"{{"type":"k","id":"{id}"}}"#).as_bytes(), "k", "id")
        };
        assert!(of(HEAD - 2).is_some(), "the quotes count");
        assert_eq!(of(HEAD - 1), None);
        assert_eq!(of(HEAD), None);
    }

    #[test]
    fn a_string_that_is_no_text_is_passed_over() {
        assert_eq!(
            found(b"{\"a\":\"\xff\",\"\xff\":\"x\",\"b\":\"c\"}").last().unwrap(),
            &("b".to_owned(), "c".to_owned())
        );
    }

    #[test]
    fn nothing_is_found_in_what_is_no_object() {
        let heads = [
            &b"\"type\""[..],
            b"[\"type\",\"x\"]",
            b"{\"a",
            b"]]]}}}",
            b"log: {\"type\":\"x\"}",
            b"{} {\"type\":\"x\"}",
        ];
        for head in heads {
            assert_eq!(found(head), []);
        }
    }
}
