//! A run of one agent: asked about its folder, started, watched, and gone on with if it failed and the person wants that.

use actors::messages::Typed;

use super::leader::Wish;
use super::offer;
use super::part::Part;
use super::stage::{Over, Stage};
use super::watch::{AtWork, Came, Played};
use crate::routed::Failed;
use crate::signals::Caught;
use crate::term::screen::status::Status;
use crate::term::style::{Colour, Row, Span, Style};

impl Stage<'_> {
    /// Runs the agent; and again, if it failed and the person wants to go on. Says what is to be printed, and the exit code.
    pub(super) async fn alone(&mut self, mut part: Part) -> Result<Over, Failed> {
        let mut resume = None;
        loop {
            // Also before it goes on: it may have written what runs unasked the next time.
            if let Some(stopped) = self.trusts(&part).await? {
                let (part, played) = self.stopped_before(part, stopped);
                return Ok(self.over(&part, played));
            }
            let prompt = match resume {
                None => self.first_prompt(&part),
                Some(_) => Some(self.begins_with(&part, offer::CONTINUE.to_owned())),
            };
            let (played_part, played) = self.agent(part, prompt, resume.as_deref()).await?;
            let was_stopped = played.stopped.is_some();
            let (ending, code) = self.judge(&played_part, played);
            self.show(&played_part, &ending);
            match offer::goes_on(self, &played_part, &ending).await {
                Some(session) => {
                    resume = Some(session);
                    part = played_part;
                    part.reins = None;
                    self.cast.borrow_mut().enters(&part);
                }
                None => {
                    let caught = if was_stopped { None } else { self.linger().await };
                    let code = caught.map_or(code, |caught| caught.code());
                    return Ok(Over { text: self.printed(&played_part, &ending), code, was_stopped });
                }
            }
        }
    }

    /// It ended before it began.
    pub(super) fn over(&self, part: &Part, played: Played) -> Over {
        let (ending, code) = self.judge(part, played);
        self.show(part, &ending);
        Over { text: self.printed(part, &ending), code, was_stopped: true }
    }

    pub(super) fn first_prompt(&self, part: &Part) -> Option<Typed> {
        let prompt = &self.job.tasks.get(part.number)?.prompt;
        let text = prompt.text.clone()?;
        Some(Typed { images: prompt.images.clone(), ..self.begins_with(part, text) })
    }

    /// Starts the agent, and waits for its end.
    async fn agent(
        &mut self,
        part: Part,
        prompt: Option<Typed>,
        resume: Option<&str>,
    ) -> Result<(Part, Played), Failed> {
        let mut at_work = AtWork::default();
        if let Some(over) = self.begin(part, prompt, resume, &mut at_work).await? {
            return Ok(over);
        }
        loop {
            if let Came::Ended(part, played) = self.watch(&mut at_work, std::future::pending()).await {
                return Ok((part, played));
            }
        }
    }

    /// A run does not end under a line with text in it, unless a signal ends it.
    pub(super) async fn linger(&mut self) -> Option<Caught> {
        while self.screen().is_some_and(|screen| screen.with(|screen| screen.has_text())) {
            if let Some(screen) = self.screen() {
                let row = Row::own(Style::of(Colour::Yellow), "  the agent is done; ")
                    .and(Span::own(Style::DIM, "your line is still here: Ctrl-C clears it and ends"));
                screen.with(|screen| screen.set_status(Some(Status::Says(row))));
            }
            tokio::select! {
                caught = self.signals.next() => {
                    self.note(caught).await;
                    return Some(caught);
                }
                wish = self.wishes.recv() => match wish {
                    Some(Wish::Out | Wish::Finish | Wish::Gone) | None => return None,
                    Some(Wish::Line(_) | Wish::End(_)) => {}
                },
            }
        }
        None
    }
}
