//! The sections of one page: what the help has as one text, told apart as `man` readers know it. Pure but for the writer.
//!
//! Flags are laid out by the generator. Owns the rest: paragraphs are filled anew, what is indented in the help
//! stays as it stands there, and a line such as `Examples:` begins a section.

use std::io::{self, Write};

use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

/// What a page is called: `tim-rules-add`.
pub(super) fn name(command: &clap::Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// Writes the page of a command that was built.
pub(super) fn write(command: &clap::Command, to: &mut dyn Write) -> io::Result<()> {
    let source = concat!("tim ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).title(name(command).to_uppercase()).source(source);
    man.render_title(to)?;
    named(command).to_writer(to)?;
    man_text("SYNOPSIS", &usage(command)).to_writer(to)?;
    man_text("DESCRIPTION", &description(command)).to_writer(to)?;
    man.render_options_section(to)?;
    if command.has_subcommands() {
        man.render_subcommands_section(to)?;
    }
    let after = command.get_after_long_help().or(command.get_after_help());
    let after = after.map(ToString::to_string).unwrap_or_default();
    for (heading, text) in parts(&after) {
        man_text(heading, &text).to_writer(to)?;
    }
    Ok(())
}

/// In one line: whoever lists pages reads only that.
fn named(command: &clap::Command) -> Roff {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default().replace('\n', " ");
    let mut roff = Roff::new();
    roff.control("SH", ["NAME"]).text([roman(format!("{} - {about}", name(command)))]);
    roff
}

/// As the help has it, indented: all flags in a row would say nothing.
fn usage(command: &clap::Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let rows = usage.trim_start_matches("Usage:").lines().map(str::trim).filter(|row| !row.is_empty());
    rows.map(|row| format!("  {row}\n")).collect()
}

fn description(command: &clap::Command) -> String {
    let text = command.get_long_about().or(command.get_about());
    text.map(ToString::to_string).unwrap_or_default()
}

/// What stands behind the flags, by its headings; what has none are notes.
fn parts(after: &str) -> Vec<(&'static str, String)> {
    let mut parts: Vec<(&'static str, String)> = Vec::new();
    for line in after.lines() {
        match headed(line) {
            Some((heading, rest)) => parts.push((heading, rest.to_owned())),
            // An unheaded paragraph behind indented rows is no part of them.
            None if is_apart(line, &parts) => parts.push(("NOTES", line.to_owned())),
            None => {
                if let Some((_, text)) = parts.last_mut() {
                    text.push('\n');
                    text.push_str(line);
                }
            }
        }
    }
    parts.retain(|(_, text)| !text.trim().is_empty());
    parts
}

/// Whether a line begins something of its own: the first one, or one at the margin behind an empty one.
fn is_apart(line: &str, parts: &[(&'static str, String)]) -> bool {
    let at_margin = !line.is_empty() && !line.starts_with(' ');
    match parts.last() {
        None => at_margin,
        Some(("NOTES", _)) => false,
        Some((_, text)) => at_margin && text.ends_with('\n'),
    }
}

fn headed(line: &str) -> Option<(&'static str, &str)> {
    let known = [("Examples", "EXAMPLES"), ("Exit codes", "EXIT STATUS")];
    let (begin, heading) = known.into_iter().find(|(begin, _)| line.starts_with(begin))?;
    Some((heading, line.strip_prefix(begin)?.trim_start_matches([':', ',', ' '])))
}

/// A section of plain text.
fn man_text(heading: &str, text: &str) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", [heading]);
    let mut is_kept = false;
    for line in text.lines().skip_while(|line| line.trim().is_empty()) {
        let is_indented = line.starts_with(' ');
        match line.trim_end() {
            "" => drop(roff.control("PP", None::<&str>)),
            line => {
                if is_indented != is_kept {
                    roff.control(if is_indented { "nf" } else { "fi" }, None::<&str>);
                    is_kept = is_indented;
                }
                roff.text([roman(line)]);
            }
        }
    }
    if is_kept {
        roff.control("fi", None::<&str>);
    }
    roff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_behind_the_flags_is_told_apart_by_its_headings() {
        let after = "Examples:\n  tim x\n  tim y\n\nMore of it.\nAnd more.\n\nExit codes: 0 done,\n2 usage";
        let expected = [
            ("EXAMPLES", "\n  tim x\n  tim y\n".to_owned()),
            ("NOTES", "More of it.\nAnd more.\n".to_owned()),
            ("EXIT STATUS", "0 done,\n2 usage".to_owned()),
        ];
        assert_eq!(parts(after), expected);
        assert_eq!(parts("Only words.\n\nAnd more."), [("NOTES", "Only words.\n\nAnd more.".to_owned())]);
        assert!(parts("").is_empty());
        assert_eq!(headed("Examples, in a shell:"), Some(("EXAMPLES", "in a shell:")));
        assert_eq!(headed("Exit codes are those of x"), Some(("EXIT STATUS", "are those of x")));
    }

    #[test]
    fn indented_rows_stay_as_they_are_and_paragraphs_are_filled() {
        let roff = man_text("X", "one\n  two-three\n\n.four").to_roff();
        let expected = ".SH X\none\n.nf\n  two\\-three\n.PP\n.fi\n\\&.four\n";
        assert!(roff.ends_with(expected), "{roff}");
    }
}
