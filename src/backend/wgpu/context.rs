//! One context's back end: its tables, and the dispatch of commands to them.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::bind::{GroupCache, UniformPlace, UniformRing};
use super::buffer::BufferTable;
use super::device::WgpuDevice;
use super::draw::{Call, SlotNow};
use super::error::ErrorScopes;
use super::gpu_time::Stopwatch;
use super::loop_flags::LoopFlags;
use super::memo::PassMemo;
use super::observe::Observer;
use super::pass::{Op, Pass};
use super::pipeline_key::{KeyParts, PipelineKey, PipelineTable};
use super::present::PendingFrame;
use super::program::{Program, ProgramTable};
use super::query::QueryPool;
use super::record::Bound;
use super::sampler::SamplerTable;
use super::staging::Staging;
use super::state::{BufferRange, DrawState, set_slot};
use super::texture::{ImageSlot, ImageTable};
use super::texture_bind::TextureNow;
use crate::gl::backend::{BackendCaps, BackendError, FrameSink, GlBackend};
use crate::gl::command::{
    BufferId, Command, CommandStream, ImageDimension, ImageId, ImageRegion, QueryId, RenderTargets, ShaderStage,
};
use crate::gl::format::StorageFormat;
use crate::gl::observe::ObserverSink;

/// Choices of one context.
#[derive(Clone, Debug)]
pub struct WgpuOptions {
    /// Presented frames that may be on their way before rendering waits for the oldest.
    pub frames_in_flight: usize,
}

impl Default for WgpuOptions {
    fn default() -> Self {
        Self { frames_in_flight: 2 }
    }
}

/// Executes command streams with wgpu.
pub struct WgpuBackend {
    pub(super) device: Arc<WgpuDevice>,
    pub(super) options: WgpuOptions,
    pub(super) sink: FrameSink,

    pub(super) buffers: BufferTable,
    pub(super) images: ImageTable,
    pub(super) samplers: SamplerTable,
    pub(super) programs: ProgramTable,
    pub(super) loop_flags: LoopFlags,
    pub(super) pipelines: PipelineTable,
    pub(super) groups: GroupCache,
    pub(super) queries: QueryPool,
    pub(super) ring: UniformRing,
    pub(super) staging: Staging,

    pub(super) state: DrawState,
    pub(super) program: Option<Arc<Program>>,
    /// The driver block with capture offsets added, for the draw at hand.
    pub(super) driver_override: Option<UniformPlace>,
    pub(super) textures_now: Vec<Option<TextureNow>>,
    pub(super) parts: KeyParts,
    pub(super) key_now: PipelineKey,
    pub(super) vertex_ids: FxHashMap<Box<[u64]>, u32>,
    pub(super) memo: PassMemo,
    pub(super) fallbacks: Vec<((ImageDimension, StorageFormat), ImageSlot)>,

    pub(super) ops: Vec<Op>,
    pub(super) open: Option<Pass>,
    pub(super) open_targets: Option<RenderTargets>,
    pub(super) bound: Bound,
    pub(super) query_slot_open: bool,
    pub(super) serial: u64,
    pub(super) uid: u64,
    pub(super) pending_draws: u32,
    pub(super) last_submission: Option<wgpu::SubmissionIndex>,
    pub(super) frames: VecDeque<PendingFrame>,
    pub(super) frame_buffers: Vec<wgpu::Buffer>,
    /// Times what is submitted, where the adapter has timestamps.
    pub(super) stopwatch: Option<Stopwatch>,
    /// Looks at the geometry, if somebody wants to know.
    pub(super) observer: Option<Observer>,
    caps: BackendCaps,

    /// Scratch memory.
    pub(super) key: Vec<u64>,
    pub(super) slots: Vec<SlotNow>,
    pub(super) offsets: Vec<u32>,

    failed: Option<BackendError>,
}

impl std::fmt::Debug for WgpuBackend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WgpuBackend").field("device", &self.device).finish_non_exhaustive()
    }
}

impl WgpuBackend {
    /// A back end with nothing in it; presented frames go to `sink`.
    pub fn new(device: Arc<WgpuDevice>, options: WgpuOptions, sink: FrameSink) -> Self {
        Self {
            options,
            sink,
            buffers: BufferTable::default(),
            images: ImageTable::default(),
            samplers: SamplerTable::default(),
            programs: ProgramTable::default(),
            loop_flags: LoopFlags::new(device.large_points.clone()),
            pipelines: PipelineTable::default(),
            groups: GroupCache::default(),
            queries: QueryPool::new(&device.device),
            ring: UniformRing::new(device.limits.min_uniform_buffer_offset_alignment),
            staging: Staging::new(&device.device),
            state: DrawState::default(),
            program: None,
            driver_override: None,
            textures_now: Vec::new(),
            parts: KeyParts::default(),
            key_now: PipelineKey::default(),
            vertex_ids: FxHashMap::default(),
            memo: PassMemo::default(),
            fallbacks: Vec::new(),
            ops: Vec::new(),
            open: None,
            open_targets: None,
            bound: Bound::default(),
            query_slot_open: false,
            serial: 0,
            uid: 0,
            pending_draws: 0,
            last_submission: None,
            frames: VecDeque::new(),
            frame_buffers: Vec::new(),
            stopwatch: Stopwatch::new(&device),
            observer: None,
            caps: device.caps.clone(),
            key: Vec::new(),
            slots: Vec::new(),
            offsets: Vec::new(),
            failed: None,
            device,
        }
    }

    /// Has the geometry of every frame looked at and given to `sink`, depth at every `depth_step`-th pixel (0: never;
    /// from 2 on: at fewer in large pictures). Without effect on a device whose vertex shaders cannot store.
    pub fn observe(&mut self, sink: ObserverSink, depth_step: u32) {
        if self.caps.vertex_writable_storage {
            self.caps.observes = true;
            self.observer = Some(Observer::new(sink, depth_step));
        }
    }

    /// A name never used before in this context.
    pub(super) fn next_uid(&mut self) -> u64 {
        self.uid += 1;
        self.uid
    }

    fn set_uniforms(&mut self, slot: usize, bytes: &[u8]) {
        let place: UniformPlace = self.ring.push(&self.device.device, bytes);
        self.state.uniforms[slot] = Some(place);
        self.state.dirty.uniforms = true;
        // The driver block may need the capture offsets added anew.
        self.state.dirty.feedback |= slot == 2;
    }

    fn execute(&mut self, command: &Command, stream: &CommandStream) -> Result<(), BackendError> {
        let bytes = |range: &crate::gl::command::DataRange| {
            let end = (range.offset as usize).checked_add(range.len as usize);
            end.and_then(|end| stream.data.get(range.offset as usize..end))
                .ok_or_else(|| BackendError::Internal("a command names bytes outside its stream".into()))
        };
        let state = &mut self.state;
        match command {
            Command::CreateBuffer { id, size } => self.create_buffer(*id, *size)?,
            Command::DeleteBuffer { id } => self.delete_buffer(*id),
            Command::WriteBuffer { id, offset, data } => self.write_buffer(*id, *offset, bytes(data)?)?,
            Command::CopyBuffer { src, src_offset, dst, dst_offset, size } => {
                self.copy_buffer(*src, *src_offset, *dst, *dst_offset, *size)?;
            }
            Command::CreateImage { id, desc } => self.create_image(*id, *desc)?,
            Command::DeleteImage { id } => self.delete_image(*id),
            Command::WriteImage { id, region, data } => self.write_image(*id, *region, bytes(data)?)?,
            Command::CopyImage { src, src_region, dst, dst_region } => {
                self.copy_image(*src, *src_region, *dst, *dst_region)?;
            }
            Command::GenerateMipmaps { id, base_level, last_level } => {
                self.generate_mipmaps(*id, *base_level, *last_level)?;
            }
            Command::CreateProgram { id, code } => self.create_program(*id, code)?,
            Command::DeleteProgram { id } => self.delete_program(*id),

            Command::SetRenderTargets(targets) => self.set_render_targets(*targets),
            Command::SetViewport(viewport) => {
                state.dirty.viewport |= state.viewport != *viewport;
                state.viewport = *viewport;
            }
            Command::SetScissor(rect) => {
                state.dirty.scissor |= state.scissor != *rect;
                state.scissor = *rect;
            }
            Command::SetRaster(raster) => {
                state.dirty.raster |= state.raster != *raster;
                state.raster = *raster;
            }
            Command::SetBlend(blend) => {
                state.dirty.blend |= state.blend != *blend;
                state.blend = *blend;
            }
            Command::SetBlendConstant(constant) => {
                state.dirty.blend_constant |= state.blend_constant != *constant;
                state.blend_constant = *constant;
            }
            Command::SetDepthStencil(depth_stencil) => {
                state.dirty.depth_stencil |= state.depth_stencil != *depth_stencil;
                state.depth_stencil = *depth_stencil;
            }
            Command::SetStencilReference(reference) => {
                state.dirty.stencil_reference |= state.stencil_reference != *reference;
                state.stencil_reference = *reference;
            }
            Command::SetMultisample(multisample) => {
                state.dirty.multisample |= state.multisample != *multisample;
                state.multisample = *multisample;
            }
            Command::SetProgram(id) => {
                state.dirty.program |= state.program != Some(*id);
                state.program = Some(*id);
            }
            Command::SetUniforms { stage, data } => {
                let slot = match stage {
                    ShaderStage::Vertex => 0,
                    ShaderStage::Fragment => 1,
                };
                self.set_uniforms(slot, bytes(data)?);
            }
            Command::SetDriverUniforms(data) => self.set_uniforms(2, bytes(data)?),
            Command::SetVertexInput(input) => {
                if state.vertex != *input {
                    state.vertex.clone_from(input);
                    state.dirty.vertex = true;
                }
            }
            Command::SetIndexBuffer { id, format } => {
                state.dirty.index |= state.index != Some((*id, *format));
                state.index = Some((*id, *format));
            }
            Command::SetTexture { slot, view, sampler } => self.set_texture(*slot, *view, *sampler)?,
            Command::SetUniformBuffer { slot, id, offset, size } => {
                let range = BufferRange { id: *id, offset: *offset, size: *size };
                state.dirty.blocks |= set_slot(&mut state.blocks, *slot, range);
            }
            Command::SetFeedbackBuffer { slot, id, offset, size } => {
                let range = BufferRange { id: *id, offset: *offset, size: *size };
                state.dirty.feedback |= set_slot(&mut state.feedback, *slot, range);
            }

            Command::Draw(draw) => self.draw(Call::Arrays(*draw))?,
            Command::DrawIndexed(draw) => self.draw(Call::Indexed(*draw))?,
            Command::Clear(clear) => self.clear(clear)?,
            Command::Blit(blit) => self.blit(blit)?,
            Command::Invalidate { images } => self.invalidate(images)?,
            Command::BeginQuery { id } => self.begin_query(*id)?,
            Command::EndQuery { id } => self.end_query(*id),
            Command::DeleteQuery { id } => self.queries.delete(*id),
            Command::Present { image, frame, opaque, premultiplied } => {
                self.present(*image, *frame, *opaque, *premultiplied)?;
            }
            Command::Marker(text) => tracing::trace!(marker = text.as_str()),
            Command::Subject(subject) => {
                if let Some(observer) = &mut self.observer {
                    observer.set_subject(*subject);
                }
            }
            Command::Watch(camera) => {
                if let Some(observer) = &mut self.observer {
                    observer.watch(*camera);
                }
            }
        }
        Ok(())
    }

    /// Runs `work` unless this context has failed before; whatever wgpu complains about in it is its error.
    fn guarded<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, BackendError>) -> Result<T, BackendError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let device = self.device.clone();
        let scopes = ErrorScopes::open(&device.device);
        let result = work(self);
        let scope_result = scopes.close();
        let result = scope_result.and(result);
        if let Err(error) = &result {
            // Frames that were on their way come out all the same.
            if matches!(error, BackendError::OutOfMemory(_)) {
                let _ = self.deliver_all();
            }
            self.failed = Some(error.clone());
        }
        result
    }
}

impl GlBackend for WgpuBackend {
    fn caps(&self) -> &BackendCaps {
        &self.caps
    }

    fn submit(&mut self, stream: CommandStream) -> Result<(), BackendError> {
        self.guarded(|this| {
            for commands in stream.commands.chunks(512) {
                for command in commands {
                    this.execute(command, &stream)?;
                }
                this.flush_if_large()?;
            }
            this.deliver_ready()
        })
    }

    fn read_image(&mut self, image: ImageId, region: ImageRegion) -> Result<Vec<u8>, BackendError> {
        self.guarded(|this| this.read_image_region(image, region))
    }

    fn read_buffer(&mut self, buffer: BufferId, offset: u64, size: u64) -> Result<Vec<u8>, BackendError> {
        self.guarded(|this| this.read_buffer_range(buffer, offset, size))
    }

    fn query_result(&mut self, query: QueryId) -> Result<bool, BackendError> {
        self.guarded(|this| this.read_query(query))
    }

    fn finish(&mut self) -> Result<(), BackendError> {
        self.guarded(|this| {
            this.flush()?;
            this.deliver_all()?;
            this.check_loop_flags()?;
            this.device.wait(this.last_submission.clone())?;
            if let Some(watch) = &mut this.stopwatch {
                watch.collect();
            }
            Ok(())
        })
    }

    fn idle(&mut self) -> Result<bool, BackendError> {
        self.guarded(|this| this.deliver_ready())?;
        Ok(!self.frames.is_empty())
    }
}

impl WgpuBackend {
    #[cfg(test)]
    pub(super) fn recorded_passes(&self) -> usize {
        self.ops.iter().filter(|op| matches!(op, Op::Pass(_))).count() + usize::from(self.open.is_some())
    }
}
