//! `switch`, with fall-through.

use naga::{Block, Statement, SwitchCase, SwitchValue};

use super::Result;
use super::function::FunctionBuilder;
use crate::shader::hir::{Case, Expr, Scalar, Type};

impl FunctionBuilder<'_, '_> {
    pub(super) fn switch(&mut self, selector: &Expr, cases: &[Case]) -> Result<()> {
        let unsigned = selector.ty == Type::Scalar(Scalar::Uint);
        let value = self.value(selector)?;
        let label = |value: i64| {
            if unsigned { SwitchValue::U32(value as u32) } else { SwitchValue::I32(value as i32) }
        };
        let mut out: Vec<SwitchCase> = Vec::new();
        for (position, case) in cases.iter().enumerate() {
            let last = position + 1 == cases.len();
            let mut ended = false;
            let mut body = self.block(|b| {
                ended = b.statements(&case.body)?;
                if last && !ended {
                    b.push(Statement::Break);
                    ended = true;
                }
                Ok(())
            })?;
            let mut values: Vec<SwitchValue> = case.labels.iter().map(|v| label(*v)).collect();
            if case.default {
                values.push(SwitchValue::Default);
            }
            let count = values.len();
            for (index, value) in values.into_iter().enumerate() {
                let is_body = index + 1 == count;
                out.push(SwitchCase {
                    value,
                    body: if is_body { std::mem::take(&mut body) } else { Block::new() },
                    fall_through: !is_body || !ended,
                });
            }
        }
        if !cases.iter().any(|case| case.default) {
            let body = self.block(|b| {
                b.push(Statement::Break);
                Ok(())
            })?;
            if let Some(previous) = out.last_mut() {
                previous.fall_through = false;
            }
            out.push(SwitchCase { value: SwitchValue::Default, body, fall_through: false });
        }
        self.push(Statement::Switch { selector: value, cases: out });
        Ok(())
    }
}
