//! Questions about types.

use crate::shader::hir::{SamplerDimension, SamplerType, Scalar, Struct, Type};

/// Scalars one variable may hold (16 MiB).
pub const MAX_COMPONENTS: u64 = 1 << 22;

pub const FLOAT: Type = Type::Scalar(Scalar::Float);
pub const INT: Type = Type::Scalar(Scalar::Int);
pub const UINT: Type = Type::Scalar(Scalar::Uint);
pub const BOOL: Type = Type::Scalar(Scalar::Bool);

/// Component type of a scalar, vector or matrix.
pub fn scalar_of(ty: &Type) -> Option<Scalar> {
    match *ty {
        Type::Scalar(scalar) | Type::Vector(scalar, _) => Some(scalar),
        Type::Matrix { .. } => Some(Scalar::Float),
        _ => None,
    }
}

/// Scalar (1) or vector (2–4) size.
pub fn vector_size(ty: &Type) -> Option<u8> {
    match *ty {
        Type::Scalar(_) => Some(1),
        Type::Vector(_, size) => Some(size),
        _ => None,
    }
}

/// Vector of `size`, or a scalar for 1.
pub fn vector(scalar: Scalar, size: u8) -> Type {
    if size == 1 { Type::Scalar(scalar) } else { Type::Vector(scalar, size) }
}

pub fn is_integer(ty: &Type) -> bool {
    matches!(scalar_of(ty), Some(Scalar::Int | Scalar::Uint))
}

/// A single `int` or `uint`.
pub fn is_integer_scalar(ty: &Type) -> bool {
    matches!(ty, Type::Scalar(Scalar::Int | Scalar::Uint))
}

/// Number of scalars a value holds; samplers count none.
pub fn components(ty: &Type, structs: &[Struct]) -> u64 {
    match ty {
        Type::Void | Type::Sampler(_) => 0,
        Type::Scalar(_) => 1,
        Type::Vector(_, size) => u64::from(*size),
        Type::Matrix { columns, rows } => u64::from(*columns) * u64::from(*rows),
        Type::Array(element, length) => components(element, structs).saturating_mul(u64::from(*length)),
        Type::Struct(id) => structs.get(id.0 as usize).map_or(0, |definition| {
            definition.fields.iter().fold(0u64, |sum, field| sum.saturating_add(components(&field.ty, structs)))
        }),
    }
}

/// Whether `test` holds for the type or anything inside it.
pub fn contains(ty: &Type, structs: &[Struct], test: &impl Fn(&Type) -> bool) -> bool {
    test(ty)
        || match ty {
            Type::Array(element, _) => contains(element, structs, test),
            Type::Struct(id) => structs
                .get(id.0 as usize)
                .is_some_and(|definition| definition.fields.iter().any(|field| contains(&field.ty, structs, test))),
            _ => false,
        }
}

pub fn contains_sampler(ty: &Type, structs: &[Struct]) -> bool {
    contains(ty, structs, &|ty| matches!(ty, Type::Sampler(_)))
}

pub fn contains_array(ty: &Type, structs: &[Struct]) -> bool {
    contains(ty, structs, &|ty| matches!(ty, Type::Array(..)))
}

pub fn contains_struct(ty: &Type) -> bool {
    match ty {
        Type::Struct(_) => true,
        Type::Array(element, _) => contains_struct(element),
        _ => false,
    }
}

pub fn contains_integer(ty: &Type, structs: &[Struct]) -> bool {
    contains(ty, structs, &is_integer)
}

pub fn contains_bool(ty: &Type, structs: &[Struct]) -> bool {
    contains(ty, structs, &|ty| scalar_of(ty) == Some(Scalar::Bool))
}

/// The type as the source spells it, for messages.
pub fn spell(ty: &Type, structs: &[Struct]) -> String {
    match ty {
        Type::Void => "void".into(),
        Type::Scalar(Scalar::Float) => "float".into(),
        Type::Scalar(Scalar::Int) => "int".into(),
        Type::Scalar(Scalar::Uint) => "uint".into(),
        Type::Scalar(Scalar::Bool) => "bool".into(),
        Type::Vector(scalar, size) => {
            let prefix = match scalar {
                Scalar::Float => "",
                Scalar::Int => "i",
                Scalar::Uint => "u",
                Scalar::Bool => "b",
            };
            format!("{prefix}vec{size}")
        }
        Type::Matrix { columns, rows } if columns == rows => format!("mat{columns}"),
        Type::Matrix { columns, rows } => format!("mat{columns}x{rows}"),
        Type::Sampler(sampler) => spell_sampler(*sampler),
        Type::Struct(id) => structs.get(id.0 as usize).map_or_else(String::new, |definition| definition.name.clone()),
        Type::Array(element, length) => format!("{}[{length}]", spell(element, structs)),
    }
}

fn spell_sampler(sampler: SamplerType) -> String {
    let prefix = match sampler.sampled {
        Scalar::Int => "i",
        Scalar::Uint => "u",
        _ => "",
    };
    let dimension = match sampler.dimension {
        SamplerDimension::D2 => "2D",
        SamplerDimension::D3 => "3D",
        SamplerDimension::Cube => "Cube",
        SamplerDimension::D2Array => "2DArray",
    };
    let shadow = if sampler.shadow { "Shadow" } else { "" };
    format!("{prefix}sampler{dimension}{shadow}")
}
