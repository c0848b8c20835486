//! Sampler objects, and the sampling parameters that textures carry too.

use crate::gl::command::{CompareFunction, Filter, SamplerDesc, WrapMode};
use crate::gl::constants as c;
use crate::gl::enums::{ParameterValue, compare_function_from_gl, compare_function_to_gl};
use crate::gl::error::{GlError, GlResult};

/// Sampling parameters, ES 3.0 table 6.10.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplingParameters {
    /// S, T, R.
    pub wrap: [WrapMode; 3],
    pub mag: Filter,
    pub min: Filter,
    /// `None`: the minification filter uses no mipmaps.
    pub mip: Option<Filter>,
    pub min_lod: f32,
    pub max_lod: f32,
    /// COMPARE_REF_TO_TEXTURE.
    pub compare: bool,
    pub compare_function: CompareFunction,
    pub anisotropy: f32,
}

impl Default for SamplingParameters {
    fn default() -> Self {
        Self {
            wrap: [WrapMode::Repeat; 3],
            mag: Filter::Linear,
            min: Filter::Nearest,
            mip: Some(Filter::Linear),
            min_lod: -1000.0,
            max_lod: 1000.0,
            compare: false,
            compare_function: CompareFunction::LessEqual,
            anisotropy: 1.0,
        }
    }
}

/// A parameter as the `i` or `f` form of a call gave it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument {
    Int(i32),
    Float(f32),
}

impl Argument {
    /// As a GLenum.
    pub fn as_enum(self) -> u32 {
        match self {
            Self::Int(value) => value as u32,
            Self::Float(value) => value as u32,
        }
    }

    /// As an integer, rounded.
    pub fn as_int(self) -> i32 {
        match self {
            Self::Int(value) => value,
            Self::Float(value) => value.round() as i32,
        }
    }

    pub fn as_float(self) -> f32 {
        match self {
            Self::Int(value) => value as f32,
            Self::Float(value) => value,
        }
    }
}

fn wrap_from_gl(value: u32) -> GlResult<WrapMode> {
    match value {
        c::REPEAT => Ok(WrapMode::Repeat),
        c::CLAMP_TO_EDGE => Ok(WrapMode::ClampToEdge),
        c::MIRRORED_REPEAT => Ok(WrapMode::MirroredRepeat),
        _ => Err(GlError::invalid_enum("invalid wrap mode")),
    }
}

fn wrap_to_gl(value: WrapMode) -> u32 {
    match value {
        WrapMode::Repeat => c::REPEAT,
        WrapMode::ClampToEdge => c::CLAMP_TO_EDGE,
        WrapMode::MirroredRepeat => c::MIRRORED_REPEAT,
    }
}

fn min_filter_from_gl(value: u32) -> GlResult<(Filter, Option<Filter>)> {
    use Filter::{Linear, Nearest};
    Ok(match value {
        c::NEAREST => (Nearest, None),
        c::LINEAR => (Linear, None),
        c::NEAREST_MIPMAP_NEAREST => (Nearest, Some(Nearest)),
        c::LINEAR_MIPMAP_NEAREST => (Linear, Some(Nearest)),
        c::NEAREST_MIPMAP_LINEAR => (Nearest, Some(Linear)),
        c::LINEAR_MIPMAP_LINEAR => (Linear, Some(Linear)),
        _ => return Err(GlError::invalid_enum("invalid minification filter")),
    })
}

fn min_filter_to_gl(min: Filter, mip: Option<Filter>) -> u32 {
    use Filter::{Linear, Nearest};
    match (min, mip) {
        (Nearest, None) => c::NEAREST,
        (Linear, None) => c::LINEAR,
        (Nearest, Some(Nearest)) => c::NEAREST_MIPMAP_NEAREST,
        (Linear, Some(Nearest)) => c::LINEAR_MIPMAP_NEAREST,
        (Nearest, Some(Linear)) => c::NEAREST_MIPMAP_LINEAR,
        (Linear, Some(Linear)) => c::LINEAR_MIPMAP_LINEAR,
    }
}

/// Which parameter names exist here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterScope {
    pub webgl2: bool,
    /// EXT_texture_filter_anisotropic.
    pub anisotropy: bool,
}

impl SamplingParameters {
    /// Sets one parameter. `None`: the name is not a sampling parameter.
    pub fn set(&mut self, name: u32, value: Argument, scope: ParameterScope) -> Option<GlResult<()>> {
        self.try_set(name, value, scope).transpose()
    }

    fn try_set(&mut self, name: u32, value: Argument, scope: ParameterScope) -> GlResult<Option<()>> {
        match name {
            c::TEXTURE_WRAP_S => self.wrap[0] = wrap_from_gl(value.as_enum())?,
            c::TEXTURE_WRAP_T => self.wrap[1] = wrap_from_gl(value.as_enum())?,
            c::TEXTURE_MIN_FILTER => (self.min, self.mip) = min_filter_from_gl(value.as_enum())?,
            c::TEXTURE_MAG_FILTER => {
                self.mag = match value.as_enum() {
                    c::NEAREST => Filter::Nearest,
                    c::LINEAR => Filter::Linear,
                    _ => return Err(GlError::invalid_enum("invalid magnification filter")),
                }
            }
            c::TEXTURE_MAX_ANISOTROPY_EXT if scope.anisotropy => {
                let value = value.as_float();
                if value.is_nan() || value < 1.0 {
                    return Err(GlError::invalid_value("anisotropy is less than 1"));
                }
                self.anisotropy = value;
            }
            _ if !scope.webgl2 => return Ok(None),
            c::TEXTURE_WRAP_R => self.wrap[2] = wrap_from_gl(value.as_enum())?,
            c::TEXTURE_MIN_LOD => self.min_lod = value.as_float(),
            c::TEXTURE_MAX_LOD => self.max_lod = value.as_float(),
            c::TEXTURE_COMPARE_MODE => {
                self.compare = match value.as_enum() {
                    c::NONE => false,
                    c::COMPARE_REF_TO_TEXTURE => true,
                    _ => return Err(GlError::invalid_enum("invalid compare mode")),
                }
            }
            c::TEXTURE_COMPARE_FUNC => {
                self.compare_function = compare_function_from_gl(value.as_enum())
                    .ok_or_else(|| GlError::invalid_enum("invalid compare function"))?;
            }
            _ => return Ok(None),
        }
        Ok(Some(()))
    }

    /// The value of one parameter; `None` if the name is not one.
    pub fn get(&self, name: u32, scope: ParameterScope) -> Option<ParameterValue> {
        Some(match name {
            c::TEXTURE_WRAP_S => ParameterValue::Uint(wrap_to_gl(self.wrap[0])),
            c::TEXTURE_WRAP_T => ParameterValue::Uint(wrap_to_gl(self.wrap[1])),
            c::TEXTURE_MIN_FILTER => ParameterValue::Uint(min_filter_to_gl(self.min, self.mip)),
            c::TEXTURE_MAG_FILTER => {
                ParameterValue::Uint(if self.mag == Filter::Linear { c::LINEAR } else { c::NEAREST })
            }
            c::TEXTURE_MAX_ANISOTROPY_EXT if scope.anisotropy => ParameterValue::Float(self.anisotropy),
            _ if !scope.webgl2 => return None,
            c::TEXTURE_WRAP_R => ParameterValue::Uint(wrap_to_gl(self.wrap[2])),
            c::TEXTURE_MIN_LOD => ParameterValue::Float(self.min_lod),
            c::TEXTURE_MAX_LOD => ParameterValue::Float(self.max_lod),
            c::TEXTURE_COMPARE_MODE => {
                ParameterValue::Uint(if self.compare { c::COMPARE_REF_TO_TEXTURE } else { c::NONE })
            }
            c::TEXTURE_COMPARE_FUNC => ParameterValue::Uint(compare_function_to_gl(self.compare_function)),
            _ => return None,
        })
    }

    /// Any filter but nearest?
    pub fn is_linear(&self) -> bool {
        self.mag == Filter::Linear || self.min == Filter::Linear || self.mip == Some(Filter::Linear)
    }

    /// What the back end samples with. `shadow`: the shader compares; `max_anisotropy` is the device's.
    pub fn desc(&self, shadow: bool, max_anisotropy: u16) -> SamplerDesc {
        let milli = |lod: f32| (lod.clamp(-1000.0, 1000.0) * 1000.0).round() as i32;
        SamplerDesc {
            wrap: self.wrap,
            mag: self.mag,
            min: self.min,
            mip: self.mip,
            lod_min_milli: milli(self.min_lod),
            lod_max_milli: milli(self.max_lod),
            max_anisotropy: (self.anisotropy as u16).clamp(1, max_anisotropy.max(1)),
            compare: shadow.then_some(self.compare_function),
        }
    }
}

#[derive(Debug, Default)]
pub struct Sampler {
    pub parameters: SamplingParameters,
}
