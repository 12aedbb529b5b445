//! The decoder: one byte after another, so that it never matters where a read ended.
//!
//! Owns the place in a sequence that is not over. Never guesses from the size of a read whether ESC was a key: its owner
//! calls [`Decoder::idle`] when nothing followed. Keeps at most a few bytes of a sequence, and of a paste what
//! [`Paste`] keeps.

use super::paste::Paste;
use super::sequence::{self, Meaning};
use super::{Code, Input, Key};

/// The longest parameters of a control sequence that can mean a key.
const LONGEST_PARAMETERS: usize = 32;

const ESC: u8 = 0x1b;

/// Bytes in, inputs out.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    state: State,
}

/// What more the decoder would like to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waits {
    /// to be called [`Decoder::idle`] about 50 ms after the last byte
    Briefly,
    /// to be called [`Decoder::stalled`] when the rest of a paste has not come for seconds
    ForPaste,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Ground,
    /// the beginning of a character
    Utf8 {
        bytes: [u8; 4],
        len: usize,
        alt: bool,
    },
    /// ESC, or ESC ESC
    Escape {
        twice: bool,
    },
    /// after `ESC [`
    Control {
        parameters: Vec<u8>,
        is_key: bool,
        alt: bool,
    },
    /// after `ESC O`
    SingleShift {
        held: Option<u8>,
        alt: bool,
    },
    /// after `ESC [ [`
    ConsoleFunction,
    /// in a mouse report: so many bytes are left
    Mouse {
        left: u8,
    },
    /// in a string for a terminal or of one, begun by that letter after ESC
    Text {
        opened_by: u8,
        is_empty: bool,
    },
    /// after ESC in such a string
    TextEscape,
    Paste(Paste),
}

impl Decoder {
    /// Takes what was read.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Vec<Input> {
        let mut inputs = Vec::new();
        for byte in bytes {
            self.take(*byte, &mut inputs);
        }
        inputs
    }

    /// Nothing followed for a while: an ESC was the key, and what else was begun is given up.
    pub(crate) fn idle(&mut self) -> Vec<Input> {
        let mut keys = Vec::new();
        let esc = Key::plain(Code::Esc);
        let with_alt = |letter: u8| Key::plain(Code::Char(char::from(letter))).alt_if(true);
        match std::mem::take(&mut self.state) {
            // The rest of a character or of a paste still comes.
            state @ (State::Paste(_) | State::Utf8 { .. }) => self.state = state,
            State::Escape { twice } => keys.extend(std::iter::repeat_n(esc, 1 + usize::from(twice))),
            State::TextEscape => keys.push(esc),
            // A letter with Alt that begins a sequence when something follows.
            State::Control { parameters, is_key: true, alt } if parameters.is_empty() => {
                keys.extend(alt.then_some(esc).into_iter().chain([with_alt(b'[')]));
            }
            State::SingleShift { held: None, alt } => {
                keys.extend(alt.then_some(esc).into_iter().chain([with_alt(b'O')]));
            }
            State::Text { opened_by, is_empty: true } => keys.push(with_alt(opened_by)),
            _ => {}
        }
        keys.into_iter().map(Input::Key).collect()
    }

    /// The end of a paste did not come: what there is of it counts as the whole.
    pub(crate) fn stalled(&mut self) -> Option<Input> {
        match std::mem::take(&mut self.state) {
            State::Paste(paste) => Some(paste.finish()),
            state => {
                self.state = state;
                None
            }
        }
    }

    /// What it waits for, if for anything.
    pub(crate) const fn waits(&self) -> Option<Waits> {
        match self.state {
            State::Ground | State::Utf8 { .. } => None,
            State::Paste(_) => Some(Waits::ForPaste),
            _ => Some(Waits::Briefly),
        }
    }

    fn take(&mut self, byte: u8, inputs: &mut Vec<Input>) {
        self.state = match std::mem::take(&mut self.state) {
            State::Ground => begin(byte, false, inputs),
            State::Utf8 { bytes, len, alt } => go_on_with_character(bytes, len, byte, alt, inputs),
            State::Escape { twice } => after_escape(byte, twice, inputs),
            State::Control { parameters, is_key, alt } => in_control(parameters, is_key, byte, alt, inputs),
            State::SingleShift { held, alt } => in_single_shift(held, byte, alt, inputs),
            State::ConsoleFunction => {
                push(sequence::console_function(byte), inputs);
                State::Ground
            }
            State::Mouse { left } if left > 1 => State::Mouse { left: left - 1 },
            State::Mouse { .. } => State::Ground,
            State::Text { opened_by, .. } => in_text(opened_by, byte),
            State::TextEscape if byte == b'\\' => State::Ground,
            State::TextEscape => after_escape(byte, false, inputs),
            State::Paste(paste) => in_paste(paste, byte, inputs),
        };
    }

    /// How much memory it holds on to.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        match &self.state {
            State::Control { parameters, .. } => parameters.capacity(),
            State::Paste(paste) => paste.capacity(),
            _ => 0,
        }
    }
}

fn push(key: Option<Key>, inputs: &mut Vec<Input>) {
    inputs.extend(key.map(Input::Key));
}

/// A byte where no sequence is open.
fn begin(byte: u8, alt: bool, inputs: &mut Vec<Input>) -> State {
    let letter = |byte: u8| Key::plain(Code::Char(char::from(byte)));
    let key = match byte {
        ESC => return State::Escape { twice: false },
        b'\r' | b'\n' => Key::plain(Code::Enter),
        b'\t' => Key::plain(Code::Tab),
        0x08 | 0x7f => Key::plain(Code::Backspace),
        0 => letter(b' ').ctrl(),
        0x01..=0x1a => letter(byte | 0x60).ctrl(),
        0x1c..=0x1f => letter(byte | 0x40).ctrl(),
        0x20..=0x7e => letter(byte),
        0xc2..=0xf4 => return State::Utf8 { bytes: [byte, 0, 0, 0], len: 1, alt },
        _ => Key::plain(Code::Char(char::REPLACEMENT_CHARACTER)),
    };
    inputs.push(Input::Key(key.alt_if(alt)));
    State::Ground
}

/// One more byte of a character. If it does not belong there, each byte before it was a bad one.
fn go_on_with_character(
    mut bytes: [u8; 4],
    len: usize,
    byte: u8,
    alt: bool,
    inputs: &mut Vec<Input>,
) -> State {
    if let Some(place) = bytes.get_mut(len) {
        *place = byte;
    }
    let so_far = bytes.get(..=len).unwrap_or_default();
    match std::str::from_utf8(so_far) {
        Ok(text) => {
            let keys = text.chars().map(|letter| Key::plain(Code::Char(letter)).alt_if(alt));
            inputs.extend(keys.map(Input::Key));
            State::Ground
        }
        Err(error) if error.error_len().is_none() => State::Utf8 { bytes, len: len + 1, alt },
        Err(_) => {
            let bad = Key::plain(Code::Char(char::REPLACEMENT_CHARACTER)).alt_if(alt);
            inputs.extend(std::iter::repeat_n(Input::Key(bad), len));
            begin(byte, false, inputs)
        }
    }
}

fn after_escape(byte: u8, twice: bool, inputs: &mut Vec<Input>) -> State {
    let is_empty = true;
    match byte {
        ESC => {
            push(twice.then_some(Key::plain(Code::Esc)), inputs);
            State::Escape { twice: true }
        }
        b'[' => State::Control { parameters: Vec::new(), is_key: true, alt: twice },
        b'O' => State::SingleShift { held: None, alt: twice },
        b']' | b'P' | b'_' | b'^' | b'X' => State::Text { opened_by: byte, is_empty },
        _ => {
            push(twice.then_some(Key::plain(Code::Esc)), inputs);
            begin(byte, true, inputs)
        }
    }
}

fn in_control(mut parameters: Vec<u8>, is_key: bool, byte: u8, alt: bool, inputs: &mut Vec<Input>) -> State {
    match byte {
        b'$' if is_key && sequence::ends_with_dollar(&parameters) => {
            end_control(&parameters, byte, alt, inputs)
        }
        0x20..=0x3f => {
            let is_key = is_key && byte >= 0x30 && parameters.len() < LONGEST_PARAMETERS;
            if is_key {
                parameters.push(byte);
            }
            State::Control { parameters, is_key, alt }
        }
        0x40..=0x7e if is_key => end_control(&parameters, byte, alt, inputs),
        0x40..=0x7e | 0x18 | 0x1a => State::Ground,
        // What cannot stand in a sequence was pressed after a broken one.
        _ => begin(byte, false, inputs),
    }
}

fn end_control(parameters: &[u8], last: u8, alt: bool, inputs: &mut Vec<Input>) -> State {
    match sequence::control(parameters, last) {
        Meaning::Key(key) => push(Some(key.alt_if(alt)), inputs),
        Meaning::PasteBegins => return State::Paste(Paste::default()),
        Meaning::MouseFollows(left) => return State::Mouse { left },
        Meaning::LetterFollows => return State::ConsoleFunction,
        Meaning::NoKey => {}
    }
    State::Ground
}

fn in_single_shift(held: Option<u8>, byte: u8, alt: bool, inputs: &mut Vec<Input>) -> State {
    match byte {
        b'1'..=b'8' if held.is_none() => State::SingleShift { held: Some(byte - b'0'), alt },
        0x20..=0x7e => {
            push(sequence::single_shift(held, byte).map(|key| key.alt_if(alt)), inputs);
            State::Ground
        }
        _ => begin(byte, false, inputs),
    }
}

fn in_paste(mut paste: Paste, byte: u8, inputs: &mut Vec<Input>) -> State {
    if paste.take(byte) {
        inputs.push(paste.finish());
        State::Ground
    } else {
        State::Paste(paste)
    }
}

/// Strings end with BEL or `ESC \`, or are cancelled. Nothing of them is kept.
const fn in_text(opened_by: u8, byte: u8) -> State {
    match byte {
        0x07 | 0x18 | 0x1a => State::Ground,
        ESC => State::TextEscape,
        _ => State::Text { opened_by, is_empty: false },
    }
}
