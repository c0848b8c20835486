//! Framebuffer getters: status and attachment parameters.

use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::enums::{ObjectKind, ParameterValue};
use crate::gl::error::{GlError, GlResult};
use crate::gl::formats::FormatInfo;
use crate::gl::objects::framebuffer::{AttachmentName, AttachmentPoint};
use crate::gl::validate::framebuffer as validate;

impl Context {
    /// FRAMEBUFFER_COMPLETE or why not; 0 on error.
    pub fn check_framebuffer_status(&mut self, target: u32) -> u32 {
        let result = validate::framebuffer_target(target, self.is_webgl2()).map(|target| {
            let name = self.framebuffer_bound_to(target);
            match self.resolve_framebuffer(name) {
                Ok(_) => c::FRAMEBUFFER_COMPLETE,
                Err(incomplete) => incomplete.to_gl(),
            }
        });
        self.check("checkFramebufferStatus", result)
    }

    pub fn get_framebuffer_attachment_parameter(&mut self, target: u32, attachment: u32, name: u32) -> ParameterValue {
        match self.try_attachment_parameter(target, attachment, name) {
            Ok(value) => value,
            Err(error) => {
                self.fail("getFramebufferAttachmentParameter", error);
                ParameterValue::Null
            }
        }
    }

    fn try_attachment_parameter(&self, target: u32, attachment: u32, name: u32) -> GlResult<ParameterValue> {
        let webgl2 = self.is_webgl2();
        let target = validate::framebuffer_target(target, webgl2)?;
        let bound = self.framebuffer_bound_to(target);
        if bound == 0 {
            return self.default_attachment_parameter(attachment, name);
        }
        let attachment = validate::attachment_name(attachment, self.color_attachments())?;
        let framebuffer = self
            .objects
            .framebuffers
            .get(bound)
            .ok_or_else(|| GlError::invalid_operation("no framebuffer is bound"))?;
        let point = match attachment {
            AttachmentName::Color(index) => framebuffer.colors.get(index).copied().unwrap_or_default(),
            AttachmentName::Depth => framebuffer.depth,
            AttachmentName::Stencil => framebuffer.stencil,
            AttachmentName::DepthStencil if webgl2 => {
                if framebuffer.depth != framebuffer.stencil {
                    return Err(GlError::invalid_operation("depth and stencil attachments differ"));
                }
                framebuffer.depth
            }
            AttachmentName::DepthStencil => framebuffer.depth_stencil,
        };
        let unknown = || GlError::invalid_enum("invalid attachment parameter");
        if name == c::FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE {
            return Ok(ParameterValue::Uint(match point {
                AttachmentPoint::None => c::NONE,
                AttachmentPoint::Renderbuffer(_) => c::RENDERBUFFER,
                AttachmentPoint::Texture { .. } => c::TEXTURE,
            }));
        }
        let info = match point {
            AttachmentPoint::None => {
                return if name == c::FRAMEBUFFER_ATTACHMENT_OBJECT_NAME && webgl2 {
                    Ok(ParameterValue::Null)
                } else if webgl2 {
                    Err(GlError::invalid_operation("nothing is attached"))
                } else {
                    Err(unknown())
                };
            }
            AttachmentPoint::Renderbuffer(object) => {
                if name == c::FRAMEBUFFER_ATTACHMENT_OBJECT_NAME {
                    return Ok(ParameterValue::Object(ObjectKind::Renderbuffer, object));
                }
                self.objects.renderbuffers.get(object).and_then(|buffer| buffer.storage).map(|storage| storage.info)
            }
            AttachmentPoint::Texture { name: object, level, layer, is_face, .. } => {
                match name {
                    c::FRAMEBUFFER_ATTACHMENT_OBJECT_NAME => {
                        return Ok(ParameterValue::Object(ObjectKind::Texture, object));
                    }
                    c::FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL => return Ok(ParameterValue::Int(level as i32)),
                    c::FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE => {
                        let face = if is_face { c::TEXTURE_CUBE_MAP_POSITIVE_X + layer } else { 0 };
                        return Ok(ParameterValue::Uint(face));
                    }
                    c::FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER if webgl2 => {
                        return Ok(ParameterValue::Int(if is_face { 0 } else { layer as i32 }));
                    }
                    _ => {}
                }
                let face = if is_face { layer } else { 0 };
                self.objects.textures.get(object).and_then(|texture| texture.level(level, face)).map(|level| level.info)
            }
        };
        if attachment == AttachmentName::DepthStencil && name == c::FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE {
            return Err(GlError::invalid_operation("a depth-stencil attachment has no single component type"));
        }
        let srgb = self.caps.enabled(crate::gl::caps::Extension::ExtSrgb);
        format_parameter(info, attachment == AttachmentName::Stencil, name, webgl2, srgb).ok_or_else(unknown)
    }

    fn default_attachment_parameter(&self, attachment: u32, name: u32) -> GlResult<ParameterValue> {
        if !self.is_webgl2() {
            return Err(GlError::invalid_operation("no framebuffer is bound"));
        }
        let buffer = &self.drawing_buffer;
        let info = match attachment {
            c::BACK => buffer.color_info,
            c::DEPTH => buffer.depth_stencil_info.filter(|info| info.has_depth()),
            c::STENCIL => buffer.depth_stencil_info.filter(|info| info.has_stencil()),
            _ => return Err(GlError::invalid_enum("invalid attachment")),
        };
        if name == c::FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE {
            return Ok(ParameterValue::Uint(if info.is_some() { c::FRAMEBUFFER_DEFAULT } else { c::NONE }));
        }
        if info.is_none() {
            return Err(GlError::invalid_operation("the drawing buffer lacks this attachment"));
        }
        format_parameter(info, attachment == c::STENCIL, name, true, false)
            .ok_or_else(|| GlError::invalid_enum("invalid attachment parameter"))
    }
}

/// Sizes, component type and encoding of a format; `None` for other names.
fn format_parameter(
    info: Option<&'static FormatInfo>,
    stencil: bool,
    name: u32,
    webgl2: bool,
    srgb: bool,
) -> Option<ParameterValue> {
    if name == c::FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING && (webgl2 || srgb) {
        return Some(ParameterValue::Uint(if info.is_some_and(|info| info.srgb) { c::SRGB } else { c::LINEAR }));
    }
    if !webgl2 {
        return None;
    }
    let bits = |pick: fn(&FormatInfo) -> u8| Some(ParameterValue::Int(info.map_or(0, |info| i32::from(pick(info)))));
    match name {
        c::FRAMEBUFFER_ATTACHMENT_RED_SIZE => bits(|info| info.bits.red),
        c::FRAMEBUFFER_ATTACHMENT_GREEN_SIZE => bits(|info| info.bits.green),
        c::FRAMEBUFFER_ATTACHMENT_BLUE_SIZE => bits(|info| info.bits.blue),
        c::FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE => bits(|info| info.bits.alpha),
        c::FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE => bits(|info| info.bits.depth),
        c::FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE => bits(|info| info.bits.stencil),
        c::FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE => Some(ParameterValue::Uint(match info {
            _ if stencil => c::UNSIGNED_INT,
            Some(info) => info.class.to_gl(),
            None => c::NONE,
        })),
        _ => None,
    }
}
