//! The std140 layout (OpenGL ES 3.0 §2.12.6.4), used for uniform blocks and for our own default blocks.
//!
//! Samplers take no room: a struct's samplers are skipped, so one struct has one layout everywhere.

use super::types::{contains_data, fields};
use crate::shader::hir::{Field, Shader, Type};

/// Size and base alignment in bytes. `size` of arrays and structs includes the padding at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub size: u32,
    pub align: u32,
}

fn round_up(value: u32, align: u32) -> u32 {
    value.saturating_add(align - 1) / align * align
}

/// Layout of one member. `row_major` reaches down into structs.
pub fn layout(shader: &Shader, ty: &Type, row_major: bool) -> Layout {
    match ty {
        Type::Scalar(_) => Layout { size: 4, align: 4 },
        Type::Vector(_, 2) => Layout { size: 8, align: 8 },
        Type::Vector(_, size) => Layout { size: u32::from(*size) * 4, align: 16 },
        Type::Matrix { columns, rows } => {
            let vectors = u32::from(if row_major { *rows } else { *columns });
            Layout { size: vectors * 16, align: 16 }
        }
        Type::Array(_, len) => {
            let stride = array_stride(shader, ty, row_major);
            Layout { size: stride.saturating_mul(*len), align: 16 }
        }
        Type::Struct(id) => {
            let (offsets, size) = struct_layout(shader, fields(shader, *id), row_major);
            debug_assert_eq!(offsets.len(), fields(shader, *id).len());
            Layout { size, align: 16 }
        }
        Type::Sampler(_) | Type::Void => Layout { size: 0, align: 1 },
    }
}

/// Bytes between the elements of an array type; 0 if it is none.
pub fn array_stride(shader: &Shader, ty: &Type, row_major: bool) -> u32 {
    match ty {
        Type::Array(element, _) => round_up(layout(shader, element, row_major).size, 16),
        _ => 0,
    }
}

/// Bytes between the columns (or rows) of a matrix, or of an array of them; 0 for other types.
pub fn matrix_stride(ty: &Type) -> u32 {
    match ty {
        Type::Matrix { .. } => 16,
        Type::Array(element, _) => matrix_stride(element),
        _ => 0,
    }
}

/// Offsets of the members of a struct or block, and its size rounded up to 16.
pub fn struct_layout(shader: &Shader, members: &[Field], row_major: bool) -> (Vec<u32>, u32) {
    let mut offsets = Vec::with_capacity(members.len());
    let mut end = 0;
    for field in members {
        if !contains_data(shader, &field.ty) {
            offsets.push(end);
            continue;
        }
        let member = layout(shader, &field.ty, row_major || field.row_major);
        let offset = round_up(end, member.align);
        offsets.push(offset);
        end = offset.saturating_add(member.size);
    }
    (offsets, round_up(end, 16))
}

/// Appends a member at `end`: its offset; `end` moves behind it.
pub fn append(shader: &Shader, ty: &Type, row_major: bool, end: &mut u32) -> u32 {
    let member = layout(shader, ty, row_major);
    let offset = round_up(*end, member.align);
    *end = offset.saturating_add(member.size);
    offset
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shader::hir::{Dialect, FunctionId, Scalar, Stage, Struct, StructId};

    fn shader(structs: Vec<Struct>) -> Shader {
        Shader {
            stage: Stage::Vertex,
            dialect: Dialect::Essl300,
            structs,
            globals: Vec::new(),
            blocks: Vec::new(),
            functions: Vec::new(),
            main: FunctionId(0),
            draw_buffers: false,
            writes_frag_depth: false,
            frag_data_len: 0,
            name: None,
            loop_lines: Default::default(),
        }
    }

    fn field(name: &str, ty: Type) -> Field {
        Field { name: name.into(), ty, precision: None, row_major: false }
    }

    /// The example of the OpenGL 4.6 core specification, §7.6.2.2 (without doubles): offsets as printed there.
    #[test]
    fn example_of_the_specification() {
        let float = Type::Scalar(Scalar::Float);
        let int = Type::Scalar(Scalar::Int);
        let uint = Type::Scalar(Scalar::Uint);
        let bool_ = Type::Scalar(Scalar::Bool);
        let f = Struct { name: "F".into(), fields: vec![field("d", int), field("e", Type::Vector(Scalar::Bool, 2))] };
        let o = Struct {
            name: "O".into(),
            fields: vec![
                field("j", uint),
                field("k", Type::Vector(Scalar::Float, 2)),
                field("l", Type::Array(Box::new(float.clone()), 2)),
                field("m", Type::Vector(Scalar::Float, 2)),
                field("n", Type::Array(Box::new(Type::Matrix { columns: 3, rows: 3 }), 2)),
            ],
        };
        let shader = shader(vec![f, o]);
        let members = [
            field("a", float.clone()),
            field("b", Type::Vector(Scalar::Float, 2)),
            field("c", Type::Vector(Scalar::Float, 3)),
            field("f", Type::Struct(StructId(0))),
            field("g", float),
            field("h", Type::Array(Box::new(bool_), 2)),
            field("i", Type::Matrix { columns: 2, rows: 3 }),
            field("o", Type::Array(Box::new(Type::Struct(StructId(1))), 2)),
        ];
        let (offsets, size) = struct_layout(&shader, &members, false);
        assert_eq!(offsets, [0, 8, 16, 32, 48, 64, 96, 128]);
        let (inner, inner_size) = struct_layout(&shader, &shader.structs[1].fields, false);
        assert_eq!(inner, [0, 8, 16, 48, 64]);
        assert_eq!(inner_size, 160);
        // o[0] at 128, o[1] at 304 in the text, where n is a mat3[2] inside a struct of stride 176 because of
        // a double; without it the stride is 160.
        assert_eq!(size, 128 + 2 * 160);
    }

    #[test]
    fn row_major_counts_rows() {
        let shader = shader(Vec::new());
        let ty = Type::Matrix { columns: 4, rows: 2 };
        assert_eq!(layout(&shader, &ty, false).size, 64);
        assert_eq!(layout(&shader, &ty, true).size, 32);
    }
}
