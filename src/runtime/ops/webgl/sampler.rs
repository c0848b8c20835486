//! Sampler objects.

use deno_core::op2;

use super::GlContext;

#[op2(fast)]
pub fn op_gl_create_sampler(#[cppgc] gl: &GlContext) -> u32 {
    gl.call(|c| c.create_sampler())
}

#[op2(fast)]
pub fn op_gl_delete_sampler(#[cppgc] gl: &GlContext, sampler: u32) {
    gl.call(|c| c.delete_sampler(sampler))
}

#[op2(fast)]
pub fn op_gl_is_sampler(#[cppgc] gl: &GlContext, sampler: u32) -> bool {
    gl.call(|c| c.is_sampler(sampler))
}

#[op2(fast)]
pub fn op_gl_bind_sampler(#[cppgc] gl: &GlContext, unit: u32, sampler: u32) {
    gl.call(|c| c.bind_sampler(unit, sampler))
}

#[op2(fast)]
pub fn op_gl_sampler_parameteri(#[cppgc] gl: &GlContext, sampler: u32, name: u32, value: i32) {
    gl.call(|c| c.sampler_parameteri(sampler, name, value))
}

#[op2(fast)]
pub fn op_gl_sampler_parameterf(#[cppgc] gl: &GlContext, sampler: u32, name: u32, value: f32) {
    gl.call(|c| c.sampler_parameterf(sampler, name, value))
}
