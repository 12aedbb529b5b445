//! The way up to a parent, as the environment names it.

use actors::tunnel::{Greeting, NoParent, PATIENCE, Parent, Plain};
use codec::tunnel::Peer;

use crate::environment::Environment;

/// How to greet the parent.
pub(crate) fn greeting(environment: &Environment, peer: Peer, label: &str) -> Greeting {
    let is_original = environment.executor.is_some() || environment.owner_process_id.is_some();
    let plain = match &environment.tunnel {
        Some(how) if how == "plain" => Plain::Always,
        _ if is_original => Plain::IfSilent,
        _ => Plain::Never,
    };
    Greeting { peer, label: Some(label.to_owned()), patience: PATIENCE, plain }
}

/// The parent, if there is one. If the environment names one that is none, that is said once.
pub(crate) async fn parent(environment: &Environment, peer: Peer, label: &str) -> Option<Parent> {
    let path = environment.output_socket.as_deref()?;
    match Parent::dial(path, &greeting(environment, peer, label)).await {
        Ok(parent) => Some(parent),
        Err(why) => {
            warn_alone(environment, &why);
            None
        }
    }
}

/// Says that there is no parent where there should be one.
pub(crate) fn warn_alone(environment: &Environment, why: &NoParent) {
    let path = environment.output_socket.as_deref().map(|path| path.display().to_string());
    crate::warn(&format!("no tunnel at {}: {why}; going on without it", path.unwrap_or_default()));
}
