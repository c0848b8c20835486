//! Uploads: `texImage*` and `texSubImage*` from memory, unpack buffers and image sources.

use super::image_access::image_sink;
use super::upload::{Upload, UploadData};
use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::enums::TextureTarget;
use crate::gl::error::{GlError, GlResult};
use crate::gl::formats::{self, FormatInfo, PixelFormat, PixelType};
use crate::gl::images::sink::Pixels;
use crate::gl::validate::texture::{self as validate, ImageTarget, SubBox};

/// The calls of the API: target check, the common work, the error under the call's name.
macro_rules! upload_calls {
    ($($call:ident, $name:literal, $target:ident, $work:ident,
        ($($arg:ident: $ty:ty),+), $([$border:ident],)? ($($given:expr),+);)*) => {
        impl Context {$(
            #[allow(clippy::too_many_arguments, reason = "as many as the call has")]
            pub fn $call(&mut self, target: u32, $($arg: $ty,)+ data: UploadData<'_>) {
                let result = validate::$target(target).and_then(|target| {
                    $(validate::border($border)?;)?
                    self.$work(target, $($given,)+ data)
                });
                self.check($name, result);
            }
        )*}
    };
}

upload_calls! {
    tex_image_2d, "texImage2D", image_target_2d, try_tex_image,
        (level: i32, internal_format: u32, width: i32, height: i32, border: i32, format: u32, ty: u32),
        [border], (level, internal_format, [width, height, 1], format, ty);
    tex_image_3d, "texImage3D", image_target_3d, try_tex_image,
        (level: i32, internal_format: u32, width: i32, height: i32, depth: i32, border: i32, format: u32, ty: u32),
        [border], (level, internal_format, [width, height, depth], format, ty);
    tex_sub_image_2d, "texSubImage2D", image_target_2d, try_tex_sub_image,
        (level: i32, x: i32, y: i32, width: i32, height: i32, format: u32, ty: u32),
        (level, [x, y, 0], [width, height, 1], format, ty);
    tex_sub_image_3d, "texSubImage3D", image_target_3d, try_tex_sub_image,
        (level: i32, x: i32, y: i32, z: i32, width: i32, height: i32, depth: i32, format: u32, ty: u32),
        (level, [x, y, z], [width, height, depth], format, ty);
    compressed_tex_image_2d, "compressedTexImage2D", image_target_2d, try_compressed_tex_image,
        (level: i32, internal_format: u32, width: i32, height: i32, border: i32),
        [border], (level, internal_format, [width, height, 1]);
    compressed_tex_image_3d, "compressedTexImage3D", image_target_3d, try_compressed_tex_image,
        (level: i32, internal_format: u32, width: i32, height: i32, depth: i32, border: i32),
        [border], (level, internal_format, [width, height, depth]);
    compressed_tex_sub_image_2d, "compressedTexSubImage2D", image_target_2d, try_compressed_tex_sub_image,
        (level: i32, x: i32, y: i32, width: i32, height: i32, format: u32),
        (level, [x, y, 0], [width, height, 1], format);
    compressed_tex_sub_image_3d, "compressedTexSubImage3D", image_target_3d, try_compressed_tex_sub_image,
        (level: i32, x: i32, y: i32, z: i32, width: i32, height: i32, depth: i32, format: u32),
        (level, [x, y, z], [width, height, depth], format);
}

impl Context {
    #[allow(clippy::too_many_arguments, reason = "as many as the call has")]
    fn try_tex_image(
        &mut self,
        target: ImageTarget,
        level: i32,
        internal_format: u32,
        size: [i32; 3],
        format: u32,
        ty: u32,
        data: UploadData<'_>,
    ) -> GlResult<()> {
        let name = self.bound_texture(target.target)?;
        let features = self.features();
        let (info, format, ty) = formats::upload_format(internal_format, format, ty, &features)?;
        let level = validate::level(target.target, level, &self.caps.limits)?;
        let size = validate::level_size(target.target, level, size, &self.caps.limits, features.webgl2)?;
        validate::format_fits_target(info, target.target)?;
        validate::texture_memory(target.target, info, size)?;
        if !features.webgl2 && !info.is_color() {
            // WEBGL_depth_texture: level 0 of TEXTURE_2D, no data.
            if target.target != TextureTarget::D2 || level != 0 || !matches!(data, UploadData::None) {
                return Err(GlError::invalid_operation("depth textures are 2D, have one level and start empty"));
            }
        }
        self.usable(info, "texImage")?;
        let texture = self.objects.textures.get(name).ok_or_else(|| GlError::invalid_operation("no such texture"))?;
        validate::mutable(texture)?;
        let empty = size.contains(&0);
        if let UploadData::None = data {
            self.reject_unpack_buffer()?;
        } else {
            let upload = self.upload_plan(info, format, ty, size, target.target, &data)?;
            // A level that keeps its shape is overwritten in place: no copy between conversion and stream.
            let place = self
                .objects
                .textures
                .get(name)
                .and_then(|texture| texture.place_for_overwrite(level, target.face, info, size));
            if let Some(place) = place
                && !empty
            {
                let region = crate::gl::objects::texture::whole(place, size);
                self.upload_region(place.image, info, region, &upload, &data);
                self.submit_if_large();
                return Ok(());
            }
            let pixels = if empty { Pixels::Zero } else { self.converted(info, &upload, &data) };
            self.define_level(name, level, target.face, info, size, pixels);
            return Ok(());
        }
        self.define_level(name, level, target.face, info, size, Pixels::Zero);
        Ok(())
    }

    pub(crate) fn define_level(
        &mut self,
        name: u32,
        level: u32,
        face: u32,
        info: &'static FormatInfo,
        size: [u32; 3],
        pixels: Pixels,
    ) {
        if let Some(texture) = self.objects.textures.get_mut(name) {
            texture.define(&mut image_sink!(self), level, face, info, size, pixels);
            self.textures_changed();
        }
    }

    #[allow(clippy::too_many_arguments, reason = "as many as the call has")]
    fn try_tex_sub_image(
        &mut self,
        target: ImageTarget,
        level: i32,
        offset: [i32; 3],
        size: [i32; 3],
        format: u32,
        ty: u32,
        data: UploadData<'_>,
    ) -> GlResult<()> {
        let name = self.bound_texture(target.target)?;
        let level = validate::level(target.target, level, &self.caps.limits)?;
        let (info, sub) = self.defined_box(name, target, level, offset, size)?;
        if info.is_compressed() {
            return Err(GlError::invalid_operation("the level is compressed"));
        }
        let features = self.features();
        let (format, ty) = formats::sub_upload_format(info, format, ty, &features)?;
        if !features.webgl2 && !info.is_color() {
            return Err(GlError::invalid_operation("depth textures cannot be updated in WebGL 1"));
        }
        if let UploadData::None = data {
            self.reject_unpack_buffer()?;
            return Err(GlError::invalid_value("no pixels"));
        }
        let upload = self.upload_plan(info, format, ty, sub.size, target.target, &data)?;
        if sub.size.contains(&0) {
            return Ok(());
        }
        self.write_box(name, target, level, &sub, |context, image, region| {
            context.upload_region(image, info, region, &upload, &data);
        });
        self.submit_if_large();
        Ok(())
    }

    /// Row and box of a sub-image call; the level must be defined.
    pub(crate) fn defined_box(
        &self,
        name: u32,
        target: ImageTarget,
        level: u32,
        offset: [i32; 3],
        size: [i32; 3],
    ) -> GlResult<(&'static FormatInfo, SubBox)> {
        let found = self
            .objects
            .textures
            .get(name)
            .and_then(|texture| texture.level(level, target.face))
            .ok_or_else(|| GlError::invalid_operation("the texture level is not defined"))?;
        let sub = validate::sub_box(offset, size, found.size)?;
        Ok((found.info, sub))
    }

    /// Finds the image behind a level and lets `write` fill the box.
    pub(crate) fn write_box(
        &mut self,
        name: u32,
        target: ImageTarget,
        level: u32,
        sub: &SubBox,
        write: impl FnOnce(&mut Self, crate::gl::command::ImageId, crate::gl::command::ImageRegion),
    ) {
        let Some(texture) = self.objects.textures.get_mut(name) else { return };
        let version = texture.version;
        let place = texture.place(&mut image_sink!(self), level, target.face);
        if texture.version != version {
            self.textures_changed();
        }
        let Some(place) = place else { return };
        let [x, y, z] = sub.offset;
        let region = crate::gl::command::ImageRegion {
            level: place.level,
            origin: [x, y, place.layer + z],
            extent: sub.size,
            aspect: crate::gl::command::Aspect::All,
        };
        write(self, place.image, region);
    }

    fn upload_plan(
        &mut self,
        info: &'static FormatInfo,
        format: PixelFormat,
        ty: PixelType,
        size: [u32; 3],
        target: TextureTarget,
        data: &UploadData<'_>,
    ) -> GlResult<Upload> {
        let volume = matches!(target, TextureTarget::D3 | TextureTarget::D2Array);
        self.fetch_unpack_buffer(data)?;
        Upload::plan(self, info, format, ty, size, volume, data)
    }

    /// `UNPACK_BUFFER` and client memory exclude each other.
    pub(crate) fn reject_unpack_buffer(&self) -> GlResult<()> {
        if self.state.bindings.buffers.pixel_unpack != 0 {
            return Err(GlError::invalid_operation("a buffer is bound to PIXEL_UNPACK_BUFFER"));
        }
        Ok(())
    }

    fn try_compressed_tex_image(
        &mut self,
        target: ImageTarget,
        level: i32,
        internal_format: u32,
        size: [i32; 3],
        data: UploadData<'_>,
    ) -> GlResult<()> {
        let name = self.bound_texture(target.target)?;
        let features = self.features();
        let info = formats::compressed_format(internal_format, &features)
            .ok_or_else(|| GlError::invalid_enum("invalid compressed format"))?;
        let level = validate::level(target.target, level, &self.caps.limits)?;
        let size = validate::level_size(target.target, level, size, &self.caps.limits, features.webgl2)?;
        validate::format_fits_target(info, target.target)?;
        validate::texture_memory(target.target, info, size)?;
        // S3TC (and its kin in blocks of 4): level 0 must be whole blocks (WEBGL_compressed_texture_s3tc).
        if let Some(block) = info.block
            && block.width == 4
            && info.needs_whole_blocks()
            && level == 0
            && (size[0] % 4 != 0 || size[1] % 4 != 0)
        {
            return Err(GlError::invalid_operation("width and height of level 0 must be multiples of 4"));
        }
        let texture = self.objects.textures.get(name).ok_or_else(|| GlError::invalid_operation("no such texture"))?;
        validate::mutable(texture)?;
        let bytes = self.compressed_bytes(info, size, &data)?;
        self.define_level(name, level, target.face, info, size, Pixels::Bytes { color_or_depth: bytes, stencil: None });
        Ok(())
    }

    fn try_compressed_tex_sub_image(
        &mut self,
        target: ImageTarget,
        level: i32,
        offset: [i32; 3],
        size: [i32; 3],
        format: u32,
        data: UploadData<'_>,
    ) -> GlResult<()> {
        let name = self.bound_texture(target.target)?;
        let given = formats::compressed_format(format, &self.features())
            .ok_or_else(|| GlError::invalid_enum("invalid compressed format"))?;
        let level = validate::level(target.target, level, &self.caps.limits)?;
        let (info, sub) = self.defined_box(name, target, level, offset, size)?;
        if info.gl == c::COMPRESSED_RGB_ETC1_WEBGL {
            return Err(GlError::invalid_operation("ETC1 textures have no sub-images"));
        }
        if info != given {
            return Err(GlError::invalid_operation("format is not the texture's"));
        }
        let level_size = self
            .objects
            .textures
            .get(name)
            .and_then(|texture| texture.level(level, target.face))
            .map_or([0; 3], |level| level.size);
        validate::block_aligned(&sub, level_size, info)?;
        let bytes = self.compressed_bytes(info, sub.size, &data)?;
        if sub.size.contains(&0) {
            return Ok(());
        }
        self.write_box(name, target, level, &sub, |context, image, region| {
            image_sink!(context).write(image, region, &bytes);
        });
        self.submit_if_large();
        Ok(())
    }

    /// Bytes of a compressed call: exactly as many as the size needs.
    fn compressed_bytes(&mut self, info: &FormatInfo, size: [u32; 3], data: &UploadData<'_>) -> GlResult<Vec<u8>> {
        let needed = info.block.map_or(0, |block| block.image_size(size[0], size[1], size[2])) as usize;
        match data {
            UploadData::Bytes { bytes, .. } => {
                self.reject_unpack_buffer()?;
                if bytes.len() != needed {
                    return Err(GlError::invalid_value("the data's length does not fit the size"));
                }
                Ok(bytes.to_vec())
            }
            UploadData::Offset { offset, size: given } => {
                if given.is_some_and(|given| given != needed as i64) {
                    return Err(GlError::invalid_value("imageSize does not fit the size"));
                }
                self.fetch_unpack_buffer(data)?;
                let memory = self.unpack_memory()?;
                let start = usize::try_from(*offset).map_err(|_| GlError::invalid_value("offset is negative"))?;
                start
                    .checked_add(needed)
                    .and_then(|end| memory.get(start..end))
                    .map(<[u8]>::to_vec)
                    .ok_or_else(|| GlError::invalid_operation("the buffer is too small"))
            }
            UploadData::None | UploadData::Source(_) => Err(GlError::invalid_value("no data")),
        }
    }

    pub fn pixel_storei(&mut self, name: u32, value: i32) {
        let webgl2 = self.is_webgl2();
        let result = self.state.pixel_store.set(name, value, webgl2);
        self.check("pixelStorei", result);
    }

    /// COMPRESSED_TEXTURE_FORMATS, for `getParameter`.
    pub fn compressed_texture_formats(&self) -> Vec<u32> {
        let mut list = formats::supported_compressed(&self.features());
        list.retain(|gl| *gl != c::NONE);
        list
    }
}
