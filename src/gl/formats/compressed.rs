//! Compressed texture formats: S3TC, RGTC, BPTC, ETC2/EAC, ETC1, ASTC.

use super::{Availability, BaseFormat, Bits, ColorRenderable, ComponentClass, Filterable, FormatInfo};
use crate::gl::constants as c;
use crate::gl::format::StorageFormat as F;

/// Block of a compressed format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    pub width: u32,
    pub height: u32,
    pub bytes: u32,
}

impl Block {
    /// Bytes of an image of that size, whole blocks; `None` if it does not fit u64.
    pub fn image_size(self, width: u32, height: u32, depth: u32) -> u64 {
        u64::from(width.div_ceil(self.width))
            * u64::from(height.div_ceil(self.height))
            * u64::from(depth)
            * u64::from(self.bytes)
    }
}

/// The extension a compressed format comes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    S3tc,
    S3tcSrgb,
    Rgtc,
    Bptc,
    Etc,
    Etc1,
    Astc,
}

const fn row(gl: u32, family: Family, base: BaseFormat, class: ComponentClass, storage: F, bytes: u32) -> FormatInfo {
    block_row(gl, family, base, class, storage, Block { width: 4, height: 4, bytes }, false)
}

const fn srgb(gl: u32, family: Family, base: BaseFormat, storage: F, bytes: u32) -> FormatInfo {
    block_row(gl, family, base, ComponentClass::Unorm, storage, Block { width: 4, height: 4, bytes }, true)
}

const fn block_row(
    gl: u32,
    family: Family,
    base: BaseFormat,
    class: ComponentClass,
    storage: F,
    block: Block,
    srgb: bool,
) -> FormatInfo {
    FormatInfo {
        gl,
        base,
        class,
        bits: Bits { red: 0, green: 0, blue: 0, alpha: 0, depth: 0, stencil: 0 },
        storage,
        srgb,
        render: ColorRenderable::Never,
        filter: Filterable::Always,
        availability: Availability::Compressed(family),
        pairs: &[],
        block: Some(block),
    }
}

const fn astc(gl: u32, width: u8, height: u8, srgb: bool) -> FormatInfo {
    let block = Block { width: width as u32, height: height as u32, bytes: 16 };
    block_row(gl, Family::Astc, BaseFormat::Rgba, ComponentClass::Unorm, F::Astc { width, height, srgb }, block, srgb)
}

use BaseFormat::{Red, Rg, Rgb, Rgba};
use ComponentClass::{Float, Snorm, Unorm};
use Family::{Bptc, Etc, Etc1, Rgtc, S3tc, S3tcSrgb};

/// WEBGL_compressed_texture_astc: linear formats start here, sRGB ones 0x20 later.
const ASTC: u32 = 0x93b0;
const ASTC_SRGB: u32 = 0x93d0;

pub(super) static COMPRESSED: [FormatInfo; 55] = [
    // DXT1 without alpha still decodes index 3 as transparent black; GL says RGB, so alpha reads 1 there.
    // wgpu has one BC1: programs that use the RGB name encode opaque blocks.
    row(c::COMPRESSED_RGB_S3TC_DXT1_EXT, S3tc, Rgb, Unorm, F::Bc1RgbaUnorm, 8),
    row(c::COMPRESSED_RGBA_S3TC_DXT1_EXT, S3tc, Rgba, Unorm, F::Bc1RgbaUnorm, 8),
    row(c::COMPRESSED_RGBA_S3TC_DXT3_EXT, S3tc, Rgba, Unorm, F::Bc2RgbaUnorm, 16),
    row(c::COMPRESSED_RGBA_S3TC_DXT5_EXT, S3tc, Rgba, Unorm, F::Bc3RgbaUnorm, 16),
    srgb(c::COMPRESSED_SRGB_S3TC_DXT1_EXT, S3tcSrgb, Rgb, F::Bc1RgbaUnormSrgb, 8),
    srgb(c::COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT, S3tcSrgb, Rgba, F::Bc1RgbaUnormSrgb, 8),
    srgb(c::COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT, S3tcSrgb, Rgba, F::Bc2RgbaUnormSrgb, 16),
    srgb(c::COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT, S3tcSrgb, Rgba, F::Bc3RgbaUnormSrgb, 16),
    row(c::COMPRESSED_RED_RGTC1_EXT, Rgtc, Red, Unorm, F::Bc4RUnorm, 8),
    row(c::COMPRESSED_SIGNED_RED_RGTC1_EXT, Rgtc, Red, Snorm, F::Bc4RSnorm, 8),
    row(c::COMPRESSED_RED_GREEN_RGTC2_EXT, Rgtc, Rg, Unorm, F::Bc5RgUnorm, 16),
    row(c::COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT, Rgtc, Rg, Snorm, F::Bc5RgSnorm, 16),
    row(c::COMPRESSED_RGBA_BPTC_UNORM_EXT, Bptc, Rgba, Unorm, F::Bc7RgbaUnorm, 16),
    srgb(c::COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT, Bptc, Rgba, F::Bc7RgbaUnormSrgb, 16),
    row(c::COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT, Bptc, Rgb, Float, F::Bc6hRgbFloat, 16),
    row(c::COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT, Bptc, Rgb, Float, F::Bc6hRgbUfloat, 16),
    row(c::COMPRESSED_R11_EAC, Etc, Red, Unorm, F::EacR11Unorm, 8),
    row(c::COMPRESSED_SIGNED_R11_EAC, Etc, Red, Snorm, F::EacR11Snorm, 8),
    row(c::COMPRESSED_RG11_EAC, Etc, Rg, Unorm, F::EacRg11Unorm, 16),
    row(c::COMPRESSED_SIGNED_RG11_EAC, Etc, Rg, Snorm, F::EacRg11Snorm, 16),
    row(c::COMPRESSED_RGB8_ETC2, Etc, Rgb, Unorm, F::Etc2Rgb8Unorm, 8),
    srgb(c::COMPRESSED_SRGB8_ETC2, Etc, Rgb, F::Etc2Rgb8UnormSrgb, 8),
    row(c::COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, Etc, Rgba, Unorm, F::Etc2Rgb8A1Unorm, 8),
    srgb(c::COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2, Etc, Rgba, F::Etc2Rgb8A1UnormSrgb, 8),
    row(c::COMPRESSED_RGBA8_ETC2_EAC, Etc, Rgba, Unorm, F::Etc2Rgba8Unorm, 16),
    srgb(c::COMPRESSED_SRGB8_ALPHA8_ETC2_EAC, Etc, Rgba, F::Etc2Rgba8UnormSrgb, 16),
    // Every ETC1 block is a valid ETC2 RGB8 block of the same meaning.
    row(c::COMPRESSED_RGB_ETC1_WEBGL, Etc1, Rgb, Unorm, F::Etc2Rgb8Unorm, 8),
    astc(ASTC, 4, 4, false),
    astc(ASTC + 1, 5, 4, false),
    astc(ASTC + 2, 5, 5, false),
    astc(ASTC + 3, 6, 5, false),
    astc(ASTC + 4, 6, 6, false),
    astc(ASTC + 5, 8, 5, false),
    astc(ASTC + 6, 8, 6, false),
    astc(ASTC + 7, 8, 8, false),
    astc(ASTC + 8, 10, 5, false),
    astc(ASTC + 9, 10, 6, false),
    astc(ASTC + 10, 10, 8, false),
    astc(ASTC + 11, 10, 10, false),
    astc(ASTC + 12, 12, 10, false),
    astc(ASTC + 13, 12, 12, false),
    astc(ASTC_SRGB, 4, 4, true),
    astc(ASTC_SRGB + 1, 5, 4, true),
    astc(ASTC_SRGB + 2, 5, 5, true),
    astc(ASTC_SRGB + 3, 6, 5, true),
    astc(ASTC_SRGB + 4, 6, 6, true),
    astc(ASTC_SRGB + 5, 8, 5, true),
    astc(ASTC_SRGB + 6, 8, 6, true),
    astc(ASTC_SRGB + 7, 8, 8, true),
    astc(ASTC_SRGB + 8, 10, 5, true),
    astc(ASTC_SRGB + 9, 10, 6, true),
    astc(ASTC_SRGB + 10, 10, 8, true),
    astc(ASTC_SRGB + 11, 10, 10, true),
    astc(ASTC_SRGB + 12, 12, 10, true),
    astc(ASTC_SRGB + 13, 12, 12, true),
];
