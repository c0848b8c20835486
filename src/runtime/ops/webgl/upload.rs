//! Texture uploads: one op per call, from any source.

use deno_core::{op2, v8};

use super::GlContext;
use super::bytes::{ViewKind, with_elements};
use crate::gl::entry::upload::{PixelSource, UploadData};
use crate::gl::validate::texture::ArrayKind;
use crate::gl::{Context, GlError};

/// `flags`: the view holds an image, RGBA8, row 0 = top.
const IMAGE: u32 = 1;
/// Its colour is multiplied by alpha.
const PREMULTIPLIED: u32 = 2;
/// An ImageBitmap: UNPACK_FLIP_Y and UNPACK_PREMULTIPLY_ALPHA leave it alone.
const AS_IT_IS: u32 = 4;

/// What the shim says of an image source.
#[derive(Clone, Copy, Default)]
struct Image {
    flags: u32,
    width: u32,
    height: u32,
}

impl From<ViewKind> for ArrayKind {
    fn from(kind: ViewKind) -> Self {
        match kind {
            ViewKind::Int8 => Self::I8,
            ViewKind::Uint8 => Self::U8,
            ViewKind::Uint8Clamped => Self::U8Clamped,
            ViewKind::Int16 => Self::I16,
            ViewKind::Uint16 => Self::U16,
            ViewKind::Float16 => Self::F16,
            ViewKind::Int32 => Self::I32,
            ViewKind::Uint32 => Self::U32,
            ViewKind::Float32 => Self::F32,
            _ => Self::Other,
        }
    }
}

/// Lends the pixels behind `value` to `upload`: null, a Number (offset into the unpack buffer), an image, or a
/// view from element `offset` on, of `length` elements (0 = the rest).
#[allow(clippy::too_many_arguments, reason = "an array view takes three")]
fn with_pixels<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    gl: &GlContext,
    call: &'static str,
    value: v8::Local<'s, v8::Value>,
    offset: i64,
    length: u32,
    image: Image,
    upload: impl FnOnce(&mut Context, UploadData<'_>),
) {
    if value.is_null_or_undefined() {
        gl.call(|c| upload(c, UploadData::None));
    } else if value.is_number() {
        let at = value.integer_value(scope).unwrap_or(0);
        // The compressed calls give imageSize as `length`.
        gl.call(|c| upload(c, UploadData::Offset { offset: at, size: Some(i64::from(length as i32)) }));
    } else if value.is_array_buffer_view() {
        let kind = ViewKind::of(value).into();
        gl.call(|c| {
            with_elements(c, call, value, offset, length, |c, bytes| {
                let data = if image.flags & IMAGE == 0 {
                    UploadData::Bytes { bytes, kind }
                } else {
                    UploadData::Source(PixelSource {
                        width: image.width,
                        height: image.height,
                        rgba: bytes,
                        premultiplied: image.flags & PREMULTIPLIED != 0,
                        ignore_unpack: image.flags & AS_IT_IS != 0,
                    })
                };
                upload(c, data);
            });
        });
    } else {
        gl.call(|c| c.errors_mut().latch(call, GlError::invalid_value("the source has no pixels")));
    }
}

/// Calls that take their pixels from any source; `flags` and the two lengths after it speak of an image.
macro_rules! image_ops {
    ($($op:ident, $name:literal, ($($arg:ident: $ty:ident),+), |$c:ident, $data:ident| $upload:expr;)*) => {$(
        #[op2(nofast)]
        #[allow(clippy::too_many_arguments, reason = "as many as the call has")]
        pub fn $op<'s>(
            scope: &mut v8::PinScope<'s, '_>,
            #[cppgc] gl: &GlContext,
            $($arg: $ty,)+
            source: v8::Local<'s, v8::Value>,
            #[number] offset: i64,
            flags: u32,
            source_width: u32,
            source_height: u32,
        ) {
            let image = Image { flags, width: source_width, height: source_height };
            with_pixels(scope, gl, $name, source, offset, 0, image, |$c, $data| $upload);
        }
    )*};
}

/// Calls that take their bytes from memory or a buffer.
macro_rules! compressed_ops {
    ($($op:ident, $name:literal, $upload:ident, ($($arg:ident: $ty:ident),+);)*) => {$(
        #[op2(nofast)]
        #[allow(clippy::too_many_arguments, reason = "as many as the call has")]
        pub fn $op<'s>(
            scope: &mut v8::PinScope<'s, '_>,
            #[cppgc] gl: &GlContext,
            $($arg: $ty,)+
            source: v8::Local<'s, v8::Value>,
            #[number] offset: i64,
            length: u32,
        ) {
            with_pixels(scope, gl, $name, source, offset, length, Image::default(), |c, data| {
                c.$upload($($arg,)+ data);
            });
        }
    )*};
}

image_ops! {
    op_gl_tex_image_2d, "texImage2D",
        (target: u32, level: i32, internal_format: i32, width: i32, height: i32, border: i32, format: u32, ty: u32),
        |c, data| c.tex_image_2d(target, level, internal_format as u32, width, height, border, format, ty, data);
    op_gl_tex_image_3d, "texImage3D",
        (target: u32, level: i32, internal_format: i32, width: i32, height: i32, depth: i32, border: i32, format: u32, ty: u32),
        |c, data| c.tex_image_3d(target, level, internal_format as u32, width, height, depth, border, format, ty, data);
    op_gl_tex_sub_image_2d, "texSubImage2D",
        (target: u32, level: i32, x: i32, y: i32, width: i32, height: i32, format: u32, ty: u32),
        |c, data| c.tex_sub_image_2d(target, level, x, y, width, height, format, ty, data);
    op_gl_tex_sub_image_3d, "texSubImage3D",
        (target: u32, level: i32, x: i32, y: i32, z: i32, width: i32, height: i32, depth: i32, format: u32, ty: u32),
        |c, data| c.tex_sub_image_3d(target, level, x, y, z, width, height, depth, format, ty, data);
}

compressed_ops! {
    op_gl_compressed_tex_image_2d, "compressedTexImage2D", compressed_tex_image_2d,
        (target: u32, level: i32, internal_format: u32, width: i32, height: i32, border: i32);
    op_gl_compressed_tex_image_3d, "compressedTexImage3D", compressed_tex_image_3d,
        (target: u32, level: i32, internal_format: u32, width: i32, height: i32, depth: i32, border: i32);
    op_gl_compressed_tex_sub_image_2d, "compressedTexSubImage2D", compressed_tex_sub_image_2d,
        (target: u32, level: i32, x: i32, y: i32, width: i32, height: i32, format: u32);
    op_gl_compressed_tex_sub_image_3d, "compressedTexSubImage3D", compressed_tex_sub_image_3d,
        (target: u32, level: i32, x: i32, y: i32, z: i32, width: i32, height: i32, depth: i32, format: u32);
}
