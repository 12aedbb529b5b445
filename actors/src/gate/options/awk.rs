//! The programs of awk, as far as they certainly only read and print.
//!
//! No pipe, no redirection, nothing that calls out. A `>` compares where no statement can stand, and in parentheses; but
//! only in a program without slashes and comments is it certain what is a text and what is not.

use super::Risk;
use super::flags::is_option;
use crate::gate::lists;
use crate::gate::shell::Word;

/// Where the program of an awk command is, and which other words are risky.
pub(super) fn risks(words: &[Word]) -> Vec<Risk<'_>> {
    let mut at = 1;
    let mut risks = Vec::new();
    while let Some(word) = words.get(at).filter(|word| is_option(&word.text)) {
        at += match word.text.as_str() {
            "--" | "--version" => 1,
            "-F" | "-v" => 2,
            text if text.starts_with("-F") || text.starts_with("-v") => 1,
            _ => {
                risks.push(Risk::of(at, word, "can run or write something"));
                1
            }
        };
    }
    let program = words.get(at).filter(|word| !only_reads(&word.text));
    risks.extend(program.map(|_| Risk::new(at, "the program can run or write something")));
    risks
}

/// Whether a program only reads and prints.
fn only_reads(program: &str) -> bool {
    const CALLS: &str = "system getline close fflush extension";
    let mut names = program.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    if names.any(|name| lists(CALLS, name)) {
        return false;
    }
    if program.contains(['/', '#']) {
        return !program.replace("||", "").replace(">=", "").contains(['|', '>', '@']);
    }
    let Some(code) = without_texts(program) else { return false };
    let code = code.replace("||", "").replace(">=", "");
    // A clause of `for` is a statement, in parentheses.
    let mut names = program.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let has_loop = names.any(|name| name == "for");
    !(code.contains(['|', '@']) || has_loop && code.contains('>')) && only_compares(&code)
}

/// A program without its texts; nothing if one does not end.
fn without_texts(program: &str) -> Option<String> {
    let mut code = String::new();
    let mut letters = program.chars();
    while let Some(letter) = letters.next() {
        if letter != '"' {
            code.push(letter);
            continue;
        }
        loop {
            match letters.next()? {
                '"' => break,
                '\\' => drop(letters.next()?),
                _ => {}
            }
        }
    }
    Some(code)
}

/// Whether every `>` compares: it stands outside of all statements, or in parentheses.
fn only_compares(code: &str) -> bool {
    let (mut braces, mut parentheses) = (0_usize, 0_usize);
    for letter in code.chars() {
        match letter {
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            '(' => parentheses += 1,
            ')' => parentheses = parentheses.saturating_sub(1),
            '>' if braces > 0 && parentheses == 0 => return false,
            _ => {}
        }
    }
    true
}
