//! An object split into its members, in the order of the wire, and the writer that puts members together.

use std::borrow::Cow;
use std::fmt;

use serde::de::IgnoredAny;

use super::scan::{Name, Scan};
use super::unescape::unescape;
use super::value::is_plain;
use super::{Fault, IntoOwned, Json, Kind, Text, Written as _, Wrong, walk};

/// The most members of an object, and items of a list, that are looked at one by one. No message has as many; without
/// a bound one line of commas would take ten times its own size in memory.
pub(super) const MOST_MEMBERS: usize = 10_000;

/// A text that is no object of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAnObject {
    /// it is no JSON at all; why, in the parser's words
    #[error("not JSON ({0})")]
    NotJson(String),
    /// it is JSON of another kind
    #[error("JSON, but not an object")]
    AnotherKind,
    /// it is an object, but nests deeper or has more members than anything that we read
    #[error("an object of more levels or members than any message has")]
    TooLarge,
}

impl NotAnObject {
    pub(super) fn explain(text: &str) -> Self {
        match serde_json::from_str::<IgnoredAny>(text) {
            Err(error) => Self::NotJson(error.to_string()),
            Ok(_) if text.trim_start().starts_with('{') => Self::TooLarge,
            Ok(_) => Self::AnotherKind,
        }
    }
}

/// The members of an object. Taking one removes it; what is left at the end are the unknown ones.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Object<'a> {
    members: Vec<(Key<'a>, Json<'a>)>,
}

/// The name of a member, as it stands between its quotes.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Key<'a> {
    inner: Cow<'a, str>,
    /// known from the start, because names are compared often and hardly ever hold an escape
    escaped: bool,
}

impl<'a> Key<'a> {
    /// Takes a JSON string that was checked already.
    fn walked(raw: &'a str) -> Self {
        let inner = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
        Self { inner: Cow::Borrowed(inner), escaped: memchr::memchr(b'\\', inner.as_bytes()).is_some() }
    }

    fn new(name: &str) -> Self {
        let inner = Text::new(name).inner().to_owned();
        Self { escaped: inner.contains('\\'), inner: Cow::Owned(inner) }
    }

    #[inline]
    fn get(&self) -> Cow<'_, str> {
        if self.escaped { Cow::Owned(unescape(&self.inner)) } else { Cow::Borrowed(&self.inner) }
    }

    #[inline]
    pub(super) fn is(&self, name: &str) -> bool {
        if self.escaped { unescape(&self.inner) == name } else { self.inner == name }
    }
}

impl<'a> Object<'a> {
    /// Splits one object. Its values are checked to be well-formed, not looked into.
    pub fn parse(text: &'a str) -> Result<Self, NotAnObject> {
        let mut scan = Scan::new(text);
        let object = Self::scan(&mut scan).filter(|_| scan.end().is_some());
        object.ok_or_else(|| NotAnObject::explain(text))
    }

    fn scan(scan: &mut Scan<'a>) -> Option<Self> {
        let mut object = Object::with_room_for(8);
        scan.members(|scan, name| {
            let value = scan.value()?;
            object.add(Key::from(name), value, MOST_MEMBERS)
        })?;
        Some(object)
    }

    #[inline]
    pub(super) fn add(&mut self, key: Key<'a>, value: &'a str, most: usize) -> Option<()> {
        (self.members.len() < most).then(|| self.members.push((key, Json::well_formed(value))))
    }

    pub(super) fn with_room_for(members: usize) -> Self {
        Object { members: Vec::with_capacity(members) }
    }

    /// Splits a text that was checked already.
    pub(super) fn walk(text: &'a str) -> Option<Self> {
        let mut object = Object::default();
        walk::members(text, |key, value| object.add(Key::walked(key), value, MOST_MEMBERS))?;
        Some(object)
    }

    /// Splits a value that may be an object.
    pub fn read(json: Json<'a>) -> Result<Self, Wrong> {
        let wrong = match json.kind() {
            Kind::Object => Wrong::new("", Fault::TooMany { limit: MOST_MEMBERS }),
            _ => Wrong::not_a("an object"),
        };
        let object = match json.into_cow() {
            Cow::Borrowed(text) => Self::walk(text),
            Cow::Owned(text) => Object::walk(&text).map(IntoOwned::into_owned),
        };
        object.ok_or(wrong)
    }

    /// The member of that name, if there is exactly one.
    #[must_use]
    pub fn peek(&self, name: &str) -> Option<&Json<'a>> {
        self.only(name).map(|(_, json)| json)
    }

    /// The same, and where it stands.
    fn only(&self, name: &str) -> Option<(usize, &Json<'a>)> {
        let mut found = (0..).zip(&self.members).filter(|(_, (key, _))| key.is(name));
        let (at, (_, json)) = found.next()?;
        found.next().is_none().then_some((at, json))
    }

    /// Removes the member of that name, if there is exactly one and it can be read.
    pub(super) fn take_if<T>(&mut self, name: &str, read: impl FnOnce(&Json<'a>) -> Option<T>) -> Option<T> {
        let (at, json) = self.only(name)?;
        let read = read(json)?;
        self.members.remove(at);
        Some(read)
    }

    /// Removes the member of that name. Two of the same name are an error: nobody can tell which is meant.
    pub fn take(&mut self, name: &str) -> Result<Option<Json<'a>>, Wrong> {
        let mut places = (0..).zip(&self.members).filter(|(_, (key, _))| key.is(name)).map(|(at, _)| at);
        match (places.next(), places.next()) {
            (None, _) => Ok(None),
            (Some(at), None) => Ok(Some(self.members.remove(at).1)),
            (Some(_), Some(_)) => Err(Wrong::new(name, Fault::Duplicate)),
        }
    }

    /// Hands out each member in turn and keeps those that `take` leaves.
    pub(crate) fn sort_out(&mut self, mut take: impl FnMut(&str, &mut Json<'a>) -> Taken) {
        self.members.retain_mut(|(key, json)| take(&key.get(), json) == Taken::No);
        if self.members.is_empty() {
            // Most messages leave nothing: their room is not carried along for as long as they live.
            self.members = Vec::new();
        }
    }

    /// Whether there is a member of that name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.members.iter().any(|(key, _)| key.is(name))
    }

    pub(super) fn put_back(&mut self, at: usize, key: Key<'a>, value: &'a str) {
        self.members.insert(at.min(self.members.len()), (key, Json::well_formed(value)));
    }

    pub(super) const fn len(&self) -> usize {
        self.members.len()
    }

    /// Adds a member at the end.
    pub fn push(&mut self, name: &str, json: Json<'a>) {
        self.members.push((Key::new(name), json));
    }

    /// Removes every member of that name.
    pub(crate) fn remove_all(&mut self, name: &str) {
        self.members.retain(|(key, _)| !key.is(name));
    }

    /// The members, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Cow<'_, str>, &Json<'a>)> {
        self.members.iter().map(|(key, json)| (key.get(), json))
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Writes all members.
    pub fn write(&self, out: &mut ObjectWriter<'_>) {
        self.write_but(out, |_| false);
    }

    /// Writes the members whose names `skip` does not want.
    pub(crate) fn write_but(&self, out: &mut ObjectWriter<'_>, skip: impl Fn(&str) -> bool) {
        for (key, json) in &self.members {
            if !skip(&key.get()) {
                json.write(out.quoted(&key.inner));
            }
        }
    }
}

impl<'a> From<Name<'a>> for Key<'a> {
    #[inline]
    fn from(name: Name<'a>) -> Self {
        Self { inner: Cow::Borrowed(name.inner), escaped: name.escaped }
    }
}

/// Whether a member found its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    Yes,
    No,
}

impl IntoOwned for Object<'_> {
    type Owned = Object<'static>;

    fn into_owned(self) -> Object<'static> {
        let members = self.members.into_iter().map(|(Key { inner, escaped }, json)| {
            (Key { inner: Cow::Owned(inner.into_owned()), escaped }, json.into_owned())
        });
        Object { members: members.collect() }
    }
}

/// Names only: the values are shown where they are typed.
impl fmt::Debug for Object<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.members.iter().map(|(key, _)| key.get())).finish()
    }
}

/// Puts members together into the text of one object.
#[derive(Debug)]
pub struct ObjectWriter<'o> {
    out: &'o mut String,
    first: bool,
}

impl<'o> ObjectWriter<'o> {
    /// Writes one object to the end of `out`.
    pub fn object(out: &'o mut String, members: impl FnOnce(&mut ObjectWriter<'_>)) {
        out.push('{');
        let mut writer = ObjectWriter { out, first: true };
        members(&mut writer);
        writer.out.push('}');
    }

    /// A member whose name and value are JSON already.
    pub fn raw_member(&mut self, key: &str, json: &str) {
        self.key(key).push_str(json);
    }

    /// A member with a plain name and a value that writes itself.
    pub fn member(&mut self, name: &str, value: impl FnOnce(&mut String)) {
        let out = if is_plain(name) { self.quoted(name) } else { self.key(Text::new(name).raw()) };
        value(out);
    }

    /// The name of a member, given as it stands between its quotes.
    fn quoted(&mut self, inner: &str) -> &mut String {
        self.comma();
        self.out.push('"');
        self.out.push_str(inner);
        self.out.push_str("\":");
        self.out
    }

    fn key(&mut self, key: &str) -> &mut String {
        self.comma();
        self.out.push_str(key);
        self.out.push(':');
        self.out
    }

    fn comma(&mut self) {
        if !std::mem::replace(&mut self.first, false) {
            self.out.push(',');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_order_and_their_text() {
        let object = Object::parse(r#" {"b" : 1.0, "a":{"x":[ 1, 2 ]}} "#).unwrap();
        let mut out = String::new();
        ObjectWriter::object(&mut out, |members| object.write(members));
        assert_eq!(out, r#"{"b":1.0,"a":{"x":[ 1, 2 ]}}"#);
    }

    #[test]
    fn taking_a_name_that_stands_twice_is_an_error() {
        let mut object = Object::parse(r#"{"id":1,"x":2,"\u0069d":3}"#).unwrap();
        assert_eq!(object.take("id").unwrap_err(), Wrong::new("id", Fault::Duplicate));
    }

    #[test]
    fn a_lone_surrogate_in_a_key_or_value_does_not_lose_the_object() {
        let mut object = Object::parse(r#"{"\ud800":"\udfff","n":1e400,"type":"log"}"#).unwrap();
        assert!(object.take("type").unwrap().unwrap().as_text().unwrap().is("log"));
        assert_eq!(object.iter().count(), 2);
    }

    #[test]
    fn whatever_was_laid_out_over_several_lines_is_written_on_one() {
        let object = Object::parse("{\n  \"a\": {\n    \"b\": \"c\\n\"\n  }\n}").unwrap();
        let mut out = String::new();
        ObjectWriter::object(&mut out, |members| object.write(members));
        assert_eq!(out, r#"{"a":{     "b": "c\n"   }}"#);
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for raw in ["null", "[]", "42", "\"x\"", "{} {}", "{\"a\":\u{1b}}", "{\"a\":NaN}"] {
            assert!(Object::parse(raw).is_err(), "{raw}");
        }
    }
}
