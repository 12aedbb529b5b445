//! The one who has the terminal: the only reader of its keys and the only writer to it.
//!
//! Owns the [`Device`] and the loop between it and the [`Screen`]. Decides nothing: keys go to the screen, frames come from
//! there, and what the person did goes to whoever asked to hear it. Never waits for a terminal that does not read: until it
//! does, frames wait and everything else goes on. Ends when it is told to, or with the terminal; then that is as it was, and
//! keys that are still on their way are nobody's.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use actors::router::Said;
use codec::id::Key;
use codec::text::visible;
use rustix::process::{Signal, getpgrp, kill_process_group};
use tokio::signal::unix::{self, SignalKind, signal};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until, timeout};

use super::device::Device;
use super::handle::Handle;
use super::screen::{Act, Screen};

/// How it ended.
#[derive(Debug)]
pub(crate) enum Ended {
    /// it was told to
    Closed,
    /// the terminal is gone
    HungUp,
}

/// The far end of an owner that runs by itself.
pub(crate) struct Running {
    close: oneshot::Sender<()>,
    ended: oneshot::Receiver<()>,
}

impl Running {
    /// Shows what is left, if that takes no longer than it may, and gives the terminal back.
    pub(crate) async fn close(self) {
        // One that has ended already has given it back.
        let _ = self.close.send(());
        let _ = self.ended.await;
    }
}

/// Says that nobody has the terminal any more, when it is dropped.
struct Gone(Option<Box<dyn FnOnce()>>, Handle);

impl Gone {
    fn expected(mut self) {
        self.0 = None;
    }
}

impl Drop for Gone {
    fn drop(&mut self) {
        self.1.set_owned(false);
        if let Some(gone) = self.0.take() {
            gone();
        }
    }
}

/// Who hears what the person did.
pub(crate) type Listener = Box<dyn FnMut(Act)>;

/// The owner.
pub(crate) struct Owner {
    device: Device,
    screen: Handle,
    listener: Listener,
    /// what is to be written, and how much of it is
    pending: Vec<u8>,
    written: usize,
    resized: unix::Signal,
    continued: unix::Signal,
    last_key: Option<Instant>,
    failures: usize,
    /// we are in the background: neither keys nor the screen are ours
    is_aside: bool,
}

/// What is left at the end is written if it takes no longer.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// Keys that follow others so soon belong to them.
const KEYS_APART: Duration = Duration::from_millis(100);
/// Whoever types on at the end is not waited for longer.
const LAST_KEYS: Duration = Duration::from_secs(1);
/// A stop that was asked for has happened by then, or never will.
const STOPPED_BY: Duration = Duration::from_millis(100);
/// A shell that gives the terminal back does not always say so.
const LOOK_AGAIN: Duration = Duration::from_millis(250);
/// A screen that cannot be drawn three times in a row never can.
const MOST_FAILURES: usize = 3;

impl Owner {
    /// Takes the terminal.
    pub(crate) fn new(mut device: Device, screen: Handle, listener: Listener) -> io::Result<Self> {
        let resized = signal(SignalKind::window_change())?;
        let continued = signal(SignalKind::from_raw(Signal::CONT.as_raw()))?;
        device.enter()?;
        screen.quietly(Screen::enter);
        screen.set_owned(true);
        Ok(Self {
            device,
            screen,
            listener,
            pending: Vec::new(),
            written: 0,
            resized,
            continued,
            last_key: None,
            failures: 0,
            is_aside: false,
        })
    }

    /// Runs by itself. `gone` is called if the terminal goes.
    pub(crate) fn start(mut self, gone: impl FnOnce() + 'static) -> Running {
        let (close, mut closed) = oneshot::channel();
        let (done, ended) = oneshot::channel();
        tokio::task::spawn_local(async move {
            // Also if this breaks off: whoever relies upon somebody at the terminal must hear that nobody is.
            let gone = Gone(Some(Box::new(gone)), self.screen.clone());
            let end = self.run(&mut closed).await;
            self.leave().await;
            // Whoever waits for it is gone, or hears it.
            let _ = done.send(());
            match end {
                Ended::Closed => gone.expected(),
                Ended::HungUp => drop(gone),
            }
        });
        Running { close, ended }
    }

    /// Works until it is told to end.
    pub(crate) async fn run(&mut self, closed: &mut oneshot::Receiver<()>) -> Ended {
        let mut buffer = [0; 4096];
        loop {
            self.compose();
            if let Some(act) = self.screen.quietly(Screen::line_news) {
                (self.listener)(act);
            }
            let (is_ours, is_writing) = (!self.is_aside, !self.pending.is_empty());
            let wakes = match is_ours {
                true => self.screen.quietly(|screen| screen.wakes()),
                false => Some(Instant::now() + LOOK_AGAIN),
            };
            tokio::select! {
                read = self.device.read(&mut buffer), if is_ours => match read {
                    Ok(count @ 1..) => self.typed(buffer.get(..count).unwrap_or_default()).await,
                    Ok(0) | Err(_) => return Ended::HungUp,
                },
                taken = self.device.write(rest(&self.pending, self.written)), if is_ours && is_writing => {
                    match taken {
                        Ok(count) => self.wrote(count),
                        Err(_) => return Ended::HungUp,
                    }
                }
                () = wake(wakes), if !is_ours => self.resume(),
                () = wake(wakes), if is_ours => {
                    let acts = self.screen.quietly(|screen| screen.tick(Instant::now()));
                    self.tell(acts).await;
                }
                () = self.screen.news(), if is_ours => {}
                () = Device::restored() => {}
                _ = self.resized.recv() => self.resize(),
                _ = self.continued.recv() => self.go_on(),
                _ = &mut *closed => return Ended::Closed,
            }
            if self.failures >= MOST_FAILURES {
                return Ended::HungUp;
            }
        }
    }

    /// Takes the next frame if the last one is written.
    fn compose(&mut self) {
        if Device::was_restored() {
            self.resume();
        }
        if self.is_aside || !self.pending.is_empty() {
            return;
        }
        let screen = self.screen.clone();
        match catch_unwind(AssertUnwindSafe(|| screen.quietly(|screen| screen.frame(Instant::now())))) {
            Ok(None) => {}
            Ok(Some(frame)) => (self.pending, self.failures) = (frame.into_bytes(), 0),
            Err(_) => self.give_back(),
        }
    }

    /// A question that cannot be drawn goes back: somebody else may answer it, and the others are not its victims.
    fn give_back(&mut self) {
        self.failures += 1;
        if let Some(key) = self.screen.quietly(Screen::drop_question) {
            (self.listener)(Act::Say(key, cannot_be_drawn()));
        }
    }

    fn wrote(&mut self, count: usize) {
        self.written += count;
        if self.written >= self.pending.len() {
            self.pending.clear();
            self.written = 0;
            self.screen.quietly(|screen| screen.written(Instant::now()));
        }
    }

    async fn typed(&mut self, bytes: &[u8]) {
        let now = Instant::now();
        self.last_key = Some(now);
        let acts = self.screen.quietly(|screen| screen.typed(bytes, now));
        self.tell(acts).await;
    }

    async fn tell(&mut self, acts: Vec<Act>) {
        for act in acts {
            match act {
                Act::Suspend => self.suspend().await,
                act => (self.listener)(act),
            }
        }
    }

    fn resize(&mut self) {
        let (columns, height) = self.device.size();
        self.screen.quietly(|screen| screen.resized(columns, height));
    }

    /// We were stopped, or only told to go on. Where the terminal is as we left it nobody else had it.
    fn go_on(&mut self) {
        match self.device.is_as_entered() && !self.is_aside {
            true => self.screen.quietly(Screen::redraw),
            false => self.resume(),
        }
    }

    /// Something else had the terminal, or still has.
    fn resume(&mut self) {
        self.is_aside = self.device.is_others();
        if self.is_aside {
            return;
        }
        if self.device.enter().is_ok() {
            self.pending.clear();
            self.written = 0;
            self.screen.quietly(|screen| screen.resumed(Instant::now()));
            self.resize();
        }
    }

    /// Ctrl-Z: the shell gets the terminal as it was, and we have it again when we go on.
    async fn suspend(&mut self) {
        let aside = self.screen.quietly(Screen::step_aside);
        self.pending.extend_from_slice(aside.as_bytes());
        // A terminal that takes nothing shows nothing, but it is ours to give back all the same.
        let _ = timeout(LAST_WORDS, self.write_all()).await;
        self.device.leave();
        // Without a shell that could let us go on the system does not stop us; then we are back at once.
        let _ = kill_process_group(getpgrp(), Signal::TSTP);
        let _ = timeout(STOPPED_BY, self.continued.recv()).await;
        self.resume();
    }

    async fn write_all(&mut self) -> io::Result<()> {
        while self.written < self.pending.len() {
            self.written += self.device.write(rest(&self.pending, self.written)).await?;
        }
        self.pending.clear();
        self.written = 0;
        Ok(())
    }

    /// Shows what is left and gives the terminal back.
    pub(crate) async fn leave(mut self) {
        if self.is_aside {
            // It is somebody else's screen.
            return self.device.leave();
        }
        self.screen.quietly(Screen::last_words);
        let last_words = async {
            self.write_all().await?;
            while let Some(more) = self.screen.quietly(Screen::rest) {
                self.pending = more.into_bytes();
                self.write_all().await?;
            }
            io::Result::Ok(())
        };
        // What nobody reads by then is not waited for.
        let _ = timeout(LAST_WORDS, last_words).await;
        (self.pending, self.written) = (self.screen.quietly(Screen::step_aside).into_bytes(), 0);
        let _ = timeout(LAST_WORDS, self.write_all()).await;
        let mut keys = Vec::new();
        let _ = timeout(LAST_KEYS, self.last_keys(&mut keys)).await;
        (self.pending, self.written) = (unsent(&keys).into_bytes(), 0);
        let _ = timeout(LAST_WORDS, self.write_all()).await;
        self.device.leave();
    }

    /// Keys that are on their way would be the shell's next command: whoever was typing is let finish.
    async fn last_keys(&mut self, keys: &mut Vec<u8>) {
        let mut buffer = [0; 4096];
        if self.last_key.is_none_or(|last| last.elapsed() >= LAST_KEYS) {
            return;
        }
        let mut quiet = Instant::now() + KEYS_APART;
        while let Ok(Ok(count @ 1..)) = tokio::time::timeout_at(quiet, self.device.read(&mut buffer)).await {
            keys.extend_from_slice(buffer.get(..count).unwrap_or_default());
            quiet = Instant::now() + KEYS_APART;
        }
    }
}

/// So much of what came too late is told.
const MOST_UNSENT: usize = 4096;

/// Lines that were entered when nobody could take them any more: they are told, so that nobody takes them for sent. Other
/// keys meant something that is over.
fn unsent(keys: &[u8]) -> String {
    let typed = String::from_utf8_lossy(keys.get(..MOST_UNSENT).unwrap_or(keys));
    let whole = typed.rsplit_once(['\r', '\n']).map(|(whole, _)| whole).unwrap_or_default();
    let lines = whole.split(['\r', '\n']).filter(|line| !line.trim().is_empty());
    lines.map(|line| format!("! not sent: {}\r\n", visible(line))).collect()
}

fn cannot_be_drawn() -> Said {
    Said::GiveBack("The question could not be drawn".to_owned())
}

fn rest(bytes: &[u8], written: usize) -> &[u8] {
    bytes.get(written..).unwrap_or_default()
}

async fn wake(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// Shows a question, unless that fails.
pub(crate) fn try_to_show(show: impl FnOnce(), key: &Key, give_back: impl FnOnce(Key, Said)) {
    if catch_unwind(AssertUnwindSafe(show)).is_err() {
        give_back(key.clone(), cannot_be_drawn());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_came_too_late_are_told_and_single_keys_are_not() {
        assert_eq!(unsent(b"three\rfour\rhalf"), "! not sent: three\r\n! not sent: four\r\n");
        assert_eq!(unsent(b"y"), "");
        assert_eq!(unsent(b"\r\r"), "");
        assert!(!unsent(b"\x1b]0;evil\x07\r").contains('\u{1b}'));
    }
}
