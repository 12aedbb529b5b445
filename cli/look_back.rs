//! `tim log`: the runs of the past, what was said in one, and who decided what.
//!
//! Owns which records are read for which question. Reads records and writes to stdout; changes nothing, plays nothing and
//! asks nobody. What cannot be read of a record is said on stderr, and the rest is told.

mod decisions;
mod json;
mod list;
mod once;
mod read;
mod redact;
mod table;
mod told;
mod when;
mod why;
mod words;

use std::io::{BufWriter, Write};
use std::path::Path;

use actors::audit::{Outline, PassedOver};
use jiff::Zoned;
use rustix::fs::{FlockOperation, flock};

use crate::args::{LogArgs, LogCommand};
use crate::environment::Environment;
use crate::exit::{self, Code};
use crate::retold::Look;
use crate::runs::{self, RunFile};
use crate::term::style::{Row, Style};
use decisions::{All, Filter};

/// Runs the command.
pub(crate) fn run(args: &LogArgs, environment: &Environment) -> Code {
    let done = match &args.command {
        Some(LogCommand::Why(args)) => why::run(args, environment).map(|rows| print(&rows)),
        Some(LogCommand::Redact(args)) => return redact::run(args, environment),
        None => look(args, environment),
    };
    done.unwrap_or_else(|why| crate::complain(&why, exit::USAGE))
}

/// Which of the three it is: the runs, one of them, or decisions.
fn look(args: &LogArgs, environment: &Environment) -> Result<Code, String> {
    let now = Zoned::now();
    let is_filtered = args.since.is_some() || args.until.is_some() || args.who.is_some();
    let about_decisions = args.decisions || is_filtered || !args.tool.is_empty() || !args.by.is_empty();
    let look = Look::of_stdout(environment);
    let rows = match &args.run {
        _ if about_decisions => decisions_of(args, environment, (&look, &now)),
        Some(run) if args.json => told::in_json(&find(run, environment)?).map(|line| vec![line]),
        Some(run) => return told::run(&find(run, environment)?, environment, (look, &now)),
        None => list_of(args, environment, (&look, &now)),
    };
    rows.map(|rows| print(&rows))
}

fn list_of(args: &LogArgs, environment: &Environment, seen: (&Look, &Zoned)) -> Result<Vec<String>, String> {
    let folder = here().filter(|_| args.here);
    let mut files = runs::all(&runs::folder(environment)?)?;
    if folder.is_some() {
        files.retain(|run| folder_of(run) == folder);
    }
    let total = files.len();
    if args.last > 0 && total > args.last {
        files.drain(..total - args.last);
    }
    let mut all = Vec::new();
    for file in files {
        // One that cannot be read hides no other.
        match list::outline(file) {
            Ok((listed, notes)) => {
                say(&notes);
                all.push(listed);
            }
            Err(why) => crate::warn(&why),
        }
    }
    // Those of the same second are in the order of their names.
    all.sort_by_key(|one| one.outline.started_unix_ms);
    Ok(if args.json { vec![list::to_json(&all, total)] } else { list::shown(&all, total, seen) })
}

fn decisions_of(
    args: &LogArgs,
    environment: &Environment,
    (look, now): (&Look, &Zoned),
) -> Result<Vec<String>, String> {
    let filter = Filter::of(args, here(), now)?;
    let mut all = All::default();
    match &args.run {
        Some(run) => say(&all.add(&find(run, environment)?, &filter)?),
        None => {
            for run in runs::all(&runs::folder(environment)?)?.into_iter().filter(|run| filter.may_hold(run))
            {
                match all.add(&run, &filter) {
                    Ok(notes) => say(&notes),
                    Err(why) => crate::warn(&why),
                }
            }
        }
    }
    all.settle(args.last);
    Ok(if args.json { vec![all.to_json()] } else { all.rows(look, now) })
}

/// The record that is meant.
fn find(wanted: &str, environment: &Environment) -> Result<RunFile, String> {
    let found = runs::find(Path::new(wanted), environment)?;
    if wanted != "-" && found.path.symlink_metadata().is_err() {
        return Err(format!(
            "`{wanted}` is neither a file nor the name of a run, which has 4 to 8 hex digits: `tim log` lists them"
        ));
    }
    Ok(found)
}

/// The folder where we are, as records have it.
fn here() -> Option<String> {
    std::env::current_dir().ok()?.to_str().map(str::to_owned)
}

/// The folder in which a run worked: its first record says it.
fn folder_of(run: &RunFile) -> Option<String> {
    let mut outline = Outline::default();
    let read = read::read(run, |entry| {
        outline.hear(entry, &[]);
        false
    });
    read.ok().and(outline.folder)
}

/// Something about a record that whoever looks back should know.
struct Note(String);

impl Note {
    fn of(run: &RunFile, (outline, passed): (&Outline, PassedOver), unused: read::Unused) -> Vec<Self> {
        let mut notes = Vec::new();
        if passed.unread > 0 {
            let lines = if passed.unread == 1 { "line" } else { "lines" };
            notes.push(format!(
                "{} {lines} of agents cannot be read: what is asked for there is not told",
                passed.unread
            ));
        }
        if passed.too_many > 0 {
            notes.push(format!(
                "{} questions or uses of tools are not told: there were too many at a time",
                passed.too_many
            ));
        }
        if outline.lost > 0 {
            let are = if outline.lost == 1 { "is" } else { "are" };
            notes.push(format!("{} {are} missing", records(outline.lost)));
        }
        if unused.unread > 0 {
            notes.push(format!("{} cannot be read", records(unused.unread)));
        }
        if unused.headless {
            notes
                .push("the first record is missing: where it ran and by which rules is not known".to_owned());
        }
        if unused.has_another {
            notes.push("another run begins in it; only the first one is told".to_owned());
        }
        // One that is still being written to may be read in the middle of a line.
        if unused.torn && !is_alive(&run.path) {
            notes.push("the last record is torn: the run was killed".to_owned());
        }
        notes.iter().map(|note| Self(format!("{}: {note}", run.path.display()))).collect()
    }
}

fn records(count: u64) -> String {
    format!("{count} record{}", if count == 1 { "" } else { "s" })
}

fn say(notes: &[Note]) {
    notes.iter().for_each(|Note(note)| crate::warn(note));
}

/// Whether the run of a record still goes on: it holds a lock on the file as long as it lives.
fn is_alive(path: &Path) -> bool {
    let Ok(file) = std::fs::File::open(path) else { return false };
    flock(&file, FlockOperation::NonBlockingLockShared)
        .is_err_and(|error| error == rustix::io::Errno::WOULDBLOCK)
}

impl Look {
    /// A row that says what else can be done.
    fn dim(&self, text: &str) -> Vec<String> {
        self.paint(&[self.cut(&Row::foreign(Style::DIM, text))])
    }
}

fn print(rows: &[String]) -> Code {
    let mut out = BufWriter::new(std::io::stdout().lock());
    printed(write_rows(&mut out, rows).and_then(|()| out.flush()))
}

fn write_rows(out: &mut impl Write, rows: &[String]) -> std::io::Result<()> {
    rows.iter().try_for_each(|row| writeln!(out, "{row}"))
}

fn printed(written: std::io::Result<()>) -> Code {
    written.map_or_else(|error| crate::output_failed(&error), |()| exit::SUCCESS)
}
