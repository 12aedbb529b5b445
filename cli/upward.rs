//! The way up to a parent, as the environment names it.

use actors::ask::Client;
use actors::tunnel::{Greeting, NoParent, PATIENCE, Parent, Plain};
use codec::tunnel::Peer;

use crate::clock::unix_ms;
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
pub(crate) async fn parent(environment: &Environment, label: &str) -> Option<Parent> {
    let path = environment.output_socket.as_deref()?;
    match Parent::dial(path, &greeting(environment, Peer::Tim, label)).await {
        Ok(parent) => Some(parent),
        Err(why) => {
            warn_alone(environment, &why);
            None
        }
    }
}

/// A client of the parent's socket, if there is one, for a script of that name.
pub(crate) async fn client(environment: &Environment, label: &str) -> Option<Client> {
    let path = environment.output_socket.as_deref()?;
    match Client::connect(path, &greeting(environment, Peer::Script, label), unix_ms()).await {
        Ok(client) => Some(client),
        Err(why) => {
            warn_alone(environment, &why);
            None
        }
    }
}

/// Says that there is no parent where there should be one.
fn warn_alone(environment: &Environment, why: &NoParent) {
    let path = environment.output_socket.as_deref().map(|path| path.display().to_string());
    let path = path.unwrap_or_default();
    crate::warn(&format!(
        "no tunnel at {path} (TIM_OUTPUT_SOCKET): {why}; going on without it. If no tim is above this one, unset the \
         variable: with it no rule of yours allows anything"
    ));
}
