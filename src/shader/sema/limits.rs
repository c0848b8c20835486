//! The packing rule for uniforms (GLSL ES 1.00 appendix A.7): rows of four components.

use super::{Analyzer, types};
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{Stage, Storage, Type};

impl Analyzer<'_> {
    /// Refuses more uniforms than the context has room for, counting whole rows per variable.
    pub fn check_uniform_limits(&self) -> Checked<()> {
        let limits = &self.options.limits;
        let (vectors, samplers) = match self.stage {
            Stage::Vertex => (limits.max_vertex_uniform_vectors, limits.max_vertex_texture_image_units),
            Stage::Fragment => (limits.max_fragment_uniform_vectors, limits.max_fragment_texture_image_units),
        };
        let mut rows = 0u64;
        let mut units = 0u64;
        for global in self.globals.iter().filter(|global| global.used && global.storage == Storage::Uniform) {
            rows = rows.saturating_add(self.rows(&global.ty));
            units = units.saturating_add(self.sampler_count(&global.ty));
            if rows > u64::from(vectors) {
                return Err(Diagnostic::new(global.span, global.name.as_str(), "too many uniforms"));
            }
            if units > u64::from(samplers) {
                return Err(Diagnostic::new(global.span, global.name.as_str(), "too many samplers"));
            }
        }
        Ok(())
    }

    fn rows(&self, ty: &Type) -> u64 {
        match ty {
            Type::Void | Type::Sampler(_) => 0,
            Type::Scalar(_) | Type::Vector(..) => 1,
            Type::Matrix { columns, .. } => u64::from(*columns),
            Type::Array(element, length) => self.rows(element).saturating_mul(u64::from(*length)),
            Type::Struct(id) => {
                let fields = self.structs.get(id.0 as usize).map_or(&[][..], |definition| &definition.fields);
                fields.iter().fold(0u64, |sum, field| sum.saturating_add(self.rows(&field.ty)))
            }
        }
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
