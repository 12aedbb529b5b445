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
    // Nearly all text is ASCII, where each byte is one; to look for clusters in it takes twenty times as long.
    let is_ascii = text.is_ascii();
    let plain = if is_ascii { text } else { "" };
    let bytes =
        (0..plain.len()).filter_map(move |at| Some(Cluster { at, text: plain.get(at..=at)?, width: 1 }));
    let others = if is_ascii { "" } else { text };
    let graphemes = others.grapheme_indices(true).map(move |(at, text)| Cluster {
        at,
        text,
        width: of_cluster(text, measure),
    });
    bytes.chain(graphemes)
}

/// The characters of a cluster, each as one of its own: for one that is wider than there is room.
pub(crate) fn letters<'t>(cluster: &Cluster<'t>, measure: Measure) -> impl Iterator<Item = Cluster<'t>> {
    let (at, text) = (cluster.at, cluster.text);
    text.char_indices().filter_map(move |(begin, letter)| {
        let text = text.get(begin..begin + letter.len_utf8())?;
        Some(Cluster { at: at + begin, text, width: of_letter(letter, measure) })
    })
}

/// How many columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    // The rule beside a name is in every row of a report.
    if text.chars().all(|letter| letter.is_ascii() || ('\u{2500}'..='\u{257f}').contains(&letter)) {
        return text.chars().count();
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
        // Nobody can count upon a terminal to put it onto the letter before it.
        (0, Measure::Widest) => 1,
        (0, Measure::Usual) if stands_apart(letter) => 1,
        // Where one font is for all scripts, any letter beyond ASCII may be as wide as a Chinese one.
        (1, Measure::Widest) if !letter.is_ascii() => 2,
        (width, _) => width,
    }
}

/// Signs that belong to the letter before them and that some terminals draw in a column of their own all the same, tmux among
/// them; also those that would join what follows.
fn stands_apart(letter: char) -> bool {
    const APART: [(u32, u32); 38] = [
        (0x0600, 0x0605),
        (0x06DD, 0x06DD),
        (0x070F, 0x070F),
        (0x0890, 0x0891),
        (0x08E2, 0x08E2),
        (0x09BE, 0x09BE),
        (0x09D7, 0x09D7),
        (0x0B3E, 0x0B3E),
        (0x0B57, 0x0B57),
        (0x0BBE, 0x0BBE),
        (0x0BD7, 0x0BD7),
        (0x0CC0, 0x0CC2),
        (0x0CC7, 0x0CCB),
        (0x0CD5, 0x0CD6),
        (0x0D3E, 0x0D3E),
        (0x0D57, 0x0D57),
        (0x0DCF, 0x0DCF),
        (0x0DDF, 0x0DDF),
        (0x1715, 0x1715),
        (0x1734, 0x1734),
        (0x1B35, 0x1B44),
        (0x1BAA, 0x1BAA),
        (0x1BF2, 0x1BF3),
        (0x302E, 0x302F),
        (0xA953, 0xA953),
        (0xA9C0, 0xA9C0),
        (0x110BD, 0x110CD),
        (0x111C0, 0x111C0),
        (0x11235, 0x11235),
        (0x1133E, 0x11357),
        (0x114B0, 0x114BD),
        (0x115AF, 0x115AF),
        (0x116B6, 0x116B6),
        (0x11930, 0x1193D),
        (0x16FF0, 0x16FF1),
        (0x1D165, 0x1D166),
        (0x1D16D, 0x1D172),
        (0x13430, 0x1343F),
    ];
    let letter = u32::from(letter);
    APART.iter().any(|(first, last)| (*first..=*last).contains(&letter))
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
    fn what_some_terminals_draw_beside_its_letter_has_a_column() {
        for sign in ['\u{605}', '\u{890}', '\u{9be}', '\u{1d165}', '\u{302e}'] {
            assert_eq!(width(&format!("a{sign}")), 2, "{sign:?}");
        }
        assert_eq!(clusters("e\u{301}", Measure::Widest).map(|cluster| cluster.width).sum::<usize>(), 2);
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
            let text = codec::text::visible(&text).into_owned();
            let joined: String = clusters(&text, Measure::Usual).map(|cluster| cluster.text).collect();
            prop_assert_eq!(&joined, &text);
            let usual = clusters(&text, Measure::Usual);
            let widest = clusters(&text, Measure::Widest);
            prop_assert!(usual.zip(widest).all(|(usual, widest)| usual.width <= widest.width));
            let by_graphemes: Vec<usize> = text.grapheme_indices(true).map(|(at, _)| at).collect();
            prop_assert_eq!(clusters(&text, Measure::Usual).map(|cluster| cluster.at).collect::<Vec<_>>(), by_graphemes);
        }
    }
}
