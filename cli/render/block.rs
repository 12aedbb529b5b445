//! Something that is final: rows whose screen is not known yet.
//!
//! Owns nothing but a page; it is laid out for a screen, or printed whole, by whoever has one.

use super::page::Page;
use super::prose::Prose;
use super::{Badge, Kind, Rendered, layout};
use crate::term::style::{Row, Style};

/// Rows that belong together.
#[derive(Debug)]
pub(crate) struct Block {
    page: Page,
}

impl Block {
    /// Something that somebody printed.
    pub(crate) fn output(text: &str) -> Self {
        Page::of(Kind::Output).text(Prose::at(2, Style::DIM, text)).into()
    }

    /// What it is.
    pub(crate) const fn kind(&self) -> Kind {
        self.page.kind
    }

    /// Its rows on a screen of so many columns.
    pub(crate) fn rendered(&self, columns: usize) -> Rendered {
        layout::rendered(&self.page, columns)
    }

    /// The same behind the name of whose words they are.
    pub(crate) fn behind(&self, badge: &Badge, columns: usize) -> Rendered {
        layout::behind(badge, &self.page, columns)
    }

    /// Its rows on a terminal where they are only printed: nobody can ask for more of them.
    pub(crate) fn printed(&self, badge: Option<&Badge>, columns: usize) -> Vec<Row> {
        layout::printed(badge, &self.page, columns)
    }

    /// Its rows where there is no screen: nothing is wrapped or cut, but of long outputs the middle is left out.
    pub(crate) fn plain(&self) -> Vec<String> {
        self.page.brief()
    }
}

impl From<Page> for Block {
    fn from(page: Page) -> Self {
        Self { page }
    }
}
