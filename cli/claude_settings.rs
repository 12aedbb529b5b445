//! `.claude/settings.local.json`: what Claude Code itself allows in the folder of the work, unasked.
//!
//! Owns that a rule of the person's goes there and nothing else changes. Never judges by that file, never makes one of what
//! it does not understand, never goes through a link. It ends with the rules in the file, or with a sentence that says why
//! they are not.

pub(crate) mod same;
mod text;

#[cfg(test)]
mod file_tests;

use std::path::Path;

use crate::save::{self, Is, Target, Unchanged};
use crate::source::Source;
use crate::trusted::Trust;

/// Where it is, seen from the folder of the work.
pub(crate) const NAME: &str = ".claude/settings.local.json";

/// It is changed, not believed: a team may share its folder. But a link would change the file of another project.
const TRUST: Trust = Trust {
    because: "only its owner should change it",
    may_be_link: false,
    may_be_roots: false,
    may_be_shared: true,
};

/// Puts allow rules into the settings of a folder: those that are not there yet. Gives the text before and after, if it was
/// changed.
///
/// # Errors
/// Says why they are not there.
pub(crate) async fn keep(folder: &Path, rules: &[String]) -> Result<Option<(String, String)>, String> {
    for rule in rules {
        if let Some(why) = same::why_not(rule) {
            return Err(why.to_owned());
        }
    }
    let path = folder.join(NAME);
    let edit = |old: Option<String>| {
        let old = old.unwrap_or_default();
        let new = text::with_rules(Source { path: &path, text: &old }, rules).map_err(Unchanged::Unusable)?;
        Ok((new.clone(), new.map(|new| (old, new))))
    };
    let target = Target { path: &path, trust: TRUST, is: Is::InProject };
    save::change(&target, edit).await.map_err(Unchanged::why)
}
