//! Numbers in a report: times, money, counts.
//!
//! Owns how each is written. A number that no person could read as such stands there as the client wrote it.

use std::time::Duration;

use codec::json::Num;

use crate::duration;
use crate::term::style::{Row, Style};

/// How long something took, given in milliseconds; nothing if that is less than a second.
pub(super) fn time(milliseconds: Option<&Num<'_>>) -> Option<String> {
    let number = milliseconds?;
    match whole(number.as_f64()) {
        Some(whole) => lasted(Duration::from_millis(whole)),
        None => Some(format!("{} ms", number.raw())),
    }
}

/// The same for a time that was measured here.
pub(super) fn lasted(time: Duration) -> Option<String> {
    let whole = time.as_millis();
    match whole {
        0..1_000 => None,
        1_000..60_000 if whole % 1_000 >= 100 => Some(format!("{}.{}s", whole / 1_000, whole % 1_000 / 100)),
        _ => Some(duration::written(Duration::from_secs(time.as_secs()))),
    }
}

/// A number without what stands behind its point, if it is one of a size that people use.
fn whole(number: f64) -> Option<u64> {
    const LARGEST: f64 = 1e15;
    let is_usual = (0.0..LARGEST).contains(&number);
    is_usual.then(|| format!("{:.0}", number.trunc()).parse().ok()).flatten()
}

/// An amount of dollars.
pub(super) fn cost(dollars: Option<&Num<'_>>) -> Option<String> {
    let number = dollars?;
    let amount = number.as_f64();
    Some(if (0.0..1e12).contains(&amount) { price(amount) } else { format!("${}", number.raw()) })
}

/// The same for a sum that was made here.
pub(crate) fn price(dollars: f64) -> String {
    if dollars > 0.0 && dollars < 0.01 { format!("${dollars:.4}") } else { format!("${dollars:.2}") }
}

/// A count with what is counted: `1 turn`, `9 turns`.
pub(super) fn counted(count: Option<&Num<'_>>, one: &str, many: &str) -> Option<String> {
    let count = count?;
    Some(format!("{} {}", number(count), if count.as_u64() == Some(1) { one } else { many }))
}

/// The same for something that was counted here.
pub(super) fn how_many(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// A number, with commas if it is a long one.
pub(super) fn number(number: &Num<'_>) -> String {
    let short = number.as_u64().and_then(|whole| usize::try_from(whole).ok());
    short.map_or_else(|| number.raw().to_owned(), grouped)
}

/// A count with commas: `4,812`.
pub(crate) fn grouped(count: impl std::fmt::Display) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A point in time, given in seconds since 1970.
pub(super) fn moment(seconds: &Num<'_>) -> String {
    const LATEST: u64 = 253_402_300_799;
    let seconds = seconds.as_u64().filter(|seconds| *seconds <= LATEST).ok_or_else(|| seconds.raw());
    match seconds.map(|seconds| actors::router::timestamp(seconds * 1_000)) {
        Ok(time) => format!("{} UTC", time.replace('T', " ").get(..MINUTES).unwrap_or_default()),
        Err(raw) => raw.to_owned(),
    }
}

/// How long a date with hours and minutes is.
const MINUTES: usize = 16;

/// A time given in minutes.
pub(super) fn minutes(minutes: &str) -> String {
    let whole = minutes.parse::<u64>().ok().and_then(|minutes| minutes.checked_mul(60));
    whole.map_or_else(|| format!("{minutes}m"), |seconds| duration::written(Duration::from_secs(seconds)))
}

/// A share of a whole in percent.
pub(super) fn percent(number: f64) -> String {
    if number.is_finite() { format!("{number:.0}%") } else { "over 100%".to_owned() }
}

/// Something dim at the right edge.
pub(super) fn dim(text: Option<String>) -> Option<Row> {
    text.map(|text| Row::foreign(Style::DIM, &text))
}
