//! A program at a terminal, for benches: when what it writes was there.

use std::io::{Read as _, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// The program and its terminal.
pub(crate) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    output: Receiver<(Instant, Vec<u8>)>,
    seen: Vec<u8>,
    _master: Box<dyn MasterPty + Send>,
}

impl Terminal {
    pub(crate) fn start(command: CommandBuilder) -> Self {
        let pty = native_pty_system().openpty(PtySize { rows: 24, cols: 80, ..PtySize::default() }).unwrap();
        let mut reader = pty.master.try_clone_reader().unwrap();
        let keys = pty.master.take_writer().unwrap();
        let child = pty.slave.spawn_command(command).unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut chunk = vec![0; 64 << 10];
            while let Ok(read @ 1..) = reader.read(&mut chunk) {
                let bytes = chunk.iter().take(read).copied().collect();
                if sender.send((Instant::now(), bytes)).is_err() {
                    return;
                }
            }
        });
        Self { child, keys, output, seen: Vec::new(), _master: pty.master }
    }

    /// The process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// When a text was there.
    pub(crate) fn sees(&mut self, text: &str) -> Instant {
        let text = text.as_bytes();
        let mut at = Instant::now();
        loop {
            if let Some(place) = self.seen.windows(text.len()).position(|window| window == text) {
                self.seen.drain(..place + text.len());
                return at;
            }
            let kept = self.seen.len().saturating_sub(text.len());
            self.seen.drain(..kept);
            let (came, bytes) = self.output.recv_timeout(Duration::from_secs(20)).unwrap();
            at = came;
            self.seen.extend(bytes);
        }
    }

    pub(crate) fn press(&mut self, key: &str) -> Instant {
        let at = Instant::now();
        self.keys.write_all(key.as_bytes()).unwrap();
        at
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // What we started we end; it may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The middle one, and the one that only every hundredth exceeds.
pub(crate) fn percentiles(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    (times[times.len() / 2], times[times.len() * 99 / 100])
}
