//! Textures: names, bindings, parameters, storage, mipmaps.

use super::image_access::image_sink;
use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::enums::{ParameterValue, TextureTarget};
use crate::gl::error::{GlError, GlResult};
use crate::gl::formats::{self, FormatInfo};
use crate::gl::objects::framebuffer::AttachmentPoint;
use crate::gl::objects::sampler::Argument;
use crate::gl::objects::texture::Texture;
use crate::gl::state::dirty::Dirty;
use crate::gl::validate::texture as validate;

impl Context {
    /// `activeTexture`. INVALID_ENUM unless TEXTURE0 + i with i < MAX_COMBINED_TEXTURE_IMAGE_UNITS.
    pub fn active_texture(&mut self, texture: u32) {
        match texture.checked_sub(c::TEXTURE0) {
            Some(unit) if unit < self.caps.limits.max_combined_texture_image_units => {
                self.state.bindings.active_texture = unit;
            }
            _ => self.fail("activeTexture", GlError::invalid_enum("texture unit is out of range")),
        }
    }

    pub fn create_texture(&mut self) -> u32 {
        self.objects.textures.insert(Texture::default())
    }

    pub fn is_texture(&self, name: u32) -> bool {
        self.objects.textures.get(name).is_some_and(|texture| !texture.deleted && texture.target.is_some())
    }

    pub fn delete_texture(&mut self, name: u32) {
        let Some(texture) = self.objects.textures.get_mut(name) else { return };
        if texture.deleted {
            return;
        }
        texture.deleted = true;
        for unit in &mut self.state.bindings.texture_units {
            for bound in &mut unit.textures {
                if *bound == name {
                    *bound = 0;
                }
            }
        }
        self.detach_from_bound(|point| matches!(point, AttachmentPoint::Texture { name: found, .. } if *found == name));
        self.textures_changed();
        self.release_texture(name);
    }

    /// Frees a deleted texture once no attachment point holds it.
    pub(crate) fn release_texture(&mut self, name: u32) {
        if self.objects.textures.get(name).is_some_and(|texture| texture.deleted && texture.refs == 0)
            && let Some(mut texture) = self.objects.textures.remove(name)
        {
            texture.drop_images(&mut image_sink!(self));
        }
    }

    pub fn bind_texture(&mut self, target: u32, name: u32) {
        let result = self.try_bind_texture(target, name);
        self.check("bindTexture", result);
    }

    fn try_bind_texture(&mut self, target: u32, name: u32) -> GlResult<()> {
        let target = validate::texture_target(target, self.is_webgl2())?;
        if name != 0 {
            let texture = self
                .objects
                .textures
                .get_mut(name)
                .filter(|texture| !texture.deleted)
                .ok_or_else(|| GlError::invalid_operation("no such texture"))?;
            match texture.target {
                None => texture.target = Some(target),
                Some(fixed) if fixed != target => {
                    return Err(GlError::invalid_operation("the texture was first bound to another target"));
                }
                Some(_) => {}
            }
        }
        let unit = self.state.bindings.active_texture as usize;
        if let Some(unit) = self.state.bindings.texture_units.get_mut(unit) {
            let slot = &mut unit.textures[target as usize];
            if *slot != name {
                *slot = name;
                self.state.dirty |= Dirty::TEXTURES;
            }
        }
        Ok(())
    }

    /// Name of the texture bound to `target` on the active unit; none is an error.
    pub(crate) fn bound_texture(&self, target: TextureTarget) -> GlResult<u32> {
        match self.state.bindings.active_texture_for(target) {
            0 => Err(GlError::invalid_operation("no texture is bound to the target")),
            name => Ok(name),
        }
    }

    pub fn tex_parameteri(&mut self, target: u32, name: u32, value: i32) {
        let result = self.try_tex_parameter(target, name, Argument::Int(value));
        self.check("texParameteri", result);
    }

    pub fn tex_parameterf(&mut self, target: u32, name: u32, value: f32) {
        let result = self.try_tex_parameter(target, name, Argument::Float(value));
        self.check("texParameterf", result);
    }

    fn try_tex_parameter(&mut self, target: u32, name: u32, value: Argument) -> GlResult<()> {
        let target = validate::texture_target(target, self.is_webgl2())?;
        let bound = self.bound_texture(target)?;
        let scope = self.parameter_scope();
        let Some(texture) = self.objects.textures.get_mut(bound) else { return Ok(()) };
        let before = (texture.parameters, texture.base_level, texture.max_level);
        match texture.parameters.set(name, value, scope) {
            Some(result) => result?,
            None => {
                let slot = match name {
                    c::TEXTURE_BASE_LEVEL if scope.webgl2 => &mut texture.base_level,
                    c::TEXTURE_MAX_LEVEL if scope.webgl2 => &mut texture.max_level,
                    _ => return Err(GlError::invalid_enum("invalid texture parameter")),
                };
                *slot = u32::try_from(value.as_int()).map_err(|_| GlError::invalid_value("level is negative"))?;
            }
        }
        if before != (texture.parameters, texture.base_level, texture.max_level) {
            texture.touch();
            if before.1 != texture.base_level || before.2 != texture.max_level {
                texture.reconsider();
                // Completeness of framebuffers depends on the level range.
                self.images.epoch += 1;
                self.state.dirty |= Dirty::RENDER_TARGETS;
            }
            self.state.dirty |= Dirty::TEXTURES;
        }
        Ok(())
    }

    pub fn get_tex_parameter(&mut self, target: u32, name: u32) -> ParameterValue {
        match self.try_get_tex_parameter(target, name) {
            Ok(value) => value,
            Err(error) => {
                self.fail("getTexParameter", error);
                ParameterValue::Null
            }
        }
    }

    fn try_get_tex_parameter(&self, target: u32, name: u32) -> GlResult<ParameterValue> {
        let target = validate::texture_target(target, self.is_webgl2())?;
        let bound = self.bound_texture(target)?;
        let scope = self.parameter_scope();
        let unknown = || GlError::invalid_enum("invalid texture parameter");
        let texture = self.objects.textures.get(bound).ok_or_else(unknown)?;
        if let Some(value) = texture.parameters.get(name, scope) {
            return Ok(value);
        }
        match name {
            c::TEXTURE_BASE_LEVEL if scope.webgl2 => Ok(ParameterValue::Int(texture.base_level as i32)),
            c::TEXTURE_MAX_LEVEL if scope.webgl2 => Ok(ParameterValue::Int(texture.max_level as i32)),
            c::TEXTURE_IMMUTABLE_FORMAT if scope.webgl2 => Ok(ParameterValue::Bool(texture.immutable_levels.is_some())),
            c::TEXTURE_IMMUTABLE_LEVELS if scope.webgl2 => {
                Ok(ParameterValue::Uint(texture.immutable_levels.unwrap_or(0)))
            }
            _ => Err(unknown()),
        }
    }

    pub fn tex_storage_2d(&mut self, target: u32, levels: i32, internal_format: u32, width: i32, height: i32) {
        let result = match target {
            c::TEXTURE_2D => Ok(TextureTarget::D2),
            c::TEXTURE_CUBE_MAP => Ok(TextureTarget::Cube),
            _ => Err(GlError::invalid_enum("invalid texture target")),
        }
        .and_then(|target| self.try_tex_storage(target, levels, internal_format, [width, height, 1]));
        self.check("texStorage2D", result);
    }

    pub fn tex_storage_3d(
        &mut self,
        target: u32,
        levels: i32,
        internal_format: u32,
        width: i32,
        height: i32,
        depth: i32,
    ) {
        let result = validate::image_target_3d(target)
            .and_then(|target| self.try_tex_storage(target.target, levels, internal_format, [width, height, depth]));
        self.check("texStorage3D", result);
    }

    fn try_tex_storage(
        &mut self,
        target: TextureTarget,
        levels: i32,
        internal_format: u32,
        size: [i32; 3],
    ) -> GlResult<()> {
        let name = self.bound_texture(target)?;
        let info = formats::storage_format(internal_format, &self.features())?;
        let (levels, size) = validate::storage_size(target, levels, size, &self.caps.limits)?;
        validate::format_fits_target(info, target)?;
        validate::texture_memory(target, info, size)?;
        self.usable(info, "texStorage")?;
        let Some(texture) = self.objects.textures.get_mut(name) else { return Ok(()) };
        validate::mutable(texture)?;
        texture.define_storage(&mut image_sink!(self), levels, info, size);
        self.textures_changed();
        Ok(())
    }

    /// Formats that the specification has but this device has not.
    pub(crate) fn usable(&mut self, info: &'static FormatInfo, call: &'static str) -> GlResult<()> {
        use crate::gl::format::StorageFormat as F;
        if info.storage == F::Depth32FloatStencil8 && !self.caps.backend.depth32_stencil8 {
            self.unsupported(call, "DEPTH32F_STENCIL8");
            return Err(GlError::out_of_memory("DEPTH32F_STENCIL8 is not supported by this device"));
        }
        Ok(())
    }

    pub fn generate_mipmap(&mut self, target: u32) {
        let result = self.try_generate_mipmap(target);
        self.check("generateMipmap", result);
    }

    fn try_generate_mipmap(&mut self, target: u32) -> GlResult<()> {
        let target = validate::texture_target(target, self.is_webgl2())?;
        let name = self.bound_texture(target)?;
        let features = self.features();
        let Some(texture) = self.objects.textures.get_mut(name) else { return Ok(()) };
        if !texture.is_base_complete() {
            return Err(GlError::invalid_operation("the base level is not defined, or the cube map is incomplete"));
        }
        let (Some(info), Some(size)) = (texture.base_info(), texture.base_size()) else { return Ok(()) };
        if !features.webgl2 {
            if size[..2].iter().any(|side| !side.is_power_of_two()) {
                return Err(GlError::invalid_operation("the base level is not a power of two"));
            }
            if info.srgb {
                return Err(GlError::invalid_operation("sRGB textures have no generated mipmaps in WebGL 1"));
            }
        }
        // Unsized names were legal in ES 2.0 and stay so.
        let plain = !info.is_sized() && info.filterable(&features);
        let legal = info.is_color()
            && !info.is_compressed()
            && (plain || (info.filterable(&features) && (info.color_renderable(&features) || !features.webgl2)));
        if !legal {
            return Err(GlError::invalid_operation("the format cannot have generated mipmaps"));
        }
        texture.generate_mipmaps(&mut image_sink!(self));
        self.textures_changed();
        self.submit_if_large();
        Ok(())
    }
}
