//! Every line that tim reads or writes.
//!
//! Owns framing, the message types of each wire, and the one function that makes foreign text safe to show.
//! Bytes in, values out, and back: no socket, no clock, no environment, no actor, no log.

pub mod claude;
pub mod control;
pub mod events;
pub mod frame;
pub mod id;
pub mod journal;
pub mod json;
pub mod limits;
mod outcome;
pub mod recording;
mod reject;
mod skim;
pub mod text;
pub mod tunnel;
mod unknown;

pub use outcome::{Outcome, told};
pub use reject::{Asked, Awaits, Reason, Reject};
pub use unknown::Unknown;
