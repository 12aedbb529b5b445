//! Which keys there are, for `?` on an empty line.
//!
//! Owns the words. They fold on a narrow screen, and none is left out.

use super::super::style::Row;
use super::draw::{Binding, keys};

const ON_THE_LINE: [[(&str, &str); 4]; 3] = [
    [("Enter", "send"), ("Alt-Enter", "newline"), ("↑", "take back or history"), ("", "")],
    [("Tab", "question, next agent"), ("Esc", "interrupt"), ("Ctrl-O", "unfold"), ("Ctrl-C twice", "end")],
    [("@name @all", "who hears it"), ("Ctrl-D", "end when done"), ("/text", "slash command"), ("", "")],
];

/// On the person's own line.
pub(crate) fn on_the_line(columns: usize) -> Vec<Row> {
    rows(&ON_THE_LINE, columns)
}

fn rows(table: &[[(&str, &str); 4]], columns: usize) -> Vec<Row> {
    let bindings = |row: &[(&str, &str); 4]| {
        let there = row.iter().filter(|(key, _)| !key.is_empty());
        there.map(|(key, does)| Binding::new(key, does)).collect::<Vec<_>>()
    };
    table.iter().flat_map(|row| keys(&bindings(row), 3, true, columns)).map(|row| row.fit(columns)).collect()
}
