//! Stores positions: a pass of points, recorded ahead of the pass that draws them, with the same buffers and groups.

use super::super::bind::Binds;
use super::super::context::WgpuBackend;
use super::super::pass::{DepthTarget, Item, Pass, PassAttachment};
use super::super::pipeline_key::{PipelineKey, TargetsKey, buffer_layouts};
use super::super::program::{CaptureStage, GroupLayout, Program};
use super::{CHUNK, CaptureNew, Chunk, RECORD, Range, Shared, plane};
use crate::gl::backend::BackendError;
use crate::gl::format::StorageFormat;
use crate::shader::program::{GROUP_FEEDBACK, PositionBlock};

/// `PipelineKey::topology` of captures.
const CAPTURE_CODE: u8 = 5;

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

impl WgpuBackend {
    /// Records the capture of a draw that is bound and about to be recorded in the open pass.
    pub(super) fn store_positions(
        &mut self,
        program: &Program,
        capture: &CaptureStage,
        range: &Range,
        (positions, before): (Shared, Option<Shared>),
    ) -> Result<(), BackendError> {
        let records = u64::from(range.vertices) * u64::from(range.instances);
        let (chunk, record) = self.store_place(records)?;
        let first_in_instance = if program.layout.driver_block { 0 } else { range.first_instance };
        let block = PositionBlock {
            first_vertex: range.first as i32,
            vertices: range.vertices as i32,
            first_instance: first_in_instance as i32,
            base: record as i32,
        };
        let place = self.ring.push(&self.device.device, bytemuck::bytes_of(&block));
        let group = self.capture_group(&capture.group, chunk, place.chunk)?;
        let pipeline = self.capture_pipeline(program)?;
        self.push_capture(pipeline, (group, place.offset), range)?;
        if let Some(observer) = &mut self.observer {
            observer.news.push(CaptureNew { positions, before, chunk, record, records });
        }
        Ok(())
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
        let buffers = buffer_layouts(vertex);
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
    fn push_capture(&mut self, pipeline: u32, (group, offset): (u32, u32), range: &Range) -> Result<(), BackendError> {
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
        pass.items.push(Item::Draw {
            first: range.first,
            count: range.vertices,
            first_instance: range.first_instance,
            instances: range.instances,
        });
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
}
