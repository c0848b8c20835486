//! THE table of internal formats: what each means in GL, how it is stored, what may be done with it.
//!
//! One row per sized internal format, per legacy unsized pair (LUMINANCE with UNSIGNED_BYTE, …) and per compressed
//! format. Everything else in the front end asks the row (`&'static FormatInfo`) and never a GLenum.

mod compressed;
mod lookup;
mod pixels;
mod table;

pub use compressed::Block;
pub use lookup::{
    Features, compressed_format, copy_compatible, copy_tex_format, pixel_arguments, renderbuffer_format, sized,
    storage_format, sub_upload_format, supported_compressed, upload_format,
};
pub use pixels::{PixelFormat, PixelType};

use super::constants as c;
use super::format::StorageFormat;

/// Channels of a format, ES 3.0 table 3.11 and ES 2.0's luminance formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BaseFormat {
    Red,
    Rg,
    Rgb,
    Rgba,
    Luminance,
    LuminanceAlpha,
    Alpha,
    Depth,
    DepthStencil,
    Stencil,
}

impl BaseFormat {
    /// Which of R, G, B, A (bits 0–3) a framebuffer of this format supplies when copied from (ES 3.0 table 3.15).
    pub fn color_channels(self) -> u8 {
        match self {
            Self::Red => 0b0001,
            Self::Rg => 0b0011,
            Self::Rgb => 0b0111,
            Self::Rgba => 0b1111,
            Self::Luminance => 0b0001,
            Self::LuminanceAlpha => 0b1001,
            Self::Alpha => 0b1000,
            Self::Depth | Self::DepthStencil | Self::Stencil => 0,
        }
    }
}

/// How component values are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComponentClass {
    Unorm,
    Snorm,
    Float,
    Uint,
    Sint,
}

impl ComponentClass {
    /// FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE.
    pub fn to_gl(self) -> u32 {
        match self {
            Self::Unorm => c::UNSIGNED_NORMALIZED,
            Self::Snorm => c::SIGNED_NORMALIZED,
            Self::Float => c::FLOAT,
            Self::Uint => c::UNSIGNED_INT,
            Self::Sint => c::INT,
        }
    }

    pub fn is_integer(self) -> bool {
        matches!(self, Self::Uint | Self::Sint)
    }
}

/// Bits per channel, as the getters give them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
    pub alpha: u8,
    pub depth: u8,
    pub stencil: u8,
}

/// When a format may be a colour attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorRenderable {
    Never,
    Always,
    /// WebGL 2 core; in WebGL 1 not at all.
    WebGl2,
    /// 16-bit float: EXT_color_buffer_float (WebGL 2) or EXT_color_buffer_half_float.
    HalfFloat,
    /// RGB16F: EXT_color_buffer_half_float only.
    HalfFloatRgb,
    /// 32-bit float: EXT_color_buffer_float, or WEBGL_color_buffer_float for RGBA32F.
    Float,
    /// RGB32F: WebGL 1 with WEBGL_color_buffer_float, as Chromium takes it; never in WebGL 2.
    FloatRgb,
    /// R11F_G11F_B10F: EXT_color_buffer_float.
    PackedFloat,
    /// EXT_texture_norm16.
    Norm16,
    /// SRGB8_ALPHA8: WebGL 2, or EXT_sRGB.
    Srgb,
}

/// When linear filtering is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filterable {
    Never,
    Always,
    /// WebGL 2, or OES_texture_half_float_linear.
    HalfFloat,
    /// OES_texture_float_linear.
    Float,
}

/// What makes the sized name legal for textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Availability {
    WebGl2,
    /// Reached only through unsized names (LUMINANCE, ALPHA, LUMINANCE_ALPHA).
    Unsized,
    Norm16,
    /// Renderbuffers only (STENCIL_INDEX8).
    RenderbufferOnly,
    /// One of the compressed texture extensions.
    Compressed(compressed::Family),
}

/// One row.
#[derive(Debug)]
pub struct FormatInfo {
    /// The sized internal format; for unsized-only rows the unsized one.
    pub gl: u32,
    pub base: BaseFormat,
    pub class: ComponentClass,
    pub bits: Bits,
    pub storage: StorageFormat,
    pub srgb: bool,
    pub render: ColorRenderable,
    pub filter: Filterable,
    pub availability: Availability,
    /// Legal (format, type) pairs of uploads, ES 3.0 table 3.2. The first is the natural one.
    pub pairs: &'static [(PixelFormat, PixelType)],
    /// Compressed formats only.
    pub block: Option<Block>,
}

impl PartialEq for FormatInfo {
    /// Rows are the same if they are the same row: legacy rows share a GLenum.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for FormatInfo {}

impl FormatInfo {
    pub fn has_alpha(&self) -> bool {
        matches!(self.base, BaseFormat::Rgba | BaseFormat::Alpha | BaseFormat::LuminanceAlpha)
    }

    pub fn has_depth(&self) -> bool {
        matches!(self.base, BaseFormat::Depth | BaseFormat::DepthStencil)
    }

    pub fn has_stencil(&self) -> bool {
        matches!(self.base, BaseFormat::Stencil | BaseFormat::DepthStencil)
    }

    pub fn is_color(&self) -> bool {
        !self.has_depth() && !self.has_stencil()
    }

    pub fn is_integer(&self) -> bool {
        self.class.is_integer()
    }

    pub fn is_compressed(&self) -> bool {
        self.block.is_some()
    }

    pub fn is_sized(&self) -> bool {
        self.availability != Availability::Unsized
    }

    /// S3TC, RGTC and BPTC: level 0 of a texture must consist of whole blocks.
    pub fn needs_whole_blocks(&self) -> bool {
        use compressed::Family as K;
        matches!(self.availability, Availability::Compressed(K::S3tc | K::S3tcSrgb | K::Rgtc | K::Bptc))
    }

    pub fn color_renderable(&self, features: &Features) -> bool {
        match self.render {
            ColorRenderable::Never => false,
            ColorRenderable::Always => true,
            ColorRenderable::WebGl2 => features.webgl2,
            ColorRenderable::HalfFloat => {
                features.color_buffer_half_float || (features.webgl2 && features.color_buffer_float)
            }
            ColorRenderable::HalfFloatRgb => features.color_buffer_half_float,
            ColorRenderable::Float => features.color_buffer_float && (features.webgl2 || self.base == BaseFormat::Rgba),
            ColorRenderable::FloatRgb => features.color_buffer_float && !features.webgl2,
            ColorRenderable::PackedFloat => features.webgl2 && features.color_buffer_float,
            ColorRenderable::Norm16 => features.norm16,
            ColorRenderable::Srgb => features.webgl2 || features.srgb,
        }
    }

    /// May be an attachment of any kind.
    pub fn renderable(&self, features: &Features) -> bool {
        if self.is_color() { self.color_renderable(features) } else { true }
    }

    pub fn filterable(&self, features: &Features) -> bool {
        match self.filter {
            Filterable::Never => false,
            Filterable::Always => true,
            Filterable::HalfFloat => features.webgl2 || features.half_float_linear,
            Filterable::Float => features.float_linear,
        }
    }

    /// Bytes of one texel in the storage format as commands carry it (depth as documented at `Command::WriteImage`).
    pub fn texel_size(&self) -> u32 {
        storage_texel_size(self.storage)
    }
}

/// Can the back end draw into images of `format`? Decides the usage images are created with: mipmaps are drawn, and
/// script may enable an extension after it has made the texture.
pub fn storage_renderable(format: StorageFormat, rg11b10: bool) -> bool {
    use StorageFormat as F;
    match format {
        F::Rg11b10Ufloat => rg11b10,
        F::R8Snorm | F::Rg8Snorm | F::Rgba8Snorm | F::R16Snorm | F::Rg16Snorm | F::Rgba16Snorm | F::Rgb9e5Ufloat => {
            false
        }
        _ => !is_compressed(format),
    }
}

fn is_compressed(format: StorageFormat) -> bool {
    use StorageFormat as F;
    matches!(
        format,
        F::Bc1RgbaUnorm
            | F::Bc1RgbaUnormSrgb
            | F::Bc2RgbaUnorm
            | F::Bc2RgbaUnormSrgb
            | F::Bc3RgbaUnorm
            | F::Bc3RgbaUnormSrgb
            | F::Bc4RUnorm
            | F::Bc4RSnorm
            | F::Bc5RgUnorm
            | F::Bc5RgSnorm
            | F::Bc6hRgbUfloat
            | F::Bc6hRgbFloat
            | F::Bc7RgbaUnorm
            | F::Bc7RgbaUnormSrgb
            | F::Etc2Rgb8Unorm
            | F::Etc2Rgb8UnormSrgb
            | F::Etc2Rgb8A1Unorm
            | F::Etc2Rgb8A1UnormSrgb
            | F::Etc2Rgba8Unorm
            | F::Etc2Rgba8UnormSrgb
            | F::EacR11Unorm
            | F::EacR11Snorm
            | F::EacRg11Unorm
            | F::EacRg11Snorm
            | F::Astc { .. }
    )
}

/// Width and height in texels of what [`storage_texel_size`] counts.
pub fn storage_block(format: StorageFormat) -> [u32; 2] {
    match format {
        StorageFormat::Astc { width, height, .. } => [width, height].map(|side| u32::from(side).max(1)),
        format if is_compressed(format) => [4, 4],
        _ => [1, 1],
    }
}

/// Bytes of a texel (a block for compressed formats) in memory, all planes together (WebGPU's texel block memory cost; 24-bit
/// depth with stencil takes 4).
pub fn storage_memory_size(format: StorageFormat) -> u32 {
    match format {
        StorageFormat::Depth32FloatStencil8 => 8,
        format => storage_texel_size(format),
    }
}

/// Bytes of a texel (a block for compressed formats) of `format` in `WriteImage` and `read_image` data.
///
/// Depth: 2 bytes for `Depth16Unorm`, else an f32; stencil is a plane of its own, 1 byte.
pub fn storage_texel_size(format: StorageFormat) -> u32 {
    use StorageFormat as F;
    match format {
        F::R8Unorm | F::R8Snorm | F::R8Uint | F::R8Sint | F::Stencil8 => 1,
        F::Rg8Unorm
        | F::Rg8Snorm
        | F::Rg8Uint
        | F::Rg8Sint
        | F::R16Uint
        | F::R16Sint
        | F::R16Float
        | F::R16Unorm
        | F::R16Snorm
        | F::Depth16Unorm => 2,
        F::Rgba8Unorm
        | F::Rgba8UnormSrgb
        | F::Rgba8Snorm
        | F::Rgba8Uint
        | F::Rgba8Sint
        | F::Rg16Uint
        | F::Rg16Sint
        | F::Rg16Float
        | F::Rg16Unorm
        | F::Rg16Snorm
        | F::R32Uint
        | F::R32Sint
        | F::R32Float
        | F::Rgb10a2Unorm
        | F::Rgb10a2Uint
        | F::Rg11b10Ufloat
        | F::Rgb9e5Ufloat
        | F::Depth24Plus
        | F::Depth24PlusStencil8
        | F::Depth32Float
        | F::Depth32FloatStencil8 => 4,
        F::Rgba16Uint
        | F::Rgba16Sint
        | F::Rgba16Float
        | F::Rgba16Unorm
        | F::Rgba16Snorm
        | F::Rg32Uint
        | F::Rg32Sint
        | F::Rg32Float => 8,
        F::Rgba32Uint | F::Rgba32Sint | F::Rgba32Float => 16,
        F::Bc1RgbaUnorm
        | F::Bc1RgbaUnormSrgb
        | F::Bc4RUnorm
        | F::Bc4RSnorm
        | F::Etc2Rgb8Unorm
        | F::Etc2Rgb8UnormSrgb
        | F::Etc2Rgb8A1Unorm
        | F::Etc2Rgb8A1UnormSrgb
        | F::EacR11Unorm
        | F::EacR11Snorm => 8,
        F::Bc2RgbaUnorm
        | F::Bc2RgbaUnormSrgb
        | F::Bc3RgbaUnorm
        | F::Bc3RgbaUnormSrgb
        | F::Bc5RgUnorm
        | F::Bc5RgSnorm
        | F::Bc6hRgbUfloat
        | F::Bc6hRgbFloat
        | F::Bc7RgbaUnorm
        | F::Bc7RgbaUnormSrgb
        | F::Etc2Rgba8Unorm
        | F::Etc2Rgba8UnormSrgb
        | F::EacRg11Unorm
        | F::EacRg11Snorm
        | F::Astc { .. } => 16,
    }
}

#[cfg(test)]
mod tests;
