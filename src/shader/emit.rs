//! Linked program + variant → validated SPIR-V for both stages, and the layout it expects.
//!
//! Never trusts itself: naga's validator runs on every module in every build, and a panic of the SPIR-V writer
//! becomes an error.

use std::panic::{AssertUnwindSafe, catch_unwind};

use naga::back::spv;
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

use super::camera::CameraUniforms;
use super::error::ShaderError;
use super::hir::{Stage, Stmt};
use super::link::Linked;
use super::link::types::{register_shape, scalar_of};
use super::lower::{self, Lowered};
use super::position;
use super::program::{AttributeSlot, ProgramCode, ProgramLayout, Variant};
use super::spirv_patch;

/// How SPIR-V is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EmitOptions {
    /// Give every loop a counter, so that drivers cannot assume it ends. Costs time on CPU drivers.
    pub bound_loops: bool,
    /// Names of variables and functions, for debugging.
    pub debug_names: bool,
}

fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Vertex => "vertex",
        Stage::Fragment => "fragment",
    }
}

pub(super) fn emit(linked: &Linked, variant: Variant, options: EmitOptions) -> Result<ProgramCode, ShaderError> {
    let observed = variant.observed && !variant.capture_feedback;
    let (position_inputs, identities) = if observed { position::inputs(linked) } else { Default::default() };
    Ok(ProgramCode {
        vertex: emit_stage(linked, Stage::Vertex, variant, options)?,
        fragment: emit_stage(linked, Stage::Fragment, variant, options)?,
        positions: if observed {
            write(lower::lower_positions(linked, variant, &identities)?, Stage::Vertex, options)?
        } else {
            Vec::new()
        },
        position_inputs,
        layout: layout(linked, variant),
        camera: CameraUniforms::default(),
    })
}

fn emit_stage(linked: &Linked, stage: Stage, variant: Variant, options: EmitOptions) -> Result<Vec<u32>, ShaderError> {
    write(lower::lower(linked, stage, variant)?, stage, options)
}

fn write(lowered: Lowered, stage: Stage, options: EmitOptions) -> Result<Vec<u32>, ShaderError> {
    let info = validate(&lowered, stage)?;
    let words =
        catch_unwind(AssertUnwindSafe(|| spv::write_vec(&lowered.module, &info, &spirv_options(stage, options), None)));
    let spirv_error = |message: String| ShaderError::Spirv { stage: stage_name(stage), message };
    let words = match words {
        Ok(Ok(words)) => words,
        Ok(Err(error)) => return Err(spirv_error(error.to_string())),
        Err(_) => return Err(spirv_error("the writer panicked".into())),
    };
    if lowered.intrinsics.is_empty() {
        return Ok(words);
    }
    spirv_patch::patch(&words, &lowered.intrinsics).map_err(|message| spirv_error(message.into()))
}

fn validate(lowered: &Lowered, stage: Stage) -> Result<ModuleInfo, ShaderError> {
    // Derivatives in branches are GLSL's business, not an error.
    let flags = ValidationFlags::all() - ValidationFlags::CONTROL_FLOW_UNIFORMITY;
    let capabilities =
        Capabilities::CLIP_DISTANCES | Capabilities::DUAL_SOURCE_BLENDING | Capabilities::SHADER_FLOAT16_IN_FLOAT32;
    let result = catch_unwind(AssertUnwindSafe(|| Validator::new(flags, capabilities).validate(&lowered.module)));
    let failed = |message: String| ShaderError::Validation { stage: stage_name(stage), message };
    match result {
        Ok(Ok(info)) => Ok(info),
        Ok(Err(error)) => {
            let mut message = error.to_string();
            let mut source = std::error::Error::source(error.as_inner());
            while let Some(cause) = source {
                message.push_str(": ");
                message.push_str(&cause.to_string());
                source = cause.source();
            }
            Err(failed(message))
        }
        Err(_) => Err(failed("the validator panicked".into())),
    }
}

fn spirv_options(stage: Stage, options: EmitOptions) -> spv::Options<'static> {
    let mut flags = spv::WriterFlags::empty();
    if stage == Stage::Vertex {
        // Vulkan leaves the size of points undefined unless the shader writes it.
        flags |= spv::WriterFlags::FORCE_POINT_SIZE;
    }
    if options.debug_names {
        flags |= spv::WriterFlags::DEBUG | spv::WriterFlags::LABEL_VARYINGS;
    }
    spv::Options {
        lang_version: (1, 3),
        flags,
        // The map is empty: bindings are the module's own numbers.
        fake_missing_bindings: true,
        bounds_check_policies: BoundsCheckPolicies {
            index: BoundsCheckPolicy::Restrict,
            buffer: BoundsCheckPolicy::Restrict,
            // texelFetch out of range: the device's robust image access answers (always on where Vulkan 1.3 is).
            image_load: BoundsCheckPolicy::Unchecked,
            binding_array: BoundsCheckPolicy::Unchecked,
        },
        force_loop_bounding: options.bound_loops,
        emit_int_div_checks: true,
        ..Default::default()
    }
}

fn layout(linked: &Linked, variant: Variant) -> ProgramLayout {
    let mut attributes = Vec::new();
    for attribute in &linked.attributes {
        let (columns, components) = register_shape(attribute.ty);
        for location in attribute.location..attribute.location + columns {
            attributes.push(AttributeSlot {
                location,
                kind: variant.attribute_kind(scalar_of(attribute.ty), location),
                components: components as u8,
            });
        }
    }
    attributes.sort_by_key(|slot| slot.location);
    ProgramLayout {
        vertex_block: linked.vertex_uniforms.size,
        fragment_block: linked.fragment_uniforms.size,
        fragment_block_in_vertex: !linked.flat.rows.is_empty(),
        driver_block: lower::needs_driver_block(linked, variant),
        textures: linked.textures.clone(),
        uniform_blocks: linked.blocks.clone(),
        feedback_buffers: linked.feedback_buffers(variant),
        attributes,
        outputs: linked.output_slots.clone(),
        writes_frag_depth: linked.fragment.writes_frag_depth,
        discards: linked.fragment.functions.iter().any(|function| discards(&function.body)),
        zero_to_one: variant.zero_to_one,
        loops: linked.vertex_loops.sites.iter().chain(&linked.fragment_loops.sites).cloned().collect(),
        max_loop_rounds: linked.max_loop_rounds,
        watches_points: linked.watches_points,
    }
}

fn discards(body: &[Stmt]) -> bool {
    body.iter().any(|statement| {
        let mut found = matches!(statement, Stmt::Discard);
        statement.each_part(&mut |_| {}, &mut |nested| found |= discards(nested));
        found
    })
}
