//! A command of which the first words count: strong up to the cut, weak behind it, with a line below.
//!
//! Owns that picture. What the cut means is said in words beside it, for not every screen shows the difference.

use std::ops::Range;

use super::super::measure::width;
use super::super::style::{Row, Span, Style};
use super::super::wrap::{command, marked};
use super::draw::{CYAN, Room, more};

/// The rows of a command of which this part counts.
pub(super) fn rows(text: &str, counts: &Range<usize>, room: Room) -> Vec<Row> {
    let pieces = [text.get(..counts.start), text.get(counts.clone()), text.get(counts.end..)];
    let [Some(before), Some(kept), Some(rest)] = pieces else { return plain(text, Style::BOLD, room) };
    let row = Row::blanks(4)
        .then(&marked(before, Style::DIM))
        .then(&marked(kept, Style::BOLD))
        .then(&marked(rest, Style::DIM));
    // Only what fits into one row can have a line below it.
    if text.contains('\n') || row.width() > room.columns || room.height < 2 {
        return plain(text, Style::BOLD, room);
    }
    let indent = 4 + marked(before, Style::DIM).width();
    let line = "─".repeat(width(&marked(kept, Style::BOLD).text()));
    vec![row, Row::blanks(indent).and(Span::foreign(CYAN, &line))]
}

/// The rows of a command of which nothing is cut off.
pub(super) fn plain(text: &str, style: Style, room: Room) -> Vec<Row> {
    let mut rows = command(text, style, room.columns);
    let hidden = rows.len().saturating_sub(room.height);
    if hidden > 0 {
        let kept = room.height.saturating_sub(1);
        rows.truncate(kept);
        rows.push(more("… ", hidden + 1, room.columns));
    }
    rows
}
