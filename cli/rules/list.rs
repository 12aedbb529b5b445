//! `tim rules list`: what the file says, for people or for programs. Changes nothing.

use std::path::{Path, PathBuf};

use codec::json::{Json, Text, Written as _};
use codec::text::visible;

use super::document::Document;
use super::explain::line;
use super::{List, TRUST, file};
use crate::args::ListArgs;
use crate::config::{self, Found};
use crate::environment::Environment;
use crate::exit::{self, Code};

/// Runs the command.
pub(super) fn run(args: &ListArgs, environment: &Environment) -> Code {
    let read = |path: PathBuf| Ok((super::read(path.clone(), TRUST)?, path));
    let found = config::find(environment).map_err(|error| error.to_string());
    if let Ok(found) = &found {
        found.warnings(environment).iter().for_each(|warning| crate::warn(warning));
    }
    match file(environment).and_then(read).and_then(|read| Ok((read, found?))) {
        Ok(((document, path), found)) if args.json => {
            super::print(&[json(&document, &path, &found)], exit::SUCCESS)
        }
        Ok(((document, path), found)) => super::print(&rows(&document, &path, &found), exit::SUCCESS),
        Err(why) => crate::complain(&why, exit::USAGE),
    }
}

fn rows(document: &Document, path: &Path, found: &Found) -> Vec<String> {
    let mut rows = vec![visible(&path.to_string_lossy()).into_owned()];
    for list in [List::Allow, List::Deny] {
        rows.extend(document.rules(list).iter().map(|entry| format!("{list:5}  {}", visible(&entry.text))));
    }
    for list in [List::Allow, List::Deny] {
        rows.extend(found.rules(list).iter().map(|said| {
            format!("{list:5}  {}  ({})", visible(&said.value.text), visible(&said.origin.to_string()))
        }));
    }
    if rows.len() == 1 {
        rows.push("no rules yet: everything is asked; to add one:".to_owned());
        rows.push("  tim rules add 'Bash(git status:*)'".to_owned());
    }
    rows
}

fn json(document: &Document, path: &Path, found: &Found) -> String {
    let texts = |list| document.rules(list).iter().map(|entry| Text::new(&entry.text)).collect::<Vec<_>>();
    line(&Json::object(|out| {
        out.member("file", |to| Text::new(&path.to_string_lossy()).write(to));
        out.member("allow", |to| texts(List::Allow).write(to));
        out.member("deny", |to| texts(List::Deny).write(to));
        out.member("configured", |to| configured(found).write(to));
    }))
}

/// The rules of the configuration, each with where it stands.
fn configured(found: &Found) -> Vec<Json<'static>> {
    let of = |list: List| {
        found.rules(list).iter().map(move |said| {
            Json::object(|out| {
                out.member("list", |to| Text::new(list.word()).write(to));
                out.member("rule", |to| Text::new(&said.value.text).write(to));
                out.member("origin", |to| Text::new(&said.origin.to_string()).write(to));
            })
        })
    };
    of(List::Allow).chain(of(List::Deny)).collect()
}
