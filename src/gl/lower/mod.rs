//! Lowering: vertex and index data in forms wgpu cannot read, rewritten on the CPU.
//!
//! Pure functions over bytes; `draw/` decides when they run and keeps their results.

pub mod index;
pub mod vertex;
