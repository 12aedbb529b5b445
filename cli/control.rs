//! Runs, controlled from another shell: `tim ps`, `tim answer`, `tim send`, `tim stop`; and the socket by which a run is.
//!
//! Owns how runs are found, by the places of their sockets, and how they are spoken to. Decides nothing: a run says what
//! came of a request.

mod answer;
mod ps;
mod question;
mod send;
mod socket;
mod tree;
mod words;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use actors::tunnel::control_sockets;
use codec::control::{Ps, Reply, Request, Status};
use codec::json::IntoOwned as _;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;

use crate::environment::Environment;
use crate::exit::{self, Code};

pub(crate) use answer::run as answer;
pub(crate) use ps::run as ps;
pub(crate) use send::{send, stop};
pub(crate) use socket::open;

/// How long a run may take to say what goes on: somebody waits for all of them.
const GLANCE: Duration = Duration::from_secs(1);

/// How long it may take to do something.
const PATIENCE: Duration = Duration::from_secs(10);

/// No reply is longer.
const LONGEST_REPLY: u64 = 64 << 20;

/// A run that can be spoken to.
struct Found {
    socket: PathBuf,
    status: Status<'static>,
}

/// All that was found.
#[derive(Default)]
struct Runs {
    runs: Vec<Found>,
    /// why somebody was turned away
    refused: Option<String>,
    /// how many did not answer
    silent: usize,
}

/// What went wrong with a request, in one word and in many.
struct Failed {
    reason: String,
    message: String,
}

impl Failed {
    fn lost(why: &str) -> Self {
        Self { reason: "lost".to_owned(), message: why.to_owned() }
    }

    fn usage(why: String) -> Self {
        Self { reason: "unknown".to_owned(), message: why }
    }

    /// How the program ends by it.
    fn code(&self) -> Code {
        match self.reason.as_str() {
            "refused" => exit::REFUSED,
            "lost" | "over" | "busy" => exit::DISCONNECTED,
            "unknown" | "ambiguous" | "invalid" => exit::USAGE,
            _ => exit::FAILED,
        }
    }

    fn complain(&self) -> Code {
        crate::complain(&self.message, self.code())
    }
}

/// Every run of this user, the oldest first.
async fn runs(environment: &Environment) -> Runs {
    let temp = environment.temp_folder.as_deref().unwrap_or(Path::new("/tmp"));
    let sockets = control_sockets(environment.runtime_folder.as_deref(), temp);
    let asked = sockets.into_iter().map(|socket| {
        tokio::task::spawn_local(
            async move { (heard(&socket, &Request::Ps(Ps::of()), GLANCE).await, socket) },
        )
    });
    let mut all = Runs::default();
    for asked in asked.collect::<Vec<_>>() {
        match asked.await {
            // One that says to be another process than it is may want to be taken for that one.
            Ok((Ok((Reply::Status(status), pid)), socket)) if pid == Some(status.pid) => {
                all.runs.push(Found { socket, status: *status });
            }
            Ok((Err(Failed { reason, message }), _)) if reason == "refused" => all.refused = Some(message),
            // Nobody is there any more: a tim that was killed left it behind.
            Ok((Err(Failed { reason, .. }), _)) if reason == "dead" => {}
            _ => all.silent += 1,
        }
    }
    all.runs.sort_by_key(|found| found.status.started_unix_ms);
    all
}

impl Runs {
    /// The runs, if there are any that may be spoken to.
    fn some(self) -> Result<Vec<Found>, Failed> {
        if self.silent > 0 {
            crate::warn(&format!("{} of the runs here did not answer within a second", self.silent));
        }
        match (self.runs.is_empty(), self.refused) {
            (true, Some(message)) => Err(Failed { reason: "refused".to_owned(), message }),
            (true, None) => Err(Failed::lost(&format!("{NONE}: `tim run` or `tim serve` starts one"))),
            (false, _) => Ok(self.runs),
        }
    }
}

const NONE: &str = "no tim runs here";

/// Asks a run for something. A failure that it tells is one.
async fn ask(socket: &Path, request: &Request<'_>) -> Result<Reply<'static>, Failed> {
    heard(socket, request, PATIENCE).await.map(|(reply, _)| reply)
}

/// The same within that time, and which process replied.
async fn heard(
    socket: &Path,
    request: &Request<'_>,
    patience: Duration,
) -> Result<(Reply<'static>, Option<u64>), Failed> {
    let late = |_| {
        let time = crate::duration::written(patience);
        // It has read the line, and may come to it.
        Failed::lost(&format!("the run did not answer within {time}; what came of it says tim ps"))
    };
    let (line, pid) = tokio::time::timeout(patience, said(socket, request)).await.map_err(late)??;
    match Reply::read(line.as_bytes()) {
        Ok(Reply::Failure(failure)) => Err(Failed {
            reason: failure.reason.get().into_owned(),
            message: failure.message.get().into_owned(),
        }),
        Ok(Reply::Status(status)) => Ok((Reply::Status(status.into_owned()), pid)),
        Ok(Reply::Done(done)) => Ok((Reply::Done(done.into_owned()), pid)),
        Err(wrong) => Err(Failed::lost(&format!("the run said what cannot be understood: {wrong}"))),
    }
}

/// The line that a run says to a request, and its process.
async fn said(socket: &Path, request: &Request<'_>) -> Result<(String, Option<u64>), Failed> {
    let dead = |error: io::Error| match error.kind() {
        io::ErrorKind::ConnectionRefused | io::ErrorKind::NotFound => {
            Failed { reason: "dead".to_owned(), message: NONE.to_owned() }
        }
        _ => Failed::lost(&error.to_string()),
    };
    let mut stream = UnixStream::connect(socket).await.map_err(dead)?;
    let pid = stream.peer_cred().ok().and_then(|peer| peer.pid()).and_then(|pid| u64::try_from(pid).ok());
    // Whoever is turned away may be closed before it has said anything, and is told why all the same.
    let _ = stream.write_all((request.to_line() + "\n").as_bytes()).await;
    let mut line = String::new();
    let read = BufReader::new(stream.take(LONGEST_REPLY)).read_line(&mut line).await;
    match read {
        Ok(_) if line.ends_with('\n') => Ok((line, pid)),
        Ok(_) => Err(Failed::lost("the run went away")),
        Err(error) => Err(Failed::lost(&error.to_string())),
    }
}

/// The run of that name, or all of them.
fn of_run(runs: Vec<Found>, wanted: Option<&str>) -> Result<Vec<Found>, Failed> {
    let Some(wanted) = wanted else { return Ok(runs) };
    let names: Vec<String> = runs.iter().map(|found| found.status.run.get().into_owned()).collect();
    let found: Vec<Found> =
        runs.into_iter().filter(|found| found.status.run.get().starts_with(wanted)).collect();
    match found.len() {
        0 => Err(Failed::usage(format!("no run begins with {wanted}; there is {}", names.join(", ")))),
        _ => Ok(found),
    }
}

/// Prints what was asked for.
fn print(text: &str) -> Code {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => exit::SUCCESS,
        Err(error) => crate::output_failed(&error),
    }
}
