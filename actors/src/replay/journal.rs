//! Records of a journal as inputs of the replay: what came from outside, and what the router did with it.

use bytes::Bytes;
use codec::Outcome;
use codec::claude::Block;
use codec::frame::{Frame, Oversized};
use codec::id::{Key, Path};
use codec::journal::{self, Body, Direction, Entry, Event, Exit, Run, VERSION, WireLine};
use codec::json::{Field as _, IntoOwned as _, Text};
use codec::tunnel::{AnswerSource, Role};

use crate::dialect::Dialect;
use crate::end::Refusal;
use crate::gate::Gate;
use crate::messages::Typed;
use crate::router::emit::unix_ms;
use crate::router::{DeskInfo, Number, OpenLimits, Routing, RunInfo, Said};

use super::capture::Capture;
use super::{Aside, Became, Happening, Kind, NotReplayable, Replay, unknown_run};

/// Who is at the other end of a wire.
enum End {
    Asker(Dialect),
    Desk(AnswerSource),
    /// a wire whose lines are on record beside what they mean
    Other,
}

fn end_of(wire: &str) -> End {
    match wire.split_once(':').map_or(wire, |(kind, _)| kind) {
        "tunnel" => End::Asker(Dialect::TUNNEL),
        "claude" => End::Asker(Dialect::Claude),
        "agent" => End::Asker(Dialect::Events),
        _ => DeskInfo::source_of(wire).map_or(End::Other, End::Desk),
    }
}

fn is_asker(wire: &Text<'_>) -> bool {
    matches!(end_of(&wire.get()), End::Asker(_))
}

fn info_of(run: &Run<'_>, gate: Gate) -> RunInfo {
    let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let usual = OpenLimits::default();
    let limits = run.limits.as_ref().map(|open| OpenLimits {
        each: size(open.each),
        all: size(open.all),
        bytes_each: open.bytes_each.map_or(usual.bytes_each, size),
        bytes_all: open.bytes_all.map_or(usual.bytes_all, size),
    });
    RunInfo {
        id: run.id.get().as_ref().into(),
        seed: run.seed.get().into_owned(),
        began_unix_ms: run.started.as_ref().and_then(|text| unix_ms(&text.get())).unwrap_or_default(),
        open: limits.unwrap_or(usual),
        path: run.path.clone(),
        role: run.role.unwrap_or(Role::Run),
        gate: gate.into(),
        permission_timeout_ms: run.permission_timeout_ms,
        question_timeout_ms: run.question_timeout_ms,
        is_bridged: run.bridged == Some(true),
        allow_on_timeout: run.allow_on_timeout == Some(true),
        ..unknown_run()
    }
}

/// The record that a journal begins with, if this is one that can be read.
pub(crate) fn first_record(line: &[u8]) -> Result<Run<'_>, NotReplayable> {
    let entry = Entry::read(line).map_err(|reject| NotReplayable::Unknown(reject.to_string()))?;
    let Body::Event(Event::Run(run)) = entry.body else {
        return Err(NotReplayable::Unknown("the first record is not that of a run".to_owned()));
    };
    if run.v != VERSION {
        return Err(NotReplayable::Version(run.v));
    }
    if Key::new(&format!("{}.p0", run.id.get())).is_none() {
        return Err(NotReplayable::Unknown("the name of its run is not made of hex digits".to_owned()));
    }
    Ok(run)
}

impl Replay {
    /// The first record says which run it was. Our own journals hold all that the router did.
    pub(super) fn begin_journal(&mut self, line: &[u8]) -> Result<Kind, NotReplayable> {
        let run = first_record(line)?;
        self.next_record = 1;
        self.capture = Capture::default();
        let (gate, lost) = run.rules.as_ref().map(Gate::from_record).unwrap_or_default();
        self.routing = Routing::new(info_of(&run, gate), Box::new(self.capture.clone()));
        self.capture.clear();
        lost.into_iter().for_each(|why| self.unused(why));
        if run.writer.is_some() {
            return Ok(Kind::Own);
        }
        self.comparison.compare_lines();
        Ok(Kind::Foreign)
    }

    pub(super) fn journal_line(&mut self, line: &[u8]) -> Became {
        let entry = match Entry::read(line) {
            Ok(entry) => entry,
            Err(reject) => {
                self.unused(format!("a record that cannot be read: {reject}"));
                return Became::Unused;
            }
        };
        self.advance(entry.t);
        self.record = entry.seq;
        if self.has_hole(&entry) {
            return Became::Unused;
        }
        let is_question = matches!(entry.body, Body::Event(Event::Ask(_)));
        let told_unused = self.unused_so_far;
        if self.is_input(&entry.body) {
            self.comparison.passes_over(&self.capture, self.place());
            self.input(entry.body);
        } else {
            self.output(&entry.body);
        }
        let is_known =
            self.kind != Some(Kind::Own) || self.comparison.shows(&self.capture, line, self.place());
        self.tell_differences();
        // An answer would meet another question than its own.
        if !is_known && is_question {
            self.end_early("the questions of now have other names");
        }
        if self.unused_so_far > told_unused { Became::Unused } else { Became::Used }
    }

    /// Whether something is missing before this record, or another run begins.
    fn has_hole(&mut self, entry: &Entry<'_>) -> bool {
        let expected = std::mem::replace(&mut self.next_record, entry.seq.saturating_add(1));
        match &entry.body {
            Body::Event(Event::Run(_)) => self.end_early("another run begins here"),
            _ if self.kind != Some(Kind::Own) => return false,
            Body::Event(Event::Gap(gap)) => self.end_early(&format!("{} records are missing here", gap.lost)),
            _ if entry.seq != expected => {
                self.end_early(&format!("record {} stands where {expected} should be", entry.seq));
            }
            _ => return false,
        }
        true
    }

    /// What comes from outside the router. Everything else it did itself; but of a wire with no asker at its end it knows
    /// nothing: what was written there was not its to say.
    fn is_input(&self, body: &Body<'_>) -> bool {
        match body {
            Body::Line(line) => line.dir == Direction::From || !is_asker(&line.wire),
            Body::Event(event) => {
                !matches!(event, Event::Ask(_) | Event::Offer(_) | Event::Ended(_) | Event::Late(_))
            }
        }
    }

    fn input(&mut self, body: Body<'_>) {
        match body {
            Body::Line(line) => self.wire_line(&line),
            Body::Event(event) => self.event(event.into_owned()),
        }
    }

    /// What the router did then. Only its reasons from outside are told to the one of now.
    fn output(&mut self, body: &Body<'_>) {
        match body {
            Body::Line(line) if self.kind == Some(Kind::Foreign) && is_asker(&line.wire) => {
                match line.bytes() {
                    Ok(bytes) => {
                        let place = self.place();
                        self.comparison.expected(&line.wire.get(), &String::from_utf8_lossy(&bytes), place);
                    }
                    Err(wrong) => self.unused(format!("a line that cannot be read: {wrong}")),
                }
            }
            Body::Event(Event::Ended(ended)) if self.kind == Some(Kind::Own) && self.capture.is_empty() => {
                let internal =
                    ended.reason.as_ref().is_some_and(|reason| reason.is(Refusal::Internal.word()));
                match ended.outcome {
                    Outcome::Refused if internal => self.routing.lost(self.now, Number(ended.key.number)),
                    Outcome::Disconnected => self.routing.shut_down(self.now),
                    _ => {}
                }
                self.settle();
            }
            _ => {}
        }
    }

    fn wire_line(&mut self, line: &WireLine<'_>) {
        let wire = line.wire.get();
        if is_asker(&line.wire) {
            match line.bytes() {
                Ok(bytes) => self.frame(&wire, framed(bytes, line.length)),
                Err(wrong) => self.unused(format!("a line that cannot be read: {wrong}")),
            }
        } else {
            self.note_line(line);
        }
    }

    /// Lines of other wires stand beside the records of what they meant: they are passed over, with their record.
    fn note_line(&mut self, line: &WireLine<'_>) {
        if self.kind == Some(Kind::Own)
            && let Ok(bytes) = line.bytes()
        {
            let length = line.length.map(|length| usize::try_from(length).unwrap_or(usize::MAX));
            self.routing.note_line(self.now, &line.wire.get(), line.dir, &bytes, length);
            self.settle();
        }
    }

    fn event(&mut self, event: Event<'static>) {
        match event {
            Event::Attach(came) => {
                let wire = came.wire.get();
                match end_of(&wire) {
                    End::Asker(dialect) => {
                        let path = came.path.as_ref().map(|path| path.get().into_owned());
                        self.attach(&wire, dialect, path, came.pid, came.below.clone());
                    }
                    End::Desk(source) => self.seat(&wire, source, came.counts != Some(false)),
                    End::Other => self.unused(format!("{wire} came, and nobody knows what it is")),
                }
            }
            Event::Detach(left) => self.detach(&left.wire, left.reason.as_ref()),
            Event::Shown(shown) => self.said(&shown.desk, &shown.key, Said::Shown),
            Event::Answer(answer) => {
                let said = match (answer.outcome, answer.value) {
                    (Some(Outcome::TimedOut), _) => Said::TimedOut(answer.after_ms),
                    (Some(Outcome::Disconnected), _) => Said::Lost,
                    (None | Some(Outcome::Answered), Some(value)) => Said::Answer(value),
                    _ => Said::Decline,
                };
                self.said(&answer.desk, &answer.key, said);
            }
            Event::GiveBack(back) => {
                let why = back.reason.map(|reason| reason.get().into_owned()).unwrap_or_default();
                let said = match back.word.as_ref().and_then(|word| Refusal::known_word(&word.get())) {
                    Some(word) => Said::Refused(word, why),
                    None => Said::GiveBack(why),
                };
                self.said(&back.desk, &back.key, said);
            }
            Event::Timer(timer) if timer.key.run != *self.routing.run_id() => {
                self.unused(format!("a timer of another run: {}", timer.key));
            }
            Event::Timer(timer) => self.routing.expired(self.now, Number(timer.key.number)),
            Event::Typed(typed) => self.typed(typed),
            // That one was to end is only noted: nobody tells it.
            Event::Steer(steer) if steer.what != journal::Steering::End => self.steer(&steer),
            Event::Gap(gap) => self.unused(format!("{} records are missing here", gap.lost)),
            Event::Unknown(_) => self.unused("a kind of record that this version does not know".to_owned()),
            other => {
                self.tell_exit(&other);
                self.routing.note(self.now, other);
            }
        }
        self.settle();
    }

    fn tell_exit(&mut self, event: &Event<'_>) {
        if let Event::Exit(Exit { wire, code, signal, .. }) = event {
            let (wire, code, signal) = (wire.get().into_owned(), *code, *signal);
            self.tell(|| Happening::Aside(Aside::Exited { wire, code, signal }));
        }
    }

    fn typed(&mut self, typed: journal::Typed<'static>) {
        let to = typed.to.map(|to| Path::new(&to.get()));
        if to == Some(None) {
            return self.unused("a typed line for nobody".to_owned());
        }
        let images = typed.images.and_then(|images| Vec::<Block<'static>>::read(images).ok());
        let typed = Typed {
            text: typed.text.get().into_owned(),
            to: to.flatten(),
            input_id: typed.input_id.map(|id| id.get().into_owned()),
            images: images.unwrap_or_default(),
            is_prompt: typed.prompt == Some(true),
        };
        self.tell(|| {
            let to = typed.to.as_ref().map(ToString::to_string);
            Happening::Aside(Aside::Typed { text: typed.text.clone(), to })
        });
        self.routing.typed(self.now, &typed);
    }

    fn steer(&mut self, steer: &journal::Steer<'_>) {
        let wire = steer.wire.get();
        match self.askers.get(wire.as_ref()) {
            Some(asker) => {
                let (input_id, asker) = (steer.input_id.as_ref().map(Text::get), *asker);
                if steer.what == journal::Steering::Interrupt {
                    self.tell(|| Happening::Aside(Aside::Interrupted(wire.clone().into_owned())));
                }
                self.routing.steer(self.now, asker, steer.what, input_id.as_deref());
            }
            None => self.unused(format!("{wire} was steered, but was not there")),
        }
    }

    fn detach(&mut self, wire: &Text<'_>, reason: Option<&Text<'_>>) {
        let wire = wire.get();
        let reason = reason.map(|reason| reason.get().into_owned()).unwrap_or_default();
        match (self.askers.remove(wire.as_ref()), self.desks.remove(wire.as_ref())) {
            (Some(asker), _) => {
                self.routing.detach(self.now, asker, &reason);
                self.settle();
                self.wires.remove(&asker);
                self.tell(|| Happening::Aside(Aside::Gone(wire.clone().into_owned())));
            }
            (None, Some(desk)) => self.routing.leave(self.now, desk, &reason),
            (None, None) => self.unused(format!("{wire} left, but was not there")),
        }
    }

    pub(super) fn said(&mut self, desk: &Text<'_>, key: &Key, said: Said) {
        match self.desks.get(desk.get().as_ref()) {
            Some(desk) => self.routing.said(self.now, *desk, key, said),
            None => self.unused(format!("{} said something about {key}, but was not there", desk.get())),
        }
        self.settle();
    }
}

fn framed(bytes: Vec<u8>, length: Option<u64>) -> Frame {
    match length {
        None => Frame::Line(Bytes::from(bytes)),
        Some(length) => {
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            Frame::Oversized(Oversized { head: Bytes::from(bytes), length })
        }
    }
}
