//! Linking: two checked shaders become one program with an interface.
//!
//! In: the HIR of a vertex and a fragment shader and what GL said before `linkProgram`. Out: the tables script
//! reads and code generation uses, or the info log. Knows the rules of GLSL ES and WebGL; knows no naga.

use std::collections::BTreeMap;
use std::sync::Arc;

mod attributes;
mod blocks;
mod feedback;
mod flat;
mod loops;
mod outputs;
mod packing;
pub(super) mod std140;
#[cfg(test)]
mod tests;
pub(super) mod types;
mod uniforms;
mod varyings;

pub(super) use attributes::AttributeLink;
pub(super) use feedback::{Capture, Feedback};
pub(super) use flat::FlatUniforms;
pub(super) use loops::CountedLoops;
pub(super) use outputs::OutputLink;
pub(super) use varyings::{VaryingSlot, Varyings};

use super::camera::CameraUniforms;
use super::emit::EmitOptions;
use super::error::{InfoLog, ShaderError};
use super::hir::{self, BuiltinVariable, GlobalId, Stage, Storage};
use super::program::{BlockSlot, OutputSlot, ProgramCode, Reflection, TextureSlot, Variant};

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
    /// Rounds that loops without constant bound may make in one invocation; 0: they are not counted.
    pub max_loop_rounds: u32,
    /// Rows of the fragment stage's default block that may travel as flat varyings (`link::flat`); 0: none.
    pub max_flat_rows: u32,
    /// Vertex shaders can raise flags (else only the loops of fragment shaders are counted).
    pub vertex_flags: bool,
    /// Points that are larger than `max_point_size` raise one.
    pub watch_points: bool,
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
            max_loop_rounds: 1_000_000,
            max_flat_rows: 0,
            vertex_flags: true,
            watch_points: false,
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

/// Where the parts of one uniform variable are, in one stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct UniformHome {
    /// Index into `StageUniforms::members`.
    pub member: Option<u32>,
    /// Slot of its first sampler.
    pub texture_base: Option<u32>,
}

/// Uniform resources of one stage.
#[derive(Clone, Debug, Default)]
pub(super) struct StageUniforms {
    /// By global.
    pub homes: Vec<UniformHome>,
    /// Default block: variables and byte offsets, ascending.
    pub members: Vec<(GlobalId, u32)>,
    /// Byte after the last member.
    pub end: u32,
    /// Size of the default block, a multiple of 16; 0 if there is none.
    pub size: u32,
    /// First binding of each uniform block, by its index in the shader.
    pub block_bases: Vec<Option<u32>>,
}

/// All that code generation needs of a linked program.
#[derive(Debug)]
pub(super) struct Linked {
    pub vertex: Arc<hir::Shader>,
    pub fragment: Arc<hir::Shader>,
    pub vertex_uniforms: StageUniforms,
    pub fragment_uniforms: StageUniforms,
    pub attributes: Vec<AttributeLink>,
    pub varyings: Varyings,
    pub flat: FlatUniforms,
    pub outputs: Vec<OutputLink>,
    pub output_slots: Vec<OutputSlot>,
    pub textures: Vec<TextureSlot>,
    pub blocks: Vec<BlockSlot>,
    pub feedback: Feedback,
    pub max_point_size: f32,
    pub vertex_loops: CountedLoops,
    pub fragment_loops: CountedLoops,
    pub max_loop_rounds: u32,
    /// The vertex stage raises a flag for points that the device draws smaller than asked.
    pub watches_points: bool,
}

impl Linked {
    /// Number of feedback buffers a variant writes.
    pub fn feedback_buffers(&self, variant: Variant) -> u32 {
        if variant.capture_feedback { self.feedback.strides.len() as u32 } else { 0 }
    }
}

/// A program that linked. Cheap to clone; `emit` may run on any thread.
#[derive(Clone, Debug)]
pub struct LinkedProgram {
    /// What the GL getters read.
    pub reflection: Reflection,
    linked: Arc<Linked>,
}

/// Links two shaders. `Err` is the text of `getProgramInfoLog`.
pub fn link(
    vertex: &Arc<hir::Shader>,
    fragment: &Arc<hir::Shader>,
    options: &LinkOptions,
) -> Result<LinkedProgram, InfoLog> {
    let mut log = InfoLog::new();
    if vertex.stage != Stage::Vertex || fragment.stage != Stage::Fragment {
        return Err(InfoLog::message("A program needs one vertex and one fragment shader."));
    }
    if vertex.dialect != fragment.dialect {
        return Err(InfoLog::message("Versions of linked shaders have to match."));
    }
    let mut uniforms = uniforms::link(vertex, fragment, options, &mut log);
    let blocks = blocks::link(
        (vertex, &mut uniforms.vertex),
        (fragment, &mut uniforms.fragment),
        uniforms.active.len() as u32,
        options,
        &mut log,
    );
    let varyings = varyings::link(vertex, fragment, options, &mut log);
    let (attributes, active_attributes) = attributes::assign(vertex, options, &mut log);
    let outputs = outputs::link(fragment, options, &mut log);
    let (feedback, feedback_varyings) = feedback::link(vertex, options, &mut log);
    check_attribute_names(vertex, fragment, &mut log);
    if log.has_errors() {
        return Err(log);
    }
    let uses = |shader: &hir::Shader, builtin| {
        shader.globals.iter().any(|global| global.used && global.storage == Storage::Builtin(builtin))
    };
    let reflection = Reflection {
        attributes: active_attributes,
        uniforms: uniforms.active,
        block_uniforms: blocks.uniforms,
        uniform_blocks: blocks.active,
        outputs: outputs.active,
        feedback_varyings,
        writes_point_size: uses(vertex, BuiltinVariable::PointSize),
        has_flat_varyings: varyings.any_flat,
        uses_draw_id: uses(vertex, BuiltinVariable::DrawId),
    };
    let limits = &options.limits;
    let count = |shader: &hir::Shader, first: u32, wanted: bool| {
        if wanted && limits.max_loop_rounds > 0 { loops::counted(shader, first) } else { CountedLoops::default() }
    };
    let vertex_loops = count(vertex, 0, limits.vertex_flags);
    let fragment_loops = count(fragment, vertex_loops.sites.len() as u32, true);
    let rows = limits.max_flat_rows.min(limits.max_varying_vectors.saturating_sub(varyings.slots.len() as u32));
    let linked = Linked {
        flat: flat::choose(fragment, &uniforms.fragment, rows),
        vertex: vertex.clone(),
        fragment: fragment.clone(),
        vertex_uniforms: uniforms.vertex,
        fragment_uniforms: uniforms.fragment,
        attributes,
        varyings,
        outputs: outputs.links,
        output_slots: outputs.slots,
        textures: uniforms.textures,
        blocks: blocks.slots,
        feedback,
        max_point_size: limits.max_point_size,
        vertex_loops,
        fragment_loops,
        max_loop_rounds: limits.max_loop_rounds,
        watches_points: limits.watch_points && limits.vertex_flags && reflection.writes_point_size,
    };
    Ok(LinkedProgram { reflection, linked: Arc::new(linked) })
}

/// WebGL: an attribute may not have the name of a uniform (ANGLE "Name conflicts between a uniform and an attribute").
fn check_attribute_names(vertex: &hir::Shader, fragment: &hir::Shader, log: &mut InfoLog) {
    for attribute in vertex.globals.iter().filter(|g| g.used && matches!(g.storage, Storage::In(_))) {
        let clash = vertex
            .globals
            .iter()
            .chain(&fragment.globals)
            .any(|g| g.used && g.storage == Storage::Uniform && g.name == attribute.name);
        if clash {
            log.line(format_args!("Name conflicts between a uniform and an attribute: {}", attribute.name));
        }
    }
}

impl LinkedProgram {
    /// Generates, validates and encodes one variant. Not cached here: callers key it by `variant`.
    pub fn emit(&self, variant: Variant) -> Result<Arc<ProgramCode>, ShaderError> {
        self.emit_with(variant, EmitOptions::default())
    }

    /// The same, with a say in how SPIR-V is written.
    pub fn emit_with(&self, variant: Variant, options: EmitOptions) -> Result<Arc<ProgramCode>, ShaderError> {
        let code = super::emit::emit(&self.linked, variant, options)?;
        Ok(Arc::new(ProgramCode { camera: CameraUniforms::of(&self.reflection), ..code }))
    }
}
