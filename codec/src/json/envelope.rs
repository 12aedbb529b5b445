//! A line and the message inside it, split in one pass, with the word that tells their types set apart.
//!
//! This is the road of nearly every line of the tunnel. It does nothing that [`Object`] could not do in several steps;
//! it exists because those steps cost a third more.

use super::object::{Key, MOST_MEMBERS};
use super::scan::{DEEPEST, Scan};
use super::{Fault, Field as _, Json, NotAnObject, Object, Text, Wrong};

/// An object whose member `type` is set apart.
pub(crate) struct Tagged<'a> {
    tag: Option<Json<'a>>,
    members: Object<'a>,
}

/// An object, and the object that it holds under one name.
pub(crate) struct Envelope<'a> {
    outer: Tagged<'a>,
    inner: Option<Inner<'a>>,
}

struct Inner<'a> {
    key: Key<'a>,
    raw: &'a str,
    /// how many members stood in front of it
    at: usize,
    message: Tagged<'a>,
}

/// Under which names a line holds other lines.
#[derive(Clone, Copy)]
pub(crate) struct Names<'n> {
    /// the message of an envelope
    pub(crate) message: &'n str,
    /// a line that was passed on: it may nest as deep as it did when it was taken
    pub(crate) relayed: &'n str,
}

const TAG: &str = "type";

/// What is taken must still be taken when it has been relayed, inside another object: levels and members are counted
/// so that there is room for it.
const ROOM: u32 = 3;

impl<'a> Envelope<'a> {
    /// Splits one object, and in the same pass the first object that it holds as its message.
    pub(crate) fn parse(text: &'a str, names: Names<'_>) -> Result<Self, NotAnObject> {
        let mut scan = Scan::new(text);
        let mut inner = None;
        let outer = Tagged::scan(&mut scan, names.relayed, 0, |scan, key, at| {
            if inner.is_some() || !key.is(names.message) || scan.peek() != Some(b'{') {
                return Some(false);
            }
            let start = scan.place();
            let message = Tagged::scan(scan, names.relayed, 6, |_, _, _| Some(false))?;
            inner = Some(Inner { key: key.clone(), raw: scan.since(start)?, at, message });
            Some(true)
        });
        let outer = outer.filter(|_| scan.end().is_some()).ok_or_else(|| NotAnObject::explain(text))?;
        Ok(Self { outer, inner })
    }

    /// The outer type, and the members beside it and beside the inner object.
    pub(crate) fn open(self) -> Result<(Text<'a>, Opened<'a>), Wrong> {
        let (kind, members) = self.outer.open()?;
        Ok((kind, Opened { members, inner: self.inner }))
    }
}

/// An envelope whose type is known.
pub(crate) struct Opened<'a> {
    members: Object<'a>,
    inner: Option<Inner<'a>>,
}

impl<'a> Opened<'a> {
    /// All members, for a type that holds no message.
    pub(crate) fn flat(self) -> Object<'a> {
        let Opened { mut members, inner } = self;
        if let Some(Inner { key, raw, at, .. }) = inner {
            members.put_back(at, key, raw);
        }
        members
    }

    /// The message inside, and the members beside it.
    pub(crate) fn message(self, name: &str) -> Result<(Tagged<'a>, Object<'a>), Wrong> {
        let Opened { mut members, inner } = self;
        match (inner, members.take(name)?) {
            (Some(inner), None) => Ok((inner.message, members)),
            (Some(_), Some(_)) => Err(Wrong::new(name, Fault::Duplicate)),
            (None, Some(_)) => Err(Wrong::not_a("an object").within(name)),
            (None, None) => Err(Wrong::new(name, Fault::Missing)),
        }
    }
}

impl<'a> Tagged<'a> {
    /// `special` may take a member for itself, and says so. An envelope mostly holds nothing else, so no room
    /// is made for it; a message does.
    #[inline]
    fn scan(
        scan: &mut Scan<'a>,
        relayed: &str,
        room: usize,
        mut special: impl FnMut(&mut Scan<'a>, &Key<'a>, usize) -> Option<bool>,
    ) -> Option<Self> {
        let (mut tag, mut members) = (None, Object::with_room_for(room));
        scan.members(|scan, name| {
            let key = Key::from(name);
            if tag.is_none() && key.is(TAG) {
                tag = Some(Json::well_formed(scan.value()?));
                return Some(());
            }
            if special(scan, &key, members.len())? {
                return Some(());
            }
            let levels = if key.is(relayed) { DEEPEST } else { DEEPEST - ROOM };
            let value = scan.value_to(levels)?;
            members.add(key, value, MOST_MEMBERS - ROOM as usize)
        })?;
        Some(Self { tag, members })
    }

    /// The type, and the other members.
    pub(crate) fn open(self) -> Result<(Text<'a>, Object<'a>), Wrong> {
        let json = self.tag.ok_or_else(|| Wrong::new(TAG, Fault::Missing))?;
        if self.members.has(TAG) {
            return Err(Wrong::new(TAG, Fault::Duplicate));
        }
        Ok((Text::read(json).map_err(|wrong| wrong.within(TAG))?, self.members))
    }
}
