//! Names: of questions, of runs, of those who ask. Plain text with a shape, checked where it comes in.

use std::fmt;
use std::sync::Arc;

use crate::json::unescape::canonical;
use crate::json::{Field, IntoOwned, Json, Text, Written, Wrong};

/// The id under which somebody asked, as they chose it. Two are equal if they say the same, also where they say what is
/// no character (half an emoji); what is written back is what they will recognise.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RequestId(Arc<str>);

impl RequestId {
    /// The id that says `text`.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(Text::new(text).raw().into())
    }

    /// Takes the id out of a line.
    #[must_use]
    pub fn from_text(text: &Text<'_>) -> Self {
        if text.raw().contains('\\') {
            return Self(format!("\"{}\"", canonical(text.inner())).into());
        }
        Self(text.raw().into())
    }

    /// What it says, for people.
    #[must_use]
    pub fn get(&self) -> String {
        Json::parse(&self.0)
            .and_then(|json| json.as_text().map(|text| text.get().into_owned()))
            .unwrap_or_default()
    }

    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.len() <= 2
    }

    /// Its JSON.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl<'a> Field<'a> for RequestId {
    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        Text::read(json).map(|text| Self::from_text(&text))
    }
}

impl Written for RequestId {
    fn write(&self, out: &mut String) {
        out.push_str(&self.0);
    }
}

impl IntoOwned for RequestId {
    type Owned = Self;

    fn into_owned(self) -> Self {
        self
    }
}

/// A name for one who asks: 1 to 32 of `a-z`, `0-9` and `-`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Label(String);

impl Label {
    /// The longest label.
    pub const LONGEST: usize = 32;

    /// Takes a text that has the shape already.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let fits = (1..=Self::LONGEST).contains(&text.len());
        (fits && text.bytes().all(is_label_byte)).then(|| Self(text.to_owned()))
    }

    /// Makes a label out of any text; `agent` if nothing of it is left.
    #[must_use]
    pub fn from_any(text: &str) -> Self {
        let mut label = String::new();
        for letter in text.chars().map(|letter| letter.to_ascii_lowercase()) {
            match letter {
                'a'..='z' | '0'..='9' => label.push(letter),
                _ if label.ends_with('-') || label.is_empty() => {}
                _ => label.push('-'),
            }
        }
        label.truncate(Self::LONGEST);
        let label = label.trim_end_matches('-');
        Self(if label.is_empty() { "agent".to_owned() } else { label.to_owned() })
    }

    /// The same label with a number behind it, still short enough.
    #[must_use]
    pub fn numbered(&self, number: usize) -> Self {
        let number = format!("-{number}");
        let mut label = self.0.clone();
        label.truncate(Self::LONGEST.saturating_sub(number.len()));
        Self(label + &number)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

const fn is_label_byte(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')
}

impl fmt::Display for Label {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Labels from the root to the one who asks, written `main/review`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Path(Vec<Label>);

impl Path {
    /// The path of one label.
    #[must_use]
    pub fn root(label: Label) -> Self {
        Self(vec![label])
    }

    /// The longest path: no chain of tims is as deep.
    pub const LONGEST: usize = 64;

    /// Takes a text of labels joined by `/`.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        if text.len() > Self::LONGEST * (Label::LONGEST + 1) {
            return None;
        }
        let labels = text.split('/').map(Label::new).collect::<Option<Vec<_>>>()?;
        (labels.len() <= Self::LONGEST).then_some(Self(labels))
    }

    /// The path of a child.
    #[must_use]
    pub fn child(&self, label: Label) -> Self {
        let mut labels = self.0.clone();
        labels.push(label);
        Self(labels)
    }

    /// The same path with a number behind its last label.
    #[must_use]
    pub fn numbered(&self, number: usize) -> Self {
        let mut labels = self.0.clone();
        if let Some(last) = labels.last_mut() {
            *last = last.numbered(number);
        }
        Self(labels)
    }

    /// The labels, the root first.
    #[must_use]
    pub fn labels(&self) -> &[Label] {
        &self.0
    }
}

impl fmt::Display for Path {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, label) in self.0.iter().enumerate() {
            write!(out, "{}{label}", if at > 0 { "/" } else { "" })?;
        }
        Ok(())
    }
}

/// On the wire all three are texts of their shape; anything else is turned away.
macro_rules! text_on_the_wire {
    ($($type:ty, $expected:literal;)*) => {$(
        impl<'a> Field<'a> for $type {
            fn read(json: Json<'a>) -> Result<Self, Wrong> {
                Self::new(&Text::read(json)?.get()).ok_or_else(|| Wrong::not_a($expected))
            }
        }

        impl Written for $type {
            fn write(&self, out: &mut String) {
                Text::new(&self.to_string()).write(out);
            }
        }

        impl IntoOwned for $type {
            type Owned = Self;

            fn into_owned(self) -> Self {
                self
            }
        }
    )*};
}
text_on_the_wire! {
    Label, "a label of a-z, 0-9 and -";
    Path, "labels joined by /";
    Key, "the key of a question, like 7f3c.p14";
}

/// The name of one question in one run, written `7f3c.p14`. Unlike a request id, which its asker chose, it is ours.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Key {
    /// the run, a few hex digits
    pub run: Arc<str>,
    /// the question's number in the run
    pub number: u64,
}

impl Key {
    /// Takes a text as [`Key`] writes it.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let (run, number) = text.split_once(".p")?;
        let hex = !run.is_empty() && run.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let canonical = number == "0" || !number.starts_with(['0', '+']);
        Some(Self { run: run.into(), number: number.parse().ok()? }).filter(|_| hex && canonical)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.p{}", self.run, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_label_has_its_shape_or_is_none() {
        assert_eq!(Label::new("review-2").unwrap().as_str(), "review-2");
        for bad in ["", "Review", "a/b", "a b", "ü", "123456789012345678901234567890123"] {
            assert_eq!(Label::new(bad), None, "{bad}");
        }
    }

    #[test]
    fn numbering_keeps_a_label_short_enough() {
        let longest = Label::new(&"a".repeat(32)).unwrap();
        assert_eq!(longest.numbered(10).as_str(), format!("{}-10", "a".repeat(29)));
    }

    #[test]
    fn a_path_reads_back_as_written() {
        let path = Path::root(Label::from_any("Main")).child(Label::from_any("Find the callers!"));
        assert_eq!(path.to_string(), "main/find-the-callers");
        assert_eq!(Path::new("main/find-the-callers"), Some(path));
        assert_eq!(Path::new("main//x"), None);
        assert!(Path::new(&vec!["a"; 64].join("/")).is_some());
        assert_eq!(Path::new(&vec!["a"; 65].join("/")), None);
    }

    #[test]
    fn request_ids_are_equal_if_they_say_the_same_and_only_then() {
        let id = |raw: &str| RequestId::read(Json::parse(raw).unwrap()).unwrap();
        assert_eq!(id(r#""\u0061\/\ud83d\ude00""#), id("\"a/\u{1f600}\""));
        assert_ne!(id(r#""\ud800""#), id(r#""\ud801""#));
        assert_ne!(id(r#""\ud800""#), id("\"\u{fffd}\""));
        assert_eq!(id(r#""a\uD83D""#).raw(), r#""a\ud83d""#, "goes back as half an emoji");
        assert_eq!(id("\"a\""), RequestId::new("a"));
    }

    #[test]
    fn a_key_reads_back_as_written_and_in_no_other_way() {
        assert_eq!(Key::new("7f3c.p14"), Some(Key { run: "7f3c".into(), number: 14 }));
        for bad in ["7f3c.p014", "7f3c.p+1", "7f3c.14", ".p1", "xyz.p1", "7f3c.p", "7f3c.p1 "] {
            assert_eq!(Key::new(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn any_text_makes_a_valid_label(text in any::<String>(), number in 2_usize..5000) {
            let label = Label::from_any(&text);
            prop_assert_eq!(Label::new(label.as_str()), Some(label.clone()));
            prop_assert!(Label::new(label.numbered(number).as_str()).is_some());
        }
    }
}
