//! Which escape sequences a program wrote: all of them must be of those that our painter writes.

/// What is in the output that should not be.
pub(crate) fn foreign(raw: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(raw);
    let letters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(letter) = letters.get(at) {
        let length = if *letter == '\x1b' { sequence(&letters[at..]) } else { 1 };
        let whole: String = letters.iter().skip(at).take(length).collect();
        let is_fine = if *letter == '\x1b' { is_ours(&whole) } else { is_seen(*letter) };
        if !is_fine {
            found.push(format!("{whole:?} after {:?}", &before(&letters, at)));
        }
        at += length;
    }
    found
}

fn before(letters: &[char], at: usize) -> String {
    letters[at.saturating_sub(30)..at].iter().collect()
}

/// How long a sequence is, its ESC included.
fn sequence(letters: &[char]) -> usize {
    match letters.get(1) {
        Some('[') => {
            let end = letters.iter().skip(2).position(|letter| ('@'..='~').contains(letter));
            end.map_or(letters.len(), |end| end + 3)
        }
        Some(_) => 2,
        None => 1,
    }
}

/// The sequences that the painter writes.
fn is_ours(sequence: &str) -> bool {
    const WHOLE: [&str; 12] = [
        "\x1b[?7h",
        "\x1b[?7l",
        "\x1b[?2026h",
        "\x1b[?2026l",
        "\x1b[?25h",
        "\x1b[?25l",
        "\x1b[?2004h",
        "\x1b[?2004l",
        "\x1b[K",
        "\x1b[J",
        "\x1b7",
        "\x1b8",
    ];
    WHOLE.contains(&sequence) || is_move(sequence) || is_look(sequence)
}

fn is_move(sequence: &str) -> bool {
    let count = sequence.strip_prefix("\x1b[").and_then(|rest| rest.strip_suffix(['A', 'B', 'C']));
    count.is_some_and(|count| count.parse::<u16>().is_ok_and(|count| count > 0))
}

fn is_look(sequence: &str) -> bool {
    let codes = sequence.strip_prefix("\x1b[").and_then(|rest| rest.strip_suffix('m'));
    let is_code = |code: &str| matches!(code.parse(), Ok(0_u8..=2 | 30..=37 | 39));
    codes.is_some_and(|codes| codes.split(';').all(is_code))
}

/// The colours in the output.
pub(crate) fn colours(raw: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(raw);
    let looks = text.split("\x1b[").filter_map(|part| part.split_once('m')).map(|(codes, _)| codes);
    let is_colour = |code: &str| matches!(code.parse(), Ok(30_u8..=49 | 90..=107));
    looks.filter(|codes| codes.split(';').any(is_colour)).map(str::to_owned).collect()
}

/// Whether a letter is one that a person sees, a blank or the end of a row.
fn is_seen(letter: char) -> bool {
    let is_hidden = matches!(letter,
        '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{e0000}'..='\u{e007f}' | '\u{ad}' | '\u{61c}');
    matches!(letter, '\r' | '\n') || !letter.is_control() && !is_hidden
}

#[test]
fn what_is_not_ours_is_found() {
    assert!(foreign("\x1b[?2026h\x1b[1;33m? Sure\x1b[0m\r\n\x1b[2A\x1b7\x1b[J\x1b8".as_bytes()).is_empty());
    for bad in
        ["\x07", "\x08", "\x1b]0;x\x07", "\x1b[2J", "\x1b[H", "\x1b[6n", "\x1b[?1049h", "\x1b[0A", "\u{9b}2J"]
    {
        assert!(!foreign(bad.as_bytes()).is_empty(), "{bad:?}");
    }
    for bad in ["\u{202e}", "\u{200b}", "\u{e0061}", "\u{2028}", "\u{85}", "\x1b[5m", "\x1b[38;5;1m", "\x1b"]
    {
        assert!(!foreign(bad.as_bytes()).is_empty(), "{bad:?}");
    }
    assert_eq!(colours(b"\x1b[1;33mx\x1b[0m\x1b[2my\x1b[39m"), ["1;33", "39"]);
}
