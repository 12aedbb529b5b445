//! A run of several agents, one after another or some at once: which begins when, what each came to, and all of them.
//!
//! Owns the results, and whether it goes on after a failure, which is asked of a person where there is one. What begins when
//! is decided in `schedule`. One that fails does not touch the others. Ends when nothing is at work and nothing more begins.

mod doubted;
mod told;

use std::pin::Pin;
use std::time::Duration;

use actors::ask::{NotAnswered, prompt_confirm};
use tokio::time::Instant;

use super::asking::Reply;
use super::ending::{self, Stopped};
use super::offer;
use super::part::Part;
use super::schedule::{AfterFailure, Schedule};
use super::stage::{Over, Stage};
use super::watch::{AtWork, Came, Played};
use crate::args::OutputFormat;
use crate::exit::{self, Code};
use crate::render::batch::{self};
use crate::render::ending::{Ending, How, Questions};
use crate::render::tale::Piece;
use crate::routed::Failed;
use doubted::Doubted;

/// Somebody is asked whether it goes on.
type Asking = Option<Pin<Box<dyn Future<Output = bool>>>>;

/// What one task came to.
struct TaskEnd {
    number: usize,
    ending: Ending,
    text: Option<String>,
    is_ticked: bool,
}

/// What is known of a run of several.
struct Batch {
    schedule: Schedule,
    at_work: AtWork,
    results: Vec<TaskEnd>,
    asking: Asking,
    /// the task whose agent waits until somebody trusts the folder
    doubted: Option<Doubted>,
    began: Instant,
}

/// What somebody answered.
enum Heard {
    GoesOn(bool),
    Trusts(Option<Reply>),
}

impl Stage<'_> {
    /// Runs all tasks.
    pub(super) async fn several(&mut self, first: Part) -> Over {
        self.warn_deserted();
        self.warn_of_the_night();
        let after_failure = match self.job.after_failure {
            // Nobody could say no, and the tasks have nothing to do with each other.
            AfterFailure::Ask if !self.can_ask() => AfterFailure::GoOn,
            wish => wish,
        };
        let mut batch = Batch {
            schedule: Schedule::new(self.job.tasks.len(), self.job.jobs, after_failure),
            at_work: AtWork::default(),
            results: Vec::new(),
            asking: None,
            doubted: None,
            began: Instant::now(),
        };
        let mut first = Some(first);
        while !batch.is_over() {
            while let Some(number) = batch.next() {
                let part = first.take().unwrap_or_else(|| self.enters(number));
                self.begins(part, &mut batch).await;
            }
            if batch.is_over() {
                break;
            }
            self.waits(&mut batch).await;
        }
        self.all_over(batch).await
    }

    /// Questions wait for as long as it takes, and so does the work behind them.
    fn warn_of_the_night(&self) {
        let limits = &self.job.limits;
        let open = [("--permission-timeout", limits.permission), ("--question-timeout", limits.question)];
        let open: Vec<&str> =
            open.into_iter().filter(|(_, limit)| limit.is_none()).map(|(flag, _)| flag).collect();
        // Below another tim the person there has their own ways, and an agent reads this.
        let is_here = self.upward.is_none() && self.can_ask();
        if is_here && !open.is_empty() && self.job.format == OutputFormat::Text {
            let flags = open.join(", ");
            self.voice.warn(&format!("questions wait for you, also all night ({flags}, or --unattended)"));
        }
    }

    pub(super) fn enters(&self, number: usize) -> Part {
        let part = Part::new(self.job, self.environment, &self.run, self.wanted, self.relay.as_ref(), number);
        self.cast.borrow_mut().enters(&part);
        part
    }

    /// Starts the agent of a task, if the folder is trusted.
    async fn begins(&mut self, part: Part, batch: &mut Batch) {
        match self.doubts() {
            Some(doubt) => {
                batch.schedule.holds(part.number);
                batch.doubted = Some(self.asks_about(part, doubt));
            }
            None => self.starts(part, batch).await,
        }
    }

    async fn starts(&mut self, part: Part, batch: &mut Batch) {
        let prompt = self.first_prompt(&part);
        let again = part.clone();
        match self.begin(part, prompt, None, &mut batch.at_work).await {
            Ok(None) => {}
            Ok(Some((part, played))) => {
                played.stopped.into_iter().for_each(|stopped| batch.stops(stopped));
                self.task_ended(part, played, batch).await;
            }
            Err(failed) => {
                // The others have the same program.
                if matches!(failed.1.number(), 126 | 127) {
                    batch.schedule.stop();
                }
                self.never_began(&again, failed, batch).await;
            }
        }
    }

    /// Waits until something is over.
    async fn waits(&mut self, batch: &mut Batch) {
        let mut heard = None;
        let came = {
            let (asking, doubted) = (&mut batch.asking, &mut batch.doubted);
            let other = async { heard = Some(somebody_answers(asking, doubted).await) };
            self.watch(&mut batch.at_work, other).await
        };
        match heard {
            Some(Heard::GoesOn(goes_on)) => {
                batch.asking = None;
                batch.schedule.goes_on(goes_on);
            }
            Some(Heard::Trusts(reply)) => self.heard_of_folder(reply, batch).await,
            None => {}
        }
        if let Some(stopped) = batch.at_work.stopped {
            self.all_stop(stopped, batch).await;
        }
        if let Came::Ended(part, played) = came {
            self.task_ended(part, played, batch).await;
        }
        // Whatever ended may have stopped it: it never begins.
        if let Some(Doubted { part, .. }) = batch.doubted.take_if(|_| !batch.schedule.is_holding()) {
            self.leaves(&part);
        }
    }

    /// Nothing more begins.
    async fn all_stop(&mut self, why: Stopped, batch: &mut Batch) {
        batch.asking = None;
        batch.schedule.stop();
        if let Some(Doubted { part, .. }) = batch.doubted.take() {
            let (part, played) = self.stopped_before(part, why);
            self.task_ended(part, played, batch).await;
        }
    }

    /// Its agent will not be there.
    fn leaves(&self, part: &Part) {
        part.scene.borrow_mut().ends(&self.voice, Instant::now());
        self.off_stage(part);
        self.hears(part, false);
    }

    async fn task_ended(&mut self, part: Part, played: Played, batch: &mut Batch) {
        self.off_stage(&part);
        let (ending, code) = self.judge(&part, played);
        let text = part.scene.borrow().story.final_text().map(str::to_owned);
        self.comes_to(&part, ending, code, text, batch).await;
    }

    /// Its agent could not be started, and why.
    async fn never_began(&mut self, part: &Part, (why, code): Failed, batch: &mut Batch) {
        self.leaves(part);
        let ending = Ending {
            how: How::Failed(why),
            exit: code.number(),
            lasted: Duration::ZERO,
            turns: 0,
            cost: None,
            tokens: None,
            files: (0, 0, 0),
            questions: Questions::default(),
            not_read: Vec::new(),
            session: None,
            goes_on_by: None,
            recorded_as: None,
        };
        self.comes_to(part, ending, code, None, batch).await;
    }

    /// What a task came to is shown, printed, ticked and remembered; and what follows from it.
    async fn comes_to(
        &mut self,
        part: &Part,
        ending: Ending,
        code: Code,
        text: Option<String>,
        batch: &mut Batch,
    ) {
        self.show(part, &ending);
        self.print_result(part, &ending, text.as_deref());
        let is_ticked = code == exit::SUCCESS && self.ticks(part.number).await;
        let asks = batch.schedule.ended(part.number, code);
        if let (Some(screen), 1, 1..) = (self.screen(), self.job.at_once(), batch.schedule.left()) {
            // The next agent has a line of its own.
            screen.with(|screen| screen.drop_line());
        }
        if asks {
            batch.asking = Some(self.asks_on(part.number, &ending, batch.schedule.left()));
        }
        batch.results.push(TaskEnd { number: part.number, ending, text, is_ticked });
    }

    /// Ticks the box of a task that is done.
    async fn ticks(&self, number: usize) -> bool {
        let Some(item) = self.job.tasks.get(number).and_then(|task| task.listed.as_ref()) else {
            return false;
        };
        match item.tick().await {
            Ok(()) => true,
            Err(why) => {
                self.voice.warn(&format!("{} was not ticked: {why}", item.file().display()));
                false
            }
        }
    }

    /// Asks a person whether it goes on, the way of every question.
    fn asks_on(&self, number: usize, ending: &Ending, left: usize) -> Pin<Box<dyn Future<Output = bool>>> {
        let (path, task) = (self.listener.path().to_owned(), self.job.name_of(number));
        let rest =
            if left == 1 { "the one task that is".to_owned() } else { format!("the {left} tasks that are") };
        let what = batch::word(&ending.how);
        let message = format!("{task} {what}. Go on with {rest} left?");
        let patience = self.job.limits.permission;
        Box::pin(async move {
            let Some(client) = offer::connect_at(&path).await else { return false };
            match prompt_confirm(&client, &message, None, patience).await {
                Ok(goes_on) => goes_on,
                Err(NotAnswered::Declined | NotAnswered::Invalid(_)) => false,
                // As where nobody can be asked from the beginning.
                Err(NotAnswered::TimedOut { .. } | NotAnswered::Refused(_) | NotAnswered::Disconnected) => {
                    true
                }
            }
        })
    }

    /// All of it is over: what it came to.
    async fn all_over(&mut self, batch: Batch) -> Over {
        let stopped = batch.at_work.stopped;
        let code = stopped.map_or_else(|| batch.schedule.worst(), |stopped| ending::was_stopped(stopped).1);
        let summary = self.summary(&batch, code);
        let block = batch::block(&summary);
        match self.screen() {
            Some(screen) => screen.with(|screen| {
                screen.set_status(None);
                screen.tell(vec![Piece::Block(block)]);
                let done = format!("{} of {} done", summary.done(), summary.tasks.len());
                screen.run_ended(&done, Instant::now());
            }),
            None => self.wanted.rows(&self.voice, &block.plain(), None),
        }
        let text = match self.job.format {
            OutputFormat::Text => self.texts(&batch),
            OutputFormat::Json | OutputFormat::StreamJson => {
                Some(format!("{}\n", self.to_json(&batch, &summary).raw()))
            }
        };
        let caught = if stopped.is_some() { None } else { self.linger().await };
        let code = caught.map_or(code, |caught| caught.code());
        Over { text, code, was_stopped: stopped.is_some() }
    }
}

impl Batch {
    fn next(&mut self) -> Option<usize> {
        if self.at_work.stopped.is_some() { None } else { self.schedule.next() }
    }

    fn stops(&mut self, why: Stopped) {
        self.at_work.stopped = self.at_work.stopped.or(Some(why));
        self.at_work.parts.iter_mut().for_each(|part| part.stops(why));
        self.schedule.stop();
        self.asking = None;
    }

    fn is_over(&self) -> bool {
        let is_asking = self.asking.is_some() || self.doubted.is_some();
        self.schedule.is_over() && self.at_work.parts.is_empty() && !is_asking
    }
}

/// Until somebody answers one of the questions.
async fn somebody_answers(asking: &mut Asking, doubted: &mut Option<Doubted>) -> Heard {
    // Whether it goes on comes first: what may not begin needs no trust.
    let doubted = doubted.as_mut().filter(|_| asking.is_none());
    let trusts = async {
        match doubted {
            Some(doubted) => doubted.reply().await,
            None => std::future::pending().await,
        }
    };
    let goes_on = async {
        match asking {
            Some(asking) => asking.await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        goes_on = goes_on => Heard::GoesOn(goes_on),
        reply = trusts => Heard::Trusts(reply),
    }
}
