//! Message types as plain structs: `record!` writes the reader, the writer and the owned copy of each.
//!
//! A record names its members once. Reading takes them out of an [`Object`]; what is left stays in `extras`.
//! Writing puts the named ones first, then the extras: the same JSON value, built from what was understood.
//! An optional member that is `null` counts as absent and stays in `extras`, so that it is written again.

use super::{Fault, Field, Json, Kind, Object, ObjectWriter, Taken, Wrong};

/// A message type: an object with named members.
pub trait Record<'a>: Sized {
    /// Takes the members that this type names.
    fn from_object(object: Object<'a>) -> Result<Self, Wrong>;

    /// Writes all members.
    fn members(&self, out: &mut ObjectWriter<'_>);
}

/// The line of one message: its `type`, then its members.
pub(crate) fn line_of<'a>(kind: &str, record: &impl Record<'a>) -> String {
    object_of(|out| {
        out.raw_member("\"type\"", super::Text::new(kind).raw());
        record.members(out);
    })
}

/// The text of one object.
pub(crate) fn object_of(members: impl FnOnce(&mut ObjectWriter<'_>)) -> String {
    let mut line = String::new();
    ObjectWriter::object(&mut line, members);
    line
}

/// Takes a member that must be there out of an object.
pub(crate) fn required<'a, T: Field<'a>>(object: &mut Object<'a>, name: &str) -> Result<T, Wrong> {
    need(object.take(name)?, name)
}

/// Takes a member out of an object; one that is not what we expect stays.
pub(crate) fn lenient<'a, T: Field<'a>>(object: &mut Object<'a>, name: &str) -> Option<T> {
    object.take_if(name, |json| T::read(json.clone()).ok())
}

/// Members on the way from an object into a record.
#[derive(Default)]
pub(crate) struct Sorting {
    /// a name that stood twice
    twice: std::cell::Cell<Option<&'static str>>,
}

impl Sorting {
    /// Puts a value into its place, which must be free.
    pub(crate) fn put<'a>(
        &self,
        place: &mut Option<Json<'a>>,
        json: &mut Json<'a>,
        name: &'static str,
    ) -> Taken {
        if place.is_some() {
            self.twice.set(Some(name));
        }
        *place = Some(std::mem::replace(json, Json::null()));
        Taken::Yes
    }

    pub(crate) fn done(&self) -> Result<(), Wrong> {
        self.twice.get().map_or(Ok(()), |name| Err(Wrong::new(name, Fault::Duplicate)))
    }
}

/// Reads a value straight into its place; one that is not as expected stays an extra. Of several the last one counts.
/// For peers whose every release adds and changes members that tim only looks at.
pub(crate) fn put_lenient<'a, T: Field<'a>>(place: &mut Option<T>, json: &Json<'a>) -> Taken {
    *place = T::read(json.clone()).ok();
    if place.is_some() { Taken::Yes } else { Taken::No }
}

/// Reads a member that must be there.
pub(crate) fn need<'a, T: Field<'a>>(json: Option<Json<'a>>, name: &str) -> Result<T, Wrong> {
    let json = json.ok_or_else(|| Wrong::new(name, Fault::Missing))?;
    T::read(json).map_err(|wrong| wrong.within(name))
}

/// Reads a member that may be absent; for most types `null` means that, and stays an extra.
pub(crate) fn may<'a, T: Field<'a>>(
    json: Option<Json<'a>>,
    name: &str,
    extras: &mut Object<'a>,
) -> Result<Option<T>, Wrong> {
    match json {
        None => Ok(None),
        Some(json) if T::NULL_IS_ABSENT && json.kind() == Kind::Null => {
            extras.push(name, json);
            Ok(None)
        }
        Some(json) => T::read(json).map(Some).map_err(|wrong| wrong.within(name)),
    }
}

/// Declares a message type. Members are written `name: Type = "nameOnTheWire"`, the required ones in the first
/// block, the optional ones in `optional`, those of a peer that may change them in `lenient`.
macro_rules! record {
    ($(
        $(#[$doc:meta])*
        struct $name:ident {
            $( $(#[$need_doc:meta])* $need:ident : $need_type:ty = $need_wire:literal ),* $(,)?
        }
        $( optional { $( $(#[$may_doc:meta])* $may:ident : $may_type:ty = $may_wire:literal ),* $(,)? } )?
        $( lenient { $( $(#[$len_doc:meta])* $len:ident : $len_type:ty = $len_wire:literal ),* $(,)? } )?
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq)]
        pub struct $name<'a> {
            $( $(#[$need_doc])* #[doc = concat!("`", $need_wire, "`")] pub $need: $need_type, )*
            $($( $(#[$may_doc])* #[doc = concat!("`", $may_wire, "`, if given")] pub $may: Option<$may_type>, )*)?
            $($( $(#[$len_doc])* #[doc = concat!("`", $len_wire, "`, if given and as expected")] pub $len: Option<$len_type>, )*)?
            /// everything else that the message held
            pub extras: $crate::json::Object<'a>,
        }

        /// Only what is there: snapshots are read by people.
        impl std::fmt::Debug for $name<'_> {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut view = out.debug_struct(stringify!($name));
                $( view.field(stringify!($need), &self.$need); )*
                $($( if let Some(value) = &self.$may { view.field(stringify!($may), value); } )*)?
                $($( if let Some(value) = &self.$len { view.field(stringify!($len), value); } )*)?
                if !self.extras.is_empty() { view.field("extras", &self.extras); }
                view.finish()
            }
        }

        impl<'a> $crate::json::Record<'a> for $name<'a> {
            fn from_object(mut object: $crate::json::Object<'a>) -> Result<Self, $crate::json::Wrong> {
                $( let mut $need = None; )*
                $($( let mut $may = None; )*)?
                $($( let mut $len = None; )*)?
                let sorting = $crate::json::record::Sorting::default();
                object.sort_out(|name, _json| match name {
                    $( $need_wire => sorting.put(&mut $need, _json, $need_wire), )*
                    $($( $may_wire => sorting.put(&mut $may, _json, $may_wire), )*)?
                    $($( $len_wire => $crate::json::record::put_lenient(&mut $len, _json), )*)?
                    _ => $crate::json::Taken::No,
                });
                sorting.done()?;
                $( let $need = $crate::json::record::need($need, $need_wire)?; )*
                $($( let $may = $crate::json::record::may($may, $may_wire, &mut object)?; )*)?
                Ok(Self { $( $need, )* $($( $may, )*)? $($( $len, )*)? extras: object })
            }

            fn members(&self, out: &mut $crate::json::ObjectWriter<'_>) {
                $( out.member($need_wire, |text| $crate::json::Written::write(&self.$need, text)); )*
                $($( if let Some(value) = &self.$may {
                    out.member($may_wire, |text| $crate::json::Written::write(value, text));
                } )*)?
                $($( if let Some(value) = &self.$len {
                    out.member($len_wire, |text| $crate::json::Written::write(value, text));
                } )*)?
                // A member that was set stands in front of what the peer had said under its name.
                self.extras.write_but(out, |name| match name {
                    $( $need_wire => true, )*
                    $($( $may_wire => self.$may.is_some(), )*)?
                    $($( $len_wire => self.$len.is_some(), )*)?
                    _ => false,
                });
            }
        }

        impl<'a> $name<'a> {
            /// The message with what it needs and nothing else.
            #[must_use]
            pub fn of($( $need: $need_type ),*) -> Self {
                Self { $( $need, )* $($( $may: None, )*)? $($( $len: None, )*)? extras: Default::default() }
            }
        }

        impl<'a> $crate::json::Field<'a> for $name<'a> {
            fn read(json: $crate::json::Json<'a>) -> Result<Self, $crate::json::Wrong> {
                $crate::json::Object::read(json).and_then($crate::json::Record::from_object)
            }
        }

        impl $crate::json::Written for $name<'_> {
            fn write(&self, out: &mut String) {
                $crate::json::ObjectWriter::object(out, |members| $crate::json::Record::members(self, members));
            }
        }

        impl $crate::json::IntoOwned for $name<'_> {
            type Owned = $name<'static>;

            fn into_owned(self) -> $name<'static> {
                $name {
                    $( $need: $crate::json::IntoOwned::into_owned(self.$need), )*
                    $($( $may: $crate::json::IntoOwned::into_owned(self.$may), )*)?
                    $($( $len: $crate::json::IntoOwned::into_owned(self.$len), )*)?
                    extras: $crate::json::IntoOwned::into_owned(self.extras),
                }
            }
        }
    )*};
}

/// Declares an enum whose values are words on the wire.
macro_rules! words {
    ($(
        $(#[$doc:meta])*
        $name:ident { $( $(#[$word_doc:meta])* $word:ident = $wire:literal ),* $(,)? }
    )*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $( $(#[$word_doc])* #[doc = concat!("`", $wire, "`")] $word, )*
        }

        impl $name {
            /// Every word there is.
            pub const ALL: &'static [Self] = &[$( Self::$word, )*];

            /// The word on the wire.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $( Self::$word => $wire, )* }
            }

            /// The value of a word, if it is one of ours.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $( $wire => Some(Self::$word), )* _ => None }
            }
        }

        impl<'a> $crate::json::Field<'a> for $name {
            fn read(json: $crate::json::Json<'a>) -> Result<Self, $crate::json::Wrong> {
                let text = json.as_text().ok_or_else(|| $crate::json::Wrong::not_a("text"))?;
                Self::from_word(&text.get()).ok_or_else(|| {
                    let words = Self::ALL.iter().map(|value| value.word()).collect::<Vec<_>>().join(", ");
                    $crate::json::Wrong::new("", $crate::json::Fault::NotOneOf { words })
                })
            }
        }

        impl $crate::json::Written for $name {
            fn write(&self, out: &mut String) {
                out.push('"');
                out.push_str(self.word());
                out.push('"');
            }
        }

        impl $crate::json::IntoOwned for $name {
            type Owned = Self;

            fn into_owned(self) -> Self {
                self
            }
        }
    )*};
}

/// Declares an enum of message types that one member tells apart. A type that is not known, and a known one whose
/// required members are not as expected, are kept whole as [`crate::Unknown`]: one odd message loses nothing.
macro_rules! tagged {
    ($(
        $(#[$doc:meta])*
        enum $name:ident by $tag:literal {
            $( $(#[$variant_doc:meta])* $variant:ident($record:ident) = $wire:literal ),* $(,)?
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $name<'a> {
            $( $(#[$variant_doc])* #[doc = concat!("`", $wire, "`")] $variant($record<'a>), )*
            /// anything else
            Unknown($crate::Unknown<'a>),
        }

        impl<'a> $name<'a> {
            /// The types that are known.
            pub const KINDS: &'static [&'static str] = &[$( $wire, )*];

            /// Reads what is known and keeps what is not.
            #[must_use]
            pub fn from_object(mut object: $crate::json::Object<'a>) -> Self {
                let Some(kind) = $crate::json::record::lenient::<$crate::json::Text<'a>>(&mut object, $tag) else {
                    return Self::Unknown($crate::Unknown { kind: None, members: object, wrong: None });
                };
                let read = match kind.get().as_ref() {
                    $( $wire => $crate::json::Record::from_object(object.clone()).map(Self::$variant).map_err(Some), )*
                    _ => Err(None),
                };
                read.unwrap_or_else(|wrong| {
                    Self::Unknown($crate::Unknown { kind: Some(kind), members: object, wrong })
                })
            }

            /// Reads what is known and as it should be; of anything else nothing is left. Copies nothing.
            #[must_use]
            #[inline]
            pub fn known(mut object: $crate::json::Object<'a>) -> Option<Self> {
                let kind = $crate::json::record::lenient::<$crate::json::Text<'a>>(&mut object, $tag)?;
                match kind.get().as_ref() {
                    $( $wire => $crate::json::Record::from_object(object).ok().map(Self::$variant), )*
                    _ => None,
                }
            }

            /// What it says it is.
            #[must_use]
            pub fn kind(&self) -> std::borrow::Cow<'_, str> {
                match self {
                    $( Self::$variant(_) => $wire.into(), )*
                    Self::Unknown(unknown) => unknown.kind(),
                }
            }
        }

        impl<'a> $crate::json::Record<'a> for $name<'a> {
            fn from_object(object: $crate::json::Object<'a>) -> Result<Self, $crate::json::Wrong> {
                Ok($name::from_object(object))
            }

            fn members(&self, out: &mut $crate::json::ObjectWriter<'_>) {
                match self {
                    $( Self::$variant(record) => {
                        out.member($tag, |text| $crate::json::Written::write(&$crate::json::Text::new($wire), text));
                        $crate::json::Record::members(record, out);
                    } )*
                    Self::Unknown(unknown) => unknown.write($tag, out),
                }
            }
        }

        impl<'a> $crate::json::Field<'a> for $name<'a> {
            fn read(json: $crate::json::Json<'a>) -> Result<Self, $crate::json::Wrong> {
                $crate::json::Object::read(json).map($name::from_object)
            }
        }

        impl $crate::json::Written for $name<'_> {
            fn write(&self, out: &mut String) {
                $crate::json::ObjectWriter::object(out, |members| $crate::json::Record::members(self, members));
            }
        }

        impl $crate::json::IntoOwned for $name<'_> {
            type Owned = $name<'static>;

            fn into_owned(self) -> $name<'static> {
                match self {
                    $( Self::$variant(record) => $name::$variant($crate::json::IntoOwned::into_owned(record)), )*
                    Self::Unknown(unknown) => $name::Unknown($crate::json::IntoOwned::into_owned(unknown)),
                }
            }
        }
    )*};
}

pub(crate) use {record, tagged, words};
