//! Walks the members of objects and lists that are known to be well-formed.
//!
//! A line is validated once, by the scanner. Every later look into a part of it comes here and only searches for
//! the ends of values, which is several times faster than parsing them again. On text that is not well-formed it
//! stops early; it never reads out of bounds and never recurses.

/// Calls `each` with key and value of every member, as they stand. Nothing if `text` is no object, or `each` stops.
#[inline]
pub(super) fn members<'t>(text: &'t str, mut each: impl FnMut(&'t str, &'t str) -> Option<()>) -> Option<()> {
    let mut walk = Walk::into_container(text, b'{')?;
    while walk.peek() != Some(b'}') {
        let key = walk.value()?;
        walk.pass(b':')?;
        each(key, walk.value()?)?;
        if walk.pass(b',').is_none() {
            break;
        }
    }
    walk.pass(b'}')
}

/// Calls `each` with every item, as it stands. Nothing if `text` is no list, or `each` stops.
pub(super) fn items<'t>(text: &'t str, mut each: impl FnMut(&'t str) -> Option<()>) -> Option<()> {
    let mut walk = Walk::into_container(text, b'[')?;
    while walk.peek() != Some(b']') {
        each(walk.value()?)?;
        if walk.pass(b',').is_none() {
            break;
        }
    }
    walk.pass(b']')
}

struct Walk<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Walk<'t> {
    fn into_container(text: &'t str, open: u8) -> Option<Self> {
        let mut walk = Walk { text, at: 0 };
        walk.pass(open)?;
        Some(walk)
    }

    /// The next byte that is no blank.
    #[inline]
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = bytes.get(self.at) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    #[inline]
    fn pass(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    #[inline]
    fn value(&mut self) -> Option<&'t str> {
        let first = self.peek()?;
        let rest = self.text.as_bytes().get(self.at..)?;
        let length = match first {
            b'"' => string_length(rest),
            b'{' | b'[' => container_length(rest),
            _ => rest.iter().take_while(|byte| !b",]} \t\r\n".contains(byte)).count(),
        };
        let start = self.at;
        self.at += length;
        self.text.get(start..self.at).filter(|value| !value.is_empty())
    }
}

/// Bytes of the string that `rest` begins with, both quotes included; all of it if it does not end.
pub(super) fn string_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while let Some(step) = rest.get(at..).and_then(|tail| memchr::memchr2(b'"', b'\\', tail)) {
        at += step;
        if rest.get(at) == Some(&b'"') {
            return at + 1;
        }
        at += 2;
    }
    rest.len()
}

fn container_length(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(byte) = rest.get(at) {
        match byte {
            b'"' => at += string_length(rest.get(at..).unwrap_or_default()) - 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => return at + 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    fn walked(text: &str) -> Option<Vec<&str>> {
        let mut found = Vec::new();
        items(text, |item| {
            found.push(item);
            Some(())
        })?;
        Some(found)
    }

    #[test]
    fn blanks_and_brackets_in_strings_are_no_obstacle() {
        let text = r#" [ 1 , "a]\"," ,{"x":[ "}" ]} , [] ,null, -2.5e3 ] "#;
        assert_eq!(walked(text).unwrap(), ["1", r#""a]\",""#, r#"{"x":[ "}" ]}"#, "[]", "null", "-2.5e3"]);
        assert_eq!(walked("[]").unwrap(), Vec::<&str>::new());
        assert_eq!(walked("{}"), None);
    }

    #[test]
    fn text_that_is_not_well_formed_ends_the_walk() {
        for text in ["", "[", "[1", "[1,", "[\"", "[\"\\", "[,]", "[{]", "[1 2]"] {
            assert_eq!(walked(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_walk_finds_what_the_parser_finds(json in arbitrary_json()) {
            let text = format!("[{}]", json.join(" , "));
            if let Ok(parsed) = serde_json::from_str::<Vec<&RawValue>>(&text) {
                let parsed: Vec<&str> = parsed.into_iter().map(RawValue::get).collect();
                prop_assert_eq!(walked(&text).unwrap(), parsed);
            }
        }

        #[test]
        fn no_text_makes_a_walk_panic(text in r#"[\[\]{}",:\\a1 ü]{0,40}"#) {
            let _ = walked(&text);
            let _ = members(&text, |_, _| Some(()));
        }
    }

    fn arbitrary_json() -> impl Strategy<Value = Vec<String>> {
        let leaf = prop_oneof![
            Just("null".to_owned()),
            any::<f64>().prop_map(|number| serde_json::json!(number).to_string()),
            any::<String>().prop_map(|text| serde_json::json!(text).to_string()),
        ];
        let json = leaf.prop_recursive(3, 20, 4, |inner| {
            let list = proptest::collection::vec(inner.clone(), 0..4)
                .prop_map(|list| format!("[{}]", list.join(" , ")));
            let object = proptest::collection::vec((any::<String>(), inner), 0..4).prop_map(|members| {
                let member = |(key, value): (String, String)| format!("{} : {value}", serde_json::json!(key));
                format!("{{{}}}", members.into_iter().map(member).collect::<Vec<_>>().join(","))
            });
            prop_oneof![list, object]
        });
        proptest::collection::vec(json, 0..4)
    }
}
