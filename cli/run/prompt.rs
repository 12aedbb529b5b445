//! What the agent is told first: from the arguments, a file or stdin, and pictures.

use std::ffi::OsString;
use std::io::{IsTerminal as _, Read as _};
use std::path::Path;

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
    let text = match (&args.file, args.prompt.as_slice()) {
        (Some(file), _) => Some(of_file(file)?),
        (None, [dash]) if dash == "-" => Some(of_stdin()?),
        (None, []) => None,
        (None, words) => Some(words.join(" ")),
    };
    match text.as_deref().map(str::trim) {
        Some("") => Err("there is nothing to do: the prompt is empty".to_owned()),
        None if !images.is_empty() => Err("a picture needs words: say what to do with it".to_owned()),
        _ => Ok(Prompt { text, images }),
    }
}

pub(super) fn of_file(path: &Path) -> Result<String, String> {
    let file = std::fs::File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    of(file).map_err(|why| format!("{}: {why}", path.display()))
}

pub(super) fn of_stdin() -> Result<String, String> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return Err("- reads the prompt from a pipe or a file, and stdin is the terminal".to_owned());
    }
    of(stdin).map_err(|why| format!("stdin: {why}"))
}

fn of(from: impl std::io::Read) -> Result<String, String> {
    let mut text = Vec::new();
    from.take(LONGEST + 1).read_to_end(&mut text).map_err(|error| error.to_string())?;
    if text.len() as u64 > LONGEST {
        return Err(format!("longer than {} MiB", LONGEST >> 20));
    }
    String::from_utf8(text).map_err(|_| "not UTF-8 text".to_owned())
}

/// The pictures that are shown with it.
pub(super) fn images(args: &RunArgs) -> Result<Vec<Block<'static>>, String> {
    args.images.iter().map(|path| image(path)).collect()
}

fn image(path: &Path) -> Result<Block<'static>, String> {
    let wrong = |why: String| format!("--image {}: {why}", path.display());
    let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    Image::from_bytes(&bytes).map(|image| image.block()).map_err(|error| wrong(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_none_or_too_long_is_no_prompt() {
        assert_eq!(of(&b"go"[..]).unwrap(), "go");
        assert!(of(&[0xff, 0xfe][..]).unwrap_err().contains("UTF-8"));
        assert!(of(std::io::repeat(b'x')).unwrap_err().contains("longer than 10 MiB"));
    }
}
