//! Pixel pack and unpack state (`pixelStorei`).

use crate::gl::constants as c;
use crate::gl::convert::layout::Store;
use crate::gl::enums::ParameterValue;
use crate::gl::error::{GlError, GlResult};

#[derive(Clone, Debug)]
pub struct PixelStore {
    pub unpack: Store,
    pub pack: Store,
    pub flip_y: bool,
    pub premultiply_alpha: bool,
    /// UNPACK_COLORSPACE_CONVERSION_WEBGL is BROWSER_DEFAULT_WEBGL (else NONE): image sources are converted to the
    /// drawing buffer's colour space, sRGB.
    pub convert_color_space: bool,
}

impl Default for PixelStore {
    fn default() -> Self {
        Self {
            unpack: Store::default(),
            pack: Store::default(),
            flip_y: false,
            premultiply_alpha: false,
            convert_color_space: true,
        }
    }
}

impl PixelStore {
    /// `pixelStorei`. Errors: INVALID_ENUM for unknown names, INVALID_VALUE for values out of range.
    pub fn set(&mut self, name: u32, value: i32, webgl2: bool) -> GlResult<()> {
        match name {
            c::UNPACK_ALIGNMENT | c::PACK_ALIGNMENT => {
                if !matches!(value, 1 | 2 | 4 | 8) {
                    return Err(GlError::invalid_value("alignment must be 1, 2, 4 or 8"));
                }
                let store = if name == c::PACK_ALIGNMENT { &mut self.pack } else { &mut self.unpack };
                store.alignment = value as u32;
            }
            c::UNPACK_FLIP_Y_WEBGL => self.flip_y = value != 0,
            c::UNPACK_PREMULTIPLY_ALPHA_WEBGL => self.premultiply_alpha = value != 0,
            c::UNPACK_COLORSPACE_CONVERSION_WEBGL => match value as u32 {
                c::BROWSER_DEFAULT_WEBGL => self.convert_color_space = true,
                c::NONE => self.convert_color_space = false,
                _ => return Err(GlError::invalid_value("invalid colour space conversion")),
            },
            _ => {
                let slot = if webgl2 { self.slot(name) } else { None };
                let slot = slot.ok_or_else(|| GlError::invalid_enum("invalid pixel store parameter"))?;
                *slot = u32::try_from(value).map_err(|_| GlError::invalid_value("value is negative"))?;
            }
        }
        Ok(())
    }

    fn slot(&mut self, name: u32) -> Option<&mut u32> {
        Some(match name {
            c::UNPACK_ROW_LENGTH => &mut self.unpack.row_length,
            c::UNPACK_IMAGE_HEIGHT => &mut self.unpack.image_height,
            c::UNPACK_SKIP_PIXELS => &mut self.unpack.skip_pixels,
            c::UNPACK_SKIP_ROWS => &mut self.unpack.skip_rows,
            c::UNPACK_SKIP_IMAGES => &mut self.unpack.skip_images,
            c::PACK_ROW_LENGTH => &mut self.pack.row_length,
            c::PACK_SKIP_PIXELS => &mut self.pack.skip_pixels,
            c::PACK_SKIP_ROWS => &mut self.pack.skip_rows,
            _ => return None,
        })
    }

    /// `getParameter` of these names; `None` for others.
    pub fn get(&self, name: u32, webgl2: bool) -> Option<ParameterValue> {
        Some(match name {
            c::UNPACK_ALIGNMENT => ParameterValue::Int(self.unpack.alignment as i32),
            c::PACK_ALIGNMENT => ParameterValue::Int(self.pack.alignment as i32),
            c::UNPACK_FLIP_Y_WEBGL => ParameterValue::Bool(self.flip_y),
            c::UNPACK_PREMULTIPLY_ALPHA_WEBGL => ParameterValue::Bool(self.premultiply_alpha),
            c::UNPACK_COLORSPACE_CONVERSION_WEBGL => {
                ParameterValue::Uint(if self.convert_color_space { c::BROWSER_DEFAULT_WEBGL } else { c::NONE })
            }
            _ if !webgl2 => return None,
            c::UNPACK_ROW_LENGTH => ParameterValue::Int(self.unpack.row_length as i32),
            c::UNPACK_IMAGE_HEIGHT => ParameterValue::Int(self.unpack.image_height as i32),
            c::UNPACK_SKIP_PIXELS => ParameterValue::Int(self.unpack.skip_pixels as i32),
            c::UNPACK_SKIP_ROWS => ParameterValue::Int(self.unpack.skip_rows as i32),
            c::UNPACK_SKIP_IMAGES => ParameterValue::Int(self.unpack.skip_images as i32),
            c::PACK_ROW_LENGTH => ParameterValue::Int(self.pack.row_length as i32),
            c::PACK_SKIP_PIXELS => ParameterValue::Int(self.pack.skip_pixels as i32),
            c::PACK_SKIP_ROWS => ParameterValue::Int(self.pack.skip_rows as i32),
            _ => return None,
        })
    }
}
