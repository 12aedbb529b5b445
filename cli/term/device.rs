//! The terminal device itself: `/dev/tty`, opened anew, so that nobody else's reads and writes change with ours.
//!
//! Owns its modes: raw while it is entered, as it was before after that, whichever way the program ends; also by a panic.
//! Knows nothing of what is on the screen. Reads and writes never block the thread. Ends with the terminal.

use std::fs::File;
use std::io::{self, IsTerminal as _};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use rustix::fs::{Mode, OFlags};
use rustix::process::getpgrp;
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetpgrp, tcgetwinsize,
    tcsetattr,
};
use tokio::io::unix::AsyncFd;
use tokio::sync::Notify;

use super::painter::Painter;

/// The terminal.
pub(crate) struct Device {
    file: AsyncFd<OwnedFd>,
    /// how it was
    before: Termios,
    is_raw: bool,
}

/// The usual size, for terminals that do not know theirs.
const USUAL: (usize, usize) = (80, 24);
/// What no terminal has; such a size is a mistake.
const LARGEST: usize = 2_000;

/// The terminal to be restored if the program breaks off.
static TO_RESTORE: Mutex<Option<(File, Termios)>> = Mutex::new(None);
/// A panic restored it although its owner may live on.
static WAS_RESTORED: AtomicBool = AtomicBool::new(false);
/// Wakes that owner.
static RESTORED: Notify = Notify::const_new();

impl Device {
    /// The terminal of this process, if there is one and it is ours: a program in the background would be stopped if it
    /// read.
    pub(crate) fn open() -> io::Result<Option<Self>> {
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let Ok(file) = rustix::fs::open("/dev/tty", flags, Mode::empty()) else { return Ok(None) };
        if !file.is_terminal() || !tcgetpgrp(&file).is_ok_and(|group| group == getpgrp()) {
            return Ok(None);
        }
        Self::of(file).map(Some)
    }

    /// That terminal.
    pub(crate) fn of(file: OwnedFd) -> io::Result<Self> {
        let before = tcgetattr(&file)?;
        #[expect(deprecated, reason = "the other way is unsafe; an OwnedFd keeps to what it asks for")]
        let file = AsyncFd::new(file)?;
        Ok(Self { file, before, is_raw: false })
    }

    /// How many columns and rows it has.
    pub(crate) fn size(&self) -> (usize, usize) {
        let or = |said: u16, usual: usize| if said == 0 { usual } else { usize::from(said).min(LARGEST) };
        tcgetwinsize(&self.file).map_or(USUAL, |size| (or(size.ws_col, USUAL.0), or(size.ws_row, USUAL.1)))
    }

    /// Whether others have it: whoever reads or sets its modes in the background is stopped. One that is gone is nobody's.
    pub(crate) fn is_others(&self) -> bool {
        is_others(&self.file)
    }

    /// Every key comes at once and is shown by nobody but us.
    pub(crate) fn enter(&mut self) -> io::Result<()> {
        let mut raw = self.before.clone();
        raw.make_raw();
        remember(self.file.get_ref(), &self.before)?;
        tcsetattr(&self.file, OptionalActions::Now, &raw)?;
        self.is_raw = true;
        Ok(())
    }

    /// Whether nobody has changed its modes since, nor has it for themselves.
    pub(crate) fn is_as_entered(&self) -> bool {
        let is_raw = |modes: Termios| !modes.local_modes.contains(LocalModes::ICANON);
        self.is_raw && !self.is_others() && tcgetattr(&self.file).is_ok_and(is_raw)
    }

    /// As it was. What was typed and not read is for nobody.
    pub(crate) fn leave(&mut self) {
        if std::mem::take(&mut self.is_raw) {
            forget();
            restore(self.file.get_ref(), &self.before);
        }
    }

    /// Whether a panic somewhere restored the terminal under us: then it must be entered again. Once each time.
    pub(crate) fn was_restored() -> bool {
        WAS_RESTORED.swap(false, Ordering::Relaxed)
    }

    /// Until that may be so.
    pub(crate) async fn restored() {
        RESTORED.notified().await;
    }

    /// Reads what was typed. Nothing means that the terminal is gone.
    pub(crate) async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let mut guard = self.file.readable().await?;
            match guard.try_io(|file| Ok(rustix::io::read(file, &mut *buffer)?)) {
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(read) => return read,
                Err(_) => {}
            }
        }
    }

    /// Writes as much as it takes now.
    pub(crate) async fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            let mut guard = self.file.writable().await?;
            match guard.try_io(|file| Ok(rustix::io::write(file, bytes)?)) {
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(written) => return written,
                Err(_) => {}
            }
        }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        if self.is_raw {
            // Nobody took leave: whoever owned it broke off.
            let _ = rustix::io::write(&self.file, Painter::rescue().as_bytes());
            self.leave();
        }
    }
}

fn is_others(file: &impl std::os::fd::AsFd) -> bool {
    tcgetpgrp(file).is_ok_and(|group| group != getpgrp())
}

/// One that is in the background has no say any more, and would be stopped if it tried.
fn restore(file: &impl std::os::fd::AsFd, before: &Termios) {
    if is_others(file) {
        return;
    }
    // A terminal that is gone needs no modes.
    let _ = tcsetattr(file, OptionalActions::Now, before);
    let _ = tcflush(file, QueueSelector::IFlush);
}

fn remember(file: &OwnedFd, before: &Termios) -> io::Result<()> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let then = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |what| {
            restore_in_panic();
            then(what);
        }));
    });
    let kept = (File::from(file.try_clone()?), before.clone());
    *TO_RESTORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
    Ok(())
}

fn forget() {
    *TO_RESTORE.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// What the panic says is to be read on a terminal that is as it was.
fn restore_in_panic() {
    let Ok(kept) = TO_RESTORE.try_lock() else { return };
    if let Some((file, before)) = &*kept {
        let _ = rustix::io::write(file, Painter::rescue().as_bytes());
        let _ = rustix::io::write(file, b"\r\n");
        restore(file, before);
        WAS_RESTORED.store(true, Ordering::Relaxed);
        RESTORED.notify_one();
    }
}
