//! The scripts of sed, as far as they certainly only read and print.
//!
//! Addresses, and the commands that touch nothing but its own buffers, are understood. Everything else is taken to run or
//! write.

use super::Risk;
use super::flags::is_option;
use crate::gate::lists;
use crate::gate::shell::Word;

/// Where the scripts of a command are, and which other words are risky.
pub(super) fn risks(words: &[Word]) -> Vec<Risk<'_>> {
    let mut risks = Vec::new();
    let mut has_script = false;
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        let (script, next) = match option(text) {
            Some(Opt::Harmless) => (None, 1),
            Some(Opt::Script(script)) => (Some((at, script)), 1),
            Some(Opt::ScriptFollows) => (words.get(at + 1).map(|word| (at + 1, word.text.as_str())), 2),
            Some(Opt::Other) => {
                risks.push(Risk::of(at, word, "can run or write something"));
                (None, 1)
            }
            None => (Some((at, text)).filter(|_| !has_script), 1),
        };
        if let Some((at, script)) = script {
            has_script = true;
            if !only_edits(script) {
                risks.push(Risk::new(at, "the script can run or write something"));
            }
        }
        at += next;
    }
    risks
}

/// What an option of sed is.
enum Opt<'a> {
    Harmless,
    /// it brings this script
    Script(&'a str),
    /// the next word is a script
    ScriptFollows,
    Other,
}

fn option(word: &str) -> Option<Opt<'_>> {
    const LONG: &str = "--quiet --silent --regexp-extended --debug --posix --null-data --separate --unbuffered \
             --sandbox --version --help --";
    if !is_option(word) {
        return None;
    }
    if word.starts_with("--") {
        return Some(match word.strip_prefix("--expression") {
            Some("") => Opt::ScriptFollows,
            Some(rest) => rest.strip_prefix('=').map_or(Opt::Other, Opt::Script),
            None if lists(LONG, word) => Opt::Harmless,
            None => Opt::Other,
        });
    }
    let letters = word.trim_start_matches('-').trim_start_matches(|letter| "nErsuz".contains(letter));
    Some(match letters.strip_prefix('e') {
        _ if letters.is_empty() => Opt::Harmless,
        Some("") => Opt::ScriptFollows,
        Some(script) => Opt::Script(script),
        None => Opt::Other,
    })
}

/// Whether a script of sed only reads, edits its buffers and prints.
fn only_edits(script: &str) -> bool {
    let mut rest = Script { letters: script.chars().collect(), at: 0 };
    while rest.peek().is_some() {
        if rest.command().is_none() {
            return false;
        }
    }
    true
}

/// A script that is read from the front. Whatever it does not know ends it.
struct Script {
    letters: Vec<char>,
    at: usize,
}

impl Script {
    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += 1;
        Some(letter)
    }

    fn skip(&mut self, which: &str) {
        while self.peek().is_some_and(|letter| which.contains(letter)) {
            self.at += 1;
        }
    }

    /// One command with its addresses, and what separates it from the next.
    fn command(&mut self) -> Option<()> {
        self.skip(" \t\n;");
        if self.peek().is_none() {
            return Some(());
        }
        self.address()?;
        self.skip(" ");
        if self.peek() == Some(',') {
            self.at += 1;
            self.skip(" ");
            self.address()?;
        }
        self.skip(" !");
        match self.next()? {
            '{' | '}' => return Some(()),
            'p' | 'd' | 'q' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | 'D' | 'P' | '=' | 'l' => {}
            ':' | 'b' | 't' | 'T' => self.label(),
            's' => self.substitution()?,
            'y' => {
                let delimiter = self.delimiter()?;
                self.until(delimiter)?;
                self.until(delimiter)?;
            }
            _ => return None,
        }
        self.skip(" \t");
        matches!(self.peek(), None | Some(';' | '\n' | '}')).then_some(())
    }

    /// A name to go to.
    fn label(&mut self) {
        self.skip(" ");
        while self.peek().is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
            self.at += 1;
        }
    }

    /// A line number, the last line, or a pattern; there may be none.
    fn address(&mut self) -> Option<()> {
        match self.peek() {
            Some('0'..='9' | '+' | '~') => self.skip("0123456789+~"),
            Some('$') => self.at += 1,
            Some('/') => {
                self.at += 1;
                self.pattern('/')?;
                self.skip("IM");
            }
            Some('\\') => {
                self.at += 1;
                let delimiter = self.delimiter()?;
                self.pattern(delimiter)?;
                self.skip("IM");
            }
            _ => {}
        }
        Some(())
    }

    fn substitution(&mut self) -> Option<()> {
        let delimiter = self.delimiter()?;
        self.pattern(delimiter)?;
        self.until(delimiter)?;
        self.skip("gpiIM0123456789");
        Some(())
    }

    /// What separates the pieces of a command: a sign that means nothing else.
    fn delimiter(&mut self) -> Option<char> {
        self.next().filter(|letter| "/|,#@:%!_+~".contains(*letter))
    }

    /// A pattern. Some sed take a delimiter in brackets for a letter and some do not, so it must not stand there.
    fn pattern(&mut self, delimiter: char) -> Option<()> {
        let start = self.at;
        self.until(delimiter)?;
        brackets_are_closed(self.letters.get(start..self.at)?).then_some(())
    }

    /// Everything up to the delimiter, which may be escaped.
    fn until(&mut self, delimiter: char) -> Option<()> {
        loop {
            match self.next()? {
                '\\' => drop(self.next()?),
                '\n' => return None,
                letter if letter == delimiter => return Some(()),
                _ => {}
            }
        }
    }
}

/// Whether every bracket of a pattern is closed in it, however a sed reads it: without a backslash, or half a class, inside.
fn brackets_are_closed(pattern: &[char]) -> bool {
    let mut letters = pattern.iter().copied().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '[' => {
                letters.next_if_eq(&'^');
                letters.next_if_eq(&']');
                if !bracket_ends(&mut letters) {
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

fn bracket_ends(letters: &mut std::iter::Peekable<impl Iterator<Item = char>>) -> bool {
    while let Some(letter) = letters.next() {
        match letter {
            ']' => return true,
            // `\t` is the same to all of them; a sign that could end something is not.
            '\\' if letters.next_if(char::is_ascii_alphanumeric).is_none() => return false,
            '[' => {
                // `[:alpha:]` and its like, which end as they began.
                let Some(sign) = letters.next_if(|next| ":.=".contains(*next)) else { continue };
                let name: String =
                    std::iter::from_fn(|| letters.next_if(char::is_ascii_alphabetic)).collect();
                if name.is_empty() || letters.next() != Some(sign) || letters.next() != Some(']') {
                    return false;
                }
            }
            _ => {}
        }
    }
    false
}
