//! Syntax tree → typed HIR: names, types, overloads, l-values, constants, precision, storage, WebGL's own rules.
//!
//! Takes in one parsed shader; gives out a [`Shader`] for which nothing more has to be checked before linking.
//! Knows nothing of the other stage, of naga or of GL objects. Stops at the first error.

mod blocks;
mod builtin_variables;
mod call;
mod construct;
mod decl;
mod expr;
mod finish;
mod fold;
mod functions;
mod limits;
mod loops;
mod lvalue;
mod operators;
mod qualifiers;
mod scope;
mod stmt;
mod structs;
mod types;

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use self::functions::{FunctionEntry, FunctionState};
use self::scope::Scopes;
use super::ast::{Declaration, External, Tree};
use super::builtins::signatures::Caller;
use super::compile::{CompileOptions, ExtensionSet};
use super::error::{Checked, Diagnostic};
use super::hir::{
    BuiltinVariable, Dialect, Expr, ExprKind, Global, GlobalId, Shader, Span, Stage, Struct, StructId, Type,
    UniformBlock,
};
use super::names::{Names, Symbol};
use super::preprocess::Unit;

/// Scalars all folded constants of one shader may hold together: bounds time and memory.
const MAX_CONSTANT_SCALARS: u64 = 1 << 23;

/// Checks a shader.
pub fn analyze(stage: Stage, tree: &Tree, unit: &Unit, options: &CompileOptions) -> Checked<Shader> {
    let mut analyzer = Analyzer::new(stage, unit, options);
    for external in tree {
        analyzer.external(external)?;
    }
    analyzer.finish()
}

/// What a piece of code refers to.
#[derive(Clone, Debug, Default)]
struct Usage {
    globals: BTreeSet<u32>,
    /// Indices into `Analyzer::functions`.
    calls: BTreeSet<usize>,
}

/// What `hir::Global` does not say.
#[derive(Clone, Debug, Default)]
struct GlobalFacts {
    /// What its initialiser refers to.
    usage: Usage,
}

struct Analyzer<'a> {
    unit: &'a Unit,
    names: &'a Names,
    stage: Stage,
    dialect: Dialect,
    options: &'a CompileOptions,
    extensions: ExtensionSet,
    scopes: Scopes,
    structs: Vec<Struct>,
    globals: Vec<Global>,
    global_facts: Vec<GlobalFacts>,
    builtin_globals: FxHashMap<&'static str, GlobalId>,
    depth_range_struct: Option<StructId>,
    blocks: Vec<UniformBlock>,
    functions: Vec<FunctionEntry>,
    functions_by_name: FxHashMap<Symbol, Vec<usize>>,
    current: Option<FunctionState>,
    /// References of the code being read (a function's body or a global's initialiser).
    usage: Usage,
    constant_scalars: u64,
    writes_frag_depth: bool,
    frag_data_len: u32,
    block_defaults: blocks::Defaults,
}

impl<'a> Analyzer<'a> {
    fn new(stage: Stage, unit: &'a Unit, options: &'a CompileOptions) -> Self {
        Self {
            unit,
            names: &unit.names,
            stage,
            dialect: unit.dialect,
            options,
            extensions: unit.extensions,
            scopes: Scopes::new(stage),
            structs: Vec::new(),
            globals: Vec::new(),
            global_facts: Vec::new(),
            builtin_globals: FxHashMap::default(),
            depth_range_struct: None,
            blocks: Vec::new(),
            functions: Vec::new(),
            functions_by_name: FxHashMap::default(),
            current: None,
            usage: Usage::default(),
            constant_scalars: 0,
            writes_frag_depth: false,
            frag_data_len: 0,
            block_defaults: blocks::Defaults::default(),
        }
    }

    fn external(&mut self, external: &External) -> Checked<()> {
        match external {
            External::Empty => Ok(()),
            External::Declaration(Declaration::Prototype(prototype)) => self.declare_prototype(prototype),
            External::Declaration(declaration) => self.global_declaration(declaration),
            External::Function { prototype, body } => self.function(prototype, body),
        }
    }

    fn essl300(&self) -> bool {
        self.dialect == Dialect::Essl300
    }

    fn caller(&self) -> Caller {
        Caller { dialect: self.dialect, stage: self.stage, extensions: self.extensions }
    }

    fn text(&self, symbol: Symbol) -> &'a str {
        self.names.get(symbol)
    }

    fn spell(&self, ty: &Type) -> String {
        types::spell(ty, &self.structs)
    }

    /// An error about a name.
    fn error(&self, span: Span, symbol: Symbol, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(span, self.text(symbol), message)
    }

    fn global(&self, id: GlobalId) -> Option<&Global> {
        self.globals.get(id.0 as usize)
    }

    /// The built-in variable an expression names directly.
    fn builtin_of(&self, expr: &Expr) -> Option<BuiltinVariable> {
        match expr.kind {
            ExprKind::Global(id) => match self.global(id)?.storage {
                super::hir::Storage::Builtin(variable) => Some(variable),
                _ => None,
            },
            _ => None,
        }
    }

    /// A constant, counted against the shader's budget.
    fn constant(&mut self, values: Vec<super::hir::Constant>, ty: Type, span: Span) -> Checked<Expr> {
        self.constant_scalars = self.constant_scalars.saturating_add(values.len() as u64 + 1);
        if self.constant_scalars > MAX_CONSTANT_SCALARS {
            return Err(Diagnostic::new(span, "", "constant expressions too large"));
        }
        Ok(Expr { kind: ExprKind::Constant(values), ty, span })
    }

    /// GLSL ES 3.00 §3.9, WebGL 1.0 §6.8: names a shader may not declare.
    fn check_name(&self, symbol: Symbol, span: Span) -> Checked<()> {
        let name = self.text(symbol);
        if name.starts_with("gl_") {
            return Err(self.error(span, symbol, "reserved built-in name"));
        }
        if name.starts_with("webgl_") || name.starts_with("_webgl_") {
            return Err(self.error(span, symbol, "identifiers starting with \"webgl_\" or \"_webgl_\" are reserved"));
        }
        Ok(())
    }
}

/// The scalars of a constant expression.
fn constant_values(expr: &Expr) -> Option<&[super::hir::Constant]> {
    match &expr.kind {
        ExprKind::Constant(values) => Some(values),
        _ => None,
    }
}
