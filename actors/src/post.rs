//! Sending from one actor to another without waiting.

use actix::dev::ToEnvelope;
use actix::prelude::*;

/// The actor is gone: nothing was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone;

/// Puts a message into a mailbox. The mailbox must be bounded by what its senders can send at all: a question's actor
/// sends each desk an offer and a withdrawal, the router answers what was asked. An actor that dies later takes its
/// mail with it; that it died is noticed by what it held (`Attached`, `Seated`, the question's actor itself).
pub fn post<M>(to: &Recipient<M>, message: M) -> Result<(), Gone>
where
    M: Message + Send,
    M::Result: Send,
{
    if !to.connected() {
        return Err(Gone);
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place: bounded by its callers, and loss is noticed"
    )]
    to.do_send(message);
    Ok(())
}

/// The same, to an actor whose type is known: cheaper.
pub fn post_to<A, M>(to: &Addr<A>, message: M) -> Result<(), Gone>
where
    A: Actor<Context = Context<A>> + Handler<M>,
    A::Context: ToEnvelope<A, M>,
    M: Message + Send + 'static,
    M::Result: Send,
{
    if !to.connected() {
        return Err(Gone);
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place: bounded by its callers, and loss is noticed"
    )]
    to.do_send(message);
    Ok(())
}
