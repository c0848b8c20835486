//! Draw calls and clears of single attachments.

use deno_core::{op2, v8};

use super::GlContext;
use super::bytes::{floats, ints, uints};
use crate::gl::{Context, GlError};

#[op2(fast)]
pub fn op_gl_draw_arrays(#[cppgc] gl: &GlContext, mode: u32, first: i32, count: i32) {
    gl.call(|c| c.draw_arrays(mode, first, count))
}

#[op2(fast)]
pub fn op_gl_draw_elements(#[cppgc] gl: &GlContext, mode: u32, count: i32, ty: u32, #[number] offset: i64) {
    gl.call(|c| c.draw_elements(mode, count, ty, offset))
}

#[op2(fast)]
pub fn op_gl_draw_arrays_instanced(#[cppgc] gl: &GlContext, mode: u32, first: i32, count: i32, instances: i32) {
    gl.call(|c| c.draw_arrays_instanced(mode, first, count, instances))
}

#[op2(fast)]
pub fn op_gl_draw_elements_instanced(
    #[cppgc] gl: &GlContext,
    mode: u32,
    count: i32,
    ty: u32,
    #[number] offset: i64,
    instances: i32,
) {
    gl.call(|c| c.draw_elements_instanced(mode, count, ty, offset, instances))
}

#[op2(fast)]
pub fn op_gl_draw_range_elements(
    #[cppgc] gl: &GlContext,
    mode: u32,
    start: u32,
    end: u32,
    count: i32,
    ty: u32,
    #[number] offset: i64,
) {
    gl.call(|c| c.draw_range_elements(mode, start, end, count, ty, offset))
}

#[op2(fast)]
pub fn op_gl_clear_bufferfi(#[cppgc] gl: &GlContext, buffer: u32, draw_buffer: i32, depth: f32, stencil: i32) {
    gl.call(|c| c.clear_bufferfi(buffer, draw_buffer, depth, stencil))
}

#[op2(fast)]
pub fn op_gl_draw_buffers(#[cppgc] gl: &GlContext, list: v8::Local<v8::Value>) {
    gl.call(|c| uints(c, "drawBuffers", list, 0, 0, |c, buffers| c.draw_buffers(buffers)));
}

/// Elements from `offset` on; INVALID_VALUE if there are none.
fn tail<T>(
    context: &mut Context,
    call: &'static str,
    values: &[T],
    offset: i64,
    clear: impl FnOnce(&mut Context, &[T]),
) {
    match usize::try_from(offset).ok().and_then(|start| values.get(start..)) {
        Some(values) => clear(context, values),
        None => context.errors_mut().latch(call, GlError::invalid_value("srcOffset is out of range")),
    }
}

#[op2(fast)]
pub fn op_gl_clear_bufferfv(
    #[cppgc] gl: &GlContext,
    buffer: u32,
    draw_buffer: i32,
    list: v8::Local<v8::Value>,
    #[number] offset: i64,
) {
    gl.call(|c| {
        floats(c, "clearBufferfv", list, 0, 0, |c, values| {
            tail(c, "clearBufferfv", values, offset, |c, values| c.clear_bufferfv(buffer, draw_buffer, values));
        });
    });
}

#[op2(fast)]
pub fn op_gl_clear_bufferiv(
    #[cppgc] gl: &GlContext,
    buffer: u32,
    draw_buffer: i32,
    list: v8::Local<v8::Value>,
    #[number] offset: i64,
) {
    gl.call(|c| {
        ints(c, "clearBufferiv", list, 0, 0, |c, values| {
            tail(c, "clearBufferiv", values, offset, |c, values| c.clear_bufferiv(buffer, draw_buffer, values));
        });
    });
}

#[op2(fast)]
pub fn op_gl_clear_bufferuiv(
    #[cppgc] gl: &GlContext,
    buffer: u32,
    draw_buffer: i32,
    list: v8::Local<v8::Value>,
    #[number] offset: i64,
) {
    gl.call(|c| {
        uints(c, "clearBufferuiv", list, 0, 0, |c, values| {
            tail(c, "clearBufferuiv", values, offset, |c, values| c.clear_bufferuiv(buffer, draw_buffer, values));
        });
    });
}
