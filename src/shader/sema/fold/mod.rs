//! Evaluation of constant expressions (GLSL ES 3.00 §4.3.3): values as flat lists of scalars.
//!
//! Arithmetic is IEEE single precision and 32-bit wrapping integers, the same on every machine (`libm`).

mod builtins;
mod construct;
mod math;
mod operators;

pub use self::builtins::builtin;
pub use self::construct::construct;
pub use self::operators::{binary, unary};

use crate::shader::hir::{Constant, Scalar};

/// The scalar as a float (GLSL ES 3.00 §5.4.1).
pub fn to_float(value: Constant) -> f32 {
    match value {
        Constant::Float(value) => value,
        Constant::Int(value) => value as f32,
        Constant::Uint(value) => value as f32,
        Constant::Bool(value) => f32::from(u8::from(value)),
    }
}

/// Conversion by constructor; floats out of range saturate.
pub fn convert(value: Constant, to: Scalar) -> Constant {
    match (to, value) {
        (Scalar::Float, _) => Constant::Float(to_float(value)),
        (Scalar::Int, Constant::Float(value)) => Constant::Int(value as i32),
        (Scalar::Int, Constant::Int(value)) => Constant::Int(value),
        (Scalar::Int, Constant::Uint(value)) => Constant::Int(value as i32),
        (Scalar::Int, Constant::Bool(value)) => Constant::Int(i32::from(value)),
        // A negative float to uint is undefined; going through int is what hardware does.
        (Scalar::Uint, Constant::Float(value)) if value < 0.0 => Constant::Uint(value as i32 as u32),
        (Scalar::Uint, Constant::Float(value)) => Constant::Uint(value as u32),
        (Scalar::Uint, Constant::Int(value)) => Constant::Uint(value as u32),
        (Scalar::Uint, Constant::Uint(value)) => Constant::Uint(value),
        (Scalar::Uint, Constant::Bool(value)) => Constant::Uint(u32::from(value)),
        (Scalar::Bool, Constant::Float(value)) => Constant::Bool(value != 0.0),
        (Scalar::Bool, Constant::Int(value)) => Constant::Bool(value != 0),
        (Scalar::Bool, Constant::Uint(value)) => Constant::Bool(value != 0),
        (Scalar::Bool, Constant::Bool(value)) => Constant::Bool(value),
    }
}
