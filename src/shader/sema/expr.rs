//! Expressions: names, members, indexing; operators and calls are in their own files.

use super::scope::Entry;
use super::{Analyzer, constant_values, types};
use crate::shader::ast;
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{BuiltinVariable, Constant, Expr, ExprKind, GlobalId, Span, Stage, Storage, Type};
use crate::shader::names::Symbol;

impl Analyzer<'_> {
    /// Types one expression.
    pub fn expr(&mut self, expr: &ast::Expr) -> Checked<Expr> {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Int(value) => self.constant(vec![Constant::Int(*value)], types::INT, span),
            ast::ExprKind::Uint(value) => self.constant(vec![Constant::Uint(*value)], types::UINT, span),
            ast::ExprKind::Float(value) => self.constant(vec![Constant::Float(*value)], types::FLOAT, span),
            ast::ExprKind::Bool(value) => self.constant(vec![Constant::Bool(*value)], types::BOOL, span),
            ast::ExprKind::Name(symbol) => self.name(*symbol, span),
            ast::ExprKind::Type(_) => Err(Diagnostic::new(span, "", "constructor expected")),
            ast::ExprKind::Call { callee, arguments } => self.call(callee, arguments, span),
            ast::ExprKind::Member { base, name } => self.member(base, *name, span),
            ast::ExprKind::Index { base, index } => match index {
                Some(index) => self.index(base, index, span),
                None => Err(Diagnostic::new(span, "[]", "array index expected")),
            },
            ast::ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ast::ExprKind::Plus(operand) => self.plus(operand, span),
            ast::ExprKind::Increment { target, decrement, prefix } => self.increment(target, *decrement, *prefix, span),
            ast::ExprKind::Binary(op, left, right) => self.binary(*op, left, right, span),
            ast::ExprKind::Assign { op, target, value } => self.assign(*op, target, value, span),
            ast::ExprKind::Select { condition, accept, reject } => self.select(condition, accept, reject, span),
            ast::ExprKind::Sequence(left, right) => self.sequence(left, right, span),
        }
    }

    /// An expression that must be a constant integer (array sizes, layout, case labels).
    pub fn constant_integer(&mut self, expr: &ast::Expr, what: &str) -> Checked<i64> {
        let value = self.expr(expr)?;
        match constant_values(&value) {
            Some([Constant::Int(value)]) => Ok(i64::from(*value)),
            Some([Constant::Uint(value)]) => Ok(i64::from(*value)),
            _ => Err(Diagnostic::new(expr.span, "", format!("{what} must be a constant integer expression"))),
        }
    }

    fn name(&mut self, symbol: Symbol, span: Span) -> Checked<Expr> {
        match self.scopes.find(symbol).cloned() {
            Some(Entry::Local(id)) => {
                let ty = self.local_type(id);
                Ok(Expr { kind: ExprKind::Local(id), ty, span })
            }
            Some(Entry::Constant { ty, values }) => self.constant(values.to_vec(), ty, span),
            Some(Entry::Global(id)) => self.global_name(id, symbol, span),
            Some(Entry::BlockMember { global, field }) => self.block_member(global, None, field, span),
            Some(Entry::Struct(_) | Entry::BlockName) => {
                Err(self.error(span, symbol, "variable expected, found a type"))
            }
            Some(Entry::Function) => Err(self.error(span, symbol, "variable expected, found a function")),
            None => {
                let text = self.text(symbol);
                match self.builtin_name(text, span)? {
                    Some(expr) => Ok(expr),
                    None => Err(self.error(span, symbol, "undeclared identifier")),
                }
            }
        }
    }

    fn global_name(&mut self, id: GlobalId, symbol: Symbol, span: Span) -> Checked<Expr> {
        let Some(global) = self.global(id) else { return Err(self.error(span, symbol, "undeclared identifier")) };
        if matches!(global.storage, Storage::Block(_)) {
            return Err(self.error(span, symbol, "a uniform block instance can only be used to select a member"));
        }
        let ty = global.ty.clone();
        self.usage.globals.insert(id.0);
        Ok(Expr { kind: ExprKind::Global(id), ty, span })
    }

    fn block_member(&mut self, global: GlobalId, element: Option<Expr>, field: u32, span: Span) -> Checked<Expr> {
        self.usage.globals.insert(global.0);
        let block = match self.global(global).map(|global| &global.storage) {
            Some(Storage::Block(block)) => self.blocks.get(*block as usize),
            _ => None,
        };
        let Some(found) = block.and_then(|block| block.fields.get(field as usize)) else {
            return Err(Diagnostic::new(span, "", "no such field in block"));
        };
        let ty = found.ty.clone();
        Ok(Expr { kind: ExprKind::BlockMember { global, element: element.map(Box::new), field }, ty, span })
    }

    /// The uniform block instance that `base` names, with its array index.
    fn block_instance(&mut self, base: &ast::Expr) -> Checked<Option<(GlobalId, Option<Expr>)>> {
        let (name, index) = match &base.kind {
            ast::ExprKind::Name(name) => (*name, None),
            ast::ExprKind::Index { base, index: Some(index) } => match &base.kind {
                ast::ExprKind::Name(name) => (*name, Some(index)),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let Some(Entry::Global(id)) = self.scopes.find(name) else { return Ok(None) };
        let id = *id;
        let Some(Storage::Block(block)) = self.global(id).map(|global| global.storage.clone()) else {
            return Ok(None);
        };
        let array = self.blocks.get(block as usize).and_then(|block| block.array);
        match (array, index) {
            (None, None) => Ok(Some((id, None))),
            (Some(length), Some(index)) => {
                let value = self.constant_integer(index, "uniform block array index")?;
                if value < 0 || value >= i64::from(length) {
                    return Err(self.error(base.span, name, "uniform block array index out of range"));
                }
                let index = self.constant(vec![Constant::Int(value as i32)], types::INT, base.span)?;
                Ok(Some((id, Some(index))))
            }
            (Some(_), None) => Err(self.error(base.span, name, "an array of uniform blocks must be indexed")),
            (None, Some(_)) => Err(self.error(base.span, name, "left of '[' is not of array type")),
        }
    }

    fn member(&mut self, base: &ast::Expr, name: ast::Name, span: Span) -> Checked<Expr> {
        if let Some((global, element)) = self.block_instance(base)? {
            let text = self.text(name.symbol);
            let field = match self.global(global).map(|global| &global.storage) {
                Some(Storage::Block(block)) => self
                    .blocks
                    .get(*block as usize)
                    .and_then(|block| block.fields.iter().position(|field| field.name == text)),
                _ => None,
            };
            let Some(field) = field else { return Err(self.error(name.span, name.symbol, "no such field in block")) };
            return self.block_member(global, element, field as u32, span);
        }
        let base = self.expr(base)?;
        match base.ty {
            Type::Struct(id) => {
                let text = self.text(name.symbol);
                let fields = self.structs.get(id.0 as usize).map_or(&[][..], |definition| &definition.fields);
                let Some(field) = fields.iter().position(|field| field.name == text) else {
                    return Err(self.error(name.span, name.symbol, "no such field in structure"));
                };
                self.select_field(base, field as u32, span)
            }
            Type::Vector(scalar, size) => {
                let components = self.swizzle(name, size)?;
                let ty = types::vector(scalar, components.len() as u8);
                if let Some(values) = constant_values(&base) {
                    let picked = components.iter().filter_map(|&index| values.get(usize::from(index)).copied());
                    let picked = picked.collect();
                    return self.constant(picked, ty, span);
                }
                Ok(Expr { kind: ExprKind::Swizzle { base: Box::new(base), components }, ty, span })
            }
            _ => Err(self.error(
                name.span,
                name.symbol,
                "field selection requires structure or vector on left hand side",
            )),
        }
    }

    fn select_field(&mut self, base: Expr, field: u32, span: Span) -> Checked<Expr> {
        let Type::Struct(id) = base.ty else { return Err(Diagnostic::new(span, ".", "structure expected")) };
        let fields = self.structs.get(id.0 as usize).map_or(&[][..], |definition| &definition.fields);
        let Some(found) = fields.get(field as usize) else {
            return Err(Diagnostic::new(span, ".", "no such field in structure"));
        };
        let ty = found.ty.clone();
        if let Some(values) = constant_values(&base) {
            let offset: u64 =
                fields.iter().take(field as usize).map(|field| types::components(&field.ty, &self.structs)).sum();
            let length = types::components(&ty, &self.structs) as usize;
            let part = values.iter().skip(offset as usize).take(length).copied().collect();
            return self.constant(part, ty, span);
        }
        Ok(Expr { kind: ExprKind::Field { base: Box::new(base), field }, ty, span })
    }

    /// Component indices of `.xyz`, `.rgb`, `.stp` (GLSL ES 3.00 §5.5).
    fn swizzle(&self, name: ast::Name, size: u8) -> Checked<Vec<u8>> {
        let text = self.text(name.symbol);
        let illegal = |message: &str| self.error(name.span, name.symbol, message);
        if text.len() > 4 {
            return Err(illegal("illegal vector field selection"));
        }
        for set in ["xyzw", "rgba", "stpq"] {
            let found: Option<Vec<u8>> = text.chars().map(|c| set.find(c).map(|index| index as u8)).collect();
            if let Some(components) = found {
                if components.iter().any(|&component| component >= size) {
                    return Err(illegal("vector field selection out of range"));
                }
                return Ok(components);
            }
        }
        Err(illegal("illegal vector field selection"))
    }

    fn index(&mut self, base: &ast::Expr, index: &ast::Expr, span: Span) -> Checked<Expr> {
        let base = self.expr(base)?;
        let index = self.expr(index)?;
        let (ty, length) = match &base.ty {
            Type::Array(element, length) => ((**element).clone(), *length),
            Type::Vector(scalar, size) => (Type::Scalar(*scalar), u32::from(*size)),
            Type::Matrix { columns, rows } => {
                (Type::Vector(crate::shader::hir::Scalar::Float, *rows), u32::from(*columns))
            }
            _ => return Err(Diagnostic::new(span, "[", "left of '[' is not of type array, matrix, or vector")),
        };
        if !types::is_integer_scalar(&index.ty) {
            return Err(Diagnostic::new(span, "[", "integer expression required"));
        }
        let constant = match constant_values(&index) {
            Some([Constant::Int(value)]) => Some(i64::from(*value)),
            Some([Constant::Uint(value)]) => Some(i64::from(*value)),
            _ => None,
        };
        if let Some(value) = constant
            && (value < 0 || value >= i64::from(length))
        {
            return Err(Diagnostic::new(span, "[", format!("index {value} out of range: the size is {length}")));
        }
        self.check_index_rules(&base, &index, constant, span)?;
        if let (Some(values), Some(value)) = (constant_values(&base), constant) {
            let size = types::components(&ty, &self.structs) as usize;
            let part = values.iter().skip(value as usize * size).take(size).copied().collect();
            return self.constant(part, ty, span);
        }
        Ok(Expr { kind: ExprKind::Index { base: Box::new(base), index: Box::new(index) }, ty, span })
    }

    fn check_index_rules(&mut self, base: &Expr, index: &Expr, constant: Option<i64>, span: Span) -> Checked<()> {
        let samplers = types::contains_sampler(&base.ty, &self.structs);
        if self.essl300() {
            // GLSL ES 3.00 §4.1.7.1: sampler arrays need constant integral expressions.
            if samplers && constant.is_none() {
                return Err(Diagnostic::new(
                    span,
                    "[",
                    "array index for samplers must be constant integral expressions",
                ));
            }
            if self.is_fragment_output(base) && constant.is_none() {
                return Err(Diagnostic::new(span, "[", "array index for fragment outputs must be constant"));
            }
            return Ok(());
        }
        if self.builtin_of(base) == Some(BuiltinVariable::FragData) {
            let extension = self.extensions.contains(crate::shader::compile::ExtensionSet::EXT_DRAW_BUFFERS);
            match constant {
                Some(value) if value == 0 || extension => {
                    self.frag_data_len = self.frag_data_len.max(value as u32 + 1);
                }
                _ => {
                    let message = "array index for gl_FragData must be constant zero";
                    return Err(Diagnostic::new(span, "[", message));
                }
            }
        }
        // GLSL ES 1.00 appendix A.5.
        let free = self.stage == Stage::Vertex && !samplers && self.is_uniform(base);
        if !free && !self.is_constant_index(index) {
            return Err(Diagnostic::new(span, "[", "Index expression must be constant"));
        }
        Ok(())
    }

    fn is_fragment_output(&self, base: &Expr) -> bool {
        match base.kind {
            ExprKind::Global(id) => {
                self.stage == Stage::Fragment
                    && matches!(base.ty, Type::Array(..))
                    && self.global(id).is_some_and(|global| matches!(global.storage, Storage::Out(_)))
            }
            _ => false,
        }
    }

    /// Whether the expression names a uniform or a part of one.
    fn is_uniform(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Global(id) => self.global(*id).is_some_and(|global| global.storage == Storage::Uniform),
            ExprKind::BlockMember { .. } => true,
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } | ExprKind::Swizzle { base, .. } => {
                self.is_uniform(base)
            }
            _ => false,
        }
    }
}

/// Whether evaluating the expression may change anything.
pub fn has_side_effects(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Constant(_) | ExprKind::Local(_) | ExprKind::Global(_) => false,
        ExprKind::BlockMember { element, .. } => element.as_deref().is_some_and(has_side_effects),
        ExprKind::Field { base, .. } | ExprKind::Swizzle { base, .. } => has_side_effects(base),
        ExprKind::Index { base, index } => has_side_effects(base) || has_side_effects(index),
        ExprKind::Unary(_, operand) => has_side_effects(operand),
        ExprKind::Binary(_, left, right) | ExprKind::Sequence(left, right) => {
            has_side_effects(left) || has_side_effects(right)
        }
        ExprKind::Assign { .. } | ExprKind::Increment { .. } | ExprKind::Call { .. } => true,
        ExprKind::Select { condition, accept, reject } => {
            has_side_effects(condition) || has_side_effects(accept) || has_side_effects(reject)
        }
        ExprKind::Construct(arguments) => arguments.iter().any(has_side_effects),
        ExprKind::Builtin { function, arguments } => {
            *function == crate::shader::builtins::BuiltinFunction::Modf || arguments.iter().any(has_side_effects)
        }
    }
}
