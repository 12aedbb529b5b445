//! What an edit changes, line by line.
//!
//! Owns the comparison of an old text with a new one, which of the lines that stay are shown, the reading of a difference
//! that somebody else made, and the look of a line. Knows nothing of the file: its other lines, and their numbers, are not
//! ours to say.

use super::style::{Colour, Row, Span, Style};

#[cfg(test)]
mod tests;

/// One line of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line<'t> {
    /// it stays
    Same(&'t str),
    /// so many more stay
    Skipped(usize),
    /// it goes
    Out(&'t str),
    /// it comes
    In(&'t str),
    /// a line about the difference, such as where it is
    Note(&'t str),
}

impl Line<'_> {
    /// What stands before it, and how it looks.
    pub(crate) const fn look(&self) -> (&'static str, Style) {
        match self {
            Line::Out(_) => ("− ", Style::of(Colour::Red)),
            Line::In(_) => ("+ ", Style::of(Colour::Green)),
            Line::Same(_) => ("  ", Style::DIM),
            Line::Skipped(_) | Line::Note(_) => ("", Style::DIM),
        }
    }
}

/// As many lines around a change as help to find it.
const AROUND: usize = 3;
/// Longer texts are not compared line by line: it would take too long for what it tells.
const MOST_PAIRS: usize = 90_000;

/// What turns one text into another.
pub(crate) fn between<'t>(old: &'t str, new: &'t str) -> Vec<Line<'t>> {
    let (old, new): (Vec<_>, Vec<_>) = (old.split('\n').collect(), new.split('\n').collect());
    let before = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let behind = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let behind = behind.min(old.len().min(new.len()) - before);
    let middle = |lines: &[&'t str]| -> Vec<&'t str> {
        lines.iter().skip(before).take(lines.len() - before - behind).copied().collect()
    };
    let mut lines: Vec<_> = old.iter().take(before).copied().map(Line::Same).collect();
    let (gone, come) = (middle(&old), middle(&new));
    let is_long = gone.len().saturating_mul(come.len()) > MOST_PAIRS;
    lines.extend(if is_long { replaced(&gone, &come) } else { compared(&gone, &come) });
    lines.extend(old.iter().skip(old.len() - behind).copied().map(Line::Same));
    folded(&lines)
}

/// A text that comes whole. The end of its last line is no line.
pub(crate) fn all_new(text: &str) -> Vec<Line<'_>> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.split('\n').map(Line::In).collect()
}

/// The lines of a difference in the form of `diff -u`. What is no such line is a note.
pub(crate) fn unified(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut left = text.strip_suffix('\n').unwrap_or(text).split('\n').peekable();
    while let Some(line) = left.next() {
        // Only together they name the files: a line that goes may begin with two dashes of its own.
        let names_files =
            line.starts_with("--- ") && left.peek().is_some_and(|next| next.starts_with("+++ "));
        if names_files {
            lines.push(Line::Note(line));
            lines.extend(left.next().map(Line::Note));
        } else {
            lines.push(unified_line(line));
        }
    }
    lines
}

fn unified_line(line: &str) -> Line<'_> {
    let rest = |sign| line.strip_prefix(sign);
    match (rest('+'), rest('-'), rest(' ')) {
        (Some(text), ..) => Line::In(text),
        (_, Some(text), _) => Line::Out(text),
        (.., Some(text)) => Line::Same(text),
        _ if line.is_empty() => Line::Same(line),
        _ => Line::Note(line),
    }
}

/// How many lines come, and how many go.
pub(crate) fn counts(lines: &[Line<'_>]) -> (usize, usize) {
    let count = |is: fn(&Line<'_>) -> bool| lines.iter().filter(|line| is(line)).count();
    (count(|line| matches!(line, Line::In(_))), count(|line| matches!(line, Line::Out(_))))
}

/// The same for a person: `+5 −1`.
pub(crate) fn counted((come, go): (usize, usize)) -> Row {
    let come = Span::foreign(Style::of(Colour::Green), &format!("+{come}"));
    let go = Span::foreign(Style::of(Colour::Red), &format!("−{go}"));
    Row::default().and(come).and(Span::own(Style::PLAIN, " ")).and(go)
}

/// One text goes, the other comes.
fn replaced<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    old.iter().copied().map(Line::Out).chain(new.iter().copied().map(Line::In)).collect()
}

/// With as many lines that stay as there can be.
fn compared<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let width = new.len() + 1;
    let common = common(old, new);
    let left = |out: usize, come: usize| common.get(out * width + come).copied().unwrap_or(0);
    let (mut out, mut come, mut lines) = (0, 0, Vec::new());
    loop {
        match (old.get(out), new.get(come)) {
            (Some(gone), Some(new)) if gone == new => {
                lines.push(Line::Same(gone));
                (out, come) = (out + 1, come + 1);
            }
            (gone, Some(new)) if gone.is_none() || left(out + 1, come) < left(out, come + 1) => {
                lines.push(Line::In(new));
                come += 1;
            }
            (Some(gone), _) => {
                lines.push(Line::Out(gone));
                out += 1;
            }
            (None, _) => return lines,
        }
    }
}

/// How many lines could stay from each pair of places on.
fn common(old: &[&str], new: &[&str]) -> Vec<usize> {
    let width = new.len() + 1;
    let mut table = vec![0; (old.len() + 1) * width];
    for (out, gone) in old.iter().enumerate().rev() {
        for (come, new) in new.iter().enumerate().rev() {
            let at = out * width + come;
            let of = |place: usize| table.get(place).copied().unwrap_or(0);
            let most = if gone == new { of(at + width + 1) + 1 } else { of(at + width).max(of(at + 1)) };
            if let Some(cell) = table.get_mut(at) {
                *cell = most;
            }
        }
    }
    table
}

/// Leaves out what stays and is far from any change.
fn folded<'t>(lines: &[Line<'t>]) -> Vec<Line<'t>> {
    let is_change = |line: &Line<'_>| matches!(line, Line::In(_) | Line::Out(_));
    let mut near = vec![false; lines.len()];
    for (at, _) in lines.iter().enumerate().filter(|(_, line)| is_change(line)) {
        let around = at.saturating_sub(AROUND)..(at + AROUND + 1).min(lines.len());
        near.get_mut(around).unwrap_or_default().fill(true);
    }
    let mut shown = Vec::new();
    for (line, is_near) in lines.iter().zip(near) {
        match shown.last_mut() {
            _ if is_near => shown.push(*line),
            Some(Line::Skipped(count)) => *count += 1,
            _ => shown.push(Line::Skipped(1)),
        }
    }
    shown
}
