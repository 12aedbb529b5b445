//! A command line as its words, split as a shell splits it.
//!
//! Owns quotes, backslashes and `~/`. It is no shell: what only one could do is an error that says so, never a word that
//! is passed on by mistake. Text in, words out; starts nothing, looks at no file. Ends with the words or with the first
//! trouble.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;

/// Why there are no words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// nothing is said
    Empty,
    /// this sign, at this place, means something to a shell alone
    ForShell(char, usize),
    /// the quote at this place, or the backslash, has no end
    Unclosed(char, usize),
    /// a variable is set in front of the program
    Assignment(String),
    /// `~/` without a home
    NoHome,
    /// no program can be told a NUL
    Nul,
}

impl Trouble {
    /// What is wrong with the command that stands there, in one line, and what to write if a shell is wanted.
    pub(crate) fn said_of(&self, what: &str, shell: &str) -> String {
        let why = match self {
            Trouble::Empty => "there is no command: write a path, or a program with its arguments".to_owned(),
            Trouble::ForShell(sign, at) => {
                let sign = if *sign == '\n' { "a line end".to_owned() } else { format!("`{sign}`") };
                format!(
                    "{sign} (character {at}) is for a shell, and none is started: quote it, or write {shell}"
                )
            }
            Trouble::Unclosed('\\', at) => format!("nothing follows the `\\` (character {at})"),
            Trouble::Unclosed(sign, at) => {
                format!("the `{sign}` that opens (character {at}) is never closed")
            }
            Trouble::Assignment(word) => {
                format!("`{word}` is for a shell, and none is started: write `env {word} …`")
            }
            Trouble::NoHome => "`~/` stands for the home folder, and HOME is not set".to_owned(),
            Trouble::Nul => "a NUL cannot be passed on".to_owned(),
        };
        format!("{what}: {why}")
    }
}

/// The words of a line; at least one, and the first says something. An unquoted `~/` in front of one is the home folder.
pub(crate) fn split(line: &OsStr, home: Option<&Path>) -> Result<Vec<OsString>, Trouble> {
    let mut splitter = Splitter { line: line.as_bytes(), at: 0, home, words: Vec::new(), word: None };
    while let Some(byte) = splitter.next() {
        splitter.plain(byte)?;
    }
    splitter.close()?;
    match splitter.words.first() {
        Some(program) if !program.is_empty() => Ok(splitter.words),
        _ => Err(Trouble::Empty),
    }
}

struct Splitter<'a> {
    line: &'a [u8],
    /// how much of it is read
    at: usize,
    home: Option<&'a Path>,
    words: Vec<OsString>,
    word: Option<Word>,
}

/// The word that is being read.
#[derive(Default)]
struct Word {
    bytes: Vec<u8>,
    /// so many of its first bytes stand there without quotes
    bare: usize,
}

impl Splitter<'_> {
    fn next(&mut self) -> Option<u8> {
        let byte = self.line.get(self.at).copied();
        self.at += usize::from(byte.is_some());
        byte
    }

    /// One byte outside of quotes.
    fn plain(&mut self, byte: u8) -> Result<(), Trouble> {
        match byte {
            b' ' | b'\t' => return self.close(),
            b'\'' => self.single()?,
            b'"' => self.double()?,
            b'\\' => {
                let at = self.at;
                let next = self.next().ok_or_else(|| self.unclosed(at))?;
                // A shell would join two rows there.
                let next = if next == b'\n' { return Err(self.for_shell()) } else { next };
                self.push(next)?;
            }
            b'#' if self.word.is_none() => return Err(self.for_shell()),
            b'|' | b'&' | b';' | b'<' | b'>' | b'(' | b')' | b'$' | b'`' | b'*' | b'?' | b'[' | b'\n' => {
                return Err(self.for_shell());
            }
            _ => self.bare(byte)?,
        }
        Ok(())
    }

    fn single(&mut self) -> Result<(), Trouble> {
        let opened = self.at;
        self.word.get_or_insert_default();
        loop {
            match self.next() {
                Some(b'\'') => return Ok(()),
                Some(byte) => self.push(byte)?,
                None => return Err(self.unclosed(opened)),
            }
        }
    }

    fn double(&mut self) -> Result<(), Trouble> {
        let opened = self.at;
        self.word.get_or_insert_default();
        loop {
            let byte = match self.next() {
                Some(b'"') => return Ok(()),
                Some(b'\\') => self.escaped(),
                // A shell puts something else there, also between these quotes.
                Some(b'$' | b'`') => return Err(self.for_shell()),
                Some(byte) => byte,
                None => return Err(self.unclosed(opened)),
            };
            self.push(byte)?;
        }
    }

    /// What a backslash between double quotes stands for: itself, unless it is needed.
    fn escaped(&mut self) -> u8 {
        let next = self.line.get(self.at).copied().filter(|next| matches!(next, b'"' | b'\\' | b'$' | b'`'));
        self.at += usize::from(next.is_some());
        next.unwrap_or(b'\\')
    }

    fn bare(&mut self, byte: u8) -> Result<(), Trouble> {
        self.push(byte)?;
        if let Some(word) = &mut self.word
            && word.bare + 1 == word.bytes.len()
        {
            word.bare += 1;
        }
        Ok(())
    }

    fn push(&mut self, byte: u8) -> Result<(), Trouble> {
        if byte == 0 {
            return Err(Trouble::Nul);
        }
        self.word.get_or_insert_default().bytes.push(byte);
        Ok(())
    }

    /// The end of a word, if there is one.
    fn close(&mut self) -> Result<(), Trouble> {
        let Some(word) = self.word.take() else { return Ok(()) };
        if self.words.is_empty() && word.is_assignment() {
            return Err(Trouble::Assignment(String::from_utf8_lossy(&word.bytes).into_owned()));
        }
        let bytes = match word.bytes.strip_prefix(b"~/") {
            Some(below) if word.bare >= 2 => {
                let home = self.home.ok_or(Trouble::NoHome)?;
                let below = below.iter().position(|byte| *byte != b'/').and_then(|at| below.get(at..));
                home.join(OsStr::from_bytes(below.unwrap_or_default())).into_os_string()
            }
            _ => OsString::from_vec(word.bytes),
        };
        self.words.push(bytes);
        Ok(())
    }

    /// The byte that was just read is for a shell.
    fn for_shell(&self) -> Trouble {
        let byte = self.at.checked_sub(1).and_then(|at| self.line.get(at)).copied();
        Trouble::ForShell(byte.unwrap_or_default().into(), self.character(self.at))
    }

    fn unclosed(&self, opened: usize) -> Trouble {
        let byte = opened.checked_sub(1).and_then(|at| self.line.get(at)).copied();
        Trouble::Unclosed(byte.unwrap_or_default().into(), self.character(opened))
    }

    /// Which character of the line ends there, as people count.
    fn character(&self, at: usize) -> usize {
        String::from_utf8_lossy(self.line.get(..at).unwrap_or_default()).chars().count()
    }
}

impl Word {
    /// Whether a shell would set a variable by it.
    fn is_assignment(&self) -> bool {
        let Some(name) = self.bytes.iter().position(|byte| *byte == b'=') else { return false };
        let letters = self.bytes.get(..name).unwrap_or_default();
        let fits = letters.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        name < self.bare && fits && letters.first().is_some_and(|byte| !byte.is_ascii_digit())
    }
}
