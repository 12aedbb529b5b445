//! The file of a replay, line by line.
//!
//! Owns how it is read and how long a line may be; knows nothing of what stands in it. Ends with the file, or with whatever
//! stopped whoever takes the lines.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, IsTerminal as _, Read, Write};
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

use actors::system;
use bytes::BytesMut;
use codec::frame::{Frame, Lines, Tail};
use codec::limits::Limits;
use tokio_util::codec::Decoder as _;

use crate::exit::{self, Code};

/// Why it ended early.
pub(crate) enum Stopped {
    /// the file
    Input(String),
    /// our own output
    Output(io::Error),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Stopped::Output(error)
    }
}

impl Stopped {
    /// In words.
    pub(crate) fn why(self) -> String {
        match self {
            Stopped::Input(why) => why,
            Stopped::Output(error) => error.to_string(),
        }
    }

    /// The file is not what it should be.
    pub(crate) fn unreadable(path: &Path, error: impl Display) -> Self {
        Stopped::Input(format!("{}: {error}", path.to_string_lossy()))
    }

    /// Says it, behind what was told before.
    pub(crate) fn said_after(self, out: &mut impl Write) -> Code {
        match self {
            Stopped::Input(why) => match out.flush() {
                Ok(()) => crate::complain(&why, exit::USAGE),
                Err(error) => crate::output_failed(&error),
            },
            Stopped::Output(error) => crate::output_failed(&error),
        }
    }
}

/// What comes out of a file.
pub(crate) enum Part {
    /// a line
    Next(Frame),
    /// a last one without its line end
    Last(Frame),
    /// no more for the moment
    Pause,
}

/// Opens a file; `-` is stdin.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Read>, Stopped> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let opened = File::open(path).and_then(|file| refuse_endless(&file).map(|()| file));
    Ok(Box::new(opened.map_err(|error| cannot_read(path, &error))?))
}

/// A device may have no end; somebody who types has one.
fn refuse_endless(file: &File) -> io::Result<()> {
    let is_device = file.metadata()?.file_type().is_char_device();
    match is_device && !file.is_terminal() {
        true => Err(io::Error::other("it is a device")),
        false => Ok(()),
    }
}

fn cannot_read(path: &Path, error: &io::Error) -> Stopped {
    Stopped::Input(system::unreadable(path.display(), error))
}

/// Reads it to its end, line by line.
pub(crate) fn read(
    path: &Path,
    mut input: impl Read,
    mut take: impl FnMut(Part) -> Result<(), Stopped>,
) -> Result<(), Stopped> {
    let cannot_read = |error: io::Error| cannot_read(path, &error);
    let mut lines = Lines::new(longest_line(), Tail::Deliver);
    let (mut buffer, mut chunk) = (BytesMut::new(), vec![0; 64 << 10]);
    loop {
        let read = input.read(&mut chunk).map_err(cannot_read)?;
        buffer.extend_from_slice(chunk.get(..read).unwrap_or_default());
        while let Some(frame) = lines.decode(&mut buffer).map_err(cannot_read)? {
            take(Part::Next(frame))?;
        }
        take(Part::Pause)?;
        if read == 0 {
            break;
        }
    }
    match lines.decode_eof(&mut buffer).map_err(cannot_read)? {
        Some(frame) => take(Part::Last(frame)),
        None => Ok(()),
    }
}

/// A journal line holds a line of a wire, in the worst case with each byte escaped in six.
const fn longest_line() -> usize {
    6 * Limits::STANDARD.agent_line + (64 << 10)
}
