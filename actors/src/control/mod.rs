//! The control socket: by it a person looks at a run, answers its questions and steers its agents from another shell.
//!
//! It is another socket than that of those who ask, and its path is told to nobody: it is found by its place. Only
//! processes of the same user come in that no agent started ([`ancestry`]). An answer goes the way of every answer: the
//! control is a desk, though one that does not count as somebody who is there unless the user says so.

mod ancestry;
mod desk;
pub mod names;
mod requests;
mod socket;
mod status;

pub use socket::Control;
pub use status::Identity;
