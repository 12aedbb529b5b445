//! A turn for people, in rows of at most 80 columns.
//!
//! Owns what stands where and how much of a long turn is shown. What comes from outside begins in the fifth column, so that
//! none of it looks like a sign of ours. The same turn always gives the same rows, whatever the screen.

use actors::turns::{LeftOut, Part, Turn, TurnEnd, TurnQuestion, TurnTool};
use codec::text::visible_rows;

use crate::render::figures::grouped;
use crate::retold::time;
use crate::term::style::{Row, Span, Style};
use crate::term::wrap::{Breaks, Margin, fold};

const COLUMNS: usize = 80;
/// So many rows are shown of each kind of thing that can be in a turn; so many errors, tools and questions.
const MOST_SAID: usize = 10;
const MOST_TEXT: usize = 20;
const MOST_NOISE: usize = 10;
const MOST_PARTS: usize = 50;

/// The rows of a turn, in the order in which it all happened.
pub(super) fn rows(turn: &Turn) -> Vec<String> {
    let mut course = Course::default();
    turn.course.iter().for_each(|part| course.part(turn, *part));
    let mut rows = vec![head(turn)];
    rows.append(&mut course.rows);
    if let TurnEnd::Failed(why) = &turn.end {
        rows.extend(folded("  ✗ ", why));
    }
    rows.extend(course.more());
    rows.extend(left_out(&turn.left_out));
    rows.iter().map(|row| row.text().trim_end().to_owned()).collect()
}

/// What is shown of a turn so far.
#[derive(Default)]
struct Course {
    rows: Vec<Row>,
    said: Share,
    text: Share,
    tools: Share,
    questions: Share,
    errors: Share,
    noise: Share,
}

/// How much of one kind there was: what is shown, and what is not.
#[derive(Default)]
struct Share {
    shown: usize,
    hidden: usize,
}

impl Share {
    /// As many of these as there is room for.
    fn take<T>(&mut self, most: usize, mut all: Vec<T>) -> Vec<T> {
        let room = most.saturating_sub(self.shown);
        self.hidden += all.len().saturating_sub(room);
        all.truncate(room);
        self.shown += all.len();
        all
    }
}

impl Course {
    fn part(&mut self, turn: &Turn, part: Part) {
        let rows = match part {
            Part::Said(at) => {
                let said = turn.said.get(at).map(|said| folded("  › ", said));
                self.said.take(MOST_SAID, said.unwrap_or_default())
            }
            Part::Text(from, to) => {
                let piece = turn.text.get(from..to).unwrap_or_default();
                self.text.take(MOST_TEXT, text(piece))
            }
            Part::Noise(at) => {
                let printed = turn.noise.get(at).map(|line| folded("  · ", line));
                self.noise.take(MOST_NOISE, printed.unwrap_or_default())
            }
            Part::Tool(at) => self.tools.take(MOST_PARTS, turn.tools.get(at).map(tool).into_iter().collect()),
            Part::Question(at) => {
                let question = turn.questions.get(at).map(|question| folded("  ? ", &asked(question)));
                self.questions.take(MOST_PARTS, question.into_iter().collect()).concat()
            }
            Part::Error(at) => {
                // Why it failed is said at the end.
                let is_why = |error: &&String| turn.end != TurnEnd::Failed((*error).clone());
                let error = turn.errors.get(at).filter(is_why).map(|error| folded("  ! ", error));
                self.errors.take(MOST_PARTS, error.into_iter().collect()).concat()
            }
        };
        self.rows.extend(rows);
    }

    /// What there was more of.
    fn more(&self) -> Vec<Row> {
        let kinds = [
            (&self.said, "row of what was said to it", "rows of what was said to it"),
            (&self.text, "row of its text", "rows of its text"),
            (&self.tools, "tool", "tools"),
            (&self.questions, "question", "questions"),
            (&self.errors, "error", "errors"),
            (&self.noise, "row that it printed", "rows that it printed"),
        ];
        let some = kinds.into_iter().filter(|(share, ..)| share.hidden > 0);
        some.map(|(share, one, many)| {
            let what = if share.hidden == 1 { one } else { many };
            Row::foreign(Style::PLAIN, &format!("    … {} more {what}", grouped(share.hidden)))
        })
        .collect()
    }
}

/// Which turn, whose, when, how it ended, and what it took.
fn head(turn: &Turn) -> Row {
    let until = turn.ended_ms.map_or_else(|| "…".to_owned(), time);
    let mut head = format!("turn {}  {}  {} – {until}", turn.number, turn.wire, time(turn.began_ms));
    head.push_str("  ");
    head.push_str(turn.end.word());
    if let Some((input, output)) = turn.usage {
        head.push_str(&format!("  {} in, {} out", grouped(input), grouped(output)));
    }
    Row::foreign(Style::PLAIN, &head).fit(COLUMNS)
}

/// What a tool is called and does, and at the right edge how it ended if not well.
fn tool(tool: &TurnTool) -> Row {
    let row = Row::own(Style::PLAIN, "  ⏺ ").and(Span::foreign(Style::PLAIN, &tool.name));
    let row = row.and(Span::own(Style::PLAIN, " ")).and(Span::foreign(Style::PLAIN, &tool.input_summary));
    let mark = match tool.failed {
        Some(false) => return row.fit(COLUMNS),
        Some(true) => Row::own(Style::PLAIN, "✗"),
        None => Row::own(Style::PLAIN, "…"),
    };
    row.fit(COLUMNS - 3).with_right(&[mark], COLUMNS)
}

fn asked(question: &TurnQuestion) -> String {
    let ended = question.ended.as_deref().unwrap_or("open when the turn ended");
    let colon = if question.asked.ends_with(['?', '!', '.', ':', '…']) { "" } else { ":" };
    format!("{}{colon} {ended}", question.asked)
}

/// A text behind a sign, its other rows below its first.
fn folded(sign: &'static str, text: &str) -> Vec<Row> {
    let mut margin = Margin::hanging(Row::own(Style::PLAIN, sign));
    let mut rows = Vec::new();
    for line in visible_rows(text.trim_end()) {
        rows.extend(fold(&Row::foreign(Style::PLAIN, &line), &margin, COLUMNS, Breaks::Words));
        margin = Margin::blank(margin.rest.width());
    }
    rows
}

fn text(text: &str) -> Vec<Row> {
    let text = text.trim_matches('\n');
    if text.trim().is_empty() { Vec::new() } else { folded("    ", text) }
}

/// What is not even kept.
fn left_out(left: &LeftOut) -> Option<Row> {
    let counts = [
        (left.said, "bytes of what was said"),
        (left.text, "bytes of its text"),
        (left.tools, "tools"),
        (left.questions, "questions"),
        (left.errors, "errors"),
        (left.noise, "lines that it printed"),
    ];
    let some = counts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<_> = some.map(|(count, what)| format!("{} {what}", grouped(count))).collect();
    let row = format!("  … too much to keep: {}", parts.join(", "));
    (!parts.is_empty()).then(|| Row::foreign(Style::PLAIN, &row).fit(COLUMNS))
}
