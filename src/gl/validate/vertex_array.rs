//! Validation of vertex attribute calls.

use crate::gl::enums::AttributeType;
use crate::gl::error::{GlError, GlResult};
use crate::gl::objects::vertex_array::{MAX_VERTEX_ATTRIBUTES, VertexAttribute};

/// WebGL 1 §6.6: strides above this are refused.
const MAX_STRIDE: i32 = 255;

pub fn index_error() -> GlError {
    GlError::invalid_value("index is not below MAX_VERTEX_ATTRIBS")
}

/// `vertexAttribPointer`: ES 3.0 §2.9.1 with WebGL's alignment rules (WebGL 1 §6.5).
#[allow(clippy::too_many_arguments, reason = "GL's argument list")]
pub fn pointer(
    webgl2: bool,
    index: u32,
    size: i32,
    ty: u32,
    normalized: bool,
    stride: i32,
    offset: i64,
    buffer: u32,
) -> GlResult<VertexAttribute> {
    use AttributeType as T;
    let Some(ty) = AttributeType::from_gl(ty).filter(|ty| match ty {
        T::Byte | T::UnsignedByte | T::Short | T::UnsignedShort | T::Float => true,
        T::Int | T::UnsignedInt | T::HalfFloat | T::Int2101010Rev | T::UnsignedInt2101010Rev => webgl2,
        T::Fixed => false,
    }) else {
        return Err(GlError::invalid_enum("unknown attribute type"));
    };
    if ty.is_packed() && size != 4 && (1..=4).contains(&size) {
        return Err(GlError::invalid_operation("size must be 4 for packed types"));
    }
    let (stride, offset) = place(index, size, ty, stride, offset, buffer)?;
    Ok(VertexAttribute {
        buffer,
        size: size as u8,
        ty,
        normalized,
        integer: false,
        stride,
        offset,
        ..VertexAttribute::default()
    })
}

pub fn integer_pointer(
    index: u32,
    size: i32,
    ty: u32,
    stride: i32,
    offset: i64,
    buffer: u32,
) -> GlResult<VertexAttribute> {
    use AttributeType as T;
    let Some(ty) = AttributeType::from_gl(ty)
        .filter(|ty| matches!(ty, T::Byte | T::UnsignedByte | T::Short | T::UnsignedShort | T::Int | T::UnsignedInt))
    else {
        return Err(GlError::invalid_enum("the type is not an integer type"));
    };
    let (stride, offset) = place(index, size, ty, stride, offset, buffer)?;
    Ok(VertexAttribute {
        buffer,
        size: size as u8,
        ty,
        normalized: false,
        integer: true,
        stride,
        offset,
        ..VertexAttribute::default()
    })
}

fn place(index: u32, size: i32, ty: AttributeType, stride: i32, offset: i64, buffer: u32) -> GlResult<(u32, u64)> {
    if index as usize >= MAX_VERTEX_ATTRIBUTES {
        return Err(index_error());
    }
    if !(1..=4).contains(&size) {
        return Err(GlError::invalid_value("size is not 1 to 4"));
    }
    if !(0..=MAX_STRIDE).contains(&stride) {
        return Err(GlError::invalid_value("stride is not 0 to 255"));
    }
    if offset < 0 {
        return Err(GlError::invalid_value("offset is negative"));
    }
    let (stride, offset) = (stride as u32, offset as u64);
    if !stride.is_multiple_of(ty.component_size()) || !offset.is_multiple_of(u64::from(ty.component_size())) {
        return Err(GlError::invalid_operation("stride and offset must be multiples of the size of the type"));
    }
    if buffer == 0 && offset != 0 {
        return Err(GlError::invalid_operation("no ARRAY_BUFFER is bound and offset is not 0"));
    }
    Ok((stride, offset))
}
