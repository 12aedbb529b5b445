//! The agents of a run that are at work, for those who show what they do and for those who lead them.
//!
//! Owns who is at work under which name, and the typed lines that wait to be read. Decides nothing. An agent is here from
//! before its start to its end.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use actors::agent::Reins;
use codec::id::Path;

use super::part::Part;
use super::scene::Scene;

/// One agent.
pub(super) struct Actor {
    pub(super) path: Path,
    wire: String,
    pub(super) scene: Rc<RefCell<Scene>>,
    /// when it is there
    pub(super) reins: Option<Reins>,
    /// lines for it that were typed before
    pub(super) early: Vec<Early>,
}

/// A line that was typed while the agent starts.
pub(super) struct Early {
    pub(super) uuid: String,
    pub(super) text: String,
    pub(super) to: Option<Path>,
}

/// A line that waits to be read.
struct Line {
    /// as the screen numbers it
    number: u64,
    to: Option<Path>,
}

/// A line that went to somebody further down.
pub(super) struct Below {
    pub(super) id: String,
    pub(super) to: String,
    pub(super) text: String,
}

/// So many are remembered.
const MOST_BELOW: usize = 100;

/// All of them.
#[derive(Default)]
pub(super) struct Cast {
    actors: Vec<Actor>,
    /// by their names
    lines: HashMap<String, Line>,
    /// lines for those further down, of which nothing was heard
    below: VecDeque<Below>,
    /// the names of lines that came from another shell
    from_here: VecDeque<String>,
}

impl Cast {
    /// One more will be at work.
    pub(super) fn enters(&mut self, part: &Part) {
        self.actors.push(Actor {
            path: part.path.clone(),
            wire: part.wire.clone(),
            scene: Rc::clone(&part.scene),
            reins: None,
            early: Vec::new(),
        });
    }

    /// Its process is gone, or never came: the lines that it was to read, as the screen numbers them, and what was kept for it.
    pub(super) fn leaves(&mut self, path: &Path) -> (Vec<u64>, Vec<Early>) {
        let left = self.actors.extract_if(.., |actor| actor.path == *path);
        let kept = left.flat_map(|actor| actor.early).collect();
        let is_alone = self.actors.is_empty();
        let is_lost = |line: &Line| line.to.as_ref() == Some(path) || is_alone;
        (self.lines.extract_if(|_, line| is_lost(line)).map(|(_, line)| line.number).collect(), kept)
    }

    /// It is there: it hears what was typed so far.
    pub(super) fn leads(&mut self, path: &Path, reins: &Reins) {
        let Some(actor) = self.actors.iter_mut().find(|actor| actor.path == *path) else { return };
        actor.reins = Some(reins.clone());
        for Early { uuid, text, to } in actor.early.drain(..) {
            reins.types(uuid, text, to);
        }
    }

    /// Those for whom something is: for one, or for all.
    pub(super) fn meant(&mut self, to: Option<&Path>) -> impl Iterator<Item = &mut Actor> {
        self.actors.iter_mut().filter(move |actor| to.is_none_or(|to| *to == actor.path))
    }

    /// The scene of the agent on that wire.
    pub(super) fn on_wire(&self, wire: &str) -> Option<Rc<RefCell<Scene>>> {
        self.actors.iter().find(|actor| actor.wire == wire).map(|actor| Rc::clone(&actor.scene))
    }

    /// The scene of the agent of that path.
    pub(super) fn of_path(&self, path: &Path) -> Option<Rc<RefCell<Scene>>> {
        self.actors.iter().find(|actor| actor.path == *path).map(|actor| Rc::clone(&actor.scene))
    }

    /// The scenes of all.
    pub(super) fn scenes(&self) -> Vec<Rc<RefCell<Scene>>> {
        self.actors.iter().map(|actor| Rc::clone(&actor.scene)).collect()
    }

    /// A line waits to be read, under that name.
    pub(super) fn line_waits(&mut self, uuid: &str, number: u64, to: Option<&Path>) {
        self.lines.insert(uuid.to_owned(), Line { number, to: to.cloned() });
    }

    /// It waits no more.
    pub(super) fn line_is_over(&mut self, uuid: &str) -> Option<u64> {
        self.lines.remove(uuid).map(|line| line.number)
    }

    /// The name of the line of that number.
    pub(super) fn line_numbered(&self, number: u64) -> Option<(String, Option<Path>)> {
        let line = self.lines.iter().find(|(_, line)| line.number == number);
        line.map(|(uuid, line)| (uuid.clone(), line.to.clone()))
    }

    /// A line goes to somebody further down.
    pub(super) fn line_goes_below(&mut self, line: Below) {
        self.below.push_back(line);
        if self.below.len() > MOST_BELOW {
            self.below.pop_front();
        }
    }

    /// A line came from another shell, under that name.
    pub(super) fn line_is_from_here(&mut self, id: &str) {
        self.from_here.push_back(id.to_owned());
        if self.from_here.len() > MOST_BELOW {
            self.from_here.pop_front();
        }
    }

    /// Whether that is the name of such a line.
    pub(super) fn is_from_here(&self, id: &str) -> bool {
        self.from_here.iter().any(|known| known == id)
    }

    /// Something was heard of a line that went to somebody further down.
    pub(super) fn heard_of(&mut self, id: &str) -> Option<Below> {
        let at = self.below.iter().position(|line| line.id == id)?;
        self.below.remove(at)
    }

    /// Lines for agents that never came.
    pub(super) fn undelivered(&mut self) -> Vec<String> {
        self.actors.iter_mut().flat_map(|actor| actor.early.drain(..)).map(|line| line.text).collect()
    }
}
