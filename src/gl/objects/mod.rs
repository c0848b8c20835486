//! GL objects, one file per noun, and the tables that name them.

pub mod buffer;
pub mod framebuffer;
pub mod program;
pub mod query;
pub mod renderbuffer;
pub mod sampler;
pub mod shader;
pub mod sync;
pub mod table;
pub mod texture;
pub mod transform_feedback;
pub mod vertex_array;

use buffer::Buffer;
use framebuffer::Framebuffer;
use program::Program;
use query::Query;
use renderbuffer::Renderbuffer;
use sampler::Sampler;
use shader::ShaderObject;
use sync::Sync;
use table::Table;
use texture::Texture;
use transform_feedback::TransformFeedback;
use vertex_array::VertexArray;

/// All objects of a context. Programs and shaders have tables of their own: names are per kind in WebGL.
#[derive(Default)]
pub struct Objects {
    pub buffers: Table<Buffer>,
    pub vertex_arrays: Table<VertexArray>,
    /// Vertex array 0.
    pub default_vertex_array: VertexArray,
    pub shaders: Table<ShaderObject>,
    pub programs: Table<Program>,
    pub queries: Table<Query>,
    pub syncs: Table<Sync>,
    pub transform_feedbacks: Table<TransformFeedback>,
    /// Transform feedback 0.
    pub default_transform_feedback: TransformFeedback,
    pub textures: Table<Texture>,
    pub samplers: Table<Sampler>,
    pub renderbuffers: Table<Renderbuffer>,
    pub framebuffers: Table<Framebuffer>,
}

impl Objects {
    /// The vertex array of that name, or the default one for 0 (and for names that are gone).
    #[inline]
    pub fn vertex_array(&self, name: u32) -> &VertexArray {
        self.vertex_arrays.get(name).unwrap_or(&self.default_vertex_array)
    }

    #[inline]
    pub fn vertex_array_mut(&mut self, name: u32) -> &mut VertexArray {
        match self.vertex_arrays.get_mut(name) {
            Some(vertex_array) => vertex_array,
            None => &mut self.default_vertex_array,
        }
    }

    pub fn transform_feedback(&self, name: u32) -> &TransformFeedback {
        self.transform_feedbacks.get(name).unwrap_or(&self.default_transform_feedback)
    }

    pub fn transform_feedback_mut(&mut self, name: u32) -> &mut TransformFeedback {
        match self.transform_feedbacks.get_mut(name) {
            Some(feedback) => feedback,
            None => &mut self.default_transform_feedback,
        }
    }
}
