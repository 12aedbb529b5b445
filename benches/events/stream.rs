//! The events: a file as an agent would print it, in a folder that is gone when the bench is.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// How many there are, the last one included, which says that the turn is over.
pub(crate) const EVENTS: usize = 1_000_000;

/// What each usage says, so that a run can tell how many it has heard.
pub(crate) const TOKENS: usize = 3;

/// A folder for everything that the bench writes, and that what it starts takes for its home.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("tim-bench-events-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

/// The file.
pub(crate) struct Stream {
    pub(crate) path: PathBuf,
    pub(crate) count: usize,
    pub(crate) size: u64,
    /// where the first tenth of them ends
    pub(crate) tenth: u64,
    /// where the last one begins
    pub(crate) last: u64,
}

impl Stream {
    pub(crate) fn write(folder: &Folder, name: &str, count: usize) -> Self {
        let path = folder.join(name);
        let mut file = BufWriter::new(File::create(&path).unwrap());
        let (mut size, mut tenth) = (0, 0);
        for at in 0..count - 1 {
            if at == count / 10 {
                tenth = size;
            }
            let line = event(at);
            writeln!(file, "{line}").unwrap();
            size += line.len() as u64 + 1;
        }
        let (last, done) = (size, "{\"type\":\"done\",\"ok\":true}\n");
        file.write_all(done.as_bytes()).unwrap();
        // What is still on its way to the disk would be written while something is measured.
        file.into_inner().unwrap().sync_all().unwrap();
        Self { path, count, size: size + done.len() as u64, tenth, last }
    }

    /// How many tokens all of them say.
    pub(crate) fn tokens(&self) -> usize {
        (0..self.count - 1).filter(|at| is_usage(*at)).count() * TOKENS
    }
}

fn is_usage(at: usize) -> bool {
    at % 500 == 250
}

/// Mostly pieces of a text; of fifty two are a tool that begins and ends, of five hundred one is a usage.
fn event(at: usize) -> String {
    if is_usage(at) {
        return format!(r#"{{"type":"usage","input_tokens":{TOKENS},"output_tokens":{TOKENS}}}"#);
    }
    match at % 50 {
        48 => format!(
            r#"{{"type":"tool_use_start","id":"t{at}","name":"read","input":{{"path":"src/module_{at}.rs"}}}}"#
        ),
        49 => {
            format!(r#"{{"type":"tool_result","id":"t{}","output":"{} lines","is_error":false}}"#, at - 1, at)
        }
        _ => format!(r#"{{"type":"text_delta","text":"{}"}}"#, text(at)),
    }
}

/// 20 to 80 bytes; some with a line end, some not pure ASCII.
fn text(at: usize) -> String {
    let words = match at % 7 {
        0 => "größer als zuvor – the last byte of it, and what follows from that in the next paragraph; ",
        1 => "a line ends here,\\nand the next one begins with something else that needs to be said ",
        _ => "the words of a text that an agent writes while it thinks about what it is going to do next ",
    };
    let most = 20 + at * 37 % 61;
    let end = (0..=most).rev().find(|end| is_end(words, *end)).unwrap();
    words.get(..end).unwrap().to_owned()
}

/// Whether a text may be cut there: between characters, and not within an escape.
fn is_end(words: &str, end: usize) -> bool {
    words.get(..end).is_some_and(|begin| !begin.ends_with('\\'))
}
