//! Sync objects.

use deno_core::op2;

use super::GlContext;
use crate::gl::constants::WAIT_FAILED;

#[op2(fast)]
pub fn op_gl_fence_sync(#[cppgc] gl: &GlContext, condition: u32, flags: u32) -> u32 {
    gl.call(|c| c.fence_sync(condition, flags))
}

#[op2(fast)]
pub fn op_gl_is_sync(#[cppgc] gl: &GlContext, sync: u32) -> bool {
    gl.call(|c| c.is_sync(sync))
}

#[op2(fast)]
pub fn op_gl_delete_sync(#[cppgc] gl: &GlContext, sync: u32) {
    gl.call(|c| c.delete_sync(sync))
}

#[op2(fast)]
pub fn op_gl_wait_sync(#[cppgc] gl: &GlContext, sync: u32, flags: u32, #[number] timeout: i64) {
    gl.call(|c| c.wait_sync(sync, flags, timeout))
}

/// WAIT_FAILED when the context is lost.
#[op2(fast)]
pub fn op_gl_client_wait_sync(#[cppgc] gl: &GlContext, sync: u32, flags: u32, #[number] timeout: i64) -> u32 {
    gl.call(|c| Some(c.client_wait_sync(sync, flags, timeout as u64))).unwrap_or(WAIT_FAILED)
}
