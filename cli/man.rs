//! `tim man`: the help as pages for `man`.
//!
//! Owns the names of the pages and their sections; what they say is the help's. Prints one page, or writes all of them into
//! a folder that is named. Ends with 0, with 1 if a file cannot be written, with 2 if there is no such command.

mod sections;

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;

use crate::args::{ManArgs, for_people};
use crate::exit::{self, Code};

/// Runs the command.
pub(crate) fn run(args: &ManArgs) -> Code {
    match &args.folder {
        Some(folder) => write_all(folder),
        None => match find(&for_people(), &args.command) {
            Ok(command) => print(&command),
            Err(word) => crate::complain(&no_such(&args.command, &word), exit::USAGE),
        },
    }
}

fn no_such(wanted: &[String], word: &str) -> String {
    format!("there is no command {word:?} in `tim {}`: `tim --help` lists them", wanted.join(" "))
}

/// The command of these words; else the word that is none.
fn find(all: &clap::Command, words: &[String]) -> Result<clap::Command, String> {
    let below = |command: &clap::Command, word: &String| {
        command.get_subcommands().find(|one| one.get_name() == word).cloned().ok_or_else(|| word.clone())
    };
    words.iter().try_fold(all.clone(), |command, word| below(&command, word))
}

fn print(command: &clap::Command) -> Code {
    let mut out = io::stdout().lock();
    let printed = page(command).and_then(|page| out.write_all(&page)).and_then(|()| out.flush());
    printed.map_or_else(|error| crate::output_failed(&error), |()| exit::SUCCESS)
}

/// One page.
fn page(command: &clap::Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    sections::write(command, &mut page)?;
    Ok(in_ascii(&String::from_utf8_lossy(&page)).into_bytes())
}

/// Not every reader of pages knows UTF-8: what is no ASCII is named by its number.
fn in_ascii(page: &str) -> String {
    let written = |letter: char| match letter.is_ascii() {
        true => letter.to_string(),
        false => format!("\\[u{:04X}]", u32::from(letter)),
    };
    page.chars().map(written).collect()
}

fn write_all(folder: &Path) -> Code {
    for (name, command) in pages(&for_people()) {
        let path = folder.join(name);
        if let Err(error) = page(&command).and_then(|page| write(&path, &page)) {
            return crate::complain(&actors::system::unwritable(path.display(), &error), exit::FAILED);
        }
    }
    exit::SUCCESS
}

/// Writes a file anew. Opening must neither lead elsewhere nor wait, as it would for a pipe.
fn write(path: &Path, page: &[u8]) -> io::Result<()> {
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).map_err(io::Error::other)?;
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).custom_flags(flags).open(path)?;
    file.write_all(page)
}

/// Every command with the name of its file.
fn pages(command: &clap::Command) -> Vec<(String, clap::Command)> {
    let own = (format!("{}.1", sections::name(command)), command.clone());
    std::iter::once(own).chain(command.get_subcommands().flat_map(pages)).collect()
}
