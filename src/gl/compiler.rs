//! The seam to the shader compiler: what the front end asks of it.
//!
//! One real implementation; tests put reflection tables in by hand.

use std::sync::Arc;

use super::caps::{Caps, Extension as E, Limits};
use crate::shader::hir::{self, Stage};
use crate::shader::{
    CompileOptions, ExtensionSet as ShaderExtensions, LinkOptions, LinkedProgram, ProgramCode, Reflection,
    ShaderLimits, Variant,
};

/// What the language depends on in a context.
#[derive(Clone, Copy, Debug)]
pub struct CompileRequest<'a> {
    pub stage: Stage,
    pub source: &'a str,
    pub webgl2: bool,
    pub caps: &'a Caps,
}

/// Compiles and links shaders.
pub trait ShaderCompiler: Send {
    /// `Err` is the info log.
    fn compile(&self, request: &CompileRequest<'_>) -> Result<Arc<hir::Shader>, String>;

    /// `Err` is the info log.
    fn link(
        &self,
        vertex: &Arc<hir::Shader>,
        fragment: &Arc<hir::Shader>,
        options: &LinkOptions,
    ) -> Result<Box<dyn LinkedCode>, String>;
}

/// A linked program.
pub trait LinkedCode: Send {
    fn reflection(&self) -> &Reflection;

    /// Code of one variant. `Err` says what the engine cannot do.
    fn emit(&self, variant: Variant) -> Result<Arc<ProgramCode>, String>;
}

/// The GLSL ES compiler of this crate.
#[derive(Clone, Copy, Debug, Default)]
pub struct EsslCompiler;

impl ShaderCompiler for EsslCompiler {
    fn compile(&self, request: &CompileRequest<'_>) -> Result<Arc<hir::Shader>, String> {
        let options = CompileOptions {
            webgl2: request.webgl2,
            extensions: shader_extensions(request.caps),
            limits: shader_limits(&request.caps.limits),
        };
        crate::shader::compile(request.stage, request.source, &options).map_err(|log| log.to_string())
    }

    fn link(
        &self,
        vertex: &Arc<hir::Shader>,
        fragment: &Arc<hir::Shader>,
        options: &LinkOptions,
    ) -> Result<Box<dyn LinkedCode>, String> {
        match crate::shader::link::link(vertex, fragment, options) {
            Ok(program) => Ok(Box::new(program)),
            Err(log) => Err(log.to_string()),
        }
    }
}

/// Enabled extensions that change the language.
fn shader_extensions(caps: &Caps) -> ShaderExtensions {
    let mut extensions = ShaderExtensions::empty();
    for (ours, theirs) in [
        (E::OesStandardDerivatives, ShaderExtensions::OES_STANDARD_DERIVATIVES),
        (E::ExtFragDepth, ShaderExtensions::EXT_FRAG_DEPTH),
        (E::ExtShaderTextureLod, ShaderExtensions::EXT_SHADER_TEXTURE_LOD),
        (E::WebglDrawBuffers, ShaderExtensions::EXT_DRAW_BUFFERS),
        (E::WebglMultiDraw, ShaderExtensions::WEBGL_MULTI_DRAW),
        (E::WebglClipCullDistance, ShaderExtensions::WEBGL_CLIP_CULL_DISTANCE),
        (E::ExtBlendFuncExtended, ShaderExtensions::EXT_BLEND_FUNC_EXTENDED),
        (E::WebglDrawInstancedBaseVertexBaseInstance, ShaderExtensions::WEBGL_DRAW_INSTANCED_BASE_VERTEX_BASE_INSTANCE),
    ] {
        extensions.set(theirs, caps.enabled(ours));
    }
    extensions
}

/// The limits as `gl_Max…` constants.
fn shader_limits(limits: &Limits) -> ShaderLimits {
    ShaderLimits {
        max_vertex_attribs: limits.max_vertex_attributes,
        max_vertex_uniform_vectors: limits.max_vertex_uniform_vectors,
        max_fragment_uniform_vectors: limits.max_fragment_uniform_vectors,
        max_varying_vectors: limits.max_varying_vectors,
        max_vertex_texture_image_units: limits.max_vertex_texture_image_units,
        max_fragment_texture_image_units: limits.max_texture_image_units,
        max_combined_texture_image_units: limits.max_combined_texture_image_units,
        max_draw_buffers: limits.max_draw_buffers,
        max_dual_source_draw_buffers: 1,
        max_clip_distances: limits.max_clip_distances,
        min_program_texel_offset: limits.min_program_texel_offset,
        max_program_texel_offset: limits.max_program_texel_offset,
    }
}

impl LinkedCode for LinkedProgram {
    fn reflection(&self) -> &Reflection {
        &self.reflection
    }

    fn emit(&self, variant: Variant) -> Result<Arc<ProgramCode>, String> {
        LinkedProgram::emit(self, variant).map_err(|error| error.to_string())
    }
}
