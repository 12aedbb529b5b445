//! The terminal in plain line mode: questions as rows, answers as lines.
//!
//! Owns the two ends of `/dev/tty` and the thread that reads it. Moves no cursor and changes no mode, so there is nothing
//! to restore. Ends with the terminal, or with the program.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, IsTerminal as _};
use std::sync::Arc;
use std::time::Duration;

use actors::ask::{NotAnswered, Person};
use actors::end::End;
use actors::question::Question;
use actors::router::{Offer, Said};
use actors::terminal::{Behind, Console, Drawn, Entered, Waiting};
use codec::id::Key;
use codec::json::Json;
use rustix::process::getpgrp;
use rustix::termios::{QueueSelector, tcflush, tcgetpgrp, tcgetwinsize};
use tokio::sync::{Mutex, mpsc};
use tokio::time::Instant;

use crate::line_mode::{Entered as Read, LineMode};
use crate::printer::{Place, Printer};
use crate::terminal::{in_time, offer};

/// The terminal of this process.
pub(crate) struct Tty {
    read: File,
    pub(crate) write: File,
}

impl Tty {
    /// The terminal, if there is one to which we may speak: a program in the background would be stopped if it read.
    pub(crate) fn open() -> Option<Self> {
        let read = File::open("/dev/tty").ok()?;
        let write = OpenOptions::new().write(true).open("/dev/tty").ok()?;
        let is_ours = tcgetpgrp(&read).is_ok_and(|group| group == getpgrp());
        (read.is_terminal() && is_ours).then_some(Self { read, write })
    }

    /// How wide it is.
    pub(crate) fn columns(&self) -> usize {
        match tcgetwinsize(&self.write).map_or(0, |size| usize::from(size.ws_col)) {
            0 => 80,
            columns => columns.clamp(20, 400),
        }
    }

    /// Its lines, one after another. They end when the terminal hangs up or says end of input.
    pub(crate) fn lines(self) -> std::io::Result<mpsc::Receiver<Entered>> {
        let (lines, received) = mpsc::channel(16);
        let read = move || {
            let mut reader = BufReader::new(self.read);
            let mut line = Vec::new();
            while let Ok(1..) = reader.read_until(b'\n', &mut line) {
                let text = String::from_utf8_lossy(&std::mem::take(&mut line)).into_owned();
                let line = text.trim_end_matches(['\n', '\r']).to_owned();
                if lines.blocking_send(Entered { line, at: Instant::now() }).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("terminal".to_owned()).spawn(read)?;
        Ok(received)
    }
}

/// Draws questions as rows.
pub(crate) struct LineConsole {
    printer: Printer,
    tty: File,
    columns: usize,
    shown: Option<LineMode>,
    /// the row that says what to type: it is shown when a line counts
    hint: Option<String>,
}

impl LineConsole {
    /// Draws through that printer, on that terminal with so many columns.
    pub(crate) const fn new(printer: Printer, tty: File, columns: usize) -> Self {
        Self { printer, tty, columns, shown: None, hint: None }
    }

    /// Half a line was not meant for what comes. What cannot be forgotten counts no more than it did.
    fn forget_keys(&self) {
        let _ = tcflush(&self.tty, QueueSelector::IFlush);
    }

    fn rows(&self, rows: &[String]) {
        self.printer.print(Place::Terminal, format!("{}\n", rows.join("\n")));
    }
}

impl Console for LineConsole {
    fn show(&mut self, up: &Waiting, behind: &Behind, drawn: Drawn) {
        let question = LineMode::new(Offer::clone(&up.offer), self.columns);
        let mut rows = question.rows(behind.count);
        self.hint = rows.pop();
        let rows = format!("{}\n", rows.join("\n"));
        self.printer.print_then(rows, Box::new(|| drawn.tell()));
        self.shown = Some(question);
    }

    fn arm(&mut self) {
        self.forget_keys();
        if let Some(hint) = self.hint.take() {
            self.rows(&[hint]);
        }
    }

    fn enter(&mut self, line: &str) -> Option<Said> {
        match self.shown.as_mut()?.enter(line) {
            Read::Said(said) => Some(said),
            Read::Again(hint) => {
                self.rows(&[format!("  {hint}")]);
                None
            }
            Read::Next(rows) => {
                self.rows(&rows);
                None
            }
        }
    }

    fn close(&mut self, over: &Waiting, end: &End) {
        if self.shown.as_ref().is_none_or(|shown| *shown.key() != over.offer.key) {
            return;
        }
        // Of a question that is over nothing more needs to be drawn, however slow the terminal is.
        self.printer.forget_terminal();
        self.forget_keys();
        self.hint = None;
        if self.shown.take().is_some() && !matches!(end, End::Answered { .. } | End::Declined) {
            self.rows(&[format!("  (over: {})", codec::text::visible(&end.told()))]);
        }
    }

    fn object(&mut self, _: Option<&Key>, why: &str) {
        self.rows(&[format!("  {}", codec::text::visible(why))]);
    }
}

/// The person at the terminal, without a router between.
pub(crate) struct AtTheTerminal {
    printer: Printer,
    tty: File,
    columns: usize,
    /// who asks
    label: String,
    lines: Mutex<mpsc::Receiver<Entered>>,
}

impl AtTheTerminal {
    /// Whoever sits there.
    pub(crate) fn new(tty: Tty, label: &str) -> std::io::Result<Self> {
        let (columns, write, flushed) = (tty.columns(), tty.write.try_clone()?, tty.write.try_clone()?);
        // What was typed before there was a question is no answer to it.
        let _ = tcflush(&flushed, QueueSelector::IFlush);
        let lines = Mutex::new(tty.lines()?);
        let printer = Printer::start(Some(write))?;
        Ok(Self { printer, tty: flushed, columns, label: label.to_owned(), lines })
    }

    /// Waits until all is drawn.
    pub(crate) fn finish(&self) {
        self.printer.finish(Duration::from_millis(200));
    }

    async fn answer(&self, question: &Arc<Question>) -> Said {
        let mut lines = self.lines.lock().await;
        let Ok(tty) = self.tty.try_clone() else { return Said::Lost };
        let mut console = LineConsole::new(self.printer.clone(), tty, self.columns);
        let question = LineMode::new(offer(question, &self.label, 1), self.columns);
        let since = Instant::now();
        console.rows(&question.rows(0));
        console.shown = Some(question);
        while let Some(Entered { line, at }) = lines.recv().await {
            if at < since {
                continue;
            }
            if let Some(said) = console.enter(&line) {
                return said;
            }
        }
        // The end of the input is a person who leaves.
        Said::Decline
    }
}

impl Person for AtTheTerminal {
    async fn ask(&self, question: Question) -> Result<Json<'static>, NotAnswered> {
        let question = Arc::new(question);
        in_time(&question, self.answer(&question)).await
    }
}
