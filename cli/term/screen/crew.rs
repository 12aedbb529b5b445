//! Several agents at once: a row for each that says what it is at, or one row that counts them.
//!
//! Owns those rows, and in which colour each is told from the others. Only who is at work has a row; who has ended is
//! counted. Pure: the time comes with every call.

use std::time::Duration;

use tokio::time::Instant;

use super::super::style::{Colour, Row, Span, Style};
use super::status::{PICTURE, picture};
use crate::duration;
use crate::render::Badge;

/// One of several agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) badge: Badge,
    pub(crate) state: State,
    /// when it began
    pub(crate) since: Instant,
    pub(crate) cost: Option<String>,
}

/// What it is at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    /// at this
    Works(String),
    /// it waits for an answer since then
    Asks(Instant),
    /// it does nothing before the person does something
    Rests(&'static str),
}

/// All of them, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Crew {
    members: Vec<Member>,
    ended: usize,
}

/// More than so many are counted in one row.
const MOST: usize = 5;

impl Crew {
    /// Says whether that is news.
    pub(super) fn is_at(&mut self, member: Member) -> bool {
        match self.members.iter_mut().find(|known| known.badge.name == member.badge.name) {
            Some(known) if *known == member => return false,
            Some(known) => *known = member,
            None => self.members.push(member),
        }
        true
    }

    pub(super) fn left(&mut self, name: &str) {
        let before = self.members.len();
        self.members.retain(|known| known.badge.name != name);
        self.ended += before - self.members.len();
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The colour of whoever is called so.
    pub(super) fn colour(&self, name: &str) -> Option<Colour> {
        self.members.iter().find(|known| known.badge.name == name).map(|known| known.badge.colour)
    }

    /// When they look different by themselves, if they were drawn then.
    pub(super) fn changes(&self, drawn: Instant) -> Option<Instant> {
        let turns = self.members.iter().any(|member| matches!(member.state, State::Works(_)));
        turns.then_some(drawn + PICTURE)
    }

    /// Their rows, so many at the most. `asks` is the path of who asks the question that is up.
    pub(super) fn rows(&self, columns: usize, room: usize, asks: Option<&str>, now: Instant) -> Vec<Row> {
        let count = self.members.len();
        if count == 0 || room == 0 {
            return Vec::new();
        }
        if count > MOST || count > room {
            return vec![self.counted().fit(columns)];
        }
        self.members.iter().map(|member| member.row(columns, asks, now)).collect()
    }

    fn counted(&self) -> Row {
        let count = |is: fn(&State) -> bool| self.members.iter().filter(|member| is(&member.state)).count();
        let asking = count(|state| matches!(state, State::Asks(_)));
        let parts = [
            (self.members.len() + self.ended, "agents", Style::PLAIN),
            (count(|state| matches!(state, State::Works(_))), "working", Style::DIM),
            (asking, if asking == 1 { "waits for you" } else { "wait for you" }, Style::of(Colour::Yellow)),
            (count(|state| matches!(state, State::Rests(_))), "resting", Style::DIM),
            (self.ended, "ended", Style::DIM),
        ];
        let parts = parts.into_iter().filter(|(count, ..)| *count > 0);
        let row = parts.fold(Row::blanks(0), |row, (count, what, style)| {
            row.and(Span::foreign(style, &format!("{count} {what}  ")))
        });
        let cost: f64 = self.members.iter().filter_map(Member::dollars).sum();
        if cost > 0.0 { row.and(Span::foreign(Style::DIM, &format!("${cost:.2}"))) } else { row }
    }
}

impl Member {
    fn dollars(&self) -> Option<f64> {
        self.cost.as_deref()?.strip_prefix('$')?.parse().ok()
    }

    fn row(&self, columns: usize, asks: Option<&str>, now: Instant) -> Row {
        let Badge { name, colour, width } = &self.badge;
        let name = Row::foreign(Style::of(*colour), name);
        let blanks = Row::blanks(width.saturating_sub(name.width()) + 2);
        let row = name.then(&blanks).then(&self.state_row(asks, now));
        let worked = now.saturating_duration_since(self.since);
        let time = (worked >= Duration::from_secs(1)).then(|| written(worked));
        let right: Vec<Row> =
            time.iter().chain(&self.cost).map(|text| Row::foreign(Style::DIM, text)).collect();
        row.with_right(&right, columns)
    }

    fn state_row(&self, asks: Option<&str>, now: Instant) -> Row {
        let yellow = Style::of(Colour::Yellow);
        match &self.state {
            State::Works(at) => {
                let worked = now.saturating_duration_since(self.since);
                let row = Row::own(Style::of(Colour::Cyan), picture(worked));
                row.and(Span::foreign(Style::DIM, &at.replace('\n', " ")))
            }
            State::Asks(since) if asks.is_some_and(|path| self.is_of(path)) => {
                let waited = now.saturating_duration_since(*since);
                let time = if waited >= Duration::from_secs(1) {
                    format!(" {}", written(waited))
                } else {
                    String::new()
                };
                Row::own(yellow, "? waits for you").and(Span::foreign(yellow, &time))
            }
            State::Asks(_) => Row::own(Style::DIM, "? waits"),
            State::Rests(why) => Row::own(Style::PLAIN, "– ").and(Span::own(Style::DIM, why)),
        }
    }

    /// Whether whoever has that path is this one, or somebody below it. Who has a screen has nobody above.
    fn is_of(&self, path: &str) -> bool {
        path.split('/').next() == Some(&self.badge.name)
    }
}

fn written(time: Duration) -> String {
    duration::written(Duration::from_secs(time.as_secs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, number: usize, state: State, since: Instant) -> Member {
        let cost = Some(format!("$0.{number}0"));
        Member { badge: Badge::numbered(name, number, 4), state, since, cost }
    }

    fn texts(crew: &Crew, columns: usize, room: usize, asks: Option<&str>, now: Instant) -> Vec<String> {
        crew.rows(columns, room, asks, now).iter().map(|row| row.text().trim_end().to_owned()).collect()
    }

    fn three(began: Instant) -> Crew {
        let mut crew = Crew::default();
        assert!(crew.is_at(member("api", 0, State::Works("Bash cargo clippy".to_owned()), began)));
        assert!(crew.is_at(member("web", 1, State::Asks(began + Duration::from_secs(60)), began)));
        assert!(crew.is_at(member("docs", 2, State::Asks(began), began)));
        crew
    }

    #[test]
    fn each_has_a_row_with_its_time_and_cost_and_the_one_who_asks_says_since_when() {
        let began = Instant::now();
        let now = began + Duration::from_millis(91_200);
        let expected = [
            "api   ⠹ Bash cargo clippy                1m31s  $0.00",
            "web   ? waits for you 31s                1m31s  $0.10",
            "docs  ? waits                            1m31s  $0.20",
        ];
        assert_eq!(texts(&three(began), 53, 9, Some("web/review"), now), expected);
        assert_eq!(
            texts(&three(began), 53, 9, Some("web/docs"), now),
            expected,
            "docs is somebody else there"
        );
    }

    #[test]
    fn more_than_five_or_more_than_there_is_room_for_are_counted() {
        let began = Instant::now();
        let mut crew = three(began);
        assert_eq!(texts(&crew, 60, 2, None, began), ["3 agents  1 working  2 wait for you  $0.30"]);
        assert!(texts(&crew, 60, 0, None, began).is_empty());
        for (number, name) in ["a", "b", "c"].into_iter().enumerate() {
            crew.is_at(member(name, number, State::Rests("is done"), began));
        }
        crew.left("api");
        crew.left("nobody");
        assert_eq!(texts(&crew, 60, 9, None, began).len(), 5);
        crew.is_at(member("d", 0, State::Works(String::new()), began));
        let counted = "7 agents  1 working  2 wait for you  3 resting  1 ended  $0.60";
        assert_eq!(texts(&crew, 70, 9, None, began), [counted]);
    }

    #[test]
    fn what_is_known_already_is_no_news() {
        let began = Instant::now();
        let mut crew = three(began);
        assert!(!crew.is_at(member("docs", 2, State::Asks(began), began)));
        assert_eq!((crew.colour("web"), crew.colour("x")), (Some(Colour::Magenta), None));
        assert_eq!(crew.changes(began), Some(began + PICTURE));
        crew.left("api");
        assert_eq!(crew.changes(began), None, "nobody works");
    }
}
