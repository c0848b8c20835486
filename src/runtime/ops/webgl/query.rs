//! Query objects.

use deno_core::op2;

use super::GlContext;

#[op2(fast)]
pub fn op_gl_create_query(#[cppgc] gl: &GlContext) -> u32 {
    gl.call(|c| c.create_query())
}

#[op2(fast)]
pub fn op_gl_delete_query(#[cppgc] gl: &GlContext, query: u32) {
    gl.call(|c| c.delete_query(query))
}

#[op2(fast)]
pub fn op_gl_is_query(#[cppgc] gl: &GlContext, query: u32) -> bool {
    gl.call(|c| c.is_query(query))
}

#[op2(fast)]
pub fn op_gl_begin_query(#[cppgc] gl: &GlContext, target: u32, query: u32) {
    gl.call(|c| c.begin_query(target, query))
}

#[op2(fast)]
pub fn op_gl_end_query(#[cppgc] gl: &GlContext, target: u32) {
    gl.call(|c| c.end_query(target))
}
