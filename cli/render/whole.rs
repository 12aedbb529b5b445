//! Texts that come in pieces, where there is no screen on which one could see them grow: whole.
//!
//! Owns what has come of the text that is being written. It is handed out as a block when it is over, or when something
//! else is told. Bounded: a text without end is handed out in several blocks, cut between its lines if that can be.

use super::Block;
use super::flow::talk;
use super::tale::Piece;

/// So much of a text is waited for.
const LONGEST: usize = 64 << 10;

/// A text of which the end has not come.
#[derive(Debug, Default)]
pub(crate) struct Whole {
    text: String,
}

impl Whole {
    /// The blocks that are there now.
    pub(crate) fn take(&mut self, pieces: Vec<Piece>) -> Vec<Block> {
        let mut blocks = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Stream(more) => {
                    self.text.push_str(&more);
                    if self.text.len() > LONGEST {
                        blocks.extend(self.cut());
                    }
                }
                Piece::StreamEnds => blocks.extend(self.ends()),
                Piece::Block(block) => blocks.extend(self.ends().into_iter().chain([block])),
            }
        }
        blocks
    }

    fn ends(&mut self) -> Option<Block> {
        talk(&std::mem::take(&mut self.text))
    }

    /// The lines that are whole; without any all that there is.
    fn cut(&mut self) -> Option<Block> {
        let end = self.text.rfind('\n').filter(|end| *end > 0).unwrap_or(self.text.len());
        let rest = self.text.split_off(end);
        talk(&std::mem::replace(&mut self.text, rest))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stream(text: &str) -> Piece {
        Piece::Stream(text.to_owned())
    }

    fn rows(blocks: &[Block]) -> Vec<String> {
        blocks.iter().flat_map(Block::plain).collect()
    }

    #[test]
    fn a_text_is_one_block_when_it_is_over() {
        let mut whole = Whole::default();
        assert!(whole.take(vec![stream("Let me "), stream("look.\nNow")]).is_empty());
        assert_eq!(rows(&whole.take(vec![Piece::StreamEnds])), ["  Let me look.", "  Now"]);
        assert!(whole.take(vec![Piece::StreamEnds]).is_empty());
    }

    #[test]
    fn what_is_told_in_the_middle_of_a_text_stands_behind_what_came_of_it() {
        let mut whole = Whole::default();
        let blocks = whole.take(vec![stream("one"), Piece::Block(Block::output("noise")), stream("two")]);
        assert_eq!(rows(&blocks), ["  one", "  noise"]);
        assert_eq!(rows(&whole.take(vec![Piece::StreamEnds])), ["  two"]);
    }

    proptest! {
        #[test]
        fn however_long_a_text_is_it_is_told_once_and_little_of_it_is_kept(
            pieces in prop::collection::vec(("[a-z]{1,5}", 1..9_000_usize, "\n{0,2}"), 0..30),
        ) {
            let (mut whole, mut told, mut said) = (Whole::default(), Vec::new(), String::new());
            for (word, times, end) in pieces {
                let piece = word.repeat(times) + &end;
                said += &piece;
                told.extend(rows(&whole.take(vec![Piece::Stream(piece)])));
                prop_assert!(whole.text.len() <= LONGEST + 45_002);
            }
            told.extend(rows(&whole.take(vec![Piece::StreamEnds])));
            let told: String = told.iter().map(|row| row.trim_start()).collect();
            prop_assert_eq!(told, said.replace('\n', ""));
        }
    }
}
