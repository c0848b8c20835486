//! Answers of getters as JavaScript values, of the types WebGL names.

use deno_core::v8;

use super::GlContext;
use crate::gl::ParameterValue;
use crate::gl::entry::reflection::ActiveInfo;

/// Numbers as a typed array's buffer.
fn buffer<'s, T: bytemuck::NoUninit>(scope: &v8::PinScope<'s, '_>, values: &[T]) -> v8::Local<'s, v8::ArrayBuffer> {
    let store = v8::ArrayBuffer::new_backing_store_from_vec(bytemuck::cast_slice(values).to_vec()).make_shared();
    v8::ArrayBuffer::with_backing_store(scope, &store)
}

/// `value` for script. Objects come back as `undefined`; `op_gl_answered_object` then says which
/// (the shim holds the objects).
pub fn answer<'s>(scope: &mut v8::PinScope<'s, '_>, gl: &GlContext, value: ParameterValue) -> v8::Local<'s, v8::Value> {
    use ParameterValue as P;
    let null = v8::null(scope).into();
    match value {
        P::Null | P::Object(_, 0) => null,
        P::Object(kind, name) => {
            gl.answered.set((kind as u32, name));
            v8::undefined(scope).into()
        }
        P::Bool(value) => v8::Boolean::new(scope, value).into(),
        P::Int(value) => v8::Integer::new(scope, value).into(),
        P::Uint(value) => v8::Integer::new_from_unsigned(scope, value).into(),
        P::Int64(value) => v8::Number::new(scope, value as f64).into(),
        P::Float(value) => v8::Number::new(scope, f64::from(value)).into(),
        P::String(text) => v8::String::new(scope, &text).map_or(null, Into::into),
        P::BoolArray(values) => {
            let items: Vec<_> = values.iter().map(|value| v8::Boolean::new(scope, *value).into()).collect();
            v8::Array::new_with_elements(scope, &items).into()
        }
        P::UintList(values) => {
            let items: Vec<_> =
                values.iter().map(|value| v8::Integer::new_from_unsigned(scope, *value).into()).collect();
            v8::Array::new_with_elements(scope, &items).into()
        }
        P::IntList(values) => {
            let items: Vec<_> = values.iter().map(|value| v8::Integer::new(scope, *value).into()).collect();
            v8::Array::new_with_elements(scope, &items).into()
        }
        P::IntArray(values) => {
            let store = buffer(scope, &values);
            v8::Int32Array::new(scope, store, 0, values.len()).map_or(null, Into::into)
        }
        P::UintArray(values) => {
            let store = buffer(scope, &values);
            v8::Uint32Array::new(scope, store, 0, values.len()).map_or(null, Into::into)
        }
        P::FloatArray(values) => {
            let store = buffer(scope, &values);
            v8::Float32Array::new(scope, store, 0, values.len()).map_or(null, Into::into)
        }
    }
}

/// `[size, type, name]` for WebGLActiveInfo, or null.
pub fn active_info<'s>(scope: &mut v8::PinScope<'s, '_>, info: Option<ActiveInfo>) -> v8::Local<'s, v8::Value> {
    let Some(info) = info else { return v8::null(scope).into() };
    let Some(name) = v8::String::new(scope, &info.name) else { return v8::null(scope).into() };
    let items =
        [v8::Integer::new(scope, info.size).into(), v8::Integer::new_from_unsigned(scope, info.ty).into(), name.into()];
    v8::Array::new_with_elements(scope, &items).into()
}
