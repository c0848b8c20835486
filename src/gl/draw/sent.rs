//! Draw state as the stream last said it.

use crate::gl::command::{
    BlendStates, BufferId, DepthStencilState, ImageView, IndexFormat, MultisampleState, ProgramId, RasterState,
    SamplerDesc, VertexInput, Viewport,
};
use crate::shader::DriverBlock;

/// `None` = never said.
#[derive(Debug, Default)]
pub struct Sent {
    pub viewport: Option<Viewport>,
    pub raster: Option<RasterState>,
    pub blend: Option<BlendStates>,
    pub blend_constant: Option<[f32; 4]>,
    pub depth_stencil: Option<DepthStencilState>,
    pub stencil_reference: Option<u32>,
    pub multisample: Option<MultisampleState>,
    pub program: Option<ProgramId>,
    /// By stage: serial of the executable and version of its block.
    pub uniforms: [Option<(u64, u64)>; 2],
    pub driver: Option<DriverBlock>,
    pub vertex_input: Option<VertexInput>,
    pub index: Option<(BufferId, IndexFormat)>,
    pub textures: Vec<Option<(ImageView, SamplerDesc)>>,
    pub uniform_buffers: Vec<Option<(BufferId, u64, u64)>>,
    pub feedback: [Option<(BufferId, u64, u64)>; 4],
}

/// Remembers `value`; true if it has to be said.
#[inline]
pub fn changed<T: PartialEq>(slot: &mut Option<T>, value: T) -> bool {
    if slot.as_ref() == Some(&value) {
        return false;
    }
    *slot = Some(value);
    true
}

/// The same for slot `index` of a list that grows.
#[inline]
pub fn changed_at<T: PartialEq>(list: &mut Vec<Option<T>>, index: usize, value: T) -> bool {
    if list.len() <= index {
        list.resize_with(index + 1, || None);
    }
    list.get_mut(index).is_some_and(|slot| changed(slot, value))
}
