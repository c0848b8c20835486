//! Types across two shaders: equality by name and structure, GL's view of them, and their leaves.

use crate::shader::hir::{Precision, Scalar, Shader, StructId, Type};
use crate::shader::program::VariableType;

/// GL type of a leaf (no struct, no array).
pub fn variable_type(ty: &Type) -> Option<VariableType> {
    Some(match *ty {
        Type::Scalar(scalar) => VariableType::Scalar(scalar),
        Type::Vector(scalar, size) => VariableType::Vector(scalar, size),
        Type::Matrix { columns, rows } => VariableType::Matrix { columns, rows },
        Type::Sampler(sampler) => VariableType::Sampler(sampler),
        Type::Void | Type::Struct(_) | Type::Array(..) => return None,
    })
}

/// Element type and length; a plain type has length `None`.
pub fn split_array(ty: &Type) -> (&Type, Option<u32>) {
    match ty {
        Type::Array(element, len) => (element, Some(*len)),
        other => (other, None),
    }
}

pub fn fields(shader: &Shader, id: StructId) -> &[crate::shader::hir::Field] {
    shader.structs.get(id.0 as usize).map_or(&[], |s| s.fields.as_slice())
}

/// Whether a sampler hides anywhere in the type.
pub fn contains_sampler(shader: &Shader, ty: &Type) -> bool {
    match ty {
        Type::Sampler(_) => true,
        Type::Struct(id) => fields(shader, *id).iter().any(|field| contains_sampler(shader, &field.ty)),
        Type::Array(element, _) => contains_sampler(shader, element),
        _ => false,
    }
}

/// Whether anything but samplers is in the type (something that lives in memory).
pub fn contains_data(shader: &Shader, ty: &Type) -> bool {
    match ty {
        Type::Sampler(_) | Type::Void => false,
        Type::Struct(id) => fields(shader, *id).iter().any(|field| contains_data(shader, &field.ty)),
        Type::Array(element, _) => contains_data(shader, element),
        _ => true,
    }
}

/// Number of samplers in the type, arrays expanded.
pub fn sampler_count(shader: &Shader, ty: &Type) -> u32 {
    match ty {
        Type::Sampler(_) => 1,
        Type::Struct(id) => {
            fields(shader, *id).iter().map(|field| sampler_count(shader, &field.ty)).fold(0, u32::saturating_add)
        }
        Type::Array(element, len) => sampler_count(shader, element).saturating_mul(*len),
        _ => 0,
    }
}

/// The samplers of a type in the order of their slots (depth first), arrays expanded.
pub fn samplers(shader: &Shader, ty: &Type, out: &mut Vec<crate::shader::hir::SamplerType>) {
    match ty {
        Type::Sampler(sampler) => out.push(*sampler),
        Type::Struct(id) => {
            for field in fields(shader, *id) {
                samplers(shader, &field.ty, out);
            }
        }
        Type::Array(element, len) if contains_sampler(shader, element) => {
            for _ in 0..*len {
                samplers(shader, element, out);
            }
        }
        _ => {}
    }
}

/// Why two declarations of one name do not match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    Type,
    ArraySize,
    Precision,
    StructName,
    /// Number or names of the fields.
    Fields,
    MatrixPacking,
}

impl Mismatch {
    /// As ANGLE says it: "Types of uniform 'x' differ …".
    pub fn subject(self) -> &'static str {
        match self {
            Mismatch::Type => "Types",
            Mismatch::ArraySize => "Array sizes",
            Mismatch::Precision => "Precisions",
            Mismatch::StructName => "Structure names",
            Mismatch::Fields => "Structure fields",
            Mismatch::MatrixPacking => "Matrix packings",
        }
    }
}

/// What a comparison of two declarations takes into account.
#[derive(Clone, Copy, Debug)]
pub struct Strictness {
    pub precision: bool,
    pub packing: bool,
}

/// Compares a type of one shader with one of another (GLSL ES 3.00 §4.1.8: structs match by name and members).
pub fn compare((a, ta): (&Shader, &Type), (b, tb): (&Shader, &Type), strict: Strictness) -> Result<(), Mismatch> {
    match (ta, tb) {
        (Type::Array(ea, na), Type::Array(eb, nb)) => {
            if na != nb {
                return Err(Mismatch::ArraySize);
            }
            compare((a, ea), (b, eb), strict)
        }
        (Type::Struct(ia), Type::Struct(ib)) => {
            let (Some(sa), Some(sb)) = (a.structs.get(ia.0 as usize), b.structs.get(ib.0 as usize)) else {
                return Err(Mismatch::Type);
            };
            if sa.name != sb.name {
                return Err(Mismatch::StructName);
            }
            compare_fields((a, &sa.fields), (b, &sb.fields), strict)
        }
        (Type::Array(..), _) | (_, Type::Array(..)) | (Type::Struct(_), _) | (_, Type::Struct(_)) => {
            Err(Mismatch::Type)
        }
        _ if ta == tb => Ok(()),
        _ => Err(Mismatch::Type),
    }
}

/// Compares members of structs or blocks: number, names, types, and what `strict` says.
pub fn compare_fields(
    (a, fa): (&Shader, &[crate::shader::hir::Field]),
    (b, fb): (&Shader, &[crate::shader::hir::Field]),
    strict: Strictness,
) -> Result<(), Mismatch> {
    if fa.len() != fb.len() {
        return Err(Mismatch::Fields);
    }
    for (x, y) in fa.iter().zip(fb) {
        if x.name != y.name {
            return Err(Mismatch::Fields);
        }
        compare((a, &x.ty), (b, &y.ty), strict)?;
        if strict.packing && x.row_major != y.row_major {
            return Err(Mismatch::MatrixPacking);
        }
        if strict.precision && precision_differs(x.precision, y.precision) {
            return Err(Mismatch::Precision);
        }
    }
    Ok(())
}

/// Unknown precision (structs, bools) matches everything.
pub fn precision_differs(a: Option<Precision>, b: Option<Precision>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a != b)
}

/// One scalar, vector or matrix inside a variable, with GL's name for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// `lights[1].color`; the array of a leaf is not expanded (`size`).
    pub name: String,
    pub ty: VariableType,
    pub size: u32,
    pub is_array: bool,
    /// Field index or array element, from the variable down to the (unexpanded) leaf.
    pub path: Vec<u32>,
    pub precision: Option<Precision>,
}

/// The leaves GL enumerates for a variable: struct members apart, arrays of structs expanded.
pub fn leaves(shader: &Shader, name: &str, ty: &Type, precision: Option<Precision>) -> Vec<Leaf> {
    let mut out = Vec::new();
    walk(shader, name.to_owned(), ty, precision, &mut Vec::new(), &mut out);
    out
}

fn walk(
    shader: &Shader,
    name: String,
    ty: &Type,
    precision: Option<Precision>,
    path: &mut Vec<u32>,
    out: &mut Vec<Leaf>,
) {
    let (element, len) = split_array(ty);
    match element {
        Type::Struct(id) => {
            for index in 0..len.unwrap_or(1) {
                let base = match len {
                    Some(_) => {
                        path.push(index);
                        format!("{name}[{index}]")
                    }
                    None => name.clone(),
                };
                for (position, field) in fields(shader, *id).iter().enumerate() {
                    path.push(position as u32);
                    walk(shader, format!("{base}.{}", field.name), &field.ty, field.precision, path, out);
                    path.pop();
                }
                if len.is_some() {
                    path.pop();
                }
            }
        }
        // Arrays of arrays do not exist in GLSL ES 1.00 and 3.00.
        Type::Array(..) | Type::Void => {}
        leaf => {
            if let Some(ty) = variable_type(leaf) {
                out.push(Leaf {
                    name,
                    ty,
                    size: len.unwrap_or(1),
                    is_array: len.is_some(),
                    path: path.clone(),
                    precision,
                });
            }
        }
    }
}

/// Registers a leaf needs (vec4 rows), and components per register.
pub fn register_shape(ty: VariableType) -> (u32, u32) {
    match ty {
        VariableType::Scalar(_) => (1, 1),
        VariableType::Vector(_, size) => (1, u32::from(size)),
        VariableType::Matrix { columns, rows } => (u32::from(columns), u32::from(rows)),
        VariableType::Sampler(_) => (0, 0),
    }
}

pub fn scalar_of(ty: VariableType) -> Scalar {
    match ty {
        VariableType::Scalar(scalar) | VariableType::Vector(scalar, _) => scalar,
        VariableType::Matrix { .. } => Scalar::Float,
        VariableType::Sampler(_) => Scalar::Int,
    }
}
