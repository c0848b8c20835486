//! Uniforms as flat varyings: the vertex stage hands rows of the fragment stage's default block on, the fragment stage
//! takes its uniforms out of them (see `link::flat`).

use naga::{AddressSpace, ArraySize, Binding, Expression, Handle, TypeInner};

use super::entry::Results;
use super::entry_vertex::varying_binding;
use super::function::FunctionBuilder;
use super::globals::GlobalHome;
use super::types::{U32, scalar};
use super::{Result, internal};
use crate::shader::hir::{Scalar, Type};
use crate::shader::link::types::{contains_data, fields};
use crate::shader::link::{VaryingSlot, std140};
use crate::shader::program::GROUP_UNIFORMS;

/// Bytes of a row.
const ROW: u32 = 16;

fn flat(location: u32) -> Binding {
    varying_binding(location, &VaryingSlot { kind: Scalar::Uint, components: 4, flat: true, centroid: false })
}

impl FunctionBuilder<'_, '_> {
    /// Vertex stage: the rows, as they are.
    pub(super) fn flat_uniforms_out(&mut self, results: &mut Results) {
        let linked = self.stage.linked;
        if linked.flat.rows.is_empty() {
            return;
        }
        let row = self.stage.vector_type(U32, 4);
        let count = linked.fragment_uniforms.size / ROW;
        let Some(size) = std::num::NonZeroU32::new(count) else { return };
        let rows = self.stage.module.types.insert(
            naga::Type {
                name: None,
                inner: TypeInner::Array { base: row, size: ArraySize::Constant(size), stride: ROW },
            },
            naga::Span::UNDEFINED,
        );
        let member = naga::StructMember { name: Some("rows".into()), ty: rows, binding: None, offset: 0 };
        let block = self.stage.struct_type("FragmentRows", vec![member], count * ROW);
        let binding = (GROUP_UNIFORMS, self.stage.fragment_block_binding());
        let block = self.stage.resource("fragment_rows", AddressSpace::Uniform, binding, block);
        let base = self.global(block);
        let base = self.add(Expression::AccessIndex { base, index: 0 });
        for (location, index) in (linked.varyings.slots.len() as u32..).zip(&linked.flat.rows) {
            let pointer = self.add(Expression::AccessIndex { base, index: *index });
            let value = self.load(pointer);
            results.push("row", row, flat(location), value);
        }
    }

    /// Fragment stage: the rows back into uniforms.
    pub(super) fn flat_uniforms_in(&mut self) -> Result<()> {
        let linked = self.stage.linked;
        let row = self.stage.vector_type(U32, 4);
        let rows: Vec<_> = (linked.varyings.slots.len() as u32..)
            .zip(&linked.flat.rows)
            .map(|(location, _)| self.argument("row", row, flat(location)))
            .collect();
        for (id, offset) in &linked.fragment_uniforms.members {
            if !linked.flat.contains(*id) {
                continue;
            }
            let Some(GlobalHome::Private(variable)) = self.stage.globals.get(id.0 as usize) else {
                return Err(internal("flat uniform without a variable"));
            };
            let pointer = self.global(*variable);
            let ty = self.stage.global_type(*id)?.clone();
            let value = self.value_in_rows(&rows, &ty, *offset)?;
            self.store(pointer, value);
        }
        Ok(())
    }

    /// The value of type `ty` that lies at `offset` of the block.
    fn value_in_rows(&mut self, rows: &[Handle<Expression>], ty: &Type, offset: u32) -> Result<Handle<Expression>> {
        let parts: Vec<(Type, u32)> = match ty {
            Type::Scalar(kind) => return self.word(rows, *kind, offset),
            Type::Vector(kind, size) => {
                (0..u32::from(*size)).map(|index| (Type::Scalar(*kind), offset + 4 * index)).collect()
            }
            Type::Matrix { columns, rows } => (0..u32::from(*columns))
                .map(|index| (Type::Vector(Scalar::Float, *rows), offset + ROW * index))
                .collect(),
            Type::Array(element, len) => {
                let stride = std140::array_stride(self.stage.shader, ty, false);
                (0..*len).map(|index| ((**element).clone(), offset + stride * index)).collect()
            }
            Type::Struct(id) => {
                let shader = self.stage.shader;
                let members = fields(shader, *id);
                let (offsets, _) = std140::struct_layout(shader, members, false);
                let data = members.iter().zip(offsets).filter(|(field, _)| contains_data(shader, &field.ty));
                data.map(|(field, at)| (field.ty.clone(), offset + at)).collect()
            }
            Type::Sampler(_) | Type::Void => return Err(internal("flat uniform without a value")),
        };
        let mut components = Vec::with_capacity(parts.len());
        for (part, at) in parts {
            components.push(self.value_in_rows(rows, &part, at)?);
        }
        let ty = self.stage.value_type(ty)?;
        Ok(self.add(Expression::Compose { ty, components }))
    }

    fn word(&mut self, rows: &[Handle<Expression>], kind: Scalar, offset: u32) -> Result<Handle<Expression>> {
        let place = self.stage.linked.flat.place(offset / ROW);
        let row = place.and_then(|place| rows.get(place)).ok_or_else(|| internal("flat uniform without its row"))?;
        let word = self.add(Expression::AccessIndex { base: *row, index: offset % ROW / 4 });
        Ok(match kind {
            Scalar::Uint => word,
            Scalar::Bool => {
                let zero = self.uint(0);
                self.raw(naga::BinaryOperator::NotEqual, word, zero)
            }
            _ => self.bitcast(word, scalar(kind).kind),
        })
    }
}
