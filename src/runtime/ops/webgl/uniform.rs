//! Uniforms of the current program: one op per call, of three shapes.

use deno_core::{op2, v8};

use super::GlContext;
use super::bytes::{floats, ints, uints};

macro_rules! value_ops {
    ($($op:ident, $call:ident, $ty:ident, ($($arg:ident),+);)*) => {$(
        #[op2(fast)]
        pub fn $op(#[cppgc] gl: &GlContext, program: u32, location: i32, $($arg: $ty),+) {
            gl.call(|c| c.$call(program, location, $($arg),+))
        }
    )*};
}

value_ops! {
    op_gl_uniform1f, uniform_1f, f32, (x);
    op_gl_uniform2f, uniform_2f, f32, (x, y);
    op_gl_uniform3f, uniform_3f, f32, (x, y, z);
    op_gl_uniform4f, uniform_4f, f32, (x, y, z, w);
    op_gl_uniform1i, uniform_1i, i32, (x);
    op_gl_uniform2i, uniform_2i, i32, (x, y);
    op_gl_uniform3i, uniform_3i, i32, (x, y, z);
    op_gl_uniform4i, uniform_4i, i32, (x, y, z, w);
    op_gl_uniform1ui, uniform_1ui, u32, (x);
    op_gl_uniform2ui, uniform_2ui, u32, (x, y);
    op_gl_uniform3ui, uniform_3ui, u32, (x, y, z);
    op_gl_uniform4ui, uniform_4ui, u32, (x, y, z, w);
}

/// `list` from element `offset` on, of `length` elements (0 = the rest).
macro_rules! list_ops {
    ($($op:ident, $call:ident, $name:literal, $read:ident;)*) => {$(
        #[op2(fast)]
        pub fn $op(
            #[cppgc] gl: &GlContext,
            program: u32,
            location: i32,
            list: v8::Local<v8::Value>,
            offset: u32,
            length: u32,
        ) {
            gl.call(|c| $read(c, $name, list, offset, length, |c, values| c.$call(program, location, values)))
        }
    )*};
}

list_ops! {
    op_gl_uniform1fv, uniform_1fv, "uniform1fv", floats;
    op_gl_uniform2fv, uniform_2fv, "uniform2fv", floats;
    op_gl_uniform3fv, uniform_3fv, "uniform3fv", floats;
    op_gl_uniform4fv, uniform_4fv, "uniform4fv", floats;
    op_gl_uniform1iv, uniform_1iv, "uniform1iv", ints;
    op_gl_uniform2iv, uniform_2iv, "uniform2iv", ints;
    op_gl_uniform3iv, uniform_3iv, "uniform3iv", ints;
    op_gl_uniform4iv, uniform_4iv, "uniform4iv", ints;
    op_gl_uniform1uiv, uniform_1uiv, "uniform1uiv", uints;
    op_gl_uniform2uiv, uniform_2uiv, "uniform2uiv", uints;
    op_gl_uniform3uiv, uniform_3uiv, "uniform3uiv", uints;
    op_gl_uniform4uiv, uniform_4uiv, "uniform4uiv", uints;
}

macro_rules! matrix_ops {
    ($($op:ident, $call:ident, $name:literal;)*) => {$(
        #[op2(fast)]
        pub fn $op(
            #[cppgc] gl: &GlContext,
            program: u32,
            location: i32,
            transpose: bool,
            list: v8::Local<v8::Value>,
            offset: u32,
            length: u32,
        ) {
            gl.call(|c| {
                floats(c, $name, list, offset, length, |c, values| c.$call(program, location, transpose, values))
            })
        }
    )*};
}

matrix_ops! {
    op_gl_uniform_matrix2fv, uniform_matrix_2fv, "uniformMatrix2fv";
    op_gl_uniform_matrix3fv, uniform_matrix_3fv, "uniformMatrix3fv";
    op_gl_uniform_matrix4fv, uniform_matrix_4fv, "uniformMatrix4fv";
    op_gl_uniform_matrix2x3fv, uniform_matrix_2x3fv, "uniformMatrix2x3fv";
    op_gl_uniform_matrix2x4fv, uniform_matrix_2x4fv, "uniformMatrix2x4fv";
    op_gl_uniform_matrix3x2fv, uniform_matrix_3x2fv, "uniformMatrix3x2fv";
    op_gl_uniform_matrix3x4fv, uniform_matrix_3x4fv, "uniformMatrix3x4fv";
    op_gl_uniform_matrix4x2fv, uniform_matrix_4x2fv, "uniformMatrix4x2fv";
    op_gl_uniform_matrix4x3fv, uniform_matrix_4x3fv, "uniformMatrix4x3fv";
}
