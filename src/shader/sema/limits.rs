//! Room for uniforms: the packing algorithm of GLSL ES 1.00 appendix A.7, rows of four components.

use super::{Analyzer, types};
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{Stage, Storage, Type};

/// A variable, or a part of a structure, as the algorithm sees it.
struct Item {
    /// Components in a row.
    columns: u32,
    rows: u64,
    /// Place in the order of packing (A.7): rows of four components, of three, of two, of one.
    order: u8,
    /// Index of the global, for the message.
    global: usize,
}

impl Analyzer<'_> {
    /// Refuses more uniforms, or samplers, than the context has room for.
    pub fn check_uniform_limits(&self) -> Checked<()> {
        let limits = &self.options.limits;
        let (vectors, units) = match self.stage {
            Stage::Vertex => (limits.max_vertex_uniform_vectors, limits.max_vertex_texture_image_units),
            Stage::Fragment => (limits.max_fragment_uniform_vectors, limits.max_fragment_texture_image_units),
        };
        let mut items = Vec::new();
        let mut samplers = 0u64;
        let uniforms = self.globals.iter().enumerate();
        for (index, global) in uniforms.filter(|(_, global)| global.used && global.storage == Storage::Uniform) {
            samplers = samplers.saturating_add(self.sampler_count(&global.ty));
            if samplers > u64::from(units) {
                return Err(Diagnostic::new(global.span, global.name.as_str(), "too many samplers"));
            }
            // Every item takes a row or shares one with three others.
            let room = u64::from(vectors) * 4;
            let fits = self.collect(&global.ty, 1, index, &mut items) && items.len() as u64 <= room;
            if !fits {
                return Err(self.too_many(index));
            }
        }
        items.sort_by_key(|item| (item.order, std::cmp::Reverse(item.rows)));
        match pack(&items, vectors) {
            Some(global) => Err(self.too_many(global)),
            None => Ok(()),
        }
    }

    fn too_many(&self, global: usize) -> Diagnostic {
        match self.globals.get(global) {
            Some(global) => Diagnostic::new(global.span, global.name.as_str(), "too many uniforms"),
            None => Diagnostic::new(Default::default(), "", "too many uniforms"),
        }
    }

    /// Adds the parts of `length` values of a type; false if they are hopelessly many.
    fn collect(&self, ty: &Type, length: u64, global: usize, items: &mut Vec<Item>) -> bool {
        let (columns, rows, order) = match ty {
            Type::Void | Type::Sampler(_) => return true,
            Type::Scalar(_) => (1, 1, 7),
            Type::Vector(_, 2) => (2, 1, 6),
            Type::Vector(_, 3) => (3, 1, 5),
            Type::Vector(..) => (4, 1, 2),
            Type::Matrix { columns: 4, rows: 4 } => (4, 4, 0),
            // A mat2 takes two whole rows.
            Type::Matrix { columns: 2, rows: 2 } => (4, 2, 1),
            Type::Matrix { columns, rows: 2 } => (2, u64::from(*columns), 6),
            Type::Matrix { columns, rows } => (u32::from(*rows), u64::from(*columns), if *rows == 4 { 3 } else { 4 }),
            Type::Array(element, count) => {
                return self.collect(element, length.saturating_mul(u64::from(*count)), global, items);
            }
            Type::Struct(id) => {
                let fields = self.structs.get(id.0 as usize).map_or(&[][..], |definition| &definition.fields);
                let size = types::components(ty, &self.structs).saturating_mul(length);
                let fits = size <= types::MAX_COMPONENTS && length <= 1 << 14;
                return fits
                    && items.len() <= 1 << 16
                    && (0..length).all(|_| fields.iter().all(|field| self.collect(&field.ty, 1, global, items)));
            }
        };
        items.push(Item { columns, rows: rows * length, order, global });
        true
    }

    fn sampler_count(&self, ty: &Type) -> u64 {
        match ty {
            Type::Sampler(_) => 1,
            Type::Array(element, length) => self.sampler_count(element).saturating_mul(u64::from(*length)),
            Type::Struct(id) if types::contains_sampler(ty, &self.structs) => {
                let fields = self.structs.get(id.0 as usize).map_or(&[][..], |definition| &definition.fields);
                fields.iter().fold(0u64, |sum, field| sum.saturating_add(self.sampler_count(&field.ty)))
            }
            _ => 0,
        }
    }
}

/// Places sorted items into `vectors` rows; gives the global of the first that does not fit.
fn pack(items: &[Item], vectors: u32) -> Option<usize> {
    let total = u64::from(vectors);
    // Whole rows and triples come first, from the top.
    let mut top = 0u64;
    // Single columns left beside the triples.
    let mut beside = 0u64;
    // Pairs fill columns 0–1 downwards, then 2–3.
    let mut pairs = [0u64; 2];
    // What scalars have taken of each free column: beside triples, and the four of the remaining rows.
    let mut columns: Option<[u64; 5]> = None;
    for item in items {
        let free = total.saturating_sub(top);
        match item.columns {
            4 | 3 => {
                if item.rows > free {
                    return Some(item.global);
                }
                top += item.rows;
                beside += if item.columns == 3 { item.rows } else { 0 };
            }
            2 => match pairs.iter_mut().find(|used| item.rows <= free.saturating_sub(**used)) {
                Some(used) => *used += item.rows,
                None => return Some(item.global),
            },
            _ => {
                let left = columns.get_or_insert([
                    beside,
                    free.saturating_sub(pairs[0]),
                    free.saturating_sub(pairs[0]),
                    free.saturating_sub(pairs[1]),
                    free.saturating_sub(pairs[1]),
                ]);
                // The tightest column that holds the array.
                let best = left.iter_mut().filter(|left| **left >= item.rows).min();
                match best {
                    Some(left) => *left -= item.rows,
                    None => return Some(item.global),
                }
            }
        }
    }
    None
}
