//! What must always hold, each by name, and each shown to fail when the bug that it forbids is planted; and the bugs
//! that others had.
//!
//! The invariants have the numbers of ARCHITECTURE.md. Those that need a screen or a socket (9, 10) are
//! tested where those are.

mod bridges;
mod bugs;
mod control;
mod grants;
mod named;
mod nesting;
mod records;
mod rules;
mod scene;
mod steered;
