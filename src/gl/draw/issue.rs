//! One draw, start to end: check against state, send what is dirty, push the command.

use super::elements::IndexDraw;
use super::resources::Capture;
use super::vertex_input::attribute_needs;
use super::{DrawCall, Source};
use crate::gl::command::{Command, Draw, DrawIndexed, Topology, VertexInput};
use crate::gl::context::Context;
use crate::gl::enums::CullFace;
use crate::gl::error::{GlError, GlResult};
use crate::gl::objects::framebuffer::ResolvedFramebuffer;
use crate::gl::state::dirty::Dirty;
use crate::gl::validate::draw as validate;

impl Context {
    /// Checks and issues one draw. The error is latched by the caller under its own name.
    pub(crate) fn draw(&mut self, call: DrawCall) -> GlResult<()> {
        if self.lost {
            return Ok(());
        }
        let Some(linked) = self.current() else {
            return Err(GlError::invalid_operation("no program is in use"));
        };
        let (mask, kinds) = attribute_needs(linked);
        let framebuffer = self.draw_framebuffer()?;
        if self.draw.targets.as_ref() != Some(&framebuffer.targets) {
            self.draw.targets = Some(framebuffer.targets);
            // Blending, depth and coverage hang on what the targets have; feedback loops on what they are.
            self.state.dirty |= Dirty::BLEND | Dirty::DEPTH_STENCIL | Dirty::MULTISAMPLE | Dirty::TEXTURES;
            self.state.dirty |= Dirty::RENDER_TARGETS;
        }
        let float_blend = self.caps.enabled(crate::gl::caps::Extension::ExtFloatBlend);
        if self.state.dirty.intersects(Dirty::BLEND | Dirty::DEPTH_STENCIL | Dirty::PROGRAM) {
            validate::fixed_function(&self.state, &framebuffer, float_blend)?;
            if let Some(linked) = self.current() {
                validate::outputs(linked.code.reflection(), &framebuffer, self.state.raster.rasterizer_discard)?;
            }
        }
        if self.state.dirty.contains(Dirty::VERTEX_INPUT) {
            self.plan_vertex_input(mask, kinds)?;
            self.check_vertex_step(mask)?;
            self.state.dirty.remove(Dirty::VERTEX_INPUT);
        }
        let capture = self.plan_capture(&call)?;
        let scan = self.check_elements(&call)?;
        self.check_arrays(&call)?;
        if !self.draw.plan.covers_instances(call.base_instance, call.instances) {
            return Err(GlError::invalid_operation("an instance reaches past the end of a vertex array"));
        }
        let nothing = call.source.count() < call.mode.min_vertices() || call.instances == 0;
        if nothing {
            return Ok(());
        }
        if call.base_instance > 0 && self.draw.plan.has_large_divisor {
            self.unsupported("drawArraysInstancedBaseInstanceWEBGL", "base instance with a divisor above one");
            return Ok(());
        }
        let visible = self.send_targets(&framebuffer);
        if !self.prepare(&call, &framebuffer, capture.as_ref())? {
            return Ok(());
        }
        let seen = visible && self.makes_pixels(&call);
        if !seen && capture.is_some() {
            self.discard_next();
        }
        if seen || capture.is_some() {
            self.send_subject();
            self.issue(&call, scan, capture.is_some());
            self.note_drawn();
        }
        if let Some(capture) = &capture {
            self.finish_capture(capture);
        }
        self.submit_if_large();
        Ok(())
    }

    /// A capturing draw that must leave no pixel: discarded, and the true state sent before the next draw.
    fn discard_next(&mut self) {
        if let Some(raster) = &mut self.draw.sent.raster {
            raster.discard = true;
            let raster = *raster;
            self.push(Command::SetRaster(raster));
            self.state.dirty |= Dirty::RASTER;
        }
    }

    fn check_arrays(&self, call: &DrawCall) -> GlResult<()> {
        let Source::Arrays { first, count } = call.source else { return Ok(()) };
        let end = u64::from(first) + u64::from(count);
        if count > 0 && call.instances > 0 && end > self.draw.plan.vertex_limit {
            return Err(GlError::invalid_operation("the draw reaches past the end of a vertex array"));
        }
        Ok(())
    }

    /// Triangles whose both faces are culled and empty viewports leave no pixel.
    fn makes_pixels(&self, call: &DrawCall) -> bool {
        let raster = &self.state.raster;
        let [.., width, height] = raster.viewport;
        let culled = raster.cull_enabled && raster.cull_face == CullFace::FrontAndBack && call.mode.is_triangles();
        width > 0 && height > 0 && !culled
    }

    /// Sends all dirty groups. False: the draw cannot be made (latched as unsupported).
    fn prepare(
        &mut self,
        call: &DrawCall,
        framebuffer: &ResolvedFramebuffer,
        capture: Option<&Capture>,
    ) -> GlResult<bool> {
        let capturing = capture.is_some();
        if capturing && !self.caps.backend.vertex_writable_storage {
            self.unsupported("beginTransformFeedback", "this GPU's vertex shaders cannot write to buffers");
            return Ok(false);
        }
        let variant = self.variant(framebuffer, call, capturing);
        let Some(emitted) = self.emitted(variant) else { return Ok(false) };
        if self.state.dirty.intersects(Dirty::TEXTURES | Dirty::PROGRAM) {
            self.send_textures(&emitted.code, &framebuffer.targets)?;
            self.state.dirty.remove(Dirty::TEXTURES);
        }
        if self.state.dirty.contains(Dirty::UNIFORM_BUFFERS) {
            self.send_uniform_buffers()?;
            self.state.dirty.remove(Dirty::UNIFORM_BUFFERS);
        }
        self.send_fixed_function(framebuffer);
        self.send_program(&emitted);
        self.state.dirty.remove(Dirty::PROGRAM);
        self.send_driver_block(&emitted.code, call, capture);
        self.send_vertex_input();
        if let Some(capture) = capture {
            self.send_feedback_buffers(capture);
        }
        Ok(true)
    }

    fn send_vertex_input(&mut self) {
        let input: &VertexInput = &self.draw.plan.input;
        let sent = &mut self.draw.sent.vertex_input;
        if sent.as_ref() == Some(input) {
            return;
        }
        match sent {
            Some(sent) => sent.attributes.clone_from(&input.attributes),
            None => *sent = Some(input.clone()),
        }
        let input = input.clone();
        self.push(Command::SetVertexInput(input));
    }

    fn issue(&mut self, call: &DrawCall, scan: crate::gl::lower::index::IndexScan, capturing: bool) {
        let flat = self.current().is_some_and(|linked| linked.code.reflection().has_flat_varyings);
        // Captured order is the order of vertices; it outranks the provoking vertex.
        let rotate = flat && !self.state.raster.provoking_first && !capturing;
        match call.source {
            Source::Arrays { first, count } => {
                let native = call.mode.native().filter(|topology| !rotate || *topology == Topology::PointList);
                match native {
                    Some(topology) => self.push(Command::Draw(Draw {
                        topology,
                        first,
                        count,
                        first_instance: call.base_instance,
                        instances: call.instances,
                    })),
                    None => {
                        if let Some(indices) = self.array_indices(call.mode, count, rotate) {
                            self.push_indexed(indices, first as i32, call);
                        }
                    }
                }
            }
            Source::Elements { base_vertex, .. } => {
                if let Some(indices) = self.element_indices(call, scan, rotate) {
                    self.push_indexed(indices, base_vertex, call);
                }
            }
        }
    }

    fn push_indexed(&mut self, indices: IndexDraw, base_vertex: i32, call: &DrawCall) {
        let IndexDraw { id, format, topology, first_index, count, range } = indices;
        if super::sent::changed(&mut self.draw.sent.index, (id, format)) {
            self.push(Command::SetIndexBuffer { id, format });
        }
        self.push(Command::DrawIndexed(DrawIndexed {
            topology,
            first_index,
            count,
            range,
            base_vertex,
            first_instance: call.base_instance,
            instances: call.instances,
        }));
    }
}
