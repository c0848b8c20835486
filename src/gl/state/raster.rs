//! Viewport, scissor, culling, polygon offset, coverage and the caps around them.

use crate::gl::enums::{ClipDepthMode, ClipOrigin, CullFace, PolygonMode};

#[derive(Clone, Debug, PartialEq)]
pub struct RasterGlState {
    /// x, y, width, height; sizes ≥ 0, already clamped to MAX_VIEWPORT_DIMS.
    pub viewport: [i32; 4],
    pub depth_range: [f32; 2],
    pub scissor_test: bool,
    pub scissor: [i32; 4],
    pub front_face_ccw: bool,
    pub cull_enabled: bool,
    pub cull_face: CullFace,
    pub polygon_offset_fill: bool,
    pub polygon_offset_line: bool,
    /// factor, units, clamp.
    pub polygon_offset: [f32; 3],
    pub polygon_mode: PolygonMode,
    pub depth_clamp: bool,
    pub rasterizer_discard: bool,
    pub line_width: f32,
    pub sample_alpha_to_coverage: bool,
    pub sample_coverage_enabled: bool,
    pub sample_coverage_value: f32,
    pub sample_coverage_invert: bool,
    pub dither: bool,
    pub clip_origin: ClipOrigin,
    pub clip_depth: ClipDepthMode,
    /// WEBGL_clip_cull_distance enables, bit per distance.
    pub clip_distances: u8,
    pub generate_mipmap_hint: u32,
    pub fragment_derivative_hint: u32,
    pub provoking_first: bool,
}

impl RasterGlState {
    pub fn new(width: u32, height: u32) -> Self {
        let full = [0, 0, width as i32, height as i32];
        Self {
            viewport: full,
            depth_range: [0.0, 1.0],
            scissor_test: false,
            scissor: full,
            front_face_ccw: true,
            cull_enabled: false,
            cull_face: CullFace::Back,
            polygon_offset_fill: false,
            polygon_offset_line: false,
            polygon_offset: [0.0; 3],
            polygon_mode: PolygonMode::Fill,
            depth_clamp: false,
            rasterizer_discard: false,
            line_width: 1.0,
            sample_alpha_to_coverage: false,
            sample_coverage_enabled: false,
            sample_coverage_value: 1.0,
            sample_coverage_invert: false,
            dither: true,
            clip_origin: ClipOrigin::LowerLeft,
            clip_depth: ClipDepthMode::NegativeOneToOne,
            clip_distances: 0,
            generate_mipmap_hint: crate::gl::constants::DONT_CARE,
            fragment_derivative_hint: crate::gl::constants::DONT_CARE,
            provoking_first: false,
        }
    }
}
