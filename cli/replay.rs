//! `tim replay`: a recorded run again.
//!
//! Reads one file and writes to stdout, and touches nothing else. The router of the replay is in `actors`; what its run looked
//! like to the person is told by `retold`. Ends with the file.

pub(crate) mod file;
mod narrator;
#[cfg(test)]
mod tests;
mod turns;
mod wires;

use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::time::Duration;

use actors::replay::{Happening, Lines, NotReplayable, Replay, Told, Wanted};
use codec::frame::{Frame, Oversized};
use codec::json::{Json, Written as _};

use crate::args::{OutputFormat, ReplayArgs, Speed};
use crate::environment::Environment;
use crate::exit::{self, Code};
use crate::retold::Look;
use crate::runs;
use crate::tally::Tally;
use file::{Part, Stopped};
use narrator::Narrator;
pub(crate) use wires::question;

/// So many differences are shown to people, the others are counted.
const MOST_SHOWN: u64 = 20;

/// Runs the command.
pub(crate) fn run(args: &ReplayArgs, environment: &Environment) -> Code {
    let path = match runs::find(&args.file, environment).map(|run| run.path) {
        Ok(path) => path,
        Err(why) => return crate::complain(&why, exit::USAGE),
    };
    if args.turns {
        return turns::run(&path, args.output_format);
    }
    let mut show = Show::new(args, BufWriter::new(io::stdout().lock()), Look::of_stdout(environment));
    let played = file::open(&path).and_then(|input| play(&path, input, &mut show));
    match played.and_then(|()| Ok(show.finish()?)) {
        Ok(code) => code,
        Err(stopped) => stopped.said_after(&mut show.out),
    }
}

fn play(path: &Path, input: impl Read, show: &mut Show<'_, impl Write>) -> Result<(), Stopped> {
    let not_replayable = |error: NotReplayable| Stopped::unreadable(path, error);
    let mut replay = Replay::telling(show.wanted());
    file::read(path, input, |part| {
        match part {
            Part::Next(frame) => {
                show.all(feed(&mut replay, &frame, Replay::line).map_err(not_replayable)?)?
            }
            Part::Last(frame) => {
                show.all(feed(&mut replay, &frame, Replay::last_line).map_err(not_replayable)?)?;
            }
            // Whoever watches a file grow sees what there is so far.
            Part::Pause => show.out.flush()?,
        }
        Ok(())
    })?;
    show.all(replay.finish().map_err(not_replayable)?)?;
    show.lines = replay.lines().clone();
    show.sent = replay.sent();
    Ok(())
}

/// Whether a record says what its replay says, as `--check` has it.
pub(crate) fn is_as_recorded(record: &[u8]) -> bool {
    let path = Path::new("-");
    let not_replayable = |error: NotReplayable| Stopped::unreadable(path, error);
    let (mut replay, mut is_off) = (Replay::telling(Wanted::Brief), false);
    let mut look = |told: std::vec::Drain<'_, Told>| told.for_each(|(_, one)| is_off |= is_difference(&one));
    let read = file::read(path, record, |part| {
        match part {
            Part::Next(frame) => look(feed(&mut replay, &frame, Replay::line).map_err(not_replayable)?),
            Part::Last(frame) => look(feed(&mut replay, &frame, Replay::last_line).map_err(not_replayable)?),
            Part::Pause => {}
        }
        Ok(())
    });
    let is_read = read.is_ok() && replay.finish().map(look).is_ok();
    is_read && !is_off
}

const fn is_difference(happening: &Happening) -> bool {
    matches!(happening, Happening::Differs(_) | Happening::Unused(_))
}

/// One of the two ways in which a line goes into a replay.
type Take = for<'r> fn(&'r mut Replay, &[u8]) -> Result<std::vec::Drain<'r, Told>, NotReplayable>;

fn feed<'r>(
    replay: &'r mut Replay,
    frame: &Frame,
    take: Take,
) -> Result<std::vec::Drain<'r, Told>, NotReplayable> {
    match frame {
        Frame::Line(line) => take(replay, line),
        Frame::Oversized(Oversized { length, .. }) | Frame::Torn { length } => replay.oversized(*length),
    }
}

/// What is printed.
struct Show<'a, W: Write> {
    args: &'a ReplayArgs,
    out: W,
    /// tells the conversation, if that is what is printed
    narrator: Option<Narrator>,
    differences: u64,
    sent: u64,
    lines: Lines,
    tally: Tally,
    clock: u64,
}

impl<'a, W: Write> Show<'a, W> {
    fn new(args: &'a ReplayArgs, out: W, look: Look) -> Self {
        let is_told = args.output_format == OutputFormat::Text && !args.check && !args.wires;
        Self {
            args,
            out,
            narrator: is_told.then(|| Narrator::new(look)),
            differences: 0,
            sent: 0,
            lines: Lines::default(),
            tally: Tally::default(),
            clock: 0,
        }
    }

    /// What has to be made for this: most of what happens is not even looked at in a check.
    fn wanted(&self) -> Wanted {
        let is_brief = self.args.check || self.args.output_format == OutputFormat::Json;
        if is_brief { Wanted::Brief } else { Wanted::All }
    }

    fn all(&mut self, told: impl Iterator<Item = Told>) -> io::Result<()> {
        for (at, happening) in told {
            self.wait_until(at)?;
            self.one(at, &happening)?;
        }
        Ok(())
    }

    fn one(&mut self, at: u64, happening: &Happening) -> io::Result<()> {
        let is_off = is_difference(happening);
        self.differences += u64::from(is_off);
        if let Happening::Question(emitted) = happening {
            self.tally.count(emitted);
        }
        if let Some(narrator) = &mut self.narrator {
            narrator.take(at, happening);
            return narrator.rows().try_for_each(|row| writeln!(self.out, "{row}"));
        }
        let is_wanted = match happening {
            Happening::Remark(_) | Happening::Unused(_) => true,
            Happening::Differs(_) => self.args.check,
            _ => !self.args.check,
        };
        let is_one_too_many = self.args.check && is_off && self.differences > MOST_SHOWN;
        let line = match self.args.output_format {
            _ if !is_wanted => None,
            OutputFormat::Text => (!is_one_too_many).then(|| wires::row(at, happening)).flatten(),
            OutputFormat::Json => None,
            OutputFormat::StreamJson => wires::json_line(at, happening),
        };
        line.map_or(Ok(()), |line| writeln!(self.out, "{line}"))
    }

    /// One object for the whole run.
    fn summary(&self) -> String {
        let json = Json::object(|out| {
            out.raw_member("\"type\"", "\"replayed\"");
            out.member("ms", |to| self.clock.write(to));
            out.raw_member("\"sent\"", &self.sent.to_string());
            out.raw_member("\"differences\"", &self.differences.to_string());
            out.raw_member("\"questions\"", self.tally.to_json().raw());
            out.raw_member("\"lines\"", lines(&self.lines).raw());
        });
        json.raw().to_owned()
    }

    /// Waits as long as it took then, or a part of it. What was printed before is seen before.
    fn wait_until(&mut self, at: u64) -> io::Result<()> {
        let passed = at.saturating_sub(std::mem::replace(&mut self.clock, at));
        if let Speed::Times(factor) = self.args.speed
            && passed > 0
        {
            self.out.flush()?;
            #[expect(
                clippy::disallowed_methods,
                reason = "nothing else runs in a replay; waiting is its job"
            )]
            std::thread::sleep(scaled(passed, factor));
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<Code> {
        let differs = self.args.check && self.differences > 0;
        if let Some(narrator) = &mut self.narrator {
            narrator.finish(self.clock);
            narrator.rows().try_for_each(|row| writeln!(self.out, "{row}"))?;
        }
        if self.args.check && self.args.output_format == OutputFormat::Text {
            if let more @ 1.. = self.differences.saturating_sub(MOST_SHOWN) {
                writeln!(self.out, "… and {more} more; --output-format stream-json has all")?;
            }
            let lines = if self.sent == 1 { "line" } else { "lines" };
            match self.differences {
                0 => writeln!(self.out, "as recorded: {} {lines} sent", self.sent)?,
                1 => writeln!(self.out, "1 difference; {} {lines} sent", self.sent)?,
                many => writeln!(self.out, "{many} differences; {} {lines} sent", self.sent)?,
            }
        }
        if self.args.output_format == OutputFormat::Json {
            writeln!(self.out, "{}", self.summary())?;
        }
        self.out.flush()?;
        Ok(if differs { exit::FAILED } else { exit::SUCCESS })
    }
}

/// So many milliseconds, so many times as fast. What is longer than any run is as long as can be.
fn scaled(passed: u64, factor: f64) -> Duration {
    #[expect(clippy::cast_precision_loss, reason = "nobody sees a millisecond in a million years")]
    let seconds = passed as f64 / 1_000.0 / factor;
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// What became of the lines of the file, for programs.
fn lines(lines: &Lines) -> Json<'static> {
    Json::object(|out| {
        out.member("all", |to| lines.all().write(to));
        out.member("used", |to| lines.used.write(to));
        out.member("unused", |to| lines.unused.write(to));
        out.member("behind", |to| lines.behind.write(to));
        let passed = Json::object(|out| {
            for (what, count) in &lines.passed {
                out.member(what, |to| count.write(to));
            }
        });
        out.raw_member("\"passed\"", passed.raw());
    })
}
