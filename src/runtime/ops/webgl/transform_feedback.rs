//! Transform feedback objects.

use deno_core::op2;

use super::GlContext;

#[op2(fast)]
pub fn op_gl_create_transform_feedback(#[cppgc] gl: &GlContext) -> u32 {
    gl.call(|c| c.create_transform_feedback())
}

#[op2(fast)]
pub fn op_gl_is_transform_feedback(#[cppgc] gl: &GlContext, feedback: u32) -> bool {
    gl.call(|c| c.is_transform_feedback(feedback))
}

/// False if refused: it is active.
#[op2(fast)]
pub fn op_gl_delete_transform_feedback(#[cppgc] gl: &GlContext, feedback: u32) -> bool {
    gl.call(|c| {
        let errors = c.errors_mut().total();
        c.delete_transform_feedback(feedback);
        c.errors_mut().total() == errors
    })
}

#[op2(fast)]
pub fn op_gl_bind_transform_feedback(#[cppgc] gl: &GlContext, target: u32, feedback: u32) {
    gl.call(|c| c.bind_transform_feedback(target, feedback))
}

#[op2(fast)]
pub fn op_gl_begin_transform_feedback(#[cppgc] gl: &GlContext, mode: u32) {
    gl.call(|c| c.begin_transform_feedback(mode))
}

#[op2(fast)]
pub fn op_gl_end_transform_feedback(#[cppgc] gl: &GlContext) {
    gl.call(|c| c.end_transform_feedback())
}

#[op2(fast)]
pub fn op_gl_pause_transform_feedback(#[cppgc] gl: &GlContext) {
    gl.call(|c| c.pause_transform_feedback())
}

#[op2(fast)]
pub fn op_gl_resume_transform_feedback(#[cppgc] gl: &GlContext) {
    gl.call(|c| c.resume_transform_feedback())
}
