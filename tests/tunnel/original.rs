//! A client of the original tim, written from what is known of it: no greeting, no reconnect, a table of open questions
//! with a timer each, and silence about everything that it does not know.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

use crate::support::wait::PATIENCE;

/// How a question ended for a caller of the original: a value, or the text of an error.
type Settled = Result<Value, String>;
type Pending = Arc<Mutex<HashMap<String, Sender<Settled>>>>;

/// A connection.
pub(crate) struct Original {
    stream: UnixStream,
    pending: Pending,
    typed: Receiver<String>,
    ignored: Arc<Mutex<Vec<String>>>,
    count: u32,
}

/// A question that was sent.
pub(crate) struct Question {
    id: String,
    settled: Receiver<Settled>,
    timeout_ms: Option<u64>,
    pending: Pending,
}

impl Original {
    pub(crate) fn connect(socket: &Path) -> Self {
        let stream = UnixStream::connect(socket).expect("somebody listens");
        let (typed_to, typed) = channel();
        let (pending, ignored) = (Pending::default(), Arc::default());
        let reader = Reader { pending: Arc::clone(&pending), typed: typed_to, ignored: Arc::clone(&ignored) };
        let other = stream.try_clone().unwrap();
        std::thread::spawn(move || reader.run(other));
        Self { stream, pending, typed, ignored, count: 0 }
    }

    /// A line as `JSON.stringify` writes it, with its end.
    pub(crate) fn write(&mut self, line: &str) {
        self.stream.write_all(format!("{line}\n").as_bytes()).expect("the server reads");
    }

    /// `log`, `error`, `warn` or `debug`.
    pub(crate) fn log(&mut self, level: &str, arguments: &[&str]) {
        self.write(&format!(r#"{{"type":"{level}","args":{}}}"#, serde_json::to_string(arguments).unwrap()));
    }

    /// Asks; `config` is the text of the promptConfig.
    pub(crate) fn prompt(&mut self, kind: &str, config: &str, timeout_ms: Option<u64>) -> Question {
        self.count += 1;
        let id = format!("700df11e-5ea3-40c3-bf59-4fb957{:06}", self.count);
        let (settle, settled) = channel();
        self.pending.lock().unwrap().insert(id.clone(), settle);
        let timeout = timeout_ms.map(|ms| format!(r#","timeoutMs":{ms}"#)).unwrap_or_default();
        self.write(&format!(
            r#"{{"type":"structured","message":{{"type":"prompt_request","timestamp":"2026-02-10T21:27:49.212Z","requestId":"{id}","promptType":"{kind}","promptConfig":{config}{timeout}}}}}"#
        ));
        Question { id, settled, timeout_ms, pending: Arc::clone(&self.pending) }
    }

    /// The next line that a person typed.
    pub(crate) fn typed(&self) -> String {
        self.typed.recv_timeout(PATIENCE).expect("a typed line")
    }

    /// What it was sent and did not understand.
    pub(crate) fn ignored(&self) -> Vec<String> {
        self.ignored.lock().unwrap().clone()
    }
}

impl Drop for Original {
    fn drop(&mut self) {
        self.stream.shutdown(std::net::Shutdown::Both).ok();
    }
}

impl Question {
    /// Waits for its end; its own timer may end it too.
    pub(crate) fn settled(self) -> Settled {
        let time = self.timeout_ms.map_or(PATIENCE, Duration::from_millis);
        match self.settled.recv_timeout(time) {
            Ok(settled) => settled,
            Err(RecvTimeoutError::Timeout) => {
                let ms = self.timeout_ms.expect("an answer, where there is no deadline");
                self.pending.lock().unwrap().remove(&self.id);
                Err(format!("Prompt request timed out after {ms}ms"))
            }
            Err(RecvTimeoutError::Disconnected) => panic!("a question was lost"),
        }
    }
}

/// How the original tells a timeout from all other ends.
pub(crate) fn is_timeout(error: &str) -> bool {
    error.starts_with("Prompt request timed out")
}

struct Reader {
    pending: Pending,
    typed: Sender<String>,
    ignored: Arc<Mutex<Vec<String>>>,
}

impl Reader {
    fn run(&self, stream: UnixStream) {
        for line in BufReader::new(stream).lines() {
            let Ok(line) = line else { break };
            if !line.is_empty() && self.take(&line).is_none() {
                self.ignored.lock().unwrap().push(line);
            }
        }
        for (_, settle) in self.pending.lock().unwrap().drain() {
            settle.send(Err("Tunnel connection closed".to_owned())).ok();
        }
    }

    /// Nothing if it is not understood, or nobody waits for it.
    fn take(&self, line: &str) -> Option<()> {
        let message: Value = serde_json::from_str(line).ok()?;
        match message["type"].as_str()? {
            "prompt_response" => {
                let error = match message.get("error") {
                    None => "",
                    Some(error) => error.as_str()?,
                };
                let settle = self.pending.lock().unwrap().remove(message["requestId"].as_str()?)?;
                let value = message.get("value").cloned().unwrap_or_default();
                settle.send(if error.is_empty() { Ok(value) } else { Err(error.to_owned()) }).ok()
            }
            "user_input" => self.typed.send(message["content"].as_str()?.to_owned()).ok(),
            _ => None,
        }
    }
}
