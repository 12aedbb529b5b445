//! `tim log redact`: a record without secrets, to be shared.
//!
//! Owns what counts as private here: values of secret-looking variables, what looks like a secret, the home folder, the
//! names of user and machine, and what the user says. Reads a record twice, first to find, then to replace; writes one
//! file or stdout. A record that would not be the same any more without its secrets is an error, not half a record.

mod cover;
mod find;

use std::io::{self, BufWriter, Read as _, Write};
use std::path::Path;

use codec::journal::{Body, Entry};
use codec::json::{Json, Object, Text, Written as _};
use codec::text::visible;

use crate::args::RedactArgs;
use crate::environment::Environment;
use crate::exit::{self, Code};
use cover::Cover;

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
    if let Err(code) = write(args.output.as_deref(), &lines) {
        return code;
    }
    let said = if args.json { in_json(&cover) } else { in_words(&cover) };
    crate::warn(&said);
    exit::SUCCESS
}

/// The whole record. It is needed twice, and stdin comes once.
fn whole(args: &RedactArgs, environment: &Environment) -> Result<String, String> {
    let file = super::find(&args.run, environment)?;
    let mut bytes = Vec::new();
    let read = match args.run.as_str() {
        "-" => io::stdin().lock().read_to_end(&mut bytes),
        _ => std::fs::File::open(&file.path).and_then(|mut file| file.read_to_end(&mut bytes)),
    };
    read.map_err(|error| format!("cannot read {}: {error}", file.path.display()))?;
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// All that is to be replaced in this record.
fn cover_of(args: &RedactArgs, environment: &Environment, text: &str) -> Cover {
    let mut cover = Cover::default();
    environment.secrets.values().for_each(|(name, value)| cover.hide(value, name));
    args.hide.iter().for_each(|text| cover.hide(text, "HIDDEN"));
    for line in text.lines() {
        find::secrets_in(line, |secret| {
            if !is_word(secret) {
                cover.hide(secret, "REDACTED");
            }
        });
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
        let covered = covered(line, cover);
        match is_same_kind(line, &covered) {
            true => Ok(covered),
            false => Err(format!(
                "line {} would not be a record any more: what is replaced in it is a word of the record itself; see --hide and --keep-paths",
                at + 1
            )),
        }
    };
    text.lines().enumerate().map(one).collect()
}

/// One line without its secrets; those that may be any word are replaced where they stand.
fn covered(line: &str, cover: &mut Cover) -> String {
    let mut places = Vec::new();
    find::secrets_in(line, |secret| {
        if is_word(secret) {
            let at = secret.as_ptr() as usize - line.as_ptr() as usize;
            places.push(at..at + secret.len());
        }
    });
    places.sort_by_key(|place| place.start);
    let (mut text, mut from) = (String::new(), 0);
    for place in places {
        if let Some(before) = line.get(from..place.start) {
            text.push_str(before);
            text.push_str("REDACTED");
            from = place.end;
        }
    }
    text.push_str(line.get(from..).unwrap_or_default());
    unpacked(&cover.apply(&text), cover)
}

/// What is no text stands in base64, where nobody finds anything: it is looked at byte by byte.
fn unpacked(line: &str, cover: &mut Cover) -> String {
    let Ok(Entry { seq, t, body: Body::Line(record) }) = Entry::read(line.as_bytes()) else {
        return line.to_owned();
    };
    if record.b64.is_none() {
        return line.to_owned();
    }
    let Ok(bytes) = record.bytes() else { return line.to_owned() };
    let letters: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    let covered = cover.apply(&letters);
    if covered == letters {
        return line.to_owned();
    }
    let bytes: Vec<u8> = covered.chars().filter_map(|letter| u8::try_from(letter).ok()).collect();
    let wire = record.wire.get().into_owned();
    let record = codec::journal::WireLine {
        length: record.length,
        ..codec::journal::WireLine::new(&wire, record.dir, &bytes)
    };
    Entry { seq, t, body: Body::Line(record) }.to_line()
}

/// Whether it is still the same kind of record, about the same wire.
fn is_same_kind(line: &str, covered: &str) -> bool {
    let Ok(before) = Object::parse(line) else { return true };
    let Ok(after) = Object::parse(covered) else { return false };
    let is_kept = |name: &str| before.peek(name).map(Json::raw) == after.peek(name).map(Json::raw);
    let names: Vec<_> = before.iter().map(|(name, _)| name.into_owned()).collect();
    let others: Vec<_> = after.iter().map(|(name, _)| name.into_owned()).collect();
    names == others
        && ["seq", "t", "rec", "dir", "key", "kind", "outcome", "source"].iter().all(|name| is_kept(name))
}

fn write(output: Option<&Path>, lines: &[String]) -> Result<(), Code> {
    let mut out: Box<dyn Write> = match output {
        None => Box::new(BufWriter::new(io::stdout().lock())),
        Some(path) => {
            let mut file = std::fs::OpenOptions::new();
            use std::os::unix::fs::OpenOptionsExt as _;
            let made = file.write(true).create_new(true).mode(0o600).open(path);
            let why =
                |error| crate::complain(&format!("cannot write {}: {error}", path.display()), exit::USAGE);
            Box::new(BufWriter::new(made.map_err(why)?))
        }
    };
    let written = lines.iter().try_for_each(|line| writeln!(out, "{line}")).and_then(|()| out.flush());
    written.map_err(|error| crate::output_failed(&error))
}

fn in_words(cover: &Cover) -> String {
    let counts = cover.counts();
    let each: Vec<_> = counts.iter().map(|(what, count)| format!("{} ×{count}", visible(what))).collect();
    match each.is_empty() {
        true => "nothing was replaced; read it before you share it".to_owned(),
        false => format!("replaced: {}; read it before you share it", each.join(", ")),
    }
}

fn in_json(cover: &Cover) -> String {
    let one = |(what, count): &(&str, u64)| {
        Json::object(|out| {
            out.member("by", |to| Text::new(what).write(to));
            out.member("times", |to| count.write(to));
        })
    };
    let all: Vec<_> = cover.counts().iter().map(one).collect();
    super::json::line(&Json::object(|out| out.raw_member("\"replaced\"", &super::json::list(&all))))
}
