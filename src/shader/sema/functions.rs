//! Functions: prototypes, definitions, parameters (GLSL ES 3.00 §6.1).

use super::scope::Entry;
use super::{Analyzer, Usage, types};
use crate::shader::ast;
use crate::shader::builtins::signatures::{Lookup, is_builtin, resolve};
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{Direction, Function, Local, LocalId, Parameter, Span, Type};
use crate::shader::names::Symbol;

/// A declared function.
#[derive(Debug)]
pub struct FunctionEntry {
    pub name: Symbol,
    pub parameters: Vec<ParameterType>,
    pub result: Type,
    /// Present once defined.
    pub definition: Option<Function>,
    pub usage: Usage,
    pub span: Span,
    /// A prototype without body was seen.
    declared: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterType {
    pub ty: Type,
    pub direction: Direction,
    is_const: bool,
}

/// The function whose body is being read.
#[derive(Debug, Default)]
pub struct FunctionState {
    pub locals: Vec<Local>,
    /// Why each local cannot be written; `None` if it can.
    pub read_only: Vec<Option<&'static str>>,
    pub result: Option<Type>,
    pub loops: u32,
    pub switches: u32,
    /// Loop indices of enclosing GLSL ES 1.00 `for` loops.
    pub loop_indices: Vec<LocalId>,
}

impl Analyzer<'_> {
    pub fn local_type(&self, id: LocalId) -> Type {
        self.current
            .as_ref()
            .and_then(|current| current.locals.get(id.0 as usize))
            .map_or(Type::Void, |local| local.ty.clone())
    }

    pub fn read_only_local(&self, id: LocalId) -> Option<&'static str> {
        let current = self.current.as_ref()?;
        if current.loop_indices.contains(&id) {
            return Some("loop index cannot be modified inside the loop");
        }
        current.read_only.get(id.0 as usize).copied().flatten()
    }

    /// A new local of the current function, not yet named.
    pub fn add_local(&mut self, name: Symbol, ty: Type, read_only: Option<&'static str>) -> LocalId {
        let name = self.text(name).to_owned();
        let Some(current) = self.current.as_mut() else { return LocalId(0) };
        let id = LocalId(current.locals.len() as u32);
        current.locals.push(Local { name, ty });
        current.read_only.push(read_only);
        id
    }

    pub fn declare_prototype(&mut self, prototype: &ast::Prototype) -> Checked<()> {
        if self.current.is_some() {
            return Err(self.error(
                prototype.name.span,
                prototype.name.symbol,
                "local function prototype declarations are not allowed",
            ));
        }
        let index = self.function_header(prototype)?;
        if let Some(entry) = self.functions.get_mut(index) {
            // GLSL ES 1.00 §6.1: one prototype at most.
            let again = std::mem::replace(&mut entry.declared, true);
            if again && !self.essl300() {
                let message = "duplicate function prototype declarations are not allowed";
                return Err(self.error(prototype.name.span, prototype.name.symbol, message));
            }
        }
        Ok(())
    }

    /// Checks a prototype and gives its entry, new or matching.
    fn function_header(&mut self, prototype: &ast::Prototype) -> Checked<usize> {
        let ast::Name { symbol, span } = prototype.name;
        self.check_name(symbol, span)?;
        let result = self.result_type(&prototype.result, span)?;
        let mut parameters = Vec::with_capacity(prototype.parameters.len());
        for parameter in &prototype.parameters {
            parameters.push(self.parameter_type(parameter)?);
        }
        self.check_main(symbol, span, &result, &parameters)?;
        self.check_redefinition(symbol, span, &parameters)?;
        match self.scopes.find_global(symbol) {
            None => self.scopes.insert_global(symbol, Entry::Function),
            Some(Entry::Function) => {}
            Some(_) => return Err(self.error(span, symbol, "redefinition")),
        }
        for &index in self.functions_by_name.get(&symbol).map_or(&[][..], Vec::as_slice) {
            let Some(entry) = self.functions.get(index) else { continue };
            let same = entry.parameters.len() == parameters.len()
                && entry.parameters.iter().zip(&parameters).all(|(a, b)| a.ty == b.ty);
            if !same {
                continue;
            }
            if entry.result != result {
                return Err(self.error(span, symbol, "overloaded functions must have the same return type"));
            }
            if entry.parameters != parameters {
                return Err(self.error(
                    span,
                    symbol,
                    "function must have the same parameter qualifiers in all of its declarations",
                ));
            }
            return Ok(index);
        }
        let index = self.functions.len();
        self.functions.push(FunctionEntry {
            name: symbol,
            parameters,
            result,
            definition: None,
            usage: Usage::default(),
            span,
            declared: false,
        });
        self.functions_by_name.entry(symbol).or_default().push(index);
        Ok(index)
    }

    fn check_main(&self, symbol: Symbol, span: Span, result: &Type, parameters: &[ParameterType]) -> Checked<()> {
        if self.text(symbol) != "main" {
            return Ok(());
        }
        if !parameters.is_empty() {
            return Err(self.error(span, symbol, "function cannot take any parameter(s)"));
        }
        if *result != Type::Void {
            return Err(self.error(span, symbol, "main function cannot return a value"));
        }
        Ok(())
    }

    /// 3.00 §4.2.3: built-in functions cannot be redeclared at all; 1.00 allows new overloads.
    fn check_redefinition(&self, symbol: Symbol, span: Span, parameters: &[ParameterType]) -> Checked<()> {
        let name = self.text(symbol);
        if self.essl300() {
            if is_builtin(name, self.caller()) {
                return Err(self.error(span, symbol, "Name of a built-in function cannot be redeclared as function"));
            }
            return Ok(());
        }
        let parameter_types: Vec<&Type> = parameters.iter().map(|parameter| &parameter.ty).collect();
        match resolve(name, &parameter_types, self.caller()) {
            Lookup::Found(..) => Err(self.error(span, symbol, "built-in functions cannot be redefined")),
            _ => Ok(()),
        }
    }

    fn result_type(&mut self, result: &ast::FullType, span: Span) -> Checked<Type> {
        let precision = self.precision_only(&result.qualifiers)?;
        if matches!(result.name, ast::TypeName::Struct(_)) {
            return Err(Diagnostic::new(result.span, "struct", "type definition not allowed as return type"));
        }
        let base = self.named_type(&result.name, result.span)?;
        let ty = self.array_of(base, result.array.as_ref(), None)?;
        if matches!(ty, Type::Array(..)) && !self.essl300() {
            return Err(Diagnostic::new(span, "[]", "cannot return an array"));
        }
        if !self.essl300() && types::contains_array(&ty, &self.structs) {
            return Err(Diagnostic::new(span, "", "structures containing arrays can't be function return values"));
        }
        if types::contains_sampler(&ty, &self.structs) {
            return Err(Diagnostic::new(span, "", "samplers can't be function return values"));
        }
        self.check_precision(&ty, precision, result.span)?;
        Ok(ty)
    }

    fn parameter_type(&mut self, parameter: &ast::Parameter) -> Checked<ParameterType> {
        let span = parameter.ty.span;
        if matches!(parameter.ty.name, ast::TypeName::Struct(_)) {
            return Err(Diagnostic::new(span, "struct", "type definition not allowed in a function parameter"));
        }
        let base = self.named_type(&parameter.ty.name, span)?;
        if base == Type::Void {
            return Err(Diagnostic::new(span, "void", "illegal use of type 'void'"));
        }
        let inner = self.array_of(base, parameter.array.as_ref(), None)?;
        if matches!(inner, Type::Array(..)) && parameter.ty.array.is_some() {
            return Err(Diagnostic::new(span, "[]", "cannot declare arrays of arrays"));
        }
        let ty = self.array_of(inner, parameter.ty.array.as_ref(), None)?;
        if parameter.direction != Direction::In && types::contains_sampler(&ty, &self.structs) {
            return Err(Diagnostic::new(span, "", "samplers cannot be output parameters"));
        }
        let precision = self.precision_of(&parameter.ty.qualifiers);
        self.check_precision(&ty, precision, span)?;
        Ok(ParameterType { ty, direction: parameter.direction, is_const: parameter.is_const })
    }

    pub fn function(&mut self, prototype: &ast::Prototype, body: &[ast::Stmt]) -> Checked<()> {
        let ast::Name { symbol, span } = prototype.name;
        let index = self.function_header(prototype)?;
        let Some(entry) = self.functions.get(index) else { return Ok(()) };
        if entry.definition.is_some() {
            return Err(self.error(span, symbol, "function already has a body"));
        }
        let result = entry.result.clone();
        let parameter_types = entry.parameters.clone();
        self.current = Some(FunctionState { result: Some(result.clone()), ..FunctionState::default() });
        let outer = std::mem::take(&mut self.usage);
        self.scopes.push();
        let mut parameters = Vec::new();
        for (parameter, declared) in prototype.parameters.iter().zip(parameter_types) {
            let read_only = declared.is_const.then_some("can't modify a const");
            let name = parameter.name.map_or(self.unit.empty, |name| name.symbol);
            let local = self.add_local(name, declared.ty, read_only);
            if let Some(name) = parameter.name {
                self.check_name(name.symbol, name.span)?;
                if !self.scopes.insert(name.symbol, Entry::Local(local)) {
                    return Err(self.error(name.span, name.symbol, "redefinition"));
                }
            }
            parameters.push(Parameter { local, direction: declared.direction });
        }
        let statements = self.statements(body)?;
        if result != Type::Void && !body_returns(body) {
            return Err(self.error(span, symbol, "function does not return a value"));
        }
        self.scopes.pop();
        let locals = self.current.take().map(|current| current.locals).unwrap_or_default();
        let usage = std::mem::replace(&mut self.usage, outer);
        let name = self.text(symbol).to_owned();
        if let Some(entry) = self.functions.get_mut(index) {
            entry.usage = usage;
            entry.definition = Some(Function { name, parameters, result, locals, body: statements, span });
        }
        Ok(())
    }
}

/// Whether a `return` with a value occurs anywhere, as ANGLE demands of value-returning functions.
fn body_returns(body: &[ast::Stmt]) -> bool {
    body.iter().any(stmt_returns)
}

fn stmt_returns(stmt: &ast::Stmt) -> bool {
    use ast::StmtKind as S;
    match &stmt.kind {
        S::Return(Some(_)) => true,
        S::Block(body) | S::Switch { body, .. } => body_returns(body),
        S::If { accept, reject, .. } => stmt_returns(accept) || reject.as_deref().is_some_and(stmt_returns),
        S::For { body, .. } | S::While { body, .. } | S::DoWhile { body, .. } => stmt_returns(body),
        _ => false,
    }
}
