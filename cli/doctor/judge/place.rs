//! The judging of the place that tim runs in: terminal, folders, the system, and who is above. Pure.

use super::super::check::Check;
use super::super::facts::{Above, Facts, Folder, Limits, Records, Sockets, Terminal, Tty};
use crate::config::attention;
use crate::duration;

pub(super) fn all(facts: &Facts) -> Vec<Check> {
    let Facts { attention: (calls, takes_more), .. } = facts;
    vec![
        terminal(&facts.terminal),
        letters(&facts.terminal),
        called(calls, *takes_more),
        sockets(&facts.sockets),
        records(&facts.records),
        state(facts.state.as_ref()),
        limits(facts.limits),
        guard(&facts.guard),
        above(&facts.above),
    ]
}

/// All that is drawn has room there.
const ROOMY: (u16, u16) = (80, 24);
/// Less shows no question whole.
const SMALLEST: (u16, u16) = (20, 5);

const NOBODY: &str = "questions are refused at once: let them wait for `tim answer` in another shell (--wait), or say \
                      by rules what may run (--allow)";

fn terminal(terminal: &Terminal) -> Check {
    const NAME: &str = "terminal";
    let (columns, rows) = match terminal.tty {
        _ if terminal.is_unwanted => {
            return Check::warning(NAME, "TIM_NONINTERACTIVE is set, so none is used", NOBODY);
        }
        Tty::None => return Check::warning(NAME, "none here", NOBODY),
        Tty::Others => return Check::warning(NAME, "this is in the background", "bring it back with fg"),
        Tty::Agents => return Check::ok(NAME, "none is used below an agent: the person above is asked"),
        // One that does not know its size is taken for the usual one.
        Tty::Ours(0, _) | Tty::Ours(_, 0) => ROOMY,
        Tty::Ours(columns, rows) => (columns, rows),
    };
    let term = terminal.term.as_deref().unwrap_or("no TERM");
    let ink = if terminal.has_colours { "colours" } else { "no colours (NO_COLOR)" };
    let found = format!("{columns}×{rows}, {term}, {ink}");
    match terminal.term.as_deref() {
        None | Some("dumb" | "unknown") => {
            let todo =
                "questions come as plain lines; TERM=xterm-256color, if that is what it is, gives a screen";
            Check::warning(NAME, found, todo)
        }
        _ if columns < SMALLEST.0 || rows < SMALLEST.1 => {
            Check::warning(NAME, found, "too small to read questions in: make it 80×24 or larger")
        }
        _ if columns < ROOMY.0 || rows < ROOMY.1 => {
            Check::warning(NAME, found, "it works; in 80×24 or more there is less to scroll")
        }
        _ => Check::ok(NAME, found),
    }
}

fn letters(terminal: &Terminal) -> Check {
    const NAME: &str = "letters";
    let todo = "signs such as ✓ may look broken: export LANG=C.UTF-8, or another that ends so";
    match &terminal.locale {
        Some((name, value)) => {
            let small = value.to_lowercase();
            let found = format!("{name}={value}");
            match small.contains("utf-8") || small.contains("utf8") {
                true => Check::ok(NAME, found),
                false => Check::warning(NAME, format!("{found}, which is not UTF-8"), todo),
            }
        }
        None => Check::warning(NAME, "neither LC_ALL, LC_CTYPE nor LANG says which", todo),
    }
}

/// That nobody is called is a wish, and no fault.
fn called(calls: &attention::Settings, takes_more: bool) -> Check {
    let ways = [
        (calls.bell, "the bell"),
        (calls.notify && takes_more, "a notification"),
        (calls.title && takes_more, "the title of the window"),
        (calls.command.is_some(), "your command"),
    ];
    let ways: Vec<&str> = ways.iter().filter(|(is_so, _)| *is_so).map(|(_, way)| *way).collect();
    let found = match ways.as_slice() {
        [] => "nobody is called when a question waits".to_owned(),
        ways => format!("by {} after {}", ways.join(", "), duration::written(calls.after)),
    };
    Check::ok("calls", found)
}

fn sockets(sockets: &Sockets) -> Check {
    const NAME: &str = "sockets";
    let Sockets { folder, instead, is_private, own_user } = sockets;
    let path = folder.path.display();
    let todo = "set XDG_RUNTIME_DIR to a folder that is yours alone, or unset it";
    if let Some(why) = &folder.wrong {
        return Check::problem(NAME, format!("{path} {why}"), todo);
    }
    match (folder.about, instead) {
        (Some((owner, _)), _) if *is_private && owner != *own_user => {
            Check::problem(NAME, format!("{path} belongs to somebody else (user {owner})"), todo)
        }
        (Some((_, mode)), _) if *is_private && mode & 0o022 != 0 => {
            let found = format!("{path} can be written by others (mode {mode:o})");
            Check::problem(NAME, found, format!("chmod 700 {path}"))
        }
        (_, Some(instead)) => {
            let found = format!("below {}: the usual path is too long for a socket", instead.display());
            Check::ok(NAME, found)
        }
        _ if *is_private => Check::ok(NAME, made(folder)),
        _ => Check::ok(NAME, format!("in a folder of their own below {path}")),
    }
}

/// The path, and whether it is there already.
fn made(folder: &Folder) -> String {
    let later = if folder.about.is_some() { "" } else { ", made when it is needed" };
    format!("{}{later}", folder.path.display())
}

/// A record of a long run takes less.
const FREE_ENOUGH: u64 = 200_000_000;

fn records(records: &Records) -> Check {
    const NAME: &str = "records";
    let wrong = |is_required: bool, found: String, todo: &str| match is_required {
        true => Check::problem(NAME, format!("{found}, and one is required"), todo),
        false => Check::warning(NAME, found, todo),
    };
    let (folder, free, kept, is_required) = match records {
        Records::Off => return Check::ok(NAME, "off: what happens is not on record"),
        Records::Nowhere { is_required } => {
            let todo = "set HOME or XDG_STATE_HOME; until then what happens is not on record";
            return wrong(*is_required, "no place: neither HOME nor XDG_STATE_HOME is set".to_owned(), todo);
        }
        Records::In { folder, free, kept, is_required } => (folder, free, kept, *is_required),
    };
    if let Some(why) = &folder.wrong {
        let found = format!("{} {why}", folder.path.display());
        return wrong(is_required, found, "put that right; until then nothing is on record");
    }
    let mut found = made(folder);
    if let Some((count, bytes)) = kept.filter(|(count, _)| *count > 0) {
        let records = if count == 1 { "record" } else { "records" };
        found += &format!(", {count} {records}, {}", size(bytes));
    }
    let free = free.unwrap_or(u64::MAX);
    if free < FREE_ENOUGH {
        return wrong(
            is_required,
            format!("{found}; only {} are free", size(free)),
            "make room on that disk",
        );
    }
    match folder.about {
        Some((_, mode)) if mode & 0o077 != 0 => {
            let found = format!("{found}; others can look into it (mode {mode:o})");
            Check::warning(NAME, found, format!("chmod 700 {}", folder.path.display()))
        }
        _ => Check::ok(NAME, found),
    }
}

/// As people say it.
fn size(bytes: u64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "KB")];
    let unit = units.into_iter().find(|(worth, _)| bytes >= *worth);
    unit.map_or_else(|| format!("{bytes} bytes"), |(worth, name)| format!("{} {name}", bytes / worth))
}

fn state(folder: Option<&Folder>) -> Check {
    const NAME: &str = "state";
    let todo = "put that right; until then folders that you trust are asked about each time";
    match folder {
        None => Check::warning(NAME, "no place: neither HOME nor XDG_STATE_HOME is set", todo),
        Some(folder) => match &folder.wrong {
            Some(why) => Check::warning(NAME, format!("{} {why}", folder.path.display()), todo),
            None => Check::ok(NAME, made(folder)),
        },
    }
}

/// An agent with its guard and its tools takes less, and so do some clients.
const FILES_ENOUGH: u64 = 256;
const PROCESSES_ENOUGH: u64 = 128;

fn limits(limits: Limits) -> Check {
    let told =
        |limit: Option<u64>| limit.map_or_else(|| "any number of".to_owned(), |limit| limit.to_string());
    let found = format!("{} open files, {} processes", told(limits.files), told(limits.processes));
    let few = |limit: Option<u64>, enough: u64| limit.is_some_and(|limit| limit < enough);
    match () {
        () if few(limits.files, FILES_ENOUGH) => {
            Check::warning("limits", found, format!("ulimit -n {}", 4 * FILES_ENOUGH))
        }
        () if few(limits.processes, PROCESSES_ENOUGH) => {
            Check::warning("limits", found, format!("ulimit -u {}", 8 * PROCESSES_ENOUGH))
        }
        () => Check::ok("limits", found),
    }
}

fn guard(guard: &Result<bool, String>) -> Check {
    const NAME: &str = "guard";
    match guard {
        Ok(true) => Check::ok(NAME, "an agent and all that it started can be ended together"),
        Ok(false) => Check::ok(NAME, "can work, but without handles for processes (pidfd): an older system"),
        Err(why) => Check::problem(
            NAME,
            format!("no agent can be guarded here: {why}"),
            "tim needs Linux with /proc; a sandbox may be in the way",
        ),
    }
}

fn above(above: &Above) -> Check {
    const NAME: &str = "above";
    match &above.socket {
        Some((path, true)) => {
            let found = format!("a tim listens at {}: its person is asked", path.display());
            Check::ok(NAME, found)
        }
        Some((path, false)) => Check::warning(
            NAME,
            format!("TIM_OUTPUT_SOCKET is {}, where nobody listens", path.display()),
            "unset TIM_OUTPUT_SOCKET: with it no rules of yours allow anything",
        ),
        None if above.is_agents => Check::warning(
            NAME,
            "an agent started this, without TIM_OUTPUT_SOCKET",
            "nobody can be asked from here: ask from a shell of your own",
        ),
        None => Check::ok(NAME, "no other tim"),
    }
}
