//! What an agent came to: judged, shown, and as it is printed.

use std::io::IsTerminal as _;

use actors::agent::verdict::{Exit, Verdict};
use actors::agent::{Ending as Left, Language};
use codec::text::visible_rows;
use tokio::time::Instant;

use super::part::Part;
use super::resume::is_plain;
use super::scene::Scene;
use super::stage::Stage;
use super::watch::Played;
use super::{Backend, ending, offer};
use crate::args::OutputFormat;
use crate::config::JournalChoice;
use crate::exit::{self, Code};
use crate::render::Block;
use crate::render::ending::{Ending, How, block};
use crate::render::tale::Piece;

impl Stage<'_> {
    /// What it came to, with its numbers.
    pub(super) fn judge(&self, part: &Part, Played { stopped, left }: Played) -> (Ending, Code) {
        let Left { exit, stderr, mut account, unread } = *left;
        // It is quoted where something failed.
        let stderr = self.environment.secrets.mask(&stderr);
        let scene = part.scene.borrow();
        scene.decisions.settle(&mut account);
        let wishes_denials = matches!(self.job.backend, Backend::Claude { wishes_denials: true, .. });
        let is_untouched = self.job.awaits_words() && account.is_untouched();
        let verdict = match exit {
            // A conversation in which nobody said anything has no result, and needs none.
            Exit::Code(0) if is_untouched && unread.is_empty() => Verdict::Success,
            _ => account.verdict(exit, &stderr, wishes_denials),
        };
        let verdict = match self.job.language() {
            Language::Claude { .. } => offer::explained(verdict, &stderr),
            Language::Events => offer::explained_backend(verdict, &stderr),
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
            goes_on_by: self.goes_on_by(totals.session_id.clone(), code),
            recorded_as: self.recorded_as(),
        };
        (ending, code)
    }

    /// By which name it can be gone on with. A run is known by its record, where that can be found again; but a run of
    /// several agents has several conversations. Of those, only one that is not done is worth a row.
    fn goes_on_by(&self, session: Option<String>, code: Code) -> Option<String> {
        let session = session.filter(|id| is_plain(id))?;
        match &self.job.config.journal {
            _ if !self.job.is_alone() => Some(session).filter(|_| code != exit::SUCCESS),
            JournalChoice::Folder(_) if self.routed.has_record => Some(self.run.id.to_string()),
            _ => Some(session),
        }
    }

    /// By which name its record is found in the folder of all runs. Of several agents the end of all says it.
    fn recorded_as(&self) -> Option<String> {
        let is_found = matches!(self.job.config.journal, JournalChoice::Folder(_)) && self.routed.has_record;
        (is_found && self.job.is_alone()).then(|| self.run.id.to_string())
    }

    pub(super) fn show(&self, part: &Part, ending: &Ending) {
        let (block, scene) = (block(ending), part.scene.borrow());
        if let Some(reports) = &scene.reports {
            reports.end(ending);
        }
        let Some(screen) = self.screen() else { return self.show_in_rows(&scene, ending, &block) };
        screen.with(|screen| {
            match &scene.badge {
                Some(badge) => screen.tell_of(badge, &block),
                None => screen.tell(vec![Piece::Block(block)]),
            }
            if self.job.is_alone() {
                screen.run_ended(&called(&part.name(), &ending.how), Instant::now());
            }
        });
    }

    fn show_in_rows(&self, scene: &Scene, ending: &Ending, block: &Block) {
        if !scene.wanted.is_told_above {
            return scene.rows(&self.voice, &block.plain());
        }
        // Whoever started this reads the final text, and why there is none.
        let is_text = self.job.format == OutputFormat::Text && !matches!(ending.how, How::Done);
        let heading = block.plain().into_iter().find(|row| !row.is_empty());
        heading.filter(|_| is_text).iter().for_each(|row| self.voice.warn(row));
    }

    /// What goes to stdout when the terminal is given back.
    pub(super) fn printed(&self, part: &Part, ending: &Ending) -> Option<String> {
        let scene = part.scene.borrow();
        let text = scene.story.final_text();
        match self.job.format {
            OutputFormat::Json | OutputFormat::StreamJson => {
                Some(format!("{}\n", ending::to_json(&self.run.id, None, ending, text).raw()))
            }
            OutputFormat::Text if self.is_told_already() => None,
            OutputFormat::Text => text.filter(|text| !text.is_empty()).map(for_stdout),
        }
    }

    /// Whether stdout is where all of it was shown.
    pub(super) fn is_told_already(&self) -> bool {
        let is_on_screen = self.voice.screen().is_some() && !self.job.print;
        is_on_screen || self.wanted.tells_on_stdout
    }
}

/// The final text as it is, but where a terminal would act upon it.
pub(super) fn for_stdout(text: &str) -> String {
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
