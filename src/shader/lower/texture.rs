//! Texture lookups (GLSL ES 3.00 §8.8) as naga image operations.

use naga::{BinaryOperator, Expression, Handle, ImageQuery, MathFunction, SampleLevel, ScalarKind};

use super::function::FunctionBuilder;
use super::globals::vector_of;
use super::texture_intrinsic::{Intrinsic, IntrinsicLevel};
use super::{Result, ShaderError, internal};
use crate::shader::builtins::BuiltinFunction;
use crate::shader::hir::{Constant, Expr, ExprKind, SamplerDimension, SamplerType, Scalar, Stage, Type};

/// Where the level of detail comes from, as an argument position.
#[derive(Clone, Copy, Debug, PartialEq)]
enum LevelArgument {
    /// Bias at this position if the call has it.
    Implicit(usize),
    Lod(usize),
    /// x derivative; y follows.
    Grad(usize),
}

/// The shape of a lookup function.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shape {
    projected: bool,
    level: LevelArgument,
    offset: Option<usize>,
}

fn shape(function: BuiltinFunction) -> Option<Shape> {
    use BuiltinFunction as B;
    use LevelArgument::{Grad, Implicit, Lod};
    let (projected, level, offset) = match function {
        B::Texture => (false, Implicit(2), None),
        B::TextureProj => (true, Implicit(2), None),
        B::TextureLod => (false, Lod(2), None),
        B::TextureOffset => (false, Implicit(3), Some(2)),
        B::TextureProjOffset => (true, Implicit(3), Some(2)),
        B::TextureLodOffset => (false, Lod(2), Some(3)),
        B::TextureProjLod => (true, Lod(2), None),
        B::TextureProjLodOffset => (true, Lod(2), Some(3)),
        B::TextureGrad => (false, Grad(2), None),
        B::TextureGradOffset => (false, Grad(2), Some(4)),
        B::TextureProjGrad => (true, Grad(2), None),
        B::TextureProjGradOffset => (true, Grad(2), Some(4)),
        _ => return None,
    };
    Some(Shape { projected, level, offset })
}

/// Evaluated level of detail.
#[derive(Clone, Copy, Debug)]
enum Level {
    Implicit,
    Bias(Handle<Expression>),
    Lod(Handle<Expression>),
    Grad(Handle<Expression>, Handle<Expression>),
}

/// Coordinates of a lookup, taken apart.
#[derive(Clone, Copy, Debug)]
struct Coordinates {
    /// Two or three components, without layer.
    position: Handle<Expression>,
    layer: Option<Handle<Expression>>,
    reference: Option<Handle<Expression>>,
}

fn position_size(dimension: SamplerDimension) -> u8 {
    match dimension {
        SamplerDimension::D2 | SamplerDimension::D2Array => 2,
        SamplerDimension::D3 | SamplerDimension::Cube => 3,
    }
}

fn sampler_of(expr: &Expr) -> Result<SamplerType> {
    match expr.ty {
        Type::Sampler(sampler) => Ok(sampler),
        _ => Err(internal("texture function without sampler")),
    }
}

impl FunctionBuilder<'_, '_> {
    pub(super) fn texture_function(
        &mut self,
        function: BuiltinFunction,
        arguments: &[Expr],
        result: &Type,
    ) -> Result<Handle<Expression>> {
        let (sampler, rest) = arguments.split_first().ok_or_else(|| internal("texture function without arguments"))?;
        let sampler_type = sampler_of(sampler)?;
        let opaque = self.opaque(sampler)?;
        let offset_at = match function {
            BuiltinFunction::TexelFetchOffset => Some(3),
            _ => shape(function).and_then(|s| s.offset),
        };
        let mut values = Vec::with_capacity(arguments.len());
        for (position, argument) in rest.iter().enumerate() {
            // Offsets are constant expressions and used as such.
            values.push(if Some(position + 1) == offset_at { None } else { Some(self.value(argument)?) });
        }
        let get = |position: usize| values.get(position - 1).copied().flatten();
        let offset = match offset_at {
            Some(position) => Some(constant_offset(arguments.get(position))?),
            None => None,
        };
        let value = match function {
            BuiltinFunction::TextureSize => {
                self.with_slot(&opaque, result, &mut |b, slot| b.texture_size(slot, sampler_type, get(1)).map(Some))?
            }
            BuiltinFunction::TexelFetch | BuiltinFunction::TexelFetchOffset => {
                let mut position = get(1).ok_or_else(|| internal("texelFetch without coordinates"))?;
                let level = get(2).ok_or_else(|| internal("texelFetch without level"))?;
                if let Some(offset) = &offset {
                    position = self.add_texel_offset(position, sampler_type, offset)?;
                }
                self.with_slot(&opaque, result, &mut |b, slot| b.fetch(slot, sampler_type, position, level).map(Some))?
            }
            _ => {
                let shape = shape(function).ok_or_else(|| internal("unknown texture function"))?;
                let p = get(1).ok_or_else(|| internal("texture lookup without coordinates"))?;
                let size = rest.first().and_then(|e| vector_of(&e.ty)).map_or(2, |(_, size)| size);
                let coordinates = self.coordinates(sampler_type, p, size, shape.projected);
                let level = self.level(shape.level, &get)?;
                self.with_slot(&opaque, result, &mut |b, slot| {
                    b.sample(slot, sampler_type, coordinates, level, offset.as_deref()).map(Some)
                })?
            }
        };
        value.ok_or_else(|| internal("texture function without result"))
    }

    fn level(&mut self, argument: LevelArgument, get: &dyn Fn(usize) -> Option<Handle<Expression>>) -> Result<Level> {
        let missing = || internal("texture lookup without level");
        Ok(match argument {
            // Outside fragment shaders there are no derivatives: the base level (§8.8).
            LevelArgument::Implicit(_) if self.stage.shader.stage == Stage::Vertex => Level::Lod(self.float(0.0)),
            LevelArgument::Implicit(position) => match get(position) {
                Some(bias) => Level::Bias(bias),
                None => Level::Implicit,
            },
            LevelArgument::Lod(position) => Level::Lod(get(position).ok_or_else(missing)?),
            LevelArgument::Grad(position) => {
                Level::Grad(get(position).ok_or_else(missing)?, get(position + 1).ok_or_else(missing)?)
            }
        })
    }

    fn component(&mut self, vector: Handle<Expression>, index: u8) -> Handle<Expression> {
        self.add(Expression::AccessIndex { base: vector, index: u32::from(index) })
    }

    /// Takes P apart: position, layer, reference; divides by its last component if projected.
    fn coordinates(&mut self, sampler: SamplerType, p: Handle<Expression>, size: u8, projected: bool) -> Coordinates {
        let count = position_size(sampler.dimension);
        let identity = [0u8, 1, 2, 3];
        let mut position = self.swizzle_value(p, size, identity.get(..usize::from(count)).unwrap_or(&identity));
        let mut next = count;
        let layer = (sampler.dimension == SamplerDimension::D2Array).then(|| {
            next += 1;
            self.component(p, next - 1)
        });
        let mut reference = sampler.shadow.then(|| self.component(p, next));
        if projected {
            let q = self.component(p, size - 1);
            let divisor = self.splat(q, count);
            position = self.raw(BinaryOperator::Divide, position, divisor);
            reference = reference.map(|left| self.raw(BinaryOperator::Divide, left, q));
        }
        Coordinates { position, layer, reference }
    }

    fn sample(
        &mut self,
        slot: u32,
        sampler: SamplerType,
        coordinates: Coordinates,
        level: Level,
        offset: Option<&[i32]>,
    ) -> Result<Handle<Expression>> {
        let native = if sampler.shadow {
            matches!(level, Level::Implicit) || self.is_zero_literal(level)
        } else {
            sampler.sampled == Scalar::Float
        };
        if !native {
            return self.sample_intrinsic(slot, sampler, coordinates, level, offset);
        }
        let variables = self.stage.texture(slot)?;
        let image = self.global(variables.image);
        let sampler_handle = self.global(variables.sampler);
        let offset = match offset {
            Some(values) => {
                let constants: Vec<Constant> = values.iter().copied().map(Constant::Int).collect();
                Some(self.constant(&Type::Vector(Scalar::Int, values.len() as u8), &constants)?)
            }
            None => None,
        };
        let array_index = coordinates.layer.map(|layer| self.layer_index(layer));
        let level = match level {
            Level::Implicit => SampleLevel::Auto,
            Level::Bias(bias) => SampleLevel::Bias(bias),
            Level::Lod(_) if sampler.shadow => SampleLevel::Zero,
            Level::Lod(lod) => SampleLevel::Exact(lod),
            Level::Grad(x, y) => SampleLevel::Gradient { x, y },
        };
        Ok(self.add(Expression::ImageSample {
            image,
            sampler: sampler_handle,
            gather: None,
            coordinate: coordinates.position,
            array_index,
            offset,
            level,
            depth_ref: coordinates.reference,
            clamp_to_edge: false,
        }))
    }

    fn is_zero_literal(&self, level: Level) -> bool {
        matches!(level, Level::Lod(lod) if self.function.expressions[lod] == Expression::Literal(naga::Literal::F32(0.0)))
    }

    /// Layer `floor(layer + 0.5)` as an integer, not below zero (GLSL ES 3.00 §8.8).
    fn layer_index(&mut self, layer: Handle<Expression>) -> Handle<Expression> {
        let half = self.float(0.5);
        let shifted = self.raw(BinaryOperator::Add, layer, half);
        let zero = self.float(0.0);
        let positive = self.math(MathFunction::Max, &[shifted, zero]);
        self.add(Expression::As { expr: positive, kind: ScalarKind::Sint, convert: Some(4) })
    }

    fn sample_intrinsic(
        &mut self,
        slot: u32,
        sampler: SamplerType,
        coordinates: Coordinates,
        level: Level,
        offset: Option<&[i32]>,
    ) -> Result<Handle<Expression>> {
        let (kind, extra): (IntrinsicLevel, Vec<Handle<Expression>>) = match level {
            Level::Implicit => (IntrinsicLevel::Implicit, Vec::new()),
            Level::Bias(bias) => (IntrinsicLevel::Bias, vec![bias]),
            Level::Lod(lod) => (IntrinsicLevel::Lod, vec![lod]),
            Level::Grad(x, y) => (IntrinsicLevel::Grad, vec![x, y]),
        };
        let coordinate = match coordinates.layer {
            Some(layer) => self.compose_vector(Scalar::Float, 3, vec![coordinates.position, layer])?,
            None => coordinates.position,
        };
        let intrinsic = Intrinsic { slot, sampler, level: kind, offset: offset.map(<[i32]>::to_vec) };
        let function = self.stage.intrinsic(intrinsic)?;
        let mut arguments = vec![coordinate];
        arguments.extend(coordinates.reference);
        arguments.extend(extra);
        let result = self.pre(Expression::CallResult(function));
        self.push(naga::Statement::Call { function, arguments, result: Some(result) });
        Ok(result)
    }

    fn texture_size(
        &mut self,
        slot: u32,
        sampler: SamplerType,
        level: Option<Handle<Expression>>,
    ) -> Result<Handle<Expression>> {
        let variables = self.stage.texture(slot)?;
        let image = self.global(variables.image);
        // Levels are small; a literal out of range could be taken for the mark of an intrinsic.
        let level = match level {
            Some(level) => match self.function.expressions[level] {
                Expression::Literal(naga::Literal::I32(v)) => Some(self.int(v.clamp(0, 31))),
                _ => Some(level),
            },
            None => Some(self.int(0)),
        };
        let size = self.add(Expression::ImageQuery { image, query: ImageQuery::Size { level } });
        let mut size = self.add(Expression::As { expr: size, kind: ScalarKind::Sint, convert: Some(4) });
        if sampler.dimension == SamplerDimension::D2Array {
            let layers = self.add(Expression::ImageQuery { image, query: ImageQuery::NumLayers });
            let layers = self.add(Expression::As { expr: layers, kind: ScalarKind::Sint, convert: Some(4) });
            let ty = self.stage.vector_type(super::types::I32, 3);
            size = self.add(Expression::Compose { ty, components: vec![size, layers] });
        }
        Ok(size)
    }

    fn add_texel_offset(
        &mut self,
        position: Handle<Expression>,
        sampler: SamplerType,
        offset: &[i32],
    ) -> Result<Handle<Expression>> {
        let mut constants: Vec<Constant> = offset.iter().copied().map(Constant::Int).collect();
        // The layer has no offset.
        if sampler.dimension == SamplerDimension::D2Array {
            constants.push(Constant::Int(0));
        }
        let right = self.constant(&Type::Vector(Scalar::Int, constants.len() as u8), &constants)?;
        Ok(self.raw(BinaryOperator::Add, position, right))
    }

    fn fetch(
        &mut self,
        slot: u32,
        sampler: SamplerType,
        position: Handle<Expression>,
        level: Handle<Expression>,
    ) -> Result<Handle<Expression>> {
        let variables = self.stage.texture(slot)?;
        let image = self.global(variables.image);
        let (coordinate, array_index) = if sampler.dimension == SamplerDimension::D2Array {
            (self.swizzle_value(position, 3, &[0, 1]), Some(self.component(position, 2)))
        } else {
            (position, None)
        };
        Ok(self.add(Expression::ImageLoad { image, coordinate, array_index, sample: None, level: Some(level) }))
    }
}

fn constant_offset(argument: Option<&Expr>) -> Result<Vec<i32>> {
    let Some(ExprKind::Constant(values)) = argument.map(|a| &a.kind) else {
        return Err(ShaderError::Unsupported("texture offsets that are not constant".into()));
    };
    values
        .iter()
        .map(|value| match value {
            Constant::Int(v) => Ok(*v),
            _ => Err(internal("texture offset is not an integer")),
        })
        .collect()
}
