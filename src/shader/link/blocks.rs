//! Uniform blocks: matching across stages, binding numbers, reflection of the members.

use super::std140;
use super::types::{Strictness, compare_fields, fields, split_array, variable_type};
use super::{LinkOptions, StageUniforms};
use crate::shader::error::InfoLog;
use crate::shader::hir::{Field, Shader, Stage, Storage, Type, UniformBlock};
use crate::shader::program::{ActiveUniformBlock, BlockPlace, BlockSlot, BlockUniform, VariableType};

#[derive(Debug, Default)]
pub struct Blocks {
    pub active: Vec<ActiveUniformBlock>,
    pub uniforms: Vec<BlockUniform>,
    pub slots: Vec<BlockSlot>,
}

/// `default_uniforms` is the number of active uniforms outside blocks: block members are counted after them.
pub fn link(
    (vertex, vertex_stage): (&Shader, &mut StageUniforms),
    (fragment, fragment_stage): (&Shader, &mut StageUniforms),
    default_uniforms: u32,
    options: &LinkOptions,
    log: &mut InfoLog,
) -> Blocks {
    let mut blocks = Blocks::default();
    vertex_stage.block_bases = vec![None; vertex.blocks.len()];
    fragment_stage.block_bases = vec![None; fragment.blocks.len()];
    let mut vertex_count = 0u32;
    let mut fragment_count = 0u32;
    for (index, block) in vertex.blocks.iter().enumerate() {
        let twin = fragment.blocks.iter().position(|other| other.name == block.name);
        let other = twin.and_then(|i| fragment.blocks.get(i));
        if let Some(other) = other {
            check((vertex, block), (fragment, other), log);
        }
        let in_fragment = other.is_some_and(|b| b.used);
        if !block.used && !in_fragment {
            continue;
        }
        let base = add((vertex, block), (block.used, in_fragment), default_uniforms, options, &mut blocks, log);
        if block.used {
            vertex_count += block.array.unwrap_or(1);
            set(&mut vertex_stage.block_bases, index, base);
        }
        if let (true, Some(twin)) = (in_fragment, twin) {
            fragment_count += block.array.unwrap_or(1);
            set(&mut fragment_stage.block_bases, twin, base);
        }
    }
    for (index, block) in fragment.blocks.iter().enumerate() {
        if !block.used || vertex.blocks.iter().any(|other| other.name == block.name) {
            continue;
        }
        let base = add((fragment, block), (false, true), default_uniforms, options, &mut blocks, log);
        fragment_count += block.array.unwrap_or(1);
        set(&mut fragment_stage.block_bases, index, base);
    }
    check_names(vertex, fragment, log);
    let limits = &options.limits;
    for (count, max, what) in [
        (vertex_count, limits.max_vertex_uniform_blocks, "VERTEX"),
        (fragment_count, limits.max_fragment_uniform_blocks, "FRAGMENT"),
        (vertex_count.saturating_add(fragment_count), limits.max_combined_uniform_blocks, "COMBINED"),
    ] {
        if count > max {
            log.line(format_args!("{what} uniform block count ({count}) exceeds the maximum ({max})"));
        }
    }
    blocks
}

fn set(bases: &mut [Option<u32>], index: usize, base: u32) {
    if let Some(place) = bases.get_mut(index) {
        *place = Some(base);
    }
}

fn check((vertex, a): (&Shader, &UniformBlock), (fragment, b): (&Shader, &UniformBlock), log: &mut InfoLog) {
    let name = &a.name;
    if a.array != b.array {
        log.line(format_args!("Array sizes of interface block '{name}' differ between VERTEX and FRAGMENT shaders."));
        return;
    }
    if a.instance.is_some() != b.instance.is_some() {
        log.line(format_args!(
            "Interface block '{name}' has an instance name in one of the VERTEX and FRAGMENT shaders only."
        ));
    }
    // Precision of block members need not match in ESSL 3.00; ANGLE compares it, and so do we.
    let strict = Strictness { precision: true, packing: true };
    if let Err(mismatch) = compare_fields((vertex, &a.fields), (fragment, &b.fields), strict) {
        log.line(format_args!(
            "{} of interface block '{name}' member differ between VERTEX and FRAGMENT shaders.",
            mismatch.subject()
        ));
    }
}

/// A name may not be a block in one shader and a uniform in the other, nor a member of an unnamed block and a uniform.
fn check_names(vertex: &Shader, fragment: &Shader, log: &mut InfoLog) {
    for (a, b) in [(vertex, fragment), (fragment, vertex)] {
        for block in a.blocks.iter().filter(|block| block.instance.is_none()) {
            for field in &block.fields {
                let clash = b.globals.iter().any(|g| g.storage == Storage::Uniform && g.name == field.name);
                let elsewhere = b.blocks.iter().any(|other| {
                    other.instance.is_none()
                        && other.name != block.name
                        && other.fields.iter().any(|f| f.name == field.name)
                });
                if clash || (elsewhere && a.stage == Stage::Vertex) {
                    log.line(format_args!(
                        "Name conflicts between an uniform and a uniform block field: {}",
                        field.name
                    ));
                }
            }
        }
    }
}

/// Adds all instances of a block: the first binding.
fn add(
    (shader, block): (&Shader, &UniformBlock),
    (in_vertex, in_fragment): (bool, bool),
    default_uniforms: u32,
    options: &LinkOptions,
    blocks: &mut Blocks,
    log: &mut InfoLog,
) -> u32 {
    let base = blocks.slots.len() as u32;
    let (offsets, size) = std140::struct_layout(shader, &block.fields, false);
    let max = options.limits.max_uniform_block_size;
    if size > max {
        log.line(format_args!(
            "Size of uniform block {} in {} shader exceeds GL_MAX_UNIFORM_BLOCK_SIZE ({size} > {max})",
            block.name,
            if in_vertex { "VERTEX" } else { "FRAGMENT" }
        ));
        return base;
    }
    let members = base_members(shader, block, &offsets);
    let instances = block.array.unwrap_or(1);
    if instances > options.limits.max_combined_uniform_blocks {
        log.line(format_args!("Too many instances of uniform block {}", block.name));
        return base;
    }
    let first_uniform = default_uniforms + blocks.uniforms.len() as u32;
    let uniforms: Vec<u32> = (first_uniform..first_uniform + members.len() as u32).collect();
    for instance in 0..instances {
        blocks.slots.push(BlockSlot { size, vertex: in_vertex, fragment: in_fragment });
        blocks.active.push(ActiveUniformBlock {
            name: match block.array {
                Some(_) => format!("{}[{instance}]", block.name),
                None => block.name.clone(),
            },
            size,
            in_vertex,
            in_fragment,
            uniforms: uniforms.clone(),
        });
    }
    // Members of an instance array are enumerated once, for the first instance (ES 3.0 §2.12.6).
    blocks.uniforms.extend(members.into_iter().map(|member| BlockUniform { block_index: base, ..member }));
    base
}

fn base_members(shader: &Shader, block: &UniformBlock, offsets: &[u32]) -> Vec<BlockUniform> {
    let mut out = Vec::new();
    let prefix = match block.instance {
        Some(_) => format!("{}.", block.name),
        None => String::new(),
    };
    for (field, offset) in block.fields.iter().zip(offsets) {
        member(shader, format!("{prefix}{}", field.name), field, &field.ty, (*offset, field.row_major), &mut out);
    }
    out
}

fn member(
    shader: &Shader,
    name: String,
    field: &Field,
    ty: &Type,
    (offset, row_major): (u32, bool),
    out: &mut Vec<BlockUniform>,
) {
    let (element, len) = split_array(ty);
    if let Type::Struct(id) = element {
        let members = fields(shader, *id);
        let (offsets, _) = std140::struct_layout(shader, members, row_major);
        let stride = std140::array_stride(shader, ty, row_major);
        for index in 0..len.unwrap_or(1) {
            let base = if len.is_some() { format!("{name}[{index}]") } else { name.clone() };
            for (inner, at) in members.iter().zip(&offsets) {
                let place = (offset + stride * index + at, row_major || inner.row_major);
                member(shader, format!("{base}.{}", inner.name), inner, &inner.ty, place, out);
            }
        }
        return;
    }
    let Some(leaf) = variable_type(element) else { return };
    out.push(BlockUniform {
        name: if len.is_some() { format!("{name}[0]") } else { name },
        ty: leaf,
        size: len.unwrap_or(1),
        is_array: len.is_some(),
        block_index: 0,
        place: BlockPlace {
            offset,
            array_stride: std140::array_stride(shader, ty, row_major),
            matrix_stride: std140::matrix_stride(ty),
        },
        row_major: (row_major || field.row_major) && matches!(leaf, VariableType::Matrix { .. }),
    });
}
