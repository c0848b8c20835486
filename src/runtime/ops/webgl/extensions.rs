//! Calls of extensions.

use deno_core::{op2, v8};

use super::GlContext;
use super::bytes::copied;
use crate::gl::{Context, GlError};

#[op2(fast)]
pub fn op_gl_enablei(#[cppgc] gl: &GlContext, target: u32, index: u32) {
    gl.call(|c| c.enable_i(target, index))
}

#[op2(fast)]
pub fn op_gl_disablei(#[cppgc] gl: &GlContext, target: u32, index: u32) {
    gl.call(|c| c.disable_i(target, index))
}

#[op2(fast)]
pub fn op_gl_blend_equationi(#[cppgc] gl: &GlContext, buffer: u32, mode: u32) {
    gl.call(|c| c.blend_equation_i(buffer, mode))
}

#[op2(fast)]
pub fn op_gl_blend_equation_separatei(#[cppgc] gl: &GlContext, buffer: u32, mode_rgb: u32, mode_alpha: u32) {
    gl.call(|c| c.blend_equation_separate_i(buffer, mode_rgb, mode_alpha))
}

#[op2(fast)]
pub fn op_gl_blend_funci(#[cppgc] gl: &GlContext, buffer: u32, src: u32, dst: u32) {
    gl.call(|c| c.blend_func_i(buffer, src, dst))
}

#[op2(fast)]
pub fn op_gl_blend_func_separatei(
    #[cppgc] gl: &GlContext,
    buffer: u32,
    src_rgb: u32,
    dst_rgb: u32,
    src_alpha: u32,
    dst_alpha: u32,
) {
    gl.call(|c| c.blend_func_separate_i(buffer, src_rgb, dst_rgb, src_alpha, dst_alpha))
}

#[op2(fast)]
pub fn op_gl_color_maski(#[cppgc] gl: &GlContext, buffer: u32, red: bool, green: bool, blue: bool, alpha: bool) {
    gl.call(|c| c.color_mask_i(buffer, red, green, blue, alpha))
}

#[op2(fast)]
pub fn op_gl_clip_control(#[cppgc] gl: &GlContext, origin: u32, depth: u32) {
    gl.call(|c| c.clip_control(origin, depth))
}

#[op2(fast)]
pub fn op_gl_polygon_offset_clamp(#[cppgc] gl: &GlContext, factor: f32, units: f32, clamp: f32) {
    gl.call(|c| c.polygon_offset_clamp(factor, units, clamp))
}

#[op2(fast)]
pub fn op_gl_polygon_mode(#[cppgc] gl: &GlContext, face: u32, mode: u32) {
    gl.call(|c| c.polygon_mode(face, mode))
}

#[op2(fast)]
pub fn op_gl_provoking_vertex(#[cppgc] gl: &GlContext, mode: u32) {
    gl.call(|c| c.provoking_vertex(mode))
}

#[op2(fast)]
pub fn op_gl_draw_arrays_instanced_base_instance(
    #[cppgc] gl: &GlContext,
    mode: u32,
    first: i32,
    count: i32,
    instances: i32,
    base_instance: u32,
) {
    gl.call(|c| c.draw_arrays_instanced_base_instance(mode, first, count, instances, base_instance))
}

#[op2(fast)]
#[allow(clippy::too_many_arguments, reason = "as many as the call has")]
pub fn op_gl_draw_elements_instanced_base_vertex_base_instance(
    #[cppgc] gl: &GlContext,
    mode: u32,
    count: i32,
    ty: u32,
    #[number] offset: i64,
    instances: i32,
    base_vertex: i32,
    base_instance: u32,
) {
    gl.call(|c| {
        c.draw_elements_instanced_base_vertex_base_instance(
            mode,
            count,
            ty,
            offset,
            instances,
            base_vertex,
            base_instance,
        )
    })
}

const LISTS_TOO_SHORT: &str = "offset and drawcount do not fit the lists";

/// Latches the error of lists that are too short, or of a negative count.
fn check_lists<T>(context: &mut Context, call: &'static str, count: i32, lists: Option<T>) -> Option<T> {
    if count < 0 {
        context.errors_mut().latch(call, GlError::invalid_value("drawcount is negative"));
        return None;
    }
    if lists.is_none() {
        context.errors_mut().latch(call, GlError::invalid_operation(LISTS_TOO_SHORT));
    }
    lists
}

#[op2(fast)]
#[allow(clippy::too_many_arguments, reason = "as many as the call has")]
pub fn op_gl_multi_draw_arrays(
    #[cppgc] gl: &GlContext,
    mode: u32,
    firsts: v8::Local<v8::Value>,
    #[number] firsts_offset: i64,
    counts: v8::Local<v8::Value>,
    #[number] counts_offset: i64,
    draws: i32,
) {
    gl.call(|c| {
        let lists = copied::<i32>(firsts, firsts_offset, draws).zip(copied::<i32>(counts, counts_offset, draws));
        if let Some((firsts, counts)) = check_lists(c, "multiDrawArraysWEBGL", draws, lists) {
            c.multi_draw_arrays(mode, &firsts, &counts);
        }
    });
}

#[op2(fast)]
#[allow(clippy::too_many_arguments, reason = "as many as the call has")]
pub fn op_gl_multi_draw_elements(
    #[cppgc] gl: &GlContext,
    mode: u32,
    counts: v8::Local<v8::Value>,
    #[number] counts_offset: i64,
    ty: u32,
    offsets: v8::Local<v8::Value>,
    #[number] offsets_offset: i64,
    draws: i32,
) {
    gl.call(|c| {
        let lists = copied::<i32>(counts, counts_offset, draws).zip(copied::<i32>(offsets, offsets_offset, draws));
        if let Some((counts, offsets)) = check_lists(c, "multiDrawElementsWEBGL", draws, lists) {
            c.multi_draw_elements(mode, &counts, ty, &offsets);
        }
    });
}

#[op2(fast)]
#[allow(clippy::too_many_arguments, reason = "as many as the call has")]
pub fn op_gl_multi_draw_arrays_instanced(
    #[cppgc] gl: &GlContext,
    mode: u32,
    firsts: v8::Local<v8::Value>,
    #[number] firsts_offset: i64,
    counts: v8::Local<v8::Value>,
    #[number] counts_offset: i64,
    instances: v8::Local<v8::Value>,
    #[number] instances_offset: i64,
    draws: i32,
) {
    gl.call(|c| {
        let lists = copied::<i32>(firsts, firsts_offset, draws)
            .zip(copied::<i32>(counts, counts_offset, draws))
            .zip(copied::<i32>(instances, instances_offset, draws));
        if let Some(((firsts, counts), instances)) = check_lists(c, "multiDrawArraysInstancedWEBGL", draws, lists) {
            c.multi_draw_arrays_instanced(mode, &firsts, &counts, &instances);
        }
    });
}

#[op2(fast)]
#[allow(clippy::too_many_arguments, reason = "as many as the call has")]
pub fn op_gl_multi_draw_elements_instanced(
    #[cppgc] gl: &GlContext,
    mode: u32,
    counts: v8::Local<v8::Value>,
    #[number] counts_offset: i64,
    ty: u32,
    offsets: v8::Local<v8::Value>,
    #[number] offsets_offset: i64,
    instances: v8::Local<v8::Value>,
    #[number] instances_offset: i64,
    draws: i32,
) {
    gl.call(|c| {
        let lists = copied::<i32>(counts, counts_offset, draws)
            .zip(copied::<i32>(offsets, offsets_offset, draws))
            .zip(copied::<i32>(instances, instances_offset, draws));
        if let Some(((counts, offsets), instances)) = check_lists(c, "multiDrawElementsInstancedWEBGL", draws, lists) {
            c.multi_draw_elements_instanced(mode, &counts, ty, &offsets, &instances);
        }
    });
}

#[op2(fast)]
#[allow(clippy::too_many_arguments, reason = "as many as the call has")]
pub fn op_gl_multi_draw_arrays_instanced_base_instance(
    #[cppgc] gl: &GlContext,
    mode: u32,
    firsts: v8::Local<v8::Value>,
    #[number] firsts_offset: i64,
    counts: v8::Local<v8::Value>,
    #[number] counts_offset: i64,
    instances: v8::Local<v8::Value>,
    #[number] instances_offset: i64,
    base_instances: v8::Local<v8::Value>,
    #[number] base_instances_offset: i64,
    draws: i32,
) {
    gl.call(|c| {
        let lists = copied::<i32>(firsts, firsts_offset, draws)
            .zip(copied::<i32>(counts, counts_offset, draws))
            .zip(copied::<i32>(instances, instances_offset, draws))
            .zip(copied::<u32>(base_instances, base_instances_offset, draws));
        let call = "multiDrawArraysInstancedBaseInstanceWEBGL";
        if let Some((((firsts, counts), instances), bases)) = check_lists(c, call, draws, lists) {
            c.multi_draw_arrays_instanced_base_instance(mode, &firsts, &counts, &instances, &bases);
        }
    });
}

#[op2(fast)]
#[allow(clippy::too_many_arguments, reason = "as many as the call has")]
pub fn op_gl_multi_draw_elements_instanced_base_vertex_base_instance(
    #[cppgc] gl: &GlContext,
    mode: u32,
    counts: v8::Local<v8::Value>,
    #[number] counts_offset: i64,
    ty: u32,
    offsets: v8::Local<v8::Value>,
    #[number] offsets_offset: i64,
    instances: v8::Local<v8::Value>,
    #[number] instances_offset: i64,
    base_vertices: v8::Local<v8::Value>,
    #[number] base_vertices_offset: i64,
    base_instances: v8::Local<v8::Value>,
    #[number] base_instances_offset: i64,
    draws: i32,
) {
    gl.call(|c| {
        let lists = copied::<i32>(counts, counts_offset, draws)
            .zip(copied::<i32>(offsets, offsets_offset, draws))
            .zip(copied::<i32>(instances, instances_offset, draws))
            .zip(copied::<i32>(base_vertices, base_vertices_offset, draws))
            .zip(copied::<u32>(base_instances, base_instances_offset, draws));
        let call = "multiDrawElementsInstancedBaseVertexBaseInstanceWEBGL";
        if let Some(((((counts, offsets), instances), vertices), bases)) = check_lists(c, call, draws, lists) {
            c.multi_draw_elements_instanced_base_vertex_base_instance(
                mode, &counts, ty, &offsets, &instances, &vertices, &bases,
            );
        }
    });
}
