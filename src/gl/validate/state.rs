//! Validation of fixed-function state.

use crate::gl::caps::{Caps, Extension};
use crate::gl::command::{BlendOperation, StencilOperation};
use crate::gl::constants as c;
use crate::gl::enums::BlendFactorGl;
use crate::gl::error::{GlError, GlResult};

/// What `enable` switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    Blend,
    CullFace,
    DepthTest,
    StencilTest,
    Dither,
    PolygonOffsetFill,
    PolygonOffsetLine,
    SampleAlphaToCoverage,
    SampleCoverage,
    ScissorTest,
    RasterizerDiscard,
    DepthClamp,
    ClipDistance(u8),
}

#[inline]
pub fn capability(caps: &Caps, webgl2: bool, cap: u32) -> GlResult<Capability> {
    Ok(match cap {
        c::BLEND => Capability::Blend,
        c::CULL_FACE => Capability::CullFace,
        c::DEPTH_TEST => Capability::DepthTest,
        c::STENCIL_TEST => Capability::StencilTest,
        c::DITHER => Capability::Dither,
        c::POLYGON_OFFSET_FILL => Capability::PolygonOffsetFill,
        c::SAMPLE_ALPHA_TO_COVERAGE => Capability::SampleAlphaToCoverage,
        c::SAMPLE_COVERAGE => Capability::SampleCoverage,
        c::SCISSOR_TEST => Capability::ScissorTest,
        c::RASTERIZER_DISCARD if webgl2 => Capability::RasterizerDiscard,
        c::DEPTH_CLAMP_EXT if caps.enabled(Extension::ExtDepthClamp) => Capability::DepthClamp,
        c::POLYGON_OFFSET_LINE_WEBGL if caps.enabled(Extension::WebglPolygonMode) => Capability::PolygonOffsetLine,
        c::CLIP_DISTANCE0_WEBGL..=c::CLIP_DISTANCE7_WEBGL if caps.enabled(Extension::WebglClipCullDistance) => {
            Capability::ClipDistance((cap - c::CLIP_DISTANCE0_WEBGL) as u8)
        }
        _ => return Err(GlError::invalid_enum("unknown capability")),
    })
}

pub fn blend_equation(mode: u32, min_max: bool) -> Option<BlendOperation> {
    Some(match mode {
        c::FUNC_ADD => BlendOperation::Add,
        c::FUNC_SUBTRACT => BlendOperation::Subtract,
        c::FUNC_REVERSE_SUBTRACT => BlendOperation::ReverseSubtract,
        c::MIN if min_max => BlendOperation::Min,
        c::MAX if min_max => BlendOperation::Max,
        _ => return None,
    })
}

/// WebGL 1 §6.13: constant colour and constant alpha may not meet as source and destination factors.
pub fn blend_factors(raw: [u32; 4], dual_source: bool, webgl2: bool) -> GlResult<[BlendFactorGl; 4]> {
    let mut factors = [BlendFactorGl::One; 4];
    for (i, (factor, raw)) in factors.iter_mut().zip(raw).enumerate() {
        *factor =
            BlendFactorGl::from_gl(raw, dual_source).ok_or_else(|| GlError::invalid_enum("unknown blend factor"))?;
        let destination = i % 2 == 1;
        if destination && raw == c::SRC_ALPHA_SATURATE && !webgl2 {
            return Err(GlError::invalid_enum("SRC_ALPHA_SATURATE is not a destination factor"));
        }
    }
    let [src, dst, ..] = factors;
    if (src.is_constant_color() && dst.is_constant_alpha()) || (src.is_constant_alpha() && dst.is_constant_color()) {
        return Err(GlError::invalid_operation("constant colour and constant alpha may not be used together"));
    }
    Ok(factors)
}

/// Bit 0 = red … bit 3 = alpha.
pub fn color_mask(red: bool, green: bool, blue: bool, alpha: bool) -> u8 {
    u8::from(red) | u8::from(green) << 1 | u8::from(blue) << 2 | u8::from(alpha) << 3
}

pub fn stencil_operation(raw: u32) -> Option<StencilOperation> {
    Some(match raw {
        c::KEEP => StencilOperation::Keep,
        c::ZERO => StencilOperation::Zero,
        c::REPLACE => StencilOperation::Replace,
        c::INVERT => StencilOperation::Invert,
        c::INCR => StencilOperation::IncrementClamp,
        c::DECR => StencilOperation::DecrementClamp,
        c::INCR_WRAP => StencilOperation::IncrementWrap,
        c::DECR_WRAP => StencilOperation::DecrementWrap,
        _ => return None,
    })
}

pub fn stencil_operation_to_gl(operation: StencilOperation) -> u32 {
    match operation {
        StencilOperation::Keep => c::KEEP,
        StencilOperation::Zero => c::ZERO,
        StencilOperation::Replace => c::REPLACE,
        StencilOperation::Invert => c::INVERT,
        StencilOperation::IncrementClamp => c::INCR,
        StencilOperation::DecrementClamp => c::DECR,
        StencilOperation::IncrementWrap => c::INCR_WRAP,
        StencilOperation::DecrementWrap => c::DECR_WRAP,
    }
}
