//! The strings at the top of an object of which only the beginning is left.
//!
//! A line over the limit is not read, but the id of the question in it must be found, so that its asker hears
//! of it. Looks at the outer two levels, believes only strings whose end it saw, and follows no recursion.

use crate::json::Json;

/// What an object of which only the beginning is left says under `path`, if it says it once.
pub(crate) fn said_once<'f>(found: &'f [(String, String)], path: &str) -> Option<&'f str> {
    let mut texts = found.iter().filter(|(place, _)| place == path).map(|(_, text)| text.as_str());
    let text = texts.next()?;
    texts.next().is_none().then_some(text)
}

/// The strings that stand directly in the object, or in an object directly inside it, under the path `outer` or
/// `outer.inner`, as far as `head` reaches.
pub(crate) fn skim(head: &[u8]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut skimmer = Skimmer { rest: head, open: Vec::new() };
    while let Some(token) = skimmer.next_token() {
        if let Some(string) = skimmer.take(token)
            && let Some(path) = skimmer.path()
        {
            found.push((path, string));
        }
    }
    found
}

enum Token {
    Open(Container),
    Close,
    Comma,
    Text(String),
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

impl Skimmer<'_> {
    fn next_token(&mut self) -> Option<Token> {
        let (first, after) = self.rest.split_first()?;
        if *first == b'"' {
            let end = string_end(self.rest)?;
            let (string, after) = self.rest.split_at_checked(end)?;
            self.rest = after;
            let text = Json::parse(std::str::from_utf8(string).ok()?)?;
            return Some(Token::Text(text.as_text()?.get().into_owned()));
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
    fn take(&mut self, token: Token) -> Option<String> {
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
            Token::Text(string) => match self.open.last_mut() {
                Some(Container::Object { key: key @ None }) => *key = Some(string),
                _ => return Some(string),
            },
            Token::Other => {}
        }
        None
    }

    /// Where a value stands now, if it is not too deep and not in a list.
    fn path(&self) -> Option<String> {
        match self.open.as_slice() {
            [Container::Object { key: Some(outer) }] => Some(outer.clone()),
            [Container::Object { key: Some(outer) }, Container::Object { key: Some(inner) }] => {
                Some(format!("{outer}.{inner}"))
            }
            _ => None,
        }
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

    #[test]
    fn strings_of_the_outer_two_levels_are_found_until_the_cut() {
        let head = br#" {"type":"structured","n":[{"type":"x"}],"message":{"requestId":"a\"b","deep":{"type":"no"},"text":"cut he"#;
        let found = skim(head);
        let expected = [("type", "structured"), ("message.requestId", "a\"b")];
        assert_eq!(found, expected.map(|(path, text)| (path.to_owned(), text.to_owned())));
    }

    #[test]
    fn no_cut_of_a_line_makes_it_say_something_else() {
        let whole = br#"{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","x":"\\\""}}"#;
        let all = skim(whole);
        for cut in 0..whole.len() {
            let found = skim(&whole[..cut]);
            assert_eq!(found.as_slice(), &all[..found.len()], "cut at {cut}");
        }
    }

    #[test]
    fn nothing_is_found_in_what_is_no_object() {
        for head in [&b"\"type\""[..], b"[\"type\",\"x\"]", b"{\"a", b"]]]}}}", b"{\"a\xff\":\"b\"}"] {
            assert_eq!(skim(head), []);
        }
        skim(&b"[".repeat(65_536));
    }
}
