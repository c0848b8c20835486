//! Uploads from image sources (canvas, image, video, ImageData, ImageBitmap): RGBA8 rows to any storage format.

use half::f16;

use super::packed;
use super::rows::{RowConverter, from_function};
use crate::gl::format::StorageFormat as F;
use crate::gl::formats::{BaseFormat, FormatInfo, PixelType as T};

fn copy(source: &[u8], destination: &mut [u8]) {
    let length = source.len().min(destination.len());
    destination[..length].copy_from_slice(&source[..length]);
}

macro_rules! texel {
    ($name:ident, $n:literal, |$s:ident| $result:expr) => {
        fn $name(source: &[u8], destination: &mut [u8]) {
            for (from, to) in source.chunks_exact(4).zip(destination.chunks_exact_mut($n)) {
                let $s = [from[0], from[1], from[2], from[3]];
                to.copy_from_slice(&$result);
            }
        }
    };
}

texel!(rgb8, 4, |s| [s[0], s[1], s[2], 255]);
texel!(rgb8_integer, 4, |s| [s[0], s[1], s[2], 1]);
texel!(r8, 1, |s| [s[0]]);
texel!(rg8, 2, |s| [s[0], s[1]]);
texel!(luminance8, 4, |s| [s[0], s[0], s[0], 255]);
texel!(luminance_alpha8, 4, |s| [s[0], s[0], s[0], s[3]]);
texel!(alpha8, 4, |s| [0, 0, 0, s[3]]);
texel!(through_565, 4, |s| packed::unpack_565(packed::pack_565(s)));
texel!(through_4444, 4, |s| packed::unpack_4444(packed::pack_4444(s)));
texel!(through_5551, 4, |s| packed::unpack_5551(packed::pack_5551(s)));
texel!(to_2101010, 4, |s| packed::pack_2101010(s.map(unit)).to_ne_bytes());
texel!(to_11f, 4, |s| packed::pack_11f11f10f([unit(s[0]), unit(s[1]), unit(s[2])]).to_ne_bytes());
texel!(to_9e5, 4, |s| packed::pack_9e5([unit(s[0]), unit(s[1]), unit(s[2])]).to_ne_bytes());

#[inline]
fn unit(value: u8) -> f32 {
    f32::from(value) / 255.0
}

/// The channels of `base` as stored, from RGBA.
fn channels(base: BaseFormat, s: [f32; 4]) -> ([f32; 4], usize) {
    match base {
        BaseFormat::Red => (s, 1),
        BaseFormat::Rg => (s, 2),
        BaseFormat::Rgb => ([s[0], s[1], s[2], 1.0], 4),
        BaseFormat::Luminance => ([s[0], s[0], s[0], 1.0], 4),
        BaseFormat::LuminanceAlpha => ([s[0], s[0], s[0], s[3]], 4),
        BaseFormat::Alpha => ([0.0, 0.0, 0.0, s[3]], 4),
        _ => (s, 4),
    }
}

macro_rules! float_rows {
    ($($name:ident, $half:ident: $base:ident;)*) => {$(
        fn $name(source: &[u8], destination: &mut [u8]) {
            float_row(source, destination, BaseFormat::$base);
        }
        fn $half(source: &[u8], destination: &mut [u8]) {
            half_row(source, destination, BaseFormat::$base);
        }
    )*};
}

float_rows! {
    float_r, half_r: Red;
    float_rg, half_rg: Rg;
    float_rgb, half_rgb: Rgb;
    float_rgba, half_rgba: Rgba;
    float_l, half_l: Luminance;
    float_la, half_la: LuminanceAlpha;
    float_a, half_a: Alpha;
}

#[inline]
fn float_row(source: &[u8], destination: &mut [u8], base: BaseFormat) {
    let count = channels(base, [0.0; 4]).1;
    for (from, to) in source.chunks_exact(4).zip(destination.chunks_exact_mut(4 * count)) {
        let (values, _) = channels(base, [unit(from[0]), unit(from[1]), unit(from[2]), unit(from[3])]);
        to.copy_from_slice(&bytemuck::bytes_of(&values)[..4 * count]);
    }
}

#[inline]
fn half_row(source: &[u8], destination: &mut [u8], base: BaseFormat) {
    let count = channels(base, [0.0; 4]).1;
    for (from, to) in source.chunks_exact(4).zip(destination.chunks_exact_mut(2 * count)) {
        let (values, _) = channels(base, [unit(from[0]), unit(from[1]), unit(from[2]), unit(from[3])]);
        let values = values.map(f16::from_f32);
        to.copy_from_slice(&bytemuck::bytes_of(&values)[..2 * count]);
    }
}

/// Converter from RGBA8 rows for an upload with `ty` into `info`; `None` for formats image sources may not fill
/// (depth, 16- and 32-bit integers, signed ones).
pub fn converter(info: &FormatInfo, ty: T) -> Option<RowConverter> {
    use BaseFormat as B;
    let function: fn(&[u8], &mut [u8]) = match (info.storage, info.base, ty) {
        (F::Rgba8Unorm, B::Rgb, T::UnsignedShort565) => through_565,
        (F::Rgba8Unorm, B::Rgba, T::UnsignedShort4444) => through_4444,
        (F::Rgba8Unorm, B::Rgba, T::UnsignedShort5551) => through_5551,
        (F::Rgba8Unorm | F::Rgba8UnormSrgb | F::Rgba8Uint, B::Rgba, _) => {
            return Some(from_function(copy, 4, 4, true));
        }
        (F::Rgba8Unorm | F::Rgba8UnormSrgb, B::Rgb, _) => rgb8,
        (F::Rgba8Uint, B::Rgb, _) => rgb8_integer,
        (F::Rgba8Unorm, B::Luminance, _) => luminance8,
        (F::Rgba8Unorm, B::LuminanceAlpha, _) => luminance_alpha8,
        (F::Rgba8Unorm, B::Alpha, _) => alpha8,
        (F::R8Unorm | F::R8Uint, ..) => r8,
        (F::Rg8Unorm | F::Rg8Uint, ..) => rg8,
        (F::Rgb10a2Unorm, ..) => to_2101010,
        (F::Rg11b10Ufloat, ..) => to_11f,
        (F::Rgb9e5Ufloat, ..) => to_9e5,
        (F::R16Float | F::Rg16Float | F::Rgba16Float, base, _) => match base {
            B::Red => half_r,
            B::Rg => half_rg,
            B::Rgb => half_rgb,
            B::Rgba => half_rgba,
            B::Luminance => half_l,
            B::LuminanceAlpha => half_la,
            B::Alpha => half_a,
            _ => return None,
        },
        (F::R32Float | F::Rg32Float | F::Rgba32Float, base, _) => match base {
            B::Red => float_r,
            B::Rg => float_rg,
            B::Rgb => float_rgb,
            B::Rgba => float_rgba,
            B::Luminance => float_l,
            B::LuminanceAlpha => float_la,
            B::Alpha => float_a,
            _ => return None,
        },
        _ => return None,
    };
    Some(from_function(function, 4, info.texel_size(), false))
}
