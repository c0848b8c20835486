//! GPU images behind GL objects: creation, initial contents, uploads; and the drawing buffer.
//!
//! GL lets a texture's levels be redefined one by one; images of the command stream never change shape. This module
//! makes, fills and drops images; `objects/texture.rs` decides when. In: format rows and sizes. Out: commands.
//! Must not know: object names, bindings, validation.

pub mod drawing_buffer;
pub mod sink;
pub mod targets;
pub mod waiting;

pub use drawing_buffer::DrawingBuffer;
pub use sink::{ImageSink, ImageStore};
pub use targets::SentTargets;

#[cfg(test)]
mod tests;
