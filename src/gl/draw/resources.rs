//! What a program needs at a draw: its variant, uniforms, textures, uniform blocks and feedback buffers.

use std::sync::Arc;

use super::sent::{changed, changed_at};
use super::{DrawCall, Source};
use crate::gl::command::{Command, DataRange, RenderTargets, ShaderStage};
use crate::gl::context::Context;
use crate::gl::enums::{ClipDepthMode, ClipOrigin};
use crate::gl::error::{GlError, GlResult};
use crate::gl::format::StorageFormat;
use crate::gl::formats::FormatInfo;
use crate::gl::objects::framebuffer::ResolvedFramebuffer;
use crate::gl::objects::program::{EmittedVariant, Linked};
use crate::gl::state::dirty::Dirty;
use crate::shader::{DriverBlock, ProgramCode, Variant};

impl Context {
    /// The executable draws use: that of the last successful link of the current program.
    pub(super) fn current(&self) -> Option<&Linked> {
        self.objects.programs.get(self.state.bindings.program)?.linked.as_deref()
    }

    pub(super) fn variant(&self, framebuffer: &ResolvedFramebuffer, call: &DrawCall, capture: bool) -> Variant {
        let raster = &self.state.raster;
        let half = |info: &FormatInfo| {
            use StorageFormat as S;
            matches!(info.storage, S::R16Float | S::Rg16Float | S::Rgba16Float)
        };
        let mut round_outputs = 0;
        if self.caps.backend.truncates_half {
            for (location, info) in framebuffer.formats.iter().enumerate() {
                round_outputs |= u8::from(info.is_some_and(half)) << location;
            }
        }
        Variant {
            zero_to_one: raster.clip_depth == ClipDepthMode::ZeroToOne,
            upper_left: raster.clip_origin == ClipOrigin::UpperLeft,
            uint_attributes: self.draw.plan.uint_attributes,
            sint_attributes: self.draw.plan.sint_attributes,
            clip_distances: raster.clip_distances,
            capture_feedback: capture,
            unfilterable: 0,
            round_outputs,
            clip_sides: self.caps.backend.clips_no_lines && call.mode.is_lines(),
            base_instance: call.base_instance > 0,
            observed: self.caps.backend.observes,
        }
    }

    /// Code of the variant, emitted and announced if it is new. `None`: emission failed (latched as unsupported).
    pub(super) fn emitted(&mut self, variant: Variant) -> Option<EmittedVariant> {
        let name = self.state.bindings.program;
        let linked = self.objects.programs.get_mut(name)?.linked.as_deref_mut()?;
        if let Some(found) = linked.variants.get(&variant) {
            return Some(found.clone());
        }
        match linked.code.emit(variant) {
            Ok(code) => {
                let emitted = EmittedVariant { id: self.ids.program(), code: code.clone() };
                linked.fit_blocks(&code);
                linked.variants.insert(variant, emitted.clone());
                self.push(Command::CreateProgram { id: emitted.id, code });
                Some(emitted)
            }
            Err(detail) => {
                self.unsupported("drawArrays/drawElements", detail);
                None
            }
        }
    }

    /// Resolves every texture of the program into `draw.sent`'s successor; latches nothing, sends nothing on error.
    pub(super) fn send_textures(&mut self, code: &Arc<ProgramCode>, targets: &RenderTargets) -> GlResult<()> {
        let mut used = [None; 96];
        for (slot, texture) in code.layout.textures.iter().enumerate() {
            let unit = self.current().and_then(|linked| linked.sampler_units.get(slot).copied()).unwrap_or(0);
            // WebGL 1 §6.10 / ES 3.0 §2.12.6: one unit, one sampler type.
            if let Some(seen) = used.get_mut(unit as usize) {
                if seen.is_some_and(|seen| seen != texture.sampler) {
                    return Err(GlError::invalid_operation("samplers of different types use one texture unit"));
                }
                *seen = Some(texture.sampler);
            }
            let resolved = self.resolve_texture(unit, texture.sampler)?;
            if Self::is_feedback(&resolved.view, targets) {
                return Err(GlError::invalid_operation("a texture is both sampled and drawn to"));
            }
            let view = Self::widest_view(&resolved, targets);
            if changed_at(&mut self.draw.sent.textures, slot, (view, resolved.sampler)) {
                self.push(Command::SetTexture { slot: slot as u32, view, sampler: resolved.sampler });
            }
        }
        Ok(())
    }

    /// ES 3.0 §2.12.6 (uniform buffer object bindings): every active block needs a buffer range that holds it.
    pub(super) fn send_uniform_buffers(&mut self) -> GlResult<()> {
        let Some(linked) = self.objects.programs.get(self.state.bindings.program).and_then(|p| p.linked.as_deref())
        else {
            return Ok(());
        };
        for (slot, block) in linked.code.reflection().uniform_blocks.iter().enumerate() {
            let point = linked.block_bindings.get(slot).copied().unwrap_or(0);
            let binding = self.state.bindings.uniform_buffers.get(point as usize).copied().unwrap_or_default();
            let Some(buffer) = self.objects.buffers.get(binding.buffer) else {
                return Err(GlError::invalid_operation("no buffer is bound for an active uniform block"));
            };
            let rest = buffer.size().saturating_sub(binding.offset);
            let available = if binding.size == 0 { rest } else { rest.min(binding.size) };
            let (Some(id), true) = (buffer.id, available >= u64::from(block.size)) else {
                return Err(GlError::invalid_operation("the buffer bound for a uniform block is too small"));
            };
            // The block's own size: no more is ever read, and ranges that differ only behind it stay equal.
            let size = u64::from(block.size);
            if changed_at(&mut self.draw.sent.uniform_buffers, slot, (id, binding.offset, size)) {
                self.stream.commands.push(Command::SetUniformBuffer {
                    slot: slot as u32,
                    id,
                    offset: binding.offset,
                    size,
                });
            }
        }
        Ok(())
    }

    /// Sends program and default blocks; the driver block as well if the code has one.
    pub(super) fn send_program(&mut self, emitted: &EmittedVariant) {
        if changed(&mut self.draw.sent.program, emitted.id) {
            self.push(Command::SetProgram(emitted.id));
        }
        let stream = self.draw.stream;
        let Some(linked) = self
            .objects
            .programs
            .get_mut(self.state.bindings.program)
            .and_then(|program| program.linked.as_deref_mut())
        else {
            return;
        };
        for (index, stage) in [ShaderStage::Vertex, ShaderStage::Fragment].into_iter().enumerate() {
            let (Some(block), Some(sent)) = (linked.blocks.get(index), self.draw.sent.uniforms.get_mut(index)) else {
                continue;
            };
            if block.words.is_empty() || !changed(sent, (linked.serial, block.version)) {
                continue;
            }
            // A block that this stream holds already is named again, not copied.
            let range = match linked.pushed.get(index) {
                Some(&Some((at, version, range))) if at == stream && version == block.version => range,
                _ => self.stream.push_data(bytemuck::cast_slice(&block.words)),
            };
            if let Some(pushed) = linked.pushed.get_mut(index) {
                *pushed = Some((stream, block.version, range));
            }
            self.stream.commands.push(Command::SetUniforms { stage, data: range });
        }
    }

    /// `gl_DepthRange`, `gl_DrawID`, base values and feedback places, for code that reads them.
    pub(super) fn send_driver_block(&mut self, code: &ProgramCode, call: &DrawCall, capture: Option<&Capture>) {
        if !code.layout.driver_block {
            return;
        }
        let [near, far] = self.state.raster.depth_range;
        let (first, base_vertex) = match call.source {
            Source::Arrays { first, .. } => (first as i32, 0),
            Source::Elements { base_vertex, .. } => (0, base_vertex),
        };
        let base = capture.map_or([0; 4], |capture| capture.word_bases);
        let block = DriverBlock {
            depth_range: [near, far, far - near, 0.0],
            draw_id: call.draw_id,
            base_instance: call.base_instance as i32,
            base_vertex,
            feedback_first: first,
            feedback_vertices: call.source.count() as i32,
            feedback_base: [base[0], base[1], base[2]],
            feedback_base_3: base[3],
            padding: [0; 3],
        };
        if changed(&mut self.draw.sent.driver, block) {
            let data = self.stream.push_data(bytemuck::bytes_of(&block));
            self.push(Command::SetDriverUniforms(data));
        }
    }

    /// Checks room for what the draw captures and says where it goes. `None`: nothing is captured.
    pub(super) fn plan_capture(&mut self, call: &DrawCall) -> GlResult<Option<Capture>> {
        let feedback = self.objects.transform_feedback(self.state.bindings.transform_feedback);
        let Some(active) = feedback.active.filter(|active| !active.paused) else { return Ok(None) };
        if call.mode != active.mode {
            return Err(GlError::invalid_operation("the mode is not that of the active transform feedback"));
        }
        let Source::Arrays { count, .. } = call.source else {
            return Err(GlError::invalid_operation("transform feedback is active: only drawArrays may draw"));
        };
        // Incomplete primitives are not captured.
        let per_primitive = active.mode.min_vertices();
        let vertices = u64::from(count / per_primitive * per_primitive) * u64::from(call.instances);
        let strides = self.current().map(|linked| linked.feedback_strides.clone()).unwrap_or_default();
        let mut capture = Capture { vertices, primitives: vertices / u64::from(per_primitive), ..Capture::default() };
        for (slot, stride) in strides.iter().enumerate() {
            let Some(binding) = feedback.bindings.get(slot) else { break };
            let buffer = self.objects.buffers.get(binding.buffer);
            let (Some(id), Some(size)) = (buffer.and_then(|buffer| buffer.id), buffer.map(|buffer| buffer.size()))
            else {
                return Err(GlError::invalid_operation("a transform feedback binding has no buffer"));
            };
            let arrays = &self.objects.vertex_array(self.state.bindings.vertex_array).attributes;
            if arrays.iter().any(|array| array.enabled && array.buffer == binding.buffer) {
                return Err(GlError::invalid_operation("a vertex array reads a buffer that transform feedback writes"));
            }
            let rest = size.saturating_sub(binding.offset);
            let room = if binding.size == 0 { rest } else { rest.min(binding.size) };
            let start = active.vertices.saturating_mul(u64::from(*stride));
            if vertices.saturating_mul(u64::from(*stride)).saturating_add(start) > room {
                return Err(GlError::invalid_operation("transform feedback does not fit into its buffers"));
            }
            if let (Some(base), Some(target)) = (capture.word_bases.get_mut(slot), capture.buffers.get_mut(slot)) {
                *base = ((binding.offset + start) / 4) as i32;
                *target = Some((binding.buffer, id, size));
            }
        }
        Ok(Some(capture))
    }

    /// Binds the feedback buffers, whole: storage bindings are aligned more coarsely than GL's ranges.
    pub(super) fn send_feedback_buffers(&mut self, capture: &Capture) {
        for (slot, target) in capture.buffers.iter().enumerate() {
            let Some((_, id, size)) = *target else { continue };
            let size = size & !3;
            if self.draw.sent.feedback.get_mut(slot).is_some_and(|sent| changed(sent, (id, 0, size))) {
                self.push(Command::SetFeedbackBuffer { slot: slot as u32, id, offset: 0, size });
            }
        }
    }

    /// After the draw: positions advance, buffers are no longer what the CPU wrote.
    pub(super) fn finish_capture(&mut self, capture: &Capture) {
        for (name, ..) in capture.buffers.into_iter().flatten() {
            self.mark_gpu_written(name);
        }
        let query = self.state.bindings.queries.primitives_written;
        if let Some(query) = self.objects.queries.get_mut(query) {
            let count = u64::from(query.result.unwrap_or(0)) + capture.primitives;
            query.result = Some(u32::try_from(count).unwrap_or(u32::MAX));
        }
        let feedback = self.objects.transform_feedback_mut(self.state.bindings.transform_feedback);
        if let Some(active) = &mut feedback.active {
            active.vertices = active.vertices.saturating_add(capture.vertices);
        }
        self.state.dirty |= Dirty::FEEDBACK;
    }
}

/// What one draw captures.
#[derive(Clone, Debug, Default)]
pub struct Capture {
    pub vertices: u64,
    pub primitives: u64,
    /// Name, GPU id and size of each target.
    pub buffers: [Option<(u32, crate::gl::command::BufferId, u64)>; 4],
    pub word_bases: [i32; 4],
}

/// Where a stage's block lies in the arena: stream, version, range.
pub type PushedBlock = Option<(u64, u64, DataRange)>;
