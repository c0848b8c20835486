//! Operators on constants.

use super::math::Matrix;
use crate::shader::hir::{BinaryOp, Constant, Type, UnaryOp};

/// `None` where the operator does not apply to the type (the checker has said so already).
pub fn unary(op: UnaryOp, operand: &[Constant]) -> Option<Vec<Constant>> {
    operand
        .iter()
        .map(|&value| match (op, value) {
            (UnaryOp::Negate, Constant::Float(value)) => Some(Constant::Float(-value)),
            (UnaryOp::Negate, Constant::Int(value)) => Some(Constant::Int(value.wrapping_neg())),
            (UnaryOp::Negate, Constant::Uint(value)) => Some(Constant::Uint(value.wrapping_neg())),
            (UnaryOp::Not, Constant::Bool(value)) => Some(Constant::Bool(!value)),
            (UnaryOp::BitNot, Constant::Int(value)) => Some(Constant::Int(!value)),
            (UnaryOp::BitNot, Constant::Uint(value)) => Some(Constant::Uint(!value)),
            _ => None,
        })
        .collect()
}

/// A checked binary operation whose operands are constant.
pub fn binary(
    op: BinaryOp,
    left_type: &Type,
    left: &[Constant],
    right_type: &Type,
    right: &[Constant],
) -> Option<Vec<Constant>> {
    match op {
        BinaryOp::Equal => return Some(vec![Constant::Bool(equal(left, right))]),
        BinaryOp::NotEqual => return Some(vec![Constant::Bool(!equal(left, right))]),
        BinaryOp::Multiply => {
            if let Some(product) = linear_product(left_type, left, right_type, right) {
                return Some(product);
            }
        }
        _ => {}
    }
    let length = left.len().max(right.len());
    (0..length)
        .map(|index| {
            let left = *left.get(if left.len() == 1 { 0 } else { index })?;
            let right = *right.get(if right.len() == 1 { 0 } else { index })?;
            scalar(op, left, right)
        })
        .collect()
}

fn equal(left: &[Constant], right: &[Constant]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left == right)
}

/// Matrix × matrix, matrix × vector, vector × matrix; `None` for component-wise products.
fn linear_product(left_type: &Type, left: &[Constant], right_type: &Type, right: &[Constant]) -> Option<Vec<Constant>> {
    let matrix = |ty: &Type, values: &[Constant]| match *ty {
        Type::Matrix { columns, rows } => Matrix::new(columns, rows, values),
        _ => None,
    };
    let product = match (left_type, right_type) {
        (Type::Matrix { .. }, Type::Matrix { .. }) => matrix(left_type, left)?.multiply(&matrix(right_type, right)?)?,
        (Type::Matrix { .. }, Type::Vector(_, size)) => {
            matrix(left_type, left)?.multiply(&Matrix::new(1, *size, right)?)?
        }
        (Type::Vector(_, size), Type::Matrix { .. }) => {
            Matrix::new(*size, 1, left)?.multiply(&matrix(right_type, right)?)?
        }
        _ => return None,
    };
    Some(product.into_constants())
}

fn scalar(op: BinaryOp, left: Constant, right: Constant) -> Option<Constant> {
    match (left, right) {
        (Constant::Float(left), Constant::Float(right)) => float(op, left, right),
        (Constant::Int(left), Constant::Int(right)) => int(op, left, right),
        (Constant::Uint(left), Constant::Uint(right)) => uint(op, left, right),
        (Constant::Bool(left), Constant::Bool(right)) => Some(Constant::Bool(match op {
            BinaryOp::And => left && right,
            BinaryOp::Or => left || right,
            BinaryOp::Xor => left != right,
            _ => return None,
        })),
        // Shifts may mix signedness.
        (Constant::Int(left), Constant::Uint(right)) => int(op, left, right as i32),
        (Constant::Uint(left), Constant::Int(right)) => uint(op, left, right as u32),
        _ => None,
    }
}

fn float(op: BinaryOp, left: f32, right: f32) -> Option<Constant> {
    Some(match op {
        BinaryOp::Add => Constant::Float(left + right),
        BinaryOp::Subtract => Constant::Float(left - right),
        BinaryOp::Multiply => Constant::Float(left * right),
        BinaryOp::Divide => Constant::Float(left / right),
        BinaryOp::Less => Constant::Bool(left < right),
        BinaryOp::Greater => Constant::Bool(left > right),
        BinaryOp::LessEqual => Constant::Bool(left <= right),
        BinaryOp::GreaterEqual => Constant::Bool(left >= right),
        _ => return None,
    })
}

fn int(op: BinaryOp, left: i32, right: i32) -> Option<Constant> {
    Some(match op {
        BinaryOp::Add => Constant::Int(left.wrapping_add(right)),
        BinaryOp::Subtract => Constant::Int(left.wrapping_sub(right)),
        BinaryOp::Multiply => Constant::Int(left.wrapping_mul(right)),
        // Undefined in the language; ANGLE's values.
        BinaryOp::Divide if right == 0 => Constant::Int(i32::MAX),
        BinaryOp::Modulo if right == 0 => Constant::Int(i32::MAX),
        BinaryOp::Divide => Constant::Int(left.wrapping_div(right)),
        BinaryOp::Modulo => Constant::Int(left.wrapping_rem(right)),
        BinaryOp::ShiftLeft => Constant::Int(left.wrapping_shl(right as u32)),
        BinaryOp::ShiftRight => Constant::Int(left.wrapping_shr(right as u32)),
        BinaryOp::BitAnd => Constant::Int(left & right),
        BinaryOp::BitOr => Constant::Int(left | right),
        BinaryOp::BitXor => Constant::Int(left ^ right),
        BinaryOp::Less => Constant::Bool(left < right),
        BinaryOp::Greater => Constant::Bool(left > right),
        BinaryOp::LessEqual => Constant::Bool(left <= right),
        BinaryOp::GreaterEqual => Constant::Bool(left >= right),
        _ => return None,
    })
}

fn uint(op: BinaryOp, left: u32, right: u32) -> Option<Constant> {
    Some(match op {
        BinaryOp::Add => Constant::Uint(left.wrapping_add(right)),
        BinaryOp::Subtract => Constant::Uint(left.wrapping_sub(right)),
        BinaryOp::Multiply => Constant::Uint(left.wrapping_mul(right)),
        BinaryOp::Divide => Constant::Uint(left.checked_div(right).unwrap_or(u32::MAX)),
        BinaryOp::Modulo => Constant::Uint(left.checked_rem(right).unwrap_or(u32::MAX)),
        BinaryOp::ShiftLeft => Constant::Uint(left.wrapping_shl(right)),
        BinaryOp::ShiftRight => Constant::Uint(left.wrapping_shr(right)),
        BinaryOp::BitAnd => Constant::Uint(left & right),
        BinaryOp::BitOr => Constant::Uint(left | right),
        BinaryOp::BitXor => Constant::Uint(left ^ right),
        BinaryOp::Less => Constant::Bool(left < right),
        BinaryOp::Greater => Constant::Bool(left > right),
        BinaryOp::LessEqual => Constant::Bool(left <= right),
        BinaryOp::GreaterEqual => Constant::Bool(left >= right),
        _ => return None,
    })
}
