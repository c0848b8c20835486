//! Validation: pure functions from state and raw arguments to typed values. After them no raw GLenum remains.
pub mod framebuffer;
pub mod texture;
