//! `readPixels`, into client memory and into pack buffers.

use super::image_access::image_sink;
use crate::gl::command::{Aspect, Attachment, ImageId, ImageRegion};
use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::convert::{MemoryLayout, pack};
use crate::gl::enums::ParameterValue;
use crate::gl::error::{GlError, GlResult};
use crate::gl::formats::{self, FormatInfo, PixelFormat, PixelType};
use crate::gl::validate::texture::{ArrayKind, array_kind_fits};

/// A validated read.
struct Read {
    info: &'static FormatInfo,
    source: Attachment,
    format: PixelFormat,
    ty: PixelType,
    layout: MemoryLayout,
    /// The part inside the framebuffer: x, y, width, height; `None` if nothing is.
    part: Option<[u32; 4]>,
    /// Where that part lies in the result.
    at: [u32; 2],
}

impl Context {
    /// Into client memory. `out` starts at the view's (offset) start.
    #[allow(clippy::too_many_arguments, reason = "as many as the call has")]
    pub fn read_pixels(
        &mut self,
        x: i32,
        y: i32,
        width: i32,
        height: i32,
        format: u32,
        ty: u32,
        out: &mut [u8],
        kind: ArrayKind,
    ) {
        let result = (|| {
            if self.state.bindings.buffers.pixel_pack != 0 {
                return Err(GlError::invalid_operation("a buffer is bound to PIXEL_PACK_BUFFER"));
            }
            let read = self.read_plan([x, y, width, height], format, ty)?;
            array_kind_fits(kind, read.ty)?;
            if read.layout.required_bytes() > out.len() {
                return Err(GlError::invalid_operation("the view is too small"));
            }
            Ok(read)
        })();
        match result {
            Ok(read) => self.carry_out_read(&read, out),
            Err(error) => self.fail("readPixels", error),
        }
    }

    /// Into the PIXEL_PACK_BUFFER at `offset`.
    #[allow(clippy::too_many_arguments, reason = "as many as the call has")]
    pub fn read_pixels_offset(&mut self, x: i32, y: i32, width: i32, height: i32, format: u32, ty: u32, offset: i64) {
        let result = self.try_read_into_buffer([x, y, width, height], format, ty, offset);
        self.check("readPixels", result);
    }

    fn try_read_into_buffer(&mut self, area: [i32; 4], format: u32, ty: u32, offset: i64) -> GlResult<()> {
        let name = self.state.bindings.buffers.pixel_pack;
        let size = self
            .objects
            .buffers
            .get(name)
            .map(|buffer| buffer.size())
            .ok_or_else(|| GlError::invalid_operation("no buffer is bound to PIXEL_PACK_BUFFER"))?;
        let start = u64::try_from(offset).map_err(|_| GlError::invalid_value("offset is negative"))?;
        let read = self.read_plan(area, format, ty)?;
        if start % u64::from(read.ty.size().min(4)) != 0 {
            return Err(GlError::invalid_operation("offset is not a multiple of the type's size"));
        }
        let bytes = read.layout.required_bytes();
        if start.checked_add(bytes as u64).is_none_or(|end| end > size) {
            return Err(GlError::invalid_operation("the buffer is too small"));
        }
        if read.part.is_none() {
            return Ok(());
        }
        // Gaps between rows and pixels outside the framebuffer keep their bytes.
        self.refresh_shadow(name);
        let mut out = self
            .objects
            .buffers
            .get(name)
            .and_then(|buffer| buffer.shadow.get(start as usize..start as usize + bytes))
            .map(<[u8]>::to_vec)
            .unwrap_or_default();
        self.carry_out_read(&read, &mut out);
        self.write_buffer_bytes(name, start, &out);
        Ok(())
    }

    fn read_plan(&mut self, area: [i32; 4], format: u32, ty: u32) -> GlResult<Read> {
        let [x, y, width, height] = area;
        let (Ok(width), Ok(height)) = (u32::try_from(width), u32::try_from(height)) else {
            return Err(GlError::invalid_value("width or height is negative"));
        };
        let framebuffer = self.read_framebuffer()?;
        let (info, mut source) =
            framebuffer.read.ok_or_else(|| GlError::invalid_operation("there is no read buffer"))?;
        let (format, ty) = self.read_arguments(format, ty)?;
        if !pack::legal_pair(info, format, ty) {
            return Err(GlError::invalid_operation("format and type do not fit the read buffer"));
        }
        if self.state.bindings.read_framebuffer == 0 {
            if let Some(image) = self.drawing_buffer.single_sampled(&mut image_sink!(self)) {
                source.image = image;
            }
        } else if framebuffer.targets.samples > 1 {
            return Err(GlError::invalid_operation("the read framebuffer is multisampled"));
        }
        let size = ty.pixel_size(format);
        let layout = MemoryLayout::new(&self.state.pixel_store.pack, [width, height, 1], size, false)?;
        let targets = &framebuffer.targets;
        let (columns, rows) = (inside(x, width, targets.width), inside(y, height, targets.height));
        let part = columns.zip(rows).map(|(columns, rows)| [columns.0, rows.0, columns.1, rows.1]);
        let at = [(-i64::from(x)).max(0) as u32, (-i64::from(y)).max(0) as u32];
        Ok(Read { info, source, format, ty, layout, part, at })
    }

    /// Reads take the formats of uploads, whatever the extensions for textures say.
    fn read_arguments(&self, format: u32, ty: u32) -> GlResult<(PixelFormat, PixelType)> {
        let mut features = self.features();
        if !features.webgl2 {
            features.float_textures |= features.color_buffer_float;
            features.half_float_textures |= features.color_buffer_half_float;
        }
        let (format, ty) = formats::pixel_arguments(format, ty, &features)?;
        if format.is_depth() {
            return Err(GlError::invalid_enum("depth cannot be read"));
        }
        Ok((format, ty))
    }

    fn carry_out_read(&mut self, read: &Read, out: &mut [u8]) {
        let Some([x, y, width, height]) = read.part else { return };
        let source = read.source;
        let bytes = self.read_texels(source.image, source.level, source.layer, [x, y, width, height]);
        if let Some(bytes) = bytes {
            let texels = pack::Texels { info: read.info, bytes: &bytes, width, height };
            pack::pack(out, &read.layout, read.at[0], read.at[1], texels, read.format, read.ty);
        }
    }

    /// Texels of a colour image in its storage format.
    pub(crate) fn read_texels(&mut self, image: ImageId, level: u32, layer: u32, area: [u32; 4]) -> Option<Vec<u8>> {
        let [x, y, width, height] = area;
        let region = ImageRegion { level, origin: [x, y, layer], extent: [width, height, 1], aspect: Aspect::All };
        self.with_backend(|backend| backend.read_image(image, region))
    }

    /// IMPLEMENTATION_COLOR_READ_FORMAT and _TYPE of the read framebuffer, for `getParameter`.
    pub fn implementation_color_read(&mut self, name: u32) -> ParameterValue {
        let result = self.read_framebuffer().and_then(|framebuffer| {
            framebuffer.read.ok_or_else(|| GlError::invalid_operation("there is no read buffer"))
        });
        match result {
            Ok((info, _)) => {
                let (format, ty) = pack::implementation_pair(info);
                ParameterValue::Uint(if name == c::IMPLEMENTATION_COLOR_READ_FORMAT {
                    format.to_gl()
                } else {
                    ty.to_gl(self.is_webgl2())
                })
            }
            Err(error) => {
                self.fail("getParameter", error);
                ParameterValue::Null
            }
        }
    }
}

/// Start and length of the part of `start..start + length` inside `0..size`.
pub(crate) fn inside(start: i32, length: u32, size: u32) -> Option<(u32, u32)> {
    let first = i64::from(start).max(0);
    let last = (i64::from(start) + i64::from(length)).min(i64::from(size));
    (first < last).then(|| (first as u32, (last - first) as u32))
}
