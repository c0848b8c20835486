//! Fixed-function state: caps, raster, blend, depth, stencil (WebGL 1 §5.14.3, WebGL 2 and its extensions).

use crate::gl::caps::Extension;
use crate::gl::command::{BlendOperation, CompareFunction, StencilOperation};
use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::enums::{ClipDepthMode, ClipOrigin, CullFace, PolygonMode, compare_function_from_gl};
use crate::gl::error::GlError;
use crate::gl::state::blend::BlendGlState;
use crate::gl::state::depth_stencil::StencilFaceGl;
use crate::gl::state::dirty::Dirty;
use crate::gl::validate::state as validate;
use crate::gl::validate::state::Capability;

impl Context {
    pub fn enable(&mut self, cap: u32) {
        self.set_capability("enable", cap, true);
    }

    pub fn disable(&mut self, cap: u32) {
        self.set_capability("disable", cap, false);
    }

    fn set_capability(&mut self, call: &'static str, cap: u32, on: bool) {
        let cap = match validate::capability(&self.caps, self.is_webgl2(), cap) {
            Ok(cap) => cap,
            Err(error) => return self.fail(call, error),
        };
        let raster = &mut self.state.raster;
        let (flag, dirty) = match cap {
            Capability::Blend => {
                let changed = self.state.blend.draw_buffers.iter().any(|buffer| buffer.enabled != on);
                if changed {
                    self.state.blend.draw_buffers.iter_mut().for_each(|buffer| buffer.enabled = on);
                    self.state.dirty |= Dirty::BLEND;
                }
                return;
            }
            Capability::ClipDistance(index) => {
                let mask = if on { raster.clip_distances | 1 << index } else { raster.clip_distances & !(1 << index) };
                if raster.clip_distances != mask {
                    raster.clip_distances = mask;
                    self.state.dirty |= Dirty::PROGRAM;
                }
                return;
            }
            Capability::CullFace => (&mut raster.cull_enabled, Dirty::RASTER),
            Capability::DepthTest => (&mut self.state.depth_stencil.depth_test, Dirty::DEPTH_STENCIL),
            Capability::StencilTest => (&mut self.state.depth_stencil.stencil_test, Dirty::DEPTH_STENCIL),
            Capability::Dither => (&mut raster.dither, Dirty::empty()),
            Capability::PolygonOffsetFill => (&mut raster.polygon_offset_fill, Dirty::RASTER),
            Capability::PolygonOffsetLine => (&mut raster.polygon_offset_line, Dirty::RASTER),
            Capability::SampleAlphaToCoverage => (&mut raster.sample_alpha_to_coverage, Dirty::MULTISAMPLE),
            Capability::SampleCoverage => (&mut raster.sample_coverage_enabled, Dirty::MULTISAMPLE),
            Capability::ScissorTest => (&mut raster.scissor_test, Dirty::SCISSOR),
            Capability::RasterizerDiscard => (&mut raster.rasterizer_discard, Dirty::RASTER),
            Capability::DepthClamp => (&mut raster.depth_clamp, Dirty::RASTER),
        };
        if *flag != on {
            *flag = on;
            self.state.dirty |= dirty;
        }
    }

    pub fn is_enabled(&mut self, cap: u32) -> bool {
        let cap = match validate::capability(&self.caps, self.is_webgl2(), cap) {
            Ok(cap) => cap,
            Err(error) => {
                self.fail("isEnabled", error);
                return false;
            }
        };
        let (raster, depth_stencil) = (&self.state.raster, &self.state.depth_stencil);
        match cap {
            Capability::Blend => self.state.blend.draw_buffers[0].enabled,
            Capability::ClipDistance(index) => raster.clip_distances >> index & 1 != 0,
            Capability::CullFace => raster.cull_enabled,
            Capability::DepthTest => depth_stencil.depth_test,
            Capability::StencilTest => depth_stencil.stencil_test,
            Capability::Dither => raster.dither,
            Capability::PolygonOffsetFill => raster.polygon_offset_fill,
            Capability::PolygonOffsetLine => raster.polygon_offset_line,
            Capability::SampleAlphaToCoverage => raster.sample_alpha_to_coverage,
            Capability::SampleCoverage => raster.sample_coverage_enabled,
            Capability::ScissorTest => raster.scissor_test,
            Capability::RasterizerDiscard => raster.rasterizer_discard,
            Capability::DepthClamp => raster.depth_clamp,
        }
    }

    // --- raster --------------------------------------------------------------------------------

    pub fn viewport(&mut self, x: i32, y: i32, width: i32, height: i32) {
        if width < 0 || height < 0 {
            return self.fail("viewport", GlError::invalid_value("width or height is negative"));
        }
        let max = self.caps.limits.max_viewport_dims as i32;
        let new = [x, y, width.min(max), height.min(max)];
        if self.state.raster.viewport != new {
            self.state.raster.viewport = new;
            self.state.dirty |= Dirty::VIEWPORT;
        }
    }

    pub fn depth_range(&mut self, near: f32, far: f32) {
        // WebGL 1 §6.12.
        if near > far {
            return self.fail("depthRange", GlError::invalid_operation("near is greater than far"));
        }
        let clamp = |value: f32| if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
        let new = [clamp(near), clamp(far)];
        if self.state.raster.depth_range != new {
            self.state.raster.depth_range = new;
            self.state.dirty |= Dirty::VIEWPORT;
        }
    }

    pub fn scissor(&mut self, x: i32, y: i32, width: i32, height: i32) {
        if width < 0 || height < 0 {
            return self.fail("scissor", GlError::invalid_value("width or height is negative"));
        }
        let new = [x, y, width, height];
        if self.state.raster.scissor != new {
            self.state.raster.scissor = new;
            self.state.dirty |= Dirty::SCISSOR;
        }
    }

    pub fn cull_face(&mut self, mode: u32) {
        let Some(face) = CullFace::from_gl(mode) else {
            return self.fail("cullFace", GlError::invalid_enum("unknown face"));
        };
        if self.state.raster.cull_face != face {
            self.state.raster.cull_face = face;
            self.state.dirty |= Dirty::RASTER;
        }
    }

    pub fn front_face(&mut self, mode: u32) {
        let ccw = match mode {
            c::CCW => true,
            c::CW => false,
            _ => return self.fail("frontFace", GlError::invalid_enum("mode must be CW or CCW")),
        };
        if self.state.raster.front_face_ccw != ccw {
            self.state.raster.front_face_ccw = ccw;
            self.state.dirty |= Dirty::RASTER;
        }
    }

    pub fn line_width(&mut self, width: f32) {
        if width.is_nan() || width <= 0.0 {
            return self.fail("lineWidth", GlError::invalid_value("width is not positive"));
        }
        self.state.raster.line_width = width;
    }

    pub fn polygon_offset(&mut self, factor: f32, units: f32) {
        self.set_polygon_offset(factor, units, 0.0);
    }

    /// EXT_polygon_offset_clamp.
    pub fn polygon_offset_clamp(&mut self, factor: f32, units: f32, clamp: f32) {
        self.set_polygon_offset(factor, units, clamp);
    }

    fn set_polygon_offset(&mut self, factor: f32, units: f32, clamp: f32) {
        let finite = |value: f32| if value.is_nan() { 0.0 } else { value };
        let new = [finite(factor), finite(units), finite(clamp)];
        if self.state.raster.polygon_offset != new {
            self.state.raster.polygon_offset = new;
            self.state.dirty |= Dirty::RASTER;
        }
    }

    /// WEBGL_polygon_mode.
    pub fn polygon_mode(&mut self, face: u32, mode: u32) {
        if face != c::FRONT_AND_BACK {
            return self.fail("polygonModeWEBGL", GlError::invalid_enum("face must be FRONT_AND_BACK"));
        }
        let mode = match mode {
            c::FILL_WEBGL => PolygonMode::Fill,
            c::LINE_WEBGL => PolygonMode::Line,
            _ => return self.fail("polygonModeWEBGL", GlError::invalid_enum("unknown polygon mode")),
        };
        self.state.raster.polygon_mode = mode;
        self.state.dirty |= Dirty::RASTER;
    }

    /// EXT_clip_control.
    pub fn clip_control(&mut self, origin: u32, depth: u32) {
        let origin = match origin {
            c::LOWER_LEFT_EXT => ClipOrigin::LowerLeft,
            c::UPPER_LEFT_EXT => ClipOrigin::UpperLeft,
            _ => return self.fail("clipControlEXT", GlError::invalid_enum("unknown origin")),
        };
        let depth = match depth {
            c::NEGATIVE_ONE_TO_ONE_EXT => ClipDepthMode::NegativeOneToOne,
            c::ZERO_TO_ONE_EXT => ClipDepthMode::ZeroToOne,
            _ => return self.fail("clipControlEXT", GlError::invalid_enum("unknown depth mode")),
        };
        let raster = &mut self.state.raster;
        if (raster.clip_origin, raster.clip_depth) != (origin, depth) {
            (raster.clip_origin, raster.clip_depth) = (origin, depth);
            self.state.dirty |= Dirty::PROGRAM | Dirty::RASTER | Dirty::VIEWPORT;
        }
    }

    /// WEBGL_provoking_vertex.
    pub fn provoking_vertex(&mut self, mode: u32) {
        self.state.raster.provoking_first = match mode {
            c::FIRST_VERTEX_CONVENTION_WEBGL => true,
            c::LAST_VERTEX_CONVENTION_WEBGL => false,
            _ => return self.fail("provokingVertexWEBGL", GlError::invalid_enum("unknown convention")),
        };
    }

    pub fn sample_coverage(&mut self, value: f32, invert: bool) {
        let value = if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
        self.state.raster.sample_coverage_value = value;
        self.state.raster.sample_coverage_invert = invert;
        self.state.dirty |= Dirty::MULTISAMPLE;
    }

    pub fn hint(&mut self, target: u32, mode: u32) {
        if !matches!(mode, c::DONT_CARE | c::FASTEST | c::NICEST) {
            return self.fail("hint", GlError::invalid_enum("unknown hint mode"));
        }
        let derivatives = self.is_webgl2() || self.caps.enabled(Extension::OesStandardDerivatives);
        match target {
            c::GENERATE_MIPMAP_HINT => self.state.raster.generate_mipmap_hint = mode,
            c::FRAGMENT_SHADER_DERIVATIVE_HINT if derivatives => self.state.raster.fragment_derivative_hint = mode,
            _ => self.fail("hint", GlError::invalid_enum("unknown hint")),
        }
    }

    // --- blend ---------------------------------------------------------------------------------

    pub fn blend_color(&mut self, red: f32, green: f32, blue: f32, alpha: f32) {
        let new = [red, green, blue, alpha];
        if self.state.blend.color != new {
            self.state.blend.color = new;
            self.state.dirty |= Dirty::BLEND;
        }
    }

    fn update_blend(&mut self, buffer: Option<usize>, change: impl Fn(&mut BlendGlState)) {
        let buffers = &mut self.state.blend.draw_buffers;
        let old = *buffers;
        match buffer {
            Some(index) => buffers.get_mut(index).map(&change).unwrap_or_default(),
            None => buffers.iter_mut().for_each(&change),
        }
        if *buffers != old {
            self.state.dirty |= Dirty::BLEND;
        }
    }

    pub fn blend_equation(&mut self, mode: u32) {
        self.set_blend_equation("blendEquation", None, mode, mode);
    }

    pub fn blend_equation_separate(&mut self, rgb: u32, alpha: u32) {
        self.set_blend_equation("blendEquationSeparate", None, rgb, alpha);
    }

    fn set_blend_equation(&mut self, call: &'static str, buffer: Option<usize>, rgb: u32, alpha: u32) {
        let min_max = self.is_webgl2() || self.caps.enabled(Extension::ExtBlendMinmax);
        let equations = (validate::blend_equation(rgb, min_max), validate::blend_equation(alpha, min_max));
        let (Some(rgb), Some(alpha)) = equations else {
            return self.fail(call, GlError::invalid_enum("unknown blend equation"));
        };
        self.update_blend(buffer, |state| (state.equation_rgb, state.equation_alpha) = (rgb, alpha));
    }

    pub fn blend_func(&mut self, src: u32, dst: u32) {
        self.set_blend_func("blendFunc", None, [src, dst, src, dst]);
    }

    pub fn blend_func_separate(&mut self, src_rgb: u32, dst_rgb: u32, src_alpha: u32, dst_alpha: u32) {
        self.set_blend_func("blendFuncSeparate", None, [src_rgb, dst_rgb, src_alpha, dst_alpha]);
    }

    fn set_blend_func(&mut self, call: &'static str, buffer: Option<usize>, raw: [u32; 4]) {
        let dual_source = self.caps.enabled(Extension::ExtBlendFuncExtended);
        match validate::blend_factors(raw, dual_source, self.is_webgl2()) {
            Ok([src_rgb, dst_rgb, src_alpha, dst_alpha]) => self.update_blend(buffer, |state| {
                state.src_rgb = src_rgb;
                state.dst_rgb = dst_rgb;
                state.src_alpha = src_alpha;
                state.dst_alpha = dst_alpha;
            }),
            Err(error) => self.fail(call, error),
        }
    }

    pub fn color_mask(&mut self, red: bool, green: bool, blue: bool, alpha: bool) {
        let mask = validate::color_mask(red, green, blue, alpha);
        self.update_blend(None, |state| state.write_mask = mask);
    }

    // OES_draw_buffers_indexed

    fn draw_buffer_index(&mut self, call: &'static str, index: u32) -> Option<usize> {
        if index < self.caps.limits.max_draw_buffers {
            return Some(index as usize);
        }
        self.fail(call, GlError::invalid_value("index is not below MAX_DRAW_BUFFERS"));
        None
    }

    pub fn enable_i(&mut self, target: u32, index: u32) {
        self.set_indexed_blend("enableiOES", target, index, true);
    }

    pub fn disable_i(&mut self, target: u32, index: u32) {
        self.set_indexed_blend("disableiOES", target, index, false);
    }

    fn set_indexed_blend(&mut self, call: &'static str, target: u32, index: u32, on: bool) {
        if target != c::BLEND {
            return self.fail(call, GlError::invalid_enum("target must be BLEND"));
        }
        if let Some(index) = self.draw_buffer_index(call, index) {
            self.update_blend(Some(index), |state| state.enabled = on);
        }
    }

    pub fn blend_equation_i(&mut self, index: u32, mode: u32) {
        if let Some(index) = self.draw_buffer_index("blendEquationiOES", index) {
            self.set_blend_equation("blendEquationiOES", Some(index), mode, mode);
        }
    }

    pub fn blend_equation_separate_i(&mut self, index: u32, rgb: u32, alpha: u32) {
        if let Some(index) = self.draw_buffer_index("blendEquationSeparateiOES", index) {
            self.set_blend_equation("blendEquationSeparateiOES", Some(index), rgb, alpha);
        }
    }

    pub fn blend_func_i(&mut self, index: u32, src: u32, dst: u32) {
        if let Some(index) = self.draw_buffer_index("blendFunciOES", index) {
            self.set_blend_func("blendFunciOES", Some(index), [src, dst, src, dst]);
        }
    }

    pub fn blend_func_separate_i(&mut self, index: u32, src_rgb: u32, dst_rgb: u32, src_alpha: u32, dst_alpha: u32) {
        if let Some(index) = self.draw_buffer_index("blendFuncSeparateiOES", index) {
            self.set_blend_func("blendFuncSeparateiOES", Some(index), [src_rgb, dst_rgb, src_alpha, dst_alpha]);
        }
    }

    pub fn color_mask_i(&mut self, index: u32, red: bool, green: bool, blue: bool, alpha: bool) {
        if let Some(index) = self.draw_buffer_index("colorMaskiOES", index) {
            let mask = validate::color_mask(red, green, blue, alpha);
            self.update_blend(Some(index), |state| state.write_mask = mask);
        }
    }

    // --- depth and stencil -----------------------------------------------------------------------

    pub fn depth_func(&mut self, function: u32) {
        let Some(function) = compare_function_from_gl(function) else {
            return self.fail("depthFunc", GlError::invalid_enum("unknown comparison function"));
        };
        if self.state.depth_stencil.depth_function != function {
            self.state.depth_stencil.depth_function = function;
            self.state.dirty |= Dirty::DEPTH_STENCIL;
        }
    }

    pub fn depth_mask(&mut self, on: bool) {
        if self.state.depth_stencil.depth_mask != on {
            self.state.depth_stencil.depth_mask = on;
            self.state.dirty |= Dirty::DEPTH_STENCIL;
        }
    }

    fn update_stencil(&mut self, face: CullFace, change: impl Fn(&mut StencilFaceGl)) {
        let old = self.state.depth_stencil;
        if face.has_front() {
            change(&mut self.state.depth_stencil.front);
        }
        if face.has_back() {
            change(&mut self.state.depth_stencil.back);
        }
        if self.state.depth_stencil != old {
            self.state.dirty |= Dirty::DEPTH_STENCIL;
        }
    }

    pub fn stencil_func(&mut self, function: u32, reference: i32, mask: u32) {
        self.stencil_func_for("stencilFunc", c::FRONT_AND_BACK, function, reference, mask);
    }

    pub fn stencil_func_separate(&mut self, face: u32, function: u32, reference: i32, mask: u32) {
        self.stencil_func_for("stencilFuncSeparate", face, function, reference, mask);
    }

    fn stencil_func_for(&mut self, call: &'static str, face: u32, function: u32, reference: i32, mask: u32) {
        let parsed: (Option<CullFace>, Option<CompareFunction>) =
            (CullFace::from_gl(face), compare_function_from_gl(function));
        let (Some(face), Some(function)) = parsed else {
            return self.fail(call, GlError::invalid_enum("unknown face or comparison function"));
        };
        self.update_stencil(face, |state| {
            (state.function, state.reference, state.read_mask) = (function, reference, mask);
        });
    }

    pub fn stencil_mask(&mut self, mask: u32) {
        self.update_stencil(CullFace::FrontAndBack, |state| state.write_mask = mask);
    }

    pub fn stencil_mask_separate(&mut self, face: u32, mask: u32) {
        match CullFace::from_gl(face) {
            Some(face) => self.update_stencil(face, |state| state.write_mask = mask),
            None => self.fail("stencilMaskSeparate", GlError::invalid_enum("unknown face")),
        }
    }

    pub fn stencil_op(&mut self, fail: u32, depth_fail: u32, pass: u32) {
        self.stencil_op_for("stencilOp", c::FRONT_AND_BACK, [fail, depth_fail, pass]);
    }

    pub fn stencil_op_separate(&mut self, face: u32, fail: u32, depth_fail: u32, pass: u32) {
        self.stencil_op_for("stencilOpSeparate", face, [fail, depth_fail, pass]);
    }

    fn stencil_op_for(&mut self, call: &'static str, face: u32, raw: [u32; 3]) {
        let parsed: (Option<CullFace>, [Option<StencilOperation>; 3]) =
            (CullFace::from_gl(face), raw.map(validate::stencil_operation));
        let (Some(face), [Some(fail), Some(depth_fail), Some(pass)]) = parsed else {
            return self.fail(call, GlError::invalid_enum("unknown face or stencil operation"));
        };
        self.update_stencil(face, |state| {
            (state.fail, state.depth_fail, state.pass) = (fail, depth_fail, pass);
        });
    }
}

/// Equations to GL, for the getters.
pub(crate) fn blend_operation_to_gl(operation: BlendOperation) -> u32 {
    match operation {
        BlendOperation::Add => c::FUNC_ADD,
        BlendOperation::Subtract => c::FUNC_SUBTRACT,
        BlendOperation::ReverseSubtract => c::FUNC_REVERSE_SUBTRACT,
        BlendOperation::Min => c::MIN,
        BlendOperation::Max => c::MAX,
    }
}
