//! Who is inside: the open connections, counted, so that there are never too many and all can be told to end.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use actix::Addr;
use tokio::sync::Notify;

use crate::post::post_to;

use super::connection::{Close, Tunnel};
use super::incoming::Pool;

/// The open connections.
#[derive(Default)]
pub(super) struct Door {
    inside: RefCell<HashMap<u64, Option<Addr<Tunnel>>>>,
    /// somebody left
    left: Notify,
    pool: Rc<Pool>,
}

/// A place inside. Dropping it is leaving.
pub(super) struct Slot {
    door: Rc<Door>,
    number: u64,
}

impl Door {
    /// How many are inside.
    pub(super) fn count(&self) -> usize {
        self.inside.borrow().len()
    }

    /// Lets one more in.
    pub(super) fn enter(self: &Rc<Self>, number: u64) -> Slot {
        self.inside.borrow_mut().insert(number, None);
        Slot { door: Rc::clone(self), number }
    }

    /// The actor of a connection that is inside.
    pub(super) fn introduce(&self, number: u64, tunnel: Addr<Tunnel>) {
        if let Some(place) = self.inside.borrow_mut().get_mut(&number) {
            *place = Some(tunnel);
        }
    }

    #[cfg(test)]
    pub(super) fn tunnels(&self) -> Vec<Addr<Tunnel>> {
        let inside = self.inside.borrow();
        let mut tunnels: Vec<_> =
            inside.iter().filter_map(|(at, tunnel)| Some((*at, tunnel.clone()?))).collect();
        tunnels.sort_by_key(|(at, _)| *at);
        tunnels.into_iter().map(|(_, tunnel)| tunnel).collect()
    }

    /// Tells everybody to end, and waits until they have.
    pub(super) async fn empty(&self) {
        for tunnel in self.inside.borrow().values().flatten() {
            // One that is gone already has left or is about to.
            let _ = post_to(tunnel, Close);
        }
        loop {
            let left = self.left.notified();
            if self.count() == 0 {
                return;
            }
            left.await;
        }
    }
}

impl Slot {
    /// What all who are inside share.
    pub(super) fn pool(&self) -> Rc<Pool> {
        Rc::clone(&self.door.pool)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.door.inside.borrow_mut().remove(&self.number);
        self.door.left.notify_waiters();
    }
}
