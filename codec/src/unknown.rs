//! What this version does not understand, kept whole.

use crate::json::{IntoOwned, Object, ObjectWriter, Text, Wrong};

/// A message of a type that this version does not know, or of a known type in a shape that it does not know.
#[derive(Clone, PartialEq)]
pub struct Unknown<'a> {
    /// what it says it is, if it does
    pub kind: Option<Text<'a>>,
    /// everything else that it held
    pub members: Object<'a>,
    /// what is the matter with it, if its type is a known one
    pub wrong: Option<Wrong>,
}

impl Unknown<'_> {
    /// What it says it is; nothing if it does not.
    #[must_use]
    pub fn kind(&self) -> std::borrow::Cow<'_, str> {
        self.kind.as_ref().map(Text::get).unwrap_or_default()
    }

    pub(crate) fn write(&self, tag: &str, out: &mut ObjectWriter<'_>) {
        if let Some(kind) = &self.kind {
            out.raw_member(Text::new(tag).raw(), kind.raw());
        }
        self.members.write(out);
    }
}

impl IntoOwned for Unknown<'_> {
    type Owned = Unknown<'static>;

    fn into_owned(self) -> Unknown<'static> {
        let Unknown { kind, members, wrong } = self;
        Unknown { kind: kind.into_owned(), members: members.into_owned(), wrong }
    }
}

impl std::fmt::Debug for Unknown<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:?} {:?}", self.kind(), self.members)?;
        match &self.wrong {
            Some(wrong) => write!(out, " ({wrong})"),
            None => Ok(()),
        }
    }
}
