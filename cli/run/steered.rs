//! The agent of a run, for whoever steers it from another shell.
//!
//! Decides nothing: what is wanted goes the way that the keys of the terminal go.

use std::cell::RefCell;
use std::rc::Rc;

use actors::agent::Reins;
use actors::ports::{AgentState, Agents};
use codec::id::Path;
use uuid::Uuid;

use super::leader::{Leader, Wish};
use super::scene::Scene;
use crate::term::style::{Colour, Row, Span, Style};
use crate::voice::Voice;

/// The agent of this run.
pub(super) struct Steered {
    leader: Leader,
    scene: Rc<RefCell<Scene>>,
    voice: Voice,
    path: Path,
}

impl Steered {
    /// The agent of that path, led by the person.
    pub(super) fn of(
        leader: &Leader,
        scene: &Rc<RefCell<Scene>>,
        voice: &Voice,
        path: &Path,
    ) -> Rc<dyn Agents> {
        let (leader, scene) = (leader.clone(), Rc::clone(scene));
        Rc::new(Self { leader, scene, voice: voice.clone(), path: path.clone() })
    }

    /// Leads the agent of that path, if it runs.
    fn lead(&self, path: &Path, how: impl FnOnce(&Reins)) -> bool {
        match &*self.leader.reins.borrow() {
            Some(reins) if *path == self.path => {
                how(reins);
                true
            }
            _ => false,
        }
    }

    /// Whoever sits at the terminal sees what was said and done from elsewhere.
    fn show(&self, what: &'static str, text: &str) {
        if let Some(screen) = self.voice.terminal() {
            let row = Row::own(Style::of(Colour::Cyan), what)
                .and(Span::foreign(Style::PLAIN, &text.replace('\n', " ")));
            screen.with(|screen| screen.note(vec![row]));
        }
    }
}

impl Agents for Steered {
    fn all(&self) -> Vec<AgentState> {
        if self.leader.reins.borrow().is_none() {
            return Vec::new();
        }
        let scene = self.scene.borrow();
        let doing = Some(scene.story.doing()).filter(|doing| !doing.is_empty() && !scene.story.is_idle());
        vec![AgentState {
            path: self.path.clone(),
            doing,
            cost_usd: scene.story.cost(),
            is_waiting: scene.decisions.is_waiting(),
        }]
    }

    fn announce(&self, to: Option<&Path>, text: &str) -> Option<String> {
        let uuid = Uuid::new_v4().to_string();
        // As the router has it: what is for the run is for its agent.
        if to.is_none_or(|to| self.path.labels().starts_with(to.labels())) {
            self.lead(&self.path, |reins| reins.sends(uuid.clone(), text.to_owned()));
        }
        self.show("→ You, elsewhere: ", text);
        Some(uuid)
    }

    fn interrupt(&self, path: &Path) -> bool {
        let leads = self.lead(path, Reins::interrupts);
        if leads {
            self.scene.borrow_mut().story.interrupted();
            self.show("  interrupted from another shell", "");
        }
        leads
    }

    fn end(&self, path: &Path) -> bool {
        // A run ends with its only agent, as after Ctrl-C twice.
        self.lead(path, |_| self.leader.wishes(Wish::Out))
    }
}
