//! Calls of user functions: copy-in, copy-out, and samplers passed by specialisation.

use naga::{Expression, Handle, Statement};

use super::access::Place;
use super::function::{FunctionBuilder, LocalHome};
use super::sampler::Opaque;
use super::{Result, internal};
use crate::shader::hir::{Direction, Expr, ExprKind, FunctionId, LocalId, Type};
use crate::shader::link::types::{contains_data, contains_sampler};

impl FunctionBuilder<'_, '_> {
    /// Calls a function: its result, unless it is void.
    pub(super) fn call(&mut self, id: FunctionId, arguments: &[Expr]) -> Result<Option<Handle<Expression>>> {
        let shader = self.stage.shader;
        let callee = shader.functions.get(id.0 as usize).ok_or_else(|| internal("call of an unknown function"))?;
        let mut values = Vec::with_capacity(arguments.len());
        let mut opaques = Vec::new();
        let mut outs: Vec<(Place, Handle<Expression>, Type)> = Vec::new();
        let direct = direct_locals(callee.parameters.iter().map(|p| p.direction), arguments);
        for (parameter, argument) in callee.parameters.iter().zip(arguments) {
            let ty = &argument.ty;
            if contains_sampler(shader, ty) {
                opaques.push(self.opaque(argument)?);
            }
            if !contains_data(shader, ty) {
                continue;
            }
            if parameter.direction == Direction::In {
                values.push(self.value(argument)?);
                continue;
            }
            if let Some(pointer) = self.direct_pointer(argument, &direct) {
                values.push(pointer);
                continue;
            }
            let place = self.place(argument)?;
            let temporary = self.temporary(ty)?;
            if parameter.direction == Direction::InOut {
                let value = self.load_place(&place, ty)?;
                self.store(temporary, value);
            }
            values.push(temporary);
            outs.push((place, temporary, ty.clone()));
        }
        let result = self.call_with(id, &callee.result, &values, &opaques, Vec::new())?;
        for (place, temporary, _) in outs {
            let value = self.load(temporary);
            self.store_place(&place, value);
        }
        Ok(result)
    }

    /// A whole local that is no other out argument of the call can be passed as it is.
    fn direct_pointer(&self, argument: &Expr, direct: &[LocalId]) -> Option<Handle<Expression>> {
        let ExprKind::Local(local) = argument.kind else { return None };
        match self.locals.get(local.0 as usize) {
            Some(LocalHome::Pointer(pointer)) if direct.contains(&local) => Some(*pointer),
            _ => None,
        }
    }

    /// Resolves the samplers one after the other, then calls.
    fn call_with(
        &mut self,
        id: FunctionId,
        result: &Type,
        values: &[Handle<Expression>],
        opaques: &[Opaque],
        slots: Vec<u32>,
    ) -> Result<Option<Handle<Expression>>> {
        if let Some((first, rest)) = opaques.split_first() {
            return self.with_slot(first, result, &mut |b, slot| {
                let mut slots = slots.clone();
                slots.push(slot);
                b.call_with(id, result, values, rest, slots)
            });
        }
        let function = self.stage.instance(id, slots)?;
        let value = match result {
            Type::Void => None,
            _ => Some(self.pre(Expression::CallResult(function))),
        };
        self.push(Statement::Call { function, arguments: values.to_vec(), result: value });
        Ok(value)
    }
}

/// Locals that appear exactly once among the out arguments, as a whole or in part.
fn direct_locals(directions: impl Iterator<Item = Direction>, arguments: &[Expr]) -> Vec<LocalId> {
    fn root(expr: &Expr) -> Option<LocalId> {
        match &expr.kind {
            ExprKind::Local(local) => Some(*local),
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } | ExprKind::Swizzle { base, .. } => root(base),
            _ => None,
        }
    }
    let roots: Vec<LocalId> = directions
        .zip(arguments)
        .filter(|(direction, _)| *direction != Direction::In)
        .filter_map(|(_, argument)| root(argument))
        .collect();
    roots.iter().filter(|local| roots.iter().filter(|other| other == local).count() == 1).copied().collect()
}
