//! What a member of a message can be: how each type is taken from JSON, written back, and kept beyond its line.

use std::borrow::Cow;
use std::fmt;
use std::fmt::Write as _;

use super::object::MOST_MEMBERS;
use super::{Fault, Json, Kind, Num, Object, ObjectWriter, Text, Wrong, walk};

/// A type that a member of a message can have.
pub trait Field<'a>: Sized {
    /// Whether `null` in an optional member of this type means that the member is absent.
    const NULL_IS_ABSENT: bool = true;

    /// Takes the value, or says what is the matter with it.
    fn read(json: Json<'a>) -> Result<Self, Wrong>;
}

/// A type that writes itself as JSON.
pub trait Written {
    /// Appends the JSON of this value.
    fn write(&self, out: &mut String);
}

/// The JSON of a value, on one line.
#[must_use]
pub fn line(value: &impl Written) -> String {
    let mut line = String::new();
    value.write(&mut line);
    line
}

/// A type that can leave the line it was read from.
pub trait IntoOwned {
    /// The same type, independent of any line.
    type Owned: 'static;

    /// The same value, independent of any line.
    fn into_owned(self) -> Self::Owned;
}

/// `null` is a value like any other where any value will do.
impl<'a> Field<'a> for Json<'a> {
    const NULL_IS_ABSENT: bool = false;

    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        Ok(json)
    }
}

impl<'a> Field<'a> for Text<'a> {
    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        if json.kind() == Kind::Text { Ok(Text(json.into_cow())) } else { Err(Wrong::not_a("text")) }
    }
}

impl<'a> Field<'a> for Num<'a> {
    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        if json.kind() == Kind::Number { Ok(Num(json.into_cow())) } else { Err(Wrong::not_a("a number")) }
    }
}

impl<'a> Field<'a> for bool {
    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        json.as_flag().ok_or_else(|| Wrong::not_a("true or false"))
    }
}

impl<'a> Field<'a> for u64 {
    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        Num::read(json)?.as_u64().ok_or_else(|| Wrong::not_a("a whole number"))
    }
}

impl<'a> Field<'a> for Object<'a> {
    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        Object::read(json)
    }
}

/// The first item that is wrong ends the reading.
impl<'a, T: Field<'a>> Field<'a> for Vec<T> {
    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        let mut list = Vec::new();
        let mut wrong = Wrong::not_a("a list");
        let mut read_one = |item: Json<'a>| {
            if list.len() == MOST_MEMBERS {
                wrong = Wrong::new("", Fault::TooMany { limit: MOST_MEMBERS });
                return None;
            }
            let read = T::read(item).map_err(|why| wrong = why.within(&format!("[{}]", list.len())));
            read.map(|value| list.push(value)).ok()
        };
        let walked = match json.into_cow() {
            Cow::Borrowed(text) => walk::items(text, |item| read_one(Json::well_formed(item))),
            Cow::Owned(text) => walk::items(&text, |item| read_one(Json::well_formed(item).into_owned())),
        };
        walked.map(|()| list).ok_or(wrong)
    }
}

impl<'a, T: Field<'a>> Field<'a> for Box<T> {
    const NULL_IS_ABSENT: bool = T::NULL_IS_ABSENT;

    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        T::read(json).map(Box::new)
    }
}

/// An item of a list in which one odd item must not hide the others.
#[derive(Clone, PartialEq)]
pub enum Item<'a, T> {
    /// as expected
    Known(T),
    /// not as expected
    Odd(Json<'a>),
}

impl<T: fmt::Debug> fmt::Debug for Item<'_, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Known(item) => item.fmt(out),
            Item::Odd(json) => out.debug_tuple("Odd").field(json).finish(),
        }
    }
}

impl<T> Item<'_, T> {
    /// The item, if it is as expected.
    pub const fn known(&self) -> Option<&T> {
        match self {
            Item::Known(item) => Some(item),
            Item::Odd(_) => None,
        }
    }
}

impl<'a, T: Field<'a>> Field<'a> for Item<'a, T> {
    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        Ok(T::read(json.clone()).map_or(Item::Odd(json), Item::Known))
    }
}

impl<T: Written> Written for Item<'_, T> {
    fn write(&self, out: &mut String) {
        match self {
            Item::Known(item) => item.write(out),
            Item::Odd(json) => json.write(out),
        }
    }
}

impl<T: IntoOwned> IntoOwned for Item<'_, T> {
    type Owned = Item<'static, T::Owned>;

    fn into_owned(self) -> Self::Owned {
        match self {
            Item::Known(item) => Item::Known(item.into_owned()),
            Item::Odd(json) => Item::Odd(json.into_owned()),
        }
    }
}

/// A member for which `null` is as wrong as any other type.
#[derive(Clone, PartialEq)]
pub struct NotNull<T>(pub T);

impl<T: fmt::Debug> fmt::Debug for NotNull<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl<'a, T: Field<'a>> Field<'a> for NotNull<T> {
    const NULL_IS_ABSENT: bool = false;

    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        T::read(json).map(NotNull)
    }
}

/// A member for which `null` has a meaning of its own.
#[derive(Debug, Clone, PartialEq)]
pub enum Nullable<T> {
    /// `null`
    Null,
    /// a value
    Is(T),
}

impl<'a, T: Field<'a>> Field<'a> for Nullable<T> {
    const NULL_IS_ABSENT: bool = false;

    fn read(json: Json<'a>) -> Result<Self, Wrong> {
        if json.kind() == Kind::Null { Ok(Nullable::Null) } else { T::read(json).map(Nullable::Is) }
    }
}

macro_rules! raw_writers {
    ($($type:ty),*) => {$(
        impl Written for $type {
            fn write(&self, out: &mut String) {
                out.push_str(self.raw());
            }
        }
    )*};
}
raw_writers!(Text<'_>, Num<'_>);

/// On one line, however it was laid out: line ends and tabs in JSON can only stand between its signs, never in a string.
impl Written for Json<'_> {
    fn write(&self, out: &mut String) {
        if memchr::memchr3(b'\n', b'\r', b'\t', self.raw().as_bytes()).is_none() {
            out.push_str(self.raw());
        } else {
            out.push_str(&self.raw().replace(['\n', '\r', '\t'], " "));
        }
    }
}

impl Written for bool {
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl Written for u64 {
    fn write(&self, out: &mut String) {
        let written = write!(out, "{self}");
        debug_assert!(written.is_ok(), "writing to a String cannot fail");
    }
}

impl Written for Object<'_> {
    fn write(&self, out: &mut String) {
        ObjectWriter::object(out, |members| Object::write(self, members));
    }
}

impl<T: Written> Written for Vec<T> {
    fn write(&self, out: &mut String) {
        out.push('[');
        for (at, item) in self.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            item.write(out);
        }
        out.push(']');
    }
}

impl<T: Written> Written for Box<T> {
    fn write(&self, out: &mut String) {
        T::write(self, out);
    }
}

impl<T: Written> Written for NotNull<T> {
    fn write(&self, out: &mut String) {
        self.0.write(out);
    }
}

impl<T: Written> Written for Nullable<T> {
    fn write(&self, out: &mut String) {
        match self {
            Nullable::Null => out.push_str("null"),
            Nullable::Is(value) => value.write(out),
        }
    }
}

macro_rules! owned_by_method {
    ($($type:ident),*) => {$(
        impl IntoOwned for $type<'_> {
            type Owned = $type<'static>;

            fn into_owned(self) -> $type<'static> {
                $type::into_owned(self)
            }
        }
    )*};
}
owned_by_method!(Json, Text, Num);

macro_rules! owned_already {
    ($($type:ty),*) => {$(
        impl IntoOwned for $type {
            type Owned = $type;

            fn into_owned(self) -> $type {
                self
            }
        }
    )*};
}
owned_already!(bool, u64, String);

impl<T: IntoOwned> IntoOwned for Vec<T> {
    type Owned = Vec<T::Owned>;

    fn into_owned(self) -> Self::Owned {
        self.into_iter().map(IntoOwned::into_owned).collect()
    }
}

impl<T: IntoOwned> IntoOwned for Option<T> {
    type Owned = Option<T::Owned>;

    fn into_owned(self) -> Self::Owned {
        self.map(IntoOwned::into_owned)
    }
}

impl<T: IntoOwned> IntoOwned for Box<T> {
    type Owned = Box<T::Owned>;

    fn into_owned(self) -> Self::Owned {
        Box::new(T::into_owned(*self))
    }
}

impl<T: IntoOwned> IntoOwned for NotNull<T> {
    type Owned = NotNull<T::Owned>;

    fn into_owned(self) -> Self::Owned {
        NotNull(self.0.into_owned())
    }
}

impl<T: IntoOwned> IntoOwned for Nullable<T> {
    type Owned = Nullable<T::Owned>;

    fn into_owned(self) -> Self::Owned {
        match self {
            Nullable::Null => Nullable::Null,
            Nullable::Is(value) => Nullable::Is(value.into_owned()),
        }
    }
}
