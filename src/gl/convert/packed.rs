//! Packed pixels: 565, 4444, 5551, 2_10_10_10, 10F_11F_11F and 5_9_9_9, both ways.

use half::f16;

/// Widens an n-bit unorm to 8 bits: round(v · 255 / (2ⁿ − 1)).
#[inline]
fn to_unorm8(value: u32, max: u32) -> u8 {
    ((value * 510 + max) / (2 * max)) as u8
}

/// R in the high bits (ES 3.0 table 3.6).
#[inline]
pub fn unpack_565(pixel: u16) -> [u8; 4] {
    let pixel = u32::from(pixel);
    [to_unorm8(pixel >> 11, 31), to_unorm8((pixel >> 5) & 63, 63), to_unorm8(pixel & 31, 31), 255]
}

#[inline]
pub fn unpack_4444(pixel: u16) -> [u8; 4] {
    let nibble = |shift: u32| ((pixel >> shift) & 15) as u8 * 17;
    [nibble(12), nibble(8), nibble(4), nibble(0)]
}

#[inline]
pub fn unpack_5551(pixel: u16) -> [u8; 4] {
    let pixel = u32::from(pixel);
    let channel = |shift: u32| to_unorm8((pixel >> shift) & 31, 31);
    [channel(11), channel(6), channel(1), if pixel & 1 == 1 { 255 } else { 0 }]
}

/// UNSIGNED_INT_2_10_10_10_REV to 8 bits a channel (RGB5_A1 accepts it).
#[inline]
pub fn unpack_2101010_unorm8(pixel: u32) -> [u8; 4] {
    let channel = |shift: u32| to_unorm8((pixel >> shift) & 1023, 1023);
    [channel(0), channel(10), channel(20), (pixel >> 30) as u8 * 85]
}

#[inline]
pub fn pack_565(rgba: [u8; 4]) -> u16 {
    let narrow = |value: u8, max: u32| ((u32::from(value) * max * 2 + 255) / 510) as u16;
    (narrow(rgba[0], 31) << 11) | (narrow(rgba[1], 63) << 5) | narrow(rgba[2], 31)
}

#[inline]
pub fn pack_4444(rgba: [u8; 4]) -> u16 {
    let narrow = |value: u8| ((u32::from(value) * 30 + 255) / 510) as u16;
    (narrow(rgba[0]) << 12) | (narrow(rgba[1]) << 8) | (narrow(rgba[2]) << 4) | narrow(rgba[3])
}

#[inline]
pub fn pack_5551(rgba: [u8; 4]) -> u16 {
    let narrow = |value: u8| ((u32::from(value) * 62 + 255) / 510) as u16;
    (narrow(rgba[0]) << 11) | (narrow(rgba[1]) << 6) | (narrow(rgba[2]) << 1) | u16::from(rgba[3] >= 128)
}

/// [0, 1] floats to RGB10_A2; red in the low bits.
#[inline]
pub fn pack_2101010(rgba: [f32; 4]) -> u32 {
    let narrow = |value: f32, max: f32| (value.clamp(0.0, 1.0) * max + 0.5) as u32;
    narrow(rgba[0], 1023.0)
        | (narrow(rgba[1], 1023.0) << 10)
        | (narrow(rgba[2], 1023.0) << 20)
        | (narrow(rgba[3], 3.0) << 30)
}

#[inline]
pub fn unpack_2101010(pixel: u32) -> [f32; 4] {
    let channel = |shift: u32| ((pixel >> shift) & 1023) as f32 / 1023.0;
    [channel(0), channel(10), channel(20), (pixel >> 30) as f32 / 3.0]
}

/// Unsigned float with 5 exponent bits and `mantissa` bits of fraction (ES 3.0 §2.1.3–2.1.4): negative values and
/// −∞ become 0, finite ones too large the greatest finite one, rounding to nearest even.
fn to_small_float(value: f32, mantissa: u32) -> u32 {
    let infinity = 31 << mantissa;
    if value.is_nan() {
        return infinity | 1;
    }
    if value <= 0.0 {
        return 0;
    }
    if value.is_infinite() {
        return infinity;
    }
    let bits = value.to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let drop = 23 - mantissa;
    // The fraction with its hidden bit, shifted further right for denormals.
    let shift = if exponent < -14 { drop as i32 + (-14 - exponent) } else { drop as i32 };
    if shift > 24 {
        return 0;
    }
    let fraction = (bits & 0x7f_ffff) | 0x80_0000;
    let half = 1u32 << (shift - 1);
    let low = fraction & ((1 << shift) - 1);
    let mut rounded = fraction >> shift;
    if low > half || (low == half && rounded & 1 == 1) {
        rounded += 1;
    }
    // A normal number's hidden bit adds one to the exponent field, so the field starts one lower.
    let field = if exponent < -14 { 0 } else { (exponent + 14) as u32 };
    ((field << mantissa) + rounded).min(infinity - 1)
}

fn from_small_float(bits: u32, mantissa: u32) -> f32 {
    // Same exponent width and bias as a half: widen the fraction.
    f16::from_bits((bits << (10 - mantissa)) as u16).to_f32()
}

/// RGB to R11F_G11F_B10F, red in the low bits.
pub fn pack_11f11f10f(rgb: [f32; 3]) -> u32 {
    to_small_float(rgb[0], 6) | (to_small_float(rgb[1], 6) << 11) | (to_small_float(rgb[2], 5) << 22)
}

pub fn unpack_11f11f10f(pixel: u32) -> [f32; 3] {
    [from_small_float(pixel & 0x7ff, 6), from_small_float((pixel >> 11) & 0x7ff, 6), from_small_float(pixel >> 22, 5)]
}

/// RGB to RGB9_E5 (ES 3.0 §3.8.3.2): N = 9, B = 15, Emax = 31.
pub fn pack_9e5(rgb: [f32; 3]) -> u32 {
    const MAX: f32 = 511.0 / 512.0 * 65536.0;
    let clamped = rgb.map(|value| super::clamp_number(value, 0.0, MAX));
    let greatest = clamped[0].max(clamped[1]).max(clamped[2]);
    let exponent_of = |value: f32| (value.to_bits() >> 23) as i32 - 127;
    let preliminary = exponent_of(greatest).max(-16) + 16;
    let scale = |exponent: i32| f32::from_bits(((24 - exponent + 127) as u32) << 23);
    let mut exponent = preliminary;
    if (greatest * scale(exponent) + 0.5) as u32 == 512 {
        exponent += 1;
    }
    let factor = scale(exponent);
    let quantise = |value: f32| ((value * factor + 0.5) as u32).min(511);
    quantise(clamped[0]) | (quantise(clamped[1]) << 9) | (quantise(clamped[2]) << 18) | ((exponent as u32) << 27)
}

pub fn unpack_9e5(pixel: u32) -> [f32; 3] {
    // 2^(exponent − 15 − 9), exact in f32.
    let scale = f32::from_bits(((pixel >> 27) + 127 - 24) << 23);
    [(pixel & 511) as f32 * scale, ((pixel >> 9) & 511) as f32 * scale, ((pixel >> 18) & 511) as f32 * scale]
}
