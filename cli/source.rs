//! Places in a file of the user's, for errors that say where.
//!
//! Owns how a place is written: as compilers do, path:line:column. Text in, text out; opens nothing. What comes out is
//! not made visible yet.

use std::path::Path;

/// A text, and the file that it is in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) path: &'a Path,
    pub(crate) text: &'a str,
}

impl Source<'_> {
    /// Where each line ends, so that many places can be found in a long text.
    pub(crate) fn line_ends(&self) -> Vec<usize> {
        self.text.match_indices('\n').map(|(at, _)| at).collect()
    }

    /// An error at a place in the file, which is given in bytes.
    pub(crate) fn wrong(&self, at: Option<usize>, what: &str) -> String {
        let path = self.path.display();
        let Some(before) = at.and_then(|at| self.text.get(..at)) else {
            return format!("{path}: {what}");
        };
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{path}:{line}:{column}: {what}")
    }

    /// No TOML, or a key that there is not.
    pub(crate) fn unreadable(&self, error: &toml::de::Error) -> String {
        let rows: Vec<_> = error.message().lines().map(str::trim).collect();
        let what = rows.join("; ").replacen("unknown field", "unknown key", 1);
        self.wrong(error.span().map(|span| span.start), &what)
    }
}
