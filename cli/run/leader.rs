//! What the person at the terminal does, on its way to the agent of this run.
//!
//! Owns the names of their lines. Decides nothing: a line goes to the router, where it is put on record; that one is on its
//! way the agent hears first, so that it does not end under it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use actors::agent::Reins;
use actors::terminal::Fingers;
use codec::id::Path;
use tokio::sync::mpsc;
use uuid::Uuid;

use super::scene::{Elsewhere, Scene};
use crate::desks::Sitter;
use crate::term::handle::Handle;
use crate::term::screen::Act;
use crate::term::style::{Row, Style};

/// What the run itself must hear of the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// out: Ctrl-C twice
    Out,
    /// that this was all: Ctrl-D
    Finish,
    /// the line has text, or not
    Line(bool),
    /// nothing any more: the terminal is gone
    Gone,
}

/// The way from the person to the agent.
#[derive(Clone)]
pub(super) struct Leader {
    /// of the agent that runs, if one does
    pub(super) reins: Rc<RefCell<Option<Reins>>>,
    scene: Rc<RefCell<Scene>>,
    wishes: mpsc::UnboundedSender<Wish>,
    path: Path,
    /// that the agent has commands of its own was said, or it has none
    told_slash: Rc<Cell<bool>>,
    /// it says what it read, and can give back what it has not
    is_claude: bool,
    /// lines for an agent that is not there yet
    early: Rc<RefCell<Vec<Early>>>,
}

/// A line that was typed while the agent starts.
struct Early {
    uuid: String,
    text: String,
    to: Option<Path>,
}

const SLASH: &str = "  (what begins with / is a command of Claude Code, and goes there as such)";

impl Leader {
    pub(super) fn new(
        path: Path,
        scene: Rc<RefCell<Scene>>,
        is_claude: bool,
    ) -> (Self, mpsc::UnboundedReceiver<Wish>) {
        let (wishes, heard) = mpsc::unbounded_channel();
        let (reins, told_slash, early) = (Rc::default(), Rc::new(Cell::new(!is_claude)), Rc::default());
        (Self { reins, scene, wishes, path, told_slash, is_claude, early }, heard)
    }

    /// Whoever sits at the terminal.
    pub(super) fn sitter(&self, screen: Option<Handle>) -> Sitter {
        let (leader, leaver, has_screen) = (self.clone(), self.clone(), screen.is_some());
        Sitter {
            does: Box::new(move |act, fingers| leader.does(act, fingers, screen.as_ref())),
            gone: Box::new(move || leaver.leaves(has_screen)),
        }
    }

    /// The agent is there: it hears what was typed so far.
    pub(super) fn leads(&self, reins: &Reins) {
        *self.reins.borrow_mut() = Some(reins.clone());
        for Early { uuid, text, to } in self.early.borrow_mut().drain(..) {
            reins.types(uuid, text, to);
        }
    }

    /// The terminal takes or gives nothing any more. Without a screen that is how a person says that this was all: Ctrl-D.
    fn leaves(&self, has_screen: bool) {
        if has_screen {
            return self.wishes(Wish::Gone);
        }
        self.lead(Reins::ends_it);
        self.wishes(Wish::Finish);
    }

    /// Lines for an agent that never came, or was gone by then.
    pub(super) fn undelivered(&self) -> Vec<String> {
        self.early.borrow_mut().drain(..).map(|line| line.text).collect()
    }

    fn does(&self, act: Act, fingers: &Fingers, screen: Option<&Handle>) {
        match act {
            Act::Send { number, text, to } => self.sends(number, text, to, fingers, screen),
            Act::TakeBack(number) => self.takes_back(number, screen),
            Act::Interrupt(to) if self.is_for_agent(to.as_ref()) => {
                self.scene.borrow_mut().story.interrupted();
                self.lead(Reins::interrupts);
            }
            Act::Line(has_text) => {
                self.lead(|reins| reins.has_text(has_text));
                self.wishes(Wish::Line(has_text));
            }
            Act::Finish => {
                self.lead(Reins::ends_it);
                self.wishes(Wish::Finish);
            }
            Act::End => self.wishes(Wish::Out),
            Act::Interrupt(_) | Act::Say(..) | Act::Suspend | Act::Call(_) => {}
        }
    }

    fn is_for_agent(&self, to: Option<&Path>) -> bool {
        to.is_none_or(|to| *to == self.path)
    }

    /// Tells the run what the person wants.
    pub(super) fn wishes(&self, wish: Wish) {
        // A run that is over needs no telling.
        let _ = self.wishes.send(wish);
    }

    fn lead(&self, how: impl FnOnce(&Reins)) {
        if let Some(reins) = &*self.reins.borrow() {
            how(reins);
        }
    }

    fn sends(&self, number: u64, text: String, to: Option<Path>, fingers: &Fingers, screen: Option<&Handle>) {
        let uuid = Uuid::new_v4().to_string();
        let is_for_agent = self.is_for_agent(to.as_ref());
        if is_for_agent {
            self.lead(|reins| reins.sends(uuid.clone(), text.clone()));
        }
        match screen {
            // Not all of those further down say when they read it, nor can one that speaks stream events give it back.
            Some(screen) if !is_for_agent || !self.is_claude => screen.with(|screen| screen.was_read(number)),
            _ => _ = self.scene.borrow_mut().lines.insert(uuid.clone(), number),
        }
        if let (false, Some(to)) = (is_for_agent, &to) {
            let (id, to, text) = (uuid.clone(), to.to_string(), text.clone());
            self.scene.borrow_mut().goes_elsewhere(Elsewhere { id, to, text });
        }
        if let (true, true, Some(screen)) = (is_for_agent, text.starts_with('/'), screen)
            && !self.told_slash.replace(true)
        {
            screen.with(|screen| screen.note(vec![Row::own(Style::DIM, SLASH)]));
        }
        if is_for_agent && self.reins.borrow().is_none() {
            return self.early.borrow_mut().push(Early { uuid, text, to });
        }
        fingers.send(text, to, Some(uuid));
    }

    fn takes_back(&self, number: u64, screen: Option<&Handle>) {
        let uuid =
            self.scene.borrow().lines.iter().find(|(_, at)| **at == number).map(|(uuid, _)| uuid.clone());
        let Some(uuid) = uuid else { return };
        let early = self.early.borrow().iter().position(|line| line.uuid == uuid);
        match (early, screen) {
            (Some(at), Some(screen)) => {
                self.early.borrow_mut().remove(at);
                screen.with(|screen| screen.was_taken_back(number));
            }
            _ => self.lead(|reins| reins.takes_back(uuid)),
        }
    }
}
