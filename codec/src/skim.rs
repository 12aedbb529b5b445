//! The strings at the top of an object of which only the beginning is left.
//!
//! A line over the limit or with something the matter is not read, but the id of the question in it must be found, so
//! that its asker hears of it. Looks at the outer two levels, believes only strings whose end it saw, keeps nothing,
//! and follows no recursion.

use crate::id::RequestId;
use crate::json::{Json, Text};

/// A string at the top of an object: its name, and that of the object it stands in if that is an inner one.
pub(crate) struct Found<'f> {
    pub(crate) outer: Option<&'f str>,
    pub(crate) name: &'f str,
    pub(crate) text: Text<'f>,
}

/// Calls `each` with the strings that stand directly in the object, or in an object directly inside it.
pub(crate) fn skim(head: &[u8], mut each: impl FnMut(Found<'_>)) {
    let mut skimmer = Skimmer { rest: head, open: Vec::new() };
    while let Some(token) = skimmer.next_token() {
        if let Some(text) = skimmer.take(token) {
            let (outer, name) = match skimmer.open.as_slice() {
                [Container::Object { key: Some(name) }] => (None, name),
                [Container::Object { key: Some(outer) }, Container::Object { key: Some(name) }] => {
                    (Some(outer.as_str()), name)
                }
                _ => continue,
            };
            each(Found { outer, name, text });
        }
    }
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

enum Token<'h> {
    Open(Container),
    Close,
    Comma,
    /// a string; nothing if it is not text
    Text(Option<Text<'h>>),
    Other,
}

/// What is open, and for an object which key its value stands under.
enum Container {
    Object { key: Option<String> },
    List,
}

struct Skimmer<'h> {
    rest: &'h [u8],
    open: Vec<Container>,
}

impl<'h> Skimmer<'h> {
    fn next_token(&mut self) -> Option<Token<'h>> {
        let (first, after) = self.rest.split_first()?;
        if *first == b'"' {
            let (string, after) = self.rest.split_at_checked(string_end(self.rest)?)?;
            self.rest = after;
            let text = std::str::from_utf8(string).ok().and_then(Json::parse);
            return Some(Token::Text(text.and_then(|json| crate::json::Field::read(json).ok())));
        }
        self.rest = after;
        Some(match first {
            b'{' => Token::Open(Container::Object { key: None }),
            b'[' => Token::Open(Container::List),
            b'}' | b']' => Token::Close,
            b',' => Token::Comma,
            _ => Token::Other,
        })
    }

    /// Follows the structure; returns a string that is a value.
    fn take(&mut self, token: Token<'h>) -> Option<Text<'h>> {
        match token {
            Token::Open(container) => self.open.push(container),
            Token::Close => {
                self.open.pop();
            }
            Token::Comma => {
                if let Some(Container::Object { key }) = self.open.last_mut() {
                    *key = None;
                }
            }
            Token::Text(text) => match self.open.last_mut() {
                Some(Container::Object { key: key @ None }) => {
                    *key = Some(text.map(|text| text.get().into_owned()).unwrap_or_default());
                }
                _ => return text,
            },
            Token::Other => {}
        }
        None
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
            let path = string.outer.map(|outer| format!("{outer}/")).unwrap_or_default() + string.name;
            found.push((path, string.text.get().into_owned()));
        });
        found
    }

    #[test]
    fn strings_of_the_outer_two_levels_are_found_until_the_cut() {
        let head = br#" {"type":"structured","n":[{"type":"x"}],"message":{"requestId":"a\"b","deep":{"type":"no"},"text":"cut he"#;
        let expected = [("type", "structured"), ("message/requestId", "a\"b")];
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
    fn a_string_that_is_no_text_is_passed_over() {
        assert_eq!(
            found(b"{\"a\":\"\xff\",\"\xff\":\"x\",\"b\":\"c\"}").last().unwrap(),
            &("b".to_owned(), "c".to_owned())
        );
    }

    #[test]
    fn nothing_is_found_in_what_is_no_object() {
        for head in [&b"\"type\""[..], b"[\"type\",\"x\"]", b"{\"a", b"]]]}}}"] {
            assert_eq!(found(head), []);
        }
        found(&b"[".repeat(65_536));
    }
}
