//! A person at a screen in memory: what is typed when, what is seen then, and what comes of it.

mod keys;
mod properties;
mod shown;
mod slow;
mod told;

use std::cell::Cell;
use std::num::NonZeroU16;
use std::rc::Rc;

use actors::question::Question;
use actors::router::{AskerId, Keeper};
use codec::json::Json;
use codec::tunnel::AnswerSource;

use super::super::attention::Abilities;
use super::super::question::tests::{bash, here, of_tool, prompt, tool};
use super::super::style::{Span, Style};
use super::*;
use crate::config::attention::Settings;

/// A terminal, somebody at it, and the time.
struct Stand {
    screen: Screen,
    terminal: vt100::Parser,
    now: Instant,
    acts: Vec<Act>,
    drawn: Rc<Cell<usize>>,
    asked: u64,
}

fn size(number: usize) -> NonZeroU16 {
    u16::try_from(number).ok().and_then(NonZeroU16::new).unwrap()
}

fn setup(has_line: bool, now: Instant) -> Setup {
    Setup {
        here: Here { is_alone: !has_line, ..here() },
        folder: Some("~/app".to_owned()),
        ink: Ink::Colours,
        reflow: Reflow::Breaks,
        fails_on: None,
        has_line,
        tells_read: false,
        ends: "Ctrl-C again ends",
        attention: Attention::new(&Settings::default(), Abilities { osc: true }, now),
        time: Box::new(|_| "14:02".to_owned()),
    }
}

const SECOND: Duration = Duration::from_secs(1);
const MOMENT: Duration = Duration::from_millis(20);

impl Stand {
    fn new() -> Self {
        Self::of_size(80, 24, true)
    }

    fn of_size(columns: usize, height: usize, has_line: bool) -> Self {
        let now = Instant::now();
        let mut stand = Self {
            screen: Screen::new(setup(has_line, now), (columns, height), now),
            terminal: vt100::Parser::new(size(height), size(columns), 10_000),
            now,
            acts: Vec::new(),
            drawn: Rc::default(),
            asked: 0,
        };
        stand.screen.enter();
        stand.settle();
        stand
    }

    /// Everything that is due now is drawn.
    fn settle(&mut self) {
        for _ in 0..1_000 {
            self.now += MOMENT / 10;
            let acts = self.screen.tick(self.now);
            self.acts.extend(acts);
            let Some(frame) = self.screen.frame(self.now) else {
                if self.screen.is_changed || self.screen.is_urgent {
                    continue;
                }
                // Whoever sleeps until then must not find that it is over already, again and again.
                assert!(self.screen.wakes().is_none_or(|at| at > self.now), "it never sleeps");
                return;
            };
            self.terminal.process(frame.as_bytes());
            self.screen.written(self.now);
        }
        panic!("it draws for ever");
    }

    fn passes(&mut self, time: Duration) {
        self.now += time;
        self.settle();
    }

    fn types(&mut self, keys: &str) {
        let acts = self.screen.typed(keys.as_bytes(), self.now);
        self.acts.extend(acts);
        self.settle();
    }

    fn waiting(&mut self, question: Question) -> Waiting {
        self.asked += 1;
        let offer = Offer {
            key: Key { run: "7f3c".into(), number: self.asked },
            asker: AskerId(1),
            path: "main/review".to_owned(),
            pid: None,
            question: Arc::new(question),
            since: 0,
            left_ms: None,
            keeper: Keeper::Here,
        };
        Waiting { offer: Arc::new(offer), since: self.now }
    }

    /// Shows a question, with so many behind it.
    fn asks(&mut self, question: Question) -> Waiting {
        let up = self.waiting(question);
        let drawn = Rc::clone(&self.drawn);
        let when_drawn = Box::new(move || drawn.set(drawn.get() + 1));
        self.screen.show(&up, &Behind::default(), when_drawn, self.now);
        self.settle();
        up
    }

    fn confirm(&mut self) -> Waiting {
        self.asks(prompt("confirm", r#"{"message":"Deploy?"}"#))
    }

    fn closes(&mut self, over: &Waiting, end: &End) {
        self.screen.close(over, end, self.now);
        self.settle();
    }

    /// What the person said about questions.
    fn said(&mut self) -> Vec<(u64, Said)> {
        let said = |act| match act {
            Act::Say(key, said) => Some((key.number, said)),
            _ => None,
        };
        std::mem::take(&mut self.acts).into_iter().filter_map(said).collect()
    }

    fn sent(&mut self) -> Vec<String> {
        let sent = |act| match act {
            Act::Send { text, .. } => Some(text),
            _ => None,
        };
        std::mem::take(&mut self.acts).into_iter().filter_map(sent).collect()
    }

    fn picture(&self) -> String {
        let screen = self.terminal.screen();
        let rows = screen.rows(0, 4_000).map(|row| row.trim_end().to_owned());
        rows.collect::<Vec<_>>().join("\n").trim_end().to_owned()
    }

    fn last_row(&self) -> String {
        self.picture().lines().last().unwrap_or_default().to_owned()
    }

    /// Whether a letter of that row stands there boldly.
    fn is_bold(&self, row: &str, letter: &str) -> bool {
        let screen = self.terminal.screen();
        let (_, columns) = screen.size();
        let mut rows = (0_u16..).zip(screen.rows(0, columns.into()));
        let Some((at, text)) = rows.find(|(_, text)| text.contains(row)) else { return false };
        let column = u16::try_from(text.find(letter).unwrap()).unwrap();
        screen.cell(at, column).is_some_and(vt100::Cell::bold)
    }

    fn is_armed(&self) -> bool {
        self.is_bold("y yes", "y")
    }
}

fn yes() -> Said {
    Said::Answer(Json::of(&true))
}

fn answered_here() -> End {
    answered(AnswerSource::Terminal)
}

fn answered(source: AnswerSource) -> End {
    End::Answered { value: Json::of(&true), given: actors::answer::Given::Value, source }
}
