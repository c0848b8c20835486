//! The fragment entry point: varyings and built-ins in; colours and depth out.

use naga::{BinaryOperator, Binding, BuiltIn, Expression, Handle, MathFunction, ShaderStage};

use super::entry::Results;
use super::entry_vertex::{varying_binding, vector};
use super::function::FunctionBuilder;
use super::globals::GlobalHome;
use super::types::{BOOL, F32, scalar};
use super::{Result, StageLowering};
use crate::shader::hir::{BuiltinVariable, Scalar};

/// IEEE 754 binary16.
const LARGEST_HALF: f32 = 65504.0;

impl StageLowering<'_> {
    pub(super) fn fragment_entry(&mut self) -> Result<()> {
        let mut builder = FunctionBuilder::new(self, "main");
        builder.varyings_in()?;
        builder.flat_uniforms_in()?;
        builder.fragment_builtins();
        builder.load_driver_builtins()?;
        builder.run_main()?;
        let mut results = Results::default();
        builder.colours(&mut results)?;
        builder.depth(&mut results);
        builder.return_results(results);
        let function = builder.finish();
        self.add_entry(ShaderStage::Fragment, function);
        Ok(())
    }
}

impl FunctionBuilder<'_, '_> {
    fn varyings_in(&mut self) -> Result<()> {
        let linked = self.stage.linked;
        for (index, slot) in linked.varyings.slots.iter().enumerate() {
            let ty = self.stage.vector_type(scalar(slot.kind), slot.components);
            let value = self.argument("varying", ty, varying_binding(index as u32, slot));
            for part in linked.varyings.parts.iter().filter(|part| part.slot == index as u32) {
                let chosen: Vec<u8> = (part.offset..part.offset + part.components).collect();
                let piece = self.swizzle_value(value, slot.components, &chosen);
                let (pointer, _) = self.walk(part.fragment, &part.path)?;
                self.store(pointer, piece);
            }
        }
        Ok(())
    }

    fn fragment_builtins(&mut self) {
        if let Some(variable) = self.stage.builtin(BuiltinVariable::FragCoord) {
            let value = self.builtin_argument("frag_coord", F32, 4, BuiltIn::Position { invariant: false });
            let pointer = self.global(variable);
            self.store(pointer, value);
        }
        if let Some(variable) = self.stage.builtin(BuiltinVariable::FrontFacing) {
            let value = self.builtin_argument("front_facing", BOOL, 1, BuiltIn::FrontFacing);
            let pointer = self.global(variable);
            self.store(pointer, value);
        }
        if let Some(variable) = self.stage.builtin(BuiltinVariable::PointCoord) {
            let value = self.builtin_argument("point_coord", F32, 2, BuiltIn::PointCoord);
            let x = self.add(Expression::AccessIndex { base: value, index: 0 });
            let y = self.add(Expression::AccessIndex { base: value, index: 1 });
            // The device counts rows from row 0, which is GL's bottom; GL's point coordinate grows downwards.
            let one = self.float(1.0);
            let y = self.raw(BinaryOperator::Subtract, one, y);
            let ty = self.stage.vector_type(F32, 2);
            let value = self.add(Expression::Compose { ty, components: vec![x, y] });
            let pointer = self.global(variable);
            self.store(pointer, value);
        }
    }

    fn colours(&mut self, results: &mut Results) -> Result<()> {
        let linked = self.stage.linked;
        let dual = linked.outputs.iter().any(|output| output.index == 1);
        for output in &linked.outputs {
            let ty = self.stage.vector_type(scalar(output.kind), output.components);
            let declared = matches!(self.stage.globals.get(output.global.0 as usize), Some(GlobalHome::Private(_)));
            let value = if declared {
                let path: Vec<u32> = output.element.into_iter().collect();
                let (pointer, _) = self.walk(output.global, &path)?;
                self.load(pointer)
            } else {
                self.zero(&vector(output.kind, output.components))?
            };
            let rounds = self.stage.variant.round_outputs.checked_shr(output.location).unwrap_or(0) & 1 == 1;
            let value = if rounds && output.kind == Scalar::Float {
                self.rounded_to_half(value, output.components)?
            } else {
                value
            };
            let binding = Binding::Location {
                location: output.location,
                interpolation: None,
                sampling: None,
                blend_src: dual.then_some(output.index),
                per_primitive: false,
            };
            results.push("colour", ty, binding, value);
        }
        Ok(())
    }

    /// The nearest half float to each component, as a float; what no half float holds stays as it is.
    fn rounded_to_half(&mut self, value: Handle<Expression>, components: u8) -> Result<Handle<Expression>> {
        let parts: Vec<_> = match components {
            1 => vec![value],
            _ => (0..u32::from(components))
                .map(|index| self.add(Expression::AccessIndex { base: value, index }))
                .collect(),
        };
        let largest = self.float(LARGEST_HALF);
        let ty = self.stage.vector_type(F32, 2);
        let mut rounded = Vec::new();
        // One by one, as first component: lavapipe of Mesa 25.0 cuts the second one off instead of rounding it.
        for part in parts {
            let both = self.add(Expression::Compose { ty, components: vec![part, part] });
            let packed = self.math(MathFunction::Pack2x16float, &[both]);
            let near = self.math(MathFunction::Unpack2x16float, &[packed]);
            let near = self.add(Expression::AccessIndex { base: near, index: 0 });
            let size = self.math(MathFunction::Abs, &[part]);
            let condition = self.raw(BinaryOperator::Less, size, largest);
            rounded.push(self.add(Expression::Select { condition, accept: near, reject: part }));
        }
        match (rounded.as_slice(), components) {
            ([one], 1) => Ok(*one),
            _ => {
                let ty = self.stage.vector_type(F32, components);
                Ok(self.add(Expression::Compose { ty, components: rounded }))
            }
        }
    }

    fn depth(&mut self, results: &mut Results) {
        if !self.stage.shader.writes_frag_depth {
            return;
        }
        let Some(variable) = self.stage.builtin(BuiltinVariable::FragDepth) else { return };
        let pointer = self.global(variable);
        let value = self.load(pointer);
        let low = self.float(0.0);
        let high = self.float(1.0);
        let value = self.math(MathFunction::Clamp, &[value, low, high]);
        let ty = self.stage.scalar_type(F32);
        results.push("depth", ty, Binding::BuiltIn(BuiltIn::FragDepth), value);
    }
}
