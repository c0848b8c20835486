//! Ops: convert arguments, borrow the state, one call, return. One file per interface group.

pub mod console;
pub mod image;
