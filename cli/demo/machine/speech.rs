//! How the demo's agent speaks: word by word, with pauses that are as long as they are wanted.

use std::time::Duration;

use super::{Beat, Demo, Do};
use crate::args::Speed;
use crate::demo::wire;

/// How long a word takes.
const WORD: u64 = 40;

impl Demo {
    /// Something happens after a pause.
    pub(in crate::demo) fn after(&mut self, pause: u64, beat: Beat) {
        self.beats.push_back((self.paced(pause), beat));
    }

    /// A name that nothing else has.
    pub(in crate::demo) fn name(&mut self, begin: &str) -> String {
        self.named += 1;
        format!("{begin}{}", self.named)
    }

    /// A pause, as long as it is wanted.
    pub(super) fn paced(&self, ms: u64) -> u64 {
        let Speed::Times(factor) = self.speed else { return 0 };
        let pause = Duration::from_millis(ms).as_secs_f64() / factor;
        let pause = Duration::try_from_secs_f64(pause).unwrap_or(Duration::MAX);
        u64::try_from(pause.as_millis()).unwrap_or(u64::MAX)
    }

    /// Says something, word by word if somebody looks.
    pub(in crate::demo) fn say(&mut self, text: &str) {
        let words = text.split_inclusive(char::is_whitespace);
        if self.is_live {
            words.for_each(|word| self.after(WORD, Beat::Piece(word.to_owned())));
            self.after(0, Beat::Said(text.to_owned()));
        } else {
            let pause = u64::try_from(words.count()).unwrap_or(u64::MAX).saturating_mul(WORD);
            self.after(pause, Beat::Said(text.to_owned()));
        }
    }

    pub(super) fn piece(&mut self, piece: &str) {
        if self.saying.is_none() {
            let message = self.name("msg_demo_");
            self.lines(wire::text_begins(&message));
        }
        self.line(wire::text_goes_on(piece));
        self.saying.get_or_insert_default().push_str(piece);
    }

    pub(super) fn said(&mut self, text: String) {
        if !self.is_live {
            self.name("msg_demo_");
        }
        // The same name as the pieces had: it was the last that was given.
        let message = format!("msg_demo_{}", self.named);
        self.line(wire::said(&message, &text));
        if self.is_live {
            self.lines(wire::text_ends());
        }
        self.saying = None;
        if let Some((turn, _)) = &mut self.turn {
            turn.rounds += 1;
            turn.text = text;
        }
    }

    pub(super) fn line(&mut self, line: String) {
        self.out.push(Do::Line(line));
    }

    pub(super) fn lines<const N: usize>(&mut self, lines: [String; N]) {
        self.out.extend(lines.map(Do::Line));
    }
}
