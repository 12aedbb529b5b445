//! What is to be done, one piece for each agent: from the arguments, a file or stdin.
//!
//! Owns where the tasks come from and that a box in a file is ticked when its task is done. In which order they are done
//! stands in `schedule`.

mod file;
mod names;

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use codec::id::Label;
use rustix::fs::Access;

use super::prompt::{self, Prompt};
use crate::args::RunArgs;
use crate::save::{self, Is, Target, Unchanged};
use crate::trusted::{self, Trust};
use file::{Listed, Ticked};

/// One piece of work, for one agent.
#[derive(Debug)]
pub(crate) struct Task {
    /// what its agent is called, if not after the program
    pub(crate) name: Option<Label>,
    pub(crate) prompt: Prompt,
    /// the box that is ticked when it is done
    pub(crate) listed: Option<Item>,
}

/// A box in a file.
#[derive(Debug)]
pub(crate) struct Item {
    file: PathBuf,
    listed: Listed,
}

/// As the arguments say. Several only where tasks were given as such.
pub(crate) fn read(args: &RunArgs) -> Result<Vec<Task>, String> {
    if args.tasks.is_empty() {
        return alone(args).map(|task| vec![task]);
    }
    let listed = listed(args)?;
    if listed.is_empty() {
        return Err(NOTHING.to_owned());
    }
    is_for_several(args, listed.len())?;
    let texts: Vec<&str> = listed.iter().map(|(task, _)| task.text.as_str()).collect();
    let names = names::of(&args.tasks.names, &texts)?;
    // Of several tasks none has pictures.
    let images = prompt::images(args)?;
    let task = |((listed, file), name): ((Listed, Option<&PathBuf>), Label)| Task {
        name: Some(name),
        prompt: Prompt { text: Some(listed.text.clone()), images: images.clone() },
        listed: file.filter(|_| listed.line.is_some()).map(|file| Item { file: file.clone(), listed }),
    };
    Ok(listed.into_iter().zip(names).map(task).collect())
}

fn alone(args: &RunArgs) -> Result<Task, String> {
    let prompt = prompt::read(args)?;
    let text = prompt.text.as_deref().unwrap_or_default();
    let name =
        names::of(&args.tasks.names, &[text])?.into_iter().next().filter(|_| !args.tasks.names.is_empty());
    Ok(Task { name, prompt, listed: None })
}

const NOTHING: &str = "there is nothing to do: every box is ticked, or there is no task; write one as a paragraph, or as \
    `- [ ] what to do`";

/// Those of the command line first, then those of the files.
fn listed(args: &RunArgs) -> Result<Vec<(Listed, Option<&PathBuf>)>, String> {
    let said = args.tasks.texts.iter().map(|text| (Listed::said(text), None));
    let mut all: Vec<_> = said.collect();
    if all.iter().any(|(task, _)| task.text.is_empty()) {
        return Err(
            "--task: there is nothing to do, the text is empty: say what the agent should do".to_owned()
        );
    }
    for file in &args.tasks.files {
        let is_stdin = file.as_os_str() == "-";
        let text = if is_stdin { prompt::of_stdin()? } else { prompt::of_file(file)? };
        let tasks = file::read(&text).map_err(|why| format!("{}: {why}", file.display()))?;
        if !is_stdin && tasks.iter().any(|task| task.line.is_some()) {
            can_be_ticked(file)
                .map_err(|why| format!("{}: its boxes cannot be ticked: {why}", file.display()))?;
        }
        // What came through a pipe has no boxes to tick.
        all.extend(tasks.into_iter().map(|task| (task, Some(file).filter(|_| !is_stdin))));
    }
    match all.len() > MOST {
        true => Err(format!("{} tasks, at most {MOST} are possible: is this the right file?", all.len())),
        false => Ok(all),
    }
}

/// Whether boxes of a file can be ticked when their tasks are done: to find out then is too late.
fn can_be_ticked(file: &Path) -> Result<(), String> {
    let path = real(file)?;
    trusted::read(&path, ANYBODYS)?;
    let mode = std::fs::metadata(&path).map_err(|error| error.to_string())?.mode();
    let folder = path.parent().unwrap_or(Path::new("/"));
    match rustix::fs::access(folder, Access::WRITE_OK) {
        _ if mode & 0o200 == 0 => Err("it is read-only".to_owned()),
        Ok(()) => Ok(()),
        Err(error) => Err(format!("{}: {error}", folder.display())),
    }
}

/// The file itself, where the user named a link.
fn real(file: &Path) -> Result<PathBuf, String> {
    std::fs::canonicalize(file).map_err(|error| error.to_string())
}

/// More is a mistake: some other file was meant.
const MOST: usize = 1_000;

/// What makes no sense for several agents.
fn is_for_several(args: &RunArgs, count: usize) -> Result<(), String> {
    let one_only = [
        ("--keep-open", args.keep_open),
        ("--image", !args.images.is_empty()),
        ("--session-id", args.of_claude.session_id.is_some()),
        ("--resume", args.of_claude.resume.is_some()),
        ("--continue", args.of_claude.go_on),
    ];
    match one_only.into_iter().find(|(_, is_given)| *is_given && count > 1) {
        Some((flag, _)) => {
            Err(format!("{flag} is for one task, and there are {count}: leave it out, or give one"))
        }
        None => Ok(()),
    }
}

/// What is ticked runs nothing.
const ANYBODYS: Trust = Trust {
    because: "its boxes are to be ticked",
    may_be_link: false,
    may_be_roots: true,
    may_be_shared: true,
};

impl Item {
    /// Ticks the box, in the file as it is by now.
    pub(crate) async fn tick(&self) -> Result<(), String> {
        let path = real(&self.file)?;
        let target = Target { path: &path, trust: ANYBODYS, is: Is::InProject };
        save::change(&target, |text| self.edit(text.as_deref())).await.map_err(Unchanged::why)
    }

    fn edit(&self, text: Option<&str>) -> Result<(Option<String>, ()), Unchanged> {
        match text.and_then(|text| file::ticked(text, &self.listed)) {
            Some(Ticked::Now(text)) => Ok((Some(text), ())),
            Some(Ticked::Already) => Ok((None, ())),
            None => {
                let line = self.listed.line.as_deref().unwrap_or_default().trim();
                Err(Unchanged::Missing(vec![format!("{line} is not in it any more")]))
            }
        }
    }

    /// Where it is.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }
}
