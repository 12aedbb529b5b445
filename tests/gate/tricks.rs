//! What can be done to an allowed command so that something else runs.
//!
//! Owns the tricks. Each takes a text and gives another; whether the other is hostile is for bash to say. The name that must
//! not run is `zz`. It never gives a text that is not harmless.

use crate::harmless::is_harmless;
use crate::support::random::Random;
use crate::templates::{ALLOWED, AROUND, BROKEN, FORBIDDEN, INSERTED, NEAR, UNSEEN, WRAPPERS};
use crate::texts::{between, insert_somewhere, one_of};

/// A mutant: an allowed command after one to three tricks.
pub(crate) fn mutant(random: &mut Random) -> String {
    loop {
        let mut text = one_of(random, &ALLOWED).to_owned();
        for _ in 0..between(random, 1, 3) {
            text = tampered(random, &text);
        }
        if is_harmless(&text) {
            return text;
        }
    }
}

/// One trick.
fn tampered(random: &mut Random, text: &str) -> String {
    match random.below(100) {
        0..45 => around(random, text, &AROUND),
        45..62 => around(random, text, &WRAPPERS),
        62..74 => around(random, text, &INSERTED),
        74..84 => joined(random, text),
        84..92 => insert_at_a_word(random, text),
        92..96 => inserted(random, text, &UNSEEN),
        _ => inserted(random, text, &BROKEN),
    }
}

/// A template: around the text if it has a place for it, otherwise somewhere in the text.
fn around(random: &mut Random, text: &str, templates: &[&str]) -> String {
    let template = one_of(random, templates);
    let filled = template.replace("!!", one_of(random, &FORBIDDEN));
    if template.contains('@') {
        filled.replacen('@', text, 1)
    } else {
        insert_somewhere(random, text, &filled)
    }
}

/// Another command beside it, or instead of it, that is almost an allowed one.
fn joined(random: &mut Random, text: &str) -> String {
    let near = one_of(random, &NEAR);
    let template = one_of(random, &["@; !!", "!!; @", "@ && !!", "@ | !!", "!!", "CI=1 !!; @", "@\n!!"]);
    template.replace("!!", near).replacen('@', text, 1)
}

/// Something unseen right behind a word, where it takes the boundary away.
fn insert_at_a_word(random: &mut Random, text: &str) -> String {
    let piece = one_of(random, &UNSEEN);
    let ends: Vec<_> = text.match_indices(' ').map(|(at, _)| at).collect();
    let Some(at) = ends.get(between(random, 0, ends.len())).copied() else { return text.to_owned() + piece };
    let (before, after) = text.split_at(at);
    format!("{before}{piece}{after}")
}

fn inserted(random: &mut Random, text: &str, pieces: &[&str]) -> String {
    let piece = one_of(random, pieces);
    insert_somewhere(random, text, piece)
}
