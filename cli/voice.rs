//! Where a service says something: on stdout and stderr, or on the screen where those are the very terminal.
//!
//! Owns that choice: the screen while somebody draws it, else what there was before. What goes to stdout and stderr never waits for whoever reads them.

use std::io::IsTerminal as _;

use codec::text::{escape_hidden, visible};

use crate::printer::{Place, Printer};
use crate::term::handle::Handle;
use crate::term::style::{Row, Span, Style};

/// The voice of a service.
#[derive(Clone)]
pub(crate) struct Voice {
    printer: Printer,
    /// the screen, whether or not it is one of the two below
    terminal: Option<Handle>,
    /// instead of stdout
    out: Option<Handle>,
    /// instead of stderr
    err: Option<Handle>,
}

impl Voice {
    /// Speaks on the screen, if there is one, in place of each output that is a terminal.
    pub(crate) fn new(printer: Printer, screen: Option<&Handle>) -> Self {
        let out = screen.filter(|_| std::io::stdout().is_terminal()).cloned();
        let err = screen.filter(|_| std::io::stderr().is_terminal()).cloned();
        Self { printer, terminal: screen.cloned(), out, err }
    }

    /// The screen that is there instead of stdout, while somebody draws it.
    pub(crate) fn screen(&self) -> Option<&Handle> {
        self.out.as_ref().filter(|screen| screen.is_owned())
    }

    /// The screen, whatever stdout is, while somebody draws it.
    pub(crate) fn terminal(&self) -> Option<&Handle> {
        self.terminal.as_ref().filter(|screen| screen.is_owned())
    }

    /// A line of data, on stdout: never dropped. On a screen it stands as text.
    pub(crate) fn print_line(&self, line: &str) {
        match self.screen() {
            Some(_) => self.print_json(line),
            None if std::io::stdout().is_terminal() => self.print_json(line),
            None => self.printer.print_data(format!("{line}\n")),
        }
    }

    /// What prints where there is no screen.
    pub(crate) const fn printer(&self) -> &Printer {
        &self.printer
    }

    /// A row of data, on stdout. Not while that is the screen.
    pub(crate) fn print(&self, row: &str) {
        self.printer.print(Place::Stdout, format!("{row}\n"));
    }

    /// One JSON object, on stdout; without a character that a terminal would act upon.
    pub(crate) fn print_json(&self, json: &str) {
        let shown = escape_hidden(json).unwrap_or_else(|| json.to_owned());
        match self.screen() {
            Some(screen) => {
                let row = Row::blanks(2).and(Span::foreign(Style::PLAIN, &shown));
                screen.with(|screen| screen.output(vec![row], None));
            }
            None => self.print(&shown),
        }
    }

    /// Something that the person should know.
    pub(crate) fn warn(&self, what: &str) {
        let what = &crate::without_secrets(what);
        match self.err.as_ref().filter(|screen| screen.is_owned()) {
            Some(screen) => screen.with(|screen| screen.warn(what)),
            None => self.printer.print(Place::Stderr, format!("tim: {}\n", visible(what))),
        }
    }
}
