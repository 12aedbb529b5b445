//! A Messages API that says what the test wrote down: on loopback, in threads, over as soon as it is dropped.
//!
//! The script is a list of turns; the first one that fits a request answers it. A turn can be held at any place in it until
//! the test lets it go on, so that nobody has to sleep. What was asked is kept for the test to read.

#[path = "messages_api/answer.rs"]
mod answer;
#[path = "messages_api/http.rs"]
mod http;
#[path = "messages_api/request.rs"]
mod request;
#[path = "messages_api/script.rs"]
mod script;
#[path = "messages_api/state.rs"]
mod state;

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;

pub(crate) use request::{Kind, Request};
pub(crate) use script::{Script, Turn, any, main, side, sub};
use state::State;

/// More connections than this at once are turned away.
const CONNECTIONS: usize = 64;

/// The running server.
pub(crate) struct Api {
    address: SocketAddr,
    state: Arc<State>,
    listening: Option<JoinHandle<()>>,
}

impl Api {
    /// Listens at a port of its own.
    pub(crate) fn start(script: Script) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port on loopback");
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State::new(script));
        let shared = Arc::clone(&state);
        let listening = Some(std::thread::spawn(move || listen(&listener, &shared)));
        Self { address, state, listening }
    }

    /// For `ANTHROPIC_BASE_URL`.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// All that was asked so far, in the order in which it came.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.state.requests()
    }

    /// Waits until so many of a kind came; gives all of that kind.
    pub(crate) fn requests_of(&self, kind: Kind, number: usize) -> Vec<Request> {
        self.state.requests_of(kind, number)
    }

    /// Questions of the model's main or sub agents that no turn of the script was for.
    pub(crate) fn unscripted(&self) -> Vec<Request> {
        self.requests().into_iter().filter(|request| !request.scripted).collect()
    }

    /// Waits until a turn stands at a gate.
    pub(crate) fn reached(&self, gate: &str) {
        self.state.reached(gate);
    }

    /// Opens a gate, for whoever stands there and whoever comes later.
    pub(crate) fn release(&self, gate: &str) {
        self.state.release(gate);
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        self.state.stop();
        // It waits for somebody to come.
        TcpStream::connect(self.address).ok();
        if let Some(listening) = self.listening.take() {
            listening.join().ok();
        }
    }
}

/// Takes connections until the end; each has its own thread, and none of them outlives this.
fn listen(listener: &TcpListener, state: &Arc<State>) {
    let mut served: Vec<(TcpStream, JoinHandle<()>)> = Vec::new();
    for stream in listener.incoming() {
        if state.stopped() {
            break;
        }
        served.retain(|(_, thread)| !thread.is_finished());
        let Ok(stream) = stream else { continue };
        let Ok(ours) = stream.try_clone() else { continue };
        if served.len() >= CONNECTIONS {
            continue;
        }
        let state = Arc::clone(state);
        served.push((ours, std::thread::spawn(move || serve(stream, &state))));
    }
    for (stream, thread) in served {
        stream.shutdown(std::net::Shutdown::Both).ok();
        thread.join().ok();
    }
}

/// One connection is one request. A client that leaves in the middle is nobody's fault.
fn serve(mut stream: TcpStream, state: &State) {
    if let Ok(asked) = http::read(&mut stream) {
        answer::answer(&mut stream, state, asked).ok();
    }
    // The listener has a clone of it: dropping ours would not close it.
    stream.shutdown(std::net::Shutdown::Both).ok();
}
