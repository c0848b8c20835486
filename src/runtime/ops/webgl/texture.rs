//! Textures: parameters, storage, copies.

use deno_core::op2;

use super::GlContext;

#[op2(fast)]
pub fn op_gl_create_texture(#[cppgc] gl: &GlContext) -> u32 {
    gl.call(|c| c.create_texture())
}

#[op2(fast)]
pub fn op_gl_delete_texture(#[cppgc] gl: &GlContext, texture: u32) {
    gl.call(|c| c.delete_texture(texture))
}

#[op2(fast)]
pub fn op_gl_is_texture(#[cppgc] gl: &GlContext, texture: u32) -> bool {
    gl.call(|c| c.is_texture(texture))
}

#[op2(fast)]
pub fn op_gl_bind_texture(#[cppgc] gl: &GlContext, target: u32, texture: u32) {
    gl.call(|c| c.bind_texture(target, texture))
}

#[op2(fast)]
pub fn op_gl_generate_mipmap(#[cppgc] gl: &GlContext, target: u32) {
    gl.call(|c| c.generate_mipmap(target))
}

#[op2(fast)]
pub fn op_gl_tex_parameterf(#[cppgc] gl: &GlContext, target: u32, name: u32, value: f32) {
    gl.call(|c| c.tex_parameterf(target, name, value))
}

#[op2(fast)]
pub fn op_gl_tex_parameteri(#[cppgc] gl: &GlContext, target: u32, name: u32, value: i32) {
    gl.call(|c| c.tex_parameteri(target, name, value))
}

#[op2(fast)]
pub fn op_gl_tex_storage_2d(
    #[cppgc] gl: &GlContext,
    target: u32,
    levels: i32,
    internal_format: u32,
    width: i32,
    height: i32,
) {
    gl.call(|c| c.tex_storage_2d(target, levels, internal_format, width, height))
}

#[op2(fast)]
pub fn op_gl_tex_storage_3d(
    #[cppgc] gl: &GlContext,
    target: u32,
    levels: i32,
    internal_format: u32,
    width: i32,
    height: i32,
    depth: i32,
) {
    gl.call(|c| c.tex_storage_3d(target, levels, internal_format, width, height, depth))
}

#[op2(fast)]
#[allow(clippy::too_many_arguments, reason = "as many as the call has")]
pub fn op_gl_copy_tex_image_2d(
    #[cppgc] gl: &GlContext,
    target: u32,
    level: i32,
    internal_format: u32,
    x: i32,
    y: i32,
    width: i32,
    height: i32,
    border: i32,
) {
    gl.call(|c| c.copy_tex_image_2d(target, level, internal_format, x, y, width, height, border))
}

#[op2(fast)]
#[allow(clippy::too_many_arguments, reason = "as many as the call has")]
pub fn op_gl_copy_tex_sub_image_2d(
    #[cppgc] gl: &GlContext,
    target: u32,
    level: i32,
    x_offset: i32,
    y_offset: i32,
    x: i32,
    y: i32,
    width: i32,
    height: i32,
) {
    gl.call(|c| c.copy_tex_sub_image_2d(target, level, x_offset, y_offset, x, y, width, height))
}

#[op2(fast)]
#[allow(clippy::too_many_arguments, reason = "as many as the call has")]
pub fn op_gl_copy_tex_sub_image_3d(
    #[cppgc] gl: &GlContext,
    target: u32,
    level: i32,
    x_offset: i32,
    y_offset: i32,
    z_offset: i32,
    x: i32,
    y: i32,
    width: i32,
    height: i32,
) {
    gl.call(|c| c.copy_tex_sub_image_3d(target, level, x_offset, y_offset, z_offset, x, y, width, height))
}
