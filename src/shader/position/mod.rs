//! What `gl_Position` is made of: the matrices it is multiplied by last, and the inputs that the rest depends on.
//!
//! In: the HIR of a vertex shader and where its uniforms lie. Out: [`PositionInputs`], which `lower` and back ends use:
//! positions are stored without those matrices, so that a camera's motion changes nothing that is stored, and need not
//! be stored again while the inputs stay the same. Everything here is proven from the source; what cannot be is an
//! input. Must not know: names of uniforms, frames.

mod flow;
mod value;

use super::hir::{GlobalId, Storage, Type};
use super::link::types::{contains_data, sampler_count};
use super::link::{Linked, std140};
use super::program::{BytePlace, PositionInputs};
use flow::Flow;
use value::Value;

/// A uniform, or a whole uniform block, by its global.
type Source = u32;

/// The matrices and inputs of the vertex stage's position.
pub(super) fn inputs(linked: &Linked) -> (PositionInputs, Vec<GlobalId>) {
    let shader = &*linked.vertex;
    let used =
        |global: &super::hir::Global| global.used && matches!(global.storage, Storage::Uniform | Storage::Block(_));
    let (matrices, depends): (Vec<Source>, Vec<Source>) = match Flow::position(shader) {
        Some(value) => split(&value),
        // Too much to follow.
        None => (Vec::new(), (0..).zip(&shader.globals).filter(|(_, global)| used(global)).map(|(id, _)| id).collect()),
    };
    let mut inputs = PositionInputs::default();
    let place = |id: Source| {
        let member = linked.vertex_uniforms.members.iter().find(|(global, _)| global.0 == id)?;
        let ty = &shader.globals.get(id as usize)?.ty;
        Some(BytePlace { offset: member.1, size: std140::layout(shader, ty, false).size })
    };
    let homes: Option<Vec<BytePlace>> = matrices.iter().map(|id| place(*id)).collect();
    let (matrices, depends) = match homes {
        Some(homes) => {
            inputs.matrices = homes.iter().map(|home| home.offset).collect();
            (matrices, depends)
        }
        None => (Vec::new(), matrices.into_iter().chain(depends).collect()),
    };
    for id in depends {
        let Some(global) = shader.globals.get(id as usize) else { continue };
        let home = linked.vertex_uniforms.homes.get(id as usize).copied().unwrap_or_default();
        match global.storage {
            Storage::Block(index) => {
                let count = shader.blocks.get(index as usize).and_then(|block| block.array).unwrap_or(1);
                let base = linked.vertex_uniforms.block_bases.get(index as usize).copied().flatten();
                inputs.blocks.extend(base.into_iter().flat_map(|base| base..base.saturating_add(count)));
            }
            _ => {
                if contains_data(shader, &global.ty) {
                    inputs.uniforms.extend(place(id));
                }
                let samplers = sampler_count(shader, &global.ty);
                inputs
                    .textures
                    .extend(home.texture_base.into_iter().flat_map(|base| base..base.saturating_add(samplers)));
            }
        }
    }
    (inputs, matrices.into_iter().map(GlobalId).collect())
}

/// The longest beginning of the chain whose matrices are nowhere in what follows it, and everything in that.
fn split(value: &Value) -> (Vec<Source>, Vec<Source>) {
    let chain = &value.chain;
    let free = |length: usize| {
        let (head, tail) = chain.split_at(length);
        let twice = head.iter().enumerate().any(|(at, id)| head.iter().skip(at + 1).any(|other| other == id));
        !twice && head.iter().all(|id| !value.depends.contains(*id) && !tail.contains(id))
    };
    let length = (0..=chain.len()).rev().find(|length| free(*length)).unwrap_or(0);
    let (head, tail) = chain.split_at(length);
    let mut rest = value.depends.clone();
    tail.iter().for_each(|id| rest.insert(*id));
    (head.to_vec(), rest.iter().collect())
}

fn is_mat4(ty: &Type) -> bool {
    *ty == Type::Matrix { columns: 4, rows: 4 }
}
