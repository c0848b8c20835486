//! The uncompressed rows: ES 3.0.6 tables 3.2, 3.13 and 3.14, EXT_texture_norm16, ES 2.0's unsized formats.

use super::{Availability, BaseFormat, Bits, ColorRenderable, ComponentClass, Filterable, FormatInfo};
use super::{PixelFormat as P, PixelType as T};
use crate::gl::constants as c;
use crate::gl::format::StorageFormat as F;

use BaseFormat::{Alpha, Depth, DepthStencil, Luminance, LuminanceAlpha, Red, Rg, Rgb, Rgba, Stencil};
use ColorRenderable as R;
use ComponentClass::{Float, Sint, Snorm, Uint, Unorm};
use Filterable as L;

type Pairs = &'static [(P, T)];

const fn rgba(red: u8, green: u8, blue: u8, alpha: u8) -> Bits {
    Bits { red, green, blue, alpha, depth: 0, stencil: 0 }
}

const fn depth(depth: u8, stencil: u8) -> Bits {
    Bits { red: 0, green: 0, blue: 0, alpha: 0, depth, stencil }
}

#[allow(clippy::too_many_arguments, reason = "a table row")]
const fn row(
    gl: u32,
    base: BaseFormat,
    class: ComponentClass,
    bits: Bits,
    storage: F,
    render: R,
    filter: L,
    pairs: Pairs,
) -> FormatInfo {
    FormatInfo {
        gl,
        base,
        class,
        bits,
        storage,
        srgb: matches!(storage, F::Rgba8UnormSrgb),
        render,
        filter,
        availability: Availability::WebGl2,
        pairs,
        block: None,
    }
}

const fn with(mut info: FormatInfo, availability: Availability) -> FormatInfo {
    info.availability = availability;
    info
}

const fn legacy(
    gl: u32,
    base: BaseFormat,
    class: ComponentClass,
    bits: Bits,
    storage: F,
    filter: L,
    pairs: Pairs,
) -> FormatInfo {
    with(row(gl, base, class, bits, storage, R::Never, filter, pairs), Availability::Unsized)
}

const fn norm16(
    gl: u32,
    base: BaseFormat,
    class: ComponentClass,
    bits: Bits,
    storage: F,
    render: R,
    pairs: Pairs,
) -> FormatInfo {
    with(row(gl, base, class, bits, storage, render, L::Always, pairs), Availability::Norm16)
}

const FLOAT_UP: [(P, T); 2] = [(P::Rgb, T::HalfFloat), (P::Rgb, T::Float)];

pub(super) static TABLE: [FormatInfo; 75] = [
    // --- normalised ------------------------------------------------------------------------------
    row(c::R8, Red, Unorm, rgba(8, 0, 0, 0), F::R8Unorm, R::WebGl2, L::Always, &[(P::Red, T::UnsignedByte)]),
    row(c::RG8, Rg, Unorm, rgba(8, 8, 0, 0), F::Rg8Unorm, R::WebGl2, L::Always, &[(P::Rg, T::UnsignedByte)]),
    row(c::RGB8, Rgb, Unorm, rgba(8, 8, 8, 0), F::Rgba8Unorm, R::Always, L::Always, &[(P::Rgb, T::UnsignedByte)]),
    row(c::RGBA8, Rgba, Unorm, rgba(8, 8, 8, 8), F::Rgba8Unorm, R::Always, L::Always, &[(P::Rgba, T::UnsignedByte)]),
    // Stored with 8 bits a channel: reads back at least as precise as GL asks.
    row(
        c::RGB565,
        Rgb,
        Unorm,
        rgba(5, 6, 5, 0),
        F::Rgba8Unorm,
        R::Always,
        L::Always,
        &[(P::Rgb, T::UnsignedShort565), (P::Rgb, T::UnsignedByte)],
    ),
    row(
        c::RGBA4,
        Rgba,
        Unorm,
        rgba(4, 4, 4, 4),
        F::Rgba8Unorm,
        R::Always,
        L::Always,
        &[(P::Rgba, T::UnsignedShort4444), (P::Rgba, T::UnsignedByte)],
    ),
    row(
        c::RGB5_A1,
        Rgba,
        Unorm,
        rgba(5, 5, 5, 1),
        F::Rgba8Unorm,
        R::Always,
        L::Always,
        &[(P::Rgba, T::UnsignedShort5551), (P::Rgba, T::UnsignedByte), (P::Rgba, T::UnsignedInt2101010Rev)],
    ),
    row(
        c::RGB10_A2,
        Rgba,
        Unorm,
        rgba(10, 10, 10, 2),
        F::Rgb10a2Unorm,
        R::WebGl2,
        L::Always,
        &[(P::Rgba, T::UnsignedInt2101010Rev)],
    ),
    row(c::SRGB8, Rgb, Unorm, rgba(8, 8, 8, 0), F::Rgba8UnormSrgb, R::Never, L::Always, &[(P::Rgb, T::UnsignedByte)]),
    row(
        c::SRGB8_ALPHA8,
        Rgba,
        Unorm,
        rgba(8, 8, 8, 8),
        F::Rgba8UnormSrgb,
        R::Srgb,
        L::Always,
        &[(P::Rgba, T::UnsignedByte)],
    ),
    row(c::R8_SNORM, Red, Snorm, rgba(8, 0, 0, 0), F::R8Snorm, R::Never, L::Always, &[(P::Red, T::Byte)]),
    row(c::RG8_SNORM, Rg, Snorm, rgba(8, 8, 0, 0), F::Rg8Snorm, R::Never, L::Always, &[(P::Rg, T::Byte)]),
    row(c::RGB8_SNORM, Rgb, Snorm, rgba(8, 8, 8, 0), F::Rgba8Snorm, R::Never, L::Always, &[(P::Rgb, T::Byte)]),
    row(c::RGBA8_SNORM, Rgba, Snorm, rgba(8, 8, 8, 8), F::Rgba8Snorm, R::Never, L::Always, &[(P::Rgba, T::Byte)]),
    // --- float -----------------------------------------------------------------------------------
    row(
        c::R16F,
        Red,
        Float,
        rgba(16, 0, 0, 0),
        F::R16Float,
        R::HalfFloat,
        L::HalfFloat,
        &[(P::Red, T::HalfFloat), (P::Red, T::Float)],
    ),
    row(
        c::RG16F,
        Rg,
        Float,
        rgba(16, 16, 0, 0),
        F::Rg16Float,
        R::HalfFloat,
        L::HalfFloat,
        &[(P::Rg, T::HalfFloat), (P::Rg, T::Float)],
    ),
    row(c::RGB16F, Rgb, Float, rgba(16, 16, 16, 0), F::Rgba16Float, R::HalfFloatRgb, L::HalfFloat, &FLOAT_UP),
    row(
        c::RGBA16F,
        Rgba,
        Float,
        rgba(16, 16, 16, 16),
        F::Rgba16Float,
        R::HalfFloat,
        L::HalfFloat,
        &[(P::Rgba, T::HalfFloat), (P::Rgba, T::Float)],
    ),
    row(c::R32F, Red, Float, rgba(32, 0, 0, 0), F::R32Float, R::Float, L::Float, &[(P::Red, T::Float)]),
    row(c::RG32F, Rg, Float, rgba(32, 32, 0, 0), F::Rg32Float, R::Float, L::Float, &[(P::Rg, T::Float)]),
    row(c::RGB32F, Rgb, Float, rgba(32, 32, 32, 0), F::Rgba32Float, R::FloatRgb, L::Float, &[(P::Rgb, T::Float)]),
    row(c::RGBA32F, Rgba, Float, rgba(32, 32, 32, 32), F::Rgba32Float, R::Float, L::Float, &[(P::Rgba, T::Float)]),
    row(
        c::R11F_G11F_B10F,
        Rgb,
        Float,
        rgba(11, 11, 10, 0),
        F::Rg11b10Ufloat,
        R::PackedFloat,
        L::Always,
        &[(P::Rgb, T::UnsignedInt10F11F11FRev), (P::Rgb, T::HalfFloat), (P::Rgb, T::Float)],
    ),
    row(
        c::RGB9_E5,
        Rgb,
        Float,
        rgba(9, 9, 9, 0),
        F::Rgb9e5Ufloat,
        R::Never,
        L::Always,
        &[(P::Rgb, T::UnsignedInt5999Rev), (P::Rgb, T::HalfFloat), (P::Rgb, T::Float)],
    ),
    // --- integer ---------------------------------------------------------------------------------
    row(c::R8UI, Red, Uint, rgba(8, 0, 0, 0), F::R8Uint, R::WebGl2, L::Never, &[(P::RedInteger, T::UnsignedByte)]),
    row(c::R8I, Red, Sint, rgba(8, 0, 0, 0), F::R8Sint, R::WebGl2, L::Never, &[(P::RedInteger, T::Byte)]),
    row(c::R16UI, Red, Uint, rgba(16, 0, 0, 0), F::R16Uint, R::WebGl2, L::Never, &[(P::RedInteger, T::UnsignedShort)]),
    row(c::R16I, Red, Sint, rgba(16, 0, 0, 0), F::R16Sint, R::WebGl2, L::Never, &[(P::RedInteger, T::Short)]),
    row(c::R32UI, Red, Uint, rgba(32, 0, 0, 0), F::R32Uint, R::WebGl2, L::Never, &[(P::RedInteger, T::UnsignedInt)]),
    row(c::R32I, Red, Sint, rgba(32, 0, 0, 0), F::R32Sint, R::WebGl2, L::Never, &[(P::RedInteger, T::Int)]),
    row(c::RG8UI, Rg, Uint, rgba(8, 8, 0, 0), F::Rg8Uint, R::WebGl2, L::Never, &[(P::RgInteger, T::UnsignedByte)]),
    row(c::RG8I, Rg, Sint, rgba(8, 8, 0, 0), F::Rg8Sint, R::WebGl2, L::Never, &[(P::RgInteger, T::Byte)]),
    row(c::RG16UI, Rg, Uint, rgba(16, 16, 0, 0), F::Rg16Uint, R::WebGl2, L::Never, &[(P::RgInteger, T::UnsignedShort)]),
    row(c::RG16I, Rg, Sint, rgba(16, 16, 0, 0), F::Rg16Sint, R::WebGl2, L::Never, &[(P::RgInteger, T::Short)]),
    row(c::RG32UI, Rg, Uint, rgba(32, 32, 0, 0), F::Rg32Uint, R::WebGl2, L::Never, &[(P::RgInteger, T::UnsignedInt)]),
    row(c::RG32I, Rg, Sint, rgba(32, 32, 0, 0), F::Rg32Sint, R::WebGl2, L::Never, &[(P::RgInteger, T::Int)]),
    row(c::RGB8UI, Rgb, Uint, rgba(8, 8, 8, 0), F::Rgba8Uint, R::Never, L::Never, &[(P::RgbInteger, T::UnsignedByte)]),
    row(c::RGB8I, Rgb, Sint, rgba(8, 8, 8, 0), F::Rgba8Sint, R::Never, L::Never, &[(P::RgbInteger, T::Byte)]),
    row(
        c::RGB16UI,
        Rgb,
        Uint,
        rgba(16, 16, 16, 0),
        F::Rgba16Uint,
        R::Never,
        L::Never,
        &[(P::RgbInteger, T::UnsignedShort)],
    ),
    row(c::RGB16I, Rgb, Sint, rgba(16, 16, 16, 0), F::Rgba16Sint, R::Never, L::Never, &[(P::RgbInteger, T::Short)]),
    row(
        c::RGB32UI,
        Rgb,
        Uint,
        rgba(32, 32, 32, 0),
        F::Rgba32Uint,
        R::Never,
        L::Never,
        &[(P::RgbInteger, T::UnsignedInt)],
    ),
    row(c::RGB32I, Rgb, Sint, rgba(32, 32, 32, 0), F::Rgba32Sint, R::Never, L::Never, &[(P::RgbInteger, T::Int)]),
    row(
        c::RGBA8UI,
        Rgba,
        Uint,
        rgba(8, 8, 8, 8),
        F::Rgba8Uint,
        R::WebGl2,
        L::Never,
        &[(P::RgbaInteger, T::UnsignedByte)],
    ),
    row(c::RGBA8I, Rgba, Sint, rgba(8, 8, 8, 8), F::Rgba8Sint, R::WebGl2, L::Never, &[(P::RgbaInteger, T::Byte)]),
    row(
        c::RGBA16UI,
        Rgba,
        Uint,
        rgba(16, 16, 16, 16),
        F::Rgba16Uint,
        R::WebGl2,
        L::Never,
        &[(P::RgbaInteger, T::UnsignedShort)],
    ),
    row(
        c::RGBA16I,
        Rgba,
        Sint,
        rgba(16, 16, 16, 16),
        F::Rgba16Sint,
        R::WebGl2,
        L::Never,
        &[(P::RgbaInteger, T::Short)],
    ),
    row(
        c::RGBA32UI,
        Rgba,
        Uint,
        rgba(32, 32, 32, 32),
        F::Rgba32Uint,
        R::WebGl2,
        L::Never,
        &[(P::RgbaInteger, T::UnsignedInt)],
    ),
    row(c::RGBA32I, Rgba, Sint, rgba(32, 32, 32, 32), F::Rgba32Sint, R::WebGl2, L::Never, &[(P::RgbaInteger, T::Int)]),
    row(
        c::RGB10_A2UI,
        Rgba,
        Uint,
        rgba(10, 10, 10, 2),
        F::Rgb10a2Uint,
        R::WebGl2,
        L::Never,
        &[(P::RgbaInteger, T::UnsignedInt2101010Rev)],
    ),
    // --- EXT_texture_norm16 ----------------------------------------------------------------------
    norm16(c::R16_EXT, Red, Unorm, rgba(16, 0, 0, 0), F::R16Unorm, R::Norm16, &[(P::Red, T::UnsignedShort)]),
    norm16(c::RG16_EXT, Rg, Unorm, rgba(16, 16, 0, 0), F::Rg16Unorm, R::Norm16, &[(P::Rg, T::UnsignedShort)]),
    norm16(c::RGB16_EXT, Rgb, Unorm, rgba(16, 16, 16, 0), F::Rgba16Unorm, R::Never, &[(P::Rgb, T::UnsignedShort)]),
    norm16(c::RGBA16_EXT, Rgba, Unorm, rgba(16, 16, 16, 16), F::Rgba16Unorm, R::Norm16, &[(P::Rgba, T::UnsignedShort)]),
    norm16(c::R16_SNORM_EXT, Red, Snorm, rgba(16, 0, 0, 0), F::R16Snorm, R::Never, &[(P::Red, T::Short)]),
    norm16(c::RG16_SNORM_EXT, Rg, Snorm, rgba(16, 16, 0, 0), F::Rg16Snorm, R::Never, &[(P::Rg, T::Short)]),
    norm16(c::RGB16_SNORM_EXT, Rgb, Snorm, rgba(16, 16, 16, 0), F::Rgba16Snorm, R::Never, &[(P::Rgb, T::Short)]),
    norm16(c::RGBA16_SNORM_EXT, Rgba, Snorm, rgba(16, 16, 16, 16), F::Rgba16Snorm, R::Never, &[(P::Rgba, T::Short)]),
    // --- depth and stencil -----------------------------------------------------------------------
    row(
        c::DEPTH_COMPONENT16,
        Depth,
        Unorm,
        depth(16, 0),
        F::Depth16Unorm,
        R::Never,
        L::Never,
        &[(P::DepthComponent, T::UnsignedShort), (P::DepthComponent, T::UnsignedInt)],
    ),
    row(
        c::DEPTH_COMPONENT24,
        Depth,
        Unorm,
        depth(24, 0),
        F::Depth24Plus,
        R::Never,
        L::Never,
        &[(P::DepthComponent, T::UnsignedInt)],
    ),
    row(
        c::DEPTH_COMPONENT32F,
        Depth,
        Float,
        depth(32, 0),
        F::Depth32Float,
        R::Never,
        L::Never,
        &[(P::DepthComponent, T::Float)],
    ),
    row(
        c::DEPTH24_STENCIL8,
        DepthStencil,
        Unorm,
        depth(24, 8),
        F::Depth24PlusStencil8,
        R::Never,
        L::Never,
        &[(P::DepthStencil, T::UnsignedInt248)],
    ),
    row(
        c::DEPTH32F_STENCIL8,
        DepthStencil,
        Float,
        depth(32, 8),
        F::Depth32FloatStencil8,
        R::Never,
        L::Never,
        &[(P::DepthStencil, T::Float32UnsignedInt248Rev)],
    ),
    with(
        row(c::STENCIL_INDEX8, Stencil, Uint, depth(0, 8), F::Stencil8, R::Never, L::Never, &[]),
        Availability::RenderbufferOnly,
    ),
    // --- unsized only: stored as RGBA, swizzled on upload (L → LLL1, A → 000A) ----------------------
    legacy(
        c::LUMINANCE,
        Luminance,
        Unorm,
        rgba(8, 8, 8, 0),
        F::Rgba8Unorm,
        L::Always,
        &[(P::Luminance, T::UnsignedByte)],
    ),
    legacy(
        c::LUMINANCE_ALPHA,
        LuminanceAlpha,
        Unorm,
        rgba(8, 8, 8, 8),
        F::Rgba8Unorm,
        L::Always,
        &[(P::LuminanceAlpha, T::UnsignedByte)],
    ),
    legacy(c::ALPHA, Alpha, Unorm, rgba(0, 0, 0, 8), F::Rgba8Unorm, L::Always, &[(P::Alpha, T::UnsignedByte)]),
    legacy(
        c::LUMINANCE,
        Luminance,
        Float,
        rgba(16, 16, 16, 0),
        F::Rgba16Float,
        L::HalfFloat,
        &[(P::Luminance, T::HalfFloat)],
    ),
    legacy(
        c::LUMINANCE_ALPHA,
        LuminanceAlpha,
        Float,
        rgba(16, 16, 16, 16),
        F::Rgba16Float,
        L::HalfFloat,
        &[(P::LuminanceAlpha, T::HalfFloat)],
    ),
    legacy(c::ALPHA, Alpha, Float, rgba(0, 0, 0, 16), F::Rgba16Float, L::HalfFloat, &[(P::Alpha, T::HalfFloat)]),
    legacy(c::LUMINANCE, Luminance, Float, rgba(32, 32, 32, 0), F::Rgba32Float, L::Float, &[(P::Luminance, T::Float)]),
    legacy(
        c::LUMINANCE_ALPHA,
        LuminanceAlpha,
        Float,
        rgba(32, 32, 32, 32),
        F::Rgba32Float,
        L::Float,
        &[(P::LuminanceAlpha, T::Float)],
    ),
    legacy(c::ALPHA, Alpha, Float, rgba(0, 0, 0, 32), F::Rgba32Float, L::Float, &[(P::Alpha, T::Float)]),
    // WEBGL_depth_texture's unsized names: linear filtering is let through, see `FormatInfo::is_sized`.
    legacy(
        c::DEPTH_COMPONENT,
        Depth,
        Unorm,
        depth(16, 0),
        F::Depth16Unorm,
        L::Never,
        &[(P::DepthComponent, T::UnsignedShort)],
    ),
    legacy(
        c::DEPTH_COMPONENT,
        Depth,
        Unorm,
        depth(24, 0),
        F::Depth24Plus,
        L::Never,
        &[(P::DepthComponent, T::UnsignedInt)],
    ),
    legacy(
        c::DEPTH_STENCIL,
        DepthStencil,
        Unorm,
        depth(24, 8),
        F::Depth24PlusStencil8,
        L::Never,
        &[(P::DepthStencil, T::UnsignedInt248)],
    ),
];
