//! What tim says of its own questions, for programs that read its output: `prompt_request` when one is accepted,
//! `prompt_answered` or `prompt_cancelled` when it ended. Each exactly once, by the router that did it.

use codec::Asked;
use codec::id::Key;
use codec::json::{Json, Object, Text};
use codec::tunnel::{PromptAnswered, PromptCancelled, PromptEmitted, Structured, Up};

use crate::end::End;
use crate::question::Question;

/// What all three messages carry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Emission<'a> {
    pub(super) at: &'a str,
    pub(super) key: &'a Key,
    pub(super) asked: &'a Asked,
    pub(super) question: &'a Question,
}

impl Emission<'_> {
    /// A question was accepted.
    pub(super) fn accepted(self, path: Option<&str>) -> String {
        let Emission { at, key, asked, question } = self;
        let config = question.config().unwrap_or_else(|| Json::written(&Object::default()));
        let mut emitted = PromptEmitted::of(Text::new(at), asked.id.clone(), question.kind(), config);
        emitted.timeout = question.timeout_ms;
        emitted.key = Some(key.clone());
        emitted.path = path.map(Text::new);
        emitted.tool = question.tool().map(crate::question::Tool::to_json);
        emitted.to_line()
    }

    /// It ended.
    pub(super) fn ended(self, end: &End) -> String {
        let Emission { at, key, asked, question } = self;
        let mut extras = Object::default();
        if let End::Refused(refusal) = end {
            extras.push("reason", Text::new(refusal.word()).into_json());
        }
        extras.push("key", Json::written(key));
        let at = Text::new(at);
        let message = match end {
            End::Answered { value, source, .. } => Structured::PromptAnswered(PromptAnswered {
                value: Some(value.clone()),
                extras,
                ..PromptAnswered::of(at, asked.id.clone(), question.kind(), *source)
            }),
            _ => Structured::PromptCancelled(PromptCancelled {
                outcome: Some(end.outcome()),
                extras,
                ..PromptCancelled::of(at, asked.id.clone())
            }),
        };
        Up::Structured(message, Object::default()).to_line()
    }
}

/// A point in time as the messages write it, from milliseconds since 1970.
pub fn timestamp(unix_ms: u64) -> String {
    let (days, of_day) = (unix_ms / 86_400_000, unix_ms % 86_400_000);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (of_day / 3_600_000, of_day / 60_000 % 60, of_day / 1_000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", of_day % 1_000)
}

/// The same, read back.
pub(crate) fn unix_ms(timestamp: &str) -> Option<u64> {
    let number = |from: usize, to: usize| timestamp.get(from..to)?.parse::<u64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let of_day = (number(11, 13)? * 60 + number(14, 16)?) * 60 + number(17, 19)?;
    let days = days_since_1970(year, month, day)?;
    Some((days * 86_400 + of_day) * 1_000 + number(20, 23)?).filter(|ms| self::timestamp(*ms) == timestamp)
}

/// The date of a day since 1970. Years begin in March here, so that the leap day is the last of its year.
const fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + (month <= 2) as u64;
    (year, month, day)
}

/// The day since 1970 of a date: the other way round, with the same years that begin in March.
fn days_since_1970(year: u64, month: u64, day: u64) -> Option<u64> {
    let (year, shifted) = if month <= 2 { (year.checked_sub(1)?, month + 9) } else { (year, month - 3) };
    let of_year = (153 * shifted + 2) / 5 + day.checked_sub(1)?;
    let of_era = year % 400 * 365 + year % 400 / 4 - year % 400 / 100 + of_year;
    (year / 400 * 146_097 + of_era).checked_sub(719_468)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_point_in_time_is_written_as_javascript_does() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_794_786_020_279, "2026-11-15T23:40:20.279Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(timestamp(ms), text);
        }
    }

    #[test]
    fn what_is_no_point_in_time_is_none() {
        for bad in
            ["", "yesterday", "2026-13-01T00:00:00.000Z", "2026-02-30T00:00:00.000Z", "2026-01-01T00:00:00Z"]
        {
            assert_eq!(unix_ms(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn a_point_in_time_reads_back_as_written(ms in 0_u64..253_402_300_800_000) {
            prop_assert_eq!(unix_ms(&timestamp(ms)), Some(ms));
        }
    }
}
