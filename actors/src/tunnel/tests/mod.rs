//! The tunnel: what its pure parts mean, and its actors over real sockets.

mod outgoing;
mod plain;
mod sockets;
mod stand;
mod upstream;
