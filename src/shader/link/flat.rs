//! Uniforms of the fragment stage that reach it as flat varyings.
//!
//! A device may say that reading a varying costs its fragment shaders less than reading a uniform (lavapipe reads a
//! uniform's words with a gather, each lane by itself). The vertex stage then reads whole rows of the fragment stage's
//! default block, 16 bytes each, and hands them on unchanged; the fragment stage takes its uniforms out of them.

use std::collections::BTreeSet;

use super::StageUniforms;
use super::std140;
use super::types::contains_sampler;
use crate::shader::hir::{Expr, ExprKind, GlobalId, Shader, Stmt, Type};

/// The chosen uniforms and the rows they lie in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlatUniforms {
    /// Offset / 16, ascending. Row number i has the location behind the last varying, plus i.
    pub rows: Vec<u32>,
    globals: BTreeSet<u32>,
}

impl FlatUniforms {
    pub fn contains(&self, global: GlobalId) -> bool {
        self.globals.contains(&global.0)
    }

    /// Place of a row among `rows`.
    pub fn place(&self, row: u32) -> Option<usize> {
        self.rows.binary_search(&row).ok()
    }
}

/// Chooses uniforms of `fragment` for at most `max_rows` rows: in order of their offsets, all that are never indexed
/// by something computed.
pub fn choose(fragment: &Shader, uniforms: &StageUniforms, max_rows: u32) -> FlatUniforms {
    let mut flat = FlatUniforms::default();
    if max_rows == 0 {
        return flat;
    }
    let indexed = indexed_globals(fragment);
    let mut rows = BTreeSet::new();
    for (id, offset) in &uniforms.members {
        let Some(global) = fragment.globals.get(id.0 as usize) else { continue };
        if indexed.contains(&id.0) || contains_sampler(fragment, &global.ty) {
            continue;
        }
        let size = std140::layout(fragment, &global.ty, false).size;
        let taken = offset / 16..offset.saturating_add(size).div_ceil(16);
        let more = taken.clone().filter(|row| !rows.contains(row)).count();
        if rows.len() + more <= max_rows as usize {
            rows.extend(taken);
            flat.globals.insert(id.0);
        }
    }
    flat.rows = rows.into_iter().collect();
    flat
}

/// Globals of which some part is chosen by an index that is not constant.
fn indexed_globals(shader: &Shader) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut lists: Vec<&[Stmt]> = shader.functions.iter().map(|function| function.body.as_slice()).collect();
    while let Some(list) = lists.pop() {
        for stmt in list {
            stmt.each_part(&mut |expr| visit(expr, &mut found), &mut |nested| lists.push(nested));
        }
    }
    found
}

fn visit(expr: &Expr, found: &mut BTreeSet<u32>) {
    if let ExprKind::Index { base, index } = &expr.kind
        && !matches!(index.kind, ExprKind::Constant(_))
        && !matches!(base.ty, Type::Scalar(_))
        && let Some(global) = root_global(base)
    {
        found.insert(global.0);
    }
    expr.each_child(&mut |child| visit(child, found));
}

fn root_global(expr: &Expr) -> Option<GlobalId> {
    match &expr.kind {
        ExprKind::Global(global) => Some(*global),
        ExprKind::Field { base, .. } | ExprKind::Swizzle { base, .. } | ExprKind::Index { base, .. } => {
            root_global(base)
        }
        _ => None,
    }
}
