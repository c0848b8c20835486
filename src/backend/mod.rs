//! Back ends: what draws the command stream.
//!
//! In: `gl::command` streams through `gl::backend::GlBackend`. Out: pixels. Must not know scripts or GL rules.

pub mod null;
pub mod patience;
pub mod threaded;
#[cfg(feature = "gpu")]
pub mod wgpu;
