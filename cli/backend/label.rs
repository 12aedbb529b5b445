//! What an agent is called that nobody named: by its file, also where an interpreter runs it.
//!
//! Owns which programs only run others. Words in, a label out; it is a name for people and decides nothing, so a guess
//! is good enough. Never empty.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use codec::id::Label;

/// Programs that run a file, without the digits behind their names; which of their letters are followed by code, and
/// which by a value.
const INTERPRETERS: [(&str, &str, &str); 6] = [
    ("sh bash dash zsh ksh fish ash", "c", "oO"),
    ("python pypy", "c", "WX"),
    ("node nodejs deno bun tsx ts-node", "ep", "r"),
    ("ruby perl", "eE", "I"),
    ("php", "r", "dc"),
    ("lua luajit", "e", "l"),
];

/// Programs that run a program.
const RUNNERS: &str = "env npx uv uvx pnpm yarn poetry pipx bunx nohup setsid nice stdbuf exec";

/// The label for a program with its arguments.
pub(super) fn of(words: &[OsString]) -> String {
    Label::from_any(&stem(words)).as_str().to_owned()
}

fn stem(words: &[OsString]) -> String {
    let Some((program, arguments)) = words.split_first() else { return String::new() };
    let own = file_stem(program);
    let name = own.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let lists = |names: &str| names.split(' ').any(|one| one == name);
    if lists(RUNNERS) {
        let run = arguments.iter().position(|word| !is_for_runner(word));
        return run.and_then(|at| arguments.get(at..)).map_or(own, stem);
    }
    match INTERPRETERS.iter().find(|(names, ..)| lists(names)) {
        Some((_, code, values)) => script(arguments, code, values).map_or(own, file_stem),
        None => own,
    }
}

fn file_stem(word: &OsString) -> String {
    Path::new(word).file_stem().map(OsStr::to_string_lossy).unwrap_or_default().into_owned()
}

/// A flag, a variable, or the word for running.
fn is_for_runner(word: &OsString) -> bool {
    let bytes = word.as_bytes();
    bytes.starts_with(b"-") || bytes.contains(&b'=') || matches!(bytes, b"run" | b"exec" | b"dlx")
}

/// The file that an interpreter runs; none if it is given code, or reads it from its stdin.
fn script<'a>(arguments: &'a [OsString], code: &str, values: &str) -> Option<&'a OsString> {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_bytes() {
            b"run" => {}
            b"-" | b"--eval" | b"--print" => return None,
            [b'-', b'-', ..] => {}
            [b'-', .., last] if code.as_bytes().contains(last) => return None,
            [b'-', letter] if values.as_bytes().contains(letter) => _ = words.next(),
            [b'-', ..] => {}
            _ => return Some(word),
        }
    }
    None
}
