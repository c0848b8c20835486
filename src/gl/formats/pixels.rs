//! Client pixel formats and types (the `format` and `type` arguments), with their sizes.

use crate::gl::constants as c;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PixelFormat {
    Red,
    Rg,
    Rgb,
    Rgba,
    RedInteger,
    RgInteger,
    RgbInteger,
    RgbaInteger,
    DepthComponent,
    DepthStencil,
    Luminance,
    LuminanceAlpha,
    Alpha,
    /// EXT_sRGB, WebGL 1 only.
    Srgb,
    SrgbAlpha,
}

impl PixelFormat {
    /// Any name known to either version; whether it may be used here is the caller's question.
    pub fn from_gl(value: u32) -> Option<Self> {
        Some(match value {
            c::RED => Self::Red,
            c::RG => Self::Rg,
            c::RGB => Self::Rgb,
            c::RGBA => Self::Rgba,
            c::RED_INTEGER => Self::RedInteger,
            c::RG_INTEGER => Self::RgInteger,
            c::RGB_INTEGER => Self::RgbInteger,
            c::RGBA_INTEGER => Self::RgbaInteger,
            c::DEPTH_COMPONENT => Self::DepthComponent,
            c::DEPTH_STENCIL => Self::DepthStencil,
            c::LUMINANCE => Self::Luminance,
            c::LUMINANCE_ALPHA => Self::LuminanceAlpha,
            c::ALPHA => Self::Alpha,
            c::SRGB => Self::Srgb,
            c::SRGB_ALPHA_EXT => Self::SrgbAlpha,
            _ => return None,
        })
    }

    pub fn to_gl(self) -> u32 {
        match self {
            Self::Red => c::RED,
            Self::Rg => c::RG,
            Self::Rgb => c::RGB,
            Self::Rgba => c::RGBA,
            Self::RedInteger => c::RED_INTEGER,
            Self::RgInteger => c::RG_INTEGER,
            Self::RgbInteger => c::RGB_INTEGER,
            Self::RgbaInteger => c::RGBA_INTEGER,
            Self::DepthComponent => c::DEPTH_COMPONENT,
            Self::DepthStencil => c::DEPTH_STENCIL,
            Self::Luminance => c::LUMINANCE,
            Self::LuminanceAlpha => c::LUMINANCE_ALPHA,
            Self::Alpha => c::ALPHA,
            Self::Srgb => c::SRGB,
            Self::SrgbAlpha => c::SRGB_ALPHA_EXT,
        }
    }

    pub fn components(self) -> u32 {
        match self {
            Self::Red | Self::RedInteger | Self::DepthComponent | Self::Luminance | Self::Alpha => 1,
            Self::Rg | Self::RgInteger | Self::DepthStencil | Self::LuminanceAlpha => 2,
            Self::Rgb | Self::RgbInteger | Self::Srgb => 3,
            Self::Rgba | Self::RgbaInteger | Self::SrgbAlpha => 4,
        }
    }

    pub fn is_integer(self) -> bool {
        matches!(self, Self::RedInteger | Self::RgInteger | Self::RgbInteger | Self::RgbaInteger)
    }

    pub fn is_depth(self) -> bool {
        matches!(self, Self::DepthComponent | Self::DepthStencil)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PixelType {
    Byte,
    UnsignedByte,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    /// HALF_FLOAT, and HALF_FLOAT_OES in WebGL 1.
    HalfFloat,
    Float,
    UnsignedShort565,
    UnsignedShort4444,
    UnsignedShort5551,
    UnsignedInt2101010Rev,
    UnsignedInt10F11F11FRev,
    UnsignedInt5999Rev,
    UnsignedInt248,
    Float32UnsignedInt248Rev,
}

impl PixelType {
    pub fn from_gl(value: u32, webgl2: bool) -> Option<Self> {
        Some(match value {
            c::BYTE => Self::Byte,
            c::UNSIGNED_BYTE => Self::UnsignedByte,
            c::SHORT => Self::Short,
            c::UNSIGNED_SHORT => Self::UnsignedShort,
            c::INT => Self::Int,
            c::UNSIGNED_INT => Self::UnsignedInt,
            c::HALF_FLOAT if webgl2 => Self::HalfFloat,
            c::HALF_FLOAT_OES if !webgl2 => Self::HalfFloat,
            c::FLOAT => Self::Float,
            c::UNSIGNED_SHORT_5_6_5 => Self::UnsignedShort565,
            c::UNSIGNED_SHORT_4_4_4_4 => Self::UnsignedShort4444,
            c::UNSIGNED_SHORT_5_5_5_1 => Self::UnsignedShort5551,
            c::UNSIGNED_INT_2_10_10_10_REV => Self::UnsignedInt2101010Rev,
            c::UNSIGNED_INT_10F_11F_11F_REV => Self::UnsignedInt10F11F11FRev,
            c::UNSIGNED_INT_5_9_9_9_REV => Self::UnsignedInt5999Rev,
            c::UNSIGNED_INT_24_8 => Self::UnsignedInt248,
            c::FLOAT_32_UNSIGNED_INT_24_8_REV => Self::Float32UnsignedInt248Rev,
            _ => return None,
        })
    }

    pub fn to_gl(self, webgl2: bool) -> u32 {
        match self {
            Self::Byte => c::BYTE,
            Self::UnsignedByte => c::UNSIGNED_BYTE,
            Self::Short => c::SHORT,
            Self::UnsignedShort => c::UNSIGNED_SHORT,
            Self::Int => c::INT,
            Self::UnsignedInt => c::UNSIGNED_INT,
            Self::HalfFloat => {
                if webgl2 {
                    c::HALF_FLOAT
                } else {
                    c::HALF_FLOAT_OES
                }
            }
            Self::Float => c::FLOAT,
            Self::UnsignedShort565 => c::UNSIGNED_SHORT_5_6_5,
            Self::UnsignedShort4444 => c::UNSIGNED_SHORT_4_4_4_4,
            Self::UnsignedShort5551 => c::UNSIGNED_SHORT_5_5_5_1,
            Self::UnsignedInt2101010Rev => c::UNSIGNED_INT_2_10_10_10_REV,
            Self::UnsignedInt10F11F11FRev => c::UNSIGNED_INT_10F_11F_11F_REV,
            Self::UnsignedInt5999Rev => c::UNSIGNED_INT_5_9_9_9_REV,
            Self::UnsignedInt248 => c::UNSIGNED_INT_24_8,
            Self::Float32UnsignedInt248Rev => c::FLOAT_32_UNSIGNED_INT_24_8_REV,
        }
    }

    /// Bytes of one component, or of the whole pixel for packed types.
    pub fn size(self) -> u32 {
        match self {
            Self::Byte | Self::UnsignedByte => 1,
            Self::Short
            | Self::UnsignedShort
            | Self::HalfFloat
            | Self::UnsignedShort565
            | Self::UnsignedShort4444
            | Self::UnsignedShort5551 => 2,
            Self::Float32UnsignedInt248Rev => 8,
            _ => 4,
        }
    }

    pub fn is_packed(self) -> bool {
        matches!(
            self,
            Self::UnsignedShort565
                | Self::UnsignedShort4444
                | Self::UnsignedShort5551
                | Self::UnsignedInt2101010Rev
                | Self::UnsignedInt10F11F11FRev
                | Self::UnsignedInt5999Rev
                | Self::UnsignedInt248
                | Self::Float32UnsignedInt248Rev
        )
    }

    /// Bytes of a pixel of `format`.
    pub fn pixel_size(self, format: PixelFormat) -> u32 {
        if self.is_packed() { self.size() } else { self.size() * format.components() }
    }
}
