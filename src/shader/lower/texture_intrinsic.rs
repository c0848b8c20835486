//! Lookups naga has no expression for: integer textures through a sampler, and depth comparison with bias, level
//! or gradients. Each becomes a small function with a marked dummy body; `spirv_patch` writes the real one.

use naga::{Expression, Handle, ImageQuery, Literal, ScalarKind, Statement};

use super::function::FunctionBuilder;
use super::types::{F32, scalar};
use super::{Result, StageLowering};
use crate::shader::hir::{SamplerDimension, SamplerType};

/// The level of a size query that marks the body of intrinsic number `level - MARKER`. User code cannot write it:
/// literal levels are clamped to 31.
pub(in crate::shader) const MARKER: u32 = 0x5E57_0000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::shader) enum IntrinsicLevel {
    Implicit,
    /// One float argument.
    Bias,
    /// One float argument.
    Lod,
    /// Two vector arguments.
    Grad,
}

/// One lookup function. Its arguments: coordinates (layer included), depth reference if `sampler.shadow`, level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::shader) struct Intrinsic {
    pub slot: u32,
    pub sampler: SamplerType,
    pub level: IntrinsicLevel,
    pub offset: Option<Vec<i32>>,
}

impl StageLowering<'_> {
    pub(super) fn intrinsic(&mut self, intrinsic: Intrinsic) -> Result<Handle<naga::Function>> {
        if let Some(handle) = self.intrinsic_functions.get(&intrinsic) {
            return Ok(*handle);
        }
        let marker = MARKER + self.intrinsics.len() as u32;
        let function = self.intrinsic_body(&intrinsic, marker)?;
        let handle = self.module.functions.append(function, naga::Span::UNDEFINED);
        self.intrinsics.push(intrinsic.clone());
        self.intrinsic_functions.insert(intrinsic, handle);
        Ok(handle)
    }

    fn intrinsic_body(&mut self, intrinsic: &Intrinsic, marker: u32) -> Result<naga::Function> {
        let sampler = intrinsic.sampler;
        let (position, coordinate) = match sampler.dimension {
            SamplerDimension::D2 => (2, 2),
            SamplerDimension::D2Array => (2, 3),
            SamplerDimension::D3 | SamplerDimension::Cube => (3, 3),
        };
        let float = self.scalar_type(F32);
        let gradient = self.vector_type(F32, position);
        let mut arguments = vec![self.vector_type(F32, coordinate)];
        if sampler.shadow {
            arguments.push(float);
        }
        match intrinsic.level {
            IntrinsicLevel::Implicit => {}
            IntrinsicLevel::Bias | IntrinsicLevel::Lod => arguments.push(float),
            IntrinsicLevel::Grad => arguments.extend([gradient, gradient]),
        }
        let kind = if sampler.shadow { F32 } else { scalar(sampler.sampled) };
        let size = if sampler.shadow { 1 } else { 4 };
        let result = self.vector_type(kind, size);
        let image = self.texture(intrinsic.slot)?.image;

        let mut builder = FunctionBuilder::new(self, "texture_intrinsic");
        builder.function.arguments =
            arguments.into_iter().map(|ty| naga::FunctionArgument { name: None, ty, binding: None }).collect();
        builder.function.result = Some(naga::FunctionResult { ty: result, binding: None });
        let image = builder.global(image);
        let level = builder.literal(Literal::U32(marker));
        let query = builder.add(Expression::ImageQuery { image, query: ImageQuery::Size { level: Some(level) } });
        let x = builder.add(Expression::AccessIndex { base: query, index: 0 });
        let value = if kind.kind == ScalarKind::Uint {
            x
        } else {
            builder.add(Expression::As { expr: x, kind: kind.kind, convert: Some(4) })
        };
        let value = builder.splat(value, size);
        builder.push(Statement::Return { value: Some(value) });
        Ok(builder.finish())
    }
}
