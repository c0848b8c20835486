//! HIR of one stage of a linked program → naga module.
//!
//! In: [`Linked`] and a [`Variant`]. Out: a naga module with the entry point `main`, and the list of texture
//! operations naga cannot say, which `spirv_patch` writes into the SPIR-V. Everything GLSL has and naga has not
//! (combined samplers, out parameters, short circuit, matrix arithmetic, clip conventions) ends here.

mod access;
mod analysis;
mod assign;
mod builtin;
mod builtin_matrix;
mod call;
mod constants;
mod construct;
mod control;
mod entry;
mod entry_fragment;
mod entry_vertex;
mod expr;
mod feedback;
mod flat;
mod function;
mod globals;
mod guard;
mod operators;
mod positions;
mod sampler;
mod switch;
mod texture;
mod texture_intrinsic;
mod types;

use std::collections::BTreeMap;

use naga::Handle;
use rustc_hash::FxHashMap;

use super::error::ShaderError;
use super::hir::{self, FunctionId, Stage};
use super::link::{Linked, StageUniforms};
use super::program::Variant;

pub(super) use texture_intrinsic::{Intrinsic, IntrinsicLevel, MARKER};

pub(super) type Result<T> = std::result::Result<T, ShaderError>;

pub(super) fn internal(message: &str) -> ShaderError {
    ShaderError::Internal(message.to_owned())
}

/// Functions nested deeper than this are refused (sema forbids recursion; this bounds our own stack).
const MAX_CALL_DEPTH: u32 = 128;

/// A lowered stage.
pub(super) struct Lowered {
    pub module: naga::Module,
    pub intrinsics: Vec<Intrinsic>,
}

/// Lowering of one stage: the module under construction and what is known of its globals.
struct StageLowering<'a> {
    pub shader: &'a hir::Shader,
    pub uniforms: &'a StageUniforms,
    pub linked: &'a Linked,
    pub variant: Variant,
    /// The vertex stage stores its positions and draws nothing; these mat4 uniforms are the identity in it.
    pub positions: Option<&'a [hir::GlobalId]>,
    pub module: naga::Module,
    pub types: types::TypeCache,
    pub constants: constants::ConstantCache,
    /// By `GlobalId`.
    pub globals: Vec<globals::GlobalHome>,
    pub textures: BTreeMap<u32, sampler::TextureVariables>,
    pub driver: Option<Handle<naga::GlobalVariable>>,
    pub guard: Option<guard::Guard>,
    /// Where flags are raised; none where positions are stored: the draw itself raises them.
    pub flags: Option<Handle<naga::GlobalVariable>>,
    /// Functions made so far: source function and first texture slot of each parameter that holds samplers.
    pub instances: FxHashMap<(FunctionId, Vec<u32>), Handle<naga::Function>>,
    pub intrinsics: Vec<Intrinsic>,
    pub intrinsic_functions: FxHashMap<Intrinsic, Handle<naga::Function>>,
    pub depth: u32,
}

/// Whether some shader of the program reads the driver block in this variant (both stages see one layout).
pub(super) fn needs_driver_block(linked: &Linked, variant: Variant) -> bool {
    globals::reads_driver(&linked.vertex, variant)
        || globals::reads_driver(&linked.fragment, variant)
        || (variant.capture_feedback && !linked.feedback.captures.is_empty())
}

/// Lowers one stage of a program.
pub(super) fn lower(linked: &Linked, stage: Stage, variant: Variant) -> Result<Lowered> {
    lower_stage(linked, stage, variant, None)
}

/// Lowers the vertex stage that stores its positions, with these mat4 uniforms as the identity.
pub(super) fn lower_positions(linked: &Linked, variant: Variant, identities: &[hir::GlobalId]) -> Result<Lowered> {
    lower_stage(linked, Stage::Vertex, variant, Some(identities))
}

fn lower_stage<'a>(
    linked: &'a Linked,
    stage: Stage,
    variant: Variant,
    positions: Option<&'a [hir::GlobalId]>,
) -> Result<Lowered> {
    let (shader, uniforms) = match stage {
        Stage::Vertex => (&*linked.vertex, &linked.vertex_uniforms),
        Stage::Fragment => (&*linked.fragment, &linked.fragment_uniforms),
    };
    let mut lowering = StageLowering {
        shader,
        uniforms,
        linked,
        variant,
        positions,
        module: naga::Module::default(),
        types: types::TypeCache::default(),
        constants: constants::ConstantCache::default(),
        globals: Vec::new(),
        textures: BTreeMap::new(),
        driver: None,
        guard: None,
        flags: None,
        instances: FxHashMap::default(),
        intrinsics: Vec::new(),
        intrinsic_functions: FxHashMap::default(),
        depth: 0,
    };
    lowering.declare_globals()?;
    lowering.declare_guard()?;
    match stage {
        Stage::Vertex => lowering.vertex_entry()?,
        Stage::Fragment => lowering.fragment_entry()?,
    }
    Ok(Lowered { module: lowering.module, intrinsics: lowering.intrinsics })
}
