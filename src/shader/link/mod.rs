//! Linking: two checked shaders become one program with an interface.
//!
//! In: the HIR of a vertex and a fragment shader and what GL said before `linkProgram`. Out: the tables script
//! reads and code generation uses, or the info log. Knows the rules of GLSL ES and WebGL; knows no naga.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::error::{InfoLog, ShaderError};
use super::hir;
use super::program::{ProgramCode, Reflection, Variant};

/// The GL limits that decide whether a program links. Defaults are the least values of WebGL2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkLimits {
    pub max_vertex_attribs: u32,
    pub max_vertex_uniform_vectors: u32,
    pub max_fragment_uniform_vectors: u32,
    pub max_varying_vectors: u32,
    pub max_draw_buffers: u32,
    pub max_vertex_texture_image_units: u32,
    pub max_texture_image_units: u32,
    pub max_combined_texture_image_units: u32,
    pub max_vertex_uniform_blocks: u32,
    pub max_fragment_uniform_blocks: u32,
    pub max_combined_uniform_blocks: u32,
    /// Bytes.
    pub max_uniform_block_size: u32,
    pub max_feedback_separate_attribs: u32,
    pub max_feedback_separate_components: u32,
    pub max_feedback_interleaved_components: u32,
    /// `gl_PointSize` is clamped to 1..=this.
    pub max_point_size: f32,
}

impl Default for LinkLimits {
    fn default() -> LinkLimits {
        LinkLimits {
            max_vertex_attribs: 16,
            max_vertex_uniform_vectors: 1024,
            max_fragment_uniform_vectors: 1024,
            max_varying_vectors: 15,
            max_draw_buffers: 8,
            max_vertex_texture_image_units: 16,
            max_texture_image_units: 16,
            max_combined_texture_image_units: 32,
            max_vertex_uniform_blocks: 12,
            max_fragment_uniform_blocks: 12,
            max_combined_uniform_blocks: 24,
            max_uniform_block_size: 65536,
            max_feedback_separate_attribs: 4,
            max_feedback_separate_components: 4,
            max_feedback_interleaved_components: 64,
            max_point_size: 255.0,
        }
    }
}

/// What GL knows about a program when `linkProgram` is called.
#[derive(Clone, Debug, Default)]
pub struct LinkOptions {
    /// WebGL 2 rules (false: WebGL 1).
    pub webgl2: bool,
    /// `bindAttribLocation`.
    pub attribute_bindings: BTreeMap<String, u32>,
    /// `transformFeedbackVaryings`, in order.
    pub feedback_varyings: Vec<String>,
    /// SEPARATE_ATTRIBS (false: INTERLEAVED_ATTRIBS).
    pub feedback_separate: bool,
    pub limits: LinkLimits,
}

/// A program that linked. Cheap to share between threads; `emit` may run on any of them.
#[derive(Clone, Debug)]
pub struct LinkedProgram {
    /// What the GL getters read.
    pub reflection: Reflection,
}

/// Links two shaders. `Err` is the text of `getProgramInfoLog`.
pub fn link(
    _vertex: &Arc<hir::Shader>,
    _fragment: &Arc<hir::Shader>,
    _options: &LinkOptions,
) -> Result<LinkedProgram, InfoLog> {
    Err(InfoLog::message("linking of shaders is not there yet"))
}

impl LinkedProgram {
    /// Generates, validates and encodes one variant. Not cached here: callers key it by `variant`.
    pub fn emit(&self, _variant: Variant) -> Result<Arc<ProgramCode>, ShaderError> {
        Err(ShaderError::Unsupported("emission (not there yet)".into()))
    }
}
