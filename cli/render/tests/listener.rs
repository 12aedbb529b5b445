//! Somebody who listens to a story, for tests: the rows that were told, and the text that is still being written.

use std::time::Duration;

use tokio::time::Instant;

use crate::render::Block;
use crate::render::tale::{Piece, Tale};

/// A story, and the rows that were told so far.
pub(in crate::render) struct Listener<S> {
    pub(in crate::render) story: S,
    pub(in crate::render) now: Instant,
    rows: Vec<String>,
    /// a text that is still being written
    pub(in crate::render) writing: Option<String>,
}

impl<S: Tale> Listener<S> {
    pub(in crate::render) fn of(story: S) -> Self {
        Self { story, now: Instant::now(), rows: Vec::new(), writing: None }
    }

    pub(in crate::render) fn hears(&mut self, line: &str) -> &mut Self {
        let pieces = Tale::hear(&mut self.story, line.as_bytes(), self.now);
        self.take(pieces.unwrap_or_else(|| panic!("{line} is not in its language")));
        self
    }

    pub(in crate::render) fn take(&mut self, pieces: Vec<Piece>) {
        for piece in pieces {
            match piece {
                Piece::Stream(text) => self.writing.get_or_insert_default().push_str(&text),
                Piece::StreamEnds => self.written(),
                Piece::Block(block) => {
                    self.written();
                    self.rows.extend(block.plain());
                }
            }
        }
    }

    fn written(&mut self) {
        let text = self.writing.take();
        self.rows.extend(text.iter().flat_map(|text| text.split('\n')).map(|line| format!("  {line}~")));
    }

    pub(in crate::render) fn passes(&mut self, seconds: f64) -> &mut Self {
        self.now += Duration::from_secs_f64(seconds);
        self
    }

    pub(in crate::render) fn ends(&mut self) -> &mut Self {
        let pieces = self.story.ends(self.now);
        self.take(pieces);
        self.written();
        self
    }

    /// What was told since the last time.
    pub(in crate::render) fn told(&mut self) -> String {
        std::mem::take(&mut self.rows).join("\n")
    }
}

/// Nothing in the block steers a terminal, is wider than the screen, or stands in the gutter with its mark.
pub(in crate::render) fn assert_harmless(block: &Block, columns: usize) {
    let drawn = block.rendered(columns);
    for row in drawn.rows.iter().chain(drawn.folded.iter().flatten()) {
        assert!(row.width() <= columns);
        assert!(!row.text().chars().any(char::is_control), "{:?}", row.text());
        assert!(!row.text().starts_with("MARK"), "{:?}", row.text());
    }
    assert!(block.plain().iter().all(|row| !row.chars().any(char::is_control)));
}
