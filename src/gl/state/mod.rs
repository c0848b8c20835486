//! Everything a context remembers that is not an object.

pub mod bindings;
pub mod blend;
pub mod depth_stencil;
pub mod dirty;
pub mod pixel_store;
pub mod raster;

use crate::gl::caps::Limits;
use crate::gl::objects::vertex_array::{GenericAttribute, MAX_VERTEX_ATTRIBUTES};
use bindings::Bindings;
use blend::BlendAll;
use depth_stencil::{ClearValues, DepthStencilGl};
use dirty::Dirty;
use pixel_store::PixelStore;
use raster::RasterGlState;

#[derive(Clone, Debug)]
pub struct State {
    pub bindings: Bindings,
    pub raster: RasterGlState,
    pub blend: BlendAll,
    pub depth_stencil: DepthStencilGl,
    pub clear: ClearValues,
    pub pixel_store: PixelStore,
    /// Values of disabled arrays.
    pub generic_attributes: [GenericAttribute; MAX_VERTEX_ATTRIBUTES],
    pub dirty: Dirty,
}

impl State {
    /// Initial state for a drawing buffer of that size.
    pub fn new(limits: &Limits, width: u32, height: u32) -> Self {
        Self {
            bindings: Bindings::new(limits.max_combined_texture_image_units, limits.max_uniform_buffer_bindings),
            raster: RasterGlState::new(width, height),
            blend: BlendAll::default(),
            depth_stencil: DepthStencilGl::default(),
            clear: ClearValues::default(),
            pixel_store: PixelStore::default(),
            generic_attributes: [GenericAttribute::default(); MAX_VERTEX_ATTRIBUTES],
            dirty: Dirty::all(),
        }
    }
}
