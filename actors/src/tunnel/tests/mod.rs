//! The tunnel: what its pure parts mean, and its actors over real sockets.

mod plain;
mod sockets;
mod stand;
mod upstream;
