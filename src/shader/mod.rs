//! GLSL ES 1.00 and 3.00 → checked HIR → linked program → naga IR → SPIR-V.
//!
//! In: the strings a program gives to `shaderSource`. Out: an info log in WebGL's form, or a [`LinkedProgram`]
//! with reflection tables for script and SPIR-V for the back end. Knows nothing of GL objects, V8 or wgpu.

mod ast;
pub mod builtins;
pub mod camera;
pub mod compile;
mod emit;
pub mod error;
pub mod hir;
mod lex;
pub mod link;
mod lower;
mod names;
mod parse;
mod position;
mod preprocess;
pub mod program;
mod sema;
mod spirv_patch;
#[cfg(test)]
mod tests;
mod token;

pub use camera::{CameraUniforms, UniformHome, UniformPlace};
pub use compile::{CompileOptions, ExtensionSet, ShaderLimits, compile};
pub use emit::EmitOptions;
pub use error::{Diagnostic, InfoLog, ShaderError};
pub use hir::Stage;
pub use link::{LinkLimits, LinkOptions, LinkedProgram, link};
pub use program::*;
