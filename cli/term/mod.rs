//! The terminal as a screen: keys in, rows out.
//!
//! Owns the pure half of it: what bytes mean ([`keys`]), how rows look ([`style`], [`wrap`], [`measure`]), the line that is
//! typed ([`editor`]), questions and their answers ([`question`]) and which bytes turn one frame into the next ([`painter`]). Touches no terminal, no clock and no
//! environment: whoever owns the terminal reads, writes and tells the time.

pub(crate) mod editor;
pub(crate) mod keys;
pub(crate) mod measure;
pub(crate) mod painter;
pub(crate) mod question;
pub(crate) mod style;
#[cfg(test)]
mod tests;
pub(crate) mod wrap;
