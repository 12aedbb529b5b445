//! The terminal as a screen: keys in, rows out.
//!
//! Owns the pure half of it: what bytes mean ([`keys`]), how rows look ([`style`], [`wrap`], [`measure`], [`diff`]), the line
//! that is typed ([`editor`]), questions and their answers ([`question`]), when to call a person who looks elsewhere
//! ([`attention`]), which bytes turn one frame into the next ([`painter`]), and all of it together ([`screen`]). None of
//! that touches a terminal, a clock or the environment. The other half has the terminal: [`device`] and its [`owner`].

pub(crate) mod attention;
pub(crate) mod device;
pub(crate) mod diff;
pub(crate) mod editor;
pub(crate) mod handle;
pub(crate) mod keys;
pub(crate) mod measure;
pub(crate) mod owner;
pub(crate) mod painter;
pub(crate) mod question;
pub(crate) mod screen;
pub(crate) mod style;
#[cfg(test)]
mod tests;
pub(crate) mod wrap;
