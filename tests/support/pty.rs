//! A program at a terminal of its own: what it writes is a picture, what is typed is bytes.
//!
//! Every wait is for something to be seen, with a bound. The program ends with the test.

use std::io::Write;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::thread::JoinHandle;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal};
use rustix::termios::{OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};

pub(crate) use crate::eyes::Reads;
use crate::eyes::{Eyes, LAST};
use crate::picture::Picture;
use crate::support::launch::HOMES;
use crate::support::temp::Temp;
use crate::support::wait::eventually;

/// What to start, and at which terminal.
pub(crate) struct Start {
    home: std::path::PathBuf,
    command: CommandBuilder,
    size: (u16, u16),
    typed: Vec<u8>,
}

impl Start {
    /// `tim` with its arguments, in a home of its own.
    pub(crate) fn tim(folder: &Temp, arguments: &[&str]) -> Self {
        Self::program(folder, env!("CARGO_BIN_EXE_tim"), arguments)
    }

    /// Any program.
    pub(crate) fn program(folder: &Temp, program: &str, arguments: &[&str]) -> Self {
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env_clear();
        for (name, below) in HOMES {
            command.env(name, folder.path(below));
        }
        for (name, value) in
            [("PATH", "/usr/bin:/bin"), ("TERM", "xterm-256color"), ("TZ", "UTC"), ("TIM_ATTENTION", "off")]
        {
            command.env(name, value);
        }
        let home = folder.path("home");
        Self { command, size: (80, 24), typed: Vec::new(), home: home.clone() }.within(&home)
    }

    /// Its home folder.
    pub(crate) fn home(&self) -> &std::path::Path {
        &self.home
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// In that folder.
    pub(crate) fn within(mut self, folder: &std::path::Path) -> Self {
        self.command.cwd(folder);
        self
    }

    /// Columns and rows.
    pub(crate) fn size(mut self, columns: u16, rows: u16) -> Self {
        self.size = (columns, rows);
        self
    }

    /// At a terminal where something was typed already.
    pub(crate) fn after(mut self, typed: &[u8]) -> Self {
        self.typed = typed.to_vec();
        self
    }

    pub(crate) fn go(self) -> Pty {
        let pty = native_pty_system().openpty(size(self.size)).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let slave = rustix::fs::open(pty.master.tty_name().unwrap(), flags, Mode::empty()).unwrap();
        let before = tcgetattr(&slave).unwrap();
        let (reader, mut keys) = (pty.master.try_clone_reader().unwrap(), pty.master.take_writer().unwrap());
        keys.write_all(&self.typed).unwrap();
        let child = pty.slave.spawn_command(self.command).unwrap();
        let eyes = Arc::new(Eyes::new(self.size));
        let reads = Arc::clone(&eyes);
        let reader = std::thread::spawn(move || reads.read(reader));
        let master = Some(pty.master);
        Pty { child, keys, eyes, slave: Some(slave), before, master, reader: Some(reader) }
    }
}

fn size((cols, rows): (u16, u16)) -> PtySize {
    PtySize { rows, cols, ..PtySize::default() }
}

/// A program at its terminal.
pub(crate) struct Pty {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    eyes: Arc<Eyes>,
    /// keeps the modes of the terminal when the program is gone
    slave: Option<OwnedFd>,
    before: Termios,
    master: Option<Box<dyn MasterPty + Send>>,
    reader: Option<JoinHandle<()>>,
}

impl Pty {
    /// Waits until the picture is as it should be.
    pub(crate) fn until(&self, what: &str, wanted: impl Fn(&Picture) -> bool) -> Picture {
        self.eyes.until(what, wanted)
    }

    /// Waits until a text is on the screen.
    pub(crate) fn sees(&self, text: &str) -> Picture {
        self.until(&format!("{text:?}"), |picture| picture.has(text))
    }

    /// Waits until a text was on the screen, though it may have been scrolled away since.
    pub(crate) fn saw(&self, text: &str) {
        self.eyes.until_written(text);
    }

    /// Waits until a text is no longer on the screen.
    pub(crate) fn sees_no(&self, text: &str) -> Picture {
        self.until(&format!("the end of {text:?}"), |picture| !picture.has(text))
    }

    /// Waits until the keys of a question count: the screen shows them bold.
    pub(crate) fn armed(&self, keys: &str) -> Picture {
        self.until(&format!("{keys:?} to count"), |picture| picture.is_bold(keys))
    }

    /// What is on the screen, at the end of a frame.
    pub(crate) fn picture(&self) -> Picture {
        self.until("the end of a frame", |_| true)
    }

    pub(crate) fn types(&mut self, keys: &str) {
        self.sends(keys.as_bytes());
    }

    pub(crate) fn sends(&mut self, bytes: &[u8]) {
        self.keys.write_all(bytes).unwrap();
    }

    /// Pastes, as a terminal does whose program asked for it.
    pub(crate) fn pastes(&mut self, text: &str) {
        self.types(&format!("\x1b[200~{text}\x1b[201~"));
    }

    /// Everything that was written.
    pub(crate) fn raw(&self) -> Vec<u8> {
        self.eyes.raw()
    }

    /// From now on the far end reads so.
    pub(crate) fn reads(&self, reads: Reads) {
        self.eyes.read_so(reads);
    }

    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        let master = self.master.as_ref().unwrap();
        self.eyes.resize((columns, rows), || master.resize(size((columns, rows))).unwrap());
    }

    /// The far end has that size, whatever it says.
    pub(crate) fn show_as(&self, columns: u16, rows: u16) {
        self.eyes.show_as((columns, rows));
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.pid().cast_signed()).unwrap();
        rustix::process::kill_process(pid, signal).unwrap();
    }

    /// The window is closed.
    pub(crate) fn hang_up(&mut self) {
        self.reads(Reads::NoMore);
        // The reader waits for something to be drawn, and would keep the terminal.
        self.resize(79, 23);
        self.reader.take().unwrap().join().unwrap();
        // Whoever closes the keys would press Enter and Ctrl-D first.
        let slave = self.slave.take().unwrap();
        let mut modes = tcgetattr(&slave).unwrap();
        modes.special_codes[SpecialCodeIndex::VEOF] = 0;
        tcsetattr(&slave, OptionalActions::Now, &modes).unwrap();
        self.keys = Box::new(std::io::sink());
        drop(slave);
        self.master = None;
    }

    /// Waits for its end, and until all that it wrote is on the screen, if somebody reads that at all: its exit code.
    pub(crate) fn ends(&mut self) -> u32 {
        let (child, eyes) = (&mut self.child, &self.eyes);
        let what = format!("its end; the screen:\n{}", eyes.now());
        let code = eventually(&what, || child.try_wait().unwrap()).exit_code();
        if let Some(slave) = self.slave.as_ref().filter(|_| eyes.read_all()) {
            rustix::io::write(slave, LAST).unwrap();
            eyes.until_last();
        }
        code
    }

    /// The modes of the terminal are those from before, as one can see them.
    pub(crate) fn is_as_before(&self) -> bool {
        let now = tcgetattr(self.slave.as_ref().unwrap()).unwrap();
        told(&now) == told(&self.before)
    }

    /// The terminal is as it was, whatever stands on it.
    pub(crate) fn assert_modes_restored(&self) -> Picture {
        let modes = || self.is_as_before().then_some(());
        eventually("the modes from before", modes);
        self.until("a plain terminal", Picture::is_plain)
    }

    /// The terminal is as it was: its modes, its cursor, and nothing of a live region.
    pub(crate) fn assert_restored(&self) {
        let picture = self.assert_modes_restored();
        assert!(!picture.has("❯") && !picture.has("Esc") && !picture.has("listens"), "{picture}");
    }
}

fn told(termios: &Termios) -> String {
    format!("{termios:?}")
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.slave = None;
        self.reads(Reads::All);
    }
}
