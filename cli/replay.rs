//! `tim replay`: a recorded run again.
//!
//! Reads one file and writes to stdout, and touches nothing else. The router of the replay is in `actors`.

pub(crate) mod file;
mod turns;

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use actors::end::End;
use actors::replay::{Happening, NotReplayable, Replay, Told};
use actors::router::{Emitted, News, Stage};
use codec::frame::{Frame, Oversized};
use codec::json::{Json, Text, Written as _};
use codec::text::{escape_hidden, visible};

use crate::args::{OutputFormat, ReplayArgs, Speed};
use crate::exit::{self, Code};
use crate::tally::Tally;
use file::{Part, Stopped};

/// Runs the command.
pub(crate) fn run(args: &ReplayArgs) -> Code {
    if args.turns {
        return turns::run(args);
    }
    let mut show = Show {
        args,
        out: BufWriter::new(io::stdout().lock()),
        differences: 0,
        sent: 0,
        tally: Tally::default(),
        clock: 0,
    };
    match play(&args.file, &mut show).and_then(|()| Ok(show.finish()?)) {
        Ok(code) => code,
        Err(stopped) => stopped.said_after(&mut show.out),
    }
}

fn play(path: &Path, show: &mut Show<'_, impl Write>) -> Result<(), Stopped> {
    let not_replayable = |error: NotReplayable| Stopped::unreadable(path, error);
    let mut replay = Replay::new();
    file::read(path, |part| {
        let told = match part {
            Part::Next(frame) => feed(&mut replay, &frame, Replay::line),
            Part::Last(frame) => feed(&mut replay, &frame, Replay::last_line),
            // Whoever watches a file grow sees what there is so far.
            Part::Pause => return Ok(show.out.flush()?),
        };
        Ok(show.all(told.map_err(not_replayable)?)?)
    })?;
    Ok(show.all(replay.finish().map_err(not_replayable)?.collect())?)
}

/// One of the two ways in which a line goes into a replay.
type Take = for<'r> fn(&'r mut Replay, &[u8]) -> Result<std::vec::Drain<'r, Told>, NotReplayable>;

fn feed(replay: &mut Replay, frame: &Frame, take: Take) -> Result<Vec<Told>, NotReplayable> {
    Ok(match frame {
        Frame::Line(line) => take(replay, line)?.collect(),
        Frame::Oversized(Oversized { length, .. }) | Frame::Torn { length } => {
            replay.oversized(*length)?.collect()
        }
    })
}

/// What is printed.
struct Show<'a, W: Write> {
    args: &'a ReplayArgs,
    out: W,
    differences: usize,
    sent: usize,
    tally: Tally,
    clock: u64,
}

impl<W: Write> Show<'_, W> {
    fn all(&mut self, told: Vec<Told>) -> io::Result<()> {
        for (at, happening) in told {
            self.wait_until(at)?;
            self.one(at, &happening)?;
        }
        Ok(())
    }

    fn one(&mut self, at: u64, happening: &Happening) -> io::Result<()> {
        let is_off = matches!(happening, Happening::Differs(_) | Happening::Unused(_));
        match happening {
            Happening::Sent { .. } => self.sent += 1,
            Happening::Question(emitted) => self.tally.count(emitted),
            _ if is_off => self.differences += 1,
            _ => {}
        }
        let is_wanted = match happening {
            Happening::Remark(_) | Happening::Unused(_) => true,
            Happening::Differs(_) => self.args.check,
            _ => !self.args.check,
        };
        let line = match self.args.output_format {
            _ if !is_wanted => None,
            OutputFormat::Text => Some(row(at, happening)),
            OutputFormat::Json => None,
            OutputFormat::StreamJson => json_line(at, happening),
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
        if self.args.check && self.args.output_format == OutputFormat::Text {
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

/// One object for programs: what was said, and in a check what is off.
fn json_line(at: u64, happening: &Happening) -> Option<String> {
    let json = match happening {
        Happening::Question(emitted) => Json::parse(&emitted.line)?.into_owned(),
        Happening::Reported { line, .. } => Json::parse(std::str::from_utf8(line).ok()?)?.into_owned(),
        Happening::Differs(difference) => difference.to_json(),
        Happening::Unused(why) => Json::object(|out| {
            out.raw_member("\"type\"", "\"unused\"");
            out.member("at", |to| at.write(to));
            out.member("why", |to| Text::new(why).write(to));
        }),
        _ => return None,
    };
    // On one line, and without a character that a terminal would act upon.
    let line = Json::written(&json).raw().to_owned();
    Some(escape_hidden(&line).unwrap_or(line))
}

/// One row for people: when, and what.
fn row(at: u64, happening: &Happening) -> String {
    let what = match happening {
        Happening::Sent { wire, line } => format!("{} ← {}", visible(wire), visible(line)),
        Happening::Question(emitted) => question(emitted),
        Happening::Reported { wire, line } => {
            format!("{} → {}", visible(wire), visible(&String::from_utf8_lossy(line)))
        }
        Happening::Told { desk, key, news: News::Late } => {
            format!("! {}: the answer to {key} came too late", visible(desk))
        }
        Happening::Told { desk, key, news: News::Unfit(why) } => {
            format!("! {}: no answer to {key}: {}", visible(desk), visible(why))
        }
        Happening::Noise { wire, why } => format!("! {}: {}", visible(wire), visible(why)),
        Happening::Remark(why) | Happening::Unused(why) => format!("! {}", visible(why)),
        Happening::Differs(difference) => format!("≠ {difference}"),
    };
    format!("{}  {what}", when(at))
}

/// A time of the record, in seconds.
fn when(at: u64) -> String {
    format!("{:>4}.{:03}", at / 1_000, at % 1_000)
}

/// What became of a question.
pub(crate) fn question(emitted: &Emitted) -> String {
    let key = &emitted.key;
    match &emitted.what {
        Stage::Asked { path, question, .. } => {
            format!("? {key} {} {}: {}", visible(path), question.kind().word(), visible(&question.summary()))
        }
        Stage::Ended(end) => match end.as_ref() {
            End::Answered { value, source, .. } => {
                format!("= {key} answered ({}): {}", source.word(), visible(value.raw()))
            }
            end => format!("= {key} {}: {}", end.outcome().word(), visible(&end.told())),
        },
    }
}
