//! What an agent came to: judged, shown, and as it is printed.

use std::io::IsTerminal as _;

use actors::agent::verdict::{Exit, Verdict};
use actors::agent::{Ending as Left, Language};
use codec::text::visible_rows;
use tokio::time::Instant;

use super::resume::is_plain;
use super::stage::Stage;
use super::watch::Played;
use super::{Backend, ending, offer};
use crate::args::OutputFormat;
use crate::config::JournalChoice;
use crate::exit::Code;
use crate::render::ending::{Ending, How, block};
use crate::render::tale::Piece;

impl Stage<'_> {
    /// What it came to, with its numbers.
    pub(super) fn judge(&self, Played { stopped, left }: Played) -> (Ending, Code) {
        let Left { exit, stderr, mut account, unread } = *left;
        let scene = self.scene.borrow();
        scene.decisions.settle(&mut account);
        let wishes_denials = matches!(self.job.backend, Backend::Claude { wishes_denials: true, .. });
        let is_untouched = self.job.prompt.text.is_none() && account.is_untouched();
        let verdict = match exit {
            // A conversation in which nobody said anything has no result, and needs none.
            Exit::Code(0) if is_untouched && unread.is_empty() => Verdict::Success,
            _ => account.verdict(exit, &stderr, wishes_denials),
        };
        let verdict = match self.job.language() {
            Language::Claude { .. } => offer::explained(verdict, &stderr),
            Language::Events => verdict,
        };
        let (how, code) =
            ending::came(stopped, verdict, scene.decisions.refused(), self.job.people.is_refused_ok);
        let totals = account.totals();
        let ending = Ending {
            how,
            exit: code.number(),
            lasted: scene.began.elapsed(),
            turns: totals.turns,
            cost: totals.cost,
            tokens: scene.story.tokens(),
            files: scene.story.files(),
            questions: scene.decisions.questions(),
            not_read: unread,
            session: totals.session_id.clone(),
            goes_on_by: totals.session_id.clone().filter(|id| is_plain(id)).map(|id| self.name_of(id)),
        };
        (ending, code)
    }

    /// A run is known by its record, where that can be found again.
    fn name_of(&self, session: String) -> String {
        match &self.job.config.journal {
            JournalChoice::Folder(_) if self.routed.has_record => self.run.id.to_string(),
            _ => session,
        }
    }

    pub(super) fn show(&self, ending: &Ending) {
        if let Some(reports) = &self.reports {
            reports.end(ending);
        }
        let block = block(ending);
        match self.screen() {
            Some(screen) => screen.with(|screen| {
                screen.tell(vec![Piece::Block(block)]);
                screen.run_ended(&called(self.job.name(), &ending.how), Instant::now());
            }),
            // Whoever started this reads the final text, and why there is none.
            None if self.scene.borrow().wanted.is_told_above => {
                let is_text = self.job.format == OutputFormat::Text && !matches!(ending.how, How::Done);
                let heading = block.plain().into_iter().find(|row| !row.is_empty());
                heading.filter(|_| is_text).iter().for_each(|row| self.voice.warn(row));
            }
            None => self.scene.borrow().rows(&self.voice, &block.plain(), None),
        }
    }

    /// What goes to stdout when the terminal is given back.
    pub(super) fn printed(&self, ending: &Ending) -> Option<String> {
        let scene = self.scene.borrow();
        let text = scene.story.final_text();
        match self.job.format {
            OutputFormat::Json | OutputFormat::StreamJson => {
                Some(format!("{}\n", ending::to_json(&self.run.id, ending, text)))
            }
            OutputFormat::Text if self.is_told_already() => None,
            OutputFormat::Text => text.filter(|text| !text.is_empty()).map(for_stdout),
        }
    }

    /// Whether stdout is where all of it was shown.
    fn is_told_already(&self) -> bool {
        let is_on_screen = self.voice.screen().is_some() && !self.job.print;
        is_on_screen || self.scene.borrow().wanted.tells_on_stdout
    }
}

/// The final text as it is, but where a terminal would act upon it.
fn for_stdout(text: &str) -> String {
    if !std::io::stdout().is_terminal() {
        return format!("{text}\n");
    }
    visible_rows(text).map(|row| format!("{row}\n")).collect()
}

/// What a person who looks elsewhere is told.
fn called(name: &str, how: &How) -> String {
    let what = match how {
        How::Done => "is done",
        How::Undecided(_) => "is done, but something was refused",
        How::Failed(_) => "failed",
        How::Rejected => "was rejected",
        How::TimedOut(_) => "took too long",
        How::Interrupted | How::Stopped(_) => "was stopped",
    };
    format!("{name} {what}")
}
