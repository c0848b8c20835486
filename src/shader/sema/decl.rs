//! Variables, global and local (GLSL ES 3.00 §4.3).

use super::qualifiers::Resolved;
use super::scope::Entry;
use super::{Analyzer, GlobalFacts, constant_values, types};
use crate::shader::ast::{self, Declaration, Qualifier};
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{
    BuiltinVariable, Expr, ExprKind, Global, GlobalId, Interface, Precision, Scalar, Span, Stage, Stmt, Storage, Type,
};
use crate::shader::names::Symbol;

impl Analyzer<'_> {
    pub fn global_declaration(&mut self, declaration: &Declaration) -> Checked<()> {
        match declaration {
            Declaration::Precision { precision, ty, span } => self.precision_statement(*precision, ty, *span),
            Declaration::Invariant { names, span } => self.invariant(names, *span),
            Declaration::Defaults { qualifiers, span } => self.block_defaults(qualifiers, *span),
            Declaration::Block(block) => self.uniform_block(block),
            Declaration::Prototype(prototype) => self.declare_prototype(prototype),
            Declaration::Variables { ty, declarators } => self.global_variables(ty, declarators),
        }
    }

    pub fn local_declaration(&mut self, declaration: &Declaration, out: &mut Vec<Stmt>) -> Checked<()> {
        match declaration {
            Declaration::Precision { precision, ty, span } => self.precision_statement(*precision, ty, *span),
            Declaration::Prototype(prototype) => self.declare_prototype(prototype),
            Declaration::Variables { ty, declarators } => self.local_variables(ty, declarators, out),
            Declaration::Invariant { span, .. } | Declaration::Defaults { span, .. } => {
                Err(Diagnostic::new(*span, "", "only allowed at global scope"))
            }
            Declaration::Block(block) => {
                Err(self.error(block.span, block.name.symbol, "interface blocks are only allowed at global scope"))
            }
        }
    }

    /// Type of one declarator, and its checked initialiser.
    fn declarator_type(
        &mut self,
        ty: &ast::FullType,
        base: &Type,
        declarator: &ast::Declarator,
    ) -> Checked<(Type, Option<Expr>)> {
        let ast::Name { symbol, span } = declarator.name;
        if *base == Type::Void {
            return Err(self.error(span, symbol, "illegal use of type 'void'"));
        }
        if ty.array.is_some() && !self.essl300() {
            return Err(Diagnostic::new(ty.span, "[]", "array types before the name need GLSL ES 3.00"));
        }
        let init = declarator.init.as_ref().map(|init| self.expr(init)).transpose()?;
        let implied = match init.as_ref().map(|init| &init.ty) {
            Some(Type::Array(_, length)) => Some(*length),
            _ => None,
        };
        let before = self.array_of(base.clone(), ty.array.as_ref(), implied)?;
        let full = self.array_of(before, declarator.array.as_ref(), implied)?;
        if let Some(init) = &init {
            if !self.essl300() && types::contains_array(&full, &self.structs) {
                return Err(self.error(span, symbol, "array initializers need GLSL ES 3.00"));
            }
            if types::contains_sampler(&full, &self.structs) {
                return Err(self.error(span, symbol, "samplers cannot be initialized"));
            }
            if init.ty != full {
                let (from, to) = (self.spell(&init.ty), self.spell(&full));
                return Err(Diagnostic::new(init.span, "=", format!("cannot convert from '{from}' to '{to}'")));
            }
        }
        Ok((full, init))
    }

    /// A name for the value, without storage.
    fn declare_constant(&mut self, name: ast::Name, ty: &Type, init: Option<&Expr>) -> Checked<()> {
        let Some(init) = init else {
            return Err(self.error(name.span, name.symbol, "variables with qualifier 'const' must be initialized"));
        };
        let Some(values) = constant_values(init) else {
            return Err(self.error(name.span, name.symbol, "assigning non-constant to a const variable"));
        };
        self.declare_entry(name, Entry::Constant { ty: ty.clone(), values: values.into() })
    }

    fn local_variables(
        &mut self,
        ty: &ast::FullType,
        declarators: &[ast::Declarator],
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let qualifiers = self.resolve_qualifiers(&ty.qualifiers)?;
        let plain = matches!(qualifiers.storage, None | Some(Qualifier::Const));
        if !plain || qualifiers.invariant || qualifiers.has_layout || qualifiers.flat || qualifiers.smooth {
            return Err(Diagnostic::new(ty.span, "", "qualifier only allowed at global scope"));
        }
        let base = self.declared_type(&ty.name, ty.span)?;
        if declarators.is_empty() {
            return self.empty_declaration(ty, &base, &qualifiers);
        }
        for declarator in declarators {
            let name = declarator.name;
            self.check_name(name.symbol, name.span)?;
            let (full, init) = self.declarator_type(ty, &base, declarator)?;
            if types::contains_sampler(&full, &self.structs) {
                return Err(self.error(name.span, name.symbol, "samplers must be uniform or function parameters"));
            }
            self.check_precision(&full, qualifiers.precision, ty.span)?;
            if qualifiers.storage == Some(Qualifier::Const) {
                self.declare_constant(name, &full, init.as_ref())?;
                continue;
            }
            let local = self.add_local(name.symbol, full, None);
            self.declare_entry(name, Entry::Local(local))?;
            out.push(Stmt::Declare { local, init });
        }
        Ok(())
    }

    /// `float;` and `struct S { … };`.
    fn empty_declaration(&mut self, ty: &ast::FullType, base: &Type, qualifiers: &Resolved) -> Checked<()> {
        if qualifiers.invariant || qualifiers.has_layout {
            return Err(Diagnostic::new(ty.span, "", "qualifier on an empty declaration"));
        }
        if *base == Type::Void && ty.array.is_some() {
            return Err(Diagnostic::new(ty.span, "void", "illegal use of type 'void'"));
        }
        if let Some(array) = ty.array.as_ref().filter(|array| array.size.is_none()) {
            return Err(Diagnostic::new(array.span, "[]", "empty array declaration needs to specify a size"));
        }
        self.array_of(base.clone(), ty.array.as_ref(), None)?;
        self.check_precision(base, qualifiers.precision, ty.span)?;
        Ok(())
    }

    fn global_variables(&mut self, ty: &ast::FullType, declarators: &[ast::Declarator]) -> Checked<()> {
        let qualifiers = self.resolve_qualifiers(&ty.qualifiers)?;
        let base = self.declared_type(&ty.name, ty.span)?;
        if declarators.is_empty() {
            return self.empty_declaration(ty, &base, &qualifiers);
        }
        if qualifiers.layout.std140 || qualifiers.layout.row_major.is_some() {
            return Err(Diagnostic::new(
                ty.span,
                "layout",
                "block layout qualifiers are only allowed on uniform blocks",
            ));
        }
        for declarator in declarators {
            self.global_variable(ty, &base, &qualifiers, declarator)?;
        }
        Ok(())
    }

    fn global_variable(
        &mut self,
        ty: &ast::FullType,
        base: &Type,
        qualifiers: &Resolved,
        declarator: &ast::Declarator,
    ) -> Checked<()> {
        let name = declarator.name;
        if self.text(name.symbol) == "gl_ClipDistance" && qualifiers.storage.is_some() {
            return self.clip_distance(base, declarator);
        }
        self.check_name(name.symbol, name.span)?;
        let outer = std::mem::take(&mut self.usage);
        let typed = self.declarator_type(ty, base, declarator);
        let usage = std::mem::replace(&mut self.usage, outer);
        let (full, init) = typed?;
        let precision = self.check_precision(&full, qualifiers.precision, ty.span)?;
        if types::contains_sampler(&full, &self.structs) && qualifiers.storage != Some(Qualifier::Uniform) {
            return Err(self.error(name.span, name.symbol, "samplers must be uniform or function parameters"));
        }
        if qualifiers.storage == Some(Qualifier::Const) {
            if qualifiers.invariant || qualifiers.has_layout {
                return Err(self.error(name.span, name.symbol, "invalid qualifier combination"));
            }
            return self.declare_constant(name, &full, init.as_ref());
        }
        let storage = self.global_storage(name, &full, qualifiers)?;
        if let Some(init) = &init {
            if storage != Storage::Private {
                return Err(self.error(name.span, name.symbol, "cannot initialize this type of qualifier"));
            }
            // GLSL ES 3.00 §4.3; in 1.00 ANGLE lets uniforms and other globals through.
            if self.essl300() && constant_values(init).is_none() {
                return Err(self.error(
                    name.span,
                    name.symbol,
                    "global variable initializers must be constant expressions",
                ));
            }
            if !self.is_global_initializer(init) {
                return Err(self.error(
                    name.span,
                    name.symbol,
                    "global variable initializers must be constant expressions",
                ));
            }
        }
        let id = self.add_global(name.symbol, name.span, full, storage, precision);
        if let Some(global) = self.globals.get_mut(id.0 as usize) {
            global.init = init;
        }
        if let Some(facts) = self.global_facts.get_mut(id.0 as usize) {
            facts.usage = usage;
        }
        self.declare_entry(name, Entry::Global(id))
    }

    /// What ANGLE takes in GLSL ES 1.00: constants, uniforms, other globals and built-in functions but texture
    /// lookups; no attributes, varyings or side effects.
    fn is_global_initializer(&self, expr: &Expr) -> bool {
        let all = |list: &[Expr]| list.iter().all(|part| self.is_global_initializer(part));
        match &expr.kind {
            ExprKind::Constant(_) => true,
            ExprKind::Global(id) => matches!(
                self.global(*id).map(|global| &global.storage),
                Some(
                    Storage::Private
                        | Storage::Const
                        | Storage::Uniform
                        | Storage::Builtin(BuiltinVariable::DepthRange)
                )
            ),
            ExprKind::Field { base, .. } | ExprKind::Swizzle { base, .. } | ExprKind::Unary(_, base) => {
                self.is_global_initializer(base)
            }
            ExprKind::Index { base: a, index: b } | ExprKind::Binary(_, a, b) | ExprKind::Sequence(a, b) => {
                self.is_global_initializer(a) && self.is_global_initializer(b)
            }
            ExprKind::Select { condition, accept, reject } => {
                [condition, accept, reject].iter().all(|part| self.is_global_initializer(part))
            }
            ExprKind::Construct(arguments) => all(arguments),
            // A sampler among the arguments is a uniform of a type no other function takes.
            ExprKind::Builtin { arguments, .. } => {
                all(arguments) && !arguments.iter().any(|argument| matches!(argument.ty, Type::Sampler(_)))
            }
            _ => false,
        }
    }

    pub fn add_global(
        &mut self,
        symbol: Symbol,
        span: Span,
        ty: Type,
        storage: Storage,
        precision: Option<Precision>,
    ) -> GlobalId {
        let id = GlobalId(self.globals.len() as u32);
        let name = self.text(symbol).to_owned();
        self.globals.push(Global { name, ty, storage, precision, init: None, used: false, span });
        self.global_facts.push(GlobalFacts::default());
        id
    }

    fn clip_distance(&mut self, base: &Type, declarator: &ast::Declarator) -> Checked<()> {
        let name = declarator.name;
        if *base != types::FLOAT || declarator.init.is_some() {
            return Err(self.error(name.span, name.symbol, "invalid redeclaration"));
        }
        match declarator.array.as_ref().map(|array| array.size.as_ref()) {
            Some(Some(size)) => {
                let length = self.array_length(size)?;
                self.redeclare_clip_distance(name.span, length)
            }
            _ => Err(self.error(name.span, name.symbol, "invalid redeclaration")),
        }
    }

    /// Which interface the variable belongs to, and whether its type may.
    fn global_storage(&self, name: ast::Name, ty: &Type, qualifiers: &Resolved) -> Checked<Storage> {
        let refuse = |message: &str| Err(self.error(name.span, name.symbol, message));
        let interface = Interface {
            location: qualifiers.layout.location,
            index: qualifiers.layout.index.unwrap_or(0),
            flat: qualifiers.flat,
            centroid: qualifiers.centroid,
            invariant: qualifiers.invariant
                || (self.unit.invariant_all
                    && self.stage == Stage::Vertex
                    && matches!(qualifiers.storage, Some(Qualifier::Varying | Qualifier::Out))),
        };
        let located = qualifiers.layout.location.is_some() || qualifiers.layout.index.is_some();
        let storage = match (qualifiers.storage, self.stage) {
            (None, _) => Storage::Private,
            (Some(Qualifier::Uniform), _) => Storage::Uniform,
            (Some(Qualifier::Attribute), Stage::Vertex) => Storage::In(interface),
            (Some(Qualifier::Attribute), Stage::Fragment) => return refuse("supported in vertex shaders only"),
            (Some(Qualifier::Varying | Qualifier::Out), Stage::Vertex) => Storage::Out(interface),
            (Some(Qualifier::Varying | Qualifier::In), Stage::Fragment) => Storage::In(interface),
            (Some(Qualifier::In), Stage::Vertex) => Storage::In(interface),
            (Some(Qualifier::Out), Stage::Fragment) => Storage::Out(interface),
            _ => return refuse("qualifier not allowed here"),
        };
        if !self.essl300() && matches!(qualifiers.storage, Some(Qualifier::In | Qualifier::Out)) {
            return refuse("'in' and 'out' are only allowed on parameters in GLSL ES 1.00");
        }
        if matches!(qualifiers.storage, Some(Qualifier::InOut)) {
            return refuse("'inout' is only allowed on parameters");
        }
        let vertex_input = self.stage == Stage::Vertex && matches!(storage, Storage::In(_));
        let fragment_output = self.stage == Stage::Fragment && matches!(storage, Storage::Out(_));
        if located && !vertex_input && !fragment_output {
            return refuse("invalid layout qualifier: only valid on vertex inputs and fragment outputs");
        }
        if qualifiers.has_layout && qualifiers.layout.location.is_none() {
            return refuse("layout qualifier not allowed here");
        }
        if (qualifiers.flat || qualifiers.smooth || qualifiers.centroid) && (vertex_input || fragment_output) {
            return refuse("interpolation qualifiers are not allowed on vertex inputs and fragment outputs");
        }
        let may_be_invariant = matches!(storage, Storage::Out(_)) || qualifiers.storage == Some(Qualifier::Varying);
        if qualifiers.invariant && !may_be_invariant {
            return refuse("cannot be qualified as invariant");
        }
        match self.interface_type(ty, &storage, qualifiers, vertex_input, fragment_output) {
            Ok(()) => Ok(storage),
            Err(message) => refuse(message),
        }
    }

    fn interface_type(
        &self,
        ty: &Type,
        storage: &Storage,
        qualifiers: &Resolved,
        vertex_input: bool,
        fragment_output: bool,
    ) -> Result<(), &'static str> {
        if !matches!(storage, Storage::In(_) | Storage::Out(_)) {
            return Ok(());
        }
        if types::contains_bool(ty, &self.structs) {
            return Err("cannot be bool");
        }
        let element = match ty {
            Type::Array(element, _) => element,
            _ => ty,
        };
        let is_array = matches!(ty, Type::Array(..));
        if vertex_input && (is_array || matches!(element, Type::Struct(_))) {
            return Err("cannot be a structure or array");
        }
        if fragment_output && matches!(element, Type::Struct(_) | Type::Matrix { .. }) {
            return Err("cannot be a structure or matrix");
        }
        if !self.essl300() {
            if types::contains_struct(ty) {
                return Err("cannot be a structure");
            }
            if types::scalar_of(element) != Some(Scalar::Float) {
                return Err("must be float, vector or matrix of floats");
            }
            return Ok(());
        }
        if vertex_input || fragment_output {
            return Ok(());
        }
        if let Type::Struct(id) = element {
            if is_array {
                return Err("cannot be an array of structures");
            }
            let fields = self.structs.get(id.0 as usize).map_or(&[][..], |definition| &definition.fields);
            if fields.iter().any(|field| matches!(field.ty, Type::Array(..) | Type::Struct(_))) {
                return Err("cannot be a structure containing an array or a structure");
            }
        }
        if types::contains_integer(ty, &self.structs) && !qualifiers.flat {
            return Err("must use 'flat' interpolation here");
        }
        Ok(())
    }

    /// `invariant a, b;` (GLSL ES 3.00 §4.6.1).
    fn invariant(&mut self, names: &[ast::Name], _span: Span) -> Checked<()> {
        for name in names {
            let text = self.text(name.symbol);
            if text.starts_with("gl_") {
                let id = self.builtin_global(text, name.span)?;
                let storage = id.and_then(|id| self.global(id)).map(|global| global.storage.clone());
                use BuiltinVariable as V;
                let good = match storage {
                    Some(Storage::Builtin(V::Position | V::PointSize | V::FragColor | V::FragData | V::FragDepth)) => {
                        true
                    }
                    Some(Storage::Builtin(V::FragCoord | V::PointCoord)) => !self.essl300(),
                    _ => false,
                };
                if !good {
                    return Err(self.error(name.span, name.symbol, "cannot be qualified as invariant"));
                }
                continue;
            }
            let Some(Entry::Global(id)) = self.scopes.find(name.symbol) else {
                return Err(self.error(name.span, name.symbol, "undeclared identifier declared as invariant"));
            };
            let essl300 = self.essl300();
            let good = match self.globals.get_mut(id.0 as usize).map(|global| &mut global.storage) {
                Some(Storage::Out(interface)) => {
                    interface.invariant = true;
                    true
                }
                Some(Storage::In(interface)) if self.stage == Stage::Fragment && !essl300 => {
                    interface.invariant = true;
                    true
                }
                _ => false,
            };
            if !good {
                return Err(self.error(name.span, name.symbol, "cannot be qualified as invariant"));
            }
        }
        Ok(())
    }
}
