//! Where the pixels of an upload come from, and how they reach the stream.

use super::image_access::image_sink;
use crate::gl::command::{Aspect, DataRange, ImageId, ImageRegion};
use crate::gl::context::Context;
use crate::gl::convert::layout::Store;
use crate::gl::convert::premultiply::{self, InPlace};
use crate::gl::convert::{self, MemoryLayout, RowConverter, depth, rows, source};
use crate::gl::error::{GlError, GlResult};
use crate::gl::formats::{FormatInfo, PixelFormat, PixelType};
use crate::gl::images::sink::Pixels;
use crate::gl::validate::texture::{ArrayKind, array_kind_fits};

/// Last argument of an upload call.
#[derive(Clone, Copy, Debug)]
pub enum UploadData<'a> {
    /// `null`.
    None,
    /// Client memory from the view's (offset) start on.
    Bytes { bytes: &'a [u8], kind: ArrayKind },
    /// Offset into the PIXEL_UNPACK_BUFFER; `size` is `imageSize` of the compressed calls.
    Offset { offset: i64, size: Option<i64> },
    /// Canvas, image, ImageData, ImageBitmap. The call's width and height choose a part of it (WebGL 2).
    Source(PixelSource<'a>),
}

/// Decoded pixels of an image source: RGBA8, row 0 = top.
#[derive(Clone, Copy, Debug)]
pub struct PixelSource<'a> {
    pub width: u32,
    pub height: u32,
    pub rgba: &'a [u8],
    /// Colour is already multiplied by alpha.
    pub premultiplied: bool,
    /// ImageBitmap: UNPACK_FLIP_Y and UNPACK_PREMULTIPLY_ALPHA do not apply, pixels are taken as they are.
    pub ignore_unpack: bool,
}

/// A validated upload: layout in memory and the conversion.
pub(crate) struct Upload {
    layout: MemoryLayout,
    conversion: Conversion,
    flip_y: bool,
}

enum Conversion {
    Rows {
        converter: RowConverter,
        premultiply: Option<InPlace>,
    },
    /// Rows of an image source: first the alpha adjustment on RGBA8, then the converter.
    Source {
        converter: RowConverter,
        adjust: Option<InPlace>,
    },
    Depth(PixelType),
}

impl Upload {
    pub(crate) fn plan(
        context: &Context,
        info: &'static FormatInfo,
        format: PixelFormat,
        ty: PixelType,
        size: [u32; 3],
        volume: bool,
        data: &UploadData<'_>,
    ) -> GlResult<Self> {
        let pixel_store = &context.state.pixel_store;
        if let UploadData::Source(from) = data {
            context.reject_unpack_buffer()?;
            return Self::plan_source(context, info, ty, size, volume, from);
        }
        let from_buffer = matches!(data, UploadData::Offset { .. });
        let (flip_y, premultiply) = (pixel_store.flip_y, pixel_store.premultiply_alpha);
        if (volume || from_buffer) && (flip_y || premultiply) {
            return Err(GlError::invalid_operation(
                "FLIP_Y and PREMULTIPLY_ALPHA do not work with 3D textures or unpack buffers",
            ));
        }
        let mut layout = MemoryLayout::new(&pixel_store.unpack, size, ty.pixel_size(format), volume)?;
        match *data {
            UploadData::Bytes { bytes, kind } => {
                context.reject_unpack_buffer()?;
                array_kind_fits(kind, ty)?;
                if layout.required_bytes() > bytes.len() {
                    return Err(GlError::invalid_operation("the view is too small for the image"));
                }
            }
            UploadData::Offset { offset, .. } => {
                let start = usize::try_from(offset).map_err(|_| GlError::invalid_value("offset is negative"))?;
                let element = if ty.is_packed() && ty.size() == 8 { 4 } else { ty.size() };
                if start % element as usize != 0 {
                    return Err(GlError::invalid_operation("offset is not a multiple of the type's size"));
                }
                if !layout_is_empty(&layout) {
                    layout = layout.shifted(start)?;
                }
                if layout.required_bytes() > context.unpack_memory()?.len() {
                    return Err(GlError::invalid_operation("the buffer is too small for the image"));
                }
            }
            UploadData::None | UploadData::Source(_) => {}
        }
        let conversion = if info.is_color() {
            let converter = rows::converter(info, format, ty)
                .ok_or_else(|| GlError::invalid_operation("no conversion for format and type"))?;
            let premultiply =
                if premultiply && info.has_alpha() { premultiply::for_storage(info.storage) } else { None };
            Conversion::Rows { converter, premultiply }
        } else {
            Conversion::Depth(ty)
        };
        Ok(Self { layout, conversion, flip_y })
    }

    fn plan_source(
        context: &Context,
        info: &'static FormatInfo,
        ty: PixelType,
        size: [u32; 3],
        volume: bool,
        from: &PixelSource<'_>,
    ) -> GlResult<Self> {
        let pixel_store = &context.state.pixel_store;
        let converter = source::converter(info, ty)
            .ok_or_else(|| GlError::invalid_operation("image sources cannot fill this format"))?;
        // WebGL 2 §3.7.6: SKIP_* choose the part; ROW_LENGTH and ALIGNMENT have no meaning; slices of volumes lie
        // below one another, IMAGE_HEIGHT apart.
        let whole = !volume && [from.width, from.height] == [size[0], size[1]];
        let store = if whole {
            Store { alignment: 1, ..Store::default() }
        } else {
            Store { alignment: 1, row_length: from.width, ..pixel_store.unpack }
        };
        // Rows that are skipped need not fit an image of the volume: the source has them.
        let above = (store.skip_rows as usize).checked_mul(from.width as usize).and_then(|n| n.checked_mul(4));
        let above = above.ok_or_else(|| GlError::invalid_operation("the region exceeds the image source"))?;
        let layout = MemoryLayout::new(&Store { skip_rows: 0, ..store }, size, 4, volume)?.shifted(above)?;
        let tall = u64::from(size[2]).saturating_sub(1)
            * (layout.image_stride as u64 / layout.row_stride.max(1) as u64)
            + u64::from(store.skip_rows)
            + u64::from(size[1]);
        if layout.required_bytes() > from.rgba.len() || (size[2] > 0 && tall > u64::from(from.height)) {
            return Err(GlError::invalid_operation("the region exceeds the image source"));
        }
        let wants = if from.ignore_unpack { from.premultiplied } else { pixel_store.premultiply_alpha };
        let adjust: Option<InPlace> = match (from.premultiplied, wants) {
            (false, true) => Some(premultiply::rgba8),
            (true, false) => Some(premultiply::unpremultiply_rgba8),
            _ => None,
        };
        let flip_y = pixel_store.flip_y && !from.ignore_unpack;
        Ok(Self { layout, conversion: Conversion::Source { converter, adjust }, flip_y })
    }

    /// Converts into `out`; for depth only the depth plane, the stencil plane is returned.
    fn run(&self, info: &FormatInfo, memory: &[u8], out: &mut Vec<u8>) -> Option<Vec<u8>> {
        match &self.conversion {
            Conversion::Rows { converter, premultiply } => {
                convert::upload(out, memory, &self.layout, converter, self.flip_y, *premultiply);
                None
            }
            Conversion::Source { converter, adjust: None } => {
                convert::upload(out, memory, &self.layout, converter, self.flip_y, None);
                None
            }
            Conversion::Source { converter, adjust: Some(adjust) } => {
                let size = [self.layout.width, 1, 1];
                let mut row = vec![0; self.layout.width as usize * 4];
                let start = out.len();
                let row_out = self.layout.width as usize * converter.destination_size as usize;
                let rows = self.layout.height as usize * self.layout.depth as usize;
                out.resize(start + row_out * rows, 0);
                debug_assert_eq!(size[0] as usize * 4, row.len());
                if row_out == 0 {
                    return None;
                }
                for (index, target) in out[start..].chunks_exact_mut(row_out).enumerate() {
                    let height = self.layout.height as usize;
                    let (z, y) = (index / height, index % height);
                    let y = if self.flip_y { height - 1 - y } else { y };
                    let Some(pixels) = self.layout.row(memory, y, z) else { continue };
                    row.copy_from_slice(pixels);
                    adjust(&mut row);
                    converter.convert(&row, target);
                }
                None
            }
            Conversion::Depth(ty) => {
                let planes = depth::planes(memory, &self.layout, info.storage, *ty, self.flip_y);
                out.extend_from_slice(&planes.depth);
                planes.stencil
            }
        }
    }
}

fn layout_is_empty(layout: &MemoryLayout) -> bool {
    layout.width == 0 || layout.height == 0 || layout.depth == 0
}

impl Context {
    /// Brings the CPU copy of the unpack buffer up to date if the GPU has written to it.
    pub(crate) fn fetch_unpack_buffer(&mut self, data: &UploadData<'_>) -> GlResult<()> {
        if !matches!(data, UploadData::Offset { .. }) {
            return Ok(());
        }
        let name = self.state.bindings.buffers.pixel_unpack;
        if !self.objects.buffers.contains(name) {
            return Err(GlError::invalid_operation("no buffer is bound to PIXEL_UNPACK_BUFFER"));
        }
        self.refresh_shadow(name);
        Ok(())
    }

    pub(crate) fn unpack_memory(&self) -> GlResult<&[u8]> {
        self.objects
            .buffers
            .get(self.state.bindings.buffers.pixel_unpack)
            .map(|buffer| buffer.shadow.as_slice())
            .ok_or_else(|| GlError::invalid_operation("no buffer is bound to PIXEL_UNPACK_BUFFER"))
    }

    /// Converts straight into the stream's arena and writes the region.
    pub(crate) fn upload_region(
        &mut self,
        image: ImageId,
        info: &'static FormatInfo,
        region: ImageRegion,
        upload: &Upload,
        data: &UploadData<'_>,
    ) {
        // The arena is taken out so that the unpack buffer, part of the context, can be read beside it.
        let mut arena = std::mem::take(&mut self.stream.data);
        let offset = arena.len().next_multiple_of(4);
        arena.resize(offset, 0);
        let stencil = upload.run(info, self.upload_memory(data), &mut arena);
        let range = DataRange { offset: offset as u32, len: (arena.len() - offset) as u32 };
        self.stream.data = arena;
        let mut sink = image_sink!(self);
        let aspect = if info.has_depth() { Aspect::Depth } else { Aspect::All };
        sink.write_range(image, ImageRegion { aspect, ..region }, range);
        if let Some(stencil) = stencil {
            sink.write(image, ImageRegion { aspect: Aspect::Stencil, ..region }, &stencil);
        }
    }

    /// Converts into memory of its own, for levels that wait for their image.
    pub(crate) fn converted(&self, info: &'static FormatInfo, upload: &Upload, data: &UploadData<'_>) -> Pixels {
        let mut bytes = Vec::new();
        let stencil = upload.run(info, self.upload_memory(data), &mut bytes);
        Pixels::Bytes { color_or_depth: bytes, stencil }
    }

    fn upload_memory<'a>(&'a self, data: &UploadData<'a>) -> &'a [u8] {
        match data {
            UploadData::Bytes { bytes, .. } => bytes,
            UploadData::Source(from) => from.rgba,
            UploadData::Offset { .. } => self.unpack_memory().unwrap_or(&[]),
            UploadData::None => &[],
        }
    }
}
