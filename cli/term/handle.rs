//! The screen, as all who show something on it have it.
//!
//! Owns the one place where it is borrowed: nothing that is called from here may come back here. Knows whether somebody has
//! the terminal; while nobody does, nothing that is put on the screen is ever seen. It ends with its last holder.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use tokio::sync::Notify;

use super::screen::Screen;

/// A handle on the screen.
#[derive(Clone)]
pub(crate) struct Handle(Rc<Shared>);

struct Shared {
    screen: RefCell<Screen>,
    news: Notify,
    is_owned: Cell<bool>,
}

impl Handle {
    /// Of that screen, which nobody draws yet.
    pub(crate) fn new(screen: Screen) -> Self {
        let shared = Shared { screen: RefCell::new(screen), news: Notify::new(), is_owned: Cell::new(false) };
        Self(Rc::new(shared))
    }

    /// Does something with the screen; what it changes is drawn soon.
    pub(crate) fn with<T>(&self, what: impl FnOnce(&mut Screen) -> T) -> T {
        let result = what(&mut self.0.screen.borrow_mut());
        self.0.news.notify_one();
        result
    }

    /// The same, for whoever draws it.
    pub(super) fn quietly<T>(&self, what: impl FnOnce(&mut Screen) -> T) -> T {
        what(&mut self.0.screen.borrow_mut())
    }

    /// Whether somebody draws it.
    pub(crate) fn is_owned(&self) -> bool {
        self.0.is_owned.get()
    }

    pub(super) fn set_owned(&self, is_owned: bool) {
        self.0.is_owned.set(is_owned);
    }

    /// Until somebody did something with it.
    pub(super) async fn news(&self) {
        self.0.news.notified().await;
    }
}
