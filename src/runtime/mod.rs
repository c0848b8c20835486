//! The page: V8, modules, DOM, virtual time. Takes a [`Project`](crate::project::Project), gives out frames
//! in order through the surfaces of its canvases. Knows `gl` contexts and the `GlBackend` trait; no wgpu.

pub mod extension;
pub mod ops;
mod options;
mod report;
pub mod surface;
pub mod unsupported;

pub use options::{Drive, RuntimeOptions};
pub use report::{ConsoleLine, FileRead, FrameOutcome, Level, Report, UnsupportedUse};

#[cfg(test)]
mod tests;
