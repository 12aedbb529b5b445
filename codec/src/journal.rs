//! The journal: one JSON object a line, either a line of some wire or an event of the router.
//!
//! Lines are kept as text, or as base64 where they are no UTF-8, and every character that a terminal could
//! stumble over is escaped: `cat` of a journal is safe.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::id::{Key, Path, RequestId};
use crate::json::{
    IntoOwned, Json, Object, ObjectWriter, Record, Text, Written, Wrong, escape_into, record, tagged, words,
};
use crate::outcome::Outcome;
use crate::reject::{Reject, split};
use crate::text::escape_hidden;
use crate::tunnel::{AnswerSource, QuestionKind, Role};

/// The version of the format that this program writes.
pub const VERSION: u64 = 1;

words! {
    /// Which way a line went, seen from tim.
    Direction {
        To = "to",
        From = "from",
    }
}

words! {
    /// How an agent is steered.
    Steering {
        /// the turn ends
        Interrupt = "interrupt",
        /// a line that waits is taken back
        TakeBack = "take_back",
        /// the agent ends, and with it all that it started
        End = "end",
    }
}

words! {
    /// For whom something is asked whose rules and grants are those of this run.
    Behalf {
        /// an agent of the run
        Agent = "agent",
        /// a Claude Code that somebody else started, through its bridge
        Guest = "guest",
    }
}

record! {
    /// A line of a wire.
    struct WireLine {
        /// `claude:main`, `tunnel:3`, `up`, `mcp:1`
        wire: Text<'a> = "wire",
        dir: Direction = "dir",
    }
    optional {
        line: Text<'a> = "line",
        b64: Text<'a> = "b64",
        /// the line was over its limit: it had so many bytes, and only its beginning is here
        length: u64 = "length",
    }

    /// The first record: what a replay needs to know.
    struct Run {
        /// the version of the format
        v: u64 = "v",
        id: Text<'a> = "id",
        /// all ids of the run come from it
        seed: Text<'a> = "seed",
    }
    optional {
        started: Text<'a> = "started",
        /// the program that wrote it; a recording of another program's wires has none
        writer: Text<'a> = "writer",
        rules: Object<'a> = "rules",
        limits: OpenLimits<'a> = "limits",
        /// what the run is called, if a parent gave it a name: the paths of its askers begin with it
        path: Path = "path",
        /// what the run is to its askers
        role: Role = "role",
        /// how long a permission of our own agent may wait
        permission_timeout_ms: u64 = "permissionTimeoutMs",
        /// what somebody saw and nobody answered in that time was allowed
        allow_on_timeout: bool = "allowOnTimeout",
        /// how long a question of our own agent may wait
        question_timeout_ms: u64 = "questionTimeoutMs",
        /// our own agent asked through a bridge
        bridged: bool = "bridged",
        /// how the run was started, without the values of secret variables
        argv: Vec<Text<'a>> = "argv",
    }

    /// How many questions may be open.
    struct OpenLimits {
        /// of one asker
        each: u64 = "each",
        /// of all together
        all: u64 = "all",
    }
    optional {
        /// how many bytes they may hold, of one asker
        bytes_each: u64 = "bytesEach",
        /// of all together
        bytes_all: u64 = "bytesAll",
    }

    /// An asker or a desk came.
    struct Attach {
        wire: Text<'a> = "wire",
    }
    optional {
        path: Text<'a> = "path",
        pid: u64 = "pid",
        /// of a desk: whether somebody is there. One that does not count may only answer what others hold
        counts: bool = "counts",
        /// the agent that started it
        below: Path = "below",
    }

    /// An asker or a desk left.
    struct Detach {
        wire: Text<'a> = "wire",
    }
    optional {
        reason: Text<'a> = "reason",
    }

    /// A question was accepted.
    struct Ask {
        key: Key = "key",
        kind: QuestionKind = "kind",
    }
    optional {
        wire: Text<'a> = "wire",
        path: Text<'a> = "path",
        request_id: RequestId = "requestId",
        config: Json<'a> = "config",
        tool: Json<'a> = "tool",
        deadline_ms: u64 = "deadlineMs",
        /// nobody's if whoever asks keeps rules and grants of its own, or has none
        behalf: Behalf = "for",
    }

    /// A question went to a desk.
    struct Offer {
        key: Key = "key",
        desk: Text<'a> = "desk",
    }

    /// A desk shows a question.
    struct Shown {
        key: Key = "key",
        desk: Text<'a> = "desk",
    }

    /// A desk answered, or said how else the question ended there.
    struct Answer {
        key: Key = "key",
        desk: Text<'a> = "desk",
    }
    optional {
        value: Json<'a> = "value",
        /// `declined`, `timed_out`, `disconnected`: instead of a value
        outcome: Outcome = "outcome",
        /// how long it was until it timed out there
        after_ms: u64 = "afterMs",
    }

    /// A desk cannot answer.
    struct GiveBack {
        key: Key = "key",
        desk: Text<'a> = "desk",
    }
    optional {
        reason: Text<'a> = "reason",
        /// the same in one word, if it was refused there
        word: Text<'a> = "word",
    }

    /// A question ended.
    struct Ended {
        key: Key = "key",
        outcome: Outcome = "outcome",
    }
    optional {
        source: AnswerSource = "source",
        value: Json<'a> = "value",
        reason: Text<'a> = "reason",
        /// who asked, where no `ask` went before it: what was refused at the door
        wire: Text<'a> = "wire",
        request_id: RequestId = "requestId",
    }

    /// An answer to a question that had ended, or never was.
    struct Late {
        key: Key = "key",
        desk: Text<'a> = "desk",
    }

    /// A deadline passed.
    struct Timer {
        key: Key = "key",
    }

    /// A person typed a line.
    struct Typed {
        text: Text<'a> = "text",
    }
    optional {
        to: Text<'a> = "to",
        /// the name under which receipts for it are wanted
        input_id: Text<'a> = "inputId",
        /// what goes with the text, as an agent is told it
        images: Json<'a> = "images",
        /// it is what the run was started with
        prompt: bool = "prompt",
    }

    /// A person steers an agent without words.
    struct Steer {
        wire: Text<'a> = "wire",
        what: Steering = "what",
    }
    optional {
        /// which typed line is meant
        input_id: Text<'a> = "inputId",
    }

    /// A signal came.
    struct Signal {
        name: Text<'a> = "name",
    }

    /// A process was started.
    struct Spawn {
        wire: Text<'a> = "wire",
    }
    optional {
        /// as it was given to the program, without the values of secret variables
        argv: Vec<Text<'a>> = "argv",
        pid: u64 = "pid",
    }

    /// A process ended.
    struct Exit {
        wire: Text<'a> = "wire",
    }
    optional {
        code: u64 = "code",
        signal: u64 = "signal",
    }

    /// Records were lost.
    struct Gap {
        lost: u64 = "lost",
    }

    /// The run is over, and this is what it exits with. A run that was killed has none.
    struct Over {
        code: u64 = "code",
    }
}

tagged! {
    /// Something that happened in the router.
    enum Event by "rec" {
        Run(Run) = "run",
        Attach(Attach) = "attach",
        Detach(Detach) = "detach",
        Ask(Ask) = "ask",
        Offer(Offer) = "offer",
        Shown(Shown) = "shown",
        Answer(Answer) = "answer",
        GiveBack(GiveBack) = "giveback",
        Ended(Ended) = "outcome",
        Late(Late) = "late",
        Timer(Timer) = "timer",
        Typed(Typed) = "typed",
        Steer(Steer) = "steer",
        Signal(Signal) = "signal",
        Spawn(Spawn) = "spawn",
        Exit(Exit) = "exit",
        Gap(Gap) = "gap",
        Over(Over) = "end",
    }
}

/// One line of a journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<'a> {
    /// its number, without gaps
    pub seq: u64,
    /// milliseconds since the run began
    pub t: u64,
    /// what it tells
    pub body: Body<'a>,
}

/// What an entry tells.
#[derive(Debug, Clone, PartialEq)]
pub enum Body<'a> {
    /// a line of a wire
    Line(WireLine<'a>),
    /// an event
    Event(Event<'a>),
}

impl<'a> Entry<'a> {
    /// Reads one line. A torn last line is an error like any other; readers tolerate it at the end.
    pub fn read(line: &'a [u8]) -> Result<Self, Reject> {
        let mut object = split(line)?;
        let seq = crate::json::required(&mut object, "seq")?;
        let t = crate::json::required(&mut object, "t")?;
        let body = match object.peek("rec") {
            Some(_) => Body::Event(Event::from_object(object)),
            None => Body::Line(WireLine::from_object(object)?),
        };
        Ok(Self { seq, t, body })
    }

    /// The entry as a line, without its line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mut line = String::with_capacity(512);
        self.write_line(&mut line);
        line
    }

    /// Writes the line into a buffer, instead of what was in it.
    pub fn write_line(&self, line: &mut String) {
        line.clear();
        ObjectWriter::object(line, |out| {
            out.member("seq", |text| self.seq.write(text));
            out.member("t", |text| self.t.write(text));
            match &self.body {
                Body::Line(record) => record.members(out),
                Body::Event(event) => event.members(out),
            }
        });
        if let Some(escaped) = escape_hidden(line) {
            *line = escaped;
        }
    }
}

impl WireLine<'static> {
    /// A line as it went over a wire, text or not.
    #[must_use]
    pub fn new(wire: &str, dir: Direction, bytes: &[u8]) -> Self {
        let (line, b64) = match std::str::from_utf8(bytes) {
            Ok(text) => (Some(Text::new(text)), None),
            Err(_) => (None, Some(Text::new(&STANDARD.encode(bytes)))),
        };
        Self { line, b64, ..Self::of(Text::new(wire), dir) }
    }
}

/// Writes the record of a line into a buffer, instead of what was in it: the same as an [`Entry`] of a [`WireLine`], for
/// those who write many. `length` is given if only the beginning of the line is left.
pub fn write_wire_line(
    out: &mut String,
    (seq, t): (u64, u64),
    (wire, dir): (&str, Direction),
    bytes: &[u8],
    length: Option<u64>,
) {
    let Ok(line) = simdutf8::basic::from_utf8(bytes) else {
        let record = WireLine { length, ..WireLine::new(wire, dir, bytes) };
        return Entry { seq, t, body: Body::Line(record) }.write_line(out);
    };
    // Member by member, as `Entry` writes them: there is one of these for each line of each wire.
    out.clear();
    out.push_str("{\"seq\":");
    seq.write(out);
    out.push_str(",\"t\":");
    t.write(out);
    out.push_str(",\"wire\":");
    escape_into(out, wire);
    out.push_str(if dir == Direction::To {
        ",\"dir\":\"to\",\"line\":"
    } else {
        ",\"dir\":\"from\",\"line\":"
    });
    escape_into(out, line);
    if let Some(length) = length {
        out.push_str(",\"length\":");
        length.write(out);
    }
    out.push('}');
    if let Some(escaped) = escape_hidden(out) {
        *out = escaped;
    }
}

impl WireLine<'_> {
    /// The bytes that went over the wire.
    pub fn bytes(&self) -> Result<Vec<u8>, Wrong> {
        match (&self.line, &self.b64) {
            (Some(line), None) => Ok(line.get().into_owned().into_bytes()),
            (None, Some(b64)) => {
                let decoded = STANDARD.decode(b64.get().as_bytes());
                decoded.map_err(|_| Wrong::new("b64", crate::json::Fault::NotA { expected: "base64" }))
            }
            _ => Err(Wrong::new("line", crate::json::Fault::Missing)),
        }
    }
}

impl IntoOwned for Entry<'_> {
    type Owned = Entry<'static>;

    fn into_owned(self) -> Entry<'static> {
        let body = match self.body {
            Body::Line(record) => Body::Line(record.into_owned()),
            Body::Event(event) => Body::Event(event.into_owned()),
        };
        Entry { seq: self.seq, t: self.t, body }
    }
}
