//! Statements.

use naga::{Expression, Statement};

use super::Result;
use super::function::{FunctionBuilder, LocalHome};
use crate::shader::hir::{Expr, ExprKind, LocalId, Loop, Stmt};

impl FunctionBuilder<'_, '_> {
    /// Lowers statements into the current block: whether control cannot reach what follows.
    pub(super) fn statements(&mut self, stmts: &[Stmt]) -> Result<bool> {
        for stmt in stmts {
            if self.statement(stmt)? {
                // The rest is dead; naga wants nothing behind a jump.
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn statement(&mut self, stmt: &Stmt) -> Result<bool> {
        match stmt {
            Stmt::Expr(expr) => self.effects(expr)?,
            Stmt::Declare { local, init } => self.declare(*local, init.as_ref())?,
            Stmt::Block(body) => return self.statements(body),
            Stmt::If { condition, accept, reject } => return self.branch(condition, accept, reject),
            Stmt::Loop(repeat) => self.repeat(repeat)?,
            Stmt::Switch { selector, cases } => self.switch(selector, cases)?,
            Stmt::Return(value) => {
                let value = match value {
                    Some(value) => Some(self.value(value)?),
                    None => None,
                };
                self.push(Statement::Return { value });
                return Ok(true);
            }
            Stmt::Break => {
                self.push(Statement::Break);
                return Ok(true);
            }
            Stmt::Continue => {
                self.push(Statement::Continue);
                return Ok(true);
            }
            Stmt::Discard => {
                self.raise_flag()?;
                self.push(Statement::Kill);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn declare(&mut self, local: LocalId, init: Option<&Expr>) -> Result<()> {
        let ty = self.local_type(local)?;
        if let (Some(init), false) = (init, self.local_use(local).needs_memory()) {
            let value = self.value(init)?;
            self.set_local(local, LocalHome::Value(value));
            return Ok(());
        }
        // The initialiser may not see the new variable, but it may see an outer one of the same name: other id.
        let value = match init {
            Some(init) => Some(self.value(init)?),
            // naga zeroes variables at the start of the function only; inside a loop WebGL wants it every time.
            None if self.loop_depth > 0 => Some(self.zero(ty)?),
            None => None,
        };
        let pointer = self.local_variable(local)?;
        if let Some(value) = value {
            self.store(pointer, value);
        }
        Ok(())
    }

    fn local_variable(&mut self, local: LocalId) -> Result<naga::Handle<Expression>> {
        let ty = self.local_type(local)?;
        let name = self.source.and_then(|f| f.locals.get(local.0 as usize)).map(|l| l.name.as_str());
        let ty = self.stage.value_type(ty)?;
        let pointer = self.variable(name, ty, None);
        self.set_local(local, LocalHome::Pointer(pointer));
        Ok(pointer)
    }

    fn branch(&mut self, condition: &Expr, accept: &[Stmt], reject: &[Stmt]) -> Result<bool> {
        let condition = self.value(condition)?;
        if let Expression::Literal(naga::Literal::Bool(taken)) = self.function.expressions[condition] {
            return self.statements(if taken { accept } else { reject });
        }
        let mut ends = [false, false];
        let [accept_ends, reject_ends] = &mut ends;
        let accept = self.block(|b| {
            *accept_ends = b.statements(accept)?;
            Ok(())
        })?;
        let reject = self.block(|b| {
            *reject_ends = b.statements(reject)?;
            Ok(())
        })?;
        self.push(Statement::If { condition, accept, reject });
        Ok(ends == [true, true])
    }

    fn repeat(&mut self, repeat: &Loop) -> Result<()> {
        if self.statements(&repeat.init)? {
            return Ok(());
        }
        if let Some(local) = repeat.condition_local {
            self.local_variable(local)?;
        }
        let flag = self.loop_flag(repeat);
        self.loop_depth += 1;
        let body = self.block(|b| {
            if flag.is_some() {
                b.count_round()?;
            }
            if !repeat.test_after {
                b.leave_unless(repeat)?;
            }
            b.statements(&repeat.body).map(drop)
        })?;
        let mut break_if = None;
        let continuing = self.block(|b| {
            if repeat.test_after
                && let Some(condition) = &repeat.condition
            {
                let value = b.value(condition)?;
                break_if = Some(b.not(value));
            }
            if let Some(step) = &repeat.step {
                b.effects(step)?;
            }
            Ok(())
        })?;
        self.loop_depth -= 1;
        self.push(Statement::Loop { body, continuing, break_if });
        if let Some(flag) = flag {
            self.note_runaway(flag);
        }
        Ok(())
    }

    /// `if (!condition) break;` at the head of a loop.
    fn leave_unless(&mut self, repeat: &Loop) -> Result<()> {
        let Some(condition) = &repeat.condition else { return Ok(()) };
        if matches!(&condition.kind, ExprKind::Constant(v) if v.first() == Some(&crate::shader::hir::Constant::Bool(true)))
        {
            return Ok(());
        }
        let value = self.value(condition)?;
        if let Some(local) = repeat.condition_local
            && let Some(LocalHome::Pointer(pointer)) = self.locals.get(local.0 as usize).copied()
        {
            self.store(pointer, value);
        }
        let accept = self.block(|_| Ok(()))?;
        let reject = self.block(|b| {
            b.push(Statement::Break);
            Ok(())
        })?;
        self.push(Statement::If { condition: value, accept, reject });
        Ok(())
    }
}
