//! Framebuffers: names, bindings, attachments, draw and read buffers, getters.

use crate::gl::command::MAX_COLOR_ATTACHMENTS;
use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::enums::TextureTarget;
use crate::gl::error::{GlError, GlResult};
use crate::gl::objects::framebuffer::{AttachmentName, AttachmentPoint, Framebuffer};
use crate::gl::state::dirty::Dirty;
use crate::gl::validate::framebuffer::{self as validate, FramebufferTarget};
use crate::gl::validate::texture::{image_target_2d, level as validate_level};

impl Context {
    pub fn create_framebuffer(&mut self) -> u32 {
        self.objects.framebuffers.insert(Framebuffer::default())
    }

    pub fn is_framebuffer(&self, name: u32) -> bool {
        self.objects.framebuffers.get(name).is_some_and(|framebuffer| framebuffer.bound)
    }

    pub fn delete_framebuffer(&mut self, name: u32) {
        let Some(framebuffer) = self.objects.framebuffers.remove(name) else { return };
        for point in framebuffer.points() {
            self.drop_reference(*point);
        }
        let bindings = &mut self.state.bindings;
        if bindings.draw_framebuffer == name {
            bindings.draw_framebuffer = 0;
            self.state.dirty |= Dirty::RENDER_TARGETS;
        }
        if self.state.bindings.read_framebuffer == name {
            self.state.bindings.read_framebuffer = 0;
        }
    }

    pub fn bind_framebuffer(&mut self, target: u32, name: u32) {
        let result = self.try_bind_framebuffer(target, name);
        self.check("bindFramebuffer", result);
    }

    fn try_bind_framebuffer(&mut self, target: u32, name: u32) -> GlResult<()> {
        let target = validate::framebuffer_target(target, self.is_webgl2())?;
        if name != 0 {
            let framebuffer = self
                .objects
                .framebuffers
                .get_mut(name)
                .ok_or_else(|| GlError::invalid_operation("no such framebuffer"))?;
            framebuffer.bound = true;
        }
        let bindings = &mut self.state.bindings;
        if target != FramebufferTarget::Read && bindings.draw_framebuffer != name {
            bindings.draw_framebuffer = name;
            self.state.dirty |= Dirty::RENDER_TARGETS;
        }
        if target != FramebufferTarget::Draw {
            bindings.read_framebuffer = name;
        }
        Ok(())
    }

    /// Name of the framebuffer that `target` asks about.
    pub(crate) fn framebuffer_bound_to(&self, target: FramebufferTarget) -> u32 {
        match target {
            FramebufferTarget::Read => self.state.bindings.read_framebuffer,
            _ => self.state.bindings.draw_framebuffer,
        }
    }

    pub fn framebuffer_renderbuffer(
        &mut self,
        target: u32,
        attachment: u32,
        renderbuffer_target: u32,
        renderbuffer: u32,
    ) {
        let result = (|| {
            let target = validate::framebuffer_target(target, self.is_webgl2())?;
            if renderbuffer_target != c::RENDERBUFFER {
                return Err(GlError::invalid_enum("target must be RENDERBUFFER"));
            }
            let point = if renderbuffer == 0 {
                AttachmentPoint::None
            } else {
                self.objects
                    .renderbuffers
                    .get(renderbuffer)
                    .filter(|buffer| !buffer.deleted && buffer.bound)
                    .map(|_| AttachmentPoint::Renderbuffer(renderbuffer))
                    .ok_or_else(|| GlError::invalid_operation("no such renderbuffer, or it was never bound"))?
            };
            self.attach(target, attachment, point)
        })();
        self.check("framebufferRenderbuffer", result);
    }

    pub fn framebuffer_texture_2d(&mut self, target: u32, attachment: u32, tex_target: u32, texture: u32, level: i32) {
        let result = (|| {
            let target = validate::framebuffer_target(target, self.is_webgl2())?;
            let image = image_target_2d(tex_target)?;
            if texture == 0 {
                return self.attach(target, attachment, AttachmentPoint::None);
            }
            let level = validate_level(image.target, level, &self.caps.limits)?;
            if level > 0 && !self.is_webgl2() && !self.caps.enabled(crate::gl::caps::Extension::OesFboRenderMipmap) {
                return Err(GlError::invalid_value("level must be 0"));
            }
            self.live_texture(texture, |bound| bound == image.target)?;
            let point = AttachmentPoint::Texture {
                name: texture,
                level,
                layer: image.face,
                is_face: image.target == TextureTarget::Cube,
                layered_call: false,
            };
            self.attach(target, attachment, point)
        })();
        self.check("framebufferTexture2D", result);
    }

    pub fn framebuffer_texture_layer(&mut self, target: u32, attachment: u32, texture: u32, level: i32, layer: i32) {
        let result = (|| {
            let target = validate::framebuffer_target(target, true)?;
            if texture == 0 {
                return self.attach(target, attachment, AttachmentPoint::None);
            }
            let kind =
                self.live_texture(texture, |bound| matches!(bound, TextureTarget::D3 | TextureTarget::D2Array))?;
            let limits = &self.caps.limits;
            let layers =
                if kind == TextureTarget::D3 { limits.max_3d_texture_size } else { limits.max_array_texture_layers };
            let layer = u32::try_from(layer)
                .ok()
                .filter(|layer| *layer < layers)
                .ok_or_else(|| GlError::invalid_value("layer is negative or too large"))?;
            let level = validate_level(kind, level, limits)?;
            let point = AttachmentPoint::Texture { name: texture, level, layer, is_face: false, layered_call: true };
            self.attach(target, attachment, point)
        })();
        self.check("framebufferTextureLayer", result);
    }

    /// Target of a texture that exists and was bound to a fitting one.
    fn live_texture(&self, name: u32, fits: impl FnOnce(TextureTarget) -> bool) -> GlResult<TextureTarget> {
        self.objects
            .textures
            .get(name)
            .filter(|texture| !texture.deleted)
            .and_then(|texture| texture.target)
            .filter(|target| fits(*target))
            .ok_or_else(|| GlError::invalid_operation("no such texture, or it has another target"))
    }

    fn attach(&mut self, target: FramebufferTarget, attachment: u32, point: AttachmentPoint) -> GlResult<()> {
        let webgl2 = self.is_webgl2();
        let name = self.framebuffer_bound_to(target);
        let colors = self.color_attachments();
        let attachment = validate::attachment_name(attachment, colors)?;
        if name == 0 {
            return Err(GlError::invalid_operation("the default framebuffer has no attachments to change"));
        }
        let Some(framebuffer) = self.objects.framebuffers.get_mut(name) else { return Ok(()) };
        let replaced = match attachment {
            AttachmentName::Color(index) => {
                [framebuffer.colors.get_mut(index).map(|slot| std::mem::replace(slot, point)), None]
            }
            AttachmentName::Depth => [Some(std::mem::replace(&mut framebuffer.depth, point)), None],
            AttachmentName::Stencil => [Some(std::mem::replace(&mut framebuffer.stencil, point)), None],
            AttachmentName::DepthStencil if webgl2 => [
                Some(std::mem::replace(&mut framebuffer.depth, point)),
                Some(std::mem::replace(&mut framebuffer.stencil, point)),
            ],
            AttachmentName::DepthStencil => [Some(std::mem::replace(&mut framebuffer.depth_stencil, point)), None],
        };
        framebuffer.resolved = None;
        for _ in replaced.iter().flatten() {
            self.add_reference(point);
        }
        for old in replaced.into_iter().flatten() {
            self.drop_reference(old);
        }
        if self.state.bindings.draw_framebuffer == name {
            self.state.dirty |= Dirty::RENDER_TARGETS;
        }
        Ok(())
    }

    /// Colour attachment points there are: 1 in WebGL 1 without WEBGL_draw_buffers.
    pub(crate) fn color_attachments(&self) -> u32 {
        if self.is_webgl2() || self.caps.enabled(crate::gl::caps::Extension::WebglDrawBuffers) {
            self.caps.limits.max_color_attachments
        } else {
            1
        }
    }

    fn add_reference(&mut self, point: AttachmentPoint) {
        match point {
            AttachmentPoint::None => {}
            AttachmentPoint::Renderbuffer(name) => {
                if let Some(buffer) = self.objects.renderbuffers.get_mut(name) {
                    buffer.refs += 1;
                }
            }
            AttachmentPoint::Texture { name, .. } => {
                if let Some(texture) = self.objects.textures.get_mut(name) {
                    texture.refs += 1;
                }
            }
        }
    }

    pub(crate) fn drop_reference(&mut self, point: AttachmentPoint) {
        match point {
            AttachmentPoint::None => {}
            AttachmentPoint::Renderbuffer(name) => {
                if let Some(buffer) = self.objects.renderbuffers.get_mut(name) {
                    buffer.refs = buffer.refs.saturating_sub(1);
                }
                self.release_renderbuffer(name);
            }
            AttachmentPoint::Texture { name, .. } => {
                if let Some(texture) = self.objects.textures.get_mut(name) {
                    texture.refs = texture.refs.saturating_sub(1);
                }
                self.release_texture(name);
            }
        }
    }

    /// Takes matching attachments off the bound framebuffers: what deleting an object does (ES 3.0 §4.4.2.2).
    pub(crate) fn detach_from_bound(&mut self, matches: impl Fn(&AttachmentPoint) -> bool) {
        let bindings = &self.state.bindings;
        for name in [bindings.draw_framebuffer, bindings.read_framebuffer] {
            let Some(framebuffer) = self.objects.framebuffers.get_mut(name) else { continue };
            let mut dropped = Vec::new();
            for point in framebuffer.points_mut() {
                if matches(point) {
                    dropped.push(std::mem::take(point));
                }
            }
            if !dropped.is_empty() {
                framebuffer.resolved = None;
                self.state.dirty |= Dirty::RENDER_TARGETS;
            }
            for point in dropped {
                self.drop_reference(point);
            }
        }
    }

    pub fn draw_buffers(&mut self, buffers: &[u32]) {
        let result = self.try_draw_buffers(buffers);
        self.check("drawBuffers", result);
    }

    fn try_draw_buffers(&mut self, buffers: &[u32]) -> GlResult<()> {
        let name = self.state.bindings.draw_framebuffer;
        if buffers.len() as u64 > u64::from(self.caps.limits.max_draw_buffers) {
            return Err(GlError::invalid_value("more buffers than MAX_DRAW_BUFFERS"));
        }
        if name == 0 {
            let back = match buffers {
                [c::BACK] => true,
                [c::NONE] => false,
                _ => {
                    return Err(GlError::invalid_operation("the default framebuffer takes one of BACK and NONE"));
                }
            };
            self.drawing_buffer.draw_back = back;
        } else {
            let mut enabled = [false; MAX_COLOR_ATTACHMENTS];
            for (index, buffer) in buffers.iter().enumerate() {
                let own = c::COLOR_ATTACHMENT0 + index as u32;
                match *buffer {
                    c::NONE => {}
                    found if found == own => {
                        if let Some(slot) = enabled.get_mut(index) {
                            *slot = true;
                        }
                    }
                    c::BACK | c::COLOR_ATTACHMENT0..=0x8cff => {
                        return Err(GlError::invalid_operation("buffer i must be COLOR_ATTACHMENTi or NONE"));
                    }
                    _ => return Err(GlError::invalid_enum("invalid draw buffer")),
                }
            }
            if let Some(framebuffer) = self.objects.framebuffers.get_mut(name) {
                framebuffer.draw_buffers = enabled;
                framebuffer.resolved = None;
            }
        }
        self.state.dirty |= Dirty::RENDER_TARGETS;
        Ok(())
    }

    pub fn read_buffer(&mut self, source: u32) {
        let result = self.try_read_buffer(source);
        self.check("readBuffer", result);
    }

    fn try_read_buffer(&mut self, source: u32) -> GlResult<()> {
        let name = self.state.bindings.read_framebuffer;
        let color = source.checked_sub(c::COLOR_ATTACHMENT0).filter(|index| *index < 32);
        if !matches!(source, c::NONE | c::BACK) && color.is_none() {
            return Err(GlError::invalid_enum("invalid read buffer"));
        }
        if name == 0 {
            if color.is_some() {
                return Err(GlError::invalid_operation("the default framebuffer takes BACK or NONE"));
            }
            self.drawing_buffer.read_back = source == c::BACK;
            return Ok(());
        }
        if source == c::BACK || color.is_some_and(|index| index >= self.caps.limits.max_color_attachments) {
            return Err(GlError::invalid_operation("a framebuffer object takes COLOR_ATTACHMENTi or NONE"));
        }
        if let Some(framebuffer) = self.objects.framebuffers.get_mut(name) {
            framebuffer.read_buffer = color.map(|index| index as u8);
            framebuffer.resolved = None;
        }
        Ok(())
    }
}
