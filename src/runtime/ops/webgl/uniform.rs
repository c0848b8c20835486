//! Uniforms of the current program.

use deno_core::{op2, v8};

use super::GlContext;
use super::bytes::{floats, ints, uints};

#[op2(fast)]
pub fn op_gl_uniform1f(#[cppgc] gl: &GlContext, program: u32, location: i32, x: f32) {
    gl.call(|c| c.uniform_1f(program, location, x))
}

#[op2(fast)]
pub fn op_gl_uniform2f(#[cppgc] gl: &GlContext, program: u32, location: i32, x: f32, y: f32) {
    gl.call(|c| c.uniform_2f(program, location, x, y))
}

#[op2(fast)]
pub fn op_gl_uniform3f(#[cppgc] gl: &GlContext, program: u32, location: i32, x: f32, y: f32, z: f32) {
    gl.call(|c| c.uniform_3f(program, location, x, y, z))
}

#[op2(fast)]
pub fn op_gl_uniform4f(#[cppgc] gl: &GlContext, program: u32, location: i32, x: f32, y: f32, z: f32, w: f32) {
    gl.call(|c| c.uniform_4f(program, location, x, y, z, w))
}

#[op2(fast)]
pub fn op_gl_uniform1i(#[cppgc] gl: &GlContext, program: u32, location: i32, x: i32) {
    gl.call(|c| c.uniform_1i(program, location, x))
}

#[op2(fast)]
pub fn op_gl_uniform2i(#[cppgc] gl: &GlContext, program: u32, location: i32, x: i32, y: i32) {
    gl.call(|c| c.uniform_2i(program, location, x, y))
}

#[op2(fast)]
pub fn op_gl_uniform3i(#[cppgc] gl: &GlContext, program: u32, location: i32, x: i32, y: i32, z: i32) {
    gl.call(|c| c.uniform_3i(program, location, x, y, z))
}

#[op2(fast)]
pub fn op_gl_uniform4i(#[cppgc] gl: &GlContext, program: u32, location: i32, x: i32, y: i32, z: i32, w: i32) {
    gl.call(|c| c.uniform_4i(program, location, x, y, z, w))
}

#[op2(fast)]
pub fn op_gl_uniform1ui(#[cppgc] gl: &GlContext, program: u32, location: i32, x: u32) {
    gl.call(|c| c.uniform_1ui(program, location, x))
}

#[op2(fast)]
pub fn op_gl_uniform2ui(#[cppgc] gl: &GlContext, program: u32, location: i32, x: u32, y: u32) {
    gl.call(|c| c.uniform_2ui(program, location, x, y))
}

#[op2(fast)]
pub fn op_gl_uniform3ui(#[cppgc] gl: &GlContext, program: u32, location: i32, x: u32, y: u32, z: u32) {
    gl.call(|c| c.uniform_3ui(program, location, x, y, z))
}

#[op2(fast)]
pub fn op_gl_uniform4ui(#[cppgc] gl: &GlContext, program: u32, location: i32, x: u32, y: u32, z: u32, w: u32) {
    gl.call(|c| c.uniform_4ui(program, location, x, y, z, w))
}

#[op2(fast)]
pub fn op_gl_uniform1fv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| floats(c, "uniform1fv", list, offset, length, |c, values| c.uniform_1fv(program, location, values)))
}

#[op2(fast)]
pub fn op_gl_uniform2fv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| floats(c, "uniform2fv", list, offset, length, |c, values| c.uniform_2fv(program, location, values)))
}

#[op2(fast)]
pub fn op_gl_uniform3fv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| floats(c, "uniform3fv", list, offset, length, |c, values| c.uniform_3fv(program, location, values)))
}

#[op2(fast)]
pub fn op_gl_uniform4fv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| floats(c, "uniform4fv", list, offset, length, |c, values| c.uniform_4fv(program, location, values)))
}

#[op2(fast)]
pub fn op_gl_uniform1iv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| ints(c, "uniform1iv", list, offset, length, |c, values| c.uniform_1iv(program, location, values)))
}

#[op2(fast)]
pub fn op_gl_uniform2iv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| ints(c, "uniform2iv", list, offset, length, |c, values| c.uniform_2iv(program, location, values)))
}

#[op2(fast)]
pub fn op_gl_uniform3iv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| ints(c, "uniform3iv", list, offset, length, |c, values| c.uniform_3iv(program, location, values)))
}

#[op2(fast)]
pub fn op_gl_uniform4iv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| ints(c, "uniform4iv", list, offset, length, |c, values| c.uniform_4iv(program, location, values)))
}

#[op2(fast)]
pub fn op_gl_uniform1uiv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| uints(c, "uniform1uiv", list, offset, length, |c, values| c.uniform_1uiv(program, location, values)))
}

#[op2(fast)]
pub fn op_gl_uniform2uiv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| uints(c, "uniform2uiv", list, offset, length, |c, values| c.uniform_2uiv(program, location, values)))
}

#[op2(fast)]
pub fn op_gl_uniform3uiv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| uints(c, "uniform3uiv", list, offset, length, |c, values| c.uniform_3uiv(program, location, values)))
}

#[op2(fast)]
pub fn op_gl_uniform4uiv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| uints(c, "uniform4uiv", list, offset, length, |c, values| c.uniform_4uiv(program, location, values)))
}

#[op2(fast)]
pub fn op_gl_uniform_matrix2fv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    transpose: bool,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| {
        floats(c, "uniformMatrix2fv", list, offset, length, |c, values| {
            c.uniform_matrix_2fv(program, location, transpose, values)
        })
    })
}

#[op2(fast)]
pub fn op_gl_uniform_matrix3fv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    transpose: bool,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| {
        floats(c, "uniformMatrix3fv", list, offset, length, |c, values| {
            c.uniform_matrix_3fv(program, location, transpose, values)
        })
    })
}

#[op2(fast)]
pub fn op_gl_uniform_matrix4fv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    transpose: bool,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| {
        floats(c, "uniformMatrix4fv", list, offset, length, |c, values| {
            c.uniform_matrix_4fv(program, location, transpose, values)
        })
    })
}

#[op2(fast)]
pub fn op_gl_uniform_matrix2x3fv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    transpose: bool,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| {
        floats(c, "uniformMatrix2x3fv", list, offset, length, |c, values| {
            c.uniform_matrix_2x3fv(program, location, transpose, values)
        })
    })
}

#[op2(fast)]
pub fn op_gl_uniform_matrix2x4fv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    transpose: bool,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| {
        floats(c, "uniformMatrix2x4fv", list, offset, length, |c, values| {
            c.uniform_matrix_2x4fv(program, location, transpose, values)
        })
    })
}

#[op2(fast)]
pub fn op_gl_uniform_matrix3x2fv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    transpose: bool,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| {
        floats(c, "uniformMatrix3x2fv", list, offset, length, |c, values| {
            c.uniform_matrix_3x2fv(program, location, transpose, values)
        })
    })
}

#[op2(fast)]
pub fn op_gl_uniform_matrix3x4fv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    transpose: bool,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| {
        floats(c, "uniformMatrix3x4fv", list, offset, length, |c, values| {
            c.uniform_matrix_3x4fv(program, location, transpose, values)
        })
    })
}

#[op2(fast)]
pub fn op_gl_uniform_matrix4x2fv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    transpose: bool,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| {
        floats(c, "uniformMatrix4x2fv", list, offset, length, |c, values| {
            c.uniform_matrix_4x2fv(program, location, transpose, values)
        })
    })
}

#[op2(fast)]
pub fn op_gl_uniform_matrix4x3fv(
    #[cppgc] gl: &GlContext,
    program: u32,
    location: i32,
    transpose: bool,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
) {
    gl.call(|c| {
        floats(c, "uniformMatrix4x3fv", list, offset, length, |c, values| {
            c.uniform_matrix_4x3fv(program, location, transpose, values)
        })
    })
}
