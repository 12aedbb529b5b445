//! Reads one word of a command line: plain letters, quotes, escapes; and the one substitution that is understood.
//!
//! Owns what quotes hide and what is left unquoted. It ends at the first character that ends a word, or with the reason
//! why nobody can know what the word becomes.

use super::text::Text;
use super::{Reason, WordKind};

/// A word as it was read.
pub(super) struct Raw {
    pub(super) text: String,
    pub(super) kind: WordKind,
    /// whether any of it was quoted or escaped
    pub(super) is_quoted: bool,
    /// whether a shell takes it for `NAME=value` before a command
    pub(super) assigns: bool,
}

/// Patterns with more braces than this could become too many words.
const MOST_BRACES: usize = 3;

/// Reads the word that begins here.
pub(super) fn read(text: &mut Text) -> Result<Raw, Reason> {
    if text.starts_with("\"$(") {
        let body = document(text)?;
        return Ok(Raw { text: body, kind: WordKind::Document, is_quoted: true, assigns: false });
    }
    let mut word = Building::default();
    while let Some(letter) = text.peek() {
        match letter {
            ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
            '\'' => word.single_quoted(text)?,
            '"' => word.double_quoted(text)?,
            '\\' => word.escaped(text)?,
            _ => {
                word.bare(letter, text.peek_at(1))?;
                text.advance(1);
            }
        }
    }
    word.finish()
}

/// A word that is being read.
#[derive(Default)]
struct Building {
    text: String,
    is_quoted: bool,
    assigns: bool,
    is_glob: bool,
    /// how far it is on the way to `{`, `,` and `}`, which become several words
    list: Braces,
    /// the same for `{`, `..` and `}`
    range: Braces,
    braces: usize,
    /// the last character, if it was neither quoted nor escaped
    last: Option<char>,
}

/// How far a word is on the way to being several: a brace, a separator behind it, and a brace behind that, in whatever
/// depth. A shell is more particular; what it takes for one word may here be taken for several, never the reverse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Braces {
    #[default]
    None,
    Open,
    Separated,
    Closed,
}

impl Braces {
    fn open(&mut self) {
        if *self == Self::None {
            *self = Self::Open;
        }
    }

    fn separate(&mut self) {
        if *self == Self::Open {
            *self = Self::Separated;
        }
    }

    fn close(&mut self) {
        if *self == Self::Separated {
            *self = Self::Closed;
        }
    }
}

impl Building {
    fn quoted(&mut self, letter: char) {
        self.text.push(letter);
        self.last = None;
    }

    fn single_quoted(&mut self, text: &mut Text) -> Result<(), Reason> {
        self.begin_quote(text);
        loop {
            match text.next() {
                Some('\'') => return Ok(()),
                Some(letter) => self.quoted(letter),
                None => return Err("a quote that is not closed"),
            }
        }
    }

    fn double_quoted(&mut self, text: &mut Text) -> Result<(), Reason> {
        self.begin_quote(text);
        loop {
            match text.next() {
                Some('"') => return Ok(()),
                Some('`') => return Err(text.refuse_last("a command substitution")),
                Some('$') if !is_literal_dollar(text.peek()) => return Err(text.refuse_last("an expansion")),
                Some('\\') => match text.peek() {
                    Some('\n') => text.advance(1),
                    Some(letter @ ('$' | '`' | '"' | '\\')) => {
                        text.advance(1);
                        self.quoted(letter);
                    }
                    _ => self.quoted('\\'),
                },
                Some(letter) => self.quoted(letter),
                None => return Err("a quote that is not closed"),
            }
        }
    }

    fn begin_quote(&mut self, text: &mut Text) {
        text.advance(1);
        self.is_quoted = true;
        self.last = None;
    }

    fn escaped(&mut self, text: &mut Text) -> Result<(), Reason> {
        text.advance(1);
        match text.next() {
            None => return Err("a backslash at the end"),
            // The lines are joined; the word goes on.
            Some('\n') => return Ok(()),
            Some('\t') => return Err("an escaped tab"),
            Some(letter) if !letter.is_ascii() => return Err("an unusual character outside of quotes"),
            Some(letter) => self.quoted(letter),
        }
        self.is_quoted = true;
        Ok(())
    }

    fn bare(&mut self, letter: char, next: Option<char>) -> Result<(), Reason> {
        match letter {
            '$' => return Err("an expansion"),
            '`' => return Err("a command substitution"),
            '~' if !self.last.is_some_and(may_precede_tilde) => return Err("`~` stands for a folder"),
            '*' | '?' | '[' => self.is_glob = true,
            '{' => {
                self.list.open();
                self.range.open();
                self.braces += 1;
            }
            '}' => {
                self.list.close();
                self.range.close();
            }
            ',' => self.list.separate(),
            '.' if self.last == Some('.') => self.range.separate(),
            '=' => self.equals(next)?,
            _ if !letter.is_ascii() && !is_ordinary(letter) => {
                return Err("an unusual character outside of quotes");
            }
            _ => {}
        }
        self.text.push(letter);
        self.last = Some(letter);
        Ok(())
    }

    /// `NAME=`, `NAME+=` and `NAME[…]=` assign. zsh takes `=name` for the path of a program.
    fn equals(&mut self, next: Option<char>) -> Result<(), Reason> {
        let is_first = self.text.is_empty() && !self.is_quoted;
        if is_first && next.is_some_and(|letter| !letter.is_whitespace() && letter != '=') {
            return Err("`=` before a word");
        }
        let name = self.text.split(['[', '+']).next().unwrap_or_default();
        let is_name =
            !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        self.assigns |= is_name && !self.is_quoted;
        Ok(())
    }

    fn finish(self) -> Result<Raw, Reason> {
        if self.braces > MOST_BRACES {
            return Err("many braces");
        }
        if self.range == Braces::Closed {
            return Err("a range in braces");
        }
        // Alone it is the name of a command, and an argument like any other.
        let is_glob = self.is_glob && self.text != "[";
        let kind = if is_glob || self.list == Braces::Closed { WordKind::Pattern } else { WordKind::Plain };
        Ok(Raw { text: self.text, kind, is_quoted: self.is_quoted, assigns: self.assigns })
    }
}

/// What a dollar in double quotes may stand before without beginning an expansion, in bash and in zsh.
const fn is_literal_dollar(next: Option<char>) -> bool {
    matches!(next, Some('"' | ' ' | '|' | ')' | '/' | ',' | '.' | ';' | ']'))
}

/// `HEAD~1`, `HEAD^~2`, `@~1`: behind these it is a character like any other.
const fn may_precede_tilde(last: char) -> bool {
    matches!(last, 'A'..='Z' | 'a'..='z' | '0'..='9' | '_' | '^' | '@' | '~' | '}')
}

/// Letters of any script. Some bash take the byte A0 for a blank, so what has it in UTF-8 is not ordinary.
fn is_ordinary(letter: char) -> bool {
    letter.is_alphanumeric() && !letter.encode_utf8(&mut [0; 4]).as_bytes().contains(&0xA0)
}

/// `"$(cat <<'EOF' … EOF)"`: the way in which long texts become one argument. Nothing in it is expanded.
fn document(text: &mut Text) -> Result<String, Reason> {
    const OTHER: Reason = "a command substitution";
    if !text.takes("\"$(cat <<'") {
        return Err(OTHER);
    }
    let begins = text.at();
    let delimiter = line(text).ok_or(OTHER)?;
    let delimiter = delimiter.strip_suffix('\'').unwrap_or_default();
    if delimiter.is_empty()
        || !delimiter.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    {
        return Err(OTHER);
    }
    let body = body(text, delimiter)?;
    text.skip_blanks();
    let end = text.at();
    if !text.takes(")\"") || !text.is_at_word_end() {
        return Err(OTHER);
    }
    // The quote that begins the delimiter was taken already.
    if ends_alike(text, begins - 1, end) {
        Ok(body)
    } else {
        Err("a here-document that old shells read otherwise")
    }
}

/// The lines up to the delimiter, as the substitution gives them: without the line ends behind the last.
fn body(text: &mut Text, delimiter: &str) -> Result<String, Reason> {
    let mut lines = Vec::new();
    loop {
        match line(text) {
            None => return Err("a here-document that does not end"),
            Some(line) if line == delimiter => break,
            // Inside of a substitution bash may take such a line for the end.
            Some(line) if line.trim_start().starts_with(delimiter) => {
                return Err("a line of a here-document that begins as its end does");
            }
            Some(line) => lines.push(line),
        }
    }
    Ok(lines.join("\n").trim_end_matches('\n').to_owned())
}

/// Whether a shell that knows no here-documents inside of a substitution, as those of long ago, finds the same end of it, or
/// none at all: then it runs nothing.
fn ends_alike(text: &Text, begins: usize, end: usize) -> bool {
    let mut at = begins;
    let mut depth = 1_usize;
    while let Some(letter) = text.letter(at) {
        match letter {
            '\\' => at += 1,
            '\'' | '"' | '`' => match text.closing(at + 1, letter) {
                Some(close) => at = close,
                None => return true,
            },
            // What is between such braces is read by rules of its own.
            '$' if text.letter(at + 1) == Some('{') => return false,
            '(' => depth += 1,
            ')' if depth == 1 => return at == end,
            ')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    true
}

/// The rest of the line, if it ends.
fn line(text: &mut Text) -> Option<String> {
    let mut line = String::new();
    loop {
        match text.next()? {
            '\n' => return Some(line),
            letter => line.push(letter),
        }
    }
}
