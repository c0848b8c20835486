//! Expressions: dispatch, and the ones that decide what is evaluated at all.

use naga::{Expression, Handle, MathFunction, Statement, UnaryOperator};

use super::analysis::may_be_eager;
use super::function::FunctionBuilder;
use super::types::vector_size;
use super::{Result, internal};
use crate::shader::hir::{BinaryOp, Expr, ExprKind, Scalar, Type, UnaryOp};

impl FunctionBuilder<'_, '_> {
    /// Evaluates an expression here: its value.
    pub(super) fn value(&mut self, expr: &Expr) -> Result<Handle<Expression>> {
        match &expr.kind {
            ExprKind::Constant(values) => self.constant(&expr.ty, values),
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::BlockMember { .. }
            | ExprKind::Field { .. }
            | ExprKind::Swizzle { .. }
            | ExprKind::Index { .. } => self.read(expr),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(BinaryOp::And, left, right) => self.short_circuit(true, left, right),
            ExprKind::Binary(BinaryOp::Or, left, right) => self.short_circuit(false, left, right),
            ExprKind::Binary(op, left, right) => {
                let left_value = self.value(left)?;
                let right_value = self.value(right)?;
                self.binary(*op, (left_value, &left.ty), (right_value, &right.ty))
            }
            ExprKind::Assign { op, target, value } => self.assign(*op, target, value),
            ExprKind::Increment { target, decrement, prefix } => self.increment(target, *decrement, *prefix),
            ExprKind::Select { condition, accept, reject } => self.select(condition, accept, reject),
            ExprKind::Sequence(first, second) => {
                self.effects(first)?;
                self.value(second)
            }
            ExprKind::Construct(arguments) => self.construct(&expr.ty, arguments),
            ExprKind::Call { function, arguments } => {
                self.call(*function, arguments)?.ok_or_else(|| internal("value of a void function"))
            }
            ExprKind::Builtin { function, arguments } => self.builtin(*function, arguments, &expr.ty),
        }
    }

    /// Evaluates an expression for its effects.
    pub(super) fn effects(&mut self, expr: &Expr) -> Result<()> {
        match &expr.kind {
            ExprKind::Call { function, arguments } => self.call(*function, arguments).map(drop),
            ExprKind::Sequence(first, second) => {
                self.effects(first)?;
                self.effects(second)
            }
            ExprKind::Constant(_) | ExprKind::Local(_) | ExprKind::Global(_) => Ok(()),
            ExprKind::Select { condition, accept, reject } if expr.ty == Type::Void => {
                let condition = self.value(condition)?;
                let accept = self.block(|b| b.effects(accept))?;
                let reject = self.block(|b| b.effects(reject))?;
                self.push(Statement::If { condition, accept, reject });
                Ok(())
            }
            _ => self.value(expr).map(drop),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Result<Handle<Expression>> {
        let value = self.value(operand)?;
        let op = match op {
            UnaryOp::Negate => return self.negate(value, &operand.ty),
            UnaryOp::Not => UnaryOperator::LogicalNot,
            UnaryOp::BitNot => UnaryOperator::BitwiseNot,
        };
        Ok(self.add(Expression::Unary { op, expr: value }))
    }

    fn negate(&mut self, value: Handle<Expression>, ty: &Type) -> Result<Handle<Expression>> {
        match ty {
            Type::Matrix { columns, rows } => self.per_column((*columns, *rows), |b, index| {
                let column = b.add(Expression::AccessIndex { base: value, index });
                Ok(b.add(Expression::Unary { op: UnaryOperator::Negate, expr: column }))
            }),
            // Two's complement; naga negates signed integers only.
            Type::Scalar(Scalar::Uint) | Type::Vector(Scalar::Uint, _) => {
                let zero = self.zero(ty)?;
                Ok(self.raw(naga::BinaryOperator::Subtract, zero, value))
            }
            _ => Ok(self.add(Expression::Unary { op: UnaryOperator::Negate, expr: value })),
        }
    }

    /// Builds a matrix column by column.
    pub(super) fn per_column(
        &mut self,
        (columns, rows): (u8, u8),
        mut column: impl FnMut(&mut Self, u32) -> Result<Handle<Expression>>,
    ) -> Result<Handle<Expression>> {
        let mut components = Vec::with_capacity(usize::from(columns));
        for index in 0..u32::from(columns) {
            components.push(column(self, index)?);
        }
        let ty = self.stage.matrix_type(columns, rows);
        Ok(self.add(Expression::Compose { ty, components }))
    }

    fn short_circuit(&mut self, and: bool, left: &Expr, right: &Expr) -> Result<Handle<Expression>> {
        let left_value = self.value(left)?;
        if may_be_eager(right) {
            let right = self.value(right)?;
            let op = if and { naga::BinaryOperator::LogicalAnd } else { naga::BinaryOperator::LogicalOr };
            return Ok(self.raw(op, left_value, right));
        }
        let result = self.temporary(&Type::Scalar(Scalar::Bool))?;
        let evaluate = self.block(|b| {
            let value = b.value(right)?;
            b.store(result, value);
            Ok(())
        })?;
        let known = self.literal(naga::Literal::Bool(!and));
        let keep = self.block(|b| {
            b.store(result, known);
            Ok(())
        })?;
        let (accept, reject) = if and { (evaluate, keep) } else { (keep, evaluate) };
        self.push(Statement::If { condition: left_value, accept, reject });
        Ok(self.load(result))
    }

    fn select(&mut self, condition: &Expr, accept: &Expr, reject: &Expr) -> Result<Handle<Expression>> {
        let condition = self.value(condition)?;
        let simple = matches!(accept.ty, Type::Scalar(_) | Type::Vector(..));
        if simple && may_be_eager(accept) && may_be_eager(reject) {
            let accept = self.value(accept)?;
            let reject = self.value(reject)?;
            return Ok(self.add(Expression::Select { condition, accept, reject }));
        }
        let result = self.temporary(&accept.ty)?;
        let branch = |builder: &mut Self, side: &Expr| {
            builder.block(|b| {
                let value = b.value(side)?;
                b.store(result, value);
                Ok(())
            })
        };
        let accept = branch(self, accept)?;
        let reject = branch(self, reject)?;
        self.push(Statement::If { condition, accept, reject });
        Ok(self.load(result))
    }

    pub(super) fn math(&mut self, fun: MathFunction, arguments: &[Handle<Expression>]) -> Handle<Expression> {
        let get = |i: usize| arguments.get(i).copied();
        match get(0) {
            Some(arg) => self.add(Expression::Math { fun, arg, arg1: get(1), arg2: get(2), arg3: get(3) }),
            None => self.float(0.0),
        }
    }

    /// A scalar repeated `size` times (itself for 1).
    pub(super) fn splat(&mut self, value: Handle<Expression>, size: u8) -> Handle<Expression> {
        match size {
            1 => value,
            _ => self.add(Expression::Splat { size: vector_size(size), value }),
        }
    }
}
