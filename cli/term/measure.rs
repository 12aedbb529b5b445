//! How many columns a text takes.
//!
//! Owns the cutting into clusters, which are what a person takes for one character, and their widths. Terminals disagree
//! about some; where they do the wider guess is taken, for a row that is too short does no harm. Nothing here looks at what
//! a control character would do: text comes here when it is visible.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// How wide things are taken to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// as nearly all terminals draw them
    Usual,
    /// as wide as any terminal draws them, also one set up for East Asia: what a person approves is measured so
    Widest,
}

/// One cluster of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cluster<'t> {
    /// where it begins, in bytes
    pub(crate) at: usize,
    /// itself
    pub(crate) text: &'t str,
    /// how many columns it takes
    pub(crate) width: usize,
}

impl Cluster<'_> {
    /// Whether it is only room.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.chars().all(char::is_whitespace)
    }
}

/// The clusters of a text, in order.
pub(crate) fn clusters(text: &str, measure: Measure) -> impl Iterator<Item = Cluster<'_>> {
    text.grapheme_indices(true).map(move |(at, text)| Cluster { at, text, width: of_cluster(text, measure) })
}

/// How many columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    clusters(text, Measure::Usual).map(|cluster| cluster.width).sum()
}

/// A terminal that does not join what belongs together draws each character for itself.
fn of_cluster(cluster: &str, measure: Measure) -> usize {
    let apart: usize = cluster.chars().map(|letter| of_letter(letter, measure)).sum();
    apart.max(cluster.width())
}

fn of_letter(letter: char, measure: Measure) -> usize {
    match (letter.width().unwrap_or(1), measure) {
        // Where one font is for all scripts, any letter beyond ASCII may be as wide as a Chinese one.
        (1, Measure::Widest) if !letter.is_ascii() => 2,
        (width, _) => width,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn widths_are_those_of_a_terminal() {
        for (text, columns) in
            [("", 0), ("plain", 5), ("日本", 4), ("e\u{301}", 1), ("ｶﾞ", 2), ("😀", 2), ("⚠️", 2)]
        {
            assert_eq!(width(text), columns, "{text:?}");
        }
        assert_eq!(width("🇩🇪"), 2);
        assert_eq!(width("●→❯…·↪"), 6);
    }

    #[test]
    fn what_a_terminal_may_draw_apart_is_measured_apart() {
        assert_eq!(width("👨\u{200d}👩\u{200d}👧"), 6);
        assert_eq!(clusters("👨\u{200d}👩\u{200d}👧", Measure::Usual).count(), 1);
    }

    #[test]
    fn the_widest_measure_counts_for_terminals_of_east_asia_too() {
        let widest = |text| clusters(text, Measure::Widest).map(|cluster| cluster.width).sum::<usize>();
        assert_eq!(widest("ab 日"), 5);
        assert_eq!(widest("·é"), 4);
    }

    proptest! {
        #[test]
        fn clusters_are_the_whole_text(text in any::<String>()) {
            let joined: String = clusters(&text, Measure::Usual).map(|cluster| cluster.text).collect();
            prop_assert_eq!(&joined, &text);
            let usual = clusters(&text, Measure::Usual);
            let widest = clusters(&text, Measure::Widest);
            prop_assert!(usual.zip(widest).all(|(usual, widest)| usual.width <= widest.width));
        }
    }
}
