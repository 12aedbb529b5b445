//! Lines do not depend on how the bytes came in, and no line is over the limit.
#![no_main]

use bytes::BytesMut;
use codec::frame::{Frame, Lines, Oversized, Tail};
use libfuzzer_sys::fuzz_target;
use tokio_util::codec::Decoder;

const LIMIT: usize = 40;

fuzz_target!(|input: (Vec<u8>, Vec<u8>, bool)| {
    let (bytes, cuts, deliver) = input;
    let tail = if deliver { Tail::Deliver } else { Tail::Drop };
    let whole = read(std::iter::once(&bytes[..]), tail);
    let mut pieces = Vec::new();
    let mut rest = &bytes[..];
    for cut in cuts {
        let (piece, after) = rest.split_at(usize::from(cut).min(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    assert_eq!(read(pieces.into_iter(), tail), whole);
});

fn read<'p>(pieces: impl Iterator<Item = &'p [u8]>, tail: Tail) -> Vec<Frame> {
    let (mut lines, mut buffer, mut frames) = (Lines::new(LIMIT, tail), BytesMut::new(), Vec::new());
    for piece in pieces {
        buffer.extend_from_slice(piece);
        while let Some(frame) = lines.decode(&mut buffer).unwrap() {
            frames.push(checked(frame));
        }
    }
    while let Some(frame) = lines.decode_eof(&mut buffer).unwrap() {
        frames.push(checked(frame));
    }
    frames
}

fn checked(frame: Frame) -> Frame {
    match frame {
        Frame::Line(line) => {
            assert!(line.len() <= LIMIT && !line.contains(&b'\n') && !line.is_empty());
            Frame::Line(line)
        }
        // How much of the head is kept depends on when the length was noticed.
        Frame::Oversized(Oversized { head, length }) => {
            assert!(head.len() > LIMIT && length >= head.len());
            Frame::Oversized(Oversized { head: head.slice(..=LIMIT), length })
        }
        torn => torn,
    }
}
