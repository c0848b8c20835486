//! Validation: pure functions from state and raw arguments to typed values. After them no raw GLenum remains.

pub mod blit;
pub mod buffer;
pub mod draw;
pub mod framebuffer;
pub mod program;
pub mod state;
pub mod texture;
pub mod uniform;
pub mod vertex_array;
