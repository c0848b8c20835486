//! `readPixels`: storage texels to client (format, type).

use half::f16;

use super::{MemoryLayout, clamp_number, packed};
use crate::gl::format::StorageFormat as F;
use crate::gl::formats::{BaseFormat, FormatInfo, PixelFormat as P, PixelType as T};

/// Texels of a tightly packed box in storage format, as the back end gave them.
#[derive(Clone, Copy, Debug)]
pub struct Texels<'a> {
    pub info: &'static FormatInfo,
    pub bytes: &'a [u8],
    pub width: u32,
    pub height: u32,
}

/// One texel, widened.
#[derive(Clone, Copy)]
enum Value {
    Float([f32; 4]),
    /// Signed values are sign-extended.
    Integer([u32; 4]),
}

/// Writes `texels` into `out`, whose box is `layout`, at pixel (`x`, `y`) of that box. `y` counts rows upwards.
/// Bytes outside stay as they are. Format and type are legal for the row (`legal_pair`).
pub fn pack(out: &mut [u8], layout: &MemoryLayout, x: u32, y: u32, texels: Texels<'_>, format: P, ty: T) {
    let texel_size = texels.info.texel_size() as usize;
    let row_bytes = texels.width as usize * texel_size;
    let pixel_size = ty.pixel_size(format) as usize;
    if row_bytes == 0 {
        return;
    }
    let copies = is_copy(texels.info, format, ty);
    for (index, row) in texels.bytes.chunks_exact(row_bytes).take(texels.height as usize).enumerate() {
        let start = layout.row_offset(y as usize + index, 0) + x as usize * pixel_size;
        let Some(target) = out.get_mut(start..start + texels.width as usize * pixel_size) else { continue };
        if copies {
            target.copy_from_slice(row);
            continue;
        }
        for (texel, pixel) in row.chunks_exact(texel_size).zip(target.chunks_exact_mut(pixel_size)) {
            encode(decode(texels.info, texel), format, ty, pixel);
        }
    }
}

/// The pair that IMPLEMENTATION_COLOR_READ_FORMAT and _TYPE name: the format's own.
pub fn implementation_pair(info: &FormatInfo) -> (P, T) {
    match info.base {
        BaseFormat::Luminance | BaseFormat::LuminanceAlpha | BaseFormat::Alpha => {
            (P::Rgba, info.pairs.first().map_or(T::UnsignedByte, |pair| pair.1))
        }
        _ => info.pairs.first().copied().unwrap_or((P::Rgba, T::UnsignedByte)),
    }
}

/// May a colour buffer of format `info` be read with that pair (ES 3.0 §4.3.2)?
pub fn legal_pair(info: &FormatInfo, format: P, ty: T) -> bool {
    use crate::gl::formats::ComponentClass as C;
    let canonical = match info.class {
        C::Unorm | C::Snorm => (P::Rgba, T::UnsignedByte),
        C::Float => (P::Rgba, T::Float),
        C::Uint => (P::RgbaInteger, T::UnsignedInt),
        C::Sint => (P::RgbaInteger, T::Int),
    };
    // EXT_color_buffer_half_float lets half buffers be read as RGBA halves.
    let half = info.class == C::Float && (format, ty) == (P::Rgba, T::HalfFloat) && info.bits.red == 16;
    // EXT_texture_norm16.
    let wide = info.class == C::Unorm && (format, ty) == (P::Rgba, T::UnsignedShort) && info.bits.red == 16;
    wide || (format, ty) == canonical || (format, ty) == implementation_pair(info) || half
}

fn is_copy(info: &FormatInfo, format: P, ty: T) -> bool {
    let four = matches!(format, P::Rgba | P::RgbaInteger);
    match info.storage {
        F::Rgba8Unorm | F::Rgba8UnormSrgb | F::Rgba8Uint => four && ty == T::UnsignedByte,
        F::Rgba8Sint => four && ty == T::Byte,
        F::Rgba16Float => four && ty == T::HalfFloat,
        F::Rgba32Float => four && ty == T::Float,
        F::Rgba32Uint => four && ty == T::UnsignedInt,
        F::Rgba32Sint => four && ty == T::Int,
        F::R8Unorm => format == P::Red && ty == T::UnsignedByte,
        F::R32Float => format == P::Red && ty == T::Float,
        F::R32Uint => format == P::RedInteger && ty == T::UnsignedInt,
        F::R32Sint => format == P::RedInteger && ty == T::Int,
        F::Rgb10a2Unorm | F::Rgb10a2Uint => ty == T::UnsignedInt2101010Rev,
        F::Rg11b10Ufloat => ty == T::UnsignedInt10F11F11FRev,
        _ => false,
    }
}

fn decode(info: &FormatInfo, texel: &[u8]) -> Value {
    let unorm8 = |i: usize| texel.get(i).map(|v| f32::from(*v) / 255.0);
    let snorm8 = |i: usize| texel.get(i).map(|v| (f32::from(*v as i8) / 127.0).max(-1.0));
    let word16 = |i: usize| texel.get(2 * i..2 * i + 2).map(|b| u16::from_ne_bytes([b[0], b[1]]));
    let word32 = |i: usize| texel.get(4 * i..4 * i + 4).map(|b| u32::from_ne_bytes([b[0], b[1], b[2], b[3]]));
    let float = |channel: &dyn Fn(usize) -> Option<f32>| {
        let mut values = [0.0, 0.0, 0.0, 1.0];
        for (i, value) in values.iter_mut().enumerate() {
            *value = channel(i).unwrap_or(*value);
        }
        Value::Float(values)
    };
    let integer = |channel: &dyn Fn(usize) -> Option<u32>| {
        let mut values = [0, 0, 0, 1];
        for (i, value) in values.iter_mut().enumerate() {
            *value = channel(i).unwrap_or(*value);
        }
        Value::Integer(values)
    };
    match info.storage {
        F::R8Unorm | F::Rg8Unorm | F::Rgba8Unorm | F::Rgba8UnormSrgb => float(&unorm8),
        F::R8Snorm | F::Rg8Snorm | F::Rgba8Snorm => float(&snorm8),
        F::R16Unorm | F::Rg16Unorm | F::Rgba16Unorm => float(&|i| word16(i).map(|v| f32::from(v) / 65535.0)),
        F::R16Snorm | F::Rg16Snorm | F::Rgba16Snorm => {
            float(&|i| word16(i).map(|v| (f32::from(v as i16) / 32767.0).max(-1.0)))
        }
        F::R16Float | F::Rg16Float | F::Rgba16Float => float(&|i| word16(i).map(|v| f16::from_bits(v).to_f32())),
        F::R32Float | F::Rg32Float | F::Rgba32Float => float(&|i| word32(i).map(f32::from_bits)),
        F::R8Uint | F::Rg8Uint | F::Rgba8Uint => integer(&|i| texel.get(i).map(|v| u32::from(*v))),
        F::R8Sint | F::Rg8Sint | F::Rgba8Sint => integer(&|i| texel.get(i).map(|v| i32::from(*v as i8) as u32)),
        F::R16Uint | F::Rg16Uint | F::Rgba16Uint => integer(&|i| word16(i).map(u32::from)),
        F::R16Sint | F::Rg16Sint | F::Rgba16Sint => integer(&|i| word16(i).map(|v| i32::from(v as i16) as u32)),
        F::R32Uint | F::Rg32Uint | F::Rgba32Uint | F::R32Sint | F::Rg32Sint | F::Rgba32Sint => integer(&word32),
        F::Rgb10a2Unorm => Value::Float(word32(0).map_or([0.0; 4], packed::unpack_2101010)),
        F::Rgb10a2Uint => {
            let pixel = word32(0).unwrap_or(0);
            Value::Integer([pixel & 1023, (pixel >> 10) & 1023, (pixel >> 20) & 1023, pixel >> 30])
        }
        F::Rg11b10Ufloat => {
            let [r, g, b] = packed::unpack_11f11f10f(word32(0).unwrap_or(0));
            Value::Float([r, g, b, 1.0])
        }
        F::Rgb9e5Ufloat => {
            let [r, g, b] = packed::unpack_9e5(word32(0).unwrap_or(0));
            Value::Float([r, g, b, 1.0])
        }
        _ => Value::Float([0.0, 0.0, 0.0, 1.0]),
    }
}

/// Channel order of a client format, and how many.
fn order(format: P) -> ([usize; 4], usize) {
    match format {
        P::LuminanceAlpha => ([0, 3, 0, 0], 2),
        P::Alpha => ([3, 0, 0, 0], 1),
        other => ([0, 1, 2, 3], other.components() as usize),
    }
}

fn encode(value: Value, format: P, ty: T, pixel: &mut [u8]) {
    let (order, count) = order(format);
    match value {
        Value::Float(values) => encode_float(values, order, count, ty, pixel),
        Value::Integer(values) => {
            if ty == T::UnsignedInt2101010Rev {
                let word = (values[0] & 1023) | (values[1] & 1023) << 10 | (values[2] & 1023) << 20 | values[3] << 30;
                pixel.copy_from_slice(&word.to_ne_bytes());
                return;
            }
            let size = ty.size() as usize;
            for (i, slot) in pixel.chunks_exact_mut(size).take(count).enumerate() {
                // The low bytes of a two's complement number are the narrower number.
                let bytes = values[order[i]].to_le_bytes();
                slot.copy_from_slice(&bytes[..size]);
            }
        }
    }
}

fn encode_float(values: [f32; 4], order: [usize; 4], count: usize, ty: T, pixel: &mut [u8]) {
    let unorm = |value: f32, max: f32| (clamp_number(value, 0.0, 1.0) * max + 0.5) as u32;
    let bytes = || values.map(|value| unorm(value, 255.0) as u8);
    match ty {
        T::UnsignedShort565 => pixel.copy_from_slice(&packed::pack_565(bytes()).to_ne_bytes()),
        T::UnsignedShort4444 => pixel.copy_from_slice(&packed::pack_4444(bytes()).to_ne_bytes()),
        T::UnsignedShort5551 => pixel.copy_from_slice(&packed::pack_5551(bytes()).to_ne_bytes()),
        T::UnsignedInt2101010Rev => pixel.copy_from_slice(&packed::pack_2101010(values).to_ne_bytes()),
        T::UnsignedInt10F11F11FRev => {
            pixel.copy_from_slice(&packed::pack_11f11f10f([values[0], values[1], values[2]]).to_ne_bytes());
        }
        T::UnsignedInt5999Rev => {
            pixel.copy_from_slice(&packed::pack_9e5([values[0], values[1], values[2]]).to_ne_bytes());
        }
        T::UnsignedInt248 | T::Float32UnsignedInt248Rev => {}
        _ => {
            let size = ty.size() as usize;
            for (i, slot) in pixel.chunks_exact_mut(size).take(count).enumerate() {
                let value = values[order[i]];
                match ty {
                    T::UnsignedByte => slot[0] = unorm(value, 255.0) as u8,
                    T::Byte => slot[0] = (clamp_number(value, -1.0, 1.0) * 127.0).round() as i8 as u8,
                    T::UnsignedShort => slot.copy_from_slice(&(unorm(value, 65535.0) as u16).to_ne_bytes()),
                    T::Short => {
                        slot.copy_from_slice(
                            &((clamp_number(value, -1.0, 1.0) * 32767.0).round() as i16).to_ne_bytes(),
                        );
                    }
                    T::HalfFloat => slot.copy_from_slice(&f16::from_f32(value).to_ne_bytes()),
                    T::Float => slot.copy_from_slice(&value.to_ne_bytes()),
                    T::UnsignedInt => {
                        let wide = (f64::from(clamp_number(value, 0.0, 1.0)) * f64::from(u32::MAX)).round() as u32;
                        slot.copy_from_slice(&wide.to_ne_bytes());
                    }
                    _ => {}
                }
            }
        }
    }
}
