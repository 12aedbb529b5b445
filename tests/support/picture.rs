//! What a terminal shows at one moment: its cells, how they look, and its modes.

use std::fmt;

use vt100::{Cell, Color, Screen};

/// A picture of a screen.
#[derive(Clone)]
pub(crate) struct Picture {
    pub(crate) screen: Screen,
}

impl Picture {
    pub(crate) fn of(screen: &Screen) -> Self {
        Self { screen: screen.clone() }
    }

    /// Its rows, without blanks at their ends.
    pub(crate) fn rows(&self) -> Vec<String> {
        let columns = self.screen.size().1.get();
        self.screen.rows(0, columns).map(|row| row.trim_end().to_owned()).collect()
    }

    /// All rows that were ever scrolled away, then those on the screen.
    pub(crate) fn history(&self) -> Vec<String> {
        let mut screen = self.screen.clone();
        let (height, columns) = (usize::from(screen.size().0.get()), screen.size().1.get());
        screen.set_scrollback(usize::MAX);
        let mut rows = Vec::new();
        while let offset @ 1.. = screen.scrollback() {
            let part = screen.rows(0, columns).take(offset);
            rows.extend(part.map(|row| row.trim_end().to_owned()));
            screen.set_scrollback(offset.saturating_sub(height));
        }
        rows.extend(self.rows());
        rows
    }

    /// Rows of the history that hold a text.
    pub(crate) fn times(&self, text: &str) -> usize {
        self.history().iter().filter(|row| row.contains(text)).count()
    }

    pub(crate) fn has(&self, text: &str) -> bool {
        self.rows().iter().any(|row| row.contains(text))
    }

    fn cell(&self, row: usize, column: usize) -> Option<&Cell> {
        self.screen.cell(u16::try_from(row).ok()?, u16::try_from(column).ok()?)
    }

    /// The cells of a row that hold something, from the left.
    fn cells(&self, row: usize) -> impl Iterator<Item = &Cell> {
        let columns = usize::from(self.screen.size().1.get());
        (0..columns)
            .filter_map(move |column| self.cell(row, column))
            .filter(|cell| !cell.is_wide_continuation())
    }

    /// Whether a text stands there whose first letter is bold.
    pub(crate) fn is_bold(&self, text: &str) -> bool {
        (0..self.rows().len()).any(|row| {
            let mut before = String::new();
            let Some(at) = self.rows()[row].find(text) else { return false };
            let mut cells = self.cells(row);
            cells
                .find(|cell| {
                    let is_it = before.len() >= at;
                    before.push_str(if cell.has_contents() { cell.contents() } else { " " });
                    is_it
                })
                .is_some_and(Cell::bold)
        })
    }

    /// The two columns on the left, row by row.
    pub(crate) fn gutter(&self) -> Vec<String> {
        let text =
            |row, column| self.cell(row, column).map(|cell| cell.contents().to_owned()).unwrap_or_default();
        (0..self.rows().len()).map(|row| text(row, 0) + &text(row, 1)).collect()
    }

    /// Nothing is left of a program that drew: the cursor is seen, text is plain, a paste is not marked.
    pub(crate) fn is_plain(&self) -> bool {
        let screen = &self.screen;
        !screen.hide_cursor()
            && !screen.bracketed_paste()
            && !screen.alternate_screen()
            && !screen.bold()
            && !screen.dim()
            && screen.fgcolor() == Color::Default
    }

    /// A program draws here and wants to know what is pasted.
    pub(crate) fn is_ready_for_keys(&self) -> bool {
        self.screen.bracketed_paste() && !self.screen.hide_cursor()
    }

    /// The row and the column of the cursor.
    pub(crate) fn cursor(&self) -> (u16, u16) {
        self.screen.cursor_position()
    }

    /// What is below the greeting of a service, with times masked, and beside each row how it looks.
    pub(crate) fn masked(&self) -> String {
        let rows = self.rows();
        let from = rows.iter().position(|row| row.contains("Type a message")).map_or(0, |at| at + 1);
        let last = rows.iter().rposition(|row| !row.is_empty()).map_or(0, |at| at + 1);
        let (row, column) = self.cursor();
        let mut text: String = (from..last)
            .map(|at| format!("{:<80}┊ {}\n", mask(&rows[at]), self.looks(at)).trim_end().to_owned() + "\n")
            .collect();
        text.push_str(&format!("cursor {}, {column}\n", usize::from(row).saturating_sub(from)));
        text
    }

    /// How the words of a row look, in their order.
    fn looks(&self, row: usize) -> String {
        let mut looks: Vec<String> = Vec::new();
        for cell in self.cells(row).filter(|cell| !cell.contents().trim().is_empty()) {
            let look = look(cell);
            if looks.last() != Some(&look) {
                looks.push(look);
            }
        }
        looks.join(", ")
    }
}

fn look(cell: &Cell) -> String {
    let colour = match cell.fgcolor() {
        Color::Default => "",
        Color::Idx(1) => "red",
        Color::Idx(2) => "green",
        Color::Idx(3) => "yellow",
        Color::Idx(6) => "cyan",
        _ => "another colour",
    };
    let words = [colour, if cell.bold() { "bold" } else { "" }, if cell.dim() { "dim" } else { "" }];
    let said: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
    if said.is_empty() { "plain".to_owned() } else { said.join(" ") }
}

/// A row without the time of day.
fn mask(row: &str) -> String {
    let letters: Vec<char> = row.chars().collect();
    let is_time = |at: usize| {
        let digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
        digit(at) && digit(at + 1) && letters.get(at + 2) == Some(&':') && digit(at + 3) && digit(at + 4)
    };
    let mut masked = letters.clone();
    for at in (0..letters.len()).filter(|at| is_time(*at)) {
        masked.splice(at..at + 5, "HH:MM".chars());
    }
    masked.into_iter().collect()
}

impl fmt::Display for Picture {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}", self.rows().join("\n").trim_end())
    }
}
