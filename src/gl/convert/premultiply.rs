//! UNPACK_PREMULTIPLY_ALPHA_WEBGL on converted rows, and its inverse for image sources.

use half::f16;

use crate::gl::format::StorageFormat;

/// Multiplies the colour of a row of texels by its alpha, in place.
pub type InPlace = fn(&mut [u8]);

/// The routine for a storage format; `None` where it makes no difference (no alpha, or integers).
pub fn for_storage(format: StorageFormat) -> Option<InPlace> {
    match format {
        StorageFormat::Rgba8Unorm | StorageFormat::Rgba8UnormSrgb => Some(rgba8),
        StorageFormat::Rgba16Float => Some(rgba16f),
        StorageFormat::Rgba32Float => Some(rgba32f),
        StorageFormat::Rgba16Unorm => Some(rgba16),
        StorageFormat::Rgb10a2Unorm => Some(rgb10a2),
        _ => None,
    }
}

/// round(colour · alpha / 255) without a division.
#[inline]
fn scale8(color: u8, alpha: u8) -> u8 {
    let product = u32::from(color) * u32::from(alpha) + 128;
    ((product + (product >> 8)) >> 8) as u8
}

pub fn rgba8(row: &mut [u8]) {
    for texel in row.chunks_exact_mut(4) {
        let alpha = texel[3];
        texel[0] = scale8(texel[0], alpha);
        texel[1] = scale8(texel[1], alpha);
        texel[2] = scale8(texel[2], alpha);
    }
}

/// The inverse of `rgba8`: colour / alpha, 0 where alpha is 0.
pub fn unpremultiply_rgba8(row: &mut [u8]) {
    for texel in row.chunks_exact_mut(4) {
        let alpha = u32::from(texel[3]);
        for channel in &mut texel[..3] {
            let value = u32::from(*channel) * 255;
            *channel = (value + alpha / 2).checked_div(alpha).unwrap_or(0).min(255) as u8;
        }
    }
}

fn rgba16(row: &mut [u8]) {
    for texel in row.chunks_exact_mut(8) {
        let read = |i: usize| u64::from(u16::from_ne_bytes([texel[2 * i], texel[2 * i + 1]]));
        let alpha = read(3);
        let scaled = [0, 1, 2].map(|i| ((read(i) * alpha + 32767) / 65535) as u16);
        for (i, value) in scaled.into_iter().enumerate() {
            texel[2 * i..2 * i + 2].copy_from_slice(&value.to_ne_bytes());
        }
    }
}

fn rgba16f(row: &mut [u8]) {
    for texel in row.chunks_exact_mut(8) {
        let read = |i: usize| f16::from_ne_bytes([texel[2 * i], texel[2 * i + 1]]).to_f32();
        let alpha = read(3);
        let scaled = [0, 1, 2].map(|i| f16::from_f32(read(i) * alpha));
        for (i, value) in scaled.into_iter().enumerate() {
            texel[2 * i..2 * i + 2].copy_from_slice(&value.to_ne_bytes());
        }
    }
}

fn rgba32f(row: &mut [u8]) {
    for texel in row.chunks_exact_mut(16) {
        let mut values: [f32; 4] = bytemuck::pod_read_unaligned(texel);
        for i in 0..3 {
            values[i] *= values[3];
        }
        texel.copy_from_slice(bytemuck::bytes_of(&values));
    }
}

fn rgb10a2(row: &mut [u8]) {
    for texel in row.chunks_exact_mut(4) {
        let pixel = u32::from_ne_bytes([texel[0], texel[1], texel[2], texel[3]]);
        let alpha = pixel >> 30;
        let channel = |shift: u32| ((((pixel >> shift) & 1023) * alpha * 2 + 3) / 6) << shift;
        let scaled = channel(0) | channel(10) | channel(20) | (alpha << 30);
        texel.copy_from_slice(&scaled.to_ne_bytes());
    }
}
