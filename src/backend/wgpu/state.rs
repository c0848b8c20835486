//! The sticky draw state, and which parts of it the open pass has not seen yet.

use super::bind::UniformPlace;
use crate::gl::command::{
    BlendComponent, BlendState, BlendStates, BufferId, CompareFunction, DepthStencilState, ImageView, IndexFormat,
    MAX_COLOR_ATTACHMENTS, MultisampleState, ProgramId, RasterState, Rect, RenderTargets, SamplerDesc, VertexInput,
    Viewport,
};

/// A range of a buffer as the program bound it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferRange {
    pub id: BufferId,
    pub offset: u64,
    pub size: u64,
}

/// What changed since the last draw.
#[derive(Clone, Copy, Debug)]
pub struct Dirty {
    pub targets: bool,
    pub viewport: bool,
    pub scissor: bool,
    pub raster: bool,
    pub blend: bool,
    pub blend_constant: bool,
    pub depth_stencil: bool,
    pub stencil_reference: bool,
    pub multisample: bool,
    pub program: bool,
    pub uniforms: bool,
    pub vertex: bool,
    pub index: bool,
    pub textures: bool,
    pub blocks: bool,
    pub feedback: bool,
}

impl Dirty {
    pub const ALL: Self = Self {
        targets: true,
        viewport: true,
        scissor: true,
        raster: true,
        blend: true,
        blend_constant: true,
        depth_stencil: true,
        stencil_reference: true,
        multisample: true,
        program: true,
        uniforms: true,
        vertex: true,
        index: true,
        textures: true,
        blocks: true,
        feedback: true,
    };

    pub const NONE: Self = Self {
        targets: false,
        viewport: false,
        scissor: false,
        raster: false,
        blend: false,
        blend_constant: false,
        depth_stencil: false,
        stencil_reference: false,
        multisample: false,
        program: false,
        uniforms: false,
        vertex: false,
        index: false,
        textures: false,
        blocks: false,
        feedback: false,
    };

    /// Some buffer has new storage.
    pub fn buffers_renamed(&mut self) {
        self.vertex = true;
        self.index = true;
        self.blocks = true;
        self.feedback = true;
    }

    /// Any part of the pipeline.
    pub fn pipeline(&self) -> bool {
        self.targets
            || self.raster
            || self.blend
            || self.depth_stencil
            || self.multisample
            || self.program
            || self.vertex
    }
}

/// All sticky state.
#[derive(Debug)]
pub struct DrawState {
    pub targets: Option<RenderTargets>,
    pub viewport: Viewport,
    pub scissor: Option<Rect>,
    pub raster: RasterState,
    pub blend: BlendStates,
    pub blend_constant: [f32; 4],
    pub depth_stencil: DepthStencilState,
    pub stencil_reference: u32,
    pub multisample: MultisampleState,
    pub program: Option<ProgramId>,
    /// Vertex, fragment and driver block.
    pub uniforms: [Option<UniformPlace>; 3],
    pub vertex: VertexInput,
    pub index: Option<(BufferId, IndexFormat)>,
    pub textures: Vec<Option<(ImageView, SamplerDesc)>>,
    pub blocks: Vec<Option<BufferRange>>,
    pub feedback: Vec<Option<BufferRange>>,
    pub dirty: Dirty,
}

impl Default for DrawState {
    fn default() -> Self {
        let component: Option<(BlendComponent, BlendComponent)> = None;
        Self {
            targets: None,
            viewport: Viewport { x: 0.0, y: 0.0, width: 0.0, height: 0.0, min_depth: 0.0, max_depth: 1.0 },
            scissor: None,
            raster: RasterState {
                front_face_ccw: true,
                y_negated: true,
                cull: None,
                depth_bias: None,
                depth_clamp: false,
                wireframe: false,
                discard: false,
            },
            blend: [BlendState { blend: component, write_mask: 0xf }; MAX_COLOR_ATTACHMENTS],
            blend_constant: [0.0; 4],
            depth_stencil: DepthStencilState { depth: None::<CompareFunction>, depth_write: false, stencil: None },
            stencil_reference: 0,
            multisample: MultisampleState { alpha_to_coverage: false, mask: u32::MAX },
            program: None,
            uniforms: [None; 3],
            vertex: VertexInput::default(),
            index: None,
            textures: Vec::new(),
            blocks: Vec::new(),
            feedback: Vec::new(),
            dirty: Dirty::ALL,
        }
    }
}

/// Slots a program may use at most; more is a bug of the sender.
const MAX_SLOTS: usize = 256;

/// Puts `value` in `slots[slot]`, growing as needed; true if it changed.
pub fn set_slot<T: PartialEq + Clone>(slots: &mut Vec<Option<T>>, slot: u32, value: T) -> bool {
    let slot = slot as usize;
    if slot >= MAX_SLOTS {
        return false;
    }
    if slots.len() <= slot {
        slots.resize(slot + 1, None);
    }
    let changed = slots[slot].as_ref() != Some(&value);
    if changed {
        slots[slot] = Some(value);
    }
    changed
}
