//! JSON for a person's eyes: one member or item a row, nothing left out.
//!
//! Owns the line breaks and the indentation; every other character stays as it stood on the wire, duplicates and odd
//! escapes too: who approves something must have seen it. The rows are not made visible yet.

use codec::json::Json;

/// What is longer stays one row: so many rows would help nobody, and they would take many times its memory.
const LONGEST: usize = 64 << 10;

/// The rows of a value.
pub(crate) fn rows(json: &Json<'_>) -> Vec<String> {
    if json.raw().len() > LONGEST {
        return vec![json.raw().to_owned()];
    }
    let mut page = Page::default();
    let mut letters = json.raw().chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => page.string(&mut letters),
            '{' | '[' => page.open(letter),
            '}' | ']' => page.close(letter),
            ',' => page.comma(),
            ':' => page.put(": "),
            ' ' | '\t' | '\n' | '\r' => {}
            other => page.put(other.encode_utf8(&mut [0; 4])),
        }
    }
    page.rows.push(page.row);
    page.rows
}

#[derive(Default)]
struct Page {
    rows: Vec<String>,
    row: String,
    depth: usize,
    /// whether nothing stands behind the bracket that was opened last
    is_fresh: bool,
}

impl Page {
    fn put(&mut self, text: &str) {
        if std::mem::take(&mut self.is_fresh) {
            self.next_row();
        }
        self.row.push_str(text);
    }

    fn next_row(&mut self) {
        let indented = "  ".repeat(self.depth);
        self.rows.push(std::mem::replace(&mut self.row, indented));
    }

    fn open(&mut self, bracket: char) {
        self.put(bracket.encode_utf8(&mut [0; 4]));
        self.depth += 1;
        self.is_fresh = true;
    }

    fn close(&mut self, bracket: char) {
        self.depth = self.depth.saturating_sub(1);
        if !std::mem::take(&mut self.is_fresh) {
            self.next_row();
        }
        self.row.push(bracket);
    }

    fn comma(&mut self) {
        self.row.push(',');
        self.next_row();
    }

    fn string(&mut self, letters: &mut impl Iterator<Item = char>) {
        self.put("\"");
        while let Some(letter) = letters.next() {
            self.row.push(letter);
            match letter {
                '"' => return,
                '\\' => self.row.extend(letters.next()),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(raw: &str) -> String {
        rows(&Json::parse(raw).unwrap()).join("\n")
    }

    #[test]
    fn each_member_and_item_has_its_row() {
        let raw = r#"{"a":[1,{"b":null}],"c":{},"d":[ ],"a":"x"}"#;
        let expected = "{\n  \"a\": [\n    1,\n    {\n      \"b\": null\n    }\n  ],\n  \"c\": {},\n  \"d\": [],\n  \"a\": \"x\"\n}";
        assert_eq!(shown(raw), expected);
    }

    #[test]
    fn plain_values_are_one_row() {
        for raw in ["1e400", "\"a\"", "true", "[]", "{}"] {
            assert_eq!(shown(raw), raw);
        }
    }

    #[test]
    fn what_stands_in_a_string_stays_as_it_is() {
        let raw = r#"["{,}: [\"]","\\","\ud800"]"#;
        assert_eq!(shown(raw), "[\n  \"{,}: [\\\"]\",\n  \"\\\\\",\n  \"\\ud800\"\n]");
    }

    #[test]
    fn what_is_very_long_stays_one_row() {
        let raw = format!("[{}1]", "1,".repeat(40_000));
        assert_eq!(rows(&Json::parse(&raw).unwrap()), [raw]);
    }

    proptest::proptest! {
        #[test]
        fn nothing_but_blanks_is_added(texts in proptest::collection::vec("[^\n]{0,8}", 0..6)) {
            let nested = Json::of(&vec![Json::of(&texts).raw().to_owned(), texts.join("\u{1}")]);
            let again = shown(nested.raw());
            proptest::prop_assert!(Json::parse(&again).is_some_and(|again| again.means(&nested)));
        }
    }
}
