//! What a key of a file may say: a text, a switch, a time, a path, a number.
//!
//! A value in, a setting with its place out. What does not fit is an error that names the key and what may stand there.

use std::borrow::Cow;

use crate::likeness;

use super::{
    ConfigError, DeTable, Duration, Origin, OsString, PathBuf, Reader, Said, Spanned, Value, duration,
};

impl Reader<'_> {
    /// A setting that stands at that byte.
    pub(in super::super) fn origin(self, at: usize) -> Origin {
        let line = self.ends.partition_point(|end| *end < at) + 1;
        Origin::File(self.source.path.to_owned(), line)
    }

    fn said<T>(self, value: &Value<'_>, read: T) -> Said<T> {
        Said { value: read, origin: self.origin(value.span().start) }
    }

    /// What stands there does not fit.
    pub(in super::super) fn wrong(self, at: usize, what: &str) -> ConfigError {
        ConfigError::new(&self.source.wrong(Some(at), what))
    }

    fn must_be(self, key: &str, value: &Value<'_>, what: &str) -> ConfigError {
        self.wrong(value.span().start, &format!("{key} must be {what}"))
    }

    /// A key that there is not.
    pub(in super::super) fn unknown(self, key: &Spanned<Cow<'_, str>>, known: &[&str]) -> ConfigError {
        let word: String = key.get_ref().chars().take(LONGEST_WORD).collect();
        let expected = match (likeness::nearest(&word, known.iter().copied()), known) {
            (Some(name), _) => format!("did you mean `{name}`?"),
            (None, [only]) => format!("expected `{only}`"),
            (None, all) => format!("expected one of `{}`", all.join("`, `")),
        };
        let what = format!("unknown key `{word}`, {expected}");
        self.wrong(key.span().start, &what)
    }

    pub(in super::super) fn table<'v, 'i>(
        self,
        key: &str,
        value: &'v Value<'i>,
    ) -> Result<&'v DeTable<'i>, ConfigError> {
        value.get_ref().as_table().ok_or_else(|| self.must_be(key, value, "a table"))
    }

    pub(super) fn text(self, key: &str, value: &Value<'_>) -> Result<Said<String>, ConfigError> {
        let text = value.get_ref().as_str().filter(|text| !text.contains('\0'));
        let text = text.ok_or_else(|| self.must_be(key, value, "a text"))?;
        Ok(self.said(value, text.to_owned()))
    }

    pub(super) fn switch(self, key: &str, value: &Value<'_>) -> Result<Said<bool>, ConfigError> {
        let is_on = value.get_ref().as_bool().ok_or_else(|| self.must_be(key, value, "true or false"))?;
        Ok(self.said(value, is_on))
    }

    pub(super) fn time(self, key: &str, value: &Value<'_>) -> Result<Said<Duration>, ConfigError> {
        let none = || self.must_be(key, value, "a text, such as \"10s\"");
        let text = value.get_ref().as_str().ok_or_else(none)?;
        let wrong = |why: String| self.wrong(value.span().start, &format!("{key}: {why}"));
        Ok(self.said(value, duration::parse(text).map_err(wrong)?))
    }

    pub(super) fn path(self, key: &str, value: &Value<'_>) -> Result<Said<PathBuf>, ConfigError> {
        let path = value.get_ref().as_str().and_then(|text| self.absolute(text));
        Ok(self.said(value, path.ok_or_else(|| self.must_be(key, value, PATH))?))
    }

    pub(super) fn paths(self, key: &str, value: &Value<'_>) -> Result<Said<Vec<PathBuf>>, ConfigError> {
        let what = format!("a list of folders, each {PATH}");
        let items = value.get_ref().as_array().ok_or_else(|| self.must_be(key, value, &what))?;
        let path = |item: &Value<'_>| {
            let path = item.get_ref().as_str().and_then(|text| self.absolute(text));
            path.ok_or_else(|| self.must_be(key, item, &what))
        };
        Ok(self.said(value, items.iter().map(path).collect::<Result<_, _>>()?))
    }

    fn absolute(self, text: &str) -> Option<PathBuf> {
        match text.strip_prefix("~/") {
            Some(below) => self.home.map(|home| home.join(below.trim_start_matches('/'))),
            None => Some(PathBuf::from(text)).filter(|path| path.is_absolute()),
        }
    }

    pub(super) fn days(self, key: &str, value: &Value<'_>) -> Result<Said<Option<u64>>, ConfigError> {
        let days = number(value).ok_or_else(|| self.must_be(key, value, DAYS))?;
        Ok(self.said(value, (days > 0).then_some(days)))
    }

    pub(super) fn size(self, key: &str, value: &Value<'_>) -> Result<Said<Option<u64>>, ConfigError> {
        // A number alone would have to be guessed at, but for 0.
        let none = (number(value) == Some(0)).then_some(0);
        let bytes = none.or_else(|| bytes(value.get_ref().as_str()?));
        let bytes = bytes.ok_or_else(|| self.must_be(key, value, SIZE))?;
        Ok(self.said(value, (bytes > 0).then_some(bytes)))
    }

    /// A list of texts.
    pub(in super::super) fn words(self, value: &Value<'_>) -> Option<Vec<OsString>> {
        let items = value.get_ref().as_array()?;
        items.iter().map(|item| item.get_ref().as_str().map(OsString::from)).collect()
    }
}

/// As much of a key that there is not is shown: no key of ours is as long.
const LONGEST_WORD: usize = 60;

const PATH: &str = "an absolute path, or one that begins with ~/ if HOME is set";

const DAYS: &str = "a whole number of days, 0 for ever";

const SIZE: &str = "a size such as \"2 GB\" or \"500 MB\", 0 for no limit";

fn number(value: &Value<'_>) -> Option<u64> {
    let number = value.get_ref().as_integer()?;
    u64::from_str_radix(number.as_str(), number.radix()).ok()
}

fn bytes(text: &str) -> Option<u64> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(digits)?;
    let (_, worth) = UNITS.into_iter().find(|(name, _)| unit.trim().eq_ignore_ascii_case(name))?;
    number.parse::<u64>().ok()?.checked_mul(worth)
}

const UNITS: [(&str, u64); 4] =
    [("KB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000)];
