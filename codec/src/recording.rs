//! Raw recordings of a program's pipes, made beside the program: `{t, dir, line}`, one JSON object a line.

use crate::json::{Num, Record as _, Text, record, words};
use crate::reject::{Reject, split};

words! {
    /// Which way a recorded line went, seen from the program.
    Direction {
        In = "in",
        Out = "out",
        Err = "err",
        /// a note of the recorder
        Meta = "meta",
        McpIn = "mcp_in",
        McpOut = "mcp_out",
        McpSignal = "mcp_signal",
    }
}

record! {
    /// One line of a recording.
    struct Recorded {
        /// seconds since the program was started
        t: Num<'a> = "t",
        dir: Direction = "dir",
        line: Text<'a> = "line",
    }
}

impl<'a> Recorded<'a> {
    /// Reads one line of a recording.
    pub fn read(line: &'a [u8]) -> Result<Self, Reject> {
        Ok(Self::from_object(split(line)?)?)
    }
}
