//! `blitFramebuffer`: rules of ES 3.0 §4.3.3 and WebGL 2 §3.7.4.

use crate::gl::command::{Filter, MAX_COLOR_ATTACHMENTS, Rect};
use crate::gl::constants as c;
use crate::gl::error::{GlError, GlResult};
use crate::gl::formats::{ComponentClass, FormatInfo};
use crate::gl::objects::framebuffer::ResolvedFramebuffer;

/// Buffers to copy, as asked for and as there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    pub color: bool,
    pub depth: bool,
    pub stencil: bool,
    pub filter: Filter,
}

fn kind(info: &FormatInfo) -> u8 {
    match info.class {
        ComponentClass::Uint => 1,
        ComponentClass::Sint => 2,
        _ => 0,
    }
}

/// Checks mask, filter, formats and samples.
pub fn plan(
    read: &ResolvedFramebuffer,
    draw: &ResolvedFramebuffer,
    src: [i32; 4],
    dst: [i32; 4],
    mask: u32,
    filter: u32,
) -> GlResult<Plan> {
    if mask & !(c::COLOR_BUFFER_BIT | c::DEPTH_BUFFER_BIT | c::STENCIL_BUFFER_BIT) != 0 {
        return Err(GlError::invalid_value("invalid blit mask"));
    }
    let filter = match filter {
        c::NEAREST => Filter::Nearest,
        c::LINEAR => Filter::Linear,
        _ => return Err(GlError::invalid_enum("invalid filter")),
    };
    let depth_stencil = mask & (c::DEPTH_BUFFER_BIT | c::STENCIL_BUFFER_BIT) != 0;
    if depth_stencil && filter == Filter::Linear {
        return Err(GlError::invalid_operation("depth and stencil are blitted with NEAREST"));
    }
    if draw.targets.samples > 1 {
        return Err(GlError::invalid_operation("the draw framebuffer is multisampled"));
    }
    let multisampled = read.targets.samples > 1;
    let mut plan = Plan { color: false, depth: false, stencil: false, filter };
    if mask & c::COLOR_BUFFER_BIT != 0
        && let Some((source, from)) = read.read
    {
        for index in 0..MAX_COLOR_ATTACHMENTS {
            let (Some(target), Some(to)) = (draw.formats[index], draw.targets.colors[index]) else { continue };
            if kind(source) != kind(target) {
                return Err(GlError::invalid_operation("colour buffers of different kinds"));
            }
            if multisampled && source.gl != target.gl {
                return Err(GlError::invalid_operation("a resolving blit needs equal formats"));
            }
            if (from.image, from.level, from.layer) == (to.image, to.level, to.layer) {
                return Err(GlError::invalid_operation("source and destination are the same image"));
            }
            plan.color = true;
        }
        if plan.color && filter == Filter::Linear && source.is_integer() {
            return Err(GlError::invalid_operation("integer buffers are blitted with NEAREST"));
        }
    }
    if mask & c::DEPTH_BUFFER_BIT != 0
        && let (Some(source), Some(target)) = (read.depth, draw.depth)
    {
        same_depth_stencil(source, target)?;
        plan.depth = true;
    }
    if mask & c::STENCIL_BUFFER_BIT != 0
        && let (Some(source), Some(target)) = (read.stencil, draw.stencil)
    {
        same_depth_stencil(source, target)?;
        plan.stencil = true;
    }
    let shared = |from: Option<crate::gl::command::Attachment>, to: Option<crate::gl::command::Attachment>| {
        from.zip(to).is_some_and(|(from, to)| (from.image, from.level, from.layer) == (to.image, to.level, to.layer))
    };
    if (plan.depth && shared(read.targets.depth, draw.targets.depth))
        || (plan.stencil && shared(read.targets.stencil, draw.targets.stencil))
    {
        return Err(GlError::invalid_operation("source and destination are the same image"));
    }
    if multisampled && (plan.color || plan.depth || plan.stencil) && src != dst {
        return Err(GlError::invalid_operation("a resolving blit can neither scale nor move"));
    }
    Ok(plan)
}

fn same_depth_stencil(source: &FormatInfo, target: &FormatInfo) -> GlResult<()> {
    if source.storage == target.storage {
        Ok(())
    } else {
        Err(GlError::invalid_operation("depth and stencil formats differ"))
    }
}

/// Refuses rectangles whose sides do not fit an i32 (WebGL 2 §3.7.4).
pub fn rectangle(rect: [i32; 4]) -> GlResult<()> {
    let [x0, y0, x1, y1] = rect;
    if x1.checked_sub(x0).and_then(i32::checked_abs).is_none()
        || y1.checked_sub(y0).and_then(i32::checked_abs).is_none()
    {
        return Err(GlError::invalid_value("a rectangle's side does not fit"));
    }
    Ok(())
}

/// The part of the destination that gets pixels: inside the target, the scissor, and the image of the source's
/// bounds. `None`: nothing.
pub fn destination_scissor(
    src: [i32; 4],
    dst: [i32; 4],
    source_size: [u32; 2],
    target_size: [u32; 2],
    scissor: Option<Rect>,
) -> Option<Rect> {
    let mut low = [0u32; 2];
    let mut high = [0u32; 2];
    for axis in 0..2 {
        let (s0, s1) = (i64::from(src[axis]), i64::from(src[axis + 2]));
        let (d0, d1) = (i64::from(dst[axis]), i64::from(dst[axis + 2]));
        if s0 == s1 || d0 == d1 {
            return None;
        }
        let size = i64::from(source_size[axis]);
        // A destination pixel centre d + ½ reads source position s0 + (d + ½ − d0)·(s1 − s0)/(d1 − d0); it counts if
        // that lies in [0, size). Doubled to stay with integers.
        let reads_inside = |d: i64| {
            let [s0, s1, d0, d1, d, size] = [s0, s1, d0, d1, d, size].map(i128::from);
            let position = 2 * s0 * (d1 - d0) + (2 * (d - d0) + 1) * (s1 - s0);
            let (position, scale) = if d1 > d0 { (position, d1 - d0) } else { (-position, d0 - d1) };
            position >= 0 && position < 2 * size * scale
        };
        let (mut first, mut last) = (d0.min(d1).max(0), d0.max(d1).min(i64::from(target_size[axis])));
        if let Some(rect) = scissor {
            let (origin, extent) = if axis == 0 { (rect.x, rect.width) } else { (rect.y, rect.height) };
            first = first.max(i64::from(origin));
            last = last.min(i64::from(origin) + i64::from(extent));
        }
        // At most a target's side of steps.
        while first < last && !reads_inside(first) {
            first += 1;
        }
        while first < last && !reads_inside(last - 1) {
            last -= 1;
        }
        if first >= last {
            return None;
        }
        (low[axis], high[axis]) = (first as u32, last as u32);
    }
    Some(Rect { x: low[0], y: low[1], width: high[0] - low[0], height: high[1] - low[1] })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x: u32, y: u32, width: u32, height: u32) -> Option<Rect> {
        Some(Rect { x, y, width, height })
    }

    #[test]
    fn pixels_outside_either_side_are_left_alone() {
        // Plain copy, cut by both images.
        assert_eq!(destination_scissor([-2, 0, 6, 8], [0, 0, 8, 8], [4, 8], [8, 8], None), rect(2, 0, 4, 8));
        // Twofold: source texel 0 covers destination 0 and 1.
        assert_eq!(destination_scissor([-1, 0, 3, 4], [0, 0, 8, 4], [2, 4], [8, 8], None), rect(2, 0, 4, 4));
        // Flipped in x.
        assert_eq!(destination_scissor([0, 0, 8, 8], [8, 0, 0, 8], [6, 8], [8, 8], None), rect(2, 0, 6, 8));
        // Scissor.
        assert_eq!(
            destination_scissor([0, 0, 8, 8], [0, 0, 8, 8], [8, 8], [8, 8], rect(4, 4, 100, 2)),
            rect(4, 4, 4, 2)
        );
        assert_eq!(destination_scissor([0, 0, 0, 8], [0, 0, 8, 8], [8, 8], [8, 8], None), None);
        // The longest sides there are.
        let far = i32::MAX;
        assert_eq!(destination_scissor([0, 0, far, 8], [0, 0, far, 8], [8, 8], [8, 8], None), rect(0, 0, 8, 8));
        assert_eq!(destination_scissor([-far, 0, 0, 8], [0, 0, far, 8], [8, 8], [8, 8], None), None);
        assert_eq!(destination_scissor([20, 0, 28, 8], [0, 0, 8, 8], [8, 8], [8, 8], None), None);
    }
}
