//! Which key does what, as people know it from a shell.
//!
//! Only the table: what each of them does is in the editor.

use super::super::keys::{Code, Key};
use super::{Edit, Editor, State};

impl Editor {
    /// Takes a key.
    pub(crate) fn key(&mut self, key: Key) -> Edit {
        if self.state != State::Active {
            return Edit::Nothing;
        }
        let (was_cutting, goal) = self.forget_last_key();
        let key = by_its_name(key);
        match (key.code, key.ctrl, key.alt) {
            (Code::Up, false, false) => self.up(goal),
            (Code::Down, false, false) => self.down(goal),
            (Code::Char('p'), true, false) => self.up(goal),
            (Code::Char('n'), true, false) => self.down(goal),
            (Code::Char('?'), false, false) if self.is_empty() => Edit::Keys,
            (Code::Char(letter), false, false) => self.insert(letter.encode_utf8(&mut [0; 4])),
            (Code::Char(letter), true, false) => self.with_ctrl(letter, was_cutting),
            (Code::Char(letter), false, true) => self.with_alt(letter, was_cutting),
            (Code::Enter, _, _) if key.alt || key.shift => self.insert("\n"),
            (Code::Enter, ..) => self.submit(),
            (Code::Tab, false, false) => Edit::Tab,
            (Code::Esc, ..) => Edit::Escape,
            _ => self.move_or_delete(key, was_cutting),
        }
    }

    fn with_ctrl(&mut self, letter: char, was_cutting: bool) -> Edit {
        match letter {
            'a' => self.go(self.text.line_begin()),
            'e' => self.go(self.text.line_end()),
            'b' => self.go(self.text.left()),
            'f' => self.go(self.text.right()),
            'd' if self.is_empty() => Edit::Eof,
            'd' => self.delete_to(self.text.right()),
            'c' if self.is_empty() => Edit::Interrupt,
            'c' => self.clear(),
            'w' => self.cut_to(self.text.begin_of_blanks_word(), was_cutting),
            'u' => self.cut_to(self.text.line_begin(), was_cutting),
            'k' => self.cut_to(self.text.line_end_or_over_it(), was_cutting),
            'y' => self.insert(&self.cut.clone()),
            'l' => Edit::Redraw,
            'o' => Edit::Unfold,
            'z' => Edit::Suspend,
            _ => Edit::Nothing,
        }
    }

    fn with_alt(&mut self, letter: char, was_cutting: bool) -> Edit {
        match letter.to_ascii_lowercase() {
            'b' => self.go(self.text.begin_of_word()),
            'f' => self.go(self.text.end_of_word()),
            'd' => self.cut_to(self.text.end_of_word(), was_cutting),
            _ => Edit::Nothing,
        }
    }

    fn move_or_delete(&mut self, key: Key, was_cutting: bool) -> Edit {
        let by_words = key.ctrl || key.alt;
        match key.code {
            Code::Left if by_words => self.go(self.text.begin_of_word()),
            Code::Left => self.go(self.text.left()),
            Code::Right if by_words => self.go(self.text.end_of_word()),
            Code::Right => self.go(self.text.right()),
            Code::Home => self.go(self.text.line_begin()),
            Code::End => self.go(self.text.line_end()),
            Code::Backspace if by_words => self.cut_to(self.text.begin_of_word(), was_cutting),
            Code::Backspace => self.delete_to(self.text.left()),
            Code::Delete if by_words => self.cut_to(self.text.end_of_word(), was_cutting),
            Code::Delete => self.delete_to(self.text.right()),
            _ => Edit::Nothing,
        }
    }

    /// Deletes what nobody will want back.
    fn delete_to(&mut self, place: usize) -> Edit {
        self.text.remove_to(place);
        Edit::Changed
    }
}

/// Some terminals say Ctrl-M where others say Return.
pub(crate) fn by_its_name(key: Key) -> Key {
    let code = match key.code {
        Code::Char('m' | 'j') if key.ctrl => Code::Enter,
        Code::Char('i') if key.ctrl => Code::Tab,
        Code::Char('[') if key.ctrl => Code::Esc,
        Code::Char('h') if key.ctrl => Code::Backspace,
        _ => return key,
    };
    Key { code, ctrl: false, ..key }
}
