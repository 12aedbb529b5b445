//! curl and wget: which of their words write a file or send one.
//!
//! Looks nothing up; ends as a list of risks.

use super::flags::Flags;
use super::{Risk, WHOLE, where_words};
use crate::gate::shell::Word;

pub(super) fn risks(words: &[Word]) -> Vec<Risk<'_>> {
    const WRITES: Flags = Flags::risky(
        "-o --output -O --remote-name --remote-name-all -J --remote-header-name -K --config -D \
             --dump-header -c --cookie-jar --trace --trace-ascii --trace-config --stderr --libcurl \
             --etag-save --hsts --alt-svc --output-dir --create-dirs -T --upload-file --engine \
             --unix-socket --abstract-unix-socket --ssl-sessions --netrc-file --dump-ca-embed \
             --ftp-create-dirs --variable",
    )
    .values("AbCdEeFHhmPQrtuUwxXyYz");
    let before = |at: usize| words.get(at - 1).map_or("", |word| word.text.as_str());
    let mut risks = WRITES.risks(words);
    risks.extend(where_words(words, "can write a file", |at, text| prints(before(at), text)));
    risks.extend(where_words(words, "sends a file", |at, text| sends(before(at), text)));
    risks
}

/// The text that `-w` prints can name a file to print into, and can come from a file.
fn prints(before: &str, text: &str) -> bool {
    let is_option = before.starts_with('-') && before.ends_with('w');
    let is_value = is_option || before.len() > 3 && "--write-out".starts_with(before);
    let is_file = is_value && text.starts_with('@')
        || text.contains("w@")
        || text.starts_with("--") && text.contains("=@");
    is_file || text.contains("%output{") || text.starts_with("--expand-")
}

fn sends(before: &str, text: &str) -> bool {
    let is_query = before.len() > 7 && "--data-urlencode".starts_with(before) || before == "--url-query";
    let is_named = is_query && text.contains('@');
    is_named || text.starts_with('@') || ["=@", "=<", "d@", "F@", "H@"].iter().any(|sign| text.contains(sign))
}

/// wget writes a file unless it is told otherwise, by one of the first options.
pub(super) fn wget_risks(words: &[Word]) -> Vec<Risk<'_>> {
    const FETCHES: Flags =
        Flags::only("-q -v -S --quiet --verbose --spider --server-response -O --output-document")
            .values("O")
            .uncut();
    let mut risks = FETCHES.risks(words);
    let texts: Vec<&str> = words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let to_stdout = matches!(
        texts.as_slice(),
        ["-qO-" | "-O-" | "--output-document=-" | "--spider", ..]
            | ["-q" | "-S" | "--quiet", "-O-" | "--output-document=-" | "--spider", ..]
            | ["-O" | "-qO", "-", ..]
            | ["-q" | "-S" | "--quiet", "-O", "-", ..]
    );
    let outputs = texts.iter().filter(|text| text.starts_with("--output") || is_output_cluster(text)).count();
    let most = if texts.contains(&"--spider") { 0 } else { 1 };
    if !to_stdout || outputs > most {
        risks.push(Risk::new(WHOLE, "`wget` without `-O -` as its first option writes a file"));
    }
    risks
}

fn is_output_cluster(word: &str) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains('O')
}
