//! What the system says when something cannot be read or written, in words for a person, and what to do about it. Pure.
//!
//! Owns these words, for every message that tells a failure of a file or a socket. Never shows the number of an error:
//! nobody can do anything with it.

use std::fmt::Display;
use std::io::{Error, ErrorKind};

/// Why it failed.
#[must_use]
pub fn says(error: &Error) -> String {
    let text = error.to_string();
    if text.contains("SUN_LEN") {
        return "the path is longer than that of a socket can be".to_owned();
    }
    let text = text.split(" (os error ").next().unwrap_or(&text);
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// That something cannot be read, why, and what to do.
#[must_use]
pub fn unreadable(what: impl Display, error: &Error) -> String {
    let advice = match error.kind() {
        ErrorKind::NotFound => "; check the name",
        ErrorKind::IsADirectory => "; name a file",
        ErrorKind::NotADirectory => "; a part of the path is no folder: check the name",
        ErrorKind::PermissionDenied => "; chmod u+r lets you, if it is yours",
        _ => "",
    };
    format!("{what} cannot be read: {}{advice}", says(error))
}

/// That something cannot be written, why, and what to do.
#[must_use]
pub fn unwritable(what: impl Display, error: &Error) -> String {
    format!("{what} cannot be written: {}; {}", says(error), elsewhere(error))
}

/// What to do where nothing can be written.
#[must_use]
pub fn elsewhere(error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::NotFound => "make its folder first (mkdir -p), or choose another place",
        ErrorKind::NotADirectory => "a part of the path is no folder: choose another place",
        ErrorKind::PermissionDenied => "choose a place that you may write to",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "make room, or choose another place",
        ErrorKind::AlreadyExists => "nothing is written over: choose another name",
        _ => "choose another place",
    }
}

/// What to do where nothing can be written, and there is no other place for it.
#[must_use]
pub fn mend(error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
            "a file is in the place of a folder: move it away"
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "make room",
        _ => "see that you may write there",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::Errno;

    fn error(number: Errno) -> Error {
        number.into()
    }

    #[test]
    fn the_number_of_an_error_is_left_out_and_its_words_go_on_in_a_sentence() {
        assert_eq!(says(&error(Errno::NOENT)), "no such file or directory");
        assert_eq!(says(&Error::other("it is a device")), "it is a device");
        assert_eq!(says(&Error::other("")), "");
    }

    #[test]
    fn what_to_do_follows_from_what_went_wrong() {
        assert_eq!(unreadable("x", &error(Errno::ISDIR)), "x cannot be read: is a directory; name a file");
        assert_eq!(unreadable("x", &error(Errno::IO)), "x cannot be read: input/output error");
        let full = "x cannot be written: no space left on device; make room, or choose another place";
        assert_eq!(unwritable("x", &error(Errno::NOSPC)), full);
        let there = "x cannot be written: file exists; nothing is written over: choose another name";
        assert_eq!(unwritable("x", &error(Errno::EXIST)), there);
    }
}
