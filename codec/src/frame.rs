//! Lines of bytes: where one ends, and what to do with one that is too long or torn.
//!
//! Owns the border between a stream and its lines. Splits on `\n` alone and never looks at characters, so a
//! character that two reads share stays whole. Bad input is an item, never an `Err`: an error would end the
//! stream. A line is a slice of the read buffer, not a copy.

use bytes::{Buf, BufMut, Bytes, BytesMut};
use std::io;
use tokio_util::codec::{Decoder, Encoder};

/// How much of a line that is too long is kept, so that the id of a question in it can still be found.
pub const HEAD: usize = 64 << 10;

/// What the stream held between two line ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// a line without its line end; never blank
    Line(Bytes),
    /// a line over the limit, of which only the beginning was kept
    Oversized(Oversized),
    /// the stream ended inside a line, which was dropped
    Torn {
        /// its bytes, until the stream ended
        length: usize,
    },
}

/// The remains of a line over the limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Oversized {
    /// the first bytes of it, [`HEAD`] at the most
    pub head: Bytes,
    /// all bytes of it
    pub length: usize,
}

/// What happens to a last line that has no line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// it is a line: agents and journals
    Deliver,
    /// it is not: on the tunnel a peer that left in mid-line did not say it
    Drop,
}

/// Splits a stream into lines and puts lines onto a stream.
#[derive(Debug)]
pub struct Lines {
    limit: usize,
    tail: Tail,
    /// how much of the buffer is known to hold no line end
    scanned: usize,
    /// set while the rest of a line over the limit goes by
    passing: Option<Oversized>,
}

impl Lines {
    /// Lines of at most `limit` bytes.
    #[must_use]
    pub const fn new(limit: usize, tail: Tail) -> Self {
        Self { limit, tail, scanned: 0, passing: None }
    }

    /// One line, blank or not, or nothing as long as its end has not come.
    fn next_frame(&mut self, src: &mut BytesMut) -> Option<Frame> {
        let Some(end) = src.get(self.scanned..).and_then(|rest| memchr::memchr(b'\n', rest)) else {
            self.set_aside(src);
            return None;
        };
        let end = std::mem::take(&mut self.scanned) + end;
        if let Some(mut passed) = self.passing.take() {
            passed.length += end;
            src.advance(end + 1);
            return Some(Frame::Oversized(passed));
        }
        if is_over(src.get(..end).unwrap_or_default(), self.limit) {
            let head = head_of(src, end);
            src.advance(end + 1);
            return Some(Frame::Oversized(Oversized { head, length: end }));
        }
        let mut line = src.split_to(end + 1);
        line.truncate(end);
        Some(Frame::Line(without_return(line)))
    }

    /// Remembers what was searched, or lets go of it if it is part of a line over the limit.
    fn set_aside(&mut self, src: &mut BytesMut) {
        let length = src.len();
        match &mut self.passing {
            Some(passed) => passed.length += length,
            None if is_over(src, self.limit) => {
                self.passing = Some(Oversized { head: head_of(src, length), length });
            }
            None => {
                self.scanned = length;
                return;
            }
        }
        self.scanned = 0;
        // A fresh buffer, so that one long line does not hold its memory for the rest of the connection.
        *src = BytesMut::new();
    }

    fn last_frame(&mut self, src: &mut BytesMut) -> Option<Frame> {
        self.scanned = 0;
        let rest = without_return(src.split());
        match (self.passing.take(), self.tail) {
            (Some(passed), Tail::Deliver) => Some(Frame::Oversized(passed)),
            (Some(passed), Tail::Drop) => Some(Frame::Torn { length: passed.length }),
            (None, _) if is_blank(&rest) => None,
            (None, Tail::Deliver) => Some(Frame::Line(rest)),
            (None, Tail::Drop) => Some(Frame::Torn { length: rest.len() }),
        }
    }
}

/// Whether a line is over the limit; the `\r` of its line end does not count.
fn is_over(line: &[u8], limit: usize) -> bool {
    line.len() - usize::from(line.last() == Some(&b'\r')) > limit
}

fn head_of(src: &[u8], length: usize) -> Bytes {
    Bytes::copy_from_slice(src.get(..length.min(HEAD)).unwrap_or(src))
}

/// Takes off the `\r` of a line end from elsewhere. Other blanks stay: in text that is no JSON they matter.
fn without_return(mut line: BytesMut) -> Bytes {
    if line.last() == Some(&b'\r') {
        line.truncate(line.len() - 1);
    }
    line.freeze()
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

impl Decoder for Lines {
    type Item = Frame;
    type Error = io::Error;

    fn decode(&mut self, src: &mut BytesMut) -> io::Result<Option<Frame>> {
        loop {
            match self.next_frame(src) {
                Some(Frame::Line(line)) if is_blank(&line) => {}
                found => return Ok(found),
            }
        }
    }

    fn decode_eof(&mut self, src: &mut BytesMut) -> io::Result<Option<Frame>> {
        match self.decode(src)? {
            Some(frame) => Ok(Some(frame)),
            None => Ok(self.last_frame(src)),
        }
    }
}

/// A line that holds a line end would become two lines for the reader: that is the writer's mistake.
impl Encoder<&[u8]> for Lines {
    type Error = io::Error;

    fn encode(&mut self, line: &[u8], out: &mut BytesMut) -> io::Result<()> {
        if memchr::memchr(b'\n', line).is_some() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a line end inside a line"));
        }
        out.reserve(line.len() + 1);
        out.put_slice(line);
        out.put_u8(b'\n');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read_in_pieces<'p>(
        pieces: impl IntoIterator<Item = &'p [u8]>,
        limit: usize,
        tail: Tail,
    ) -> Vec<Frame> {
        let (mut lines, mut buffer, mut frames) = (Lines::new(limit, tail), BytesMut::new(), Vec::new());
        for piece in pieces {
            buffer.extend_from_slice(piece);
            while let Some(frame) = lines.decode(&mut buffer).unwrap() {
                frames.push(frame);
            }
        }
        while let Some(frame) = lines.decode_eof(&mut buffer).unwrap() {
            frames.push(frame);
        }
        frames
    }

    fn line(text: &str) -> Frame {
        Frame::Line(Bytes::copy_from_slice(text.as_bytes()))
    }

    fn oversized(head: &str, length: usize) -> Frame {
        Frame::Oversized(Oversized { head: Bytes::copy_from_slice(head.as_bytes()), length })
    }

    /// Blank lines, CR, a split emoji, lines at the limit of 12 and over it, and a tail.
    const HOSTILE: &[u8] =
        "{\"a\":\"\u{1f600}\"}\n\r\n \t \n123456789012\nover the limit of 12\r\nab\r\n\n0123456789abc\ntail"
            .as_bytes();

    fn hostile_frames(last: Frame) -> Vec<Frame> {
        vec![
            line("{\"a\":\"\u{1f600}\"}"),
            line("123456789012"),
            oversized("over the limit of 12\r", 21),
            line("ab"),
            oversized("0123456789abc", 13),
            last,
        ]
    }

    #[test]
    fn lines_are_the_same_at_every_pair_of_split_points() {
        for first in 0..=HOSTILE.len() {
            for second in first..=HOSTILE.len() {
                let pieces = [&HOSTILE[..first], &HOSTILE[first..second], &HOSTILE[second..]];
                assert_eq!(
                    shortened(read_in_pieces(pieces, 12, Tail::Deliver)),
                    shortened(hostile_frames(line("tail"))),
                    "split at {first} and {second}"
                );
            }
        }
    }

    /// Where a long line is noticed decides how much of it is kept: only that the head is its beginning counts.
    fn shortened(frames: Vec<Frame>) -> Vec<Frame> {
        let shorten = |frame| match frame {
            Frame::Oversized(Oversized { head, length }) => {
                assert!(head.len() > 12, "the head is kept");
                Frame::Oversized(Oversized { head: head.slice(..13), length })
            }
            other => other,
        };
        frames.into_iter().map(shorten).collect()
    }

    #[test]
    fn a_tail_without_line_end_is_delivered_or_dropped_as_the_caller_chose() {
        assert_eq!(read_in_pieces([&b"a\nb"[..]], 9, Tail::Deliver), [line("a"), line("b")]);
        assert_eq!(read_in_pieces([&b"a\nb"[..]], 9, Tail::Drop), [line("a"), Frame::Torn { length: 1 }]);
        assert_eq!(read_in_pieces([&b"a\n \r"[..]], 9, Tail::Drop), [line("a")]);
        assert_eq!(read_in_pieces([&b"0123456789"[..]], 9, Tail::Drop), [Frame::Torn { length: 10 }]);
        assert_eq!(read_in_pieces([&b"0123456789"[..]], 9, Tail::Deliver), [oversized("0123456789", 10)]);
    }

    #[test]
    fn the_return_of_a_line_end_does_not_count_towards_the_limit() {
        for pieces in [vec![&b"abcd\r\n"[..]], vec![&b"abcd\r"[..], &b"\n"[..]], vec![&b"abcd\r"[..]]] {
            assert_eq!(read_in_pieces(pieces, 4, Tail::Deliver), [line("abcd")]);
        }
        assert_eq!(
            read_in_pieces([&b"abcd\r"[..], &b"e\n"[..]], 4, Tail::Deliver),
            [oversized("abcd\re", 6)]
        );
    }

    #[test]
    fn a_line_over_the_limit_keeps_its_head_and_no_memory() {
        let mut lines = Lines::new(1 << 20, Tail::Drop);
        let mut buffer = BytesMut::new();
        for _ in 0..256 {
            buffer.extend_from_slice(&[b'x'; 1 << 16]);
            assert_eq!(lines.decode(&mut buffer).unwrap(), None);
            assert!(buffer.capacity() <= 4 << 20, "the buffer grew to {}", buffer.capacity());
        }
        buffer.extend_from_slice(b"\nnext\n");
        let Some(Frame::Oversized(passed)) = lines.decode(&mut buffer).unwrap() else {
            panic!("not oversized")
        };
        assert_eq!((passed.head.len(), passed.length), (HEAD, 256 << 16));
        assert_eq!(lines.decode(&mut buffer).unwrap(), Some(line("next")));
    }

    #[test]
    fn a_line_is_not_copied() {
        let mut buffer = BytesMut::from(&b"{\"type\":\"log\",\"args\":[]}\r\nrest"[..]);
        let start = buffer.as_ptr();
        let Some(Frame::Line(line)) = Lines::new(99, Tail::Drop).decode(&mut buffer).unwrap() else {
            panic!()
        };
        assert_eq!(line.as_ptr(), start);
    }

    #[test]
    fn a_line_end_inside_a_line_is_not_written() {
        let mut out = BytesMut::new();
        let mut lines = Lines::new(99, Tail::Drop);
        lines.encode(&b"{}"[..], &mut out).unwrap();
        assert!(lines.encode(&b"{}\n{}"[..], &mut out).is_err());
        assert_eq!(&out[..], b"{}\n");
    }

    proptest! {
        #[test]
        fn any_bytes_give_the_same_lines_however_they_are_split(
            bytes in proptest::collection::vec(prop_oneof![4 => any::<u8>(), 1 => Just(b'\n'), 1 => Just(b'\r')], 0..200),
            cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..6),
        ) {
            let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            at.extend([0, bytes.len()]);
            at.sort_unstable();
            let pieces = at.windows(2).map(|pair| &bytes[pair[0]..pair[1]]);
            let limit = 200;
            prop_assert_eq!(read_in_pieces(pieces, limit, Tail::Deliver), naive_lines(&bytes));
        }
    }

    /// The definition, written down without care for speed.
    fn naive_lines(bytes: &[u8]) -> Vec<Frame> {
        let lines = bytes.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let said = lines.filter(|line| !line.iter().all(|byte| b" \t\r".contains(byte)));
        said.map(|line| Frame::Line(Bytes::copy_from_slice(line))).collect()
    }
}
