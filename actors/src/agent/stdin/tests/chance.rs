//! By chance: whatever the order of things, stdin closes once, not too early, and in the end.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

/// What is open, kept in the plainest way, beside the machine.
#[derive(Debug, Default)]
struct Plain {
    turn: bool,
    began: bool,
    known: BTreeSet<String>,
    waiting: Vec<String>,
    /// the message that the turn is about, if by its place alone
    first: Option<String>,
    questions: Vec<RequestId>,
    tasks: BTreeSet<String>,
    text: bool,
    keep: bool,
    end: bool,
}

impl Plain {
    fn is_settled(&self) -> bool {
        let person = self.end || (!self.text && !self.keep && self.began);
        let work = self.turn || !self.waiting.is_empty();
        person && !work && self.questions.is_empty() && self.tasks.is_empty()
    }

    fn see(&mut self, event: &Event, silent_ms: u64) {
        if silent_ms >= OVERDUE_MS && !self.turn {
            self.waiting.clear();
        }
        match event {
            Event::PromptWritten => (self.began, self.turn) = (true, true),
            Event::MessageWritten { uuid } => {
                self.began = true;
                if self.known.insert(uuid.clone()) {
                    self.waiting.push(uuid.clone());
                }
            }
            Event::MessageStarted { uuid }
            | Event::MessageCompleted { uuid }
            | Event::MessageEchoed { uuid }
            | Event::MessageDropped { uuid }
            | Event::MessageTakenBack { uuid } => self.waiting.retain(|waiting| waiting != uuid),
            Event::TurnBegan => self.turn_began(),
            Event::TurnEnded { unasked, read } => self.turn_ended(*unasked, read),
            Event::QuestionOpened { id } => self.questions.push(id.clone()),
            Event::QuestionClosed { id } => self.questions.retain(|open| open != id),
            Event::Task(TaskChange::Opened { id, .. }) => _ = self.tasks.insert(id.clone()),
            Event::Task(TaskChange::Closed { id }) => _ = self.tasks.remove(id),
            Event::Line { has_text } => self.text = *has_text,
            Event::KeepOpen(wished) => self.keep = *wished,
            Event::EndSaid => self.end = true,
            Event::NotWaitedFor => self.waiting.clear(),
            Event::Heard | Event::TimePassed | Event::WriteFailed | Event::ChildExited => {}
        }
    }

    fn turn_began(&mut self) {
        if !std::mem::replace(&mut self.turn, true) {
            self.first = self.waiting.first().cloned();
        }
    }

    fn turn_ended(&mut self, unasked: bool, read: &[String]) {
        self.turn = false;
        let first = self.first.take().filter(|_| !unasked);
        self.waiting.retain(|waiting| !read.contains(waiting) && Some(waiting) != first.as_ref());
    }
}

fn an_event() -> impl Strategy<Value = Event> {
    let id = || (0..4u8).prop_map(|id| id.to_string());
    let request = || id().prop_map(|id| RequestId::new(&id));
    prop_oneof![
        3 => id().prop_map(|uuid| Event::MessageWritten { uuid }),
        2 => id().prop_map(|uuid| Event::MessageStarted { uuid }),
        1 => id().prop_map(|uuid| Event::MessageCompleted { uuid }),
        1 => id().prop_map(|uuid| Event::MessageEchoed { uuid }),
        1 => id().prop_map(|uuid| Event::MessageDropped { uuid }),
        1 => id().prop_map(|uuid| Event::MessageTakenBack { uuid }),
        4 => Just(Event::TurnBegan),
        4 => (any::<bool>(), prop::collection::vec(id(), 0..2))
            .prop_map(|(unasked, read)| Event::TurnEnded { unasked, read }),
        2 => request().prop_map(|id| Event::QuestionOpened { id }),
        3 => request().prop_map(|id| Event::QuestionClosed { id }),
        2 => id().prop_map(|id| opened(&id, Sureness::Told)),
        3 => id().prop_map(|id| closed(&id)),
        2 => any::<bool>().prop_map(|has_text| Event::Line { has_text }),
        1 => any::<bool>().prop_map(Event::KeepOpen),
        1 => Just(Event::Heard),
        2 => Just(Event::TimePassed),
    ]
}

fn a_life() -> impl Strategy<Value = Vec<(Event, u64)>> {
    let pause = prop_oneof![8 => 0..500u64, 1 => 2_000..5_000u64, 1 => 20_000..50_000u64];
    prop::collection::vec((an_event(), pause), 0..60)
}

/// Everything comes to its end, the way the real ones do.
fn the_end() -> Vec<Event> {
    let ids = || (0..4u8).map(|id| id.to_string());
    let mut end = vec![ended()];
    end.extend(ids().map(|uuid| Event::MessageStarted { uuid }));
    end.extend([Event::TurnBegan, ended()]);
    end.extend(ids().map(|id| Event::QuestionClosed { id: RequestId::new(&id) }));
    end.extend(ids().map(|id| closed(&id)));
    end.extend([Event::Line { has_text: false }, Event::KeepOpen(false)]);
    end
}

proptest! {
    #[test]
    fn it_closes_once_never_while_something_is_open_and_always_in_the_end(life in a_life()) {
        let (mut stdin, mut plain, mut closes) = (Stdin::default(), Plain::default(), 0);
        let prompt = (Event::PromptWritten, 0);
        let end = the_end().into_iter().map(|event| (event, 10));
        let (mut now, mut stirred) = (0, 0);
        for (event, pause) in std::iter::once(prompt).chain(life).chain(end) {
            now += pause;
            plain.see(&event, now - stirred);
            if event.is_a_stir() {
                stirred = now;
            }
            let was_open = stdin.is_open();
            let close = stdin.on(event, now);
            closes += u32::from(close.is_some());
            prop_assert!(close.is_none() || (was_open && close == Some(Close::Settled)));
            prop_assert!(close.is_none() || plain.is_settled(), "closed too early: {plain:?}");
            prop_assert_eq!(stdin.is_open(), closes == 0, "closed stays closed");
            prop_assert_eq!(stdin.why_open().is_empty(), !stdin.is_open());
        }
        while let Some(wake) = stdin.wake_at() {
            prop_assert!(wake > now, "time has to pass");
            now = wake;
            closes += u32::from(stdin.on(Event::TimePassed, now).is_some());
        }
        prop_assert_eq!(closes, 1, "{:?}", stdin.why_open());
    }

    #[test]
    fn an_exit_or_a_broken_pipe_closes_it_at_once_whatever_is_open(
        before in a_life(),
        after in a_life(),
        exits in any::<bool>(),
    ) {
        let (mut stdin, mut now, mut closes) = (Stdin::default(), 0, 0);
        let cut = if exits { Event::ChildExited } else { Event::WriteFailed };
        for (event, pause) in before.into_iter().chain([(cut, 0)]) {
            now += pause;
            closes += u32::from(stdin.on(event, now).is_some());
        }
        prop_assert_eq!((closes, stdin.is_open()), (1, false));
        for (event, pause) in after {
            now += pause;
            prop_assert_eq!(stdin.on(event, now), None);
            prop_assert!(!stdin.is_open() && stdin.wake_at().is_none() && stdin.why_open().is_empty());
        }
    }

    #[test]
    fn a_message_is_told_as_not_read_unless_something_said_that_it_was(life in a_life()) {
        let (mut stdin, mut now, mut unread) = (Stdin::default(), 0, Vec::new());
        let mut read = BTreeSet::new();
        // Those may tell it by a message's place alone.
        let is_turn = |event: &Event| matches!(event, Event::TurnBegan | Event::TurnEnded { .. });
        let unnamed = life.into_iter().filter(|(event, _)| !is_turn(event));
        for (event, pause) in unnamed {
            now += pause;
            match &event {
                Event::MessageWritten { uuid } if !read.contains(uuid) && !unread.contains(uuid) => {
                    unread.push(uuid.clone());
                }
                Event::MessageStarted { uuid }
                | Event::MessageEchoed { uuid }
                | Event::MessageCompleted { uuid } if unread.contains(uuid) => {
                    read.insert(uuid.clone());
                    unread.retain(|other| other != uuid);
                }
                Event::MessageTakenBack { uuid } => unread.retain(|other| other != uuid),
                _ => {}
            }
            _ = stdin.on(event, now);
            prop_assert_eq!(&stdin.not_read(), &unread);
        }
    }
}
