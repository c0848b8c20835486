//! Calls: constructors, `.length()`, user functions, built-in functions.

use super::expr::has_side_effects;
use super::scope::Entry;
use super::{Analyzer, constant_values, fold, types};
use crate::shader::ast;
use crate::shader::builtins::BuiltinFunction;
use crate::shader::builtins::signatures::{Lookup, resolve};
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{Constant, Direction, Expr, ExprKind, FunctionId, Span, Type};
use crate::shader::names::Symbol;

/// Arguments one call may have.
const MAX_ARGUMENTS: usize = 1024;

impl Analyzer<'_> {
    pub fn call(&mut self, callee: &ast::Expr, arguments: &[ast::Expr], span: Span) -> Checked<Expr> {
        match &callee.kind {
            ast::ExprKind::Type(parts) => {
                let (name, array) = &**parts;
                let ty = match name {
                    ast::TypeName::Struct(definition) => Type::Struct(self.define_struct(definition)?),
                    _ => self.named_type(name, span)?,
                };
                self.construct_call(ty, array.as_ref().map(|array| array.size.as_ref()), arguments, span)
            }
            ast::ExprKind::Index { base, index } => match &base.kind {
                ast::ExprKind::Name(name) if matches!(self.scopes.find(*name), Some(Entry::Struct(_))) => {
                    let Some(Entry::Struct(id)) = self.scopes.find(*name) else {
                        return Err(self.error(span, *name, "type expected"));
                    };
                    let ty = Type::Struct(*id);
                    self.construct_call(ty, Some(index.as_deref()), arguments, span)
                }
                _ => Err(Diagnostic::new(span, "(", "function name expected")),
            },
            ast::ExprKind::Member { base, name } => self.method(base, *name, arguments, span),
            ast::ExprKind::Name(name) => match self.scopes.find(*name) {
                Some(Entry::Struct(id)) => {
                    let ty = Type::Struct(*id);
                    self.construct_call(ty, None, arguments, span)
                }
                Some(Entry::Function) | None => self.function_call(*name, arguments, span),
                Some(_) => Err(self.error(span, *name, "function name expected")),
            },
            _ => Err(Diagnostic::new(span, "(", "function name expected")),
        }
    }

    fn arguments(&mut self, arguments: &[ast::Expr], span: Span) -> Checked<Vec<Expr>> {
        // Array constructors may be long; calls may not.
        let _ = span;
        arguments.iter().map(|argument| self.expr(argument)).collect()
    }

    /// `array`: `Some(None)` for `T[](…)`, `Some(Some(n))` for `T[n](…)`.
    fn construct_call(
        &mut self,
        element: Type,
        array: Option<Option<&ast::Expr>>,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        let ty = match array {
            None => element,
            Some(_) if !self.essl300() => {
                return Err(Diagnostic::new(span, "[]", "array constructor supported in GLSL ES 3.00 and above only"));
            }
            Some(None) => Type::Array(Box::new(element), arguments.len() as u32),
            Some(Some(size)) => {
                let length = self.array_length(size)?;
                Type::Array(Box::new(element), length)
            }
        };
        let arguments = self.arguments(arguments, span)?;
        self.construct(ty, arguments, span)
    }

    /// `array.length()`, the only method.
    fn method(&mut self, base: &ast::Expr, name: ast::Name, arguments: &[ast::Expr], span: Span) -> Checked<Expr> {
        if self.text(name.symbol) != "length" || !self.essl300() {
            return Err(self.error(name.span, name.symbol, "no such method"));
        }
        if !arguments.is_empty() {
            return Err(self.error(name.span, name.symbol, "method takes no parameters"));
        }
        let base = self.expr(base)?;
        let Type::Array(_, length) = base.ty else {
            return Err(self.error(name.span, name.symbol, "length can only be called on arrays"));
        };
        let value = self.constant(vec![Constant::Int(length as i32)], types::INT, span)?;
        if has_side_effects(&base) {
            let kind = ExprKind::Sequence(Box::new(base), Box::new(value));
            return Ok(Expr { kind, ty: types::INT, span });
        }
        Ok(value)
    }

    fn function_call(&mut self, name: Symbol, arguments: &[ast::Expr], span: Span) -> Checked<Expr> {
        if arguments.len() > MAX_ARGUMENTS {
            return Err(self.error(span, name, "too many arguments"));
        }
        let arguments = self.arguments(arguments, span)?;
        if let Some(argument) = arguments.iter().find(|argument| argument.ty == Type::Void) {
            return Err(self.error(argument.span, name, "cannot pass a void value"));
        }
        if let Some(index) = self.find_function(name, &arguments) {
            return self.user_call(index, name, arguments, span);
        }
        let argument_types: Vec<&Type> = arguments.iter().map(|argument| &argument.ty).collect();
        match resolve(self.text(name), &argument_types, self.caller()) {
            Lookup::Found(function, ty) => self.builtin_call(function, ty, name, arguments, span),
            Lookup::Unknown if !self.functions_by_name.contains_key(&name) => {
                Err(self.error(span, name, "no matching function: the name is not declared"))
            }
            _ => Err(self.error(span, name, "no matching overloaded function found")),
        }
    }

    fn find_function(&self, name: Symbol, arguments: &[Expr]) -> Option<usize> {
        let candidates = self.functions_by_name.get(&name)?;
        candidates.iter().copied().find(|&index| {
            self.functions.get(index).is_some_and(|function| {
                function.parameters.len() == arguments.len()
                    && function
                        .parameters
                        .iter()
                        .zip(arguments)
                        .all(|(parameter, argument)| parameter.ty == argument.ty)
            })
        })
    }

    fn user_call(&mut self, index: usize, name: Symbol, arguments: Vec<Expr>, span: Span) -> Checked<Expr> {
        if self.current.is_none() {
            return Err(self.error(span, name, "user-defined functions cannot be called in global initializers"));
        }
        let Some(function) = self.functions.get(index) else {
            return Err(self.error(span, name, "no matching overloaded function found"));
        };
        let ty = function.result.clone();
        let directions: Vec<Direction> = function.parameters.iter().map(|parameter| parameter.direction).collect();
        for (direction, argument) in directions.into_iter().zip(&arguments) {
            if direction != Direction::In {
                self.check_lvalue(argument, self.names.get(name), span).map_err(|error| Diagnostic {
                    message: format!("argument of an 'out' parameter: {}", error.message),
                    ..error
                })?;
            }
        }
        self.usage.calls.insert(index);
        Ok(Expr { kind: ExprKind::Call { function: FunctionId(index as u32), arguments }, ty, span })
    }

    fn builtin_call(
        &mut self,
        function: BuiltinFunction,
        ty: Type,
        name: Symbol,
        arguments: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        self.check_offsets(function, name, &arguments, span)?;
        if function == BuiltinFunction::Modf
            && let Some(whole) = arguments.get(1)
        {
            self.check_lvalue(whole, self.names.get(name), span)?;
        }
        let constants: Option<Vec<(&Type, &[Constant])>> =
            arguments.iter().map(|argument| Some((&argument.ty, constant_values(argument)?))).collect();
        if let Some(values) = constants.and_then(|constants| fold::builtin(function, &constants)) {
            return self.constant(values, ty, span);
        }
        Ok(Expr { kind: ExprKind::Builtin { function, arguments }, ty, span })
    }

    /// GLSL ES 3.00 §8.8: texel offsets are constant and within the context's limits.
    fn check_offsets(&self, function: BuiltinFunction, name: Symbol, arguments: &[Expr], span: Span) -> Checked<()> {
        use BuiltinFunction as F;
        let at = match function {
            F::TextureOffset | F::TextureProjOffset => 2,
            F::TexelFetchOffset | F::TextureLodOffset | F::TextureProjLodOffset => 3,
            F::TextureGradOffset | F::TextureProjGradOffset => 4,
            _ => return Ok(()),
        };
        let Some(values) = arguments.get(at).and_then(constant_values) else {
            return Err(self.error(span, name, "Texture offset must be a constant expression"));
        };
        let limits = &self.options.limits;
        let allowed = limits.min_program_texel_offset..=limits.max_program_texel_offset;
        let outside = values.iter().any(|value| !matches!(value, Constant::Int(value) if allowed.contains(value)));
        if outside {
            return Err(self.error(span, name, "Texture offset value out of valid range"));
        }
        Ok(())
    }
}
