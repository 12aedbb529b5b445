//! When two JSON texts mean the same, however they are written.

use std::collections::BTreeMap;

use super::{Json, Kind, walk};

impl Json<'_> {
    /// Whether both mean the same: blanks, escapes and the order of members apart. Of members with the same name the
    /// last one counts, as it does for every peer; numbers are compared as the peers' floats.
    #[must_use]
    pub fn means(&self, other: &Json<'_>) -> bool {
        if self.raw() == other.raw() {
            return true;
        }
        match (self.kind(), other.kind()) {
            (Kind::Object, Kind::Object) => same_members(self, other),
            (Kind::List, Kind::List) => same_items(self, other),
            (Kind::Text, Kind::Text) => canonical(self) == canonical(other),
            (Kind::Number, Kind::Number) => {
                let (one, two) = (self.raw().parse::<f64>(), other.raw().parse::<f64>());
                one.is_ok() && one == two
            }
            _ => false,
        }
    }
}

impl Json<'_> {
    /// A text that two plain values share if and only if they mean the same; none for lists and objects.
    #[must_use]
    pub fn plain_meaning(&self) -> Option<String> {
        match self.kind() {
            Kind::Text => canonical(self).map(|text| format!("\"{text}")),
            // Both zeros are one number, and so are 1 and 1.0.
            Kind::Number => self.raw().parse::<f64>().ok().map(|number| format!("{}", number + 0.0)),
            Kind::Flag | Kind::Null => Some(self.raw().to_owned()),
            Kind::List | Kind::Object => None,
        }
    }
}

fn canonical(json: &Json<'_>) -> Option<String> {
    json.as_text().map(|text| super::unescape::canonical(text.inner()))
}

fn same_items(one: &Json<'_>, other: &Json<'_>) -> bool {
    let (Some(one), Some(other)) = (one.as_list(), other.as_list()) else { return false };
    one.len() == other.len() && one.iter().zip(&other).all(|(item, same)| item.means(same))
}

fn same_members(one: &Json<'_>, other: &Json<'_>) -> bool {
    let (Some(one), Some(other)) = (members(one), members(other)) else { return false };
    one.len() == other.len()
        && one
            .iter()
            .zip(&other)
            .all(|((name, value), (same_name, same))| name == same_name && value.means(same))
}

fn members<'a>(json: &'a Json<'_>) -> Option<BTreeMap<String, Json<'a>>> {
    let mut members = BTreeMap::new();
    walk::members(json.raw(), |key, value| {
        members.insert(canonical(&Json::well_formed(key))?, Json::well_formed(value));
        Some(())
    })?;
    Some(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_values_share_their_meaning_exactly_if_they_mean_the_same() {
        let values = [
            "\"a\"",
            r#""\u0061""#,
            "\"1\"",
            "1",
            "1.0",
            "1e0",
            "-0",
            "0",
            "0.0",
            "true",
            "\"true\"",
            "false",
            "null",
            r#""\ud83d""#,
            "\"\u{fffd}\"",
            "1e400",
            "2e400",
            "-1e400",
        ];
        for one in values {
            for other in values {
                let (one, other) = (Json::parse(one).unwrap(), Json::parse(other).unwrap());
                assert_eq!(
                    one.plain_meaning() == other.plain_meaning(),
                    one.means(&other),
                    "{one:?} {other:?}"
                );
            }
        }
        assert_eq!(Json::parse("[1]").unwrap().plain_meaning(), None);
    }

    #[test]
    fn texts_mean_the_same_however_they_are_written() {
        let same = |one: &str, other: &str| Json::parse(one).unwrap().means(&Json::parse(other).unwrap());
        assert!(same(r#"{"a":1,"b":[ 1.0,"\u0041"]}"#, r#"{ "b":[1e0,"A"],"\u0061":1.0 }"#));
        assert!(same(r#"{"a":1,"a":2}"#, r#"{"a":2}"#), "the last one counts");
        assert!(!same(r#"{"a":2,"a":1}"#, r#"{"a":2}"#));
        assert!(!same(r#""\ud800""#, r#""\ud801""#), "lone surrogates are told apart");
        assert!(!same(r#""\ud800""#, "\"\u{fffd}\""));
        assert!(
            !same("[1,2]", "[2,1]")
                && !same("1", "\"1\"")
                && !same("[1]", "[1,1]")
                && !same("{}", r#"{"a":1}"#)
        );
    }
}
