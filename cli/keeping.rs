//! Rules that were allowed for always: they go into the user's file, or into Claude's settings of the folder.
//!
//! Owns what is being saved, and that only the word of the person at this terminal is: an answer command or a tim above may
//! say `always` too, and it holds for the run. That a rule could not be saved is said; it holds for this run all the same.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use actors::answer::{Given, Saved, Verdict};
use actors::end::End;
use actors::router::{Emitted, Keeper, Stage};
use codec::id::Key;
use codec::tunnel::{AnswerSource, Scope};
use tokio::task::{JoinHandle, spawn_local};

use crate::environment::Environment;
use crate::voice::Voice;
use crate::{claude_settings, rules, trust};

/// What keeps rules.
pub(crate) struct Keeping {
    /// none: nothing is saved
    environment: Option<Environment>,
    /// where an agent of our own works
    folder: Option<PathBuf>,
    /// the open questions whose rules are ours to keep
    open: RefCell<HashMap<Key, Keeper>>,
    saving: RefCell<Vec<JoinHandle<()>>>,
}

impl Keeping {
    /// Keeps rules for this user, and for an agent that works in that folder.
    pub(crate) fn new(environment: Option<&Environment>, folder: Option<PathBuf>) -> Self {
        Self {
            environment: environment.cloned(),
            folder,
            open: RefCell::default(),
            saving: RefCell::default(),
        }
    }

    /// What became of a question: keeps what the person at this terminal allowed for always.
    pub(crate) fn hear(&self, emitted: &Emitted, voice: &Voice) {
        match &emitted.what {
            Stage::Asked { keeper: keeper @ (Keeper::Here | Keeper::ForGuest), .. } => {
                self.open.borrow_mut().insert(emitted.key.clone(), *keeper);
            }
            Stage::Asked { .. } => {}
            Stage::Ended(end) => {
                let keeper = self.open.borrow_mut().remove(&emitted.key);
                if let (Some(keeper), Some((rules, saved))) = (keeper, for_always(end)) {
                    self.save(rules.to_vec(), saved, keeper, voice);
                }
            }
        }
    }

    fn save(&self, rules: Vec<String>, saved: Saved, keeper: Keeper, voice: &Voice) {
        let Some(environment) = self.environment.clone() else { return };
        // Whoever only asks through us may work anywhere.
        let folder = self.folder.clone().filter(|_| keeper == Keeper::Here);
        let voice = voice.clone();
        self.saving.borrow_mut().push(spawn_local(async move {
            let kept = match (saved, folder) {
                (Saved::Tim, _) => rules::keep(&environment, &rules).await,
                (Saved::Claude, Some(folder)) => for_claude(&environment, &folder, &rules).await,
                (Saved::Claude, None) => Err("nobody here knows in which folder the agent works".to_owned()),
            };
            if let Err(why) = kept {
                let what = if rules.len() == 1 { "the rule holds" } else { "the rules hold" };
                voice.warn(&format!("{what} for this run only: {why}"));
            }
        }));
    }

    /// Waits until all is saved, or was said not to be.
    pub(crate) async fn settle(&self) {
        let saving = self.saving.take();
        for saved in saving {
            // One that failed has said so.
            let _ = saved.await;
        }
    }
}

/// Saves rules into Claude's settings of a folder. That these changed by the person's own word is no reason to ask again
/// whether they trust it; but whatever else changed meanwhile is, also if the agent did it while we waited for the file.
async fn for_claude(environment: &Environment, folder: &Path, rules: &[String]) -> Result<(), String> {
    let before = trust::look(environment, folder);
    let Some((old, new)) = claude_settings::keep(folder, rules).await? else { return Ok(()) };
    let after = trust::look(environment, folder);
    let file = folder.join(claude_settings::NAME);
    if before.is_trusted(environment) && after.differs_only_in(&file, (&old, &new), &before) {
        // If it cannot be remembered, it is asked once more.
        if let Err(why) = trust::remember(environment, &after).await {
            tracing::warn!(why, "the folder is not remembered");
        }
    }
    Ok(())
}

/// The rules that the person at this terminal allowed for always, and where they belong.
fn for_always(end: &End) -> Option<(&[String], Saved)> {
    match end {
        End::Answered {
            given: Given::Verdict(Verdict { allow: true, scope: Scope::Always, rules, saved, .. }),
            source: AnswerSource::Terminal,
            ..
        } => Some((rules, *saved)),
        _ => None,
    }
}
