//! The last words of an agent: the end of what it wrote to stderr. Bounded.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// So many bytes are kept.
const KEPT: usize = 64 << 10;

/// The end of a text.
#[derive(Debug, Default)]
pub(crate) struct Tail(VecDeque<u8>);

impl Tail {
    /// Reads to the end, and keeps the end.
    pub(crate) async fn read(tail: &Rc<RefCell<Self>>, mut from: impl AsyncRead + Unpin) {
        let mut bytes = vec![0; 4096];
        // What cannot be read is over.
        while let Ok(count @ 1..) = from.read(&mut bytes).await {
            tail.borrow_mut().push(bytes.get(..count).unwrap_or_default());
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
        let over = self.0.len().saturating_sub(KEPT);
        self.0.drain(..over);
    }

    /// As text.
    pub(crate) fn text(&self) -> String {
        let (front, back) = self.0.as_slices();
        String::from_utf8_lossy(&[front, back].concat()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_end_is_kept_however_much_there_was() {
        let text = "x".repeat(KEPT * 3) + "the end";
        let tail = Rc::new(RefCell::new(Tail::default()));
        Tail::read(&tail, text.as_bytes()).await;
        let kept = tail.borrow().text();
        assert!(kept.ends_with("the end") && kept.len() == KEPT, "{}", kept.len());
    }
}
