//! The vertex entry point: attributes in; position, point size, clip distances and varyings out.
//!
//! GL's clip space becomes the back end's here: y is negated, so that row 0 of every image is GL's bottom row, and
//! z goes from −w..w to 0..w (EXT_clip_control selects variants without one or the other).

use naga::{BinaryOperator, Binding, BuiltIn, Expression, Handle, Interpolation, MathFunction, Sampling, ShaderStage};

use super::entry::{Results, location};
use super::function::FunctionBuilder;
use super::globals::{DriverMember, GlobalHome};
use super::types::{F32, I32, U32, scalar};
use super::{Result, StageLowering};
use crate::shader::hir::{BuiltinVariable, Scalar, Type};
use crate::shader::link::VaryingSlot;
use crate::shader::link::types::register_shape;
use crate::shader::program::VariableType;

/// How a slot is interpolated; both stages say the same.
pub(super) fn varying_binding(index: u32, slot: &VaryingSlot) -> Binding {
    let (interpolation, sampling) = if slot.flat {
        (Interpolation::Flat, None)
    } else {
        let sampling = if slot.centroid { Sampling::Centroid } else { Sampling::Center };
        (Interpolation::Perspective, Some(sampling))
    };
    Binding::Location {
        location: index,
        interpolation: Some(interpolation),
        sampling,
        blend_src: None,
        per_primitive: false,
    }
}

impl StageLowering<'_> {
    pub(super) fn vertex_entry(&mut self) -> Result<()> {
        let mut builder = FunctionBuilder::new(self, "main");
        builder.attributes()?;
        let indices = builder.vertex_indices()?;
        builder.load_driver_builtins()?;
        builder.run_main()?;
        let mut results = Results::default();
        if builder.stage.positions.is_some() {
            builder.store_position(indices)?;
            builder.nowhere(&mut results);
            builder.return_results(results);
            let function = builder.finish();
            self.add_entry(ShaderStage::Vertex, function);
            return Ok(());
        }
        builder.capture_feedback(indices)?;
        let place = builder.position(&mut results);
        builder.point_size(&mut results)?;
        builder.clip_distances(&mut results, place)?;
        builder.varyings_out(&mut results)?;
        builder.flat_uniforms_out(&mut results);
        builder.return_results(results);
        let function = builder.finish();
        self.add_entry(ShaderStage::Vertex, function);
        Ok(())
    }
}

/// What Vulkan promises of devices that have any (`maxClipDistances`).
const MOST_CLIP_DISTANCES: usize = 8;

/// `VertexIndex` and `InstanceIndex` as the device gives them, if something needs them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Indices {
    pub vertex: Option<Handle<Expression>>,
    pub instance: Option<Handle<Expression>>,
}

impl FunctionBuilder<'_, '_> {
    fn attributes(&mut self) -> Result<()> {
        let linked = self.stage.linked;
        for attribute in &linked.attributes {
            let name = self.stage.shader.globals.get(attribute.global.0 as usize).map_or("", |g| g.name.as_str());
            let (columns, size) = register_shape(attribute.ty);
            let matrix = matches!(attribute.ty, VariableType::Matrix { .. });
            for column in 0..columns {
                let at = attribute.location + column;
                let path = if matrix { vec![column] } else { Vec::new() };
                let value = self.attribute(name, at, attribute.ty, size as u8);
                let (pointer, _) = self.walk(attribute.global, &path)?;
                self.store(pointer, value);
            }
        }
        Ok(())
    }

    /// One location, converted if the variant feeds integers to a float attribute.
    fn attribute(&mut self, name: &str, at: u32, ty: VariableType, size: u8) -> Handle<Expression> {
        let kind = crate::shader::link::types::scalar_of(ty);
        let declared = self.stage.variant.attribute_kind(kind, at);
        let naga_ty = self.stage.vector_type(scalar(declared), size);
        let value = self.argument(name, naga_ty, location(at));
        self.convert(value, declared, kind)
    }

    fn vertex_indices(&mut self) -> Result<Indices> {
        let mut indices = Indices::default();
        let capture = self.stage.positions.is_some()
            || self.stage.variant.capture_feedback && !self.stage.linked.feedback.captures.is_empty();
        let vertex_id = self.stage.builtin(BuiltinVariable::VertexId);
        let instance_id = self.stage.builtin(BuiltinVariable::InstanceId);
        if vertex_id.is_some() || capture {
            let raw = self.builtin_argument("vertex_index", U32, 1, BuiltIn::VertexIndex);
            indices.vertex = Some(self.bitcast(raw, I32.kind));
        }
        if instance_id.is_some() || capture {
            let raw = self.builtin_argument("instance_index", U32, 1, BuiltIn::InstanceIndex);
            let mut value = self.bitcast(raw, I32.kind);
            if self.stage.variant.base_instance && self.stage.driver.is_some() {
                let base = self.driver(DriverMember::BaseInstance, 0)?;
                value = self.raw(BinaryOperator::Subtract, value, base);
            }
            indices.instance = Some(value);
        }
        for (variable, value) in [(vertex_id, indices.vertex), (instance_id, indices.instance)] {
            if let (Some(variable), Some(value)) = (variable, value) {
                let pointer = self.global(variable);
                self.store(pointer, value);
            }
        }
        Ok(indices)
    }

    /// x, y and w of the position come back.
    fn position(&mut self, results: &mut Results) -> [Handle<Expression>; 3] {
        let ty = self.stage.vector_type(F32, 4);
        let variant = self.stage.variant;
        let value = match self.stage.builtin(BuiltinVariable::Position) {
            Some(variable) => {
                let pointer = self.global(variable);
                self.load(pointer)
            }
            None => self.pre(Expression::ZeroValue(ty)),
        };
        let mut component = |index| self.add(Expression::AccessIndex { base: value, index });
        let (x, mut y, mut z, w) = (component(0), component(1), component(2), component(3));
        if !variant.upper_left {
            y = self.add(Expression::Unary { op: naga::UnaryOperator::Negate, expr: y });
        }
        if !variant.zero_to_one {
            let sum = self.raw(BinaryOperator::Add, z, w);
            let half = self.float(0.5);
            z = self.raw(BinaryOperator::Multiply, sum, half);
        }
        let value = self.add(Expression::Compose { ty, components: vec![x, y, z, w] });
        // Invariant, so that passes of different programs over the same geometry agree on depth.
        results.push("position", ty, Binding::BuiltIn(BuiltIn::Position { invariant: true }), value);
        [x, y, w]
    }

    /// Clamped to what the implementation allows. Without `gl_PointSize` the SPIR-V writer adds size 1.
    fn point_size(&mut self, results: &mut Results) -> Result<()> {
        let Some(variable) = self.stage.builtin(BuiltinVariable::PointSize) else { return Ok(()) };
        let pointer = self.global(variable);
        let size = self.load(pointer);
        let low = self.float(1.0);
        let high = self.float(self.stage.linked.max_point_size.max(1.0));
        let value = self.math(MathFunction::Clamp, &[size, low, high]);
        let ty = self.stage.scalar_type(F32);
        results.push("point_size", ty, Binding::BuiltIn(BuiltIn::PointSize), value);
        self.note_large_point(size, high)
    }

    /// The program's distances, and those of the sides if the variant clips there.
    fn clip_distances(&mut self, results: &mut Results, [x, y, w]: [Handle<Expression>; 3]) -> Result<()> {
        let mut components = self.own_clip_distances();
        if self.stage.variant.clip_sides && components.len() + 4 <= MOST_CLIP_DISTANCES {
            // Twice the picture: what is cut there is out of sight, however wide the line.
            let two = self.float(2.0);
            let reach = self.raw(BinaryOperator::Multiply, w, two);
            for along in [x, y] {
                components.push(self.raw(BinaryOperator::Add, reach, along));
                components.push(self.raw(BinaryOperator::Subtract, reach, along));
            }
        }
        if components.is_empty() {
            return Ok(());
        }
        let float = self.stage.scalar_type(F32);
        let ty = self.stage.plain_array(float, components.len() as u32, 4)?;
        let value = self.add(Expression::Compose { ty, components });
        results.push("clip_distances", ty, Binding::BuiltIn(BuiltIn::ClipDistances), value);
        Ok(())
    }

    /// Distances of disabled planes are zero, which clips nothing.
    fn own_clip_distances(&mut self) -> Vec<Handle<Expression>> {
        let enabled = self.stage.variant.clip_distances;
        let Some(variable) = self.stage.builtin(BuiltinVariable::ClipDistance) else { return Vec::new() };
        if enabled == 0 {
            return Vec::new();
        }
        let written = self
            .stage
            .shader
            .globals
            .iter()
            .find_map(|g| match (&g.storage, &g.ty) {
                (crate::shader::hir::Storage::Builtin(BuiltinVariable::ClipDistance), Type::Array(_, len)) => {
                    Some(*len)
                }
                _ => None,
            })
            .unwrap_or(0);
        let count = 8 - enabled.leading_zeros();
        let base = self.global(variable);
        let zero = self.float(0.0);
        let mut components = Vec::new();
        for index in 0..count {
            components.push(if enabled >> index & 1 == 1 && index < written {
                let pointer = self.add(Expression::AccessIndex { base, index });
                self.load(pointer)
            } else {
                zero
            });
        }
        components
    }

    fn varyings_out(&mut self, results: &mut Results) -> Result<()> {
        let linked = self.stage.linked;
        for (index, slot) in linked.varyings.slots.iter().enumerate() {
            let mut components = Vec::new();
            for part in linked.varyings.parts.iter().filter(|part| part.slot == index as u32) {
                let declared = matches!(self.stage.globals.get(part.vertex.0 as usize), Some(GlobalHome::Private(_)));
                if declared {
                    let (pointer, _) = self.walk(part.vertex, &part.path)?;
                    components.push(self.load(pointer));
                } else {
                    // Declared by the vertex shader but never written: undefined in GL, zero here.
                    components.push(self.zero(&vector(slot.kind, part.components))?);
                }
            }
            let ty = self.stage.vector_type(scalar(slot.kind), slot.components);
            let value = match components.as_slice() {
                [only] => *only,
                _ => self.add(Expression::Compose { ty, components }),
            };
            results.push("varying", ty, varying_binding(index as u32, slot), value);
        }
        Ok(())
    }
}

pub(super) fn vector(kind: Scalar, components: u8) -> Type {
    if components == 1 { Type::Scalar(kind) } else { Type::Vector(kind, components) }
}
