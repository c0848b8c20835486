//! Validation of buffer calls.

use crate::gl::caps::Limits;
use crate::gl::constants as c;
use crate::gl::enums::BufferTarget;
use crate::gl::error::{GlError, GlResult};
use crate::gl::objects::Objects;
use crate::gl::objects::buffer::BufferKind;

/// Largest data store, in bytes.
const MAX_BUFFER_SIZE: i64 = 1 << 31;

#[inline]
pub fn target(webgl2: bool, target: u32) -> GlResult<BufferTarget> {
    BufferTarget::from_gl(target, webgl2).ok_or_else(|| GlError::invalid_enum("unknown buffer target"))
}

/// WebGL 1 §6.1: a buffer is for indices or for anything else, for life.
#[inline]
pub fn bind(webgl2: bool, objects: &Objects, raw: u32, name: u32) -> GlResult<BufferTarget> {
    let target = target(webgl2, raw)?;
    if name != 0 {
        let Some(buffer) = objects.buffers.get(name).filter(|buffer| !buffer.deleted) else {
            return Err(GlError::invalid_operation("the buffer has been deleted"));
        };
        let fits = match target {
            BufferTarget::ElementArray => buffer.kind != BufferKind::Other,
            BufferTarget::CopyRead | BufferTarget::CopyWrite => true,
            _ => buffer.kind != BufferKind::ElementArray,
        };
        if !fits {
            return Err(GlError::invalid_operation(
                "element array buffers may not be bound to other targets, nor others to it",
            ));
        }
    }
    Ok(target)
}

pub fn usage(webgl2: bool, usage: u32) -> GlResult<()> {
    match usage {
        c::STREAM_DRAW | c::STATIC_DRAW | c::DYNAMIC_DRAW => Ok(()),
        c::STREAM_READ | c::STREAM_COPY | c::STATIC_READ | c::STATIC_COPY | c::DYNAMIC_READ | c::DYNAMIC_COPY
            if webgl2 =>
        {
            Ok(())
        }
        _ => Err(GlError::invalid_enum("unknown buffer usage")),
    }
}

pub fn data_size(size: i64) -> GlResult<usize> {
    if size < 0 {
        return Err(GlError::invalid_value("size is negative"));
    }
    if size > MAX_BUFFER_SIZE {
        return Err(GlError::out_of_memory("the buffer is too large"));
    }
    Ok(size as usize)
}

/// `offset..offset + len` must lie in a store of `size` bytes.
#[inline]
pub fn range(offset: i64, len: u64, size: u64) -> GlResult<u64> {
    let start = u64::try_from(offset).map_err(|_| GlError::invalid_value("offset is negative"))?;
    match start.checked_add(len) {
        Some(end) if end <= size => Ok(start),
        _ => Err(GlError::invalid_value("the range reaches past the end of the buffer")),
    }
}

/// Offset and size of `bindBufferRange` (ES 3.0 §2.10.1.1).
pub fn binding_range(limits: &Limits, target: u32, buffer: u32, offset: i64, size: i64) -> GlResult<(u64, u64)> {
    if buffer == 0 {
        return Ok((0, 0));
    }
    if offset < 0 {
        return Err(GlError::invalid_value("offset is negative"));
    }
    if size <= 0 {
        return Err(GlError::invalid_value("size is not positive"));
    }
    let (offset, size) = (offset as u64, size as u64);
    match target {
        c::TRANSFORM_FEEDBACK_BUFFER if !offset.is_multiple_of(4) || !size.is_multiple_of(4) => {
            Err(GlError::invalid_value("offset and size must be multiples of 4"))
        }
        c::UNIFORM_BUFFER if !offset.is_multiple_of(u64::from(limits.uniform_buffer_offset_alignment)) => {
            Err(GlError::invalid_value("offset is not a multiple of UNIFORM_BUFFER_OFFSET_ALIGNMENT"))
        }
        _ => Ok((offset, size)),
    }
}

pub fn indexed(
    limits: &Limits,
    objects: &Objects,
    target: u32,
    index: u32,
    buffer: u32,
    feedback_active: bool,
) -> GlResult<BufferTarget> {
    let (limit, kind) = match target {
        c::UNIFORM_BUFFER => (limits.max_uniform_buffer_bindings, BufferTarget::Uniform),
        c::TRANSFORM_FEEDBACK_BUFFER => {
            (limits.max_transform_feedback_separate_attribs, BufferTarget::TransformFeedback)
        }
        _ => return Err(GlError::invalid_enum("target must be UNIFORM_BUFFER or TRANSFORM_FEEDBACK_BUFFER")),
    };
    if index >= limit {
        return Err(GlError::invalid_value("index is past the last binding point"));
    }
    if kind == BufferTarget::TransformFeedback && feedback_active {
        return Err(GlError::invalid_operation("transform feedback is active"));
    }
    bind(true, objects, target, buffer)
}
