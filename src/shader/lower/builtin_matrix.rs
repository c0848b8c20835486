//! Matrix functions naga lacks or types differently.

use naga::{BinaryOperator, Expression, Handle};

use super::function::FunctionBuilder;
use super::globals::vector_of;
use super::{Result, internal};
use crate::shader::hir::{Expr, Type};

impl FunctionBuilder<'_, '_> {
    pub(super) fn component_multiply(
        &mut self,
        ty: &Type,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Result<Handle<Expression>> {
        let Type::Matrix { columns, rows } = *ty else { return Err(internal("matrixCompMult of no matrix")) };
        self.per_column((columns, rows), |b, index| {
            let l = b.add(Expression::AccessIndex { base: left, index });
            let r = b.add(Expression::AccessIndex { base: right, index });
            Ok(b.raw(BinaryOperator::Multiply, l, r))
        })
    }

    /// `outerProduct(c, r)`: columns are `c` scaled by the components of `r`.
    pub(super) fn outer_product(
        &mut self,
        column: Handle<Expression>,
        (row, arguments): (Handle<Expression>, &[Expr]),
    ) -> Result<Handle<Expression>> {
        let [c, r] = arguments else { return Err(internal("outerProduct takes two arguments")) };
        let (Some((_, rows)), Some((_, columns))) = (vector_of(&c.ty), vector_of(&r.ty)) else {
            return Err(internal("outerProduct of something that is no vector"));
        };
        self.per_column((columns, rows), |b, index| {
            let factor = b.add(Expression::AccessIndex { base: row, index });
            Ok(b.raw(BinaryOperator::Multiply, column, factor))
        })
    }
}
