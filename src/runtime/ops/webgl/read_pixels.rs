//! Reading pixels and buffers back into memory of the page.

use deno_core::{op2, v8};

use super::GlContext;
use super::bytes::with_elements_mut;
use crate::gl::GlError;

/// `readPixels` into a view, from element `offset` on.
#[op2(nofast)]
#[allow(clippy::too_many_arguments, reason = "as many as the call has")]
pub fn op_gl_read_pixels(
    scope: &mut v8::PinScope,
    #[cppgc] gl: &GlContext,
    x: i32,
    y: i32,
    width: i32,
    height: i32,
    format: u32,
    ty: u32,
    view: v8::Local<v8::Value>,
    #[number] offset: i64,
) {
    let done = with_elements_mut(scope, view, offset, 0, |kind, out| {
        gl.call(|c| c.read_pixels(x, y, width, height, format, ty, out, kind.into()));
    });
    if done.is_none() {
        gl.call(|c| c.errors_mut().latch("readPixels", GlError::invalid_value("dstOffset is out of range")));
    }
}

/// `readPixels` into the PIXEL_PACK_BUFFER.
#[op2(fast)]
#[allow(clippy::too_many_arguments, reason = "as many as the call has")]
pub fn op_gl_read_pixels_offset(
    #[cppgc] gl: &GlContext,
    x: i32,
    y: i32,
    width: i32,
    height: i32,
    format: u32,
    ty: u32,
    #[number] offset: i64,
) {
    gl.call(|c| c.read_pixels_offset(x, y, width, height, format, ty, offset));
}

/// `getBufferSubData` into a view, from element `dst_offset` on; `length` elements, 0 = the rest.
#[op2(nofast)]
pub fn op_gl_get_buffer_sub_data(
    scope: &mut v8::PinScope,
    #[cppgc] gl: &GlContext,
    target: u32,
    #[number] src_offset: i64,
    view: v8::Local<v8::Value>,
    #[number] dst_offset: i64,
    length: u32,
) {
    let done = with_elements_mut(scope, view, dst_offset, length, |_, out| {
        gl.call(|c| c.get_buffer_sub_data(target, src_offset, out));
    });
    if done.is_none() {
        let error = GlError::invalid_value("dstOffset or length is out of range");
        gl.call(|c| c.errors_mut().latch("getBufferSubData", error));
    }
}
