//! Shader objects (WebGL 1 §5.14.9).

use crate::gl::caps::Extension;
use crate::gl::compiler::CompileRequest;
use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::enums::ParameterValue;
use crate::gl::error::{GlError, GlResult};
use crate::gl::objects::shader::ShaderObject;
use crate::shader::hir::Stage;

/// Longest source taken; far above any real shader, far below what could hurt.
const MAX_SOURCE: usize = 16 << 20;

impl Context {
    pub fn create_shader(&mut self, ty: u32) -> u32 {
        let stage = match ty {
            c::VERTEX_SHADER => Stage::Vertex,
            c::FRAGMENT_SHADER => Stage::Fragment,
            _ => {
                self.fail("createShader", GlError::invalid_enum("unknown shader type"));
                return 0;
            }
        };
        self.objects.shaders.insert(ShaderObject {
            stage,
            source: String::new(),
            compiled: None,
            info_log: String::new(),
            deleted: false,
            refs: 0,
        })
    }

    /// True for a shader that was deleted but is still attached, as in browsers.
    pub fn is_shader(&self, shader: u32) -> bool {
        self.objects.shaders.contains(shader)
    }

    pub fn delete_shader(&mut self, name: u32) {
        if let Some(shader) = self.objects.shaders.get_mut(name) {
            shader.deleted = true;
            self.collect_shader(name);
        }
    }

    /// Lets a deleted shader go once no program has it.
    pub(crate) fn collect_shader(&mut self, name: u32) {
        if self.objects.shaders.get(name).is_some_and(|shader| shader.deleted && shader.refs == 0) {
            self.objects.shaders.remove(name);
        }
    }

    fn shader(&self, name: u32) -> GlResult<&ShaderObject> {
        self.objects.shaders.get(name).ok_or_else(|| GlError::invalid_value("the shader has been deleted"))
    }

    pub fn shader_source(&mut self, name: u32, source: &str) {
        match self.objects.shaders.get_mut(name) {
            Some(shader) if source.len() <= MAX_SOURCE => shader.source = source.to_owned(),
            Some(_) => self.fail("shaderSource", GlError::out_of_memory("the source is too long")),
            None => self.fail("shaderSource", GlError::invalid_value("the shader has been deleted")),
        }
    }

    pub fn compile_shader(&mut self, name: u32) {
        let webgl2 = self.is_webgl2();
        let Some(shader) = self.objects.shaders.get_mut(name) else {
            return self.fail("compileShader", GlError::invalid_value("the shader has been deleted"));
        };
        let request = CompileRequest { stage: shader.stage, source: &shader.source, webgl2, caps: &self.caps };
        match self.compiler.compile(&request) {
            Ok(compiled) => {
                shader.compiled = Some(compiled);
                shader.info_log.clear();
            }
            Err(log) => {
                shader.compiled = None;
                shader.info_log = log;
            }
        }
    }

    pub fn get_shader_parameter(&mut self, name: u32, parameter: u32) -> ParameterValue {
        use ParameterValue as V;
        let parallel = self.caps.enabled(Extension::KhrParallelShaderCompile);
        let result = self.shader(name).and_then(|shader| match parameter {
            c::SHADER_TYPE => Ok(V::Uint(match shader.stage {
                Stage::Vertex => c::VERTEX_SHADER,
                Stage::Fragment => c::FRAGMENT_SHADER,
            })),
            c::DELETE_STATUS => Ok(V::Bool(shader.deleted)),
            c::COMPILE_STATUS => Ok(V::Bool(shader.compiled.is_some())),
            c::COMPLETION_STATUS_KHR if parallel => Ok(V::Bool(true)),
            _ => Err(GlError::invalid_enum("unknown shader parameter")),
        });
        self.check("getShaderParameter", result)
    }

    /// `None` = null.
    pub fn get_shader_info_log(&mut self, name: u32) -> Option<String> {
        let result = self.shader(name).map(|shader| Some(shader.info_log.clone()));
        self.check("getShaderInfoLog", result)
    }

    pub fn get_shader_source(&mut self, name: u32) -> Option<String> {
        let result = self.shader(name).map(|shader| Some(shader.source.clone()));
        self.check("getShaderSource", result)
    }

    /// WEBGL_debug_shaders. The source stands for its translation: no text comes out of this compiler.
    pub fn get_translated_shader_source(&mut self, name: u32) -> Option<String> {
        let result = self
            .shader(name)
            .map(|shader| Some(if shader.compiled.is_some() { shader.source.clone() } else { String::new() }));
        self.check("getTranslatedShaderSource", result)
    }

    /// rangeMin, rangeMax, precision. All arithmetic is 32-bit, as on desktop GPUs.
    pub fn get_shader_precision_format(&mut self, shader: u32, precision: u32) -> Option<[i32; 3]> {
        if !matches!(shader, c::VERTEX_SHADER | c::FRAGMENT_SHADER) {
            self.fail("getShaderPrecisionFormat", GlError::invalid_enum("unknown shader type"));
            return None;
        }
        match precision {
            c::LOW_FLOAT | c::MEDIUM_FLOAT | c::HIGH_FLOAT => Some([127, 127, 23]),
            c::LOW_INT | c::MEDIUM_INT | c::HIGH_INT => Some([31, 30, 0]),
            _ => {
                self.fail("getShaderPrecisionFormat", GlError::invalid_enum("unknown precision type"));
                None
            }
        }
    }
}
