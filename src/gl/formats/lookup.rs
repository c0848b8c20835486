//! From GLenums to rows: uploads, texStorage, renderbuffers, copyTexImage, compressed formats.

use super::compressed::{COMPRESSED, Family};
use super::table::TABLE;
use super::{Availability, BaseFormat, Bits, ComponentClass, FormatInfo, PixelFormat, PixelType};
use crate::gl::constants as c;
use crate::gl::error::{GlError, GlResult};

/// The version and the enabled extensions that change what formats mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    pub webgl2: bool,
    /// OES_texture_float (WebGL 1).
    pub float_textures: bool,
    /// OES_texture_half_float (WebGL 1).
    pub half_float_textures: bool,
    /// OES_texture_float_linear.
    pub float_linear: bool,
    /// OES_texture_half_float_linear (WebGL 1).
    pub half_float_linear: bool,
    /// EXT_color_buffer_float in WebGL 2, WEBGL_color_buffer_float in WebGL 1.
    pub color_buffer_float: bool,
    /// EXT_color_buffer_half_float.
    pub color_buffer_half_float: bool,
    /// WEBGL_depth_texture (WebGL 1).
    pub depth_textures: bool,
    /// EXT_sRGB (WebGL 1).
    pub srgb: bool,
    /// EXT_texture_norm16.
    pub norm16: bool,
    pub s3tc: bool,
    pub s3tc_srgb: bool,
    pub rgtc: bool,
    pub bptc: bool,
    pub etc: bool,
    pub etc1: bool,
    pub astc: bool,
}

impl Features {
    fn has(&self, family: Family) -> bool {
        match family {
            Family::S3tc => self.s3tc,
            Family::S3tcSrgb => self.s3tc_srgb,
            Family::Rgtc => self.rgtc,
            Family::Bptc => self.bptc,
            Family::Etc => self.etc,
            Family::Etc1 => self.etc1,
            Family::Astc => self.astc,
        }
    }

    fn allows_format(&self, format: PixelFormat) -> bool {
        match format {
            PixelFormat::Rgb
            | PixelFormat::Rgba
            | PixelFormat::Luminance
            | PixelFormat::LuminanceAlpha
            | PixelFormat::Alpha => true,
            PixelFormat::DepthComponent | PixelFormat::DepthStencil => self.webgl2 || self.depth_textures,
            PixelFormat::Srgb | PixelFormat::SrgbAlpha => !self.webgl2 && self.srgb,
            _ => self.webgl2,
        }
    }

    fn allows_type(&self, ty: PixelType) -> bool {
        match ty {
            PixelType::UnsignedByte
            | PixelType::UnsignedShort565
            | PixelType::UnsignedShort4444
            | PixelType::UnsignedShort5551 => true,
            PixelType::Float => self.webgl2 || self.float_textures,
            PixelType::HalfFloat => self.webgl2 || self.half_float_textures,
            PixelType::UnsignedShort | PixelType::UnsignedInt | PixelType::UnsignedInt248 => {
                self.webgl2 || self.depth_textures
            }
            _ => self.webgl2,
        }
    }
}

/// `format` and `type` arguments of an upload or of `readPixels`, each legal in itself.
pub fn pixel_arguments(format: u32, ty: u32, features: &Features) -> GlResult<(PixelFormat, PixelType)> {
    let format = PixelFormat::from_gl(format)
        .filter(|format| features.allows_format(*format))
        .ok_or_else(|| GlError::invalid_enum("invalid format"))?;
    let ty = PixelType::from_gl(ty, features.webgl2)
        .filter(|ty| features.allows_type(*ty))
        .ok_or_else(|| GlError::invalid_enum("invalid type"))?;
    Ok((format, ty))
}

fn row(gl: u32) -> Option<&'static FormatInfo> {
    TABLE.iter().find(|info| info.gl == gl && info.is_sized())
}

/// The row behind an unsized internal format and a type (ES 3.0 table 3.3; ES 2.0 with its extensions).
fn unsized_row(internal: PixelFormat, ty: PixelType, features: &Features) -> Option<&'static FormatInfo> {
    use PixelFormat as P;
    use PixelType as T;
    let gl = match (internal, ty) {
        (P::Rgba, T::UnsignedByte) => c::RGBA8,
        (P::Rgba, T::UnsignedShort4444) => c::RGBA4,
        (P::Rgba, T::UnsignedShort5551) => c::RGB5_A1,
        (P::Rgb, T::UnsignedByte) => c::RGB8,
        (P::Rgb, T::UnsignedShort565) => c::RGB565,
        (P::Luminance, _) => c::LUMINANCE,
        (P::LuminanceAlpha, _) => c::LUMINANCE_ALPHA,
        (P::Alpha, _) => c::ALPHA,
        _ if features.webgl2 => return None,
        (P::Rgba, T::Float) => c::RGBA32F,
        (P::Rgb, T::Float) => c::RGB32F,
        (P::Rgba, T::HalfFloat) => c::RGBA16F,
        (P::Rgb, T::HalfFloat) => c::RGB16F,
        (P::Srgb, T::UnsignedByte) => c::SRGB8,
        (P::SrgbAlpha, T::UnsignedByte) => c::SRGB8_ALPHA8,
        (P::DepthComponent, _) => c::DEPTH_COMPONENT,
        (P::DepthStencil, _) => c::DEPTH_STENCIL,
        _ => return None,
    };
    if features.webgl2 && ty != T::UnsignedByte && gl != c::RGBA4 && gl != c::RGB5_A1 && gl != c::RGB565 {
        return None;
    }
    // Unsized rows share a GLenum: the type tells them apart.
    let mut rows = TABLE.iter().filter(|info| info.gl == gl);
    if matches!(gl, c::LUMINANCE | c::LUMINANCE_ALPHA | c::ALPHA | c::DEPTH_COMPONENT | c::DEPTH_STENCIL) {
        rows.find(|info| info.pairs.contains(&(internal, ty)))
    } else {
        rows.next()
    }
}

/// Is the internal format a legal name for a texture that is not compressed?
fn texture_row(internal: u32, features: &Features) -> Option<&'static FormatInfo> {
    row(internal).filter(|info| match info.availability {
        Availability::WebGl2 => features.webgl2,
        Availability::Norm16 => features.norm16,
        _ => false,
    })
}

/// `texImage*`: the row for internal format, format and type; also whether the three fit together.
pub fn upload_format(
    internal: u32,
    format: u32,
    ty: u32,
    features: &Features,
) -> GlResult<(&'static FormatInfo, PixelFormat, PixelType)> {
    let (format, ty) = pixel_arguments(format, ty, features)?;
    let unsized_internal = PixelFormat::from_gl(internal).filter(|internal| {
        features.allows_format(*internal)
            && (!features.webgl2
                || matches!(
                    internal,
                    PixelFormat::Rgb
                        | PixelFormat::Rgba
                        | PixelFormat::Luminance
                        | PixelFormat::LuminanceAlpha
                        | PixelFormat::Alpha
                ))
    });
    if let Some(internal) = unsized_internal {
        if internal != format {
            return Err(GlError::invalid_operation("format does not match internalformat"));
        }
        return unsized_row(internal, ty, features)
            .map(|info| (info, format, ty))
            .ok_or_else(|| GlError::invalid_operation("type does not fit the internal format"));
    }
    let info = texture_row(internal, features).ok_or_else(|| GlError::invalid_value("invalid internalformat"))?;
    if !info.pairs.contains(&(format, ty)) {
        return Err(GlError::invalid_operation("format and type do not fit internalformat"));
    }
    Ok((info, format, ty))
}

/// `texSubImage*`: do format and type fit a texture image of format `info`?
pub fn sub_upload_format(
    info: &'static FormatInfo,
    format: u32,
    ty: u32,
    features: &Features,
) -> GlResult<(PixelFormat, PixelType)> {
    let (format, ty) = pixel_arguments(format, ty, features)?;
    // An image made with an unsized name has a sized row; ES 2.0 also fixes its type, which the row's pairs cover.
    let plain = match format {
        PixelFormat::Srgb => PixelFormat::Rgb,
        PixelFormat::SrgbAlpha => PixelFormat::Rgba,
        other => other,
    };
    let srgb_name = matches!(format, PixelFormat::Srgb | PixelFormat::SrgbAlpha);
    if info.pairs.contains(&(plain, ty)) && (features.webgl2 || srgb_name == info.srgb) {
        Ok((plain, ty))
    } else {
        Err(GlError::invalid_operation("format and type do not fit the texture's internal format"))
    }
}

/// `texStorage*`: sized formats only, compressed ones included.
pub fn storage_format(internal: u32, features: &Features) -> GlResult<&'static FormatInfo> {
    texture_row(internal, features)
        .or_else(|| compressed_format(internal, features))
        .ok_or_else(|| GlError::invalid_enum("internalformat is not a sized texture format"))
}

/// A compressed format whose extension is enabled.
pub fn compressed_format(internal: u32, features: &Features) -> Option<&'static FormatInfo> {
    COMPRESSED.iter().find(|info| {
        info.gl == internal && matches!(info.availability, Availability::Compressed(family) if features.has(family))
    })
}

/// COMPRESSED_TEXTURE_FORMATS.
pub fn supported_compressed(features: &Features) -> Vec<u32> {
    COMPRESSED
        .iter()
        .filter(|info| matches!(info.availability, Availability::Compressed(family) if features.has(family)))
        .map(|info| info.gl)
        .collect()
}

/// `renderbufferStorage*`: renderable formats; WebGL 1 has a list of its own.
pub fn renderbuffer_format(internal: u32, features: &Features) -> GlResult<&'static FormatInfo> {
    let invalid = || GlError::invalid_enum("internalformat is not renderable");
    // WebGL adds unsized DEPTH_STENCIL to both versions.
    if internal == c::DEPTH_STENCIL {
        return row(c::DEPTH24_STENCIL8).ok_or_else(invalid);
    }
    let info = row(internal).ok_or_else(invalid)?;
    let legal = match internal {
        c::RGBA4 | c::RGB565 | c::RGB5_A1 | c::DEPTH_COMPONENT16 | c::STENCIL_INDEX8 => true,
        c::RGBA8 | c::RGB8 => features.webgl2,
        c::RGBA32F | c::RGBA16F | c::RGB16F | c::SRGB8_ALPHA8 => info.color_renderable(features),
        _ => features.webgl2 && info.renderable(features),
    };
    if legal { Ok(info) } else { Err(invalid()) }
}

/// `copyTexImage2D`: the row of the new image, from `internalformat` and the format read from (ES 3.0 §3.8.5).
pub fn copy_tex_format(
    internal: u32,
    source: &'static FormatInfo,
    features: &Features,
) -> GlResult<&'static FormatInfo> {
    let unsized_internal = match internal {
        c::RGB => Some(BaseFormat::Rgb),
        c::RGBA => Some(BaseFormat::Rgba),
        c::LUMINANCE => Some(BaseFormat::Luminance),
        c::LUMINANCE_ALPHA => Some(BaseFormat::LuminanceAlpha),
        c::ALPHA => Some(BaseFormat::Alpha),
        _ => None,
    };
    let info = match unsized_internal {
        Some(base) => effective_copy_format(base, source)
            .ok_or_else(|| GlError::invalid_operation("no effective internal format for the framebuffer's format"))?,
        None => {
            let info =
                texture_row(internal, features).ok_or_else(|| GlError::invalid_enum("invalid internalformat"))?;
            // §3.8.5: a sized format must have the component sizes of the source where they share channels.
            if !sizes_match(info.bits, source.bits) {
                return Err(GlError::invalid_operation("component sizes differ from the framebuffer's"));
            }
            info
        }
    };
    copy_compatible(info, source)?;
    Ok(info)
}

/// Does the source supply every channel of `info`, with values of the same kind (ES 3.0 table 3.15)?
pub fn copy_compatible(info: &FormatInfo, source: &FormatInfo) -> GlResult<()> {
    let wanted = info.base.color_channels();
    if !info.is_color() || !source.is_color() || wanted & !source.base.color_channels() != 0 {
        return Err(GlError::invalid_operation("the framebuffer lacks channels of the texture's format"));
    }
    let kind = |info: &FormatInfo| match info.class {
        ComponentClass::Unorm | ComponentClass::Snorm => 0,
        ComponentClass::Float => 1,
        ComponentClass::Uint => 2,
        ComponentClass::Sint => 3,
    };
    if kind(info) != kind(source) {
        return Err(GlError::invalid_operation("the framebuffer's component type differs from the texture's"));
    }
    if info.srgb != source.srgb {
        return Err(GlError::invalid_operation("the framebuffer's colour encoding differs from the texture's"));
    }
    if info.gl == c::RGB9_E5 {
        return Err(GlError::invalid_operation("RGB9_E5 cannot be copied to"));
    }
    Ok(())
}

fn sizes_match(wanted: Bits, source: Bits) -> bool {
    let same = |a: u8, b: u8| a == 0 || a == b;
    same(wanted.red, source.red)
        && same(wanted.green, source.green)
        && same(wanted.blue, source.blue)
        && same(wanted.alpha, source.alpha)
}

/// ES 3.0 tables 3.17 and 3.18, widened to float sources of WebGL 1.
fn effective_copy_format(base: BaseFormat, source: &'static FormatInfo) -> Option<&'static FormatInfo> {
    if source.class.is_integer() || source.class == ComponentClass::Snorm {
        return None;
    }
    if matches!(base, BaseFormat::Luminance | BaseFormat::LuminanceAlpha | BaseFormat::Alpha) {
        let natural = match (source.class, source.bits.red) {
            (ComponentClass::Float, 16) => PixelType::HalfFloat,
            (ComponentClass::Float, _) => PixelType::Float,
            _ => PixelType::UnsignedByte,
        };
        return TABLE.iter().find(|info| info.base == base && info.pairs.first().is_some_and(|pair| pair.1 == natural));
    }
    if source.base == base {
        return Some(source);
    }
    // RGB out of RGBA.
    let gl = match source.gl {
        c::RGBA8 => c::RGB8,
        c::RGBA4 | c::RGB5_A1 => c::RGB565,
        c::RGB10_A2 => c::RGB8,
        c::SRGB8_ALPHA8 => c::SRGB8,
        c::RGBA16F => c::RGB16F,
        c::RGBA32F => c::RGB32F,
        _ => return None,
    };
    if base == BaseFormat::Rgb { row(gl) } else { None }
}

/// The row of a sized format whatever the version: for the drawing buffer and tests.
pub fn sized(gl: u32) -> Option<&'static FormatInfo> {
    row(gl)
}
