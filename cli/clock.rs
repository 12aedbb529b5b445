//! The time of day and a name that nobody else has: the two things that only the start of a run may make up.

/// Milliseconds since 1970, for timestamps and file names. Nothing is decided by it.
pub(crate) fn unix_ms() -> u64 {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place: asked when a run begins, and for a row of the log"
    )]
    let now = std::time::SystemTime::now();
    let since = now.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The time of day so long ago, where the person is: hours and minutes.
pub(crate) fn time_of_day(ago: std::time::Duration) -> String {
    let then = jiff::Zoned::now().checked_sub(ago);
    then.map(|then| format!("{:02}:{:02}", then.hour(), then.minute())).unwrap_or_default()
}

/// Random hex digits, 32 at the most.
pub(crate) fn random_hex(digits: usize) -> String {
    uuid::Uuid::new_v4().simple().to_string().chars().take(digits).collect()
}
