//! `copyTexImage2D` and `copyTexSubImage*`: from the read framebuffer into textures.

use super::image_access::image_sink;
use super::read_pixels::inside;
use crate::gl::command::{Aspect, Attachment, Blit, BlitSide, Command, Filter, ImageId, ImageRegion};
use crate::gl::context::Context;
use crate::gl::convert::{MemoryLayout, pack, rows};
use crate::gl::error::{GlError, GlResult};
use crate::gl::formats::{self, BaseFormat, FormatInfo, storage_renderable};
use crate::gl::images::sink::Pixels;
use crate::gl::validate::texture::{self as validate, ImageTarget, SubBox};

impl Context {
    #[allow(clippy::too_many_arguments, reason = "as many as the call has")]
    pub fn copy_tex_image_2d(
        &mut self,
        target: u32,
        level: i32,
        internal_format: u32,
        x: i32,
        y: i32,
        width: i32,
        height: i32,
        border: i32,
    ) {
        let result = (|| {
            let target = validate::image_target_2d(target)?;
            validate::border(border)?;
            let webgl2 = self.is_webgl2();
            let level = validate::level(target.target, level, &self.caps.limits)?;
            let size = validate::level_size(target.target, level, [width, height, 1], &self.caps.limits, webgl2)?;
            let name = self.bound_texture(target.target)?;
            let (source_info, source, bounds) = self.copy_source()?;
            let info = formats::copy_tex_format(internal_format, source_info, &self.features())?;
            validate::memory(info, size)?;
            let texture =
                self.objects.textures.get(name).ok_or_else(|| GlError::invalid_operation("no such texture"))?;
            validate::mutable(texture)?;
            self.define_level(name, level, target.face, info, size, Pixels::Zero);
            let sub = SubBox { offset: [0; 3], size };
            self.copy_into(name, target, level, &sub, info, source_info, source, bounds, [x, y]);
            Ok(())
        })();
        self.check("copyTexImage2D", result);
    }

    #[allow(clippy::too_many_arguments, reason = "as many as the call has")]
    pub fn copy_tex_sub_image_2d(
        &mut self,
        target: u32,
        level: i32,
        x_offset: i32,
        y_offset: i32,
        x: i32,
        y: i32,
        width: i32,
        height: i32,
    ) {
        let result = validate::image_target_2d(target).and_then(|target| {
            self.try_copy_tex_sub_image(target, level, [x_offset, y_offset, 0], [x, y], [width, height, 1])
        });
        self.check("copyTexSubImage2D", result);
    }

    #[allow(clippy::too_many_arguments, reason = "as many as the call has")]
    pub fn copy_tex_sub_image_3d(
        &mut self,
        target: u32,
        level: i32,
        x_offset: i32,
        y_offset: i32,
        z_offset: i32,
        x: i32,
        y: i32,
        width: i32,
        height: i32,
    ) {
        let result = validate::image_target_3d(target).and_then(|target| {
            self.try_copy_tex_sub_image(target, level, [x_offset, y_offset, z_offset], [x, y], [width, height, 1])
        });
        self.check("copyTexSubImage3D", result);
    }

    fn try_copy_tex_sub_image(
        &mut self,
        target: ImageTarget,
        level: i32,
        offset: [i32; 3],
        from: [i32; 2],
        size: [i32; 3],
    ) -> GlResult<()> {
        let name = self.bound_texture(target.target)?;
        let level = validate::level(target.target, level, &self.caps.limits)?;
        let (info, sub) = self.defined_box(name, target, level, offset, size)?;
        if info.is_compressed() {
            return Err(GlError::invalid_operation("the level is compressed"));
        }
        let (source_info, source, bounds) = self.copy_source()?;
        formats::copy_compatible(info, source_info)?;
        self.copy_into(name, target, level, &sub, info, source_info, source, bounds, from);
        Ok(())
    }

    /// Row, single-sampled place and size of the buffer that copies read.
    fn copy_source(&mut self) -> GlResult<(&'static FormatInfo, Attachment, [u32; 2])> {
        let framebuffer = self.read_framebuffer()?;
        let (info, mut source) =
            framebuffer.read.ok_or_else(|| GlError::invalid_operation("there is no read buffer"))?;
        if self.state.bindings.read_framebuffer == 0 {
            if let Some(image) = self.drawing_buffer.single_sampled(&mut image_sink!(self)) {
                source.image = image;
            }
        } else if framebuffer.targets.samples > 1 {
            return Err(GlError::invalid_operation("the read framebuffer is multisampled"));
        }
        Ok((info, source, [framebuffer.targets.width, framebuffer.targets.height]))
    }

    #[allow(clippy::too_many_arguments, reason = "one caller's state, passed on")]
    fn copy_into(
        &mut self,
        name: u32,
        target: ImageTarget,
        level: u32,
        sub: &SubBox,
        info: &'static FormatInfo,
        source_info: &'static FormatInfo,
        source: Attachment,
        bounds: [u32; 2],
        from: [i32; 2],
    ) {
        // Only what lies inside the framebuffer is copied; the rest stays (or is zero in a new image).
        let (Some(columns), Some(rows)) =
            (inside(from[0], sub.size[0], bounds[0]), inside(from[1], sub.size[1], bounds[1]))
        else {
            return;
        };
        let shift = |axis: usize, first: u32| sub.offset[axis] + (i64::from(first) - i64::from(from[axis])) as u32;
        let cut =
            SubBox { offset: [shift(0, columns.0), shift(1, rows.0), sub.offset[2]], size: [columns.1, rows.1, 1] };
        self.write_box(name, target, level, &cut, |context, image, region| {
            context.copy_region(source, source_info, [columns.0, rows.0], image, info, region);
        });
        self.submit_if_large();
    }

    fn copy_region(
        &mut self,
        source: Attachment,
        source_info: &'static FormatInfo,
        from: [u32; 2],
        image: ImageId,
        info: &'static FormatInfo,
        region: ImageRegion,
    ) {
        let [width, height, _] = region.extent;
        let luminance = matches!(info.base, BaseFormat::Luminance | BaseFormat::LuminanceAlpha | BaseFormat::Alpha);
        let same = info.storage == source_info.storage;
        if same && !luminance && info.has_alpha() == source_info.has_alpha() && source.image != image {
            let src_region = ImageRegion {
                level: source.level,
                origin: [from[0], from[1], source.layer],
                extent: [width, height, 1],
                aspect: Aspect::All,
            };
            self.push(Command::CopyImage { src: source.image, src_region, dst: image, dst_region: region });
        } else if !luminance
            && source.image != image
            && !info.is_integer()
            && storage_renderable(info.storage, self.caps.backend.rg11b10_renderable)
        {
            let rect = |x: u32, y: u32| [x as i32, y as i32, (x + width) as i32, (y + height) as i32];
            self.push(Command::Blit(Blit {
                src: BlitSide {
                    image: source.image,
                    level: source.level,
                    layer: source.layer,
                    rect: rect(from[0], from[1]),
                },
                dst: BlitSide {
                    image,
                    level: region.level,
                    layer: region.origin[2],
                    rect: rect(region.origin[0], region.origin[1]),
                },
                aspect: Aspect::All,
                filter: Filter::Nearest,
                scissor: None,
                dst_has_alpha: info.has_alpha(),
            }));
        } else {
            self.copy_by_cpu(source, source_info, from, image, info, region);
        }
    }

    /// Luminance targets, integer formats without alpha, copies within one image: read, convert, write.
    fn copy_by_cpu(
        &mut self,
        source: Attachment,
        source_info: &'static FormatInfo,
        from: [u32; 2],
        image: ImageId,
        info: &'static FormatInfo,
        region: ImageRegion,
    ) {
        let [width, height, _] = region.extent;
        let Some(&(format, ty)) = info.pairs.first() else { return };
        let area = [from[0], from[1], width, height];
        let Some(texels) = self.read_texels(source.image, source.level, source.layer, area) else { return };
        let Ok(layout) = MemoryLayout::tight([width, height, 1], ty.pixel_size(format)) else { return };
        let Some(converter) = rows::converter(info, format, ty) else { return };
        let mut client = vec![0; layout.required_bytes()];
        let read = pack::Texels { info: source_info, bytes: &texels, width, height };
        pack::pack(&mut client, &layout, 0, 0, read, format, ty);
        let mut bytes = Vec::new();
        crate::gl::convert::upload(&mut bytes, &client, &layout, &converter, false, None);
        image_sink!(self).write(image, region, &bytes);
    }
}
