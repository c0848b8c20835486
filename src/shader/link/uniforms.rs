//! Uniforms outside blocks: matching across stages, default blocks, texture slots, locations.

use std::collections::BTreeMap;

use super::packing::{Packed, fits};
use super::std140;
use super::types::{
    Leaf, Strictness, compare, contains_data, contains_sampler, leaves, precision_differs, sampler_count, samplers,
};
use super::{LinkOptions, StageUniforms, UniformHome};
use crate::shader::error::InfoLog;
use crate::shader::hir::{Field, Global, GlobalId, Shader, Stage, Storage, Type};
use crate::shader::program::{ActiveUniform, BlockPlace, TextureSlot, VariableType};

#[derive(Debug, Default)]
pub struct Uniforms {
    pub active: Vec<ActiveUniform>,
    pub textures: Vec<TextureSlot>,
    pub vertex: StageUniforms,
    pub fragment: StageUniforms,
}

struct Entry<'a> {
    vertex: Option<(usize, &'a Global)>,
    fragment: Option<(usize, &'a Global)>,
}

fn collect<'a>(shader: &'a Shader, out: &mut BTreeMap<&'a str, usize>, order: &mut Vec<(&'a str, Entry<'a>)>) {
    for (index, global) in shader.globals.iter().enumerate() {
        if global.storage != Storage::Uniform {
            continue;
        }
        let slot = *out.entry(global.name.as_str()).or_insert_with(|| {
            order.push((global.name.as_str(), Entry { vertex: None, fragment: None }));
            order.len() - 1
        });
        if let Some((_, entry)) = order.get_mut(slot) {
            match shader.stage {
                Stage::Vertex => entry.vertex = Some((index, global)),
                Stage::Fragment => entry.fragment = Some((index, global)),
            }
        }
    }
}

pub fn link(vertex: &Shader, fragment: &Shader, options: &LinkOptions, log: &mut InfoLog) -> Uniforms {
    let mut by_name = BTreeMap::new();
    let mut order = Vec::new();
    collect(vertex, &mut by_name, &mut order);
    collect(fragment, &mut by_name, &mut order);

    let mut result = Uniforms::default();
    result.vertex.homes = vec![UniformHome::default(); vertex.globals.len()];
    result.fragment.homes = vec![UniformHome::default(); fragment.globals.len()];
    let mut location = 0u32;
    for (name, entry) in &order {
        if let (Some((_, v)), Some((_, f))) = (entry.vertex, entry.fragment) {
            check(name, (vertex, v), (fragment, f), log);
        }
        let used_vertex = entry.vertex.filter(|(_, global)| global.used);
        let used_fragment = entry.fragment.filter(|(_, global)| global.used);
        let Some((shader, global)) =
            used_vertex.map(|(_, g)| (vertex, g)).or(used_fragment.map(|(_, g)| (fragment, g)))
        else {
            continue;
        };
        if too_large(shader, global, options) {
            log.line(format_args!("Uniform '{name}' is too large"));
            continue;
        }
        let texture_base = contains_sampler(shader, &global.ty).then(|| {
            let base = result.textures.len() as u32;
            let mut types = Vec::new();
            samplers(shader, &global.ty, &mut types);
            result.textures.extend(types.into_iter().map(|sampler| TextureSlot {
                sampler,
                vertex: used_vertex.is_some(),
                fragment: used_fragment.is_some(),
            }));
            base
        });
        let offset_v = used_vertex.and_then(|(i, g)| add(vertex, i, g, texture_base, &mut result.vertex));
        let offset_f = used_fragment.and_then(|(i, g)| add(fragment, i, g, texture_base, &mut result.fragment));
        activate(shader, name, global, (offset_v, offset_f), texture_base, &mut location, &mut result.active);
    }
    check_limits(vertex, fragment, options, &result, log);
    result
}

/// Larger than any limit could allow: rejected before its elements are enumerated. (Packing puts up to four
/// scalars into a vector, std140 one.)
fn too_large(shader: &Shader, global: &Global, options: &LinkOptions) -> bool {
    let limits = &options.limits;
    let vectors = limits.max_vertex_uniform_vectors.max(limits.max_fragment_uniform_vectors);
    std140::layout(shader, &global.ty, false).size > vectors.saturating_mul(64)
        || sampler_count(shader, &global.ty) > limits.max_combined_texture_image_units
}

/// Adds the data of a uniform to the stage's default block: its offset there.
fn add(
    shader: &Shader,
    index: usize,
    global: &Global,
    texture_base: Option<u32>,
    stage: &mut StageUniforms,
) -> Option<u32> {
    let mut home = UniformHome { member: None, texture_base };
    let mut offset = None;
    if contains_data(shader, &global.ty) {
        let mut end = stage.end;
        let at = std140::append(shader, &global.ty, false, &mut end);
        stage.end = end;
        home.member = Some(stage.members.len() as u32);
        stage.members.push((GlobalId(index as u32), at));
        stage.size = end.saturating_add(15) / 16 * 16;
        offset = Some(at);
    }
    if let Some(place) = stage.homes.get_mut(index) {
        *place = home;
    }
    offset
}

/// Enumerates the active uniforms of one variable and gives them locations.
fn activate(
    shader: &Shader,
    name: &str,
    global: &Global,
    (vertex, fragment): (Option<u32>, Option<u32>),
    texture_base: Option<u32>,
    location: &mut u32,
    out: &mut Vec<ActiveUniform>,
) {
    for leaf in leaves(shader, name, &global.ty, global.precision) {
        let target = resolve(shader, &global.ty, &leaf.path);
        let is_sampler = matches!(leaf.ty, VariableType::Sampler(_));
        let place = |base: Option<u32>| {
            base.filter(|_| !is_sampler).map(|base| BlockPlace {
                offset: base.saturating_add(target.offset),
                array_stride: std140::array_stride(shader, target.ty, false),
                matrix_stride: std140::matrix_stride(target.ty),
            })
        };
        let size = leaf.size;
        out.push(ActiveUniform {
            name: display_name(&leaf),
            ty: leaf.ty,
            size,
            is_array: leaf.is_array,
            location: *location,
            vertex: place(vertex),
            fragment: place(fragment),
            texture_slot: texture_base.filter(|_| is_sampler).map(|base| base + target.sampler),
        });
        *location = location.saturating_add(size);
    }
}

pub fn display_name(leaf: &Leaf) -> String {
    if leaf.is_array { format!("{}[0]", leaf.name) } else { leaf.name.clone() }
}

struct Target<'a> {
    ty: &'a Type,
    offset: u32,
    sampler: u32,
}

/// Byte offset and sampler number of a leaf inside its variable.
fn resolve<'a>(shader: &'a Shader, ty: &'a Type, path: &[u32]) -> Target<'a> {
    let mut target = Target { ty, offset: 0, sampler: 0 };
    for &step in path {
        match target.ty {
            Type::Array(element, _) => {
                target.offset += std140::array_stride(shader, target.ty, false).saturating_mul(step);
                target.sampler += sampler_count(shader, element) * step;
                target.ty = element;
            }
            Type::Struct(id) => {
                let members: &[Field] = super::types::fields(shader, *id);
                let (offsets, _) = std140::struct_layout(shader, members, false);
                let Some(field) = members.get(step as usize) else { break };
                target.offset += offsets.get(step as usize).copied().unwrap_or(0);
                target.sampler += members.iter().take(step as usize).map(|f| sampler_count(shader, &f.ty)).sum::<u32>();
                target.ty = &field.ty;
            }
            _ => break,
        }
    }
    target
}

fn check(name: &str, (vertex, v): (&Shader, &Global), (fragment, f): (&Shader, &Global), log: &mut InfoLog) {
    let strict = Strictness { precision: true, packing: false };
    let found = compare((vertex, &v.ty), (fragment, &f.ty), strict)
        .err()
        .or_else(|| precision_differs(v.precision, f.precision).then_some(super::types::Mismatch::Precision));
    if let Some(mismatch) = found {
        log.line(format_args!(
            "{} of uniform '{name}' differ between VERTEX and FRAGMENT shaders.",
            mismatch.subject()
        ));
    }
}

fn check_limits(vertex: &Shader, fragment: &Shader, options: &LinkOptions, uniforms: &Uniforms, log: &mut InfoLog) {
    let limits = &options.limits;
    for (shader, max_vectors, max_textures, label) in [
        (vertex, limits.max_vertex_uniform_vectors, limits.max_vertex_texture_image_units, "VERTEX"),
        (fragment, limits.max_fragment_uniform_vectors, limits.max_texture_image_units, "FRAGMENT"),
    ] {
        let mut packed = Vec::new();
        let mut textures = 0u32;
        for global in shader.globals.iter().filter(|g| g.used && g.storage == Storage::Uniform) {
            textures = textures.saturating_add(sampler_count(shader, &global.ty));
            for leaf in leaves(shader, &global.name, &global.ty, None) {
                if !matches!(leaf.ty, VariableType::Sampler(_)) {
                    packed.push(Packed { ty: leaf.ty, size: leaf.size });
                }
            }
        }
        if !fits(&packed, max_vectors) {
            log.line(format_args!("{label} shader active uniforms exceed MAX_{label}_UNIFORM_VECTORS ({max_vectors})"));
        }
        if textures > max_textures {
            log.line(format_args!(
                "{label} shader sampler count exceeds the maximum of {max_textures} texture image units"
            ));
        }
    }
    if uniforms.textures.len() as u32 > limits.max_combined_texture_image_units {
        log.line(format_args!(
            "Sampler count exceeds MAX_COMBINED_TEXTURE_IMAGE_UNITS ({})",
            limits.max_combined_texture_image_units
        ));
    }
}
