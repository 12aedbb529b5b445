//! `tim rules list`: what the file says, for people or for programs. Changes nothing.

use std::path::{Path, PathBuf};

use codec::json::{Json, Text, Written as _};
use codec::text::visible;

use super::document::Document;
use super::explain::line;
use super::{List, TRUST, file};
use crate::args::ListArgs;
use crate::environment::Environment;
use crate::exit::{self, Code};

/// Runs the command.
pub(super) fn run(args: &ListArgs, environment: &Environment) -> Code {
    let read = |path: PathBuf| Ok((super::read(path.clone(), TRUST)?, path));
    match file(environment).and_then(read) {
        Ok((document, path)) if args.json => super::print(&[json(&document, &path)], exit::SUCCESS),
        Ok((document, path)) => super::print(&rows(&document, &path), exit::SUCCESS),
        Err(why) => crate::complain(&why, exit::USAGE),
    }
}

fn rows(document: &Document, path: &Path) -> Vec<String> {
    let mut rows = vec![visible(&path.to_string_lossy()).into_owned()];
    for list in [List::Allow, List::Deny] {
        rows.extend(document.rules(list).iter().map(|entry| format!("{list:5}  {}", visible(&entry.text))));
    }
    if rows.len() == 1 {
        rows.push("no rules yet: everything is asked; to add one:".to_owned());
        rows.push("  tim rules add 'Bash(git status:*)'".to_owned());
    }
    rows
}

fn json(document: &Document, path: &Path) -> String {
    let texts = |list| document.rules(list).iter().map(|entry| Text::new(&entry.text)).collect::<Vec<_>>();
    line(&Json::object(|out| {
        out.member("file", |to| Text::new(&path.to_string_lossy()).write(to));
        out.member("allow", |to| texts(List::Allow).write(to));
        out.member("deny", |to| texts(List::Deny).write(to));
    }))
}
