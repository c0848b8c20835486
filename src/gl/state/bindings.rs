//! What is bound where.

use crate::gl::enums::TextureTarget;
use crate::gl::objects::transform_feedback::IndexedBinding;

/// Non-indexed buffer binding points; the element array buffer is in the vertex array.
#[derive(Clone, Debug, Default)]
pub struct BufferBindings {
    pub array: u32,
    pub copy_read: u32,
    pub copy_write: u32,
    pub pixel_pack: u32,
    pub pixel_unpack: u32,
    pub transform_feedback: u32,
    pub uniform: u32,
}

/// Object names bound to one texture unit, 0 = none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextureUnit {
    /// By `TextureTarget as usize`.
    pub textures: [u32; TextureTarget::COUNT],
    pub sampler: u32,
}

/// Active query names by target, 0 = none.
#[derive(Clone, Copy, Debug, Default)]
pub struct ActiveQueries {
    /// ANY_SAMPLES_PASSED and its conservative form exclude each other.
    pub occlusion: u32,
    pub primitives_written: u32,
}

#[derive(Clone, Debug)]
pub struct Bindings {
    pub buffers: BufferBindings,
    /// 0 = the default vertex array.
    pub vertex_array: u32,
    pub program: u32,
    /// Index, not GLenum.
    pub active_texture: u32,
    pub texture_units: Vec<TextureUnit>,
    pub uniform_buffers: Vec<IndexedBinding>,
    pub transform_feedback: u32,
    /// 0 = the drawing buffer.
    pub draw_framebuffer: u32,
    pub read_framebuffer: u32,
    pub renderbuffer: u32,
    pub queries: ActiveQueries,
}

impl Bindings {
    pub fn new(texture_units: u32, uniform_buffers: u32) -> Self {
        Self {
            buffers: BufferBindings::default(),
            vertex_array: 0,
            program: 0,
            active_texture: 0,
            texture_units: vec![TextureUnit::default(); texture_units as usize],
            uniform_buffers: vec![IndexedBinding::default(); uniform_buffers as usize],
            transform_feedback: 0,
            draw_framebuffer: 0,
            read_framebuffer: 0,
            renderbuffer: 0,
            queries: ActiveQueries::default(),
        }
    }

    /// The texture bound to `target` on the active unit, 0 = none.
    pub fn active_texture_for(&self, target: TextureTarget) -> u32 {
        self.texture_units.get(self.active_texture as usize).map_or(0, |unit| unit.textures[target as usize])
    }
}
