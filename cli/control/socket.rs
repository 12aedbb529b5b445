//! The control socket of a run: opened beside the one of those who ask.

use std::path::Path;
use std::rc::Rc;

use actix::Addr;
use actors::control::{Control, Identity};
use actors::ports::Agents;
use actors::router::{Router, RunInfo};
use actors::tunnel::{RANDOM, SocketFile};

use crate::clock::random_hex;
use crate::environment::Environment;
use crate::exit;
use crate::routed::Failed;
use crate::voice::Voice;

/// Opens it. `waits` says that questions wait for whoever comes there: then there must be one; else a run goes on without.
pub(crate) async fn open(
    beside: &SocketFile,
    run: &RunInfo,
    (router, agents): (&Addr<Router>, Rc<dyn Agents>),
    waits: bool,
    (environment, voice): (&Environment, &Voice),
) -> Result<Option<Control>, Failed> {
    let temp = environment.temp_folder.as_deref().unwrap_or(Path::new("/tmp"));
    let socket = beside.control(environment.runtime_folder.as_deref(), temp, &random_hex(RANDOM)).await;
    match socket {
        Ok(socket) => Ok(Some(Control::open(socket, identity(run), router.clone(), agents, waits).await)),
        Err(error) if waits => Err((format!("nobody could answer: {error}"), exit::USAGE)),
        Err(error) => {
            voice.warn(&format!("this run cannot be controlled from another shell: {error}"));
            Ok(None)
        }
    }
}

fn identity(run: &RunInfo) -> Identity {
    let folder = std::env::current_dir().unwrap_or_default();
    Identity {
        run: run.id.clone(),
        pid: std::process::id(),
        role: run.role,
        folder: folder.to_string_lossy().into_owned(),
        began_unix_ms: run.began_unix_ms,
        version: env!("CARGO_PKG_VERSION"),
        path: run.path.as_ref().map(ToString::to_string),
    }
}
