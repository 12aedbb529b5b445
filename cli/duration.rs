//! How long something may take, as people write it: `500ms`, `30s`, `5m`, `2h`, `1d`, `1m30s`.
//!
//! Owns the units and the bounds. A bare number is never guessed at: it is an error that says what to write.

use std::time::Duration;

/// The units, the largest first, with their milliseconds.
const UNITS: &[(&str, u64)] = &[("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// As long as a question may wait at most.
const LONGEST: Duration = Duration::from_secs(30 * 86_400);

/// Reads a duration: whole numbers with their units, each unit once, the largest first.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let too_long = || "too long: 30d is the most".to_owned();
    let (mut rest, mut units, mut total) = (text.trim(), UNITS, 0_u64);
    while !rest.is_empty() {
        let (number, after) = split_number(rest).ok_or_else(unreadable)?;
        let letters = after.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at_checked(letters).ok_or_else(unreadable)?;
        let (place, worth) =
            units.iter().enumerate().find(|(_, (name, _))| *name == unit).ok_or_else(unreadable)?;
        let number: u64 = number.parse().map_err(|_| too_long())?;
        total = number.checked_mul(worth.1).and_then(|part| total.checked_add(part)).ok_or_else(too_long)?;
        units = units.get(place + 1..).unwrap_or_default();
        rest = after;
    }
    match Duration::from_millis(total) {
        Duration::ZERO if text.trim().is_empty() => Err(unreadable()),
        Duration::ZERO => Err("0 is no time at all: write how long, such as 30s".to_owned()),
        duration if duration > LONGEST => Err(too_long()),
        duration => Ok(duration),
    }
}

/// The digits that a text begins with, if there are any, and what follows.
fn split_number(text: &str) -> Option<(&str, &str)> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(digits).filter(|(number, _)| !number.is_empty())
}

fn unreadable() -> String {
    "write a number with its unit: 500ms, 30s, 5m, 2h, 1d or 1m30s".to_owned()
}

/// Writes a duration as [`parse`] reads it, in its two largest units: nobody cares for the seconds of a day.
pub(crate) fn written(duration: Duration) -> String {
    let mut left = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    let mut parts = Vec::new();
    for (place, (unit, worth)) in UNITS.iter().enumerate() {
        if left >= *worth {
            parts.push((place, format!("{}{unit}", left / worth)));
            left %= worth;
        }
    }
    let first = parts.first().map_or(0, |(place, _)| *place);
    let shown = parts.iter().filter(|(place, _)| *place <= first + 1);
    let text: String = shown.map(|(_, part)| part.as_str()).collect();
    if text.is_empty() { "0s".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_number_with_a_unit_is_a_duration() {
        for (text, ms) in
            [("500ms", 500), ("30s", 30_000), ("5m", 300_000), ("2h", 7_200_000), ("1d", 86_400_000)]
        {
            assert_eq!(parse(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        assert_eq!(parse(" 1m30s "), Ok(Duration::from_secs(90)));
        assert_eq!(parse("1d2h3m4s5ms"), Ok(Duration::from_millis(93_784_005)));
        assert_eq!(parse("90m"), Ok(Duration::from_secs(5_400)));
        assert_eq!(parse("720h"), parse("30d"));
    }

    #[test]
    fn what_is_no_duration_says_what_to_write() {
        for text in [
            "", " ", "30", "s", "-5s", "+5s", "1.5s", "5 s", "1m 30s", "30s1m", "1s1s", "5x", "5S", "٣s",
            "1m30", "ms5",
        ] {
            assert!(parse(text).unwrap_err().starts_with("write a number with its unit"), "{text}");
        }
    }

    #[test]
    fn nothing_and_too_much_are_errors_of_their_own() {
        assert!(parse("0s").unwrap_err().starts_with("0 is no time"));
        assert!(parse("0m0ms").unwrap_err().starts_with("0 is no time"));
        for text in ["31d", "30d1ms", "99999999999999999999s", "18446744073709551615d", "2592000001ms"] {
            assert_eq!(parse(text).unwrap_err(), "too long: 30d is the most", "{text}");
        }
    }

    #[test]
    fn a_duration_is_written_in_its_two_largest_units() {
        let text = |ms| written(Duration::from_millis(ms));
        assert_eq!([text(90_000), text(500), text(86_400_000)], ["1m30s", "500ms", "1d"]);
        assert_eq!([text(93_784_005), text(86_460_000), text(0)], ["1d2h", "1d", "0s"]);
        assert_eq!(written(Duration::MAX), "213503982334d14h");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again_and_never_more_than_it_was(ms in 1..=30 * 86_400_000_u64) {
            let duration = Duration::from_millis(ms);
            let read = parse(&written(duration)).unwrap();
            prop_assert!(read <= duration && read * 60 >= duration);
        }

        #[test]
        fn no_text_is_longer_than_the_longest(text in "[0-9dhms ]{0,24}") {
            if let Ok(duration) = parse(&text) {
                prop_assert!(duration > Duration::ZERO && duration <= LONGEST);
            }
        }
    }
}
