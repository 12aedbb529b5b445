//! Rows that wait to be written above the live region.
//!
//! Owns them until a frame takes them. They are bounded: when a terminal is slower than what is said, or nobody looks at it,
//! the oldest go and are counted, and the count stands where they were. What tim itself says has room of its own, which no
//! agent can take. Never waits for anybody. It ends empty, or with the program.

use std::collections::VecDeque;

use super::super::style::{Colour, Row, Span, Style};

/// As many bytes of what agents and clients say may wait.
const ROOM: usize = 4 << 20;
/// And of what tim itself says.
const OWN_ROOM: usize = 1 << 20;
/// What a row takes besides its text.
const OF_A_ROW: usize = 96;
/// Where counting begins: before it is room for what is put back.
const FIRST: u64 = 1 << 32;

/// A row and its place in the order of all.
#[derive(Debug)]
struct Waiting {
    number: u64,
    row: Row,
}

/// Rows of one kind, in their order.
#[derive(Debug)]
struct Lane {
    rows: VecDeque<Waiting>,
    bytes: usize,
    room: usize,
    /// how many rows were dropped right before what comes first now
    dropped: usize,
}

impl Lane {
    const fn new(room: usize) -> Self {
        Self { rows: VecDeque::new(), bytes: 0, room, dropped: 0 }
    }

    fn push(&mut self, number: u64, row: Row) {
        self.bytes += weight(&row);
        self.rows.push_back(Waiting { number, row });
        while self.bytes > self.room && self.pop().is_some() {
            self.dropped += 1;
        }
    }

    fn pop(&mut self) -> Option<Row> {
        let first = self.rows.pop_front()?;
        self.bytes -= weight(&first.row);
        Some(first.row)
    }

    fn first(&self) -> Option<u64> {
        self.rows.front().map(|first| first.number)
    }
}

/// What waits.
#[derive(Debug)]
pub(super) struct Backlog {
    output: Lane,
    own: Lane,
    next: u64,
    /// what comes before all of it: it was taken, and nobody saw it
    again: VecDeque<Row>,
}

impl Default for Backlog {
    fn default() -> Self {
        Self::with_room(ROOM, OWN_ROOM)
    }
}

impl Backlog {
    const fn with_room(output: usize, own: usize) -> Self {
        Self { output: Lane::new(output), own: Lane::new(own), next: FIRST, again: VecDeque::new() }
    }

    /// What an agent or a client says.
    pub(super) fn output(&mut self, rows: Vec<Row>) {
        for row in rows {
            self.next += 1;
            self.output.push(self.next, row);
        }
    }

    /// What tim itself says.
    pub(super) fn own(&mut self, rows: Vec<Row>) {
        for row in rows {
            self.next += 1;
            self.own.push(self.next, row);
        }
    }

    /// What was taken last and did not get to the terminal.
    pub(super) fn put_back(&mut self, rows: Vec<Row>) {
        for row in rows.into_iter().rev() {
            self.again.push_front(row);
        }
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        let is_empty = |lane: &Lane| lane.rows.is_empty() && lane.dropped == 0;
        is_empty(&self.output) && is_empty(&self.own) && self.again.is_empty()
    }

    /// Whether there is as much as that.
    pub(super) const fn weighs(&self, bytes: usize) -> bool {
        self.output.bytes + self.own.bytes >= bytes
    }

    /// Whether more can be taken without dropping anything.
    pub(super) const fn has_room(&self) -> bool {
        self.output.bytes < self.output.room / 2
    }

    /// The next rows, about so many bytes of them and at least one.
    pub(super) fn take(&mut self, bytes: usize) -> Vec<Row> {
        let mut taken: Vec<Row> = self.again.drain(..).collect();
        taken.extend(left_out(&mut self.output, " rows of output"));
        taken.extend(left_out(&mut self.own, " rows of tim's"));
        let mut weighed: usize = taken.iter().map(weight).sum();
        while weighed < bytes
            && let Some(row) = self.pop()
        {
            weighed += weight(&row);
            taken.push(row);
        }
        taken
    }

    fn pop(&mut self) -> Option<Row> {
        let is_own = match (self.own.first(), self.output.first()) {
            (Some(own), Some(output)) => own < output,
            (own, _) => own.is_some(),
        };
        if is_own { self.own.pop() } else { self.output.pop() }
    }
}

fn weight(row: &Row) -> usize {
    OF_A_ROW + row.spans().iter().map(|span| span.text().len()).sum::<usize>()
}

/// How many rows of a lane were dropped, if any were.
fn left_out(lane: &mut Lane, what: &'static str) -> Option<Row> {
    let count = Some(std::mem::take(&mut lane.dropped)).filter(|count| *count > 0)?;
    let yellow = Style::of(Colour::Yellow);
    let row =
        Row::own(yellow, "! ").and(Span::foreign(yellow, &count.to_string())).and(Span::own(yellow, what));
    Some(row.and(Span::own(yellow, " left out: this terminal is slower than what is said")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(texts: &[&str]) -> Vec<Row> {
        texts.iter().map(|text| Row::foreign(Style::PLAIN, text)).collect()
    }

    fn texts(rows: &[Row]) -> Vec<String> {
        rows.iter().map(Row::text).collect()
    }

    #[test]
    fn rows_come_out_in_the_order_in_which_they_went_in() {
        let mut backlog = Backlog::default();
        backlog.output(rows(&["a", "b"]));
        backlog.own(rows(&["c"]));
        backlog.output(rows(&["d"]));
        assert_eq!(texts(&backlog.take(1)), ["a"]);
        assert_eq!(texts(&backlog.take(usize::MAX)), ["b", "c", "d"]);
        assert!(backlog.is_empty() && !backlog.weighs(1));
    }

    #[test]
    fn what_was_taken_in_vain_comes_first_again() {
        let mut backlog = Backlog::default();
        backlog.output(rows(&["a", "b", "c"]));
        let taken = backlog.take(150);
        assert_eq!(texts(&taken), ["a", "b"]);
        backlog.put_back(taken);
        assert!(!backlog.is_empty());
        assert_eq!(texts(&backlog.take(usize::MAX)), ["a", "b", "c"]);
    }

    #[test]
    fn where_there_is_no_room_the_oldest_go_and_their_count_stays() {
        let mut backlog = Backlog::with_room(2 * (OF_A_ROW + 1), OF_A_ROW + 1);
        for text in ["1", "2", "3", "4"] {
            backlog.own(rows(&["t"]));
            backlog.output(rows(&[text]));
        }
        let shown = texts(&backlog.take(usize::MAX));
        assert!(shown[0].starts_with("! 2 rows of output left out"), "{shown:?}");
        assert!(shown[1].starts_with("! 3 rows of tim's left out"), "{shown:?}");
        assert_eq!(shown[2..], ["3", "t", "4"]);
    }

    proptest! {
        /// Whatever is said and however little is taken: every row is shown or counted, what tim itself says is not lost
        /// to what others say, and what waits is bounded.
        #[test]
        fn every_row_is_shown_or_counted(steps in prop::collection::vec((0..3_u8, 0..40_usize), 1..80)) {
            let mut backlog = Backlog::with_room(2_000, 100_000);
            let (mut said, mut own, mut shown, mut counted, mut shown_own) = (0, 0, 0, 0, 0);
            let mut look = |rows: Vec<Row>| for text in texts(&rows) {
                match text.strip_prefix("! ").and_then(|text| text.split(' ').next()) {
                    Some(count) => counted += count.parse::<usize>().unwrap(),
                    None if text.starts_with('t') => shown_own += 1,
                    None => shown += 1,
                }
            };
            for (what, size) in steps {
                match what {
                    0 => { said += 1; backlog.output(rows(&[&"o".repeat(size)])); }
                    1 => { own += 1; backlog.own(rows(&["t"])); }
                    _ => look(backlog.take(size * 10)),
                }
                prop_assert!(backlog.output.bytes <= 2_000 && backlog.own.bytes <= 100_000);
            }
            while !backlog.is_empty() { look(backlog.take(500)); }
            prop_assert_eq!(shown + counted, said);
            prop_assert_eq!(shown_own, own);
            prop_assert!(!backlog.weighs(1));
        }
    }
}
