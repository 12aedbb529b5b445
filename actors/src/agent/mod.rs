//! Agents: how what they ask is understood, and what they are told.

pub(crate) mod translate;
