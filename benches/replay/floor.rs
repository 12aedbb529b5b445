//! The floor: a program that reads a file line by line, as `tim replay` does, and parses each line. It keeps nothing.

use std::fs::File;
use std::hint::black_box;
use std::io::Read as _;

use bytes::BytesMut;
use codec::frame::{Frame, Lines, Tail};
use tokio_util::codec::Decoder as _;

/// By this word the bench is the floor.
pub(crate) const NAME: &str = "--be-the-floor";

const CHUNK: usize = 64 << 10;
const LONGEST: usize = 192 << 20;

pub(crate) fn read(file: &str) {
    let mut lines = Lines::new(LONGEST, Tail::Deliver);
    let (mut input, mut chunk, mut buffer) = (File::open(file).unwrap(), vec![0; CHUNK], BytesMut::new());
    let mut count = 0_u64;
    loop {
        let read = input.read(&mut chunk).unwrap();
        if read == 0 {
            break println!("{count}");
        }
        buffer.extend_from_slice(&chunk[..read]);
        while let Some(frame) = lines.decode(&mut buffer).unwrap() {
            let Frame::Line(line) = &frame else { unreachable!("no line is that long") };
            black_box(serde_json::from_slice::<serde_json::Value>(line).unwrap());
            count += 1;
        }
    }
}
