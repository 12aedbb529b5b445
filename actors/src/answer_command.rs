//! The actor of the user's answer command: a desk that is a program.
//!
//! Runs the command once for each question, with the question as JSON on its stdin, a few at a time and fewer for the
//! same asker; the others wait their turn. What it prints is the answer, and is checked like everybody's. Decides nothing. A program whose question
//! ends first is killed with its group. Ends with the run.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use actix::prelude::*;
use codec::id::Key;
use codec::json::{Json, Text, Written as _};
use codec::tunnel::AnswerSource;
use tokio::sync::Semaphore;

use crate::desk::{Desk, Place, sit_down};
use crate::messages::{AreYouSeated, DeskMail};
use crate::process::{Finished, run_shell, tail};
use crate::router::{AskerId, DeskInfo, News, Offer, Router, Said};

/// How many of its programs run at a time.
const AT_ONCE: usize = 32;
/// How many of them for the same asker.
const OF_ONE_ASKER: usize = 4;

/// What a person should know about a question that the command did not answer.
pub type Complain = Box<dyn Fn(&str)>;

/// The actor of the answer command.
pub struct AnswerCommand {
    line: Rc<str>,
    /// variables that the programs do not see
    without: &'static [&'static str],
    place: Place,
    turns: Rc<Semaphore>,
    /// nobody who asks takes all turns
    turns_of: HashMap<AskerId, Rc<Semaphore>>,
    running: HashMap<Key, SpawnHandle>,
    complain: Complain,
}

impl AnswerCommand {
    /// A desk that answers by that command line. `complain` says what goes wrong.
    #[must_use]
    pub fn new(
        line: &str,
        without: &'static [&'static str],
        router: Addr<Router>,
        complain: Complain,
    ) -> Self {
        Self {
            line: line.into(),
            without,
            place: Place::with(router),
            turns: Rc::new(Semaphore::new(AT_ONCE)),
            turns_of: HashMap::new(),
            running: HashMap::new(),
            complain,
        }
    }

    fn ask(&mut self, offer: &Arc<Offer>, ctx: &mut Context<Self>) {
        let (line, without, input) = (Rc::clone(&self.line), self.without, described(offer));
        let (turns, own) = (Rc::clone(&self.turns), self.turns_of(offer.asker));
        let asked = offer.key.clone();
        let asking = async move {
            // Never closed, so there is always a turn.
            let _own = own.acquire().await;
            let _turn = turns.acquire().await;
            tracing::debug!(key = %asked, "the answer command is run");
            run_shell(&line, input.as_bytes(), without).await
        };
        let key = offer.key.clone();
        let asking = asking.into_actor(self).map(move |finished, desk, _| {
            desk.running.remove(&key);
            let code = finished.as_ref().ok().and_then(|finished| finished.status.code());
            tracing::debug!(%key, code, "the answer command ended");
            let said = finished.map_err(|error| error.to_string()).and_then(|finished| said_by(&finished));
            desk.say(key, said);
        });
        self.running.insert(offer.key.clone(), ctx.spawn(asking));
    }

    /// The turns of one who asks. Whoever has none under way is forgotten.
    fn turns_of(&mut self, asker: AskerId) -> Rc<Semaphore> {
        self.turns_of.retain(|_, turns| Rc::strong_count(turns) > 1);
        Rc::clone(self.turns_of.entry(asker).or_insert_with(|| Rc::new(Semaphore::new(OF_ONE_ASKER))))
    }

    /// What it said, or why it said nothing that counts: then others may answer.
    fn say(&self, key: Key, said: Result<Said, String>) {
        let said = said.unwrap_or_else(|why| {
            let why = format!("The answer command failed: {why}");
            (self.complain)(&format!("{key}: {why}"));
            Said::GiveBack(why)
        });
        self.place.say(key, said);
    }
}

/// A question as a program of the person's sees it.
pub(crate) fn described(offer: &Offer) -> String {
    let question = &offer.question;
    let json = Json::object(|out| {
        out.raw_member("\"v\"", "1");
        out.member("key", |to| offer.key.write(to));
        out.member("path", |to| Text::new(&offer.path).write(to));
        if let Some(pid) = offer.pid {
            out.member("pid", |to| pid.write(to));
        }
        out.raw_member("\"kind\"", Text::new(question.kind().word()).raw());
        out.raw_member("\"config\"", question.config().as_ref().map_or("{}", Json::raw));
        if let Some(tool) = question.tool() {
            out.raw_member("\"tool\"", tool.described().raw());
        }
        out.raw_member("\"deadlineMs\"", &offer.left_ms.map_or("null".to_owned(), |left| left.to_string()));
    });
    format!("{}\n", json.raw())
}

/// Exit 0 and a value answers, exit 1 declines, anything else is an error.
fn said_by(finished: &Finished) -> Result<Said, String> {
    match finished.status.code() {
        Some(0) => {
            let printed = std::str::from_utf8(&finished.stdout).ok().map(str::trim);
            let value = printed.and_then(Json::parse).map(Json::into_owned);
            value
                .map(Said::Answer)
                .ok_or_else(|| format!("it printed no JSON value: {}", tail(&finished.stdout)))
        }
        Some(1) => Ok(Said::Decline),
        _ => Err(finished.failure()),
    }
}

impl Actor for AnswerCommand {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        sit_down(self, DeskInfo::new("command", AnswerSource::Command), ctx);
    }
}

impl Desk for AnswerCommand {
    fn place(&mut self) -> &mut Place {
        &mut self.place
    }
}

impl Handler<AreYouSeated> for AnswerCommand {
    type Result = ();

    /// The mailbox is not read before there is a seat.
    fn handle(&mut self, AreYouSeated: AreYouSeated, _: &mut Self::Context) {}
}

impl Handler<DeskMail> for AnswerCommand {
    type Result = ();

    fn handle(&mut self, mail: DeskMail, ctx: &mut Self::Context) {
        match mail {
            DeskMail::Offered(offer) => self.ask(&offer, ctx),
            DeskMail::Withdrawn(key, _) => {
                if let Some(asking) = self.running.remove(&key) {
                    ctx.cancel_future(asking);
                }
            }
            DeskMail::News(key, News::Unfit(why)) => {
                self.say(key, Err(format!("its answer does not fit: {why}")));
            }
            DeskMail::News(_, News::Late) => {}
        }
    }
}

#[cfg(test)]
mod tests;
