//! Bytes and numbers of typed arrays, buffers and views, lent to GL calls without a copy.

use bytemuck::Pod;
use deno_core::v8;

use crate::gl::Context;
use crate::gl::error::GlError;

/// Room for the contents of a small array that lives on V8's heap, aligned for any element.
#[repr(align(16))]
struct Scratch([u8; v8::TYPED_ARRAY_MAX_SIZE_IN_HEAP]);

/// Element type of an ArrayBufferView.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewKind {
    Int8,
    Uint8,
    Uint8Clamped,
    Int16,
    Uint16,
    Int32,
    Uint32,
    Float16,
    Float32,
    Float64,
    BigInt64,
    BigUint64,
    DataView,
    /// Not a view: ArrayBuffer or SharedArrayBuffer.
    Buffer,
}

impl ViewKind {
    pub fn of(value: v8::Local<v8::Value>) -> Self {
        if value.is_uint8_array() {
            Self::Uint8
        } else if value.is_float32_array() {
            Self::Float32
        } else if value.is_uint16_array() {
            Self::Uint16
        } else if value.is_uint32_array() {
            Self::Uint32
        } else if value.is_uint8_clamped_array() {
            Self::Uint8Clamped
        } else if value.is_int8_array() {
            Self::Int8
        } else if value.is_int16_array() {
            Self::Int16
        } else if value.is_int32_array() {
            Self::Int32
        } else if value.is_float64_array() {
            Self::Float64
        } else if value.is_big_int64_array() {
            Self::BigInt64
        } else if value.is_big_uint64_array() {
            Self::BigUint64
        } else if value.is_data_view() {
            Self::DataView
        } else if value.is_float16_array() {
            Self::Float16
        } else {
            Self::Buffer
        }
    }

    /// Bytes of one element; offsets and lengths of WebGL 2 overloads count elements.
    pub fn element_size(self) -> usize {
        match self {
            Self::Int8 | Self::Uint8 | Self::Uint8Clamped | Self::DataView | Self::Buffer => 1,
            Self::Int16 | Self::Uint16 | Self::Float16 => 2,
            Self::Int32 | Self::Uint32 | Self::Float32 => 4,
            Self::Float64 | Self::BigInt64 | Self::BigUint64 => 8,
        }
    }
}

/// Lends the bytes of a view, ArrayBuffer or SharedArrayBuffer to `f`; `None` for any other value.
#[inline]
pub fn with_bytes<R>(value: v8::Local<v8::Value>, f: impl FnOnce(&[u8]) -> R) -> Option<R> {
    if let Ok(view) = value.try_cast::<v8::ArrayBufferView>() {
        let mut scratch = Scratch([0; v8::TYPED_ARRAY_MAX_SIZE_IN_HEAP]);
        return Some(f(view.get_contents(&mut scratch.0)));
    }
    let (data, len) = if let Ok(buffer) = value.try_cast::<v8::ArrayBuffer>() {
        (buffer.data(), buffer.byte_length())
    } else if let Ok(buffer) = value.try_cast::<v8::SharedArrayBuffer>() {
        (buffer.get_backing_store().data(), buffer.byte_length())
    } else {
        return None;
    };
    Some(match data {
        // SAFETY: V8 keeps the store alive while `value` is a handle; no script runs before `f` returns.
        Some(data) => f(unsafe { std::slice::from_raw_parts(data.as_ptr().cast::<u8>(), len) }),
        None => f(&[]),
    })
}

/// Lends `length` elements (0 = the rest) from element `offset` on; `None`, with INVALID_VALUE latched, if they are
/// not there.
pub fn with_elements<R>(
    context: &mut Context,
    call: &'static str,
    value: v8::Local<v8::Value>,
    offset: i64,
    length: u32,
    f: impl FnOnce(&mut Context, &[u8]) -> R,
) -> Option<R> {
    let size = ViewKind::of(value).element_size();
    let found = with_bytes(value, |bytes| {
        let start = usize::try_from(offset).ok()?.checked_mul(size)?;
        let rest = bytes.get(start..)?;
        let slice = if length == 0 { rest } else { rest.get(..(length as usize).checked_mul(size)?)? };
        Some(f(context, slice))
    });
    let found = found.flatten();
    // `f` always returns for a range that exists, so nothing else ends here.
    if found.is_none() {
        context.errors_mut().latch(call, GlError::invalid_value("srcOffset or length is out of range"));
    }
    found
}

/// The numbers of a typed array, cut as the WebGL 2 overloads say (WebGL 1 has no such arguments).
#[inline]
fn numbers<T: Pod>(
    context: &mut Context,
    call: &'static str,
    list: v8::Local<v8::Value>,
    offset: u32,
    length: u32,
    f: impl FnOnce(&mut Context, &[T]),
) {
    let (offset, length) = if context.is_webgl2() { (offset as usize, length as usize) } else { (0, 0) };
    let done = with_bytes(list, |bytes| {
        let values: &[T] = bytemuck::try_cast_slice(bytes).ok()?;
        let rest = values.get(offset..)?;
        f(context, if length == 0 { rest } else { rest.get(..length)? });
        Some(())
    });
    if done.flatten().is_none() {
        context.errors_mut().latch(call, GlError::invalid_value("srcOffset or srcLength is out of range"));
    }
}

macro_rules! lists {
    ($($name:ident: $ty:ty),*) => {$(
        /// Lends the list of a `…v` call to `f`; INVALID_VALUE if offset and length do not fit.
        #[inline]
        pub fn $name(
            context: &mut Context,
            call: &'static str,
            list: v8::Local<v8::Value>,
            offset: u32,
            length: u32,
            f: impl FnOnce(&mut Context, &[$ty]),
        ) {
            numbers::<$ty>(context, call, list, offset, length, f);
        }
    )*};
}

lists! { floats: f32, ints: i32, uints: u32 }

/// Lends `length` elements (0 = the rest) of a view from element `offset` on, to be written; `None` if they are not
/// there.
pub fn with_elements_mut<R>(
    scope: &mut v8::PinScope,
    view: v8::Local<v8::Value>,
    offset: i64,
    length: u32,
    f: impl FnOnce(ViewKind, &mut [u8]) -> R,
) -> Option<R> {
    let kind = ViewKind::of(view);
    let size = kind.element_size();
    let view = view.try_cast::<v8::ArrayBufferView>().ok()?;
    let start = usize::try_from(offset).ok()?.checked_mul(size)?;
    let rest = view.byte_length().checked_sub(start)?;
    let len = if length == 0 { rest - rest % size } else { (length as usize).checked_mul(size)? };
    if len > rest {
        return None;
    }
    if len == 0 {
        return Some(f(kind, &mut []));
    }
    // Asking for the buffer moves the contents of a small array off V8's heap, where they can be written.
    let start = view.byte_offset() + start;
    let data = view.buffer(scope)?.data()?;
    // SAFETY: `start` is inside the view, as tested above, and so inside its buffer.
    let first = unsafe { data.as_ptr().cast::<u8>().add(start) };
    // SAFETY: `start..start + len` is inside the view as tested above; no script runs before `f` returns.
    let bytes = unsafe { std::slice::from_raw_parts_mut(first, len) };
    Some(f(kind, bytes))
}

/// `count` numbers of a list from `offset` on, copied; `None` if they are not there (multi-draw calls).
pub fn copied<T: Pod>(list: v8::Local<v8::Value>, offset: i64, count: i32) -> Option<Vec<T>> {
    let (start, count) = (usize::try_from(offset).ok()?, usize::try_from(count).ok()?);
    with_bytes(list, |bytes| {
        let values: &[T] = bytemuck::try_cast_slice(bytes).ok()?;
        Some(values.get(start..start.checked_add(count)?)?.to_vec())
    })
    .flatten()
}
