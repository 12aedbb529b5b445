//! The person's part in a demo that nobody watches at a terminal: every question gets a yes, and one line is typed.
//!
//! Owns what is answered and typed, the rows that tell it, and that no rule of the user counts in a demo. Only for the
//! demo's own agent. Ends with the run.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use actix::{Actor as _, Addr};
use actors::gate::Gate;
use actors::messages::Typed;
use actors::question::{Asks, Tool};
use actors::router::{Offer, Router, Said};
use actors::scripted::{Part, Scripted};
use actors::tunnel::Parent;
use codec::id::Path;
use codec::json::{Json, Object};
use codec::text::visible;
use codec::tunnel::PromptKind;
use tokio::time::sleep;
use uuid::Uuid;

use super::part;
use super::scene::Scene;
use super::{Backend, Job};
use crate::args::Speed;
use crate::demo::QUESTION;
use crate::environment::Environment;
use crate::rules::{self, Below};
use crate::terminal::At;
use crate::voice::Voice;

/// How long an answer takes, and a line.
const MOMENT: Duration = Duration::from_millis(700);

/// What is typed while the agent works.
const LINE: &str = "also look at the changelog";

/// Whoever plays the person.
struct Player {
    path: Path,
    prompt: String,
    router: Addr<Router>,
    voice: Voice,
    scene: Rc<RefCell<Scene>>,
    moment: Duration,
    has_typed: bool,
}

/// Whether the demo plays the person's part: nobody is there who could.
pub(super) fn is_played(job: &Job, parent: Option<&Parent>, at: Option<&At>) -> bool {
    matches!(job.backend, Backend::Demo { .. }) && parent.is_none() && at.is_none()
}

/// The rules in force. A demo is the same for everybody.
pub(super) fn gate(job: &Job, environment: &Environment, voice: &Voice) -> Gate {
    let below = match job.is_nested {
        false => Below::Nobody,
        true if job.loosens.is_empty() => Below::Asked,
        true => Below::Agreed,
    };
    match job.backend {
        Backend::Claude { .. } | Backend::Stream(_) => {
            rules::in_force(environment, &job.config.rules, &job.rules, below, |what| voice.warn(what))
        }
        Backend::Demo { .. } => Gate::new(job.rules.clone(), rules::place(environment)),
    }
}

/// Takes a seat in a demo. Nobody else's questions are answered so.
pub(super) fn seat(
    job: &Job,
    part: &part::Part,
    router: &Addr<Router>,
    voice: &Voice,
) -> Option<Addr<Scripted>> {
    let Backend::Demo { speed } = &job.backend else { return None };
    let moment = if *speed == Some(Speed::Max) { Duration::ZERO } else { MOMENT };
    let player = Player {
        path: part.path.clone(),
        prompt: job.tasks.iter().find_map(|task| task.prompt.text.clone()).unwrap_or_default(),
        router: router.clone(),
        voice: voice.clone(),
        scene: Rc::clone(&part.scene),
        moment,
        has_typed: false,
    };
    Some(Scripted::new(Box::new(player), moment, router.clone()).start())
}

impl Player {
    /// One row where everything is told.
    fn row(&self, row: &str) {
        self.scene.borrow().rows(&self.voice, &[visible(row).into_owned()]);
    }

    /// Types a line a moment later, as somebody who has just answered does.
    fn types(&mut self) {
        if std::mem::replace(&mut self.has_typed, true) {
            return;
        }
        let (router, voice, scene) = (self.router.clone(), self.voice.clone(), Rc::clone(&self.scene));
        let (to, moment) = (Some(self.path.clone()), self.moment);
        tokio::task::spawn_local(async move {
            sleep(moment).await;
            scene.borrow().rows(&voice, &[format!("→ You: {LINE}")]);
            let input_id = Some(Uuid::new_v4().to_string());
            // Without a router the run is over.
            let _ = router.send(Typed { text: LINE.to_owned(), to, input_id, ..Typed::default() }).await;
        });
    }
}

impl Part for Player {
    fn begins(&mut self) {
        self.row("nobody is at a terminal here, so the demo plays your part as well");
        self.row(&format!("→ You: {}", self.prompt));
    }

    fn asked(&mut self, offer: &Offer) {
        let what = match &offer.question.asks {
            Asks::Permission(tool) => wish(tool),
            _ => format!("asks  {}", offer.question.summary()),
        };
        self.row(&format!("? {} {what}", offer.path));
    }

    fn answers(&mut self, offer: &Offer) -> Said {
        match &offer.question.asks {
            Asks::Permission(_) if offer.path == self.path.to_string() => {
                self.row("✓ the demo answers: yes, once");
                self.types();
                Said::Answer(Json::object(|out| out.raw_member("\"allow\"", "true")))
            }
            Asks::Prompt(PromptKind::Confirm, _) if offer.question.summary() == QUESTION => {
                self.row("✓ the demo answers: yes");
                Said::Answer(Json::of(&true))
            }
            // Somebody else's question is not for a script to answer.
            _ => Said::GiveBack("the demo has no answer to that".to_owned()),
        }
    }
}

fn wish(tool: &Tool) -> String {
    let input = Object::read(tool.input.clone()).ok();
    let command = input.as_ref().and_then(|input| input.peek("command")?.as_text());
    match command {
        Some(command) => format!("wants to run a command  {}", command.get()),
        None => format!("wants to use {}", tool.name.get()),
    }
}
