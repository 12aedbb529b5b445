//! What the agent is told first: from the arguments, a file or stdin, and pictures.

use std::ffi::OsString;
use std::io::{IsTerminal as _, Read as _};
use std::path::Path;

use actors::system;
use codec::claude::{Block, Image};

use crate::args::RunArgs;

/// What the agent begins with.
#[derive(Debug, Default)]
pub(crate) struct Prompt {
    /// none: the person will say
    pub(crate) text: Option<String>,
    pub(crate) images: Vec<Block<'static>>,
}

/// A longer prompt is a mistake: some other file was meant.
const LONGEST: u64 = 10 << 20;

/// As the arguments say.
pub(crate) fn read(args: &RunArgs) -> Result<Prompt, String> {
    let is_word = |word: &&OsString| args.backend.is_none() && !word.as_encoded_bytes().starts_with(b"-");
    if let Some(word) = args.passed_on.first().filter(is_word) {
        let word = word.to_string_lossy();
        return Err(format!(
            "`{word}` stands behind --, where flags of Claude Code stand: write the prompt before it"
        ));
    }
    let images = images(args)?;
    let (text, from) = match (&args.file, args.prompt.as_slice()) {
        (Some(file), _) => (Some(of_file(file)?), file.display().to_string()),
        (None, [dash]) if dash == "-" => (Some(of_stdin()?), "stdin".to_owned()),
        (None, []) => (None, String::new()),
        (None, words) => (Some(words.join(" ")), "the prompt".to_owned()),
    };
    match text.as_deref().map(str::trim) {
        Some("") => Err(format!("there is nothing to do: {from} is empty; write what the agent should do")),
        None if !images.is_empty() => Err("a picture needs words: say what to do with it".to_owned()),
        _ => Ok(Prompt { text, images }),
    }
}

pub(super) fn of_file(path: &Path) -> Result<String, String> {
    let name = path.display().to_string();
    let file = std::fs::File::open(path).map_err(|error| system::unreadable(&name, &error))?;
    of(file, &name)
}

pub(super) fn of_stdin() -> Result<String, String> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return Err(
            "- reads the prompt from a pipe or a file, and stdin is the terminal: say it as words".to_owned()
        );
    }
    of(stdin, "stdin")
}

fn of(from: impl std::io::Read, name: &str) -> Result<String, String> {
    let mut text = Vec::new();
    from.take(LONGEST + 1).read_to_end(&mut text).map_err(|error| system::unreadable(name, &error))?;
    if text.len() as u64 > LONGEST {
        return Err(format!("{name} is longer than {} MiB: is that what you meant?", LONGEST >> 20));
    }
    String::from_utf8(text)
        .map_err(|_| format!("{name} is not UTF-8 text: save it as that, or choose another"))
}

/// The pictures that are shown with it.
pub(super) fn images(args: &RunArgs) -> Result<Vec<Block<'static>>, String> {
    args.images.iter().map(|path| image(path)).collect()
}

fn image(path: &Path) -> Result<Block<'static>, String> {
    let name = format!("--image {}", path.display());
    let bytes = std::fs::read(path).map_err(|error| system::unreadable(&name, &error))?;
    let image = Image::from_bytes(&bytes).map_err(|error| format!("{name}: {error}; choose one that is"))?;
    Ok(image.block())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_none_or_too_long_is_no_prompt() {
        assert_eq!(of(&b"go"[..], "it").unwrap(), "go");
        assert!(of(&[0xff, 0xfe][..], "it").unwrap_err().contains("UTF-8"));
        assert!(of(std::io::repeat(b'x'), "it").unwrap_err().contains("longer than 10 MiB"));
    }
}
