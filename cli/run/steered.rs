//! The agents of a run, for whoever steers them from another shell.
//!
//! Decides nothing: what is wanted goes the way that the keys of the terminal go.

use std::cell::RefCell;
use std::rc::Rc;

use actors::agent::Reins;
use actors::ports::{AgentState, Agents};
use codec::id::Path;
use uuid::Uuid;

use super::cast::Cast;
use super::leader::{Leader, Wish};
use crate::term::style::{Colour, Row, Span, Style};
use crate::voice::Voice;

/// The agents of this run.
pub(super) struct Steered {
    leader: Leader,
    cast: Rc<RefCell<Cast>>,
    voice: Voice,
    is_alone: bool,
}

impl Steered {
    /// Those of that cast, led by the person.
    pub(super) fn of(
        leader: &Leader,
        cast: &Rc<RefCell<Cast>>,
        voice: &Voice,
        is_alone: bool,
    ) -> Rc<dyn Agents> {
        let (leader, cast) = (leader.clone(), Rc::clone(cast));
        Rc::new(Self { leader, cast, voice: voice.clone(), is_alone })
    }

    /// Leads the agent of that path, if it runs.
    fn lead(&self, path: &Path, how: impl FnOnce(&Reins)) -> bool {
        let mut cast = self.cast.borrow_mut();
        let reins = cast.meant(Some(path)).find_map(|actor| actor.reins.as_ref());
        reins.map(how).is_some()
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
        let mut cast = self.cast.borrow_mut();
        let running = cast.meant(None).filter(|actor| actor.reins.is_some());
        running
            .map(|actor| {
                let scene = actor.scene.borrow();
                let doing = Some(scene.story.doing());
                AgentState {
                    path: actor.path.clone(),
                    doing: doing.filter(|doing| !doing.is_empty() && !scene.story.is_idle()),
                    cost_usd: scene.story.cost(),
                    is_waiting: scene.decisions.is_waiting(),
                }
            })
            .collect()
    }

    fn announce(&self, to: Option<&Path>, text: &str) -> Option<String> {
        let uuid = Uuid::new_v4().to_string();
        self.cast.borrow_mut().line_is_from_here(&uuid);
        for actor in self.cast.borrow_mut().meant(None) {
            // As the router has it: what is for the run is for its agents.
            let is_meant = to.is_none_or(|to| actor.path.labels().starts_with(to.labels()));
            if let Some(reins) = actor.reins.as_ref().filter(|_| is_meant) {
                reins.sends(uuid.clone(), text.to_owned());
            }
        }
        self.show("→ You, elsewhere: ", text);
        Some(uuid)
    }

    fn interrupt(&self, path: &Path) -> bool {
        let leads = self.lead(path, Reins::interrupts);
        if let (true, Some(scene)) = (leads, self.cast.borrow().of_path(path)) {
            scene.borrow_mut().story.interrupted();
        }
        if leads {
            self.show("  interrupted from another shell", "");
        }
        leads
    }

    fn end(&self, path: &Path) -> bool {
        // A run ends with its only agent, as after Ctrl-C twice; of several the others work on.
        let wish = if self.is_alone { Wish::Out } else { Wish::End(path.clone()) };
        self.lead(path, |_| self.leader.wishes(wish))
    }
}
