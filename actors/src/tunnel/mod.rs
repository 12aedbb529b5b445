//! The tunnel: how a client of the socket is understood.

pub(crate) mod translate;
