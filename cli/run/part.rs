//! One agent of a run, as the run knows it: what it is called, what it does, how it is led.

use std::cell::RefCell;
use std::rc::Rc;

use actors::agent::{Language, Reins};
use actors::router::RunInfo;
use actors::tunnel::Relay;
use codec::id::{Label, Path};
use tokio::time::Instant;

use super::Job;
use super::decisions::Decisions;
use super::ending::Stopped;
use super::reported::Reports;
use super::scene::{Scene, Wanted};
use crate::args::OutputFormat;
use crate::environment::Environment;
use crate::render::Badge;
use crate::render::claude::Story;
use crate::render::events;
use crate::render::tale::Tale;
use crate::render::whole::Whole;
use crate::rules;

/// One agent.
#[derive(Clone)]
pub(super) struct Part {
    /// which task it has
    pub(super) number: usize,
    pub(super) path: Path,
    pub(super) wire: String,
    pub(super) scene: Rc<RefCell<Scene>>,
    /// when it is there
    pub(super) reins: Option<Reins>,
    /// why it was ended before its time
    pub(super) stopped: Option<Stopped>,
}

impl Part {
    /// The agent of that task, which is not there yet.
    pub(super) fn new(
        job: &Job,
        environment: &Environment,
        run: &RunInfo,
        wanted: Wanted,
        relay: Option<&Relay>,
        number: usize,
    ) -> Self {
        let name = job.name_of(number);
        let path = path_of(run, &name);
        let mut scene = scene(job, environment, wanted, &path, number);
        // Of several agents each report says whose it is.
        let whose = (!job.is_alone()).then_some(&path);
        scene.reports = relay.map(|relay| Reports::new(relay, job.language(), &name, whose));
        let scene = Rc::new(RefCell::new(scene));
        Self { number, path, wire: job.wire_of(number), scene, reins: None, stopped: None }
    }

    /// When its time is over.
    pub(super) fn deadline(&self, job: &Job) -> Option<Instant> {
        job.limits.total.map(|total| self.scene.borrow().began + total)
    }

    /// It is to end, for that reason; if it was told so before, that one counts.
    pub(super) fn stops(&mut self, why: Stopped) {
        if self.stopped.is_none() {
            self.stopped = Some(why);
            self.reins.iter().for_each(Reins::stops);
        }
    }

    /// What it is called before its path.
    pub(super) fn name(&self) -> String {
        self.path.labels().last().map(ToString::to_string).unwrap_or_default()
    }
}

/// An agent's name: below ours, if somebody gave us one.
fn path_of(run: &RunInfo, name: &str) -> Path {
    let label = Label::from_any(name);
    run.path.as_ref().map_or_else(|| Path::root(label.clone()), |own| own.child(label.clone()))
}

fn scene(job: &Job, environment: &Environment, wanted: Wanted, path: &Path, number: usize) -> Scene {
    let place = rules::place(environment);
    let story: Box<dyn Tale> = match job.language() {
        Language::Claude { .. } => Box::new(Story::new(place.clone())),
        // Programs that read JSON are told nothing in between.
        Language::Events if job.format != OutputFormat::Text && !wanted.on_screen => {
            Box::new(events::Story::untold())
        }
        Language::Events => Box::<events::Story>::default(),
    };
    let who = job.name_of(number);
    Scene {
        wanted,
        story,
        whole: Whole::default(),
        decisions: Decisions::new(&path.to_string(), place, job.limits.allow_on_timeout),
        began: Instant::now(),
        settled: None,
        is_awaited: job.awaits_words(),
        asked: None,
        badge: (job.at_once() > 1).then(|| Badge::numbered(&who, number, job.widest_name())),
        who,
        reports: None,
    }
}
