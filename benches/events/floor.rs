//! The floors: programs that read what an agent prints, split it into lines, and know what each line says. Nothing else:
//! nobody is told, nothing is kept.
//!
//! One reads by `serde_json`, borrowed, into a flat struct and from that into an enum: an enum that is tagged would read each
//! line twice. The other reads by the codec of tim.

use std::borrow::Cow;
use std::hint::black_box;
use std::io::Read as _;
use std::path::Path;
use std::process::{ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use bytes::BytesMut;
use codec::frame::{Frame, Lines, Tail};
use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio_util::codec::Decoder as _;

/// How much one read takes: as much as one of tim.
const CHUNK: usize = 64 << 10;
/// The longest line that an agent of tim may print.
const LONGEST: usize = 32 << 20;

/// By which of them the lines are read.
#[derive(Clone, Copy)]
pub(crate) enum Reader {
    Serde,
    Codec,
}

/// How long it takes to read what `cat` prints, from its start to its end, and how many lines there are.
pub(crate) fn run(reader: Reader, file: &Path) -> (Duration, usize) {
    let began = Instant::now();
    let mut cat = Command::new("cat").arg(file).stdout(Stdio::piped()).spawn().unwrap();
    let stdout = cat.stdout.take().unwrap();
    let count = match reader {
        Reader::Serde => by_serde(stdout),
        Reader::Codec => by_codec(stdout),
    };
    assert!(cat.wait().unwrap().success());
    (began.elapsed(), count)
}

fn by_serde(mut stdout: ChildStdout) -> usize {
    let (mut chunk, mut buffer, mut count) = (vec![0; CHUNK], Vec::new(), 0);
    loop {
        let read = stdout.read(&mut chunk).unwrap();
        if read == 0 {
            assert!(buffer.is_empty(), "the last line has its end");
            return count;
        }
        buffer.extend_from_slice(&chunk[..read]);
        let mut begin = 0;
        for end in memchr::memchr_iter(b'\n', &buffer) {
            black_box(Event::read(&buffer[begin..end]).unwrap());
            count += 1;
            begin = end + 1;
        }
        buffer.drain(..begin);
    }
}

fn by_codec(mut stdout: ChildStdout) -> usize {
    let mut lines = Lines::new(LONGEST, Tail::Deliver);
    let (mut chunk, mut buffer, mut count) = (vec![0; CHUNK], BytesMut::new(), 0);
    loop {
        let read = stdout.read(&mut chunk).unwrap();
        if read == 0 {
            assert!(buffer.is_empty(), "the last line has its end");
            return count;
        }
        buffer.extend_from_slice(&chunk[..read]);
        while let Some(frame) = lines.decode(&mut buffer).unwrap() {
            let Frame::Line(line) = &frame else { unreachable!("no line is that long") };
            black_box(codec::events::Event::read(line).unwrap());
            count += 1;
        }
    }
}

/// A text inside something else: only so does serde borrow it.
#[derive(Deserialize)]
#[expect(dead_code, reason = "read for what reading it costs")]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The members of all events.
#[derive(Deserialize)]
struct Members<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    text: Option<Text<'a>>,
    #[serde(borrow)]
    id: Option<Text<'a>>,
    #[serde(borrow)]
    name: Option<Text<'a>>,
    input: Option<IgnoredAny>,
    output: Option<IgnoredAny>,
    is_error: Option<bool>,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    ok: Option<bool>,
}

#[expect(dead_code, reason = "read for what reading them costs")]
enum Event<'a> {
    Text(Text<'a>),
    ToolStart { id: Option<Text<'a>>, name: Text<'a>, input: Option<IgnoredAny> },
    ToolResult { id: Option<Text<'a>>, output: Option<IgnoredAny>, is_error: Option<bool> },
    Usage { input: Option<u64>, output: Option<u64> },
    Done(Option<bool>),
}

impl<'a> Event<'a> {
    fn read(line: &'a [u8]) -> Option<Self> {
        let all: Members<'a> = serde_json::from_slice(line).ok()?;
        Some(match &*all.kind {
            "text_delta" => Event::Text(all.text?),
            "tool_use_start" => Event::ToolStart { id: all.id, name: all.name?, input: all.input },
            "tool_result" => Event::ToolResult { id: all.id, output: all.output, is_error: all.is_error },
            "usage" => Event::Usage { input: all.input_tokens, output: all.output_tokens },
            "done" => Event::Done(all.ok),
            _ => return None,
        })
    }
}
