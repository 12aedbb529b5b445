//! What the person at the terminal does, on its way to the agents of this run.
//!
//! Owns the names of their lines. Decides nothing: a line goes to the router, where it is put on record; that one is on its
//! way the agents hear first, so that none ends under it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use actors::agent::Reins;
use actors::terminal::Fingers;
use codec::id::Path;
use tokio::sync::mpsc;
use uuid::Uuid;

use super::cast::{Below, Cast, Early};
use crate::desks::Sitter;
use crate::term::handle::Handle;
use crate::term::screen::Act;
use crate::term::style::{Row, Style};

/// What the run itself must hear of the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wish {
    /// out: Ctrl-C twice
    Out,
    /// that this was all: Ctrl-D
    Finish,
    /// one of several agents to end
    End(Path),
    /// the line has text, or not
    Line(bool),
    /// nothing any more: the terminal is gone
    Gone,
}

/// The way from the person to the agents.
#[derive(Clone)]
pub(super) struct Leader {
    cast: Rc<RefCell<Cast>>,
    wishes: mpsc::UnboundedSender<Wish>,
    /// that the agent has commands of its own was said, or it has none
    told_slash: Rc<Cell<bool>>,
    /// it says what it read, and can give back what it has not
    is_claude: bool,
    /// there is one agent and no more: it does not end under a line with text in it
    is_alone: bool,
}

const SLASH: &str = "  (what begins with / is a command of Claude Code, and goes there as such)";

impl Leader {
    pub(super) fn new(
        cast: Rc<RefCell<Cast>>,
        is_claude: bool,
        is_alone: bool,
    ) -> (Self, mpsc::UnboundedReceiver<Wish>) {
        let (wishes, heard) = mpsc::unbounded_channel();
        let told_slash = Rc::new(Cell::new(!is_claude));
        (Self { cast, wishes, told_slash, is_claude, is_alone }, heard)
    }

    /// Whoever sits at the terminal.
    pub(super) fn sitter(&self, screen: Option<Handle>) -> Sitter {
        let (leader, leaver, has_screen) = (self.clone(), self.clone(), screen.is_some());
        Sitter {
            does: Box::new(move |act, fingers| leader.does(act, fingers, screen.as_ref())),
            gone: Box::new(move || leaver.leaves(has_screen)),
        }
    }

    /// The terminal takes or gives nothing any more. Without a screen that is how a person says that this was all: Ctrl-D.
    fn leaves(&self, has_screen: bool) {
        if has_screen {
            return self.wishes(Wish::Gone);
        }
        self.lead(None, Reins::ends_it);
        self.wishes(Wish::Finish);
    }

    fn does(&self, act: Act, fingers: &Fingers, screen: Option<&Handle>) {
        match act {
            Act::Send { number, text, to } => self.sends(number, text, to, fingers, screen),
            Act::TakeBack(number) => self.takes_back(number, screen),
            Act::Interrupt(to) => self.interrupts(to.as_ref()),
            Act::Line(has_text) => {
                // Of several none waits for a line that may never be sent: a night would be lost by it.
                if self.is_alone {
                    self.lead(None, |reins| reins.has_text(has_text));
                }
                self.wishes(Wish::Line(has_text));
            }
            Act::Finish => {
                self.lead(None, Reins::ends_it);
                self.wishes(Wish::Finish);
            }
            Act::End => self.wishes(Wish::Out),
            Act::Say(..) | Act::Suspend | Act::Call(_) => {}
        }
    }

    fn interrupts(&self, to: Option<&Path>) {
        // Which of several is meant must be said: nobody wants all of their work to stop by one key.
        if to.is_none() && !self.is_alone {
            return;
        }
        let scenes = match to {
            Some(to) => self.cast.borrow().of_path(to).into_iter().collect(),
            None => self.cast.borrow().scenes(),
        };
        scenes.iter().for_each(|scene| scene.borrow_mut().story.interrupted());
        self.lead(to, Reins::interrupts);
    }

    /// Tells the run what the person wants.
    pub(super) fn wishes(&self, wish: Wish) {
        // A run that is over needs no telling.
        let _ = self.wishes.send(wish);
    }

    fn lead(&self, to: Option<&Path>, how: impl Fn(&Reins)) {
        self.cast.borrow_mut().meant(to).filter_map(|actor| actor.reins.as_ref()).for_each(how);
    }

    fn sends(&self, number: u64, text: String, to: Option<Path>, fingers: &Fingers, screen: Option<&Handle>) {
        let uuid = Uuid::new_v4().to_string();
        let is_for_agent = self.cast.borrow_mut().meant(to.as_ref()).next().is_some();
        self.lead(to.as_ref(), |reins| reins.sends(uuid.clone(), text.clone()));
        match screen {
            // Not all of those further down say when they read it, nor can one that speaks stream events give it back.
            Some(screen) if !is_for_agent || !self.is_claude => screen.with(|screen| screen.was_read(number)),
            _ => self.cast.borrow_mut().line_waits(&uuid, number, to.as_ref()),
        }
        if let (false, Some(to)) = (is_for_agent, &to) {
            let (id, to, text) = (uuid.clone(), to.to_string(), text.clone());
            self.cast.borrow_mut().line_goes_below(Below { id, to, text });
        }
        if let (true, true, Some(screen)) = (is_for_agent, text.starts_with('/'), screen)
            && !self.told_slash.replace(true)
        {
            screen.with(|screen| screen.note(vec![Row::own(Style::DIM, SLASH)]));
        }
        if self.is_early(&uuid, &text, to.as_ref()) {
            return;
        }
        fingers.send(text, to, Some(uuid));
    }

    /// An agent that is not there yet hears the line when it is. What is for all goes to those who are.
    fn is_early(&self, uuid: &str, text: &str, to: Option<&Path>) -> bool {
        let mut cast = self.cast.borrow_mut();
        let is_for_one = self.is_alone || to.is_some();
        let Some(actor) = cast.meant(to).find(|actor| actor.reins.is_none()).filter(|_| is_for_one) else {
            return false;
        };
        actor.early.push(Early { uuid: uuid.to_owned(), text: text.to_owned(), to: to.cloned() });
        true
    }

    fn takes_back(&self, number: u64, screen: Option<&Handle>) {
        let Some((uuid, to)) = self.cast.borrow().line_numbered(number) else { return };
        let mut cast = self.cast.borrow_mut();
        let early = cast.meant(to.as_ref()).find_map(|actor| {
            let at = actor.early.iter().position(|line| line.uuid == uuid)?;
            Some(actor.early.remove(at))
        });
        match (early, screen) {
            (Some(_), Some(screen)) => {
                cast.line_is_over(&uuid);
                screen.with(|screen| screen.was_taken_back(number));
            }
            _ => {
                drop(cast);
                self.lead(to.as_ref(), |reins| reins.takes_back(uuid.clone()));
            }
        }
    }
}
