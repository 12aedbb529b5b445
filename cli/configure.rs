//! `tim config`: shows what is configured, or writes a file to begin with.
//!
//! Owns how it is told, and the text of a new file. What counts is the configuration's own affair (`config`). `show` changes
//! nothing; `init` never writes over a file that is there.

mod template;
#[cfg(test)]
mod tests;

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use codec::json::{Json, Text, Written as _};
use codec::text::{escape_hidden, visible};

use crate::args::{ConfigArgs, ConfigCommand, InitArgs};
use crate::config::layer::Origin;
use crate::config::project::{self, Seen, State};
use crate::config::shown::{self, Setting};
use crate::config::{self, Found};
use crate::environment::Environment;
use crate::exit::{self, Code};

/// Runs the command.
pub(crate) fn run(args: &ConfigArgs, environment: &Environment) -> Code {
    match &args.command {
        ConfigCommand::Show(args) => show(args.json, environment),
        ConfigCommand::Init(args) => init(args, environment),
    }
}

fn show(is_json: bool, environment: &Environment) -> Code {
    let found = match config::find(environment) {
        Ok(found) => found,
        Err(error) => return crate::complain(&error.to_string(), exit::USAGE),
    };
    let home = environment.home.as_deref().filter(|_| !is_json);
    let settings = shown::settings(&found, environment, home);
    let text = match is_json {
        true => json(&found, &settings),
        false => rows(&found, &settings, environment).join("\n"),
    };
    print(&crate::without_secrets(&text))
}

/// For people: a row for each setting, then the files, which stay in sight.
fn rows(found: &Found, settings: &[Setting], environment: &Environment) -> Vec<String> {
    let home = environment.home.as_deref();
    let own = config::user_file(environment);
    let mut rows = Vec::new();
    for setting in settings {
        let said = format!("{} = {}", visible(&setting.key), value(setting));
        rows.push(format!("{said:WIDE$}  {}", origin(setting, home)));
    }
    rows.push(String::new());
    for seen in &found.files {
        rows.push(format!("{:12}  {}", word(&seen.state), short(&seen.path, home)));
        rows.extend(why(seen, own.as_deref()).map(|why| format!("              {}", visible(&why))));
    }
    rows
}

/// So wide is a setting; one that is wider pushes the rest of its row aside.
const WIDE: usize = 44;

const fn word(state: &State) -> &'static str {
    match state {
        State::Missing => "not there",
        State::Read => "read",
        State::Held(..) => "read in part",
    }
}

fn why(seen: &Seen, own: Option<&Path>) -> Option<String> {
    match &seen.state {
        State::Missing | State::Read => None,
        State::Held(keys, because) => {
            Some(format!("not used: {}; {}", project::listed(keys), seen.todo(*because, own)))
        }
    }
}

fn value(setting: &Setting) -> String {
    setting.value.as_deref().map_or_else(|| "-".to_owned(), |value| visible(value).into_owned())
}

fn origin(setting: &Setting, home: Option<&Path>) -> String {
    match &setting.origin {
        None => "default".to_owned(),
        Some(Origin::File(path, line)) => format!("{}:{line}", short(path, home)),
        Some(origin) => origin.to_string(),
    }
}

/// A path with `~` for the home.
fn short(path: &Path, home: Option<&Path>) -> String {
    let home = home.and_then(Path::to_str);
    visible(&crate::terminal::short(&path.to_string_lossy(), home)).into_owned()
}

/// For programs: one object.
fn json(found: &Found, settings: &[Setting]) -> String {
    let text = |to: &mut String, text: &str| Text::new(text).write(to);
    let file = |seen: &Seen| {
        let held = if let State::Held(keys, _) = &seen.state { keys.as_slice() } else { &[] };
        Json::object(|out| {
            out.member("path", |to| text(to, &seen.path.to_string_lossy()));
            out.member("state", |to| text(to, word(&seen.state)));
            out.member("not_used", |to| held.iter().map(|key| Text::new(key)).collect::<Vec<_>>().write(to));
        })
    };
    let setting = |setting: &Setting| {
        Json::object(|out| {
            out.member("key", |to| text(to, &setting.key));
            if let Some(value) = &setting.value {
                out.member("value", |to| text(to, value));
            }
            out.member("origin", |to| text(to, &origin(setting, None)));
        })
    };
    let all = Json::object(|out| {
        out.member("files", |to| found.files.iter().map(file).collect::<Vec<_>>().write(to));
        out.member("settings", |to| settings.iter().map(setting).collect::<Vec<_>>().write(to));
    });
    escape_hidden(all.raw()).unwrap_or_else(|| all.raw().to_owned())
}

fn init(args: &InitArgs, environment: &Environment) -> Code {
    let (path, text) = match target(args, environment) {
        Ok(target) => target,
        Err(why) => return crate::complain(&why, exit::USAGE),
    };
    match write(&path, text, args.project) {
        Ok(()) => {
            let shown = short(&path, environment.home.as_deref());
            let rows =
                format!("{shown}\nEvery key is in it, as a comment. `tim config show` says what counts.");
            print(&rows)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let what = format!("{}: is there already, and was left as it is", path.display());
            crate::complain(&what, exit::FAILED)
        }
        Err(error) => crate::complain(&actors::system::unwritable(path.display(), &error), exit::FAILED),
    }
}

fn print(text: &str) -> Code {
    match writeln!(io::stdout().lock(), "{text}") {
        Ok(()) => exit::SUCCESS,
        Err(error) => crate::output_failed(&error),
    }
}

fn target(args: &InitArgs, environment: &Environment) -> Result<(PathBuf, &'static str), String> {
    if args.project {
        let folder = environment.folder.as_deref().ok_or("the current folder is not there any more")?;
        return Ok((folder.join(".tim/config.toml"), template::PROJECT));
    }
    let nowhere = "there is no place for it: neither HOME nor XDG_CONFIG_HOME is set";
    Ok((config::user_file(environment).ok_or(nowhere)?, template::OWN))
}

/// A new file of one's own is for nobody else's eyes. One of a project is for all, but nobody else may write it: it could not
/// loosen anything then.
fn write(path: &Path, text: &str, is_shared: bool) -> io::Result<()> {
    let (file, folder) = if is_shared { (0o644, 0o755) } else { (0o600, 0o700) };
    if let Some(parent) = path.parent() {
        DirBuilder::new().recursive(true).mode(folder).create(parent)?;
    }
    OpenOptions::new().write(true).create_new(true).mode(file).open(path)?.write_all(text.as_bytes())
}
