//! The WebGL front end: state, objects and validation; no V8, no wgpu.

pub mod backend;
pub mod command;
pub mod constants;
pub mod format;
