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
    /// The line that a byte stands in, the first one is 1.
    pub(crate) fn line(&self, at: usize) -> usize {
        self.text.get(..at).unwrap_or_default().matches('\n').count() + 1
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
