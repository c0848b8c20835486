//! Shaders and programs.

use deno_core::{op2, v8};

use super::GlContext;
use super::answer::active_info;

#[op2(fast)]
pub fn op_gl_create_program(#[cppgc] gl: &GlContext) -> u32 {
    gl.call(|c| c.create_program())
}

#[op2(fast)]
pub fn op_gl_create_shader(#[cppgc] gl: &GlContext, ty: u32) -> u32 {
    gl.call(|c| c.create_shader(ty))
}

#[op2(fast)]
pub fn op_gl_delete_program(#[cppgc] gl: &GlContext, program: u32) {
    gl.call(|c| c.delete_program(program))
}

#[op2(fast)]
pub fn op_gl_delete_shader(#[cppgc] gl: &GlContext, shader: u32) {
    gl.call(|c| c.delete_shader(shader))
}

#[op2(fast)]
pub fn op_gl_is_program(#[cppgc] gl: &GlContext, program: u32) -> bool {
    gl.call(|c| c.is_program(program))
}

#[op2(fast)]
pub fn op_gl_is_shader(#[cppgc] gl: &GlContext, shader: u32) -> bool {
    gl.call(|c| c.is_shader(shader))
}

#[op2(fast)]
pub fn op_gl_attach_shader(#[cppgc] gl: &GlContext, program: u32, shader: u32) {
    gl.call(|c| c.attach_shader(program, shader))
}

#[op2(fast)]
pub fn op_gl_detach_shader(#[cppgc] gl: &GlContext, program: u32, shader: u32) {
    gl.call(|c| c.detach_shader(program, shader))
}

#[op2(fast)]
pub fn op_gl_compile_shader(#[cppgc] gl: &GlContext, shader: u32) {
    gl.call(|c| c.compile_shader(shader))
}

#[op2(fast)]
pub fn op_gl_link_program(#[cppgc] gl: &GlContext, program: u32) {
    gl.call(|c| c.link_program(program))
}

#[op2(fast)]
pub fn op_gl_use_program(#[cppgc] gl: &GlContext, program: u32) {
    gl.call(|c| c.use_program(program))
}

#[op2(fast)]
pub fn op_gl_validate_program(#[cppgc] gl: &GlContext, program: u32) {
    gl.call(|c| c.validate_program(program))
}

#[op2(fast)]
pub fn op_gl_uniform_block_binding(#[cppgc] gl: &GlContext, program: u32, index: u32, binding: u32) {
    gl.call(|c| c.uniform_block_binding(program, index, binding))
}

#[op2(fast)]
pub fn op_gl_shader_source(#[cppgc] gl: &GlContext, shader: u32, #[string] source: &str) {
    gl.call(|c| c.shader_source(shader, source));
}

#[op2]
#[string]
pub fn op_gl_get_shader_source(#[cppgc] gl: &GlContext, shader: u32) -> Option<String> {
    gl.call(|c| c.get_shader_source(shader))
}

/// WEBGL_debug_shaders: what the back end is given, as text; empty before compilation.
#[op2]
#[string]
pub fn op_gl_get_translated_shader_source(#[cppgc] gl: &GlContext, shader: u32) -> String {
    gl.call(|c| c.get_shader_source(shader)).unwrap_or_default()
}

#[op2]
#[string]
pub fn op_gl_get_shader_info_log(#[cppgc] gl: &GlContext, shader: u32) -> Option<String> {
    gl.call(|c| c.get_shader_info_log(shader))
}

#[op2]
#[string]
pub fn op_gl_get_program_info_log(#[cppgc] gl: &GlContext, program: u32) -> Option<String> {
    gl.call(|c| c.get_program_info_log(program))
}

#[op2(fast)]
pub fn op_gl_bind_attrib_location(#[cppgc] gl: &GlContext, program: u32, index: u32, #[string] name: &str) {
    gl.call(|c| c.bind_attrib_location(program, index, name));
}

#[op2(fast)]
pub fn op_gl_get_attrib_location(#[cppgc] gl: &GlContext, program: u32, #[string] name: &str) -> i32 {
    gl.call(|c| Some(c.get_attrib_location(program, name))).unwrap_or(-1)
}

#[op2(fast)]
pub fn op_gl_get_uniform_location(#[cppgc] gl: &GlContext, program: u32, #[string] name: &str) -> i32 {
    gl.call(|c| Some(c.get_uniform_location(program, name))).unwrap_or(-1)
}

#[op2(fast)]
pub fn op_gl_get_frag_data_location(#[cppgc] gl: &GlContext, program: u32, #[string] name: &str) -> i32 {
    gl.call(|c| Some(c.get_frag_data_location(program, name))).unwrap_or(-1)
}

/// INVALID_INDEX if there is no such block.
#[op2(fast)]
pub fn op_gl_get_uniform_block_index(#[cppgc] gl: &GlContext, program: u32, #[string] name: &str) -> u32 {
    gl.call(|c| Some(c.get_uniform_block_index(program, name))).unwrap_or(u32::MAX)
}

#[op2]
#[string]
pub fn op_gl_get_active_uniform_block_name(#[cppgc] gl: &GlContext, program: u32, index: u32) -> Option<String> {
    gl.call(|c| c.get_active_uniform_block_name(program, index))
}

#[op2]
#[serde]
pub fn op_gl_get_uniform_indices(
    #[cppgc] gl: &GlContext,
    program: u32,
    #[serde] names: Vec<String>,
) -> Option<Vec<u32>> {
    gl.call(|c| c.get_uniform_indices(program, &names))
}

#[op2]
#[serde]
pub fn op_gl_get_attached_shaders(#[cppgc] gl: &GlContext, program: u32) -> Option<Vec<u32>> {
    gl.call(|c| c.get_attached_shaders(program))
}

#[op2]
pub fn op_gl_get_active_attrib<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    program: u32,
    index: u32,
) -> v8::Local<'s, v8::Value> {
    let info = gl.call(|c| c.get_active_attrib(program, index));
    active_info(scope, info)
}

#[op2]
pub fn op_gl_get_active_uniform<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    program: u32,
    index: u32,
) -> v8::Local<'s, v8::Value> {
    let info = gl.call(|c| c.get_active_uniform(program, index));
    active_info(scope, info)
}

#[op2]
pub fn op_gl_get_transform_feedback_varying<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    #[cppgc] gl: &GlContext,
    program: u32,
    index: u32,
) -> v8::Local<'s, v8::Value> {
    let info = gl.call(|c| c.get_transform_feedback_varying(program, index));
    active_info(scope, info)
}

#[op2]
pub fn op_gl_transform_feedback_varyings(
    #[cppgc] gl: &GlContext,
    program: u32,
    #[serde] names: Vec<String>,
    mode: u32,
) {
    gl.call(|c| c.transform_feedback_varyings(program, &names, mode));
}

/// `[rangeMin, rangeMax, precision]`.
#[op2]
#[serde]
pub fn op_gl_get_shader_precision_format(
    #[cppgc] gl: &GlContext,
    shader_type: u32,
    precision_type: u32,
) -> Option<[i32; 3]> {
    gl.call(|c| c.get_shader_precision_format(shader_type, precision_type))
}
