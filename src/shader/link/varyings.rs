//! Varyings: matching of vertex outputs with fragment inputs, and the locations that carry them.

use std::collections::BTreeMap;

use super::LinkOptions;
use super::packing::{Packed, fits};
use super::std140;
use super::types::{Leaf, Strictness, compare, leaves, register_shape, scalar_of};
use crate::shader::error::InfoLog;
use crate::shader::hir::{Dialect, Global, GlobalId, Interface, Scalar, Shader, Storage};
use crate::shader::program::VariableType;

/// One vector (or matrix column) of a varying that crosses from vertex to fragment.
#[derive(Clone, Debug, PartialEq)]
pub struct VaryingPart {
    pub vertex: GlobalId,
    pub fragment: GlobalId,
    /// From the variable to the vector: fields, array elements, matrix columns.
    pub path: Vec<u32>,
    pub components: u8,
    /// Index into `Varyings::slots`, and first component there.
    pub slot: u32,
    pub offset: u8,
}

/// One location of the interface between the stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VaryingSlot {
    pub kind: Scalar,
    pub components: u8,
    pub flat: bool,
    pub centroid: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Varyings {
    /// The location is the index.
    pub slots: Vec<VaryingSlot>,
    pub parts: Vec<VaryingPart>,
    pub any_flat: bool,
}

fn outputs(shader: &Shader) -> BTreeMap<&str, (GlobalId, &Global, Interface)> {
    let mut map = BTreeMap::new();
    for (index, global) in shader.globals.iter().enumerate() {
        if let Storage::Out(interface) = &global.storage {
            map.insert(global.name.as_str(), (GlobalId(index as u32), global, *interface));
        }
    }
    map
}

pub fn link(vertex: &Shader, fragment: &Shader, options: &LinkOptions, log: &mut InfoLog) -> Varyings {
    let outputs = outputs(vertex);
    let mut varyings = Varyings::default();
    let mut packed = Vec::new();
    let mut raw = Vec::new();
    for (index, input) in fragment.globals.iter().enumerate() {
        let Storage::In(interface) = &input.storage else { continue };
        let Some((output_id, output, output_interface)) = outputs.get(input.name.as_str()) else {
            if input.used {
                log.line(format_args!("FRAGMENT varying {} does not match any VERTEX varying", input.name));
            }
            continue;
        };
        check((vertex, output, *output_interface), (fragment, input, *interface), log);
        if !input.used {
            continue;
        }
        if std140::layout(fragment, &input.ty, false).size > options.limits.max_varying_vectors.saturating_mul(64) {
            log.line(format_args!("Varying '{}' is too large", input.name));
            continue;
        }
        varyings.any_flat |= interface.flat;
        for leaf in leaves(fragment, &input.name, &input.ty, input.precision) {
            packed.push(Packed { ty: leaf.ty, size: leaf.size });
            flatten(&leaf, (*output_id, GlobalId(index as u32)), *interface, &mut raw);
        }
    }
    if !fits(&packed, options.limits.max_varying_vectors) {
        log.line("Varyings do not fit: too many varying vectors for MAX_VARYING_VECTORS");
        return varyings;
    }
    place(raw, options.limits.max_varying_vectors, &mut varyings);
    varyings
}

fn check(
    (vertex, output, out): (&Shader, &Global, Interface),
    (fragment, input, inp): (&Shader, &Global, Interface),
    log: &mut InfoLog,
) {
    let name = &input.name;
    // Precision of varyings need not match (ESSL 3.00 §4.5.3).
    let strict = Strictness { precision: false, packing: false };
    if let Err(mismatch) = compare((vertex, &output.ty), (fragment, &input.ty), strict) {
        log.line(format_args!(
            "{} of varying '{name}' differ between VERTEX and FRAGMENT shaders.",
            mismatch.subject()
        ));
    }
    if out.flat != inp.flat {
        log.line(format_args!("Interpolation types of varying '{name}' differ between VERTEX and FRAGMENT shaders."));
    }
    // ESSL 1.00 §4.6.4: invariance must agree; ESSL 3.00 has it on outputs only.
    if fragment.dialect == Dialect::Essl100 && out.invariant != inp.invariant {
        log.line(format_args!("Invariance of varying '{name}' differs between VERTEX and FRAGMENT shaders."));
    }
}

struct RawPart {
    vertex: GlobalId,
    fragment: GlobalId,
    path: Vec<u32>,
    slot: VaryingSlot,
}

fn flatten(leaf: &Leaf, (vertex, fragment): (GlobalId, GlobalId), interface: Interface, out: &mut Vec<RawPart>) {
    let (rows, components) = register_shape(leaf.ty);
    let slot = VaryingSlot {
        kind: scalar_of(leaf.ty),
        components: components as u8,
        flat: interface.flat || scalar_of(leaf.ty) != Scalar::Float,
        centroid: interface.centroid,
    };
    for element in 0..leaf.size {
        for column in 0..rows {
            let mut path = leaf.path.clone();
            if leaf.is_array {
                path.push(element);
            }
            if matches!(leaf.ty, VariableType::Matrix { .. }) {
                path.push(column);
            }
            out.push(RawPart { vertex, fragment, path, slot });
        }
    }
}

/// One location per vector while they last; beyond that vectors share locations, widest first.
fn place(mut raw: Vec<RawPart>, max: u32, varyings: &mut Varyings) {
    let share = raw.len() > max as usize;
    if share {
        raw.sort_by_key(|part| std::cmp::Reverse(part.slot.components));
    }
    for part in raw {
        let need = part.slot.components;
        let found = varyings.slots.iter().position(|slot| {
            share
                && slot.kind == part.slot.kind
                && slot.flat == part.slot.flat
                && slot.centroid == part.slot.centroid
                && slot.components + need <= 4
        });
        let (slot, offset) = match found.and_then(|i| varyings.slots.get_mut(i).map(|slot| (i, slot))) {
            Some((index, slot)) => {
                let offset = slot.components;
                slot.components += need;
                (index, offset)
            }
            None => {
                varyings.slots.push(part.slot);
                (varyings.slots.len() - 1, 0)
            }
        };
        varyings.parts.push(VaryingPart {
            vertex: part.vertex,
            fragment: part.fragment,
            path: part.path,
            components: need,
            slot: slot as u32,
            offset,
        });
    }
}
