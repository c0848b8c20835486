//! The WebGL front end: state, objects, validation and lowering; no V8, no wgpu.
//!
//! Owns: what a `WebGL2RenderingContext` (or WebGL1) remembers. In: entry points in GL's own words
//! (`Context::draw_elements(mode, count, type, offset)`). Out: a stream of validated [`command::Command`]s to a
//! [`backend::GlBackend`]. Must not know: scripts, V8, wgpu, SPIR-V.
//!
//! Every entry point is the same five steps: validate (pure function in `validate/`), latch the error and return,
//! no-op test, change state and set dirty bits, push a command. Draw state reaches the stream only at a draw.

pub mod backend;
pub mod caps;
pub mod command;
pub mod compiler;
pub mod constants;
pub mod context;
pub mod convert;
mod draw;
pub mod entry;
pub mod enums;
pub mod error;
pub mod format;
pub mod formats;
pub mod images;
mod lower;
pub mod objects;
pub mod observe;
pub mod state;
pub mod trace;
pub mod validate;

pub use context::{Context, ContextSettings, WebGlVersion};
pub use enums::ParameterValue;
pub use error::{ErrorCode, GlError};

#[cfg(test)]
mod tests;
