//! Reads a command line of a shell, as far as it is certain what the shell will run.
//!
//! Owns a regular subset of bash: simple commands of plain and quoted words, joined by `&&`, `||`, `;`, `|` and newlines,
//! with a few written exceptions. Whatever else is in the text, the text is not understood, and nobody guesses. It never
//! expands, never recurses and looks at each character a bounded number of times. Where zsh would read the same text
//! otherwise, it is not understood either.

mod redirect;
mod text;
mod word;

use super::lists;
use text::Text;
use word::Raw;

/// Longer texts are not looked at.
const LONGEST: usize = 10_000;

/// Texts of more commands than this are not understood.
const MOST_PARTS: usize = 200;

/// Texts of more here-documents than this are not understood: each is looked at up to the end of the text.
const MOST_DOCUMENTS: usize = 8;

/// A command line that was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// its simple commands, in order
    pub parts: Vec<Part>,
}

/// A simple command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// as it was written
    pub source: String,
    /// the variables that are set for it, `NAME=value`
    pub assignments: Vec<String>,
    /// its words, the program first
    pub words: Vec<Word>,
    /// whether one of the redirections that are understood was in it
    pub is_redirected: bool,
}

/// A word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// what it says, after unquoting
    pub text: String,
    /// what it becomes
    pub kind: WordKind,
}

/// What a word becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    /// one argument, exactly its text
    Plain,
    /// has a glob or braces outside of quotes: may become any number of arguments
    Pattern,
    /// one argument: the text of `"$(cat <<'EOF' … EOF)"`
    Document,
}

impl Word {
    /// A word that is one argument.
    #[cfg(test)]
    pub(crate) fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), kind: WordKind::Plain }
    }

    /// Whether it becomes exactly this argument.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        self.kind == WordKind::Plain && self.text == text
    }
}

/// A command line that was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unclear {
    /// how many characters are before the place
    pub at: usize,
    /// what is there
    pub what: &'static str,
    /// the parts before it
    pub parts: Vec<Part>,
    /// the words before it of the part that it is in
    pub unfinished: Vec<Word>,
}

/// Why a text is not understood.
type Reason = &'static str;

/// Words that begin something else than a simple command, in bash or in zsh.
const RESERVED: &str = "\
     ! - [[ ]] { } always case coproc declare do done elif else end esac fi float for foreach function if \
     in integer nocorrect noglob repeat select then time typeset until while";

/// Variables that change how a program talks, not what it does.
const INERT_VARIABLES: &str = "CI LANG NODE_ENV NO_COLOR RUST_LOG";

/// Reads a command line.
pub fn scan(text: &str) -> Result<Script, Unclear> {
    let mut scanner = Scanner::new(text);
    match scanner.run(text) {
        Ok(()) => Ok(Script { parts: scanner.parts }),
        Err(what) => {
            Err(Unclear { at: scanner.text.at(), what, parts: scanner.parts, unfinished: scanner.part.words })
        }
    }
}

struct Scanner {
    text: Text,
    parts: Vec<Part>,
    /// the part that is being read
    part: Part,
    /// where it began, once it has begun
    began: Option<usize>,
    /// where it ended, if a comment follows
    ended: Option<usize>,
    /// how many here-documents there were
    documents: usize,
    /// whether an operator waits for the command behind it
    owes_a_command: bool,
}

impl Scanner {
    fn new(text: &str) -> Self {
        Self {
            text: Text::new(text),
            parts: Vec::new(),
            part: Part::default(),
            began: None,
            ended: None,
            documents: 0,
            owes_a_command: false,
        }
    }

    fn run(&mut self, text: &str) -> Result<(), Reason> {
        if self.text.len() > LONGEST {
            return Err("the command is longer than 10,000 characters");
        }
        if !text::is_all_visible(text) {
            return Err("a control or invisible character");
        }
        loop {
            self.text.skip_blanks();
            match self.text.peek() {
                None => break,
                Some('#') => {
                    self.ended.get_or_insert(self.text.at());
                    self.text.skip_comment();
                }
                Some('\n') => self.newline()?,
                Some(';' | '&' | '|') => self.operator()?,
                Some('(' | ')') => return Err("a group, a subshell or a function"),
                Some('<' | '>') => self.redirection(None)?,
                Some(_) => self.word()?,
            }
        }
        self.newline()?;
        match (self.owes_a_command, self.parts.is_empty()) {
            (true, _) => Err("the command ends in an operator"),
            (false, true) => Err("there is no command"),
            (false, false) => Ok(()),
        }
    }

    fn newline(&mut self) -> Result<(), Reason> {
        if self.began.is_some() {
            self.end_part()?;
        }
        self.ended = None;
        self.text.advance(1);
        Ok(())
    }

    /// `;`, `&&`, `||` or `|`; every other operator is not understood.
    fn operator(&mut self) -> Result<(), Reason> {
        if self.text.starts_with("&>") {
            return self.redirection(None);
        }
        let (length, owes) = match (self.text.peek(), self.text.peek_at(1)) {
            (Some('&'), Some('&')) | (Some('|'), Some('|')) => (2, true),
            (Some('|'), Some('&')) => return Err("`|&`"),
            (Some('|'), _) => (1, true),
            (Some(';'), _) => (1, false),
            _ => return Err("`&` runs a command in the background"),
        };
        if self.began.is_none() {
            return Err("an operator without a command before it");
        }
        self.end_part()?;
        self.text.advance(length);
        self.owes_a_command = owes;
        Ok(())
    }

    fn word(&mut self) -> Result<(), Reason> {
        let start = self.text.at();
        let raw = word::read(&mut self.text)?;
        self.documents += usize::from(raw.kind == WordKind::Document);
        if self.documents > MOST_DOCUMENTS {
            return Err("many here-documents");
        }
        if matches!(self.text.peek(), Some('<' | '>')) && !raw.is_quoted {
            if raw.text.starts_with('{') {
                return Err("a descriptor that is named by a variable");
            }
            if raw.text.chars().all(|letter| letter.is_ascii_digit()) {
                return self.redirection(Some(&raw.text));
            }
        }
        self.began.get_or_insert(start);
        self.owes_a_command = false;
        if !self.part.words.is_empty() {
            self.further_word(raw);
            return Ok(());
        }
        self.first_word(raw).inspect_err(|_| self.text.back_to(start))
    }

    /// The name of the program, or a variable that is set for it.
    fn first_word(&mut self, raw: Raw) -> Result<(), Reason> {
        if raw.assigns {
            if raw.kind != WordKind::Plain || !is_inert_assignment(&raw.text) {
                return Err("an assignment of a variable that may change what runs");
            }
            self.part.assignments.push(raw.text);
            return Ok(());
        }
        if raw.kind != WordKind::Plain {
            return Err("the name of the command is a pattern");
        }
        match raw.text.as_str() {
            "" => return Err("the name of the command is empty"),
            name if lists(RESERVED, name) => return Err("a word of the shell's own grammar"),
            name if name.starts_with('%') => return Err("a job of the shell"),
            name if name.contains(['=', '\n']) => return Err("an odd name of a command"),
            _ => self.further_word(raw),
        }
        Ok(())
    }

    fn further_word(&mut self, raw: Raw) {
        self.part.words.push(Word { text: raw.text, kind: raw.kind });
    }

    fn redirection(&mut self, descriptor: Option<&str>) -> Result<(), Reason> {
        if self.part.words.is_empty() {
            return Err("a redirection before the command");
        }
        self.part.is_redirected = true;
        let start = self.text.at();
        redirect::read(&mut self.text, descriptor).inspect_err(|_| self.text.back_to(start))
    }

    fn end_part(&mut self) -> Result<(), Reason> {
        if self.part.words.is_empty() {
            return Err("an assignment without a command");
        }
        if self.parts.len() >= MOST_PARTS {
            return Err("more than 200 commands");
        }
        let began = self.began.take().unwrap_or_default();
        let ended = self.ended.take().unwrap_or(self.text.at());
        self.part.source = self.text.between(began, ended);
        self.parts.push(std::mem::take(&mut self.part));
        Ok(())
    }
}

/// Whether a variable of the list gets a value that is no path and no program.
fn is_inert_assignment(text: &str) -> bool {
    let Some((name, value)) = text.split_once('=') else { return false };
    let is_inert = lists(INERT_VARIABLES, name) || name.starts_with("LC_");
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || "_-.,:=@".contains(letter);
    is_inert && value.chars().all(is_word)
}

#[cfg(test)]
mod tests;
