//! Blending and colour write masks, per draw buffer (OES_draw_buffers_indexed).

use crate::gl::command::{BlendOperation, MAX_COLOR_ATTACHMENTS};
use crate::gl::enums::BlendFactorGl;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlendGlState {
    pub enabled: bool,
    pub equation_rgb: BlendOperation,
    pub equation_alpha: BlendOperation,
    pub src_rgb: BlendFactorGl,
    pub dst_rgb: BlendFactorGl,
    pub src_alpha: BlendFactorGl,
    pub dst_alpha: BlendFactorGl,
    /// Bit 0 = red … bit 3 = alpha.
    pub write_mask: u8,
}

impl Default for BlendGlState {
    fn default() -> Self {
        Self {
            enabled: false,
            equation_rgb: BlendOperation::Add,
            equation_alpha: BlendOperation::Add,
            src_rgb: BlendFactorGl::One,
            dst_rgb: BlendFactorGl::Zero,
            src_alpha: BlendFactorGl::One,
            dst_alpha: BlendFactorGl::Zero,
            write_mask: 0xf,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlendAll {
    pub draw_buffers: [BlendGlState; MAX_COLOR_ATTACHMENTS],
    pub color: [f32; 4],
}
