//! What an asker and a desk hold while they are with the router. Dropping it is leaving: nobody can forget to, also
//! not an actor that panics.

use actix::prelude::*;

use crate::messages::{DeskLeft, Detached};
use crate::post::{Gone, post_to};

use super::{AskerId, DeskId, Router};

/// An asker's place with the router.
pub type Attached = Place<AskerId>;

/// A desk's place with the router.
pub type Seated = Place<DeskId>;

/// A place with the router.
#[derive(Debug)]
pub struct Place<Id: Leaves> {
    id: Id,
    router: Addr<Router>,
    reason: String,
}

impl<Id: Leaves> Place<Id> {
    pub(super) fn new(id: Id, router: Addr<Router>) -> Self {
        Self { id, router, reason: "gone".to_owned() }
    }

    /// Whose it is.
    #[must_use]
    pub const fn id(&self) -> Id {
        self.id
    }

    /// Leaves, and says why.
    pub fn leave(mut self, reason: &str) {
        reason.clone_into(&mut self.reason);
    }
}

impl<Id: Leaves> Drop for Place<Id> {
    fn drop(&mut self) {
        self.id.leaves(&self.router, std::mem::take(&mut self.reason));
    }
}

/// Somebody who can leave the router.
pub trait Leaves: Copy {
    /// Tells the router. Without one there is nothing to leave.
    fn leaves(self, router: &Addr<Router>, reason: String);
}

impl Leaves for AskerId {
    fn leaves(self, router: &Addr<Router>, reason: String) {
        let (Ok(()) | Err(Gone)) = post_to(router, Detached { asker: self, reason });
    }
}

impl Leaves for DeskId {
    fn leaves(self, router: &Addr<Router>, reason: String) {
        let (Ok(()) | Err(Gone)) = post_to(router, DeskLeft { desk: self, reason });
    }
}
