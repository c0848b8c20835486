//! Vertex arrays and attributes.

use deno_core::{op2, v8};

use super::GlContext;
use super::bytes::{floats, ints, uints};
use crate::gl::GlError;

#[op2(fast)]
pub fn op_gl_create_vertex_array(#[cppgc] gl: &GlContext) -> u32 {
    gl.call(|c| c.create_vertex_array())
}

#[op2(fast)]
pub fn op_gl_delete_vertex_array(#[cppgc] gl: &GlContext, array: u32) {
    gl.call(|c| c.delete_vertex_array(array))
}

#[op2(fast)]
pub fn op_gl_is_vertex_array(#[cppgc] gl: &GlContext, array: u32) -> bool {
    gl.call(|c| c.is_vertex_array(array))
}

#[op2(fast)]
pub fn op_gl_bind_vertex_array(#[cppgc] gl: &GlContext, array: u32) {
    gl.call(|c| c.bind_vertex_array(array))
}

#[op2(fast)]
pub fn op_gl_enable_vertex_attrib_array(#[cppgc] gl: &GlContext, index: u32) {
    gl.call(|c| c.enable_vertex_attrib_array(index))
}

#[op2(fast)]
pub fn op_gl_disable_vertex_attrib_array(#[cppgc] gl: &GlContext, index: u32) {
    gl.call(|c| c.disable_vertex_attrib_array(index))
}

#[op2(fast)]
pub fn op_gl_vertex_attrib_pointer(
    #[cppgc] gl: &GlContext,
    index: u32,
    size: i32,
    ty: u32,
    normalized: bool,
    stride: i32,
    #[number] offset: i64,
) {
    gl.call(|c| c.vertex_attrib_pointer(index, size, ty, normalized, stride, offset))
}

#[op2(fast)]
pub fn op_gl_vertex_attrib_i_pointer(
    #[cppgc] gl: &GlContext,
    index: u32,
    size: i32,
    ty: u32,
    stride: i32,
    #[number] offset: i64,
) {
    gl.call(|c| c.vertex_attrib_i_pointer(index, size, ty, stride, offset))
}

#[op2(fast)]
pub fn op_gl_vertex_attrib_divisor(#[cppgc] gl: &GlContext, index: u32, divisor: u32) {
    gl.call(|c| c.vertex_attrib_divisor(index, divisor))
}

#[op2(fast)]
pub fn op_gl_vertex_attrib_4f(#[cppgc] gl: &GlContext, index: u32, x: f32, y: f32, z: f32, w: f32) {
    gl.call(|c| c.vertex_attrib_4f(index, x, y, z, w))
}

#[op2(fast)]
pub fn op_gl_vertex_attrib_i4i(#[cppgc] gl: &GlContext, index: u32, x: i32, y: i32, z: i32, w: i32) {
    gl.call(|c| c.vertex_attrib_i4i(index, x, y, z, w))
}

#[op2(fast)]
pub fn op_gl_vertex_attrib_i4ui(#[cppgc] gl: &GlContext, index: u32, x: u32, y: u32, z: u32, w: u32) {
    gl.call(|c| c.vertex_attrib_i4ui(index, x, y, z, w))
}

/// `vertexAttrib{1,2,3,4}fv`: the first `components` values of the list.
#[op2(fast)]
pub fn op_gl_vertex_attrib_fv(#[cppgc] gl: &GlContext, index: u32, components: u32, list: v8::Local<v8::Value>) {
    gl.call(|c| {
        floats(c, "vertexAttribfv", list, 0, 0, |c, values| {
            let Some(given) = values.get(..components as usize) else {
                c.errors_mut().latch("vertexAttribfv", GlError::invalid_value("the array is too small"));
                return;
            };
            let mut value = [0.0, 0.0, 0.0, 1.0];
            value.iter_mut().zip(given).for_each(|(to, from)| *to = *from);
            c.vertex_attrib_4f(index, value[0], value[1], value[2], value[3]);
        });
    });
}

#[op2(fast)]
pub fn op_gl_vertex_attrib_i4iv(#[cppgc] gl: &GlContext, index: u32, list: v8::Local<v8::Value>) {
    gl.call(|c| {
        ints(c, "vertexAttribI4iv", list, 0, 0, |c, values| match values {
            [x, y, z, w, ..] => c.vertex_attrib_i4i(index, *x, *y, *z, *w),
            _ => c.errors_mut().latch("vertexAttribI4iv", GlError::invalid_value("the array is too small")),
        });
    });
}

#[op2(fast)]
pub fn op_gl_vertex_attrib_i4uiv(#[cppgc] gl: &GlContext, index: u32, list: v8::Local<v8::Value>) {
    gl.call(|c| {
        uints(c, "vertexAttribI4uiv", list, 0, 0, |c, values| match values {
            [x, y, z, w, ..] => c.vertex_attrib_i4ui(index, *x, *y, *z, *w),
            _ => c.errors_mut().latch("vertexAttribI4uiv", GlError::invalid_value("the array is too small")),
        });
    });
}
