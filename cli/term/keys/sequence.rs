//! What a whole escape sequence means: the keys of xterm, rxvt, the Linux console, kitty's `CSI u` and modifyOtherKeys.
//!
//! Pure tables. Whatever is in none of them is no key.

use super::{Code, Key};

/// What the end of a control sequence came to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Key(Key),
    PasteBegins,
    /// a report with the old coding of mouse buttons: so many more bytes belong to it
    MouseFollows(u8),
    /// a function key of the Linux console: one more letter belongs to it
    LetterFollows,
    NoKey,
}

/// A control sequence: what stood between `ESC [` and its last byte, and that byte.
pub(super) fn control(parameters: &[u8], last: u8) -> Meaning {
    match (parameters, last) {
        ([], b'M') => return Meaning::MouseFollows(3),
        ([], b'[') => return Meaning::LetterFollows,
        (b"200", b'~') => return Meaning::PasteBegins,
        _ => {}
    }
    numbers(parameters).and_then(|numbers| key(&numbers, last)).map_or(Meaning::NoKey, Meaning::Key)
}

/// Whether `$` ends the sequence, as it does for a key with Shift in rxvt; in all others a letter follows.
pub(super) fn ends_with_dollar(parameters: &[u8]) -> bool {
    matches!(parameters, [b'2' | b'3' | b'5'..=b'8'] | [b'1'..=b'3', b'0'..=b'9'])
}

/// A key of the keypad or a function key: `ESC O`, perhaps a number for what is held down, and a letter.
pub(super) fn single_shift(held: Option<u8>, last: u8) -> Option<Key> {
    let code = match last {
        b'A'..=b'D' | b'H' | b'F' => arrow(last)?,
        b'P'..=b'S' => Code::F(last - b'P' + 1),
        b'M' => Code::Enter,
        b'I' => Code::Tab,
        b'a'..=b'd' => return arrow(last.to_ascii_uppercase()).map(|code| Key::plain(code).ctrl()),
        b' ' | b'X' => Code::Char(if last == b'X' { '=' } else { ' ' }),
        // The keypad sends the letter that is 0x40 after its sign.
        b'j'..=b'y' => Code::Char(char::from(last - 0x40)),
        _ => return None,
    };
    with_held(code, held.map_or(1, u32::from))
}

/// A function key of the Linux console: `ESC [ [` and a letter.
pub(super) fn console_function(last: u8) -> Option<Key> {
    matches!(last, b'A'..=b'E').then(|| Key::plain(Code::F(last - b'A' + 1)))
}

/// The numbers between `;`, each with what follows it after `:`. None if anything else stands there.
fn numbers(parameters: &[u8]) -> Option<Vec<Vec<u32>>> {
    let text = std::str::from_utf8(parameters).ok()?;
    let number = |part: &str| if part.is_empty() { Some(0) } else { part.parse().ok() };
    let plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b';' | b':'));
    let group = |part: &str| part.split(':').map(number).collect::<Option<Vec<_>>>();
    if plain { text.split(';').map(group).collect() } else { None }
}

fn key(numbers: &[Vec<u32>], last: u8) -> Option<Key> {
    let at = |place: usize| numbers.get(place).and_then(|group| group.first()).copied();
    let first = at(0).unwrap_or(0);
    // A key that was let go: nobody asked for these.
    if numbers.get(1).and_then(|group| group.get(1)) == Some(&3) {
        return None;
    }
    let held = at(1).unwrap_or(0);
    match last {
        b'A'..=b'D' | b'H' | b'F' => with_held(arrow(last)?, if numbers.len() == 1 { first } else { held }),
        b'P' | b'Q' | b'S' if first <= 1 => with_held(Code::F(last - b'P' + 1), held),
        b'a'..=b'd' => arrow(last.to_ascii_uppercase()).map(|code| Key::plain(code).shift()),
        b'Z' => Some(Key::plain(Code::BackTab)),
        b'~' if first == 27 => character(at(2)?, None, held),
        b'~' => with_held(tilde(first)?, held),
        b'$' => tilde(first).map(|code| Key::plain(code).shift()),
        b'^' => tilde(first).map(|code| Key::plain(code).ctrl()),
        b'@' => tilde(first).map(|code| Key::plain(code).ctrl().shift()),
        b'u' => character(first, numbers.first().and_then(|group| group.get(1)).copied(), held),
        _ => None,
    }
}

const fn arrow(last: u8) -> Option<Code> {
    Some(match last {
        b'A' => Code::Up,
        b'B' => Code::Down,
        b'C' => Code::Right,
        b'D' => Code::Left,
        b'H' => Code::Home,
        b'F' => Code::End,
        _ => return None,
    })
}

const fn tilde(number: u32) -> Option<Code> {
    Some(match number {
        1 | 7 => Code::Home,
        2 => Code::Insert,
        3 => Code::Delete,
        4 | 8 => Code::End,
        5 => Code::PageUp,
        6 => Code::PageDown,
        // The numbers have holes where a keyboard once had gaps.
        11..=15 => Code::F(number as u8 - 10),
        17..=21 => Code::F(number as u8 - 11),
        23..=26 => Code::F(number as u8 - 12),
        28 | 29 => Code::F(number as u8 - 13),
        31..=34 => Code::F(number as u8 - 14),
        _ => return None,
    })
}

/// A key that is named by the character on it; `shifted` is what stands there with Shift.
fn character(number: u32, shifted: Option<u32>, held: u32) -> Option<Key> {
    let key = with_held(named(number)?, held)?;
    let Code::Char(letter) = key.code else { return Some(key) };
    if key.ctrl || key.alt {
        let letter = letter.to_ascii_lowercase();
        return Some(Key {
            code: Code::Char(letter),
            shift: key.shift || number != u32::from(letter),
            ..key
        });
    }
    let above = shifted.and_then(char::from_u32).unwrap_or_else(|| letter.to_ascii_uppercase());
    Some(Key::plain(Code::Char(if key.shift { above } else { letter })))
}

fn named(number: u32) -> Option<Code> {
    Some(match number {
        9 => Code::Tab,
        10 | 13 | 57414 => Code::Enter,
        27 => Code::Esc,
        8 | 127 => Code::Backspace,
        0..=31 => return None,
        57399..=57408 => Code::Char(char::from_digit(number - 57399, 10)?),
        57409..=57413 => Code::Char(char::from(*b"./*-+".get(number as usize - 57409)?)),
        57415 => Code::Char('='),
        57417 => Code::Left,
        57418 => Code::Right,
        57419 => Code::Up,
        57420 => Code::Down,
        57421 => Code::PageUp,
        57422 => Code::PageDown,
        57423 => Code::Home,
        57424 => Code::End,
        57425 => Code::Insert,
        57426 => Code::Delete,
        // The private numbers of kitty for keys that type nothing: locks, media, the modifiers themselves.
        57344..=63743 => return None,
        _ => Code::Char(char::from_u32(number)?),
    })
}

/// The key with what is held down, in the coding of xterm. None with the Super key and the like: those are not for us.
fn with_held(code: Code, held: u32) -> Option<Key> {
    let bits = held.saturating_sub(1);
    if bits & 0b11_1000 != 0 {
        return None;
    }
    let shift = bits & 1 != 0;
    let (code, shift) = match code {
        Code::Tab if shift => (Code::BackTab, false),
        code => (code, shift),
    };
    Some(Key { code, ctrl: bits & 4 != 0, alt: bits & 2 != 0, shift })
}
