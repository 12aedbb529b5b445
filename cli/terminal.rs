//! The terminal as a desk: which way it is used, and the screen as the router and `tim ask` know it.
//!
//! Owns that choice: a screen where the terminal can move its cursor, plain lines where it cannot. Decides no question.

use std::cell::Cell;
use std::ffi::OsStr;
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix::{Actor as _, Addr, AsyncContext as _};
use actors::answer;
use actors::ask::{NotAnswered, Person, result_of};
use actors::end::End;
use actors::hook::Hook;
use actors::question::Question;
use actors::router::{AskerId, Keeper, Offer, Router, Said};
use actors::terminal::{Behind, Console, Drawn, Fingers, Terminal, Waiting};
use codec::id::Key;
use codec::json::Json;
use codec::tunnel::AnswerSource;
use rustix::process::getpgrp;
use rustix::termios::tcgetpgrp;
use tokio::sync::{Mutex, mpsc};
use tokio::time::Instant;

use crate::claude_settings::NAME;
use crate::clock;
use crate::config::{self, Flags, attention};
use crate::environment::Environment;
use crate::term::attention::{Abilities, Attention};
use crate::term::device::Device;
use crate::term::handle::Handle;
use crate::term::owner::{Owner, Running, try_to_show};
use crate::term::painter::Reflow;
use crate::term::question::Here;
use crate::term::screen::{Act, Screen, Setup};
use crate::term::style::Ink;
use crate::tty::Tty;

/// How the terminal of this process is used.
pub(crate) enum At {
    /// as a screen
    Screen(Device),
    /// line by line
    Lines(Tty),
}

impl At {
    /// The terminal, if there is one to which we may speak.
    pub(crate) fn open(environment: &Environment) -> Option<Self> {
        if is_plain(environment) {
            return Tty::open().map(Self::Lines);
        }
        // Where the better way cannot be had the plain one may.
        match Device::open() {
            Ok(device) => device.map(Self::Screen),
            Err(error) => {
                tracing::warn!(%error, "no screen, only lines");
                Tty::open().map(Self::Lines)
            }
        }
    }
}

/// Whether there is a terminal, but it is somebody else's now.
pub(crate) fn is_in_background() -> bool {
    let terminal = std::fs::File::open("/dev/tty");
    terminal.is_ok_and(|terminal| tcgetpgrp(&terminal).is_ok_and(|group| group != getpgrp()))
}

/// Whether nobody says that the terminal can move its cursor.
fn is_plain(environment: &Environment) -> bool {
    environment.term.as_deref().is_none_or(|term| term == "dumb" || term == "unknown")
}

/// What a screen is for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Use {
    /// whether there is a line that agents hear
    pub(crate) has_line: bool,
    /// whether whoever hears a line says when it was read
    pub(crate) tells_read: bool,
    /// what a second Ctrl-C does, as a sentence
    pub(crate) ends: &'static str,
    /// whether rules that are granted with an answer are kept, as far as whoever asks has somebody who does
    pub(crate) keeps_rules: bool,
    /// whether those that are allowed for always are saved
    pub(crate) saves_rules: bool,
    /// whether there is an agent of our own, whose tools run in the folder of the work; whoever else asks may be anywhere
    pub(crate) has_folder: bool,
}

/// The screen of that terminal.
pub(crate) fn screen(
    device: &Device,
    environment: &Environment,
    attention: &attention::Settings,
    use_: Use,
) -> Handle {
    let term = environment.term.as_deref().and_then(OsStr::to_str);
    let place = crate::rules::place(environment);
    let rules_file = crate::rules::file(environment).map(|file| file.display().to_string());
    let rules_file =
        if use_.saves_rules { rules_file } else { Ok("nowhere: a demo keeps nothing".to_owned()) };
    let setup = Setup {
        folder: use_.has_folder.then(|| short(&place.root, place.home.as_deref())),
        fails_on: environment.test_panic_on.clone(),
        here: Here {
            rules_file: rules_file.map(|file| short(&file, place.home.as_deref())).unwrap_or_default(),
            place,
            is_alone: !use_.has_line,
            keeps_rules: use_.keeps_rules,
            pid: Some(u64::from(std::process::id())),
            asks_itself: false,
            claude_file: if use_.saves_rules && use_.has_folder { NAME.to_owned() } else { String::new() },
        },
        ink: if environment.no_color { Ink::NoColours } else { Ink::Colours },
        reflow: if environment.cuts_rows() { Reflow::Cuts } else { Reflow::Breaks },
        has_line: use_.has_line,
        tells_read: use_.tells_read,
        ends: use_.ends,
        attention: Attention::new(attention, Abilities::of(term), Instant::now()),
        time: Box::new(clock::time_of_day),
    };
    Handle::new(Screen::new(setup, device.size(), Instant::now()))
}

/// A path as people know it.
pub(crate) fn short(path: &str, home: Option<&str>) -> String {
    match home.and_then(|home| path.strip_prefix(home)) {
        Some("") => "~".to_owned(),
        Some(below) if below.starts_with('/') => format!("~{below}"),
        _ => path.to_owned(),
    }
}

/// Questions on a screen.
struct ScreenConsole {
    screen: Handle,
    fingers: Fingers,
}

impl Console for ScreenConsole {
    fn show(&mut self, up: &Waiting, behind: &Behind, drawn: Drawn) {
        let show = || {
            self.screen.with(|screen| screen.show(up, behind, Box::new(|| drawn.tell()), Instant::now()));
        };
        try_to_show(show, &up.offer.key, |key, said| self.fingers.say(key, said));
    }

    fn behind(&mut self, behind: &Behind) {
        self.screen.with(|screen| screen.behind(behind));
    }

    fn close(&mut self, over: &Waiting, end: &End) {
        self.screen.with(|screen| screen.close(over, end, Instant::now()));
    }

    fn object(&mut self, about: Option<&Key>, why: &str) {
        self.screen.with(|screen| screen.object(about, why));
    }
}

/// Who hears what the person at a screen does that is no answer to a question: their lines go out through these fingers.
pub(crate) type Does = Box<dyn FnMut(Act, &Fingers)>;

/// Seats a person at a screen, with the command that calls them. `does` hears what they do, `gone` that the terminal is
/// gone.
pub(crate) fn seat(
    device: Device,
    screen: &Handle,
    hook: Option<Hook>,
    router: &Addr<Router>,
    mut does: Does,
    gone: impl FnOnce() + 'static,
) -> io::Result<(Addr<Terminal>, Running)> {
    let terminal = Terminal::create(|ctx| {
        let console = ScreenConsole { screen: screen.clone(), fingers: Fingers::at(&ctx.address()) };
        Terminal::new(Box::new(console), router.clone())
    });
    let fingers = Fingers::at(&terminal);
    let (leaving, call) = (fingers.clone(), caller(hook, screen.clone()));
    let listener = Box::new(move |act| match act {
        Act::Say(key, said) => fingers.say(key, said),
        Act::Call(offer) => call(&offer),
        act => does(act, &fingers),
    });
    let owner = Owner::new(device, screen.clone(), listener).inspect_err(|_| leaving.leave())?;
    let running = owner.start(move || {
        leaving.leave();
        gone();
    });
    Ok((terminal, running))
}

/// Runs the person's command; what goes wrong is said on the screen.
fn caller(hook: Option<Hook>, screen: Handle) -> impl Fn(&Arc<Offer>) {
    let hook = hook.map(Rc::new);
    move |offer| {
        let Some(hook) = &hook else { return };
        let (called, screen) = (hook.run(offer), screen.clone());
        tokio::task::spawn_local(async move {
            if let Err(why) = called.await {
                screen.with(|screen| screen.warn(&why));
            }
        });
    }
}

/// Where nobody knows what the user wants.
const QUIET: attention::Settings =
    attention::Settings { bell: false, notify: false, title: false, after: Duration::ZERO, command: None };

/// The person at a screen, without a router between.
pub(crate) struct AtTheScreen {
    screen: Handle,
    running: Running,
    label: String,
    /// how many questions so far: an answer names the one that it is for
    asked: Cell<u64>,
    acts: Mutex<mpsc::UnboundedReceiver<Act>>,
}

impl AtTheScreen {
    /// Whoever sits there.
    pub(crate) fn new(device: Device, environment: &Environment, label: &str) -> io::Result<Self> {
        let use_ = Use {
            has_line: false,
            tells_read: false,
            ends: "Ctrl-C gives no answer",
            keeps_rules: false,
            saves_rules: false,
            has_folder: false,
        };
        let attention = config::load(environment, Flags::default()).map(|config| config.attention);
        let screen = screen(&device, environment, attention.as_ref().unwrap_or(&QUIET), use_);
        if let Err(error) = attention {
            screen.with(|screen| screen.warn(&error.to_string()));
        }
        let (tell, acts) = mpsc::unbounded_channel();
        // Whoever asked has left: nobody needs to hear it.
        let listener = Box::new(move |act| drop(tell.send(act)));
        let owner = Owner::new(device, screen.clone(), listener)?;
        // That it is gone shows by the end of its acts.
        let running = owner.start(|| {});
        Ok(Self { screen, running, label: label.to_owned(), asked: Cell::new(0), acts: Mutex::new(acts) })
    }

    /// Gives the terminal back.
    pub(crate) async fn finish(self) {
        self.running.close().await;
    }

    async fn answer(&self, question: &Arc<Question>) -> Said {
        let mut acts = self.acts.lock().await;
        self.asked.update(|asked| asked + 1);
        let offer = offer(question, &self.label, self.asked.get());
        let up = Waiting { offer: Arc::new(offer), since: Instant::now() };
        let show = |screen: &mut Screen| screen.show(&up, &Behind::default(), Box::new(|| {}), up.since);
        self.screen.with(show);
        while let Some(act) = acts.recv().await {
            match act {
                Act::Say(key, said) if key == up.offer.key => {
                    self.close(&up, &said);
                    return said;
                }
                Act::End => return Said::Decline,
                Act::Say(..) | Act::Send { .. } | Act::TakeBack(_) | Act::Interrupt(_) => {}
                Act::Suspend | Act::Call(_) | Act::Line(_) | Act::Finish => {}
            }
        }
        // The terminal is gone, and the person with it.
        Said::Lost
    }

    fn close(&self, up: &Waiting, said: &Said) {
        let end =
            match said {
                Said::Answer(value) => answer::check(&up.offer.question, value).ok().map(|given| {
                    End::Answered { value: value.clone(), given, source: AnswerSource::Terminal }
                }),
                Said::Decline => Some(End::Declined),
                _ => None,
            };
        if let Some(end) = end {
            self.screen.with(|screen| screen.close(up, &end, Instant::now()));
        }
    }
}

/// A question of this very process.
pub(crate) fn offer(question: &Arc<Question>, label: &str, number: u64) -> Offer {
    Offer {
        key: Key { run: "0".into(), number },
        asker: AskerId(0),
        path: label.to_owned(),
        pid: None,
        question: Arc::clone(question),
        since: 0,
        left_ms: question.timeout_ms,
        keeper: Keeper::Nobody,
    }
}

impl Person for AtTheScreen {
    async fn ask(&self, question: Question) -> Result<Json<'static>, NotAnswered> {
        let question = Arc::new(question);
        in_time(&question, self.answer(&question)).await
    }
}

/// What somebody says to a question, unless its time runs out.
pub(crate) async fn in_time(
    question: &Question,
    answer: impl Future<Output = Said>,
) -> Result<Json<'static>, NotAnswered> {
    let timeout = question.timeout_ms.map(Duration::from_millis);
    let said = match timeout {
        None => answer.await,
        Some(after) => match tokio::time::timeout(after, answer).await {
            Ok(said) => said,
            Err(_) => return Err(NotAnswered::TimedOut { after }),
        },
    };
    result_of(question, said, timeout).unwrap_or(Err(NotAnswered::Declined))
}
