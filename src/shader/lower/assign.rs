//! Stores: assignment, compound assignment, increment.

use naga::{Expression, Handle};

use super::access::Place;
use super::function::FunctionBuilder;
use super::globals::vector_of;
use super::{Result, internal};
use crate::shader::hir::{BinaryOp, Constant, Expr, Scalar, Type};

impl FunctionBuilder<'_, '_> {
    /// Assigns and gives the target's new value.
    pub(super) fn assign(&mut self, op: Option<BinaryOp>, target: &Expr, value: &Expr) -> Result<Handle<Expression>> {
        let place = self.place(target)?;
        let new = match op {
            None => self.value(value)?,
            Some(op) => {
                let right = self.value(value)?;
                let left = self.load_place(&place, &target.ty)?;
                self.binary(op, (left, &target.ty), (right, &value.ty))?
            }
        };
        self.store_place(&place, new);
        Ok(new)
    }

    pub(super) fn store_place(&mut self, place: &Place, value: Handle<Expression>) {
        let Some((components, _, size)) = &place.swizzle else {
            self.store(place.pointer, value);
            return;
        };
        // All components in some order: one store.
        if components.len() == usize::from(*size) && *size > 1 {
            let mut inverse = vec![0u8; usize::from(*size)];
            for (from, to) in components.iter().enumerate() {
                if let Some(slot) = inverse.get_mut(usize::from(*to)) {
                    *slot = from as u8;
                }
            }
            let whole = self.swizzle_value(value, *size, &inverse);
            self.store(place.pointer, whole);
            return;
        }
        let single = components.len() == 1;
        for (from, to) in components.clone().iter().enumerate() {
            let part =
                if single { value } else { self.add(Expression::AccessIndex { base: value, index: from as u32 }) };
            let pointer = if *size == 1 {
                place.pointer
            } else {
                self.add(Expression::AccessIndex { base: place.pointer, index: u32::from(*to) })
            };
            self.store(pointer, part);
        }
    }

    pub(super) fn increment(&mut self, target: &Expr, decrement: bool, prefix: bool) -> Result<Handle<Expression>> {
        let place = self.place(target)?;
        let old = self.load_place(&place, &target.ty)?;
        let scalar = match &target.ty {
            Type::Matrix { .. } => Scalar::Float,
            ty => vector_of(ty).ok_or_else(|| internal("increment of something that is no number"))?.0,
        };
        let one = match scalar {
            Scalar::Float => Constant::Float(1.0),
            Scalar::Uint => Constant::Uint(1),
            _ => Constant::Int(1),
        };
        let one_type = Type::Scalar(scalar);
        let one = self.constant(&one_type, &[one])?;
        let op = if decrement { BinaryOp::Subtract } else { BinaryOp::Add };
        let new = self.binary(op, (old, &target.ty), (one, &one_type))?;
        self.store_place(&place, new);
        Ok(if prefix { new } else { old })
    }
}
