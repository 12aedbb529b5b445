//! The way from the bridge to the tim that it asks.
//!
//! Owns the one connection. Made when it is first wanted and again when it was lost, by whoever wants it first; the others
//! wait for that. Ends with the bridge, and what was asked over it is then taken back.

use std::path::PathBuf;
use std::rc::Rc;

use actors::ask::Client;
use actors::tunnel::{Greeting, NoParent};
use tokio::sync::Mutex;

use crate::clock::unix_ms;

/// The way to a tim.
pub(super) struct Link {
    path: PathBuf,
    greeting: Greeting,
    client: Mutex<Option<Rc<Client>>>,
}

impl Link {
    pub(super) fn new(path: PathBuf, greeting: Greeting) -> Self {
        Self { path, greeting, client: Mutex::default() }
    }

    /// The connection. If there can be none, what to say about that.
    pub(super) async fn client(&self) -> Result<Rc<Client>, String> {
        let mut kept = self.client.lock().await;
        if let Some(client) = kept.as_ref().filter(|client| !client.is_lost()) {
            return Ok(Rc::clone(client));
        }
        let connected = Client::connect(&self.path, &self.greeting, unix_ms()).await;
        let client = Rc::new(connected.map_err(|why| self.without(&why))?);
        *kept = Some(Rc::clone(&client));
        Ok(client)
    }

    /// What the model is told, for it or its person to act upon.
    fn without(&self, why: &NoParent) -> String {
        tracing::info!(%why, "no tim to ask");
        let path = self.path.display();
        match why {
            NoParent::Dead(_) => format!(
                "No tim listens at {path}, so nobody could be asked and this was not allowed. The person can start one \
                 with `tim serve --socket {path}`; then try again."
            ),
            other => format!("The tim at {path} could not be asked, so this was not allowed: {other}."),
        }
    }
}
