//! The connection between tim and a guard: a pair of sockets, of which the guard gets one as its stdin.
//!
//! The agent's own stdin travels over it. Descriptors are never handed on by number: that would take unsafe code to close
//! them before the agent inherits them.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};

use super::wire::START;

/// tim's end and the guard's, with the agent's stdin on its way.
pub(crate) fn pair(stdin: &OwnedFd) -> io::Result<(UnixStream, UnixStream)> {
    let (ours, guards) = UnixStream::pair()?;
    let stdin = [stdin.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut carried = SendAncillaryBuffer::new(&mut space);
    if !carried.push(SendAncillaryMessage::ScmRights(&stdin)) {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    sendmsg(&ours, &[IoSlice::new(&[START])], &mut carried, SendFlags::empty())?;
    ours.set_nonblocking(true)?;
    Ok((ours, guards))
}

/// The guard's end, out of its stdin, and the stdin of the agent. None if tim has ended by now.
pub(crate) fn receive() -> io::Result<(UnixStream, OwnedFd)> {
    let connection = io::stdin().as_fd().try_clone_to_owned()?;
    let mut byte = [0];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut carried = RecvAncillaryBuffer::new(&mut space);
    recvmsg(&connection, &mut [IoSliceMut::new(&mut byte)], &mut carried, RecvFlags::CMSG_CLOEXEC)?;
    let stdin = carried.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    });
    let stdin = stdin.filter(|_| byte == [START]).ok_or(io::ErrorKind::UnexpectedEof)?;
    let connection = UnixStream::from(connection);
    connection.set_nonblocking(true)?;
    Ok((connection, stdin))
}

/// Says something short, at once: a runtime would not let it through before it has looked at the connection. If nobody is
/// there to hear it, or has read nothing of many thousand such words, it is not missed.
pub(crate) fn say(connection: impl AsFd, what: &[u8]) {
    let _ = rustix::io::write(connection, what);
}
