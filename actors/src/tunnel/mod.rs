//! The tunnel: our socket and its clients, and the way up to a parent.

mod connection;
mod door;
mod incoming;
mod listener;
mod outgoing;
mod parent;
mod plain;
mod relay;
mod socket_file;
#[cfg(test)]
mod tests;
pub(crate) mod translate;
mod uplink;
mod upstream;

pub(crate) use incoming::{Incoming, Pool};
pub use listener::{Bounds, Listener};
pub(crate) use outgoing::{Ended, Outgoing};
pub use parent::{Greeting, NoParent, PATIENCE, Parent, Plain};
pub use relay::{Relay, passed_on};
pub use socket_file::{NoSocket, RANDOM, SocketFile, control_sockets, shelf};
pub use uplink::{HangUp, Uplink, relay_to};
pub(crate) use upstream::{Upstream, Word};
