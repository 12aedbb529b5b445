//! Where a live region is after the terminal has become narrower or wider and has broken its rows anew.
//!
//! Pure arithmetic over the rows that were drawn; the terminal is not asked.

use super::super::measure::{Measure, clusters};
use super::super::style::Row;
use super::Live;

/// How many rows the cursor is now below the first row of what was drawn.
pub(super) fn depth(drawn: &Live, columns: usize) -> usize {
    let (row, column) = drawn.cursor;
    let above: usize = drawn.rows.iter().take(row).map(|row| place(row, row.width(), columns) + 1).sum();
    above + drawn.rows.get(row).map_or(0, |row| place(row, column, columns))
}

/// In which of the rows that a row was broken into the column is. The place behind its last character stays beside it.
fn place(row: &Row, column: usize, columns: usize) -> usize {
    let (mut broken, mut used, mut passed) = (0, 0, 0);
    for span in row.spans() {
        for cluster in clusters(span.text(), Measure::Usual) {
            if used + cluster.width > columns && used > 0 {
                broken += 1;
                used = 0;
            }
            if passed + cluster.width > column {
                return broken;
            }
            used += cluster.width;
            passed += cluster.width;
        }
    }
    broken + blanks_behind(used, column.saturating_sub(passed), columns)
}

/// A cursor that stands far behind the text takes the blanks between with it.
const fn blanks_behind(used: usize, blanks: usize, columns: usize) -> usize {
    if blanks == 0 { 0 } else { (used + blanks) / columns }
}
