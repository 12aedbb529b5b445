//! A turn for people, in rows of at most 80 columns.
//!
//! Owns what stands where and how much of a long turn is shown. What comes from outside begins in the fifth column, so that
//! none of it looks like a sign of ours. The same turn always gives the same rows, whatever the screen.

use actors::turns::{LeftOut, Turn, TurnEnd, TurnQuestion, TurnTool};
use codec::text::visible_rows;

use crate::render::figures::grouped;
use crate::retold::time;
use crate::term::style::{Row, Span, Style};
use crate::term::wrap::{Breaks, Margin, fold};

const COLUMNS: usize = 80;
/// So many rows of what was said to the agent are shown, of what it said, and so many of its tools and questions.
const MOST_SAID: usize = 10;
const MOST_TEXT: usize = 20;
const MOST_PARTS: usize = 50;

/// The rows of a turn.
pub(super) fn rows(turn: &Turn) -> Vec<String> {
    let mut rows = vec![head(turn)];
    let said = turn.said.iter().flat_map(|said| folded("  › ", said)).collect();
    rows.extend(at_most(MOST_SAID, said, "row"));
    rows.extend(at_most(MOST_PARTS, turn.tools.iter().map(tool).collect(), "tool"));
    let questions = turn.questions.iter().map(|question| folded("  ? ", &asked(question)));
    rows.extend(at_most_of(MOST_PARTS, questions, "question"));
    if let TurnEnd::Failed(why) = &turn.end {
        rows.extend(folded("  ✗ ", why));
    }
    rows.extend(at_most(MOST_TEXT, text(&turn.text), "row"));
    rows.extend(left_out(&turn.left_out));
    rows.iter().map(|row| row.text().trim_end().to_owned()).collect()
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

/// The first of them, and how many there are more.
fn at_most(most: usize, mut rows: Vec<Row>, what: &str) -> Vec<Row> {
    let more = rows.len().saturating_sub(most);
    rows.truncate(most);
    rows.extend((more > 0).then(|| more_of(more, what)));
    rows
}

/// The same for things that have several rows each.
fn at_most_of(most: usize, mut all: impl Iterator<Item = Vec<Row>>, what: &str) -> Vec<Row> {
    let mut rows: Vec<_> = all.by_ref().take(most).flatten().collect();
    let more = all.count();
    rows.extend((more > 0).then(|| more_of(more, what)));
    rows
}

fn more_of(more: usize, what: &str) -> Row {
    let many = if more == 1 { "" } else { "s" };
    Row::foreign(Style::PLAIN, &format!("    … {} more {what}{many}", grouped(more)))
}

/// What is not even kept.
fn left_out(left: &LeftOut) -> Option<Row> {
    let counts = [
        (left.said, "bytes of what was said"),
        (left.text, "bytes of its text"),
        (left.tools, "tools"),
        (left.questions, "questions"),
    ];
    let some = counts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<_> = some.map(|(count, what)| format!("{} {what}", grouped(count))).collect();
    let row = format!("  … too much to keep: {}", parts.join(", "));
    (!parts.is_empty()).then(|| Row::foreign(Style::PLAIN, &row).fit(COLUMNS))
}
