//! Vertex array objects.

use crate::gl::enums::AttributeType;

pub const MAX_VERTEX_ATTRIBUTES: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexAttribute {
    pub enabled: bool,
    /// Buffer name, 0 = none.
    pub buffer: u32,
    /// Components, 1–4.
    pub size: u8,
    pub ty: AttributeType,
    pub normalized: bool,
    /// Set by `vertexAttribIPointer`.
    pub integer: bool,
    /// As given; 0 = tightly packed.
    pub stride: u32,
    pub offset: u64,
    pub divisor: u32,
}

impl Default for VertexAttribute {
    fn default() -> Self {
        Self {
            enabled: false,
            buffer: 0,
            size: 4,
            ty: AttributeType::Float,
            normalized: false,
            integer: false,
            stride: 0,
            offset: 0,
            divisor: 0,
        }
    }
}

impl VertexAttribute {
    /// Bytes of one element.
    pub fn element_size(&self) -> u32 {
        self.ty.element_size(self.size)
    }

    pub fn effective_stride(&self) -> u32 {
        if self.stride == 0 { self.element_size() } else { self.stride }
    }
}

#[derive(Clone, Debug, Default)]
pub struct VertexArray {
    pub attributes: [VertexAttribute; MAX_VERTEX_ATTRIBUTES],
    /// Element array buffer name, 0 = none.
    pub element_buffer: u32,
    /// Was bound once (`isVertexArray`).
    pub created: bool,
    pub deleted: bool,
}

/// Value of a disabled array: `vertexAttrib4f` and the integer forms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GenericAttribute {
    Float([f32; 4]),
    Int([i32; 4]),
    Uint([u32; 4]),
}

impl Default for GenericAttribute {
    fn default() -> Self {
        Self::Float([0.0, 0.0, 0.0, 1.0])
    }
}
