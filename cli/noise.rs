//! How often the same source may complain: a few times a second, and after that only a count. Pure.

use std::collections::HashMap;

/// How many complaints of one source are told in a second.
const A_SECOND: u64 = 10;
/// How many sources are remembered.
const SOURCES: usize = 1_024;

/// What was told of whom in this second.
#[derive(Debug, Default)]
pub(crate) struct Noise {
    second: u64,
    heard: HashMap<String, u64>,
}

impl Noise {
    /// Somebody complains at that time, in milliseconds. Says whether to tell it, and before it how many of whom were left
    /// out in the second before.
    pub(crate) fn hear(&mut self, now_ms: u64, source: &str) -> (Vec<(String, u64)>, bool) {
        let mut left_out = Vec::new();
        if now_ms / 1_000 != self.second {
            self.second = now_ms / 1_000;
            left_out = self.left_out();
        }
        if self.heard.len() >= SOURCES && !self.heard.contains_key(source) {
            return (left_out, false);
        }
        let count = self.heard.entry(source.to_owned()).or_default();
        *count += 1;
        (left_out, *count <= A_SECOND)
    }

    /// How many complaints of whom were not told.
    pub(crate) fn left_out(&mut self) -> Vec<(String, u64)> {
        let over = |(source, count): (String, u64)| Some((source, count.checked_sub(A_SECOND)?));
        let mut left_out: Vec<_> =
            self.heard.drain().filter_map(over).filter(|(_, count)| *count > 0).collect();
        left_out.sort();
        left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_told_ten_times_a_second_and_then_counted() {
        let mut noise = Noise::default();
        let told = (0..25).filter(|_| noise.hear(100, "tunnel:1").1).count();
        assert_eq!(told, 10);
        assert!(noise.hear(200, "tunnel:2").1, "another source is not held back");
        assert_eq!(noise.hear(1_100, "tunnel:1"), (vec![("tunnel:1".to_owned(), 15)], true));
    }

    #[test]
    fn what_was_left_out_at_the_end_can_be_told_too() {
        let mut noise = Noise::default();
        for _ in 0..12 {
            noise.hear(0, "tunnel:1");
        }
        assert_eq!(noise.left_out(), [("tunnel:1".to_owned(), 2)]);
        assert_eq!(noise.left_out(), []);
    }

    #[test]
    fn there_are_never_more_sources_than_are_remembered() {
        let mut noise = Noise::default();
        for source in 0..SOURCES {
            assert!(noise.hear(0, &source.to_string()).1);
        }
        assert!(!noise.hear(0, "one more").1);
    }
}
