//! Sending from one actor to another without waiting.
//!
//! The one place that does. The mailbox must be bounded by what its senders can send at all: a question's actor sends
//! each desk an offer and a withdrawal, the router answers what was asked. What askers report is not: whoever takes the
//! router's output must take it as fast as it comes, or drop and count. An actor that dies later takes its mail with it;
//! that it died is noticed by what it held (`Attached`, `Seated`, the question's actor itself).

use actix::prelude::*;

/// The actor is gone: nothing was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gone;

/// Puts a message into a mailbox.
pub(crate) fn post<M>(to: &Recipient<M>, message: M) -> Result<(), Gone>
where
    M: Message + Send,
    M::Result: Send,
{
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place: bounded by its callers, and loss is noticed"
    )]
    to.connected().then(|| to.do_send(message)).ok_or(Gone)
}

/// Puts a message into the mailbox of an actor whose type is known: cheaper.
pub(crate) fn post_to<A, M>(to: &Addr<A>, message: M) -> Result<(), Gone>
where
    A: Actor<Context = Context<A>> + Handler<M>,
    M: Message + Send + 'static,
    M::Result: Send,
{
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place: bounded by its callers, and loss is noticed"
    )]
    to.connected().then(|| to.do_send(message)).ok_or(Gone)
}
