//! Draws: brings the open pass to the current state, then records the call.

use std::sync::Arc;

use super::buffer::BufferSlot;
use super::context::WgpuBackend;
use super::format::{TexelKind, blend_component, compare, stencil_face, texel_kind, vertex_format};
use super::pass::Item;
use super::pipeline_key::{PipelineKey, RasterKey, VertexSlot, buffer_layouts, strip_code, topology_code, topology_of};
use super::program::Program;
use crate::gl::backend::BackendError;
use crate::gl::command::{Draw, DrawIndexed, Face, IndexFormat, Rect, StepMode, Topology};
use crate::shader::hir::Scalar;

/// One of the two draw commands.
#[derive(Clone, Copy, Debug)]
pub enum Call {
    Arrays(Draw),
    Indexed(DrawIndexed),
}

impl Call {
    pub fn topology(&self) -> Topology {
        match self {
            Call::Arrays(draw) => draw.topology,
            Call::Indexed(draw) => draw.topology,
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Call::Arrays(draw) => draw.count == 0 || draw.instances == 0,
            Call::Indexed(draw) => draw.count == 0 || draw.instances == 0,
        }
    }
}

impl WgpuBackend {
    pub(super) fn draw(&mut self, call: Call) -> Result<(), BackendError> {
        let state = &self.state;
        let nothing_to_hit = !(state.viewport.width > 0.0 && state.viewport.height > 0.0)
            || state.scissor.is_some_and(|rect| rect.width == 0 || rect.height == 0);
        if self.state.dirty.program || self.program.is_none() {
            let id = state.program.ok_or_else(|| BackendError::Internal("a draw without a program".into()))?;
            self.program = Some(self.programs.get(id)?.clone());
        }
        let Some(program) = self.program.clone() else { return Ok(()) };
        let captures = program.layout.feedback_buffers > 0;
        if call.is_empty() || (!captures && (nothing_to_hit || self.state.raster.discard)) {
            return Ok(());
        }
        if captures {
            // The pass before may use the buffers that this draw writes.
            self.close_pass();
        }
        self.ensure_pass()?;
        if self.state.dirty.program {
            let dirty = &mut self.state.dirty;
            (dirty.uniforms, dirty.textures, dirty.blocks, dirty.feedback, dirty.vertex) =
                (true, true, true, true, true);
        }
        self.bind_vertex_buffers(&program)?;
        let index = match call {
            Call::Indexed(_) => Some(self.bind_index_buffer()?),
            Call::Arrays(_) => None,
        };
        self.bind_pipeline(&program, call.topology(), index)?;
        self.bind_groups(&program)?;
        self.set_dynamic_state();
        if self.observer.is_some() && !self.state.raster.discard {
            self.observe_draw(&program, &call)?;
        }
        let Some(pass) = self.open.as_mut() else { return Ok(()) };
        pass.draws += 1;
        pass.items.push(match call {
            Call::Arrays(draw) => Item::Draw {
                first: draw.first,
                count: draw.count,
                first_instance: draw.first_instance,
                instances: draw.instances,
            },
            Call::Indexed(draw) => Item::DrawIndexed {
                first: draw.first_index,
                count: draw.count,
                base_vertex: draw.base_vertex,
                first_instance: draw.first_instance,
                instances: draw.instances,
            },
        });
        if captures {
            self.close_pass();
        }
        Ok(())
    }

    fn bind_index_buffer(&mut self) -> Result<IndexFormat, BackendError> {
        let (id, format) =
            self.state.index.ok_or_else(|| BackendError::Internal("an indexed draw without indices".into()))?;
        if self.state.dirty.index {
            let slot = self.buffers.slot(id)?;
            if let Some(pass) = self.open.as_mut()
                && self.bound.index != Some((slot, format))
            {
                self.buffers.mark(slot, pass.serial);
                self.bound.index = Some((slot, format));
                pass.items.push(Item::IndexBuffer { buffer: slot, format });
            }
            self.state.dirty.index = false;
        }
        Ok(format)
    }

    /// Groups attributes of one buffer into slots, finds the layout's number, binds the buffers.
    fn bind_vertex_buffers(&mut self, program: &Program) -> Result<(), BackendError> {
        if !self.state.dirty.vertex {
            return Ok(());
        }
        self.slots.clear();
        self.key.clear();
        let attributes = &self.state.vertex.attributes;
        for attribute in attributes {
            let size = vertex_format(attribute.format).size();
            let stride = u64::from(attribute.stride);
            let base = attribute.offset & !3;
            // Interleaved attributes come by rising offset nearly always: a slot begins at its first one.
            let found = self.slots.iter().position(|slot| {
                slot.id == attribute.buffer
                    && slot.stride == attribute.stride
                    && slot.step == attribute.step
                    && attribute.offset >= slot.offset
                    && attribute.offset - slot.offset + size <= stride
            });
            let index = match found {
                Some(index) => index,
                None => {
                    self.slots.push(SlotNow {
                        id: attribute.buffer,
                        slot: self.buffers.slot(attribute.buffer)?,
                        offset: base,
                        stride: attribute.stride,
                        step: attribute.step,
                    });
                    self.slots.len() - 1
                }
            };
            let relative = attribute.offset - self.slots[index].offset;
            self.key.push(
                u64::from(attribute.location)
                    | (attribute.format as u64) << 8
                    | (attribute.step as u64) << 16
                    | (index as u64) << 24
                    | u64::from(attribute.stride) << 32,
            );
            self.key.push(relative);
        }
        let missing = |location: u32| !attributes.iter().any(|attribute| attribute.location == location);
        if let Some(attribute) = program.layout.attributes.iter().find(|attribute| missing(attribute.location)) {
            return Err(BackendError::Internal(format!("no data for attribute {}", attribute.location)));
        }
        self.key_now.vertex = match self.vertex_ids.get(&self.key[..]) {
            Some(id) => *id,
            None => self.new_vertex_layout(),
        };
        let Some(pass) = self.open.as_mut() else { return Ok(()) };
        for (number, now) in self.slots.iter().enumerate() {
            let value = Some((now.slot, now.offset));
            if self.bound.vertex.len() <= number {
                self.bound.vertex.resize(number + 1, None);
            }
            if self.bound.vertex[number] != value {
                self.bound.vertex[number] = value;
                self.buffers.mark(now.slot, pass.serial);
                pass.items.push(Item::VertexBuffer { slot: number as u32, buffer: now.slot, offset: now.offset });
            }
        }
        Ok(())
    }

    fn new_vertex_layout(&mut self) -> u32 {
        let mut layout: Vec<VertexSlot> = self
            .slots
            .iter()
            .map(|slot| VertexSlot { stride: slot.stride, step: slot.step, attributes: Vec::new() })
            .collect();
        for (attribute, key) in self.state.vertex.attributes.iter().zip(self.key.chunks_exact(2)) {
            let index = (key[0] >> 24 & 0xff) as usize;
            layout[index].attributes.push(wgpu::VertexAttribute {
                format: vertex_format(attribute.format),
                offset: key[1],
                shader_location: attribute.location,
            });
        }
        let id = self.parts.vertex.intern(&layout);
        self.vertex_ids.insert(self.key[..].into(), id);
        id
    }

    fn bind_pipeline(
        &mut self,
        program: &Arc<Program>,
        topology: Topology,
        index: Option<IndexFormat>,
    ) -> Result<(), BackendError> {
        let state = &self.state;
        let dirty = state.dirty;
        let key = &mut self.key_now;
        key.topology = topology_code(topology);
        key.strip_index = strip_code(topology, index);
        if dirty.pipeline() {
            key.program = program.uid;
            if dirty.raster {
                key.raster = self.parts.raster.intern(&RasterKey::new(&state.raster));
            }
            if dirty.blend {
                key.blend = self.parts.blend.intern(&state.blend);
            }
            if dirty.depth_stencil {
                key.depth_stencil = self.parts.depth_stencil.intern(&state.depth_stencil);
            }
            if dirty.multisample || dirty.targets {
                let multisampled = state.targets.is_some_and(|targets| targets.samples > 1);
                key.alpha_to_coverage = multisampled && state.multisample.alpha_to_coverage;
                key.sample_mask = if multisampled { state.multisample.mask } else { u32::MAX };
            }
        }
        if self.bound.key == Some(*key) {
            return Ok(());
        }
        let key = *key;
        self.bound.key = Some(key);
        let id = match self.pipelines.find(&key) {
            Some(id) => id,
            None => {
                let pipeline = self.make_pipeline(&key, program)?;
                self.pipelines.insert(key, pipeline)
            }
        };
        if self.bound.pipeline != Some(id)
            && let Some(pass) = self.open.as_mut()
        {
            pass.items.push(Item::Pipeline(id));
            self.bound.pipeline = Some(id);
        }
        Ok(())
    }

    fn make_pipeline(&self, key: &PipelineKey, program: &Program) -> Result<wgpu::RenderPipeline, BackendError> {
        let lost = || BackendError::Internal("a pipeline key names unknown state".into());
        let targets = self.parts.targets.get(key.targets).ok_or_else(lost)?;
        let raster = self.parts.raster.get(key.raster).ok_or_else(lost)?;
        let blend = self.parts.blend.get(key.blend).ok_or_else(lost)?;
        let depth_stencil = self.parts.depth_stencil.get(key.depth_stencil).ok_or_else(lost)?;
        let vertex = self.parts.vertex.get(key.vertex).ok_or_else(lost)?;
        let topology = topology_of(key.topology);
        let triangles = key.topology >= 3;

        let buffers = buffer_layouts(vertex);

        let color_targets: Vec<_> = targets
            .colors
            .iter()
            .zip(blend)
            .enumerate()
            .map(|(location, (target, blend))| {
                target.map(|(format, has_alpha)| {
                    let kind = texel_kind(format);
                    let output = program.layout.outputs.iter().find(|output| output.location == location as u32);
                    let fits = output.is_some_and(|output| {
                        matches!(
                            (output.kind, kind),
                            (Scalar::Float, TexelKind::Float)
                                | (Scalar::Int, TexelKind::Sint)
                                | (Scalar::Uint, TexelKind::Uint)
                        )
                    });
                    let mut mask = wgpu::ColorWrites::from_bits_truncate(blend.write_mask.into());
                    if !has_alpha {
                        mask.remove(wgpu::ColorWrites::ALPHA);
                    }
                    if !fits || raster.discard {
                        mask = wgpu::ColorWrites::empty();
                    }
                    let equation = blend.blend.filter(|_| fits && self.is_blendable(format)).map(|(color, alpha)| {
                        wgpu::BlendState {
                            color: blend_component(color, has_alpha),
                            alpha: blend_component(alpha, has_alpha),
                        }
                    });
                    wgpu::ColorTargetState { format, blend: equation, write_mask: mask }
                })
            })
            .collect();

        let depth_stencil = targets.depth.map(|format| {
            let depth = depth_stencil.depth.filter(|_| format.has_depth_aspect() && !raster.discard);
            let stencil = depth_stencil.stencil.filter(|_| targets.stencil && !raster.discard);
            let bias = raster.bias.filter(|_| triangles).map(|bits| bits.map(f32::from_bits));
            wgpu::DepthStencilState {
                format,
                depth_write_enabled: format.has_depth_aspect().then_some(depth.is_some() && depth_stencil.depth_write),
                depth_compare: format.has_depth_aspect().then(|| depth.map_or(wgpu::CompareFunction::Always, compare)),
                stencil: stencil.map_or_else(wgpu::StencilState::default, |stencil| wgpu::StencilState {
                    front: stencil_face(stencil.front),
                    back: stencil_face(stencil.back),
                    read_mask: stencil.read_mask & 0xff,
                    write_mask: stencil.write_mask & 0xff,
                }),
                bias: bias.map_or_else(wgpu::DepthBiasState::default, |[units, factor, clamp]| wgpu::DepthBiasState {
                    constant: bias_units(units),
                    slope_scale: factor,
                    clamp,
                }),
            }
        });

        let clip_control = self.device.features.contains(wgpu::Features::DEPTH_CLIP_CONTROL);
        let lines = self.device.features.contains(wgpu::Features::POLYGON_MODE_LINE);
        Ok(self.device.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(&program.pipeline_layout),
            vertex: wgpu::VertexState {
                module: &program.vertex,
                entry_point: Some("main"),
                compilation_options: Default::default(),
                buffers: &buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology,
                strip_index_format: match key.strip_index {
                    1 => Some(wgpu::IndexFormat::Uint16),
                    2 => Some(wgpu::IndexFormat::Uint32),
                    _ => None,
                },
                front_face: if raster.front_ccw { wgpu::FrontFace::Ccw } else { wgpu::FrontFace::Cw },
                cull_mode: raster.cull.map(|face| match face {
                    Face::Front => wgpu::Face::Front,
                    Face::Back => wgpu::Face::Back,
                }),
                unclipped_depth: raster.depth_clamp && clip_control,
                polygon_mode: if raster.wireframe && triangles && lines {
                    wgpu::PolygonMode::Line
                } else {
                    wgpu::PolygonMode::Fill
                },
                conservative: false,
            },
            depth_stencil,
            multisample: wgpu::MultisampleState {
                count: targets.samples,
                mask: key.sample_mask.into(),
                alpha_to_coverage_enabled: key.alpha_to_coverage
                    && targets
                        .colors
                        .first()
                        .is_some_and(|color| color.is_some_and(|(format, _)| self.is_blendable(format))),
            },
            fragment: Some(wgpu::FragmentState {
                module: &program.fragment,
                entry_point: Some("main"),
                compilation_options: Default::default(),
                targets: &color_targets,
            }),
            multiview_mask: None,
            cache: self.device.cache.cache.as_ref(),
        }))
    }

    fn is_blendable(&self, format: wgpu::TextureFormat) -> bool {
        let features = self.device.adapter.get_texture_format_features(format);
        features.flags.contains(wgpu::TextureFormatFeatureFlags::BLENDABLE)
    }

    fn set_dynamic_state(&mut self) {
        let state = &mut self.state;
        let Some(pass) = self.open.as_mut() else { return };
        if state.dirty.viewport {
            let limit = self.device.limits.max_texture_dimension_2d as f32;
            let viewport = &state.viewport;
            // An empty one gets here only with transform feedback; Vulkan wants it wider than nothing.
            let (width, height) = (viewport.width.clamp(1.0, limit), viewport.height.clamp(1.0, limit));
            let near = viewport.min_depth.clamp(0.0, 1.0);
            pass.items.push(Item::Viewport([
                viewport.x.clamp(-2.0 * limit, 2.0 * limit - 1.0 - width),
                viewport.y.clamp(-2.0 * limit, 2.0 * limit - 1.0 - height),
                width,
                height,
                near,
                viewport.max_depth.clamp(near, 1.0),
            ]));
        }
        if state.dirty.scissor {
            let whole = Rect { x: 0, y: 0, width: pass.width, height: pass.height };
            pass.items.push(Item::Scissor(clip(state.scissor.unwrap_or(whole), pass.width, pass.height)));
        }
        if state.dirty.blend_constant {
            pass.items.push(Item::BlendConstant(state.blend_constant));
        }
        if state.dirty.stencil_reference {
            pass.items.push(Item::StencilReference(state.stencil_reference & 0xff));
        }
        state.dirty = super::state::Dirty { index: state.dirty.index, ..super::state::Dirty::NONE };
    }
}

/// A vertex buffer slot being put together.
#[derive(Clone, Copy, Debug)]
pub struct SlotNow {
    id: crate::gl::command::BufferId,
    slot: BufferSlot,
    offset: u64,
    stride: u32,
    step: StepMode,
}

/// Units are whole in wgpu; an offset that is not nothing must not become nothing.
fn bias_units(units: f32) -> i32 {
    if units != 0.0 && units.abs() < 1.0 { units.signum() as i32 } else { units.round() as i32 }
}

/// `rect` cut to a target.
pub fn clip(rect: Rect, width: u32, height: u32) -> Rect {
    let x = rect.x.min(width);
    let y = rect.y.min(height);
    Rect { x, y, width: rect.width.min(width - x), height: rect.height.min(height - y) }
}
