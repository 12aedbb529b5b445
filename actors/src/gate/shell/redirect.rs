//! The redirections that are understood: to and from the null device, and one output into the other.
//!
//! Everything else would write, read or connect somewhere.

use super::Reason;
use super::text::Text;

const NULL_DEVICE: &str = "/dev/null";

/// Reads the redirection that begins here, of that descriptor if one was written before it.
pub(super) fn read(text: &mut Text, descriptor: Option<&str>) -> Result<(), Reason> {
    const OTHER: Reason = "a redirection";
    let is_understood = match (descriptor, text.peek()) {
        (None, Some('&')) => (text.takes("&>>") || text.takes("&>")) && null_device(text),
        (None | Some("0"), Some('<')) => text.takes("<") && null_device(text),
        (None | Some("1" | "2"), Some('>')) => output(text),
        _ => false,
    };
    if is_understood && text.is_at_word_end() { Ok(()) } else { Err(OTHER) }
}

/// `>/dev/null`, `>>/dev/null`, `>&1`, `>&2`.
fn output(text: &mut Text) -> bool {
    if text.takes(">&") {
        return text.takes("1") || text.takes("2");
    }
    (text.takes(">>") || text.takes(">")) && null_device(text)
}

fn null_device(text: &mut Text) -> bool {
    while text.takes(" ") || text.takes("\t") {}
    text.takes(NULL_DEVICE)
}
