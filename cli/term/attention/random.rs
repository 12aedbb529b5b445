//! When a person is called, over random lives; and what foreign words can do to the bytes.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::config::attention::Hook;

/// Something that happens.
#[derive(Debug, Clone, Copy)]
enum Event {
    Key,
    Question(u64),
    Closed,
    Passes(Duration),
    Looks,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        Just(Event::Key),
        (0..4_u64).prop_map(Event::Question),
        Just(Event::Closed),
        (0..12_000_u64).prop_map(|ms| Event::Passes(Duration::from_millis(ms))),
        Just(Event::Looks),
        Just(Event::Looks),
    ]
}

/// An attention beside what is known of it from outside.
struct Life {
    attention: Attention,
    after: Duration,
    now: Instant,
    last_key: Instant,
    shown: Option<(u64, Instant)>,
    called: HashSet<u64>,
}

fn key(number: u64) -> Key {
    Key { run: "7f3c".into(), number }
}

impl Life {
    fn new(after: Duration) -> Self {
        let hook = Hook { line: "beep".to_owned(), origin: "/c.toml".into() };
        let settings = Settings { after, command: Some(hook), ..Settings::default() };
        let now = Instant::now();
        let attention = Attention::new(&settings, Abilities { osc: true }, now);
        Self { attention, after, now, last_key: now, shown: None, called: HashSet::new() }
    }

    fn live(&mut self, event: Event) {
        match event {
            Event::Key => {
                self.last_key = self.now;
                self.attention.key(self.now);
            }
            Event::Question(number) => {
                self.attention.question(&key(number), "claude asks", self.now);
                let since =
                    self.shown.filter(|(shown, _)| *shown == number).map_or(self.now, |(_, since)| since);
                self.shown = Some((number, since));
            }
            Event::Closed => {
                if let Some((shown, _)) = self.shown.take() {
                    self.attention.gone(&key(shown));
                    self.called.remove(&shown);
                }
            }
            Event::Passes(time) => self.now += time,
            Event::Looks => self.look(),
        }
    }

    /// A call must come exactly when it is due.
    fn look(&mut self) {
        let is_due = |(_, since): &(u64, Instant)| {
            self.now >= self.last_key + self.after && self.now >= *since + self.after.min(SETTLED)
        };
        let expected = self.shown.filter(|(number, _)| !self.called.contains(number)).filter(is_due);
        let called = self.attention.look(self.now).and_then(|call| call.runs_hook_for);
        assert_eq!(called, expected.map(|(number, _)| key(number)));
        if let Some((number, _)) = expected {
            assert!(self.called.insert(number), "called for twice");
        }
    }
}

/// Foreign words: all control characters, what ends a sequence, and anything.
fn words() -> impl Strategy<Value = String> {
    let letter = prop_oneof![
        3 => any::<char>(),
        3 => proptest::char::range('\0', '\u{a0}'),
        1 => Just(';'),
        1 => Just('\\'),
        1 => Just('\x1b'),
    ];
    vec(letter, 0..200).prop_map(|letters| letters.into_iter().collect())
}

proptest! {
    #[test]
    fn each_question_is_called_for_once_at_most_and_never_soon_after_a_key(
        after in 1..15_000_u64,
        events in vec(event(), 0..80),
    ) {
        let mut life = Life::new(Duration::from_millis(after));
        for event in events {
            life.live(event);
        }
    }

    #[test]
    fn a_question_that_stays_without_keys_is_called_for_when_it_said_so(events in vec(event(), 0..40)) {
        let mut life = Life::new(Duration::from_secs(10));
        for event in events {
            life.live(event);
        }
        life.live(Event::Question(9));
        let at = life.attention.wake_at().unwrap();
        prop_assert!(at <= life.now + life.after);
        prop_assert_eq!(life.attention.look(at - Duration::from_nanos(1)), None);
        let call = life.attention.look(at).unwrap();
        prop_assert_eq!(call.runs_hook_for, Some(key(9)));
        prop_assert_eq!(life.attention.wake_at(), None);
    }

    #[test]
    fn no_foreign_word_ends_or_begins_a_sequence(what in words()) {
        let now = Instant::now();
        let mut attention = Attention::new(&Settings::default(), Abilities { osc: true }, now);
        attention.question(&key(1), &what, now);
        let bytes = attention.look(now + Duration::from_secs(10)).unwrap().bytes;
        let text = bytes.strip_prefix("\x07\x1b]9;").and_then(|rest| rest.strip_suffix("\x1b\\")).unwrap();
        prop_assert!(text.starts_with("tim: ") && text.chars().count() <= LONGEST);
        prop_assert!(!text.contains(|letter: char| letter == ';' || letter.is_control()), "{text:?}");
        let mut terminal = vt100::Parser::new(3.try_into().unwrap(), 20.try_into().unwrap(), 0);
        terminal.process(bytes.as_bytes());
        prop_assert_eq!(terminal.screen().contents(), "");
        prop_assert_eq!(terminal.screen().cursor_position(), (0, 0));
    }
}
