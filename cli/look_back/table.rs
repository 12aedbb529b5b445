//! Rows with columns. Pure: cells in, painted rows out.
//!
//! Owns how wide each column is. On a terminal one column gives way so that every row fits; elsewhere nothing is cut.

use crate::retold::Look;
use crate::term::style::{Row, Span, Style, paint};

/// A column.
pub(super) struct Column {
    pub(super) title: &'static str,
    /// it is no wider than that on a terminal; of those without a limit the first takes what is left
    pub(super) most: Option<usize>,
    /// it stands at its right end
    pub(super) is_right: bool,
}

impl Column {
    pub(super) const fn left(title: &'static str, most: usize) -> Self {
        Self { title, most: Some(most), is_right: false }
    }

    pub(super) const fn right(title: &'static str, most: usize) -> Self {
        Self { title, most: Some(most), is_right: true }
    }

    /// The one that gives way.
    pub(super) const fn wide(title: &'static str) -> Self {
        Self { title, most: None, is_right: false }
    }
}

/// One cell: how it looks, and what it says.
pub(super) type Cell = (Style, String);

const GAP: usize = 2;
/// A column that gives way is no narrower.
const NARROWEST: usize = 8;

/// The rows of a table, with their titles above.
pub(super) fn rows(columns: &[Column], cells: &[Vec<Cell>], look: &Look) -> Vec<String> {
    let titles = columns.iter().map(|column| Row::own(Style::DIM, column.title)).collect();
    let cells = cells.iter().map(|row| row.iter().map(|(style, text)| Row::foreign(*style, text)).collect());
    let all: Vec<Vec<Row>> = std::iter::once(titles).chain(cells).collect();
    let widths = widths(columns, &all, look.columns);
    let painted = all.iter().map(|row| {
        let row = line(columns, row, &widths, look.columns.is_some());
        let mut text = paint(&look.columns.map_or_else(|| row.clone(), |columns| row.fit(columns)), look.ink);
        text.truncate(text.trim_end_matches(' ').len());
        text
    });
    painted.collect()
}

fn widths(columns: &[Column], rows: &[Vec<Row>], room: Option<usize>) -> Vec<usize> {
    let widest = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(Row::width).max().unwrap_or(0);
    let natural: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| match (room, column.most) {
            (Some(_), Some(most)) => widest(at).min(most),
            _ => widest(at),
        })
        .collect();
    let Some(room) = room else { return natural };
    let gaps = GAP * columns.len().saturating_sub(1);
    let fixed: usize = columns
        .iter()
        .zip(&natural)
        .filter(|(column, _)| column.most.is_some())
        .map(|(_, width)| width)
        .sum();
    let left = room.saturating_sub(fixed + gaps).max(NARROWEST);
    let given =
        |(column, width): (&Column, usize)| if column.most.is_none() { width.min(left) } else { width };
    columns.iter().zip(natural).map(given).collect()
}

/// The last cell of a row is not filled up.
fn line(columns: &[Column], cells: &[Row], widths: &[usize], is_cut: bool) -> Row {
    let mut row = Row::default();
    for ((at, column), (cell, width)) in columns.iter().enumerate().zip(cells.iter().zip(widths)) {
        let cell = if is_cut { cell.fit(*width) } else { cell.clone() };
        let blanks = width.saturating_sub(cell.width());
        if at > 0 {
            row.push(Span::own(Style::PLAIN, "  "));
        }
        row = if column.is_right {
            row.then(&Row::blanks(blanks)).then(&cell)
        } else {
            row.then(&cell).then(&Row::blanks(blanks))
        };
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::style::Ink;

    const COLUMNS: [Column; 3] = [Column::left("who", 6), Column::wide("what"), Column::right("cost", 6)];

    fn cells() -> Vec<Vec<Cell>> {
        let row = |cells: [&str; 3]| cells.map(|text| (Style::PLAIN, text.to_owned())).to_vec();
        vec![
            row(["claude/review", "git fetch origin --prune", "$0.48"]),
            row(["api", "ls\u{1b}[31m", "$14.20"]),
        ]
    }

    #[test]
    fn on_a_terminal_every_row_fits_and_the_wide_column_gives_way() {
        let look = Look { columns: Some(32), ink: Ink::Plain };
        assert_eq!(
            rows(&COLUMNS, &cells(), &look),
            [
                "who     what                cost",
                "claud…  git fetch origi…   $0.48",
                "api     ls\\x1b[31m        $14.20"
            ]
        );
    }

    #[test]
    fn also_on_a_narrow_one_no_row_is_wider() {
        for columns in 1..32 {
            let look = Look { columns: Some(columns), ink: Ink::Plain };
            for row in rows(&COLUMNS, &cells(), &look) {
                assert!(crate::term::measure::width(&row) <= columns, "{row:?} in {columns}");
            }
        }
    }

    #[test]
    fn elsewhere_nothing_is_cut() {
        let all = rows(&COLUMNS, &cells(), &Look::PLAIN);
        assert_eq!(all.get(1).map(String::as_str), Some("claude/review  git fetch origin --prune   $0.48"));
    }
}
