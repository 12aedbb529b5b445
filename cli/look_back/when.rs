//! Moments of the past, as people write and read them. Pure: what time it is now is handed in.
//!
//! Owns the words for a moment: `yesterday`, `2h`, `2026-11-17`. A bare number is never guessed at.

use jiff::civil::{Date, DateTime, Time};
use jiff::{ToSpan as _, Zoned};

use crate::duration;

/// Reads a moment, in milliseconds since 1970: the beginning of a day, so long ago, or a date with or without a time.
pub(super) fn parse(text: &str, now: &Zoned) -> Result<u64, String> {
    let text = text.trim();
    let day = |days_ago: i64| now.date().checked_sub(days_ago.days()).ok();
    let civil = match text.to_ascii_lowercase().as_str() {
        "today" => day(0).map(|day| day.to_datetime(Time::midnight())),
        "yesterday" => day(1).map(|day| day.to_datetime(Time::midnight())),
        _ => written(text, now),
    };
    if let Some(civil) = civil {
        let zoned = civil.to_zoned(now.time_zone().clone()).map_err(|_| unreadable())?;
        return Ok(unix_ms(&zoned));
    }
    // As `--json` writes it, and others do.
    if let Ok(stamp) = text.parse::<jiff::Timestamp>() {
        return Ok(u64::try_from(stamp.as_millisecond()).unwrap_or_default());
    }
    let ago = duration::parse(text).map_err(|_| unreadable())?;
    let then = now.checked_sub(ago).map_err(|_| unreadable())?;
    Ok(unix_ms(&then))
}

/// A date, a date with a time, or a time of today.
fn written(text: &str, now: &Zoned) -> Option<DateTime> {
    if let Ok(time) = Time::strptime("%H:%M", text) {
        return Some(now.date().to_datetime(time));
    }
    let (date, time) = text.split_once(['T', ' ']).map_or((text, None), |(date, time)| (date, Some(time)));
    let date = Date::strptime("%Y-%m-%d", date).ok()?;
    match time {
        None => Some(date.to_datetime(Time::midnight())),
        Some(time) => {
            let time = Time::strptime("%H:%M", time).or_else(|_| Time::strptime("%H:%M:%S", time)).ok()?;
            Some(date.to_datetime(time))
        }
    }
}

fn unreadable() -> String {
    "write today, yesterday, how long ago (2h, 3d), or a date: 2026-11-17, 2026-11-17T14:00".to_owned()
}

fn unix_ms(at: &Zoned) -> u64 {
    u64::try_from(at.timestamp().as_millisecond()).unwrap_or_default()
}

/// A moment in a list: the day of this week, or the date.
pub(super) fn shown(at_unix_ms: u64, now: &Zoned) -> String {
    let Some(at) = zoned(at_unix_ms, now) else { return "?".to_owned() };
    let days = now.date().since(at.date()).map_or(i32::MAX, |span| span.get_days());
    match days {
        0..=6 => at.strftime("%a %H:%M").to_string(),
        _ if at.year() == now.year() => at.strftime("%d %b %H:%M").to_string(),
        _ => at.strftime("%Y-%m-%d").to_string(),
    }
}

/// Its time of day.
pub(super) fn time(at_unix_ms: u64, now: &Zoned) -> String {
    zoned(at_unix_ms, now).map_or_else(|| "?".to_owned(), |at| at.strftime("%H:%M").to_string())
}

/// A moment of a run, to the second.
pub(super) fn exact(at_unix_ms: u64, now: &Zoned) -> String {
    zoned(at_unix_ms, now)
        .map_or_else(|| "?".to_owned(), |at| at.strftime("%a %Y-%m-%d %H:%M:%S").to_string())
}

fn zoned(at_unix_ms: u64, now: &Zoned) -> Option<Zoned> {
    let stamp = jiff::Timestamp::from_millisecond(i64::try_from(at_unix_ms).ok()?).ok()?;
    Some(stamp.to_zoned(now.time_zone().clone()))
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;

    /// A Wednesday, in a place one hour east of Greenwich.
    fn now() -> Zoned {
        let zone = TimeZone::fixed(jiff::tz::offset(1));
        jiff::civil::date(2026, 11, 18).at(15, 30, 0, 0).to_zoned(zone).unwrap()
    }

    #[test]
    fn moments_are_read_as_people_write_them() {
        for (text, expected) in [
            ("today", "2026-11-17T23:00:00.000Z"),
            ("Yesterday", "2026-11-16T23:00:00.000Z"),
            ("2h", "2026-11-18T12:30:00.000Z"),
            ("3d", "2026-11-15T14:30:00.000Z"),
            ("09:15", "2026-11-18T08:15:00.000Z"),
            ("2026-11-01", "2026-10-31T23:00:00.000Z"),
            ("2026-11-01T14:00", "2026-11-01T13:00:00.000Z"),
            ("2026-11-01 14:00:05", "2026-11-01T13:00:05.000Z"),
        ] {
            assert_eq!(actors::router::timestamp(parse(text, &now()).unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn what_could_mean_anything_is_an_error_that_says_what_to_write() {
        for text in ["", "5", "last week", "2026-13-01", "tomorrow", "25:00", "2026-11-01T", "-1d"] {
            assert!(parse(text, &now()).unwrap_err().contains("yesterday"), "{text}");
        }
    }

    #[test]
    fn a_moment_is_shown_as_shortly_as_it_is_clear() {
        let at = |text: &str| shown(parse(text, &now()).unwrap(), &now());
        assert_eq!(at("09:15"), "Wed 09:15");
        assert_eq!(at("2026-11-12T08:00"), "Thu 08:00");
        assert_eq!(at("2026-11-11T08:00"), "11 Nov 08:00");
        assert_eq!(at("2025-11-11T08:00"), "2025-11-11");
    }
}
