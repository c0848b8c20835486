//! Operators: operand types, results, folding (GLSL ES 3.00 §5.9).

use super::{Analyzer, constant_values, fold, types};
use crate::shader::ast;
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{BinaryOp, Expr, ExprKind, Scalar, Span, Type, UnaryOp};

impl Analyzer<'_> {
    pub fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Checked<Expr> {
        let operand = self.expr(operand)?;
        let allowed = match op {
            UnaryOp::Negate => types::scalar_of(&operand.ty).is_some_and(|scalar| scalar != Scalar::Bool),
            UnaryOp::Not => operand.ty == types::BOOL,
            UnaryOp::BitNot => self.essl300() && types::is_integer(&operand.ty),
        };
        let token = spell_unary(op);
        if !allowed {
            return Err(self.wrong_operand(token, &operand.ty, span));
        }
        let ty = operand.ty.clone();
        if let Some(values) = constant_values(&operand).and_then(|values| fold::unary(op, values)) {
            return self.constant(values, ty, span);
        }
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty, span })
    }

    /// Unary plus changes nothing, but its result is no l-value.
    pub fn plus(&mut self, operand: &ast::Expr, span: Span) -> Checked<Expr> {
        let operand = self.expr(operand)?;
        if types::scalar_of(&operand.ty).is_none_or(|scalar| scalar == Scalar::Bool) {
            return Err(self.wrong_operand("+", &operand.ty, span));
        }
        if constant_values(&operand).is_some() {
            return Ok(operand);
        }
        let ty = operand.ty.clone();
        Ok(Expr { kind: ExprKind::Construct(vec![operand]), ty, span })
    }

    fn wrong_operand(&self, token: &str, ty: &Type, span: Span) -> Diagnostic {
        let ty = self.spell(ty);
        let message =
            format!("wrong operand type - no operation '{token}' exists that takes an operand of type '{ty}'");
        Diagnostic::new(span, token, message)
    }

    pub fn binary(&mut self, op: BinaryOp, left: &ast::Expr, right: &ast::Expr, span: Span) -> Checked<Expr> {
        let left = self.expr(left)?;
        let right = self.expr(right)?;
        let ty = self.binary_type(op, &left.ty, &right.ty, span)?;
        if let (Some(a), Some(b)) = (constant_values(&left), constant_values(&right))
            && let Some(values) = fold::binary(op, &left.ty, a, &right.ty, b)
        {
            return self.constant(values, ty, span);
        }
        Ok(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span })
    }

    /// Type of `left op right`, or the error.
    fn binary_type(&self, op: BinaryOp, left: &Type, right: &Type, span: Span) -> Checked<Type> {
        let ty = match op {
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide => arithmetic(op, left, right),
            BinaryOp::Modulo | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor if self.essl300() => {
                if types::is_integer(left) {
                    mixed(left, right)
                } else {
                    None
                }
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight if self.essl300() => shift(left, right),
            BinaryOp::Less | BinaryOp::Greater | BinaryOp::LessEqual | BinaryOp::GreaterEqual => match (left, right) {
                (Type::Scalar(a), Type::Scalar(b)) if a == b && *a != Scalar::Bool => Some(types::BOOL),
                _ => None,
            },
            BinaryOp::Equal | BinaryOp::NotEqual => {
                return if left == right {
                    self.check_comparable(op, left, span).map(|()| types::BOOL)
                } else {
                    Err(self.wrong_operands(op, left, right, span))
                };
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                (*left == types::BOOL && *right == types::BOOL).then_some(types::BOOL)
            }
            // Reserved in GLSL ES 1.00 (§5.1).
            _ => None,
        };
        ty.ok_or_else(|| self.wrong_operands(op, left, right, span))
    }

    fn check_comparable(&self, op: BinaryOp, ty: &Type, span: Span) -> Checked<()> {
        if *ty == Type::Void || types::contains_sampler(ty, &self.structs) {
            return Err(self.wrong_operands(op, ty, ty, span));
        }
        if !self.essl300() && types::contains_array(ty, &self.structs) {
            return Err(Diagnostic::new(
                span,
                spell(op),
                "undefined operation for arrays and structs containing arrays",
            ));
        }
        Ok(())
    }

    fn wrong_operands(&self, op: BinaryOp, left: &Type, right: &Type, span: Span) -> Diagnostic {
        let token = spell(op);
        let (left, right) = (self.spell(left), self.spell(right));
        let message = format!(
            "wrong operand types - no operation '{token}' exists that takes a left-hand operand of type '{left}' \
             and a right operand of type '{right}' (or there is no acceptable conversion)"
        );
        Diagnostic::new(span, token, message)
    }

    pub fn increment(&mut self, target: &ast::Expr, decrement: bool, prefix: bool, span: Span) -> Checked<Expr> {
        let target = self.expr(target)?;
        let token = if decrement { "--" } else { "++" };
        if types::scalar_of(&target.ty).is_none_or(|scalar| scalar == Scalar::Bool) {
            return Err(self.wrong_operand(token, &target.ty, span));
        }
        self.check_lvalue(&target, token, span)?;
        let ty = target.ty.clone();
        Ok(Expr { kind: ExprKind::Increment { target: Box::new(target), decrement, prefix }, ty, span })
    }

    pub fn assign(&mut self, op: Option<BinaryOp>, target: &ast::Expr, value: &ast::Expr, span: Span) -> Checked<Expr> {
        let target = self.expr(target)?;
        let value = self.expr(value)?;
        let token = op.map_or_else(|| "=".to_owned(), |op| format!("{}=", spell(op)));
        self.check_lvalue(&target, &token, span)?;
        let result = match op {
            None => value.ty.clone(),
            Some(op) => self.binary_type(op, &target.ty, &value.ty, span)?,
        };
        if result != target.ty {
            let (from, to) = (self.spell(&result), self.spell(&target.ty));
            return Err(Diagnostic::new(span, token, format!("cannot convert from '{from}' to '{to}'")));
        }
        self.check_assignable(&target.ty, &token, span)?;
        let ty = target.ty.clone();
        Ok(Expr { kind: ExprKind::Assign { op, target: Box::new(target), value: Box::new(value) }, ty, span })
    }

    /// GLSL ES 1.00 §5.8: arrays, and structures holding arrays or samplers, cannot be assigned.
    pub fn check_assignable(&self, ty: &Type, token: &str, span: Span) -> Checked<()> {
        if types::contains_sampler(ty, &self.structs) {
            return Err(Diagnostic::new(span, token, "samplers can't be assigned"));
        }
        if !self.essl300() && types::contains_array(ty, &self.structs) {
            return Err(Diagnostic::new(span, token, "arrays and structures containing arrays can't be assigned"));
        }
        Ok(())
    }

    pub fn select(
        &mut self,
        condition: &ast::Expr,
        accept: &ast::Expr,
        reject: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let condition = self.expr(condition)?;
        let accept = self.expr(accept)?;
        let reject = self.expr(reject)?;
        if condition.ty != types::BOOL {
            return Err(Diagnostic::new(span, "?:", "boolean expression expected"));
        }
        if accept.ty != reject.ty {
            let (left, right) = (self.spell(&accept.ty), self.spell(&reject.ty));
            let message = format!("mismatching ternary operator operand types '{left}' and '{right}'");
            return Err(Diagnostic::new(span, "?:", message));
        }
        // WebGL 2.0 §5.24 for 3.00; §5.7 for 1.00.
        let refused = types::contains_sampler(&accept.ty, &self.structs)
            || types::contains_array(&accept.ty, &self.structs)
            || accept.ty == Type::Void
            || (!self.essl300() && matches!(accept.ty, Type::Struct(_)));
        if refused {
            let message = "ternary operator is not allowed for void, samplers, structures or arrays";
            return Err(Diagnostic::new(span, "?:", message));
        }
        if let (Some(chosen), Some(_), Some(_)) =
            (constant_values(&condition), constant_values(&accept), constant_values(&reject))
        {
            let first = chosen == [crate::shader::hir::Constant::Bool(true)];
            return Ok(Expr { span, ..if first { accept } else { reject } });
        }
        let ty = accept.ty.clone();
        let kind =
            ExprKind::Select { condition: Box::new(condition), accept: Box::new(accept), reject: Box::new(reject) };
        Ok(Expr { kind, ty, span })
    }

    pub fn sequence(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> Checked<Expr> {
        let left = self.expr(left)?;
        let right = self.expr(right)?;
        let constant = constant_values(&left).is_some() && constant_values(&right).is_some();
        if self.options.webgl2 {
            // WebGL 2.0 §5.26.
            for operand in [&left, &right] {
                if operand.ty == Type::Void || types::contains_array(&operand.ty, &self.structs) {
                    let message = "sequence operator is not allowed for void, arrays, or structs containing arrays";
                    return Err(Diagnostic::new(span, ",", message));
                }
            }
        }
        if !self.essl300() && constant {
            // A constant expression in 1.00, not in 3.00 (§12.43).
            return Ok(right);
        }
        let ty = right.ty.clone();
        Ok(Expr { kind: ExprKind::Sequence(Box::new(left), Box::new(right)), ty, span })
    }
}

/// `+ - * /`.
fn arithmetic(op: BinaryOp, left: &Type, right: &Type) -> Option<Type> {
    if types::scalar_of(left)? != types::scalar_of(right)? || types::scalar_of(left)? == Scalar::Bool {
        return None;
    }
    if op != BinaryOp::Multiply {
        return mixed(left, right);
    }
    match (left, right) {
        (Type::Matrix { columns, rows }, Type::Matrix { columns: right_columns, rows: right_rows }) => {
            (columns == right_rows).then_some(Type::Matrix { columns: *right_columns, rows: *rows })
        }
        (Type::Matrix { columns, rows }, Type::Vector(_, size)) => {
            (columns == size).then_some(Type::Vector(Scalar::Float, *rows))
        }
        (Type::Vector(_, size), Type::Matrix { columns, rows }) => {
            (rows == size).then_some(Type::Vector(Scalar::Float, *columns))
        }
        _ => mixed(left, right),
    }
}

/// Component-wise, a scalar standing for all components.
fn mixed(left: &Type, right: &Type) -> Option<Type> {
    if types::scalar_of(left)? != types::scalar_of(right)? {
        return None;
    }
    match (left, right) {
        _ if left == right => Some(left.clone()),
        (Type::Scalar(_), _) => Some(right.clone()),
        (_, Type::Scalar(_)) => Some(left.clone()),
        _ => None,
    }
}

fn shift(left: &Type, right: &Type) -> Option<Type> {
    if !types::is_integer(left) || !types::is_integer(right) {
        return None;
    }
    let fits = types::vector_size(right) == Some(1) || types::vector_size(left) == types::vector_size(right);
    fits.then(|| left.clone())
}

fn spell_unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Negate => "-",
        UnaryOp::Not => "!",
        UnaryOp::BitNot => "~",
    }
}

pub fn spell(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Modulo => "%",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::Greater => ">",
        BinaryOp::LessEqual => "<=",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Xor => "^^",
    }
}
