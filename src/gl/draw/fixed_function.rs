//! Fixed-function groups: GL state → command state.

use super::sent::changed;
use crate::gl::command::{
    BlendComponent, BlendFactor, BlendOperation, BlendState, Command, DepthStencilState, Face, MultisampleState,
    RasterState, RenderTargets, StencilFace, StencilState, Viewport,
};
use crate::gl::context::Context;
use crate::gl::enums::{BlendFactorGl, ClipOrigin, CullFace, PolygonMode};
use crate::gl::objects::framebuffer::ResolvedFramebuffer;
use crate::gl::state::blend::{BlendAll, BlendGlState};
use crate::gl::state::depth_stencil::{DepthStencilGl, StencilFaceGl};
use crate::gl::state::dirty::Dirty;
use crate::gl::state::raster::RasterGlState;

impl Context {
    /// Sends the dirty fixed-function groups. `framebuffer` is the one drawn to.
    pub(super) fn send_fixed_function(&mut self, framebuffer: &ResolvedFramebuffer) {
        let dirty = self.state.dirty;
        let (sent, stream) = (&mut self.draw.sent, &mut self.stream);
        if dirty.contains(Dirty::VIEWPORT) {
            let viewport = viewport(&self.state.raster);
            if changed(&mut sent.viewport, viewport) {
                stream.commands.push(Command::SetViewport(viewport));
            }
        }
        if dirty.contains(Dirty::RASTER) {
            let raster = raster(&self.state.raster);
            if changed(&mut sent.raster, raster) {
                stream.commands.push(Command::SetRaster(raster));
            }
        }
        if dirty.contains(Dirty::BLEND) {
            let mut blend = self.state.blend.draw_buffers.map(|state| blend_state(&state));
            // Blending does not apply to integer buffers (ES 3.0 §4.1.7).
            for (state, format) in blend.iter_mut().zip(framebuffer.formats) {
                if format.is_none_or(|format| format.is_integer()) {
                    state.blend = None;
                }
            }
            if changed(&mut sent.blend, blend) {
                stream.commands.push(Command::SetBlend(blend));
            }
            let constant = blend_constant(&self.state.blend);
            if changed(&mut sent.blend_constant, constant) {
                stream.commands.push(Command::SetBlendConstant(constant));
            }
        }
        if dirty.contains(Dirty::DEPTH_STENCIL) {
            let state = &self.state.depth_stencil;
            let depth_stencil = depth_stencil(state, &framebuffer.targets);
            if changed(&mut sent.depth_stencil, depth_stencil) {
                stream.commands.push(Command::SetDepthStencil(depth_stencil));
            }
            let max = (1i32 << framebuffer.stencil_bits().min(8)) - 1;
            let reference = state.front.reference.clamp(0, max) as u32;
            if changed(&mut sent.stencil_reference, reference) {
                stream.commands.push(Command::SetStencilReference(reference));
            }
        }
        if dirty.contains(Dirty::MULTISAMPLE) {
            let multisample = multisample(&self.state.raster, framebuffer.targets.samples);
            if changed(&mut sent.multisample, multisample) {
                stream.commands.push(Command::SetMultisample(multisample));
            }
        }
        self.state
            .dirty
            .remove(Dirty::VIEWPORT | Dirty::RASTER | Dirty::BLEND | Dirty::DEPTH_STENCIL | Dirty::MULTISAMPLE);
    }
}

fn viewport(state: &RasterGlState) -> Viewport {
    let [x, y, width, height] = state.viewport.map(|value| value as f32);
    let [min_depth, max_depth] = state.depth_range;
    Viewport { x, y, width, height, min_depth, max_depth }
}

fn raster(state: &RasterGlState) -> RasterState {
    let wireframe = state.polygon_mode == PolygonMode::Line;
    let offset = if wireframe { state.polygon_offset_line } else { state.polygon_offset_fill };
    let [factor, units, clamp] = state.polygon_offset;
    RasterState {
        front_face_ccw: state.front_face_ccw,
        y_negated: state.clip_origin == ClipOrigin::LowerLeft,
        cull: match state.cull_face {
            _ if !state.cull_enabled => None,
            CullFace::Front => Some(Face::Front),
            CullFace::Back => Some(Face::Back),
            // Triangles are skipped before; lines and points are never culled.
            CullFace::FrontAndBack => None,
        },
        depth_bias: offset.then_some((units, factor, clamp)),
        depth_clamp: state.depth_clamp,
        wireframe,
        discard: state.rasterizer_discard,
    }
}

fn blend_factor(factor: BlendFactorGl) -> BlendFactor {
    match factor {
        BlendFactorGl::Plain(factor) => factor,
        BlendFactorGl::ConstantColor | BlendFactorGl::ConstantAlpha => BlendFactor::Constant,
        BlendFactorGl::OneMinusConstantColor | BlendFactorGl::OneMinusConstantAlpha => BlendFactor::OneMinusConstant,
    }
}

fn blend_component(operation: BlendOperation, src: BlendFactorGl, dst: BlendFactorGl) -> BlendComponent {
    // MIN and MAX ignore the factors; the GPU wants them to be one.
    if matches!(operation, BlendOperation::Min | BlendOperation::Max) {
        return BlendComponent { operation, src: BlendFactor::One, dst: BlendFactor::One };
    }
    BlendComponent { operation, src: blend_factor(src), dst: blend_factor(dst) }
}

fn blend_state(state: &BlendGlState) -> BlendState {
    BlendState {
        blend: state.enabled.then(|| {
            (
                blend_component(state.equation_rgb, state.src_rgb, state.dst_rgb),
                blend_component(state.equation_alpha, state.src_alpha, state.dst_alpha),
            )
        }),
        write_mask: state.write_mask,
    }
}

/// CONSTANT_ALPHA in a colour factor: the constant's alpha in every channel (the alpha channel reads it anyway).
fn blend_constant(blend: &BlendAll) -> [f32; 4] {
    let alpha = blend
        .draw_buffers
        .iter()
        .any(|state| state.enabled && (state.src_rgb.is_constant_alpha() || state.dst_rgb.is_constant_alpha()));
    if alpha { [blend.color[3]; 4] } else { blend.color }
}

fn stencil_face(face: &StencilFaceGl) -> StencilFace {
    StencilFace { compare: face.function, fail: face.fail, depth_fail: face.depth_fail, pass: face.pass }
}

fn depth_stencil(state: &DepthStencilGl, targets: &RenderTargets) -> DepthStencilState {
    let depth = state.depth_test && targets.depth.is_some();
    let stencil = state.stencil_test && targets.stencil.is_some();
    DepthStencilState {
        depth: depth.then_some(state.depth_function),
        depth_write: depth && state.depth_mask,
        stencil: stencil.then(|| StencilState {
            front: stencil_face(&state.front),
            back: stencil_face(&state.back),
            read_mask: state.front.read_mask & 0xff,
            write_mask: state.front.write_mask & 0xff,
        }),
    }
}

fn multisample(state: &RasterGlState, samples: u32) -> MultisampleState {
    let mut mask = u32::MAX;
    if state.sample_coverage_enabled && samples > 1 {
        let covered = (state.sample_coverage_value * samples as f32).round() as u32;
        let all = ((1u64 << samples.min(32)) - 1) as u32;
        mask = ((1u64 << covered.min(samples).min(32)) - 1) as u32;
        if state.sample_coverage_invert {
            mask = !mask & all;
        }
    }
    MultisampleState { alpha_to_coverage: state.sample_alpha_to_coverage && samples > 1, mask }
}
