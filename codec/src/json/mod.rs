//! JSON as it stands on the wire: values keep their exact text until somebody needs what they mean.
//!
//! Owns the two steps by which every line is read: split an object into its members once, then pick the
//! members that a message type names. What nobody picks stays as `extras`, so that unknown fields survive.
//! Never fails on a lone surrogate or a number out of range: such values are carried and shown, not computed
//! with. Nothing here knows a message type.

mod envelope;
mod field;
mod object;
pub(crate) mod record;
mod same;
mod scan;
pub(crate) mod unescape;
mod value;
mod walk;
mod wrong;

pub(crate) use envelope::{Envelope, Names, Tagged};
pub use field::{Field, IntoOwned, Item, NotNull, Nullable, Written, line};
pub(crate) use object::Taken;
pub use object::{NotAnObject, Object, ObjectWriter};
pub use record::Record;
pub(crate) use record::{line_of, object_of, record, required, tagged, words};
pub(crate) use value::escape_into;
pub use value::{Json, Kind, Num, Text};
pub use wrong::{Fault, Wrong};
