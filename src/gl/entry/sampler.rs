//! Sampler objects.

use crate::gl::context::Context;
use crate::gl::enums::ParameterValue;
use crate::gl::error::{GlError, GlResult};
use crate::gl::objects::sampler::{Argument, Sampler};
use crate::gl::state::dirty::Dirty;

impl Context {
    pub fn create_sampler(&mut self) -> u32 {
        self.objects.samplers.insert(Sampler::default())
    }

    pub fn is_sampler(&self, name: u32) -> bool {
        self.objects.samplers.contains(name)
    }

    pub fn delete_sampler(&mut self, name: u32) {
        if self.objects.samplers.remove(name).is_some() {
            for unit in &mut self.state.bindings.texture_units {
                if unit.sampler == name {
                    unit.sampler = 0;
                }
            }
            self.state.dirty |= Dirty::TEXTURES;
        }
    }

    pub fn bind_sampler(&mut self, unit: u32, name: u32) {
        let result = self.try_bind_sampler(unit, name);
        self.check("bindSampler", result);
    }

    fn try_bind_sampler(&mut self, unit: u32, name: u32) -> GlResult<()> {
        if name != 0 && !self.objects.samplers.contains(name) {
            return Err(GlError::invalid_operation("no such sampler"));
        }
        let unit = self
            .state
            .bindings
            .texture_units
            .get_mut(unit as usize)
            .ok_or_else(|| GlError::invalid_value("unit exceeds MAX_COMBINED_TEXTURE_IMAGE_UNITS"))?;
        if unit.sampler != name {
            unit.sampler = name;
            self.state.dirty |= Dirty::TEXTURES;
        }
        Ok(())
    }

    pub fn sampler_parameteri(&mut self, sampler: u32, name: u32, value: i32) {
        let result = self.try_sampler_parameter(sampler, name, Argument::Int(value));
        self.check("samplerParameteri", result);
    }

    pub fn sampler_parameterf(&mut self, sampler: u32, name: u32, value: f32) {
        let result = self.try_sampler_parameter(sampler, name, Argument::Float(value));
        self.check("samplerParameterf", result);
    }

    fn try_sampler_parameter(&mut self, sampler: u32, name: u32, value: Argument) -> GlResult<()> {
        let scope = self.parameter_scope();
        let sampler =
            self.objects.samplers.get_mut(sampler).ok_or_else(|| GlError::invalid_operation("no such sampler"))?;
        let before = sampler.parameters;
        sampler
            .parameters
            .set(name, value, scope)
            .unwrap_or_else(|| Err(GlError::invalid_enum("invalid sampler parameter")))?;
        if before != sampler.parameters {
            self.state.dirty |= Dirty::TEXTURES;
        }
        Ok(())
    }

    pub fn get_sampler_parameter(&mut self, sampler: u32, name: u32) -> ParameterValue {
        let scope = self.parameter_scope();
        let result = self
            .objects
            .samplers
            .get(sampler)
            .ok_or_else(|| GlError::invalid_operation("no such sampler"))
            .and_then(|sampler| {
                sampler.parameters.get(name, scope).ok_or_else(|| GlError::invalid_enum("invalid sampler parameter"))
            });
        match result {
            Ok(value) => value,
            Err(error) => {
                self.fail("getSamplerParameter", error);
                ParameterValue::Null
            }
        }
    }
}
