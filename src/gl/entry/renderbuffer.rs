//! Renderbuffers.

use super::image_access::image_sink;
use crate::gl::command::ImageDimension;
use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::enums::ParameterValue;
use crate::gl::error::{GlError, GlResult};
use crate::gl::formats::{self, FormatInfo};
use crate::gl::images::sink::Pixels;
use crate::gl::objects::framebuffer::AttachmentPoint;
use crate::gl::objects::renderbuffer::{Renderbuffer, RenderbufferStorage};
use crate::gl::state::dirty::Dirty;
use crate::gl::validate::framebuffer as validate;
use crate::gl::validate::texture::memory;

impl Context {
    pub fn create_renderbuffer(&mut self) -> u32 {
        self.objects.renderbuffers.insert(Renderbuffer::default())
    }

    pub fn is_renderbuffer(&self, name: u32) -> bool {
        self.objects.renderbuffers.get(name).is_some_and(|buffer| buffer.bound && !buffer.deleted)
    }

    pub fn delete_renderbuffer(&mut self, name: u32) {
        let Some(buffer) = self.objects.renderbuffers.get_mut(name) else { return };
        if buffer.deleted {
            return;
        }
        buffer.deleted = true;
        if self.state.bindings.renderbuffer == name {
            self.state.bindings.renderbuffer = 0;
        }
        self.detach_from_bound(|point| *point == AttachmentPoint::Renderbuffer(name));
        self.release_renderbuffer(name);
    }

    /// Frees a deleted renderbuffer once no attachment point holds it.
    pub(crate) fn release_renderbuffer(&mut self, name: u32) {
        if self.objects.renderbuffers.get(name).is_some_and(|buffer| buffer.deleted && buffer.refs == 0)
            && let Some(buffer) = self.objects.renderbuffers.remove(name)
            && let Some(image) = buffer.storage.and_then(|storage| storage.image)
        {
            image_sink!(self).delete(image);
        }
    }

    pub fn bind_renderbuffer(&mut self, target: u32, name: u32) {
        let result = self.try_bind_renderbuffer(target, name);
        self.check("bindRenderbuffer", result);
    }

    fn try_bind_renderbuffer(&mut self, target: u32, name: u32) -> GlResult<()> {
        renderbuffer_target(target)?;
        if name != 0 {
            let buffer = self
                .objects
                .renderbuffers
                .get_mut(name)
                .filter(|buffer| !buffer.deleted)
                .ok_or_else(|| GlError::invalid_operation("no such renderbuffer"))?;
            buffer.bound = true;
        }
        self.state.bindings.renderbuffer = name;
        Ok(())
    }

    pub fn renderbuffer_storage(&mut self, target: u32, internal_format: u32, width: i32, height: i32) {
        let result = self.try_renderbuffer_storage(target, 0, internal_format, width, height);
        self.check("renderbufferStorage", result);
    }

    pub fn renderbuffer_storage_multisample(
        &mut self,
        target: u32,
        samples: i32,
        internal_format: u32,
        width: i32,
        height: i32,
    ) {
        let result = self.try_renderbuffer_storage(target, samples, internal_format, width, height);
        self.check("renderbufferStorageMultisample", result);
    }

    fn try_renderbuffer_storage(
        &mut self,
        target: u32,
        samples: i32,
        internal_format: u32,
        width: i32,
        height: i32,
    ) -> GlResult<()> {
        renderbuffer_target(target)?;
        let name = self.state.bindings.renderbuffer;
        if name == 0 {
            return Err(GlError::invalid_operation("no renderbuffer is bound"));
        }
        let info = formats::renderbuffer_format(internal_format, &self.features())?;
        let max = self.caps.limits.max_renderbuffer_size;
        let side = |value: i32| {
            u32::try_from(value)
                .ok()
                .filter(|side| *side <= max)
                .ok_or_else(|| GlError::invalid_value("width or height is negative or too large"))
        };
        let (width, height) = (side(width)?, side(height)?);
        let samples = u32::try_from(samples).map_err(|_| GlError::invalid_value("samples is negative"))?;
        let samples = validate::sample_count(samples, info, &self.caps.backend)?;
        memory(info, [width, height, samples.max(1)])?;
        self.usable(info, "renderbufferStorage")?;
        let Some(buffer) = self.objects.renderbuffers.get_mut(name) else { return Ok(()) };
        let mut sink = image_sink!(self);
        if let Some(old) = buffer.storage.take().and_then(|storage| storage.image) {
            sink.delete(old);
        }
        let image = (width > 0 && height > 0).then(|| {
            let id = sink.create(info, ImageDimension::D2, [width, height, 1], 1, samples.max(1));
            if samples <= 1 && info.is_color() {
                let region = crate::gl::command::ImageRegion {
                    level: 0,
                    origin: [0; 3],
                    extent: [width, height, 1],
                    aspect: crate::gl::command::Aspect::All,
                };
                sink.fill_fresh(id, info, region, &Pixels::Zero);
            }
            id
        });
        sink.store.epoch += 1;
        buffer.storage = Some(RenderbufferStorage { info, internal_format, width, height, samples, image });
        self.state.dirty |= Dirty::RENDER_TARGETS;
        Ok(())
    }

    pub fn get_renderbuffer_parameter(&mut self, target: u32, name: u32) -> ParameterValue {
        match self.try_get_renderbuffer_parameter(target, name) {
            Ok(value) => value,
            Err(error) => {
                self.fail("getRenderbufferParameter", error);
                ParameterValue::Null
            }
        }
    }

    fn try_get_renderbuffer_parameter(&self, target: u32, name: u32) -> GlResult<ParameterValue> {
        renderbuffer_target(target)?;
        let buffer = self
            .objects
            .renderbuffers
            .get(self.state.bindings.renderbuffer)
            .ok_or_else(|| GlError::invalid_operation("no renderbuffer is bound"))?;
        let storage = buffer.storage;
        let bits = |pick: fn(&FormatInfo) -> u8| {
            ParameterValue::Int(storage.map_or(0, |storage| i32::from(pick(storage.info))))
        };
        Ok(match name {
            c::RENDERBUFFER_WIDTH => ParameterValue::Int(storage.map_or(0, |storage| storage.width as i32)),
            c::RENDERBUFFER_HEIGHT => ParameterValue::Int(storage.map_or(0, |storage| storage.height as i32)),
            c::RENDERBUFFER_INTERNAL_FORMAT => {
                ParameterValue::Uint(storage.map_or(c::RGBA4, |storage| storage.internal_format))
            }
            c::RENDERBUFFER_RED_SIZE => bits(|info| info.bits.red),
            c::RENDERBUFFER_GREEN_SIZE => bits(|info| info.bits.green),
            c::RENDERBUFFER_BLUE_SIZE => bits(|info| info.bits.blue),
            c::RENDERBUFFER_ALPHA_SIZE => bits(|info| info.bits.alpha),
            c::RENDERBUFFER_DEPTH_SIZE => bits(|info| info.bits.depth),
            c::RENDERBUFFER_STENCIL_SIZE => bits(|info| info.bits.stencil),
            c::RENDERBUFFER_SAMPLES if self.is_webgl2() => {
                ParameterValue::Int(storage.map_or(0, |storage| storage.samples as i32))
            }
            _ => return Err(GlError::invalid_enum("invalid renderbuffer parameter")),
        })
    }

    /// `getInternalformatParameter(RENDERBUFFER, format, SAMPLES)`: counts, descending.
    pub fn get_internalformat_parameter(&mut self, target: u32, internal_format: u32, name: u32) -> ParameterValue {
        let result = (|| {
            renderbuffer_target(target)?;
            let info = formats::renderbuffer_format(internal_format, &self.features())?;
            if name != c::SAMPLES {
                return Err(GlError::invalid_enum("invalid parameter"));
            }
            Ok(info)
        })();
        match result {
            Ok(info) => {
                let mut counts: Vec<i32> = validate::sample_counts(info, &self.caps.backend)
                    .iter()
                    .filter(|count| **count > 1)
                    .map(|count| *count as i32)
                    .collect();
                counts.reverse();
                ParameterValue::IntArray(counts)
            }
            Err(error) => {
                self.fail("getInternalformatParameter", error);
                ParameterValue::Null
            }
        }
    }
}

fn renderbuffer_target(target: u32) -> GlResult<()> {
    if target == c::RENDERBUFFER { Ok(()) } else { Err(GlError::invalid_enum("target must be RENDERBUFFER")) }
}
