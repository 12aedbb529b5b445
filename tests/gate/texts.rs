//! Texts that look like commands, and texts that hardly do.
//!
//! Owns the generator: the same seed gives the same texts. Its words are names that no program has; `ff` is one that fails. It never gives a text
//! that is not harmless.

use crate::alphabet::{BEGINNINGS, BETWEEN, ENDINGS, LINES, ODD, TOKENS, WORDS};
use crate::harmless::is_harmless;
use crate::support::random::Random;

/// The texts of a seed.
pub(crate) fn generate(seed: u64, count: usize) -> Vec<String> {
    let mut random = Random::new(seed);
    let harmless = std::iter::repeat_with(|| text(&mut random)).filter(|text| is_harmless(text));
    harmless.take(count).collect()
}

/// One of several.
pub(crate) fn one_of<'a>(random: &mut Random, choices: &[&'a str]) -> &'a str {
    choices[usize::try_from(random.below(choices.len() as u64)).unwrap()]
}

/// A number from some to some.
pub(crate) fn between(random: &mut Random, least: usize, most: usize) -> usize {
    least + usize::try_from(random.below((most - least + 1) as u64)).unwrap()
}

/// Puts something in, between any two characters.
pub(crate) fn insert_somewhere(random: &mut Random, text: &str, piece: &str) -> String {
    let place = between(random, 0, text.chars().count());
    let before: String = text.chars().take(place).collect();
    let after: String = text.chars().skip(place).collect();
    before + piece + &after
}

fn text(random: &mut Random) -> String {
    match random.below(100) {
        0..30 => soup(random),
        30..45 => strewn(random, message),
        _ => strewn(random, commands),
    }
}

/// Something proper with a few things strewn in.
fn strewn(random: &mut Random, proper: fn(&mut Random) -> String) -> String {
    let mut text = proper(random);
    for _ in 0..between(random, 0, 4).saturating_sub(1) {
        let token = one_of(random, &TOKENS);
        text = insert_somewhere(random, &text, token);
    }
    text
}

fn commands(random: &mut Random) -> String {
    let mut text = command(random);
    for _ in 0..between(random, 0, 3) {
        text += one_of(random, &BETWEEN);
        text += &command(random);
    }
    text
}

fn command(random: &mut Random) -> String {
    let mut text =
        one_of(random, &BEGINNINGS).to_owned() + one_of(random, &["aa", "bb", "cc", "aa", "bb", "ff"]);
    for _ in 0..between(random, 0, 3) {
        text += one_of(random, &[" ", " ", " ", "  ", "\t", " \\\n", ""]);
        text += &if random.percent(20) { odd_word(random) } else { one_of(random, &WORDS).to_owned() };
    }
    text + one_of(random, &ENDINGS)
}

/// A word of characters that mean something in one place and nothing in another.
fn odd_word(random: &mut Random) -> String {
    (0..between(random, 1, 6)).map(|_| one_of(random, &ODD)).collect()
}

/// The form in which a long text becomes one argument; now and then a piece of it is not as it should be.
fn message(random: &mut Random) -> String {
    let lines: Vec<_> = (0..between(random, 0, 3)).map(|_| one_of(random, &LINES)).collect();
    let body = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let opening = usually(random, "'EOF'", &["EOF", "\"EOF\"", "\\EOF", "'E'", "''", "'EO'F"]);
    let closing =
        usually(random, "EOF\n)", &["EOF\n  )", "EOF)", "EOF\n\n)", "EOF\nbb)", ")", "EOF\n) ", "EOF\n"]);
    let cat = usually(
        random,
        "cat <<",
        &["cat << ", " cat <<", "cat <<-", "cat x <<", "bb <<", "cat\n<<", "cat <<<"],
    );
    let quote = usually(random, "\"", &["", "'", "\"x"]);
    let tail = one_of(random, &["", "", "", " x", "; bb", " && bb", "x", " 2>&1", "\nbb", " | bb", "'q w'"]);
    format!("aa -m {quote}$({cat}{opening}\n{body}{closing}{quote}{tail}")
}

/// What is usual, or now and then something else.
fn usually<'a>(random: &mut Random, usual: &'a str, others: &[&'a str]) -> &'a str {
    if random.percent(85) { usual } else { one_of(random, others) }
}

fn soup(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..between(random, 2, 12) {
        text += one_of(random, &TOKENS);
        text += one_of(random, &["", "", " "]);
    }
    text
}
