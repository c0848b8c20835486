//! Buffer objects.

use deno_core::{op2, v8};

use super::GlContext;
use super::bytes::with_elements;

#[op2(fast)]
pub fn op_gl_create_buffer(#[cppgc] gl: &GlContext) -> u32 {
    gl.call(|c| c.create_buffer())
}

#[op2(fast)]
pub fn op_gl_delete_buffer(#[cppgc] gl: &GlContext, buffer: u32) {
    gl.call(|c| c.delete_buffer(buffer))
}

#[op2(fast)]
pub fn op_gl_is_buffer(#[cppgc] gl: &GlContext, buffer: u32) -> bool {
    gl.call(|c| c.is_buffer(buffer))
}

#[op2(fast)]
pub fn op_gl_bind_buffer(#[cppgc] gl: &GlContext, target: u32, buffer: u32) {
    gl.call(|c| c.bind_buffer(target, buffer))
}

#[op2(fast)]
pub fn op_gl_bind_buffer_base(#[cppgc] gl: &GlContext, target: u32, index: u32, buffer: u32) {
    gl.call(|c| c.bind_buffer_base(target, index, buffer))
}

#[op2(fast)]
pub fn op_gl_bind_buffer_range(
    #[cppgc] gl: &GlContext,
    target: u32,
    index: u32,
    buffer: u32,
    #[number] offset: i64,
    #[number] size: i64,
) {
    gl.call(|c| c.bind_buffer_range(target, index, buffer, offset, size))
}

#[op2(fast)]
pub fn op_gl_copy_buffer_sub_data(
    #[cppgc] gl: &GlContext,
    read_target: u32,
    write_target: u32,
    #[number] read_offset: i64,
    #[number] write_offset: i64,
    #[number] size: i64,
) {
    gl.call(|c| c.copy_buffer_sub_data(read_target, write_target, read_offset, write_offset, size))
}

#[op2(fast)]
pub fn op_gl_buffer_data_size(#[cppgc] gl: &GlContext, target: u32, #[number] size: i64, usage: u32) {
    gl.call(|c| c.buffer_data_size(target, size, usage));
}

/// `offset` and `length` count elements of the view; 0 = to the end.
#[op2(fast)]
pub fn op_gl_buffer_data(
    #[cppgc] gl: &GlContext,
    target: u32,
    data: v8::Local<v8::Value>,
    usage: u32,
    #[number] offset: i64,
    length: u32,
) {
    gl.call(|c| {
        with_elements(c, "bufferData", data, offset, length, |c, bytes| c.buffer_data(target, bytes, usage));
    });
}

#[op2(fast)]
pub fn op_gl_buffer_sub_data(
    #[cppgc] gl: &GlContext,
    target: u32,
    #[number] destination: i64,
    data: v8::Local<v8::Value>,
    #[number] offset: i64,
    length: u32,
) {
    gl.call(|c| {
        with_elements(c, "bufferSubData", data, offset, length, |c, bytes| {
            c.buffer_sub_data(target, destination, bytes)
        });
    });
}
