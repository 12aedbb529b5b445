//! A screen as an SVG. Pure: cells in, text out.
//!
//! Each row is one `<text>`, and each piece of it stands at its own column: whatever font shows it, the columns stay. No
//! font is loaded and nothing runs. What differs from run to run (the time of day) is drawn as if it never did; the cursor,
//! which blinks, is left out.

use std::fmt::Write as _;

use vt100::{Cell, Color};

use crate::picture::Picture;

/// What is around the cells: how wide and how high each is, where the first one is, and what is left below the last.
const CELL: (f64, f64) = (8.4, 19.0);
const FIRST: (f64, f64) = (22.0, 52.0);
const BELOW: f64 = 18.0;
/// From the top of a row to the feet of its letters.
const FEET: f64 = 14.0;

const FONT: &str =
    "ui-monospace, 'SF Mono', Menlo, 'DejaVu Sans Mono', 'Liberation Mono', Consolas, monospace";
const PAPER: &str = "#12161e";
const FRAME: &str = "#3b4454";
const PLAIN: &str = "#d6dce6";
const FAINT: &str = "#8a94a6";

/// Letters of one look that follow each other.
struct Piece {
    column: usize,
    text: String,
    ink: &'static str,
    is_bold: bool,
}

/// The whole picture, under a title.
pub(crate) fn draw(screen: &Picture, title: &str) -> String {
    let (height, columns) = screen.screen.size();
    let rows: Vec<Vec<Piece>> = (0..height.get()).map(|row| pieces(&cells(screen, row))).collect();
    let shown = rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1);
    let mut svg = head((wide(columns.get().into()) + 2.0 * FIRST.0, top(shown) + BELOW), title);
    for (at, row) in rows.iter().take(shown).enumerate() {
        svg.push_str(&text(at, row));
    }
    svg + "</g>\n</svg>\n"
}

/// The paper and its frame, which tells it from a page that is as dark, and a title.
fn head((width, height): (f64, f64), title: &str) -> String {
    let (title, middle) = (escaped(title), width / 2.0);
    let dots: String = [22, 40, 58].map(|x| format!("<circle cx=\"{x}\" cy=\"21\" r=\"5\"/>")).concat();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{title}\">\n\
         <title>{title}</title>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{:.0}\" height=\"{:.0}\" rx=\"10\" fill=\"{PAPER}\" stroke=\"{FRAME}\"/>\n\
         <g fill=\"{FRAME}\">{dots}</g>\n\
         <g font-family=\"{FONT}\" font-size=\"14\" fill=\"{PLAIN}\">\n\
         <text x=\"{middle:.1}\" y=\"26\" font-size=\"13\" fill=\"{FAINT}\" text-anchor=\"middle\">{title}</text>\n",
        width - 1.0,
        height - 1.0,
    )
}

fn text(row: usize, pieces: &[Piece]) -> String {
    if pieces.is_empty() {
        return String::new();
    }
    let inner: String = pieces.iter().map(span).collect();
    format!("<text y=\"{:.1}\" xml:space=\"preserve\">{inner}</text>\n", top(row) + FEET)
}

fn span(piece: &Piece) -> String {
    let letters = piece.text.chars().count();
    let mut span = format!("<tspan x=\"{:.1}\" textLength=\"{:.1}\"", left(piece.column), wide(letters));
    if piece.ink != PLAIN {
        write!(span, " fill=\"{}\"", piece.ink).unwrap();
    }
    if piece.is_bold {
        span.push_str(" font-weight=\"bold\"");
    }
    span + ">" + &escaped(&steady(&piece.text)) + "</tspan>"
}

fn wide(columns: usize) -> f64 {
    CELL.0 * f64::from(u32::try_from(columns).unwrap())
}

fn left(column: usize) -> f64 {
    FIRST.0 + wide(column)
}

fn top(row: usize) -> f64 {
    FIRST.1 + CELL.1 * f64::from(u32::try_from(row).unwrap())
}

fn cells(screen: &Picture, row: u16) -> Vec<&Cell> {
    let columns = screen.screen.size().1.get();
    (0..columns).filter_map(|column| screen.screen.cell(row, column)).collect()
}

/// The pieces of a row. Two blanks end one; so does a sign that the font may lack, because another font's may be of any
/// width, and what follows must not move.
fn pieces(row: &[&Cell]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut blanks, mut was_sign) = (usize::MAX, false);
    for (column, cell) in row.iter().enumerate() {
        let letter = cell.contents();
        if letter.trim().is_empty() {
            blanks = blanks.saturating_add(1);
            continue;
        }
        let (ink, is_bold, is_sign) = (ink(cell), cell.bold(), !letter.is_ascii());
        let fits = |last: &&mut Piece| (last.ink, last.is_bold) == (ink, is_bold);
        match pieces.last_mut().filter(fits) {
            Some(last) if blanks < 2 && !was_sign && !is_sign => {
                last.text.extend(std::iter::repeat_n(' ', blanks));
                last.text.push_str(letter);
            }
            _ => pieces.push(Piece { column, text: letter.to_owned(), ink, is_bold }),
        }
        (blanks, was_sign) = (0, is_sign);
    }
    pieces
}

/// The colour of a letter. A colour that is not here would be drawn as another one, so it stops the test.
fn ink(cell: &Cell) -> &'static str {
    match (cell.fgcolor(), cell.dim()) {
        (Color::Default, false) => PLAIN,
        (Color::Default, true) => FAINT,
        (Color::Idx(1), _) => "#ff7b72",
        (Color::Idx(2), _) => "#7ee787",
        (Color::Idx(3), _) => "#f0c24b",
        (Color::Idx(6), _) => "#63d0e0",
        other => panic!("no colour is chosen for {other:?}"),
    }
}

/// A text without the time of day, at the same width.
fn steady(text: &str) -> String {
    let is_time = text.len() == 5
        && text
            .char_indices()
            .all(|(at, letter)| if at == 2 { letter == ':' } else { letter.is_ascii_digit() });
    if is_time { "14:02".to_owned() } else { text.to_owned() }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
