//! Getters: what GL answers, as JavaScript values; null when the context is lost.

use deno_core::{op2, v8};

use super::GlContext;
use super::answer::answer;
use super::bytes::uints;
use crate::gl::ParameterValue;

#[op2]
pub fn op_gl_get_parameter<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    name: u32,
) -> v8::Local<'s, v8::Value> {
    let value = gl.call(|c| Some(c.get_parameter(name)));
    answer(scope, gl, value.unwrap_or(ParameterValue::Null))
}

#[op2]
pub fn op_gl_get_indexed_parameter<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    target: u32,
    index: u32,
) -> v8::Local<'s, v8::Value> {
    let value = gl.call(|c| Some(c.get_indexed_parameter(target, index)));
    answer(scope, gl, value.unwrap_or(ParameterValue::Null))
}

#[op2]
pub fn op_gl_get_buffer_parameter<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    target: u32,
    name: u32,
) -> v8::Local<'s, v8::Value> {
    let value = gl.call(|c| Some(c.get_buffer_parameter(target, name)));
    answer(scope, gl, value.unwrap_or(ParameterValue::Null))
}

#[op2]
pub fn op_gl_get_vertex_attrib<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    index: u32,
    name: u32,
) -> v8::Local<'s, v8::Value> {
    let value = gl.call(|c| Some(c.get_vertex_attrib(index, name)));
    answer(scope, gl, value.unwrap_or(ParameterValue::Null))
}

#[op2]
pub fn op_gl_get_tex_parameter<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    target: u32,
    name: u32,
) -> v8::Local<'s, v8::Value> {
    let value = gl.call(|c| Some(c.get_tex_parameter(target, name)));
    answer(scope, gl, value.unwrap_or(ParameterValue::Null))
}

#[op2]
pub fn op_gl_get_sampler_parameter<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    sampler: u32,
    name: u32,
) -> v8::Local<'s, v8::Value> {
    let value = gl.call(|c| Some(c.get_sampler_parameter(sampler, name)));
    answer(scope, gl, value.unwrap_or(ParameterValue::Null))
}

#[op2]
pub fn op_gl_get_framebuffer_attachment_parameter<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    target: u32,
    attachment: u32,
    name: u32,
) -> v8::Local<'s, v8::Value> {
    let value = gl.call(|c| Some(c.get_framebuffer_attachment_parameter(target, attachment, name)));
    answer(scope, gl, value.unwrap_or(ParameterValue::Null))
}

#[op2]
pub fn op_gl_get_renderbuffer_parameter<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    target: u32,
    name: u32,
) -> v8::Local<'s, v8::Value> {
    let value = gl.call(|c| Some(c.get_renderbuffer_parameter(target, name)));
    answer(scope, gl, value.unwrap_or(ParameterValue::Null))
}

#[op2]
pub fn op_gl_get_internalformat_parameter<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    target: u32,
    internal_format: u32,
    name: u32,
) -> v8::Local<'s, v8::Value> {
    let value = gl.call(|c| Some(c.get_internalformat_parameter(target, internal_format, name)));
    answer(scope, gl, value.unwrap_or(ParameterValue::Null))
}

#[op2]
pub fn op_gl_get_program_parameter<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    program: u32,
    name: u32,
) -> v8::Local<'s, v8::Value> {
    let value = gl.call(|c| Some(c.get_program_parameter(program, name)));
    answer(scope, gl, value.unwrap_or(ParameterValue::Null))
}

#[op2]
pub fn op_gl_get_shader_parameter<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    shader: u32,
    name: u32,
) -> v8::Local<'s, v8::Value> {
    let value = gl.call(|c| Some(c.get_shader_parameter(shader, name)));
    answer(scope, gl, value.unwrap_or(ParameterValue::Null))
}

#[op2]
pub fn op_gl_get_active_uniform_block_parameter<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    program: u32,
    index: u32,
    name: u32,
) -> v8::Local<'s, v8::Value> {
    let value = gl.call(|c| Some(c.get_active_uniform_block_parameter(program, index, name)));
    answer(scope, gl, value.unwrap_or(ParameterValue::Null))
}

#[op2]
pub fn op_gl_get_query<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    target: u32,
    name: u32,
) -> v8::Local<'s, v8::Value> {
    let value = gl.call(|c| Some(c.get_query(target, name)));
    answer(scope, gl, value.unwrap_or(ParameterValue::Null))
}

#[op2]
pub fn op_gl_get_query_parameter<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    query: u32,
    name: u32,
) -> v8::Local<'s, v8::Value> {
    let value = gl.call(|c| Some(c.get_query_parameter(query, name)));
    answer(scope, gl, value.unwrap_or(ParameterValue::Null))
}

#[op2]
pub fn op_gl_get_sync_parameter<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    sync: u32,
    name: u32,
) -> v8::Local<'s, v8::Value> {
    let value = gl.call(|c| Some(c.get_sync_parameter(sync, name)));
    answer(scope, gl, value.unwrap_or(ParameterValue::Null))
}

#[op2]
pub fn op_gl_get_active_uniforms<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    program: u32,
    indices: v8::Local<'s, v8::Value>,
    name: u32,
) -> v8::Local<'s, v8::Value> {
    let mut value = ParameterValue::Null;
    gl.call(|c| {
        uints(c, "getActiveUniforms", indices, 0, 0, |c, indices| {
            value = c.get_active_uniforms(program, indices, name)
        });
    });
    answer(scope, gl, value)
}

/// `program` is what script named, `of` the location's program: they must be the same.
#[op2]
pub fn op_gl_get_uniform<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    program: u32,
    of: u32,
    location: i32,
) -> v8::Local<'s, v8::Value> {
    let value = gl.call(|c| Some(c.get_uniform(program, of, location)));
    answer(scope, gl, value.unwrap_or(ParameterValue::Null))
}

#[op2(fast)]
#[number]
pub fn op_gl_get_vertex_attrib_offset(#[cppgc] gl: &GlContext, index: u32, name: u32) -> i64 {
    gl.call(|c| c.get_vertex_attrib_offset(index, name))
}

/// FRAMEBUFFER_UNSUPPORTED when the context is lost.
#[op2(fast)]
pub fn op_gl_check_framebuffer_status(#[cppgc] gl: &GlContext, target: u32) -> u32 {
    gl.call(|c| Some(c.check_framebuffer_status(target))).unwrap_or(crate::gl::constants::FRAMEBUFFER_UNSUPPORTED)
}

/// The object behind the last answer `undefined`: `ObjectKind` times 2^32, plus its name.
#[op2(fast)]
pub fn op_gl_answered_object(#[cppgc] gl: &GlContext) -> f64 {
    let (kind, name) = gl.answered.get();
    f64::from(kind) * 4_294_967_296.0 + f64::from(name)
}
