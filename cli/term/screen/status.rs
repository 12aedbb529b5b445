//! The row above the line: what goes on.
//!
//! Owns how that looks, and how often it changes by itself: an agent that works has a spinner and a time. Pure: the time
//! comes with every call.

use std::time::Duration;

use tokio::time::Instant;

use super::super::style::{Colour, Row, Span, Style};
use crate::duration;

/// What goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Status {
    /// this
    Says(Row),
    /// somebody works
    Works {
        /// who
        who: String,
        /// since when
        since: Instant,
        /// what it has cost so far
        cost: Option<String>,
        /// at what
        at: String,
    },
}

/// The spinner, and how long each of its pictures stands.
const PICTURES: [&str; 10] = ["⠋ ", "⠙ ", "⠹ ", "⠸ ", "⠼ ", "⠴ ", "⠦ ", "⠧ ", "⠇ ", "⠏ "];
pub(super) const PICTURE: Duration = Duration::from_millis(100);

impl Status {
    /// The row, in so many columns.
    pub(super) fn row(&self, columns: usize, now: Instant) -> Row {
        match self {
            Self::Says(row) => row.fit(columns),
            Self::Works { who, since, cost, at } => {
                let worked = now.saturating_duration_since(*since);
                let row = Row::own(Style::of(Colour::Cyan), picture(worked));
                let dim = |text: &str| Span::foreign(Style::DIM, text);
                let mut row = row.and(dim(who));
                if worked >= Duration::from_secs(1) {
                    let whole = Duration::from_secs(worked.as_secs());
                    row = row.and(dim("  ")).and(dim(&duration::written(whole)));
                }
                for more in cost.iter().chain([at]).filter(|more| !more.is_empty()) {
                    row = row.and(dim("  ")).and(dim(&more.replace('\n', " ")));
                }
                row.with_right(
                    &[Row::own(Style::DIM, "Esc interrupts"), Row::own(Style::DIM, "? keys")],
                    columns,
                )
            }
        }
    }

    /// When it looks different by itself, if it was drawn then.
    pub(super) fn changes(&self, drawn: Instant) -> Option<Instant> {
        match self {
            Self::Says(_) => None,
            Self::Works { .. } => Some(drawn + PICTURE),
        }
    }
}

pub(super) fn picture(worked: Duration) -> &'static str {
    let at = usize::try_from(worked.as_millis() / PICTURE.as_millis()).unwrap_or_default();
    PICTURES.get(at % PICTURES.len()).copied().unwrap_or("  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn works(since: Instant) -> Status {
        Status::Works {
            who: "claude".to_owned(),
            since,
            cost: Some("$0.21".to_owned()),
            at: "writing".to_owned(),
        }
    }

    #[test]
    fn an_agent_at_work_has_a_spinner_a_time_its_cost_and_what_it_does() {
        let now = Instant::now();
        let row = |worked| works(now).row(79, now + Duration::from_millis(worked)).text();
        let spun = "⠹ claude  1m42s  $0.21  writing                          Esc interrupts  ? keys";
        assert_eq!(row(102_200), spun);
        assert!(row(200).starts_with("⠹ claude  $0.21"), "times under a second are not shown");
        assert_ne!(row(102_300), spun, "it turns");
    }

    #[test]
    fn on_a_narrow_screen_the_hints_go_first() {
        let now = Instant::now();
        let text = works(now).row(34, now + Duration::from_secs(61)).text();
        assert_eq!(text, "⠋ claude  1m1s  $0.21  writing");
    }
}
