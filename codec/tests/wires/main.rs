//! Conformance of the wires, over the fixtures and beyond them.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop")]
#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]

mod claude;
mod events;
mod hostile;
mod journal;
mod limits;
mod readings;
mod relay;
mod roundtrip;
mod support;
mod tunnel;
