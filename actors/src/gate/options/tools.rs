//! Programs whose operands do more than they seem to: tar, make and its like, tsc, test, dd, printf.
//!
//! Each function looks at all words of one command, looks nothing up, and ends as a list of risks.

use super::flags::{Flags, is_option};
use super::{Risk, where_words};
use crate::gate::shell::Word;

/// Lists an archive, and nothing else.
pub(super) fn tar(words: &[Word]) -> Vec<Risk<'_>> {
    const LISTS: Flags = Flags::only(
        "-t -v -z -j -J -f -a -p -P --list --verbose --file --gzip --bzip2 --xz --zstd --wildcards \
             --exclude --totals",
    )
    .values("f");
    let Some(mode) = words.get(1) else { return Vec::new() };
    let mut risks = LISTS.risks(words);
    let letters = mode.text.strip_prefix('-').unwrap_or(&mode.text);
    let is_list = mode.text == "--list" || !mode.text.starts_with("--") && letters.contains('t');
    if !is_list || !mode.text.starts_with('-') && letters.contains(|letter| !"tvzjJfap".contains(letter)) {
        risks.push(Risk::of(1, mode, "is not the mode that only lists"));
    }
    // A name with a colon is an archive on another machine.
    risks.extend(where_words(words, "may name another machine", |_, text| text.contains(':')));
    risks
}

/// Targets of the makefile at hand.
pub(super) fn make(words: &[Word]) -> Vec<Risk<'_>> {
    const HARMLESS: Flags = Flags::only(
        "-j -k -n -s -B -i -q -r -R -w -S -l -d -p -t -v -O --version --help --dry-run --just-print \
             --silent --quiet --keep-going --jobs --always-make --question --no-print-directory \
             --print-directory --trace --output-sync",
    )
    .values("jlO");
    targets(HARMLESS, words)
}

/// Recipes of the justfile or taskfile at hand.
pub(super) fn just(words: &[Word]) -> Vec<Risk<'_>> {
    targets(Flags::only("-l --list -n --dry-run -q --quiet --summary --version"), words)
}

/// Builds and tests what is configured.
pub(super) fn cmake(words: &[Word]) -> Vec<Risk<'_>> {
    const BUILDS: Flags = Flags::only(
        "--build --parallel --target --verbose --clean-first --version --help -j -t -v -V -N -R -L \
             --output-on-failure",
    )
    .values("jtRL");
    targets(BUILDS, words)
}

/// The compiler of TypeScript. With another project it writes elsewhere, unless it writes nothing at all.
pub(super) fn tsc(words: &[Word]) -> Vec<Risk<'_>> {
    const WRITES: Flags = Flags::words(
        "-outDir -outFile -out -build -b -init -declarationDir -tsBuildInfoFile -generateTrace \
             -generateCpuProfile -watch -w",
    );
    const ELSEWHERE: Flags = Flags::words("-project -p");
    let mut risks = WRITES.risks(words);
    let writes_nothing =
        |pair: &[Word]| matches!(pair, [option, value] if option.text == "--noEmit" && value.text != "false");
    let ends_so = words.last().is_some_and(|word| word.text == "--noEmit");
    if !ends_so && !words.windows(2).any(writes_nothing) {
        risks.extend(ELSEWHERE.risks(words));
    }
    risks
}

/// Targets may be named; a variable that is set for them may say what runs.
fn targets(harmless: Flags, words: &[Word]) -> Vec<Risk<'_>> {
    let mut risks = harmless.risks(words);
    risks.extend(where_words(words, "sets a variable for what runs", |_, text| {
        text.contains('=') && !is_option(text)
    }));
    risks
}

/// bash evaluates the subscript behind `-v`, zsh every number.
pub(super) fn test(words: &[Word]) -> Vec<Risk<'_>> {
    let evaluates =
        |text: &str| matches!(text, "-v" | "-R") || text.len() > 1 && text.contains(['[', '$', '`']);
    where_words(words, "can be evaluated", |_, text| evaluates(text))
}

/// Writes where it is told.
pub(super) fn dd(words: &[Word]) -> Vec<Risk<'_>> {
    where_words(words, "is written to", |_, text| text.starts_with("of=") && text != "of=/dev/null")
}

/// bash writes a variable by `-v` and by `%n`; zsh evaluates what should be a number.
pub(super) fn printf(words: &[Word]) -> Vec<Risk<'_>> {
    where_words(words, "can set a variable or be evaluated", |at, text| match at {
        1 => text.starts_with("-v") || counts(text),
        _ => text.contains(['[', '$', '`']) || counts(text),
    })
}

/// Whether a format has `%n`, which stores how much was printed.
fn counts(format: &str) -> bool {
    let between = |letter: char| "-+ #0123456789.*'hlLjzt".contains(letter);
    format.split('%').skip(1).any(|part| part.trim_start_matches(between).starts_with('n'))
}
