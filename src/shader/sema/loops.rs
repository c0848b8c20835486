//! GLSL ES 1.00 appendix A: the loops and index expressions WebGL accepts in that dialect.

use super::scope::Entry;
use super::{Analyzer, constant_values, types};
use crate::shader::ast::{self, StmtKind};
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{BinaryOp, Expr, ExprKind, LocalId, Span};
use crate::shader::names::Symbol;

/// The index of a `for` loop.
#[derive(Clone, Copy, Debug)]
pub struct LoopIndex {
    symbol: Symbol,
    pub local: LocalId,
}

impl Analyzer<'_> {
    /// `while` and `do` are optional in 1.00, and WebGL does not have them.
    pub fn check_loop_kind(&self, token: &str, span: Span) -> Checked<()> {
        if self.essl300() { Ok(()) } else { Err(Diagnostic::new(span, token, "This type of loop is not allowed")) }
    }

    /// `int i = constant`; the declaration itself has been checked.
    pub fn check_for_init(&mut self, init: Option<&ast::Stmt>, span: Span) -> Checked<LoopIndex> {
        let refuse = |message: &str| Err(Diagnostic::new(span, "for", message));
        let Some(StmtKind::Declaration(ast::Declaration::Variables { declarators, .. })) = init.map(|init| &init.kind)
        else {
            return refuse("Missing init declaration");
        };
        let [declarator] = declarators.as_slice() else { return refuse("Invalid init declaration") };
        let symbol = declarator.name.symbol;
        let Some(Entry::Local(local)) = self.scopes.find_here(symbol) else {
            return refuse("Invalid init declaration");
        };
        let local = *local;
        let ty = self.local_type(local);
        if ty != types::INT && ty != types::FLOAT {
            return refuse("Invalid type for loop index");
        }
        let Some(start) = &declarator.init else { return refuse("Loop index must be initialized") };
        let start = self.expr(start)?;
        if constant_values(&start).is_none() {
            return refuse("Loop index cannot be initialized with non-constant expression");
        }
        Ok(LoopIndex { symbol, local })
    }

    /// `i < constant` and `i += constant`.
    pub fn check_for_header(
        &mut self,
        index: LoopIndex,
        condition: Option<&ast::Condition>,
        step: Option<&ast::Expr>,
        span: Span,
    ) -> Checked<()> {
        let refuse = |message: &str| Err(Diagnostic::new(span, "for", message));
        let names_index = |expr: &ast::Expr| matches!(expr.kind, ast::ExprKind::Name(name) if name == index.symbol);
        let Some(ast::Condition::Expr(condition)) = condition else { return refuse("Missing condition") };
        let ast::ExprKind::Binary(op, left, right) = &condition.kind else { return refuse("Invalid condition") };
        let relational = matches!(
            op,
            BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
                | BinaryOp::Equal
                | BinaryOp::NotEqual
        );
        if !relational || !names_index(left) {
            return refuse("Expected loop index on the left of a relational operator");
        }
        if constant_values(&self.expr(right)?).is_none() {
            return refuse("Loop index cannot be compared with non-constant expression");
        }
        let Some(step) = step else { return refuse("Missing expression") };
        let good = match &step.kind {
            ast::ExprKind::Increment { target, .. } => names_index(target),
            ast::ExprKind::Assign { op: Some(BinaryOp::Add | BinaryOp::Subtract), target, value } => {
                names_index(target) && constant_values(&self.expr(value)?).is_some()
            }
            _ => false,
        };
        if good { Ok(()) } else { refuse("Invalid expression") }
    }

    pub fn enter_index(&mut self, local: LocalId) {
        if let Some(current) = self.current.as_mut() {
            current.loop_indices.push(local);
        }
    }

    pub fn leave_index(&mut self) {
        if let Some(current) = self.current.as_mut() {
            current.loop_indices.pop();
        }
    }

    /// A constant-index-expression: constants, loop indices, and expressions of these.
    pub fn is_constant_index(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Constant(_) => true,
            ExprKind::Local(id) => self.current.as_ref().is_some_and(|current| current.loop_indices.contains(id)),
            ExprKind::Field { base, .. } | ExprKind::Swizzle { base, .. } => self.is_constant_index(base),
            ExprKind::Index { base, index } => self.is_constant_index(base) && self.is_constant_index(index),
            ExprKind::Unary(_, operand) => self.is_constant_index(operand),
            ExprKind::Binary(_, left, right) | ExprKind::Sequence(left, right) => {
                self.is_constant_index(left) && self.is_constant_index(right)
            }
            ExprKind::Select { condition, accept, reject } => {
                self.is_constant_index(condition) && self.is_constant_index(accept) && self.is_constant_index(reject)
            }
            ExprKind::Construct(arguments) | ExprKind::Builtin { arguments, .. } => {
                arguments.iter().all(|argument| self.is_constant_index(argument))
            }
            _ => false,
        }
    }
}
