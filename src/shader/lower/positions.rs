//! The vertex stage that draws nothing: it stores `gl_Position` as the program wrote it (see `PositionBlock`).

use naga::{AddressSpace, BinaryOperator, Binding, BuiltIn, Expression, ScalarKind, StructMember};

use super::entry::Results;
use super::entry_vertex::Indices;
use super::function::FunctionBuilder;
use super::types::{F32, I32};
use super::{Result, internal};
use crate::shader::hir::BuiltinVariable;
use crate::shader::program::GROUP_FEEDBACK;

impl FunctionBuilder<'_, '_> {
    /// Stores the position, before the clip space is adjusted.
    pub(super) fn store_position(&mut self, indices: Indices) -> Result<()> {
        let (Some(vertex), Some(instance)) = (indices.vertex, indices.instance) else {
            return Err(internal("positions without vertex index"));
        };
        let Some(position) = self.stage.builtin(BuiltinVariable::Position) else { return Ok(()) };

        let int = self.stage.scalar_type(I32);
        let members = ["first_vertex", "vertices", "first_instance", "base"].iter().enumerate();
        let members = members
            .map(|(at, name)| StructMember {
                name: Some((*name).into()),
                ty: int,
                binding: None,
                offset: 4 * at as u32,
            })
            .collect();
        let block = self.stage.struct_type("PositionBlock", members, 16);
        let block = self.stage.resource("place", AddressSpace::Uniform, (GROUP_FEEDBACK, 1), block);
        let float4 = self.stage.vector_type(F32, 4);
        let records = self.stage.runtime_array(float4, 16);
        let records = self.stage.writable("positions", 0, records);

        let block = self.global(block);
        let mut member = |index| {
            let pointer = self.add(Expression::AccessIndex { base: block, index });
            self.load(pointer)
        };
        let (first, vertices, first_instance, base) = (member(0), member(1), member(2), member(3));
        let mut int = |op, left, right| self.raw(op, left, right);
        let vertex = int(BinaryOperator::Subtract, vertex, first);
        let instance = int(BinaryOperator::Subtract, instance, first_instance);
        let before = int(BinaryOperator::Multiply, instance, vertices);
        let record = int(BinaryOperator::Add, vertex, before);
        let record = int(BinaryOperator::Add, record, base);
        let record = self.bitcast(record, ScalarKind::Uint);

        let records = self.global(records);
        let length = self.add(Expression::ArrayLength(records));
        let condition = self.raw(BinaryOperator::Less, record, length);
        self.when(condition, |b| {
            let value = b.global(position);
            let value = b.load(value);
            let place = b.add(Expression::Access { base: records, index: record });
            b.store(place, value);
            Ok(())
        })
    }

    /// A position outside of every view.
    pub(super) fn nowhere(&mut self, results: &mut Results) {
        let ty = self.stage.vector_type(F32, 4);
        let (outside, one) = (self.float(2.0), self.float(1.0));
        let value = self.add(Expression::Compose { ty, components: vec![outside, outside, outside, one] });
        results.push("position", ty, Binding::BuiltIn(BuiltIn::Position { invariant: false }), value);
    }
}
