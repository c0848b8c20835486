//! Looks at what is drawn, for evidence: runs the vertex shaders of the watched camera's draws once more, storing
//! their positions, and takes the depth of the passes they are in. Pictures do not change by it.
//!
//! The captures of a render pass are a pass of points of their own, recorded ahead of it: same buffers, same groups,
//! each vertex once. What they store is copied out with the frame's pixels and handed over with them.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::bind::Binds;
use super::blit::{BlitDraw, Place};
use super::buffer::BufferSlot;
use super::context::WgpuBackend;
use super::draw::Call;
use super::pass::{DepthTarget, Item, Op, Pass, PassAttachment};
use super::pipeline_key::{PipelineKey, TargetsKey};
use super::program::{GroupLayout, Program};
use super::texture::{ImageSlot, RowLayout};
use crate::gl::backend::BackendError;
use crate::gl::command::{
    Aspect, BlendFactor, Face, ImageDesc, ImageDimension, ImageRegion, IndexFormat, StepMode, Topology,
};
use crate::gl::format::StorageFormat;
use crate::gl::observe::{DrawKey, ObservedDepth, ObservedDraw, ObservedFrame, ObserverSink};
use crate::scene::{ObjectNumber, Subject};
use crate::shader::program::{GROUP_FEEDBACK, PositionBlock};

/// Bytes of a piece of memory for positions or indices; a draw that needs more gets its own.
const CHUNK: u64 = 8 << 20;
/// Bytes of a position.
const RECORD: u64 = 16;
/// Frames after which indices that no draw used are forgotten.
const KEEP: u64 = 60;
/// `PipelineKey::topology` of captures.
const CAPTURE_CODE: u8 = 5;

/// What the observer keeps between draws and frames.
pub struct Observer {
    sink: ObserverSink,
    /// Every how many pixels depth is looked at; 0 for never.
    depth_step: u32,
    subject: Subject,
    /// Draws for other cameras are not looked at; 0: all are.
    watched: ObjectNumber,
    /// Captures of the open pass.
    pass: Option<Pass>,
    target: Option<ImageSlot>,
    store: Vec<Chunk>,
    draws: Vec<Seen>,
    /// Draws of this frame, by camera: passes may draw a scene again.
    keys: FxHashSet<(ObjectNumber, DrawKey)>,
    indices: FxHashMap<IndexKey, Indices>,
    index_reads: Vec<Chunk>,
    index_news: Vec<IndexNew>,
    depths: Vec<DepthNow>,
    unseen: u32,
    depth_images: Vec<(u32, u32, ImageSlot)>,
    spare: Vec<wgpu::Buffer>,
    now: u64,
}

impl std::fmt::Debug for Observer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Observer").field("watched", &self.watched).finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct Chunk {
    buffer: wgpu::Buffer,
    uid: u64,
    used: u64,
}

#[derive(Debug)]
struct Seen {
    draw: ObservedDraw,
    chunk: usize,
    /// First record in the chunk.
    record: u64,
    indices: Option<IndexKey>,
}

/// Part of an index buffer's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct IndexKey {
    version: u64,
    first: u32,
    count: u32,
    wide: bool,
}

#[derive(Debug)]
struct Indices {
    used: u64,
    /// `None` while on the way.
    data: Option<Arc<[u32]>>,
}

/// Indices being copied out.
#[derive(Clone, Copy, Debug)]
struct IndexNew {
    key: IndexKey,
    min: u32,
    chunk: usize,
    /// Byte in the chunk at which the first index is.
    offset: u64,
}

#[derive(Debug)]
struct DepthNow {
    subject: Subject,
    image: ImageSlot,
    width: u32,
    height: u32,
    pixels: [u32; 2],
    range: [f32; 2],
    zero_to_one: bool,
}

/// A frame's observations on their way out.
#[derive(Debug)]
pub struct PendingObservation {
    draws: Vec<Seen>,
    /// By chunk; `None` where nothing was stored.
    stores: Vec<Option<(wgpu::Buffer, u64)>>,
    indices: Vec<wgpu::Buffer>,
    index_news: Vec<IndexNew>,
    depths: Vec<(DepthNow, wgpu::Buffer, RowLayout)>,
    unseen: u32,
}

impl Observer {
    pub fn new(sink: ObserverSink, depth_step: u32) -> Self {
        Self {
            sink,
            depth_step,
            subject: Subject::default(),
            watched: 0,
            pass: None,
            target: None,
            store: Vec::new(),
            draws: Vec::new(),
            keys: FxHashSet::default(),
            indices: FxHashMap::default(),
            index_reads: Vec::new(),
            index_news: Vec::new(),
            depths: Vec::new(),
            unseen: 0,
            depth_images: Vec::new(),
            spare: Vec::new(),
            now: 0,
        }
    }

    pub fn set_subject(&mut self, subject: Subject) {
        self.subject = subject;
    }

    /// A frame begins, and only draws for `camera` count in it; what was not presented before is forgotten.
    pub fn watch(&mut self, camera: ObjectNumber) {
        self.watched = camera;
        self.draws.clear();
        self.keys.clear();
        self.depths.clear();
        self.unseen = 0;
        self.store.iter_mut().for_each(|chunk| chunk.used = 0);
    }

    fn wants(&self) -> bool {
        self.subject.object != 0 && (self.watched == 0 || self.watched == self.subject.camera)
    }
}

/// The layout of a capture's group 3.
pub fn capture_entries() -> Vec<wgpu::BindGroupLayoutEntry> {
    let entry = |binding, ty, has_dynamic_offset, size| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: std::num::NonZeroU64::new(size) },
        count: None,
    };
    vec![
        entry(0, wgpu::BufferBindingType::Storage { read_only: false }, false, RECORD),
        entry(1, wgpu::BufferBindingType::Uniform, true, size_of::<PositionBlock>() as u64),
    ]
}

/// First vertex and number of vertices of a draw.
fn vertices_of(call: &Call) -> Option<(i64, u32)> {
    match call {
        Call::Arrays(draw) => Some((draw.first.into(), draw.count)),
        Call::Indexed(draw) => {
            let (min, max) = draw.range;
            let first = i64::from(min) + i64::from(draw.base_vertex);
            (first >= 0).then_some((first, max.checked_sub(min)?.checked_add(1)?))
        }
    }
}

impl WgpuBackend {
    /// Takes note of a draw that is bound and about to be recorded in the open pass.
    pub(super) fn observe_draw(&mut self, program: &Program, call: &Call) -> Result<(), BackendError> {
        let Some(observer) = &self.observer else { return Ok(()) };
        let Some(capture) = &program.capture else { return Ok(()) };
        if !observer.wants() || !matches!(call.topology(), Topology::TriangleList | Topology::TriangleStrip) {
            return Ok(());
        }
        let targets = self.state.targets;
        let colored = targets.is_some_and(|targets| targets.colors.iter().any(Option::is_some));
        if !colored || self.state.blend.iter().all(|blend| blend.write_mask & 7 == 0) {
            return Ok(());
        }
        let key = self.draw_key(call);
        let Some((first, vertices)) = vertices_of(call) else { return Ok(()) };
        let (first_instance, instances) = match call {
            Call::Arrays(draw) => (draw.first_instance, draw.instances),
            Call::Indexed(draw) => (draw.first_instance, draw.instances),
        };
        let records = u64::from(vertices) * u64::from(instances);
        let Some(observer) = &mut self.observer else { return Ok(()) };
        if records == 0 || !observer.keys.insert((observer.subject.camera, key)) {
            return Ok(());
        }
        // One draw at a time must fit a binding.
        let limit = self.device.limits.max_storage_buffer_binding_size.min(self.device.limits.max_buffer_size);
        if records * RECORD > limit || records > i32::MAX as u64 {
            observer.unseen += 1;
            return Ok(());
        }
        let layout = capture.group.clone();
        let (chunk, record) = self.store_place(records)?;
        let first_in_instance = if program.layout.driver_block { 0 } else { first_instance };
        let block = PositionBlock {
            first_vertex: first as i32,
            vertices: vertices as i32,
            first_instance: first_in_instance as i32,
            base: record as i32,
        };
        let place = self.ring.push(&self.device.device, bytemuck::bytes_of(&block));
        let group = self.capture_group(&layout, chunk, place.chunk)?;
        let pipeline = self.capture_pipeline(program)?;
        let indices = self.observe_indices(call)?;
        self.push_capture(pipeline, (group, place.offset), (first as u32, vertices), (first_instance, instances))?;

        let raster = self.state.raster;
        let blend = self.state.blend[0].blend;
        let additive = blend.is_some_and(|(color, _)| color.dst == BlendFactor::One);
        let depth = self.state.depth_stencil;
        let Some(observer) = &mut self.observer else { return Ok(()) };
        observer.draws.push(Seen {
            draw: ObservedDraw {
                subject: observer.subject,
                key,
                positions: 0..0,
                vertices,
                instances,
                indices: None,
                strip: call.topology() == Topology::TriangleStrip,
                front_face_ccw: raster.front_face_ccw,
                cull: raster.cull,
                depth_test: depth.depth.is_some(),
                depth_write: depth.depth.is_some() && depth.depth_write,
                additive,
            },
            chunk,
            record,
            indices,
        });
        Ok(())
    }

    fn draw_key(&self, call: &Call) -> DrawKey {
        let object = self.observer.as_ref().map_or(0, |observer| observer.subject.object);
        let vertex_buffer = self.state.vertex.attributes.first().map(|attribute| attribute.buffer);
        let cull = self.state.raster.cull.map(|face| face == Face::Front);
        match *call {
            Call::Arrays(draw) => DrawKey {
                object,
                vertex_buffer,
                index_buffer: None,
                first: draw.first,
                count: draw.count,
                base_vertex: 0,
                first_instance: draw.first_instance,
                cull,
            },
            Call::Indexed(draw) => DrawKey {
                object,
                vertex_buffer,
                index_buffer: self.state.index.map(|(id, _)| id),
                first: draw.first_index,
                count: draw.count,
                base_vertex: draw.base_vertex,
                first_instance: draw.first_instance,
                cull,
            },
        }
    }

    /// Room for records: chunk and first record.
    fn store_place(&mut self, records: u64) -> Result<(usize, u64), BackendError> {
        let uid = self.next_uid();
        let Some(observer) = &mut self.observer else { return Err(BackendError::Internal("nobody observes".into())) };
        let size = records * RECORD;
        let found = observer.store.iter().rposition(|chunk| chunk.used + size <= chunk.buffer.size());
        let index = match found {
            Some(index) => index,
            None => {
                let buffer = self.device.device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("observed positions"),
                    size: size.max(CHUNK),
                    usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
                    mapped_at_creation: false,
                });
                observer.store.push(Chunk { buffer, uid, used: 0 });
                observer.store.len() - 1
            }
        };
        let chunk = &mut observer.store[index];
        let record = chunk.used / RECORD;
        chunk.used += size;
        Ok((index, record))
    }

    fn capture_group(&mut self, layout: &GroupLayout, chunk: usize, ring: u32) -> Result<u32, BackendError> {
        let lost = || BackendError::Internal("no memory for positions".into());
        let chunk = self.observer.as_ref().and_then(|observer| observer.store.get(chunk)).ok_or_else(lost)?;
        let key = [layout.uid, chunk.uid, u64::from(ring), 1];
        if let Some(group) = self.groups.find(&key) {
            return Ok(group);
        }
        let uniforms = self.ring.buffer(ring).ok_or_else(lost)?;
        let group = self.device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout.layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: chunk.buffer.as_entire_binding() },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                        buffer: uniforms,
                        offset: 0,
                        size: std::num::NonZeroU64::new(size_of::<PositionBlock>() as u64),
                    }),
                },
            ],
        });
        Ok(self.groups.insert(&key, Binds { once: true, ..Binds::default() }, group))
    }

    fn capture_pipeline(&mut self, program: &Program) -> Result<u32, BackendError> {
        let lost = || BackendError::Internal("a program without capture".into());
        let capture = program.capture.as_ref().ok_or_else(lost)?;
        let targets =
            TargetsKey { depth: Some(wgpu::TextureFormat::Depth32Float), samples: 1, ..TargetsKey::default() };
        let key = PipelineKey {
            program: program.uid,
            vertex: self.key_now.vertex,
            targets: self.parts.targets.intern(&targets),
            topology: CAPTURE_CODE,
            ..PipelineKey::default()
        };
        if let Some(id) = self.pipelines.find(&key) {
            return Ok(id);
        }
        let vertex = self.parts.vertex.get(key.vertex).ok_or_else(lost)?;
        let buffers: Vec<_> = vertex
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
            .collect();
        let pipeline = self.device.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(&capture.pipeline_layout),
            vertex: wgpu::VertexState {
                module: &capture.module,
                entry_point: Some("main"),
                compilation_options: Default::default(),
                buffers: &buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::PointList,
                ..wgpu::PrimitiveState::default()
            },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: wgpu::TextureFormat::Depth32Float,
                depth_write_enabled: Some(false),
                depth_compare: Some(wgpu::CompareFunction::Always),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState::default(),
            fragment: None,
            multiview_mask: None,
            cache: self.device.cache.cache.as_ref(),
        });
        Ok(self.pipelines.insert(key, pipeline))
    }

    /// The points that store a draw's positions, with everything the open pass has bound.
    fn push_capture(
        &mut self,
        pipeline: u32,
        (group, offset): (u32, u32),
        (first, count): (u32, u32),
        (first_instance, instances): (u32, u32),
    ) -> Result<(), BackendError> {
        if self.observer.as_ref().is_some_and(|observer| observer.pass.is_none()) {
            let pass = self.capture_pass()?;
            if let Some(observer) = &mut self.observer {
                observer.pass = Some(pass);
            }
        }
        let (Some(observer), Some(open)) = (&mut self.observer, &self.open) else { return Ok(()) };
        let Some(pass) = &mut observer.pass else { return Ok(()) };
        pass.items.push(Item::Pipeline(pipeline));
        for (index, bound) in self.bound.groups.iter().enumerate().take(GROUP_FEEDBACK as usize) {
            if let Some((group, first, count)) = *bound {
                let offsets = open.offsets.get(first as usize..(first + count) as usize).unwrap_or_default();
                pass.push_group(index as u32, group, offsets);
            }
        }
        pass.push_group(GROUP_FEEDBACK, group, &[offset]);
        for (slot, bound) in self.bound.vertex.iter().enumerate() {
            if let Some((buffer, offset)) = *bound {
                pass.items.push(Item::VertexBuffer { slot: slot as u32, buffer, offset });
            }
        }
        pass.items.push(Item::Draw { first, count, first_instance, instances });
        Ok(())
    }

    /// A pass on one pixel that nothing is drawn to.
    fn capture_pass(&mut self) -> Result<Pass, BackendError> {
        let target = match self.observer.as_ref().and_then(|observer| observer.target) {
            Some(target) => target,
            None => {
                let target = self.new_image(plane(StorageFormat::Depth32Float, 1, 1))?;
                if let Some(observer) = &mut self.observer {
                    observer.target = Some(target);
                }
                target
            }
        };
        let attachment: PassAttachment = self.attachment_of(target, 0, 0, false)?;
        let depth = DepthTarget {
            attachment,
            has_depth: true,
            has_stencil: false,
            clear_depth: Some(1.0),
            clear_stencil: None,
            store: false,
        };
        Ok(Pass { serial: self.next_serial(), depth: Some(depth), width: 1, height: 1, ..Pass::default() })
    }

    /// Has the indices of a draw copied out, unless that was done before.
    fn observe_indices(&mut self, call: &Call) -> Result<Option<IndexKey>, BackendError> {
        let Call::Indexed(draw) = call else { return Ok(None) };
        let Some((id, format)) = self.state.index else { return Ok(None) };
        let slot: BufferSlot = self.buffers.slot(id)?;
        let wide = format == IndexFormat::Uint32;
        let key = IndexKey { version: self.buffers.version(slot), first: draw.first_index, count: draw.count, wide };
        let uid = self.next_uid();
        let (_, len) = self.buffers.identity(slot)?;
        let (Some(observer), Some(src)) = (&mut self.observer, self.buffers.gpu(slot)) else { return Ok(None) };
        if let Some(known) = observer.indices.get_mut(&key) {
            known.used = observer.now;
            return Ok(Some(key));
        }
        observer.indices.insert(key, Indices { used: observer.now, data: None });
        let bytes = if wide { 4 } else { 2 };
        let start = u64::from(draw.first_index) * bytes;
        let end = start + u64::from(draw.count) * bytes;
        let (from, to) = (start & !3, end.next_multiple_of(4).min(len));
        let size = to.saturating_sub(from);
        let found = observer.index_reads.iter().rposition(|chunk| chunk.used + size <= chunk.buffer.size());
        let chunk = match found {
            Some(chunk) => chunk,
            None => {
                let buffer = self.device.device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("observed indices"),
                    size: size.max(CHUNK / 8),
                    usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                    mapped_at_creation: false,
                });
                observer.index_reads.push(Chunk { buffer, uid, used: 0 });
                observer.index_reads.len() - 1
            }
        };
        let place = &mut observer.index_reads[chunk];
        let offset = place.used;
        place.used += size;
        let op =
            Op::CopyBuffer { src: src.clone(), src_offset: from, dst: place.buffer.clone(), dst_offset: offset, size };
        observer.index_news.push(IndexNew { key, min: draw.range.0, chunk, offset: offset + (start - from) });
        self.push_before_pass(op);
        Ok(Some(key))
    }

    /// The captures that go ahead of the pass being closed, and the copy of its depth that goes after it.
    pub(super) fn observe_pass(&mut self, pass: &Pass) -> Result<Option<Box<Pass>>, BackendError> {
        let Some(observer) = &mut self.observer else { return Ok(None) };
        let Some(capture) = observer.pass.take() else { return Ok(None) };
        let (step, subject) = (observer.depth_step, observer.draws.last().map(|seen| seen.draw.subject));
        self.ops.push(Op::Pass(Box::new(capture)));
        let (Some(depth), Some(subject)) = (pass.depth.as_ref().filter(|depth| depth.has_depth), subject) else {
            return Ok(None);
        };
        if step == 0 {
            return Ok(None);
        }
        let (width, height) = ((pass.width / step).max(1), (pass.height / step).max(1));
        let pixels = [(width * step).min(pass.width), (height * step).min(pass.height)];
        let image = self.depth_image(subject, width, height, pixels)?;
        let draw = BlitDraw {
            src: Place { image: depth.attachment.image, level: depth.attachment.level, layer: depth.attachment.layer },
            dst: Place { image, level: 0, layer: 0 },
            src_rect: [0, 0, pixels[0] as i32, pixels[1] as i32],
            dst_rect: [0, 0, width as i32, height as i32],
            scissor: None,
            linear: false,
            mask: 0xf,
        };
        self.blit_pass(&draw, wgpu::TextureAspect::DepthOnly).map(|pass| pass.map(Box::new))
    }

    /// The image that takes a render call's depth this frame.
    fn depth_image(
        &mut self,
        subject: Subject,
        width: u32,
        height: u32,
        pixels: [u32; 2],
    ) -> Result<ImageSlot, BackendError> {
        let viewport = self.state.viewport;
        let range = [viewport.min_depth, viewport.max_depth];
        let zero_to_one = self.program.as_ref().is_some_and(|program| program.layout.zero_to_one);
        let Some(observer) = &mut self.observer else { return Err(BackendError::Internal("nobody observes".into())) };
        let same = |now: &&mut DepthNow| {
            (now.subject.render, now.subject.camera, now.width, now.height)
                == (subject.render, subject.camera, width, height)
        };
        if let Some(now) = observer.depths.iter_mut().find(same) {
            (now.range, now.zero_to_one) = (range, zero_to_one);
            return Ok(now.image);
        }
        let free = |image: &ImageSlot| observer.depths.iter().all(|now| now.image != *image);
        let found = observer.depth_images.iter().find(|(w, h, image)| (*w, *h) == (width, height) && free(image));
        let image = match found {
            Some((.., image)) => *image,
            None => {
                let image = self.new_image(plane(StorageFormat::R32Float, width, height))?;
                if let Some(observer) = &mut self.observer {
                    observer.depth_images.push((width, height, image));
                }
                image
            }
        };
        if let Some(observer) = &mut self.observer {
            observer.depths.push(DepthNow { subject, image, width, height, pixels, range, zero_to_one });
        }
        Ok(image)
    }

    /// Records the copies of everything seen in the frame to memory that can be mapped.
    pub(super) fn take_observation(&mut self) -> Result<Option<PendingObservation>, BackendError> {
        let Some(observer) = &mut self.observer else { return Ok(None) };
        observer.now += 1;
        observer.keys.clear();
        let unseen = std::mem::take(&mut observer.unseen);
        let (draws, depths) = (std::mem::take(&mut observer.draws), std::mem::take(&mut observer.depths));
        let index_news = std::mem::take(&mut observer.index_news);
        let indices = std::mem::take(&mut observer.index_reads).into_iter().map(|chunk| chunk.buffer).collect();
        let mut spare = std::mem::take(&mut observer.spare);
        let used: Vec<_> =
            observer.store.iter_mut().map(|chunk| (chunk.buffer.clone(), std::mem::take(&mut chunk.used))).collect();
        let (mut stores, mut ops) = (Vec::new(), Vec::new());
        for (src, size) in used {
            if size == 0 {
                stores.push(None);
                continue;
            }
            let found = spare.iter().position(|buffer| buffer.size() == src.size());
            let dst = match found {
                Some(index) => spare.swap_remove(index),
                None => self.read_buffer_of(src.size())?,
            };
            ops.push(Op::CopyBuffer { src, src_offset: 0, dst: dst.clone(), dst_offset: 0, size });
            stores.push(Some((dst, size)));
        }
        if let Some(observer) = &mut self.observer {
            observer.spare = spare;
        }
        let mut depth_reads = Vec::new();
        for now in depths {
            let extent = [now.width, now.height, 1];
            let region = ImageRegion { level: 0, origin: [0; 3], extent, aspect: Aspect::All };
            let image = self.images.get(now.image)?;
            let layout = RowLayout::new(image.format, false, extent);
            let src = image.place(region);
            let buffer = self.read_buffer_of(layout.padded_size())?;
            let dst = layout.place(buffer.clone(), 0);
            ops.push(Op::Download { src, dst, extent: super::copy::extent(extent) });
            depth_reads.push((now, buffer, layout));
        }
        ops.into_iter().for_each(|op| self.push_before_pass(op));
        Ok(Some(PendingObservation { draws, stores, indices, index_news, depths: depth_reads, unseen }))
    }

    /// Hands over what was seen in a frame whose copies are mapped.
    pub(super) fn deliver_observation(&mut self, frame: u64, seen: PendingObservation) -> Result<(), BackendError> {
        let Some(observer) = &mut self.observer else { return Ok(()) };
        let now = observer.now;
        let mapped = |buffer: &wgpu::Buffer| {
            buffer
                .get_mapped_range(..)
                .map_err(|error| BackendError::Internal(format!("observations cannot be mapped: {error}")))
        };
        for new in &seen.index_news {
            let Some(buffer) = seen.indices.get(new.chunk) else { continue };
            let view = mapped(buffer)?;
            let size = if new.key.wide { 4 } else { 2 };
            let end = new.offset as usize + new.key.count as usize * size;
            let bytes = view.get(new.offset as usize..end).unwrap_or_default();
            let data: Arc<[u32]> = if new.key.wide {
                bytes.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b).wrapping_sub(new.min)).collect()
            } else {
                let wide = |b: &[u8; 2]| match u16::from_le_bytes(*b) {
                    u16::MAX => u32::MAX,
                    index => u32::from(index).wrapping_sub(new.min),
                };
                bytes.as_chunks().0.iter().map(wide).collect()
            };
            if let Some(indices) = observer.indices.get_mut(&new.key) {
                indices.data = Some(data);
            }
        }
        let mut positions = Vec::new();
        let mut starts = Vec::new();
        for store in &seen.stores {
            starts.push(positions.len());
            let Some((buffer, size)) = store else { continue };
            let view = mapped(buffer)?;
            let bytes = view.get(..*size as usize).unwrap_or_default();
            positions
                .extend(bytes.as_chunks::<16>().0.iter().map(|bytes| bytemuck::pod_read_unaligned::<[f32; 4]>(bytes)));
        }
        let mut draws = Vec::with_capacity(seen.draws.len());
        for Seen { mut draw, chunk, record, indices } in seen.draws {
            let Some(start) = starts.get(chunk) else { continue };
            let start = start + record as usize;
            draw.positions = start..start + draw.vertices as usize * draw.instances as usize;
            if let Some(key) = indices {
                draw.indices = observer.indices.get(&key).and_then(|indices| indices.data.clone());
                if draw.indices.is_none() {
                    continue;
                }
            }
            draws.push(draw);
        }
        let mut depths = Vec::new();
        for (now, buffer, layout) in &seen.depths {
            let view = mapped(buffer)?;
            let tight = layout.tighten(&view);
            depths.push(ObservedDepth {
                subject: now.subject,
                width: now.width,
                height: now.height,
                pixels: now.pixels,
                values: tight.as_chunks().0.iter().map(|bytes| f32::from_ne_bytes(*bytes)).collect(),
                range: now.range,
                zero_to_one: now.zero_to_one,
            });
        }
        for (buffer, _) in seen.stores.into_iter().flatten() {
            buffer.unmap();
            observer.spare.push(buffer);
        }
        if now.is_multiple_of(KEEP) {
            observer.indices.retain(|_, indices| indices.data.is_none() || indices.used + KEEP > now);
        }
        (observer.sink)(ObservedFrame { frame, draws, positions, depths, unseen: seen.unseen });
        Ok(())
    }
}

impl PendingObservation {
    /// Everything to map.
    pub fn buffers(&self) -> impl Iterator<Item = &wgpu::Buffer> {
        let stores = self.stores.iter().flatten().map(|(buffer, _)| buffer);
        stores.chain(&self.indices).chain(self.depths.iter().map(|(_, buffer, _)| buffer))
    }
}

fn plane(format: StorageFormat, width: u32, height: u32) -> ImageDesc {
    ImageDesc {
        dimension: ImageDimension::D2,
        format,
        width,
        height,
        depth: 1,
        levels: 1,
        samples: 1,
        renderable: true,
    }
}
