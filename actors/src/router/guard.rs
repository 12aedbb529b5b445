//! What an asker and a desk hold while they are with the router. Dropping it is leaving: nobody can forget to, also
//! not an actor that panics.

use actix::prelude::*;

use crate::messages::{DeskLeft, Detached};
use crate::post::post_to;

use super::{AskerId, DeskId, Router};

/// An asker's place with the router.
#[derive(Debug)]
pub struct Attached {
    asker: AskerId,
    router: Addr<Router>,
    reason: &'static str,
}

impl Attached {
    pub(super) const fn new(asker: AskerId, router: Addr<Router>) -> Self {
        Self { asker, router, reason: "gone" }
    }

    /// The asker's number.
    #[must_use]
    pub const fn id(&self) -> AskerId {
        self.asker
    }

    /// Leaves, and says why.
    pub fn leave(mut self, reason: &'static str) {
        self.reason = reason;
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        // Without a router there is nothing to leave.
        let _ = post_to(&self.router, Detached { asker: self.asker, reason: self.reason.to_owned() });
    }
}

/// A desk's place with the router.
#[derive(Debug)]
pub struct Seated {
    desk: DeskId,
    router: Addr<Router>,
    reason: &'static str,
}

impl Seated {
    pub(super) const fn new(desk: DeskId, router: Addr<Router>) -> Self {
        Self { desk, router, reason: "gone" }
    }

    /// The desk's number.
    #[must_use]
    pub const fn id(&self) -> DeskId {
        self.desk
    }

    /// Leaves, and says why.
    pub fn leave(mut self, reason: &'static str) {
        self.reason = reason;
    }
}

impl Drop for Seated {
    fn drop(&mut self) {
        // Without a router there is nothing to leave.
        let _ = post_to(&self.router, DeskLeft { desk: self.desk, reason: self.reason.to_owned() });
    }
}
