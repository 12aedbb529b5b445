//! What a client reports, as plain rows for a person: the short form, without colour.
//!
//! Owns the words for each kind of report. What is no report (a question, a permission, a greeting) has no row here: it
//! is asked or handled, not printed. All rows are visible text.

mod structured;
#[cfg(test)]
mod tests;

use codec::json::Text;
use codec::limits::Limits;
use codec::text::visible_rows;
use codec::tunnel::{Relayed, Up};

/// The rows of one report; none if it has nothing to say to a person. One of somebody further down stands behind the
/// path of whoever said it, row by row.
pub(crate) fn rows_of(message: &Up<'_>) -> Vec<String> {
    let Up::Relayed(Relayed { via, line, .. }) = message else { return own_rows(message) };
    let labels: Vec<_> = via.iter().map(|segment| segment.label.as_str()).collect();
    let path = labels.join("/");
    let report = Up::read(line.raw().as_bytes(), &Limits::STANDARD);
    let rows = report.map(|report| own_rows(&report)).unwrap_or_default();
    rows.iter().map(|row| format!("{path}  {row}")).collect()
}

fn own_rows(message: &Up<'_>) -> Vec<String> {
    match message {
        Up::Log(_, log) => {
            let words: Vec<_> = log.args.iter().map(Text::get).collect();
            rows(&words.join(" "))
        }
        Up::Raw(_, raw) if !raw.data.is_empty() => rows(&raw.data.get()),
        Up::Structured(message, _) => match structured::text_of(message) {
            text if text.is_empty() => Vec::new(),
            text => rows(&text),
        },
        Up::Unknown(unknown) => rows(&format!("(a message of a newer kind: {})", unknown.kind())),
        Up::Raw(..) | Up::Process(_) | Up::Receipt(_) | Up::Relayed(_) => Vec::new(),
        Up::Hello(_) | Up::Prompt(..) | Up::Permission(_) | Up::Cancel(_) => Vec::new(),
    }
}

/// The rows of a text; the line end at its end begins no further one.
fn rows(text: &str) -> Vec<String> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    visible_rows(text).map(std::borrow::Cow::into_owned).collect()
}
