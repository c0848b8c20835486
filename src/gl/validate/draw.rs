//! Validation of draws: their arguments, and the state WebGL forbids at a draw.

use crate::gl::caps::{Caps, Extension};
use crate::gl::draw::Source;
use crate::gl::enums::{IndexType, PrimitiveMode};
use crate::gl::error::{GlError, GlResult};
use crate::gl::formats::ComponentClass;
use crate::gl::objects::framebuffer::ResolvedFramebuffer;
use crate::gl::state::State;
use crate::shader::Reflection;
use crate::shader::hir::Scalar;

#[inline]
pub fn mode(mode: u32) -> GlResult<PrimitiveMode> {
    PrimitiveMode::from_gl(mode).ok_or_else(|| GlError::invalid_enum("unknown primitive mode"))
}

#[inline]
fn size(value: i32, negative: &'static str) -> GlResult<u32> {
    u32::try_from(value).map_err(|_| GlError::invalid_value(negative))
}

#[inline]
pub fn instances(count: i32) -> GlResult<u32> {
    size(count, "instanceCount is negative")
}

#[inline]
pub fn arrays(first: i32, count: i32) -> GlResult<Source> {
    let (first, count) = (size(first, "first is negative")?, size(count, "count is negative")?);
    // WebGL 1 §5.14.11: overflowing sums are out of range.
    if first.checked_add(count).is_none_or(|end| end > i32::MAX as u32) {
        return Err(GlError::invalid_operation("first + count is too large"));
    }
    Ok(Source::Arrays { first, count })
}

#[inline]
pub fn elements(caps: &Caps, webgl2: bool, count: i32, ty: u32, offset: i64, base_vertex: i32) -> GlResult<Source> {
    let count = size(count, "count is negative")?;
    let wide = webgl2 || caps.enabled(Extension::OesElementIndexUint);
    let Some(ty) = IndexType::from_gl(ty).filter(|ty| wide || *ty != IndexType::U32) else {
        return Err(GlError::invalid_enum("unknown index type"));
    };
    let offset = u64::try_from(offset).map_err(|_| GlError::invalid_value("offset is negative"))?;
    if !offset.is_multiple_of(ty.size()) {
        return Err(GlError::invalid_operation("offset is not a multiple of the size of the index type"));
    }
    Ok(Source::Elements { count, ty, offset, base_vertex })
}

/// WebGL 1 §6.11 and §6.13, EXT_float_blend.
pub fn fixed_function(state: &State, framebuffer: &ResolvedFramebuffer, float_blend: bool) -> GlResult<()> {
    let (depth_stencil, bits) = (&state.depth_stencil, framebuffer.stencil_bits().min(8));
    if depth_stencil.stencil_test && bits > 0 {
        let mask = (1u32 << bits) - 1;
        let (front, back) = (&depth_stencil.front, &depth_stencil.back);
        let clamp = |reference: i32| reference.clamp(0, mask as i32);
        if front.read_mask & mask != back.read_mask & mask
            || front.write_mask & mask != back.write_mask & mask
            || clamp(front.reference) != clamp(back.reference)
        {
            return Err(GlError::invalid_operation("front and back stencil masks or references differ"));
        }
    }
    let mut constants = (false, false);
    for (blend, format) in state.blend.draw_buffers.iter().zip(framebuffer.formats) {
        let (true, Some(format)) = (blend.enabled, format) else { continue };
        if format.class == ComponentClass::Float && format.bits.red == 32 && !float_blend {
            return Err(GlError::invalid_operation("blending into 32-bit float needs EXT_float_blend"));
        }
        for factor in [blend.src_rgb, blend.dst_rgb] {
            constants.0 |= factor.is_constant_color();
            constants.1 |= factor.is_constant_alpha();
        }
    }
    if constants == (true, true) {
        return Err(GlError::invalid_operation("constant colour and constant alpha may not be used together"));
    }
    Ok(())
}

/// WebGL 2: what the fragment shader writes must fit the colour buffers' types.
pub fn outputs(reflection: &Reflection, framebuffer: &ResolvedFramebuffer, discard: bool) -> GlResult<()> {
    if discard {
        return Ok(());
    }
    for output in &reflection.outputs {
        for location in output.location..output.location + output.array_len.max(1) {
            let Some(Some(format)) = framebuffer.formats.get(location as usize) else { continue };
            let wanted = match format.class {
                ComponentClass::Uint => Scalar::Uint,
                ComponentClass::Sint => Scalar::Int,
                _ => Scalar::Float,
            };
            if output.kind != wanted {
                return Err(GlError::invalid_operation("a fragment output's type does not fit its colour buffer"));
            }
        }
    }
    Ok(())
}
