//! GLSL ES 1.00 and 3.00 → checked HIR → linked program → naga IR → SPIR-V.
//!
//! In: the strings a program gives to `shaderSource`. Out: an info log in WebGL's form, or a [`LinkedProgram`]
//! with reflection tables for script and SPIR-V for the back end. Knows nothing of GL objects, V8 or wgpu.

pub mod builtins;
mod emit;
pub mod error;
pub mod hir;
pub mod link;
mod lower;
pub mod program;
mod spirv_patch;

pub use emit::EmitOptions;
pub use error::{InfoLog, ShaderError};
pub use hir::Stage;
pub use link::{LinkLimits, LinkOptions, LinkedProgram, link};
pub use program::*;
