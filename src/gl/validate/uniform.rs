//! Validation of `uniform*` (ES 3.0 §2.12.6).

use crate::gl::error::{GlError, GlResult};
use crate::gl::objects::program::LocationSlot;
use crate::shader::VariableType;
use crate::shader::hir::Scalar;

/// Component type of a `uniform*` call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    Float,
    Int,
    Uint,
}

/// How the values go in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Plain,
    Bool,
    Sampler,
}

#[inline]
fn count(slot: &LocationSlot, components: usize, len: usize) -> GlResult<()> {
    if len == 0 || !len.is_multiple_of(components) {
        return Err(GlError::invalid_value("the length is not a multiple of the uniform's size"));
    }
    if len > components && !slot.is_array {
        return Err(GlError::invalid_operation("several values for a uniform that is not an array"));
    }
    Ok(())
}

#[inline]
pub fn vector(slot: &LocationSlot, kind: ValueKind, components: usize, len: usize) -> GlResult<Target> {
    let (scalar, size) = match slot.ty {
        VariableType::Scalar(scalar) => (scalar, 1),
        VariableType::Vector(scalar, n) => (scalar, usize::from(n)),
        VariableType::Sampler(_) if kind == ValueKind::Int && components == 1 => {
            count(slot, 1, len)?;
            return Ok(Target::Sampler);
        }
        _ => return Err(mismatch()),
    };
    let target = match (scalar, kind) {
        (Scalar::Float, ValueKind::Float) | (Scalar::Int, ValueKind::Int) | (Scalar::Uint, ValueKind::Uint) => {
            Target::Plain
        }
        (Scalar::Bool, _) => Target::Bool,
        _ => return Err(mismatch()),
    };
    if size != components {
        return Err(mismatch());
    }
    count(slot, components, len)?;
    Ok(target)
}

pub fn matrix(slot: &LocationSlot, columns: u8, rows: u8, transpose: bool, webgl2: bool, len: usize) -> GlResult<()> {
    if transpose && !webgl2 {
        return Err(GlError::invalid_value("transpose must be false in WebGL 1"));
    }
    if slot.ty != (VariableType::Matrix { columns, rows }) {
        return Err(mismatch());
    }
    count(slot, usize::from(columns) * usize::from(rows), len)
}

#[cold]
fn mismatch() -> GlError {
    GlError::invalid_operation("the call does not fit the type of the uniform")
}
