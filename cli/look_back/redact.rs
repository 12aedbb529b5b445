//! `tim log redact`: a record without secrets, to be shared.
//!
//! Owns what counts as private here: values of secret-looking variables, what looks like a secret, the home folder, the
//! names of user and machine, and what the user says. Reads a record twice, first to find, then to replace; writes one
//! file or stdout. A record that would not be the same any more without its secrets is an error, not half a record.

mod cover;
mod encoded;
mod find;
#[cfg(test)]
mod tests;
mod told;
mod walk;

use std::io::{self, BufWriter, Read as _, Write};
use std::path::Path;

use actors::system;
use codec::journal::{Body, Entry, WireLine};
use codec::json::Object;
use codec::text::escape_hidden;

use crate::args::RedactArgs;
use crate::environment::Environment;
use crate::exit::{self, Code};
use crate::replay::file::{self, Stopped};
use crate::secrets::looks_secret;
use cover::{Cover, REDACTED, Sure};
use walk::Place;

/// What stands in the place of what the user says. It may be a part of a label, and those have no capitals.
const HIDDEN: &str = "hidden";

/// Runs the command.
pub(super) fn run(args: &RedactArgs, environment: &Environment) -> Code {
    let text = match whole(args, environment) {
        Ok(text) => text,
        Err(why) => return crate::complain(&why, exit::USAGE),
    };
    let mut cover = cover_of(args, environment, &text);
    let lines = match redacted(&text, &mut cover) {
        Ok(lines) => lines,
        Err(why) => return crate::complain(&why, exit::FAILED),
    };
    // A line that was torn stays so: its record is none.
    let end = if text.ends_with('\n') { "\n" } else { "" };
    let new = lines.join("\n") + end;
    if let Err(code) = write(args.output.as_deref(), &new) {
        return code;
    }
    tell(args, &cover, &text, &new);
    exit::SUCCESS
}

/// Says what was replaced, and whether the new record is still the same run as the old one.
fn tell(args: &RedactArgs, cover: &Cover, old: &str, new: &str) {
    let replays = crate::replay::is_as_recorded(new.as_bytes());
    if args.json {
        return crate::report(&told::in_json(cover, &args.hide, replays));
    }
    crate::warn(&told::in_words(cover, &args.hide));
    // One that was none before has lost nothing.
    if !replays && crate::replay::is_as_recorded(old.as_bytes()) {
        crate::warn("without these words the record no longer replays as recorded");
    }
}

/// The whole record. It is needed twice, and stdin comes once.
fn whole(args: &RedactArgs, environment: &Environment) -> Result<String, String> {
    let run = super::find(&args.run, environment)?;
    let mut bytes = Vec::new();
    let mut input = file::open(&run.path).map_err(Stopped::why)?;
    input.read_to_end(&mut bytes).map_err(|error| system::unreadable(run.path.display(), &error))?;
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    match text.lines().any(|line| Object::parse(line).is_ok()) {
        true => Ok(text),
        false => Err(format!(
            "{} is no record of a run: no line of it is a JSON object; `tim log` lists the runs",
            run.path.display()
        )),
    }
}

/// All that is to be replaced in this record.
fn cover_of(args: &RedactArgs, environment: &Environment, text: &str) -> Cover {
    let mut cover = Cover::default();
    environment.secrets.values().for_each(|(name, value)| hide_said(&mut cover, value, &kind_of(name)));
    args.hide.iter().for_each(|text| hide_said(&mut cover, text, HIDDEN));
    for line in text.lines() {
        learn(line, &mut cover);
    }
    if !args.keep_paths {
        let own = environment.home.as_ref().and_then(|home| home.to_str()).map(str::to_owned);
        let first = text.lines().next().and_then(home_in);
        [own, first].into_iter().flatten().for_each(|home| hide_home(&mut cover, &home));
        // Where the system does not say it there, nobody else can know it here.
        let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let machine = machine.trim();
        if machine.len() > 3 && !machine.starts_with("localhost") && !NOT_NAMES.contains(&machine) {
            cover.rename(machine, "host");
        }
    }
    cover
}

/// What somebody says is a secret is one in whatever way it is written.
fn hide_said(cover: &mut Cover, text: &str, kind: &str) {
    cover.hide(text, kind, Sure::Said);
    encoded::ways(text).iter().for_each(|way| cover.hide_also(way, text));
}

/// A variable gives its name to its values, if whoever reads that can tell what it stands for: a record without secrets is
/// the same if it is redacted again.
fn kind_of(variable: &str) -> String {
    let in_capitals =
        |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' };
    let name: String = variable.chars().map(in_capitals).collect();
    if looks_secret(&name) { name } else { REDACTED.to_owned() }
}

/// What looks like a secret in a line is hidden in all of them.
fn learn(line: &str, cover: &mut Cover) {
    let mut learn = |text: &str, place: Place| {
        let mut hide = |secret: &str| {
            if !is_word(secret) {
                cover.hide(secret, REDACTED, Sure::Looks);
            }
        };
        if place == Place::Secret && find::is_value(text) {
            hide(text);
        }
        if !matches!(place, Place::Word | Place::Id) {
            find::secrets_in(text, hide);
        }
        None
    };
    walk::rewritten(line, &mut learn);
    if let Some((_, bytes)) = packed(line) {
        for chunk in bytes.utf8_chunks() {
            learn(chunk.valid(), Place::Said);
        }
    }
}

/// Something that may be any word: it is replaced where it stands behind its name, and nowhere else.
fn is_word(secret: &str) -> bool {
    secret.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_') || secret.len() < 8
}

/// The home folder of whoever made the record.
fn home_in(first: &str) -> Option<String> {
    let mut record = Object::parse(first).ok()?;
    let rules = Object::read(record.take("rules").ok()??).ok()?;
    Some(rules.peek("home")?.as_text()?.get().into_owned())
}

/// Names that are words of the record itself, or nobody's.
const NOT_NAMES: [&str; 24] = [
    "root", "user", "users", "home", "main", "claude", "agent", "text", "type", "name", "line", "wire",
    "from", "role", "allow", "deny", "input", "value", "path", "rule", "rules", "content", "message",
    "terminal",
];

fn hide_home(cover: &mut Cover, home: &str) {
    let home = home.trim_end_matches('/');
    if home.len() < 3 {
        return;
    }
    cover.rename(home, "/home/user");
    // Claude Code calls the folders of its projects so.
    cover.rename(&home.replace(['/', '.'], "-"), "-home-user");
    let name = home.rsplit('/').next().unwrap_or_default();
    if name.len() > 2 && !NOT_NAMES.contains(&name) {
        cover.rename(name, "user");
    }
}

/// The lines of the record, each with its secrets covered.
fn redacted(text: &str, cover: &mut Cover) -> Result<Vec<String>, String> {
    let one = |(at, line): (usize, &str)| {
        covered(line, cover).map(harmless).ok_or_else(|| {
            format!(
                "line {} would not be a record any more: what is replaced in it is a word of the record itself; see --hide",
                at + 1
            )
        })
    };
    text.lines().enumerate().map(one).collect()
}

/// A line that nobody's terminal obeys. Between the members of an object all blanks are the same.
fn harmless(line: String) -> String {
    let has_tabs = line.contains(['\t', '\r']) && Object::parse(&line).is_ok();
    let line = if has_tabs { line.replace(['\t', '\r'], " ") } else { line };
    escape_hidden(&line).unwrap_or(line)
}

/// One line without its secrets; nothing if one of them is a word that the record is read by.
fn covered(line: &str, cover: &mut Cover) -> Option<String> {
    let mut is_broken = false;
    let new = walk::rewritten(line, &mut |text, place| match place {
        Place::Word => {
            is_broken |= cover.forbids(text);
            None
        }
        Place::Id => cover.apply(text, Sure::Said),
        Place::Secret if is_word(text) && find::is_value(text) => Some(cover.in_place().to_owned()),
        Place::Name | Place::Said | Place::Secret => without_secrets(text, cover),
    });
    let new = new.unwrap_or_else(|| line.to_owned());
    (!is_broken).then(|| unpacked(&new, cover).unwrap_or(new))
}

/// A text without its secrets, if it has some; those that may be any word are replaced where they stand.
fn without_secrets(text: &str, cover: &mut Cover) -> Option<String> {
    let mut places = Vec::new();
    find::secrets_in(text, |secret| {
        if is_word(secret) {
            let at = secret.as_ptr() as usize - text.as_ptr() as usize;
            places.push(at..at + secret.len());
        }
    });
    if places.is_empty() {
        return cover.apply(text, Sure::Looks);
    }
    places.sort_by_key(|place| place.start);
    let (mut new, mut from) = (String::new(), 0);
    for place in places {
        if let Some(before) = text.get(from..place.start) {
            new.push_str(before);
            new.push_str(cover.in_place());
            from = place.end;
        }
    }
    new.push_str(text.get(from..).unwrap_or_default());
    cover.apply(&new, Sure::Looks).or(Some(new))
}

/// What a line brings that is no text, and therefore stands in base64.
fn packed(line: &str) -> Option<(Entry<'_>, Vec<u8>)> {
    let entry = Entry::read(line.as_bytes()).ok()?;
    let Body::Line(record) = &entry.body else { return None };
    record.b64.as_ref()?;
    let bytes = record.bytes().ok()?;
    Some((entry, bytes))
}

/// The line with what was packed in it covered, as far as it is text.
fn unpacked(line: &str, cover: &mut Cover) -> Option<String> {
    let (entry, bytes) = packed(line)?;
    let Body::Line(record) = entry.body else { return None };
    let (mut new, mut is_changed) = (Vec::new(), false);
    for chunk in bytes.utf8_chunks() {
        let covered = without_secrets(chunk.valid(), cover);
        is_changed |= covered.is_some();
        new.extend_from_slice(covered.as_deref().unwrap_or(chunk.valid()).as_bytes());
        new.extend_from_slice(chunk.invalid());
    }
    let wire = record.wire.get().into_owned();
    let record = WireLine { length: record.length, ..WireLine::new(&wire, record.dir, &new) };
    is_changed.then(|| Entry { seq: entry.seq, t: entry.t, body: Body::Line(record) }.to_line())
}

fn write(output: Option<&Path>, text: &str) -> Result<(), Code> {
    let mut out: Box<dyn Write> = match output {
        None => Box::new(BufWriter::new(io::stdout().lock())),
        Some(path) => {
            let mut file = std::fs::OpenOptions::new();
            use std::os::unix::fs::OpenOptionsExt as _;
            let made = file.write(true).create_new(true).mode(0o600).open(path);
            let why = |error| crate::complain(&system::unwritable(path.display(), &error), exit::USAGE);
            Box::new(BufWriter::new(made.map_err(why)?))
        }
    };
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| crate::output_failed(&error))
}
