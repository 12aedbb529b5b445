//! Stdin and stdout as the protocol's transport.
//!
//! Owns both. Neither is waited for by the thread that everything runs on: a client that does not read holds up nobody, and
//! a signal finds a program that can end. Ends with stdin, or when nobody reads any more; then every open call is told to
//! end.

use std::collections::HashSet;
use std::future::{Future, ready};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use codec::frame::Frame;
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::heard::{Heard, hear};
use super::out::Out;
use crate::stdin::StdinLines;

/// The transport.
pub(super) struct Wire {
    stdin: Stdin,
    out: Out,
    /// the requests that were not answered yet
    open: HashSet<RequestId>,
    is_begun: Arc<AtomicBool>,
    ended: CancellationToken,
}

/// What comes in.
enum Stdin {
    /// the first line was read before there was anything else to do; the rest is read when it is wanted
    Begun(Option<io::Result<Frame>>, Option<StdinLines>),
    /// read on a thread of its own
    Read(mpsc::Receiver<io::Result<Frame>>),
}

impl Stdin {
    async fn next(&mut self) -> Option<io::Result<Frame>> {
        if let Self::Begun(first, rest) = self {
            if first.is_some() {
                return first.take();
            }
            match rest.take()?.on_a_thread() {
                Ok(frames) => *self = Self::Read(frames),
                Err(error) => return Some(Err(error)),
            }
        }
        match self {
            Self::Read(frames) => frames.recv().await,
            Self::Begun(..) => None,
        }
    }
}

/// What is left when the transport was handed over.
pub(super) struct Opened {
    pub(super) wire: Wire,
    /// to be set when the client has begun: before that it can only request
    pub(super) is_begun: Arc<AtomicBool>,
    /// resolves when all is written that ever will be
    pub(super) written: oneshot::Receiver<()>,
}

impl Wire {
    /// Goes on where somebody began to read. `ended` is cancelled when there is no client any more.
    pub(super) fn open(first: io::Result<Frame>, rest: StdinLines, ended: CancellationToken) -> Opened {
        let stdin = Stdin::Begun(Some(first), Some(rest));
        let (out, written) = Out::new(ended.clone());
        let is_begun = Arc::new(AtomicBool::new(false));
        let wire = Self { stdin, out, open: HashSet::new(), is_begun: Arc::clone(&is_begun), ended };
        Opened { wire, is_begun, written }
    }

    /// The message of a line, if the other side should see it.
    fn message(&mut self, heard: Heard) -> Option<ClientJsonRpcMessage> {
        match heard {
            Heard::Message(message) => Some(*message).filter(|message| self.is_wanted(message)),
            Heard::Refused(reply) => {
                // Whether it can be written is noticed by whoever writes next.
                let _ = self.out.line(reply);
                None
            }
            Heard::Nothing(why) | Heard::Lost(why) => {
                tracing::warn!(why, "a line that is no message");
                None
            }
        }
    }

    /// The second use of an id that is open would take the first one's answer for its own. What is no request counts only
    /// when the client has begun: before that it would end the conversation.
    fn is_wanted(&mut self, message: &ClientJsonRpcMessage) -> bool {
        match message {
            JsonRpcMessage::Request(request) => self.open.insert(request.id.clone()),
            JsonRpcMessage::Notification(told) => {
                if let ClientNotification::CancelledNotification(cancelled) = &told.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.open.remove(id);
                }
                self.is_begun.load(Ordering::Relaxed)
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => self.is_begun.load(Ordering::Relaxed),
        }
    }

    fn answered(&mut self, message: &ServerJsonRpcMessage) {
        match message {
            JsonRpcMessage::Response(response) => self.open.remove(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref().is_some_and(|id| self.open.remove(id)),
            _ => false,
        };
    }
}

impl Transport<RoleServer> for Wire {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.answered(&message);
        let line = serde_json::to_string(&message).map_err(io::Error::other);
        ready(line.and_then(|line| self.out.line(line)))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            match self.stdin.next().await {
                Some(Ok(Frame::Line(line))) => match hear(&line) {
                    // Nobody can tell who waits for an answer to that. Who hangs up is heard.
                    Heard::Lost(why) => tracing::error!(why, "a request that cannot be read"),
                    heard => match self.message(heard) {
                        Some(message) => return Some(message),
                        None => continue,
                    },
                },
                Some(Ok(Frame::Oversized(over))) => tracing::error!(over.length, "a line that is too long"),
                Some(Err(error)) => tracing::error!(%error, "stdin cannot be read"),
                Some(Ok(Frame::Torn { .. })) | None => {}
            }
            self.ended.cancel();
            return None;
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
