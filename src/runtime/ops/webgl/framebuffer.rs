//! Framebuffers and blits.

use deno_core::{op2, v8};

use super::GlContext;
use super::bytes::uints;

#[op2(fast)]
pub fn op_gl_bind_framebuffer(#[cppgc] gl: &GlContext, target: u32, framebuffer: u32) {
    gl.call(|c| c.bind_framebuffer(target, framebuffer))
}

#[op2(fast)]
pub fn op_gl_bind_renderbuffer(#[cppgc] gl: &GlContext, target: u32, renderbuffer: u32) {
    gl.call(|c| c.bind_renderbuffer(target, renderbuffer))
}

#[op2(fast)]
pub fn op_gl_create_framebuffer(#[cppgc] gl: &GlContext) -> u32 {
    gl.call(|c| c.create_framebuffer())
}

#[op2(fast)]
pub fn op_gl_create_renderbuffer(#[cppgc] gl: &GlContext) -> u32 {
    gl.call(|c| c.create_renderbuffer())
}

#[op2(fast)]
pub fn op_gl_delete_framebuffer(#[cppgc] gl: &GlContext, framebuffer: u32) {
    gl.call(|c| c.delete_framebuffer(framebuffer))
}

#[op2(fast)]
pub fn op_gl_delete_renderbuffer(#[cppgc] gl: &GlContext, renderbuffer: u32) {
    gl.call(|c| c.delete_renderbuffer(renderbuffer))
}

#[op2(fast)]
pub fn op_gl_is_framebuffer(#[cppgc] gl: &GlContext, framebuffer: u32) -> bool {
    gl.call(|c| c.is_framebuffer(framebuffer))
}

#[op2(fast)]
pub fn op_gl_is_renderbuffer(#[cppgc] gl: &GlContext, renderbuffer: u32) -> bool {
    gl.call(|c| c.is_renderbuffer(renderbuffer))
}

#[op2(fast)]
pub fn op_gl_framebuffer_renderbuffer(
    #[cppgc] gl: &GlContext,
    target: u32,
    attachment: u32,
    renderbuffer_target: u32,
    renderbuffer: u32,
) {
    gl.call(|c| c.framebuffer_renderbuffer(target, attachment, renderbuffer_target, renderbuffer))
}

#[op2(fast)]
pub fn op_gl_framebuffer_texture_2d(
    #[cppgc] gl: &GlContext,
    target: u32,
    attachment: u32,
    tex_target: u32,
    texture: u32,
    level: i32,
) {
    gl.call(|c| c.framebuffer_texture_2d(target, attachment, tex_target, texture, level))
}

#[op2(fast)]
pub fn op_gl_framebuffer_texture_layer(
    #[cppgc] gl: &GlContext,
    target: u32,
    attachment: u32,
    texture: u32,
    level: i32,
    layer: i32,
) {
    gl.call(|c| c.framebuffer_texture_layer(target, attachment, texture, level, layer))
}

#[op2(fast)]
pub fn op_gl_renderbuffer_storage(#[cppgc] gl: &GlContext, target: u32, internal_format: u32, width: i32, height: i32) {
    gl.call(|c| c.renderbuffer_storage(target, internal_format, width, height))
}

#[op2(fast)]
pub fn op_gl_renderbuffer_storage_multisample(
    #[cppgc] gl: &GlContext,
    target: u32,
    samples: i32,
    internal_format: u32,
    width: i32,
    height: i32,
) {
    gl.call(|c| c.renderbuffer_storage_multisample(target, samples, internal_format, width, height))
}

#[op2(fast)]
#[allow(clippy::too_many_arguments, reason = "as many as the call has")]
pub fn op_gl_blit_framebuffer(
    #[cppgc] gl: &GlContext,
    src_x0: i32,
    src_y0: i32,
    src_x1: i32,
    src_y1: i32,
    dst_x0: i32,
    dst_y0: i32,
    dst_x1: i32,
    dst_y1: i32,
    mask: u32,
    filter: u32,
) {
    gl.call(|c| c.blit_framebuffer(src_x0, src_y0, src_x1, src_y1, dst_x0, dst_y0, dst_x1, dst_y1, mask, filter))
}

#[op2(fast)]
pub fn op_gl_read_buffer(#[cppgc] gl: &GlContext, source: u32) {
    gl.call(|c| c.read_buffer(source))
}

#[op2(fast)]
pub fn op_gl_invalidate_framebuffer(#[cppgc] gl: &GlContext, target: u32, attachments: v8::Local<v8::Value>) {
    gl.call(|c| uints(c, "invalidateFramebuffer", attachments, 0, 0, |c, list| c.invalidate_framebuffer(target, list)));
}

#[op2(fast)]
pub fn op_gl_invalidate_sub_framebuffer(
    #[cppgc] gl: &GlContext,
    target: u32,
    attachments: v8::Local<v8::Value>,
    x: i32,
    y: i32,
    width: i32,
    height: i32,
) {
    gl.call(|c| {
        uints(c, "invalidateSubFramebuffer", attachments, 0, 0, |c, list| {
            c.invalidate_sub_framebuffer(target, list, x, y, width, height);
        });
    });
}
