//! Binary operators of GLSL over scalars, vectors, matrices, and `==` over anything.

use naga::{BinaryOperator, Expression, Handle, Literal, RelationalFunction, UnaryOperator};

use super::function::FunctionBuilder;
use super::globals::vector_of;
use super::{Result, internal};
use crate::shader::hir::{BinaryOp, Scalar, Type};
use crate::shader::link::types::{contains_data, fields};

type Operand<'t> = (Handle<Expression>, &'t Type);

fn is_float(ty: &Type) -> bool {
    matches!(ty, Type::Scalar(Scalar::Float) | Type::Vector(Scalar::Float, _) | Type::Matrix { .. })
}

impl FunctionBuilder<'_, '_> {
    /// `left op right` for values already evaluated (not `&&`, `||`).
    pub(super) fn binary(&mut self, op: BinaryOp, left: Operand<'_>, right: Operand<'_>) -> Result<Handle<Expression>> {
        use BinaryOperator as N;
        match op {
            BinaryOp::Add => self.arithmetic(N::Add, left, right),
            BinaryOp::Subtract => self.arithmetic(N::Subtract, left, right),
            BinaryOp::Multiply => self.multiply(left, right),
            BinaryOp::Divide => self.arithmetic(N::Divide, left, right),
            BinaryOp::Modulo => self.arithmetic(N::Modulo, left, right),
            BinaryOp::ShiftLeft => self.shift(N::ShiftLeft, left, right),
            BinaryOp::ShiftRight => self.shift(N::ShiftRight, left, right),
            BinaryOp::BitAnd => self.arithmetic(N::And, left, right),
            BinaryOp::BitOr => self.arithmetic(N::InclusiveOr, left, right),
            BinaryOp::BitXor => self.arithmetic(N::ExclusiveOr, left, right),
            BinaryOp::Less => Ok(self.raw(N::Less, left.0, right.0)),
            BinaryOp::Greater => Ok(self.raw(N::Greater, left.0, right.0)),
            BinaryOp::LessEqual => Ok(self.raw(N::LessEqual, left.0, right.0)),
            BinaryOp::GreaterEqual => Ok(self.raw(N::GreaterEqual, left.0, right.0)),
            BinaryOp::Equal => self.equal(left, right.0),
            BinaryOp::NotEqual => {
                let equal = self.equal(left, right.0)?;
                Ok(self.not(equal))
            }
            // `^^`
            BinaryOp::Xor => Ok(self.raw(N::NotEqual, left.0, right.0)),
            BinaryOp::And => Ok(self.raw(N::LogicalAnd, left.0, right.0)),
            BinaryOp::Or => Ok(self.raw(N::LogicalOr, left.0, right.0)),
        }
    }

    pub(super) fn not(&mut self, value: Handle<Expression>) -> Handle<Expression> {
        self.add(Expression::Unary { op: UnaryOperator::LogicalNot, expr: value })
    }

    /// Component-wise operators, a scalar being repeated.
    fn arithmetic(&mut self, op: BinaryOperator, left: Operand<'_>, right: Operand<'_>) -> Result<Handle<Expression>> {
        match (left.1, right.1) {
            (Type::Matrix { columns, rows }, _) | (_, Type::Matrix { columns, rows }) => {
                self.matrix_arithmetic(op, (*columns, *rows), left, right)
            }
            _ => {
                let (_, left_size) = vector_of(left.1).ok_or_else(|| internal("operand is no number"))?;
                let (_, right_size) = vector_of(right.1).ok_or_else(|| internal("operand is no number"))?;
                let size = left_size.max(right_size);
                let left_value = if left_size == 1 { self.splat(left.0, size) } else { left.0 };
                let integer = !is_float(left.1);
                let divisor = if integer && matches!(op, BinaryOperator::Divide | BinaryOperator::Modulo) {
                    self.hide_zero(right)?
                } else {
                    right.0
                };
                let right_value = if right_size == 1 { self.splat(divisor, size) } else { divisor };
                Ok(self.raw(op, left_value, right_value))
            }
        }
    }

    /// naga refuses divisors it can see to be zero; GLSL leaves the result undefined. Such a divisor is taken
    /// from memory, where naga does not look (and checks at run time).
    fn hide_zero(&mut self, (value, ty): Operand<'_>) -> Result<Handle<Expression>> {
        match &self.function.expressions[value] {
            Expression::Literal(Literal::I32(v)) if *v != 0 => Ok(value),
            Expression::Literal(Literal::U32(v)) if *v != 0 => Ok(value),
            Expression::Literal(_)
            | Expression::Constant(_)
            | Expression::ZeroValue(_)
            | Expression::Compose { .. }
            | Expression::Splat { .. } => {
                let pointer = self.temporary(ty)?;
                self.store(pointer, value);
                Ok(self.load(pointer))
            }
            _ => Ok(value),
        }
    }

    fn matrix_arithmetic(
        &mut self,
        op: BinaryOperator,
        shape: (u8, u8),
        left: Operand<'_>,
        right: Operand<'_>,
    ) -> Result<Handle<Expression>> {
        let both = matches!((left.1, right.1), (Type::Matrix { .. }, Type::Matrix { .. }));
        if both && matches!(op, BinaryOperator::Add | BinaryOperator::Subtract) {
            return Ok(self.raw(op, left.0, right.0));
        }
        let splat = |builder: &mut Self, operand: Operand<'_>| match operand.1 {
            Type::Scalar(_) => Some(builder.splat(operand.0, shape.1)),
            _ => None,
        };
        let left_splat = splat(self, left);
        let right_splat = splat(self, right);
        self.per_column(shape, |b, index| {
            let l = left_splat.unwrap_or_else(|| b.add(Expression::AccessIndex { base: left.0, index }));
            let r = right_splat.unwrap_or_else(|| b.add(Expression::AccessIndex { base: right.0, index }));
            Ok(b.raw(op, l, r))
        })
    }

    fn multiply(&mut self, left: Operand<'_>, right: Operand<'_>) -> Result<Handle<Expression>> {
        if is_float(left.1) {
            // Scalar, vector and matrix mixtures are naga's own, with GLSL's meaning.
            return Ok(self.raw(BinaryOperator::Multiply, left.0, right.0));
        }
        self.arithmetic(BinaryOperator::Multiply, left, right)
    }

    fn shift(&mut self, op: BinaryOperator, left: Operand<'_>, right: Operand<'_>) -> Result<Handle<Expression>> {
        let (_, size) = vector_of(left.1).ok_or_else(|| internal("shift of something that is no number"))?;
        let (kind, amount_size) = vector_of(right.1).ok_or_else(|| internal("shift by something that is no number"))?;
        let amount = match self.function.expressions[right.0] {
            // Amounts outside 0..32 are undefined in GLSL; naga refuses constant ones.
            Expression::Literal(Literal::I32(v)) => self.uint(v as u32 & 31),
            Expression::Literal(Literal::U32(v)) => self.uint(v & 31),
            _ => {
                let unsigned = if kind == Scalar::Uint {
                    right.0
                } else {
                    self.add(Expression::As { expr: right.0, kind: naga::ScalarKind::Uint, convert: Some(4) })
                };
                let mask = self.uint(31);
                let mask = self.splat(mask, amount_size);
                self.raw(BinaryOperator::And, unsigned, mask)
            }
        };
        let amount = if amount_size == 1 { self.splat(amount, size) } else { amount };
        Ok(self.raw(op, left.0, amount))
    }

    /// `==` on any type: one boolean.
    pub(super) fn equal(&mut self, (left, ty): Operand<'_>, right: Handle<Expression>) -> Result<Handle<Expression>> {
        match ty {
            Type::Scalar(_) => Ok(self.raw(BinaryOperator::Equal, left, right)),
            Type::Vector(..) => {
                let equal = self.raw(BinaryOperator::Equal, left, right);
                Ok(self.all(equal))
            }
            Type::Matrix { columns, rows } => {
                let column = Type::Vector(Scalar::Float, *rows);
                let parts: Vec<_> = (0..u32::from(*columns)).map(|i| (i, column.clone())).collect();
                self.all_equal(&parts, left, right)
            }
            Type::Array(element, len) => {
                let parts: Vec<_> = (0..*len).map(|i| (i, (**element).clone())).collect();
                self.all_equal(&parts, left, right)
            }
            Type::Struct(id) => {
                let shader = self.stage.shader;
                let parts: Vec<_> = fields(shader, *id)
                    .iter()
                    .filter(|f| contains_data(shader, &f.ty))
                    .enumerate()
                    .map(|(i, f)| (i as u32, f.ty.clone()))
                    .collect();
                self.all_equal(&parts, left, right)
            }
            Type::Void | Type::Sampler(_) => Err(internal("comparison of something without a value")),
        }
    }

    pub(super) fn all(&mut self, argument: Handle<Expression>) -> Handle<Expression> {
        self.add(Expression::Relational { fun: RelationalFunction::All, argument })
    }

    fn all_equal(
        &mut self,
        parts: &[(u32, Type)],
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Result<Handle<Expression>> {
        let mut result = None;
        for (index, ty) in parts {
            let l = self.add(Expression::AccessIndex { base: left, index: *index });
            let r = self.add(Expression::AccessIndex { base: right, index: *index });
            let equal = self.equal((l, ty), r)?;
            result = Some(match result {
                None => equal,
                Some(before) => self.raw(BinaryOperator::LogicalAnd, before, equal),
            });
        }
        Ok(match result {
            Some(result) => result,
            None => self.literal(Literal::Bool(true)),
        })
    }
}
