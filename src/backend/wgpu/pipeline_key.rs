//! Pipelines by state: each part of the state is interned when it changes, so that a draw's key is a few small numbers.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::gl::command::{BlendStates, DepthStencilState, Face, IndexFormat, RasterState, StepMode, Topology};

/// Values by number, numbers by value.
#[derive(Debug)]
pub struct Interner<T> {
    ids: FxHashMap<T, u32>,
    values: Vec<T>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { ids: FxHashMap::default(), values: Vec::new() }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    pub fn intern(&mut self, value: &T) -> u32 {
        if let Some(id) = self.ids.get(value) {
            return *id;
        }
        let id = self.values.len() as u32;
        self.values.push(value.clone());
        self.ids.insert(value.clone(), id);
        id
    }

    pub fn get(&self, id: u32) -> Option<&T> {
        self.values.get(id as usize)
    }
}

/// Formats of a pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TargetsKey {
    pub colors: Vec<Option<(wgpu::TextureFormat, bool)>>,
    pub depth: Option<wgpu::TextureFormat>,
    /// The stencil test may run: GL has a stencil attachment.
    pub stencil: bool,
    pub samples: u32,
}

/// One vertex buffer: stride, step, and its attributes (location, format, offset).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VertexSlot {
    pub stride: u32,
    pub step: StepMode,
    pub attributes: Vec<wgpu::VertexAttribute>,
}

/// The vertex buffers of a pipeline, as wgpu wants them.
pub fn buffer_layouts(slots: &[VertexSlot]) -> Vec<Option<wgpu::VertexBufferLayout<'_>>> {
    slots
        .iter()
        .map(|slot| {
            Some(wgpu::VertexBufferLayout {
                array_stride: slot.stride.into(),
                step_mode: match slot.step {
                    StepMode::Instance => wgpu::VertexStepMode::Instance,
                    StepMode::Vertex | StepMode::Constant => wgpu::VertexStepMode::Vertex,
                },
                attributes: &slot.attributes,
            })
        })
        .collect()
}

/// Rasteriser state with floats as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RasterKey {
    pub front_ccw: bool,
    pub cull: Option<Face>,
    pub bias: Option<[u32; 3]>,
    pub depth_clamp: bool,
    pub wireframe: bool,
    pub discard: bool,
}

impl RasterKey {
    pub fn new(state: &RasterState) -> Self {
        Self {
            // The shader's negated y mirrors the picture, and windings with it.
            front_ccw: state.front_face_ccw != state.y_negated,
            cull: state.cull,
            bias: state.depth_bias.map(|(units, factor, clamp)| [units.to_bits(), factor.to_bits(), clamp.to_bits()]),
            depth_clamp: state.depth_clamp,
            wireframe: state.wireframe,
            discard: state.discard,
        }
    }
}

/// What tells pipelines apart. All parts but the last four are numbers of interners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PipelineKey {
    pub program: u32,
    pub vertex: u32,
    pub targets: u32,
    pub blend: u32,
    pub depth_stencil: u32,
    pub raster: u32,
    pub sample_mask: u32,
    pub alpha_to_coverage: bool,
    pub topology: u8,
    /// 0 none, 1 u16, 2 u32: strips only.
    pub strip_index: u8,
}

pub fn topology_code(topology: Topology) -> u8 {
    match topology {
        Topology::PointList => 0,
        Topology::LineList => 1,
        Topology::LineStrip => 2,
        Topology::TriangleList => 3,
        Topology::TriangleStrip => 4,
    }
}

pub fn topology_of(code: u8) -> wgpu::PrimitiveTopology {
    match code {
        0 => wgpu::PrimitiveTopology::PointList,
        1 => wgpu::PrimitiveTopology::LineList,
        2 => wgpu::PrimitiveTopology::LineStrip,
        3 => wgpu::PrimitiveTopology::TriangleList,
        _ => wgpu::PrimitiveTopology::TriangleStrip,
    }
}

pub fn strip_code(topology: Topology, index: Option<IndexFormat>) -> u8 {
    match (topology, index) {
        (Topology::LineStrip | Topology::TriangleStrip, Some(IndexFormat::Uint16)) => 1,
        (Topology::LineStrip | Topology::TriangleStrip, Some(IndexFormat::Uint32)) => 2,
        _ => 0,
    }
}

/// The interners of the parts.
#[derive(Debug, Default)]
pub struct KeyParts {
    pub targets: Interner<TargetsKey>,
    pub vertex: Interner<Vec<VertexSlot>>,
    pub blend: Interner<BlendStates>,
    pub depth_stencil: Interner<DepthStencilState>,
    pub raster: Interner<RasterKey>,
}

/// Pipelines of programs by key, and internal ones by name.
#[derive(Debug, Default)]
pub struct PipelineTable {
    ids: FxHashMap<PipelineKey, u32>,
    internal: FxHashMap<super::internal::InternalKey, u32>,
    pipelines: Vec<Option<wgpu::RenderPipeline>>,
    /// Names of the pipelines, for ever.
    uids: Vec<u64>,
    next_uid: u64,
    free: Vec<u32>,
    /// Pipelines of deleted programs that recorded work may still name.
    retired: Vec<u32>,
}

impl PipelineTable {
    pub fn get(&self, id: u32) -> Option<&wgpu::RenderPipeline> {
        self.pipelines.get(id as usize)?.as_ref()
    }

    pub fn find(&self, key: &PipelineKey) -> Option<u32> {
        self.ids.get(key).copied()
    }

    pub fn find_internal(&self, key: &super::internal::InternalKey) -> Option<u32> {
        self.internal.get(key).copied()
    }

    pub fn insert(&mut self, key: PipelineKey, pipeline: wgpu::RenderPipeline) -> u32 {
        let id = self.store(pipeline);
        self.ids.insert(key, id);
        id
    }

    pub fn insert_internal(&mut self, key: super::internal::InternalKey, pipeline: wgpu::RenderPipeline) -> u32 {
        let id = self.store(pipeline);
        self.internal.insert(key, id);
        id
    }

    pub fn uid(&self, id: u32) -> u64 {
        self.uids.get(id as usize).copied().unwrap_or(0)
    }

    fn store(&mut self, pipeline: wgpu::RenderPipeline) -> u32 {
        self.next_uid += 1;
        match self.free.pop() {
            Some(id) => {
                self.pipelines[id as usize] = Some(pipeline);
                self.uids[id as usize] = self.next_uid;
                id
            }
            None => {
                self.pipelines.push(Some(pipeline));
                self.uids.push(self.next_uid);
                self.pipelines.len() as u32 - 1
            }
        }
    }

    pub fn retire_program(&mut self, program: u32) {
        let retired = &mut self.retired;
        self.ids.retain(|key, id| {
            let stays = key.program != program;
            if !stays {
                retired.push(*id);
            }
            stays
        });
    }

    pub fn release_retired(&mut self) {
        for id in self.retired.drain(..) {
            self.pipelines[id as usize] = None;
            self.free.push(id);
        }
    }
}
