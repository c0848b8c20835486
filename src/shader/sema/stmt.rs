//! Statements (GLSL ES 3.00 §6).

use std::collections::BTreeSet;

use super::scope::Entry;
use super::{Analyzer, constant_values, types};
use crate::shader::ast::{self, StmtKind};
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{Case, Constant, Expr, LocalId, Loop, Span, Stage, Stmt, Type};

impl Analyzer<'_> {
    /// Statements of one scope, which the caller has opened.
    pub fn statements(&mut self, body: &[ast::Stmt]) -> Checked<Vec<Stmt>> {
        let mut statements = Vec::with_capacity(body.len());
        for stmt in body {
            self.statement(stmt, &mut statements)?;
        }
        Ok(statements)
    }

    fn statement(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) -> Checked<()> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Empty => {}
            // `S;` declares nothing.
            StmtKind::Expr(ast::Expr { kind: ast::ExprKind::Name(name), .. })
                if matches!(self.scopes.find(*name), Some(Entry::Struct(_))) => {}
            StmtKind::Expr(expr) => {
                let expr = self.expr(expr)?;
                if super::expr::has_side_effects(&expr) {
                    out.push(Stmt::Expr(expr));
                }
            }
            StmtKind::Declaration(declaration) => self.local_declaration(declaration, out)?,
            StmtKind::Block(body) => {
                let body = self.scoped(|this| this.statements(body))?;
                out.push(Stmt::Block(body));
            }
            StmtKind::If { condition, accept, reject } => {
                let condition = self.boolean(condition)?;
                let accept = self.scoped_statement(accept)?;
                let reject = match reject {
                    Some(reject) => self.scoped_statement(reject)?,
                    None => Vec::new(),
                };
                out.push(Stmt::If { condition, accept, reject });
            }
            StmtKind::For { init, condition, step, body } => {
                let looped = self.for_loop(init.as_deref(), condition.as_ref(), step.as_ref(), body, span)?;
                out.push(Stmt::Loop(Box::new(looped)));
            }
            StmtKind::While { condition, body } => {
                self.check_loop_kind("while", span)?;
                let looped = self.scoped(|this| this.while_loop(Some(condition), Vec::new(), None, body, span))?;
                out.push(Stmt::Loop(Box::new(looped)));
            }
            StmtKind::DoWhile { body, condition } => {
                self.check_loop_kind("do", span)?;
                let body = self.loop_body(|this| this.scoped_statement(body))?;
                let condition = Some(self.boolean(condition)?);
                let looped = Loop {
                    init: Vec::new(),
                    condition_local: None,
                    condition,
                    step: None,
                    body,
                    test_after: true,
                    span,
                };
                out.push(Stmt::Loop(Box::new(looped)));
            }
            StmtKind::Switch { selector, body } => out.push(self.switch(selector, body, span)?),
            StmtKind::Case(_) => {
                return Err(Diagnostic::new(span, "case", "case labels need to be inside switch statements"));
            }
            StmtKind::Default => {
                return Err(Diagnostic::new(span, "default", "default labels need to be inside switch statements"));
            }
            StmtKind::Break => {
                if self.current.as_ref().is_none_or(|current| current.loops == 0 && current.switches == 0) {
                    return Err(Diagnostic::new(
                        span,
                        "break",
                        "break statement only allowed in loops and switch statements",
                    ));
                }
                out.push(Stmt::Break);
            }
            StmtKind::Continue => {
                if self.current.as_ref().is_none_or(|current| current.loops == 0) {
                    return Err(Diagnostic::new(span, "continue", "continue statement only allowed in loops"));
                }
                out.push(Stmt::Continue);
            }
            StmtKind::Discard => {
                if self.stage != Stage::Fragment {
                    return Err(Diagnostic::new(span, "discard", "supported in fragment shaders only"));
                }
                out.push(Stmt::Discard);
            }
            StmtKind::Return(value) => out.push(self.return_statement(value.as_ref(), span)?),
        }
        Ok(())
    }

    fn scoped<T>(&mut self, check: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        self.scopes.push();
        let result = check(self);
        self.scopes.pop();
        result
    }

    /// One statement as a scope of its own; a block's braces add none.
    fn scoped_statement(&mut self, stmt: &ast::Stmt) -> Checked<Vec<Stmt>> {
        self.scoped(|this| this.plain_body(stmt))
    }

    /// A body in the scope already open (`statement_no_new_scope`).
    fn plain_body(&mut self, stmt: &ast::Stmt) -> Checked<Vec<Stmt>> {
        match &stmt.kind {
            StmtKind::Block(body) => self.statements(body),
            _ => {
                let mut out = Vec::new();
                self.statement(stmt, &mut out)?;
                Ok(out)
            }
        }
    }

    fn loop_body<T>(&mut self, check: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        if let Some(current) = self.current.as_mut() {
            current.loops += 1;
        }
        let result = check(self);
        if let Some(current) = self.current.as_mut() {
            current.loops -= 1;
        }
        result
    }

    pub fn boolean(&mut self, condition: &ast::Expr) -> Checked<Expr> {
        let condition = self.expr(condition)?;
        if condition.ty != types::BOOL {
            return Err(Diagnostic::new(condition.span, "", "boolean expression expected"));
        }
        Ok(condition)
    }

    /// `bool x = f()` in a loop's condition gives the local too.
    fn condition(&mut self, condition: &ast::Condition) -> Checked<(Option<LocalId>, Expr)> {
        match condition {
            ast::Condition::Expr(expr) => Ok((None, self.boolean(expr)?)),
            ast::Condition::Declaration { ty, name, init } => {
                if !ty.qualifiers.list.is_empty() {
                    return Err(Diagnostic::new(ty.span, "", "qualifiers are not allowed in a condition"));
                }
                let base = self.named_type(&ty.name, ty.span)?;
                if base != types::BOOL || ty.array.is_some() {
                    return Err(self.error(name.span, name.symbol, "boolean expression expected"));
                }
                let init = self.boolean(init)?;
                self.check_name(name.symbol, name.span)?;
                let local = self.add_local(name.symbol, types::BOOL, None);
                if !self.scopes.insert(name.symbol, Entry::Local(local)) {
                    return Err(self.error(name.span, name.symbol, "redefinition"));
                }
                Ok((Some(local), init))
            }
        }
    }

    fn for_loop(
        &mut self,
        init: Option<&ast::Stmt>,
        condition: Option<&ast::Condition>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
        span: Span,
    ) -> Checked<Loop> {
        self.scoped(|this| {
            let mut start = Vec::new();
            if let Some(init) = init {
                this.statement(init, &mut start)?;
            }
            if this.essl300() {
                return this.while_loop(condition, start, step, body, span);
            }
            let index = this.check_for_init(init, span)?;
            this.check_for_header(index, condition, step, span)?;
            // The index is read-only in the body, not in the header.
            let (condition_local, condition) = this.optional_condition(condition)?;
            let step = step.map(|step| this.expr(step)).transpose()?;
            this.enter_index(index.local);
            let body = this.loop_body(|this| this.plain_body(body))?;
            this.leave_index();
            Ok(Loop { init: start, condition_local, condition, step, body, test_after: false, span })
        })
    }

    fn optional_condition(&mut self, condition: Option<&ast::Condition>) -> Checked<(Option<LocalId>, Option<Expr>)> {
        match condition {
            None => Ok((None, None)),
            Some(condition) => self.condition(condition).map(|(local, expr)| (local, Some(expr))),
        }
    }

    fn while_loop(
        &mut self,
        condition: Option<&ast::Condition>,
        init: Vec<Stmt>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
        span: Span,
    ) -> Checked<Loop> {
        let (condition_local, condition) = self.optional_condition(condition)?;
        let step = step.map(|step| self.expr(step)).transpose()?;
        let body = self.loop_body(|this| this.plain_body(body))?;
        Ok(Loop { init, condition_local, condition, step, body, test_after: false, span })
    }

    fn switch(&mut self, selector: &ast::Expr, body: &[ast::Stmt], span: Span) -> Checked<Stmt> {
        let selector = self.expr(selector)?;
        if !types::is_integer_scalar(&selector.ty) {
            return Err(Diagnostic::new(
                span,
                "switch",
                "init-expression in a switch statement must be a scalar integer",
            ));
        }
        if let Some(current) = self.current.as_mut() {
            current.switches += 1;
        }
        let cases = self.scoped(|this| this.cases(&selector.ty, body, span));
        if let Some(current) = self.current.as_mut() {
            current.switches -= 1;
        }
        Ok(Stmt::Switch { selector, cases: cases? })
    }

    fn cases(&mut self, ty: &Type, body: &[ast::Stmt], span: Span) -> Checked<Vec<Case>> {
        let mut cases: Vec<Case> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut seen_default = false;
        let mut after_label = false;
        for stmt in body {
            let label = match &stmt.kind {
                StmtKind::Case(label) => Some(self.case_label(ty, label)?),
                StmtKind::Default => None,
                _ => {
                    let Some(case) = cases.last_mut() else {
                        return Err(Diagnostic::new(stmt.span, "switch", "statement before the first label"));
                    };
                    let mut out = std::mem::take(&mut case.body);
                    self.statement(stmt, &mut out)?;
                    if let Some(case) = cases.last_mut() {
                        case.body = out;
                    }
                    after_label = false;
                    continue;
                }
            };
            if !after_label {
                cases.push(Case { labels: Vec::new(), default: false, body: Vec::new() });
            }
            after_label = true;
            let Some(case) = cases.last_mut() else { continue };
            match label {
                Some(value) if !seen.insert(value) => {
                    return Err(Diagnostic::new(stmt.span, "case", "duplicate case label"));
                }
                Some(value) => case.labels.push(value),
                None if seen_default => return Err(Diagnostic::new(stmt.span, "default", "duplicate default label")),
                None => {
                    seen_default = true;
                    case.default = true;
                }
            }
        }
        if after_label {
            return Err(Diagnostic::new(
                span,
                "switch",
                "no statement between a label and the end of the switch statement",
            ));
        }
        Ok(cases)
    }

    fn case_label(&mut self, ty: &Type, label: &ast::Expr) -> Checked<i64> {
        let value = self.expr(label)?;
        if value.ty != *ty && types::is_integer_scalar(&value.ty) {
            return Err(Diagnostic::new(
                label.span,
                "case",
                "case label type does not match switch init-expression type",
            ));
        }
        match constant_values(&value) {
            Some([Constant::Int(value)]) => Ok(i64::from(*value)),
            Some([Constant::Uint(value)]) => Ok(i64::from(*value)),
            _ => Err(Diagnostic::new(label.span, "case", "case label must be constant integer")),
        }
    }

    fn return_statement(&mut self, value: Option<&ast::Expr>, span: Span) -> Checked<Stmt> {
        let result = self.current.as_ref().and_then(|current| current.result.clone()).unwrap_or(Type::Void);
        let Some(value) = value else {
            if result != Type::Void {
                return Err(Diagnostic::new(span, "return", "non-void function must return a value"));
            }
            return Ok(Stmt::Return(None));
        };
        if result == Type::Void {
            return Err(Diagnostic::new(span, "return", "void function cannot return a value"));
        }
        let value = self.expr(value)?;
        if value.ty != result {
            return Err(Diagnostic::new(span, "return", "function return is not matching type"));
        }
        Ok(Stmt::Return(Some(value)))
    }
}
