//! State calls.

use deno_core::op2;

use super::GlContext;

#[op2(fast)]
pub fn op_gl_active_texture(#[cppgc] gl: &GlContext, texture: u32) {
    gl.call(|c| c.active_texture(texture))
}

#[op2(fast)]
pub fn op_gl_blend_color(#[cppgc] gl: &GlContext, red: f32, green: f32, blue: f32, alpha: f32) {
    gl.call(|c| c.blend_color(red, green, blue, alpha))
}

#[op2(fast)]
pub fn op_gl_blend_equation(#[cppgc] gl: &GlContext, mode: u32) {
    gl.call(|c| c.blend_equation(mode))
}

#[op2(fast)]
pub fn op_gl_blend_equation_separate(#[cppgc] gl: &GlContext, mode_r_g_b: u32, mode_alpha: u32) {
    gl.call(|c| c.blend_equation_separate(mode_r_g_b, mode_alpha))
}

#[op2(fast)]
pub fn op_gl_blend_func(#[cppgc] gl: &GlContext, sfactor: u32, dfactor: u32) {
    gl.call(|c| c.blend_func(sfactor, dfactor))
}

#[op2(fast)]
pub fn op_gl_blend_func_separate(
    #[cppgc] gl: &GlContext,
    src_r_g_b: u32,
    dst_r_g_b: u32,
    src_alpha: u32,
    dst_alpha: u32,
) {
    gl.call(|c| c.blend_func_separate(src_r_g_b, dst_r_g_b, src_alpha, dst_alpha))
}

#[op2(fast)]
pub fn op_gl_clear(#[cppgc] gl: &GlContext, mask: u32) {
    gl.call(|c| c.clear(mask))
}

#[op2(fast)]
pub fn op_gl_clear_color(#[cppgc] gl: &GlContext, red: f32, green: f32, blue: f32, alpha: f32) {
    gl.call(|c| c.clear_color(red, green, blue, alpha))
}

#[op2(fast)]
pub fn op_gl_clear_depth(#[cppgc] gl: &GlContext, depth: f32) {
    gl.call(|c| c.clear_depth(depth))
}

#[op2(fast)]
pub fn op_gl_clear_stencil(#[cppgc] gl: &GlContext, s: i32) {
    gl.call(|c| c.clear_stencil(s))
}

#[op2(fast)]
pub fn op_gl_color_mask(#[cppgc] gl: &GlContext, red: bool, green: bool, blue: bool, alpha: bool) {
    gl.call(|c| c.color_mask(red, green, blue, alpha))
}

#[op2(fast)]
pub fn op_gl_cull_face(#[cppgc] gl: &GlContext, mode: u32) {
    gl.call(|c| c.cull_face(mode))
}

#[op2(fast)]
pub fn op_gl_depth_func(#[cppgc] gl: &GlContext, func: u32) {
    gl.call(|c| c.depth_func(func))
}

#[op2(fast)]
pub fn op_gl_depth_mask(#[cppgc] gl: &GlContext, flag: bool) {
    gl.call(|c| c.depth_mask(flag))
}

#[op2(fast)]
pub fn op_gl_depth_range(#[cppgc] gl: &GlContext, z_near: f32, z_far: f32) {
    gl.call(|c| c.depth_range(z_near, z_far))
}

#[op2(fast)]
pub fn op_gl_disable(#[cppgc] gl: &GlContext, cap: u32) {
    gl.call(|c| c.disable(cap))
}

#[op2(fast)]
pub fn op_gl_enable(#[cppgc] gl: &GlContext, cap: u32) {
    gl.call(|c| c.enable(cap))
}

#[op2(fast)]
pub fn op_gl_finish(#[cppgc] gl: &GlContext) {
    gl.call(|c| c.finish())
}

#[op2(fast)]
pub fn op_gl_flush(#[cppgc] gl: &GlContext) {
    gl.call(|c| c.flush())
}

#[op2(fast)]
pub fn op_gl_front_face(#[cppgc] gl: &GlContext, mode: u32) {
    gl.call(|c| c.front_face(mode))
}

#[op2(fast)]
pub fn op_gl_hint(#[cppgc] gl: &GlContext, target: u32, mode: u32) {
    gl.call(|c| c.hint(target, mode))
}

#[op2(fast)]
pub fn op_gl_is_enabled(#[cppgc] gl: &GlContext, cap: u32) -> bool {
    gl.call(|c| c.is_enabled(cap))
}

#[op2(fast)]
pub fn op_gl_line_width(#[cppgc] gl: &GlContext, width: f32) {
    gl.call(|c| c.line_width(width))
}

#[op2(fast)]
pub fn op_gl_pixel_storei(#[cppgc] gl: &GlContext, pname: u32, param: i32) {
    gl.call(|c| c.pixel_storei(pname, param))
}

#[op2(fast)]
pub fn op_gl_polygon_offset(#[cppgc] gl: &GlContext, factor: f32, units: f32) {
    gl.call(|c| c.polygon_offset(factor, units))
}

#[op2(fast)]
pub fn op_gl_sample_coverage(#[cppgc] gl: &GlContext, value: f32, invert: bool) {
    gl.call(|c| c.sample_coverage(value, invert))
}

#[op2(fast)]
pub fn op_gl_scissor(#[cppgc] gl: &GlContext, x: i32, y: i32, width: i32, height: i32) {
    gl.call(|c| c.scissor(x, y, width, height))
}

#[op2(fast)]
pub fn op_gl_stencil_func(#[cppgc] gl: &GlContext, func: u32, reference: i32, mask: u32) {
    gl.call(|c| c.stencil_func(func, reference, mask))
}

#[op2(fast)]
pub fn op_gl_stencil_func_separate(#[cppgc] gl: &GlContext, face: u32, func: u32, reference: i32, mask: u32) {
    gl.call(|c| c.stencil_func_separate(face, func, reference, mask))
}

#[op2(fast)]
pub fn op_gl_stencil_mask(#[cppgc] gl: &GlContext, mask: u32) {
    gl.call(|c| c.stencil_mask(mask))
}

#[op2(fast)]
pub fn op_gl_stencil_mask_separate(#[cppgc] gl: &GlContext, face: u32, mask: u32) {
    gl.call(|c| c.stencil_mask_separate(face, mask))
}

#[op2(fast)]
pub fn op_gl_stencil_op(#[cppgc] gl: &GlContext, fail: u32, zfail: u32, zpass: u32) {
    gl.call(|c| c.stencil_op(fail, zfail, zpass))
}

#[op2(fast)]
pub fn op_gl_stencil_op_separate(#[cppgc] gl: &GlContext, face: u32, fail: u32, zfail: u32, zpass: u32) {
    gl.call(|c| c.stencil_op_separate(face, fail, zfail, zpass))
}

#[op2(fast)]
pub fn op_gl_viewport(#[cppgc] gl: &GlContext, x: i32, y: i32, width: i32, height: i32) {
    gl.call(|c| c.viewport(x, y, width, height))
}
