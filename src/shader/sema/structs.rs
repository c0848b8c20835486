//! Types as declarations name them: structures and array sizes (GLSL ES 3.00 §4.1.8–4.1.9).

use super::scope::Entry;
use super::{Analyzer, types};
use crate::shader::ast;
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{Field, Span, Struct, StructId, Type};

/// WebGL 1.0 §6.8: structures within structures.
const MAX_STRUCT_NESTING: u32 = 4;

/// Fields all structures and blocks of a shader may have together.
const MAX_FIELDS: usize = 1 << 16;

impl Analyzer<'_> {
    /// A built-in or declared type; not a definition.
    pub fn named_type(&self, name: &ast::TypeName, span: Span) -> Checked<Type> {
        match name {
            ast::TypeName::Basic(basic) => Ok((*basic).into()),
            ast::TypeName::Named(name) => match self.scopes.find(name.symbol) {
                Some(Entry::Struct(id)) => Ok(Type::Struct(*id)),
                Some(_) => Err(self.error(name.span, name.symbol, "type expected")),
                None => Err(self.error(name.span, name.symbol, "undeclared type")),
            },
            ast::TypeName::Struct(_) => Err(Diagnostic::new(span, "struct", "structure definition not allowed here")),
        }
    }

    /// A type as a variable's declaration has it: may define a structure.
    pub fn declared_type(&mut self, name: &ast::TypeName, span: Span) -> Checked<Type> {
        match name {
            ast::TypeName::Struct(definition) => self.define_struct(definition).map(Type::Struct),
            _ => self.named_type(name, span),
        }
    }

    /// `ty[n]`; `implied` is the length an initialiser gives to `ty[]`.
    pub fn array_of(&mut self, ty: Type, size: Option<&ast::ArraySize>, implied: Option<u32>) -> Checked<Type> {
        let Some(size) = size else { return Ok(ty) };
        if matches!(ty, Type::Array(..)) {
            return Err(Diagnostic::new(size.span, "[]", "cannot declare arrays of arrays"));
        }
        if ty == Type::Void {
            return Err(Diagnostic::new(size.span, "void", "illegal use of type 'void'"));
        }
        let length = match (&size.size, implied) {
            (Some(expr), _) => self.array_length(expr)?,
            (None, Some(length)) => length,
            (None, None) => {
                return Err(Diagnostic::new(size.span, "[]", "implicitly sized arrays need to be initialized"));
            }
        };
        let ty = Type::Array(Box::new(ty), length);
        if types::components(&ty, &self.structs) > types::MAX_COMPONENTS || length as u64 > types::MAX_COMPONENTS {
            return Err(Diagnostic::new(size.span, "[]", "array size too large"));
        }
        Ok(ty)
    }

    pub fn array_length(&mut self, size: &ast::Expr) -> Checked<u32> {
        let length = self.constant_integer(size, "array size")?;
        match u32::try_from(length) {
            Ok(0) | Err(_) => Err(Diagnostic::new(size.span, "[]", "array size must be greater than zero")),
            Ok(length) if u64::from(length) > types::MAX_COMPONENTS => {
                Err(Diagnostic::new(size.span, "[]", "array size too large"))
            }
            Ok(length) => Ok(length),
        }
    }

    /// Defines a structure and, if it has a name, declares it in the current scope.
    pub fn define_struct(&mut self, definition: &ast::StructDefinition) -> Checked<StructId> {
        if let Some(name) = definition.name {
            self.check_name(name.symbol, name.span)?;
        }
        let mut fields = Vec::new();
        for member in &definition.fields {
            self.struct_member(member, &mut fields)?;
        }
        self.check_fields(&fields, definition.span)?;
        let id = StructId(self.structs.len() as u32);
        let name = definition.name.map_or(String::new(), |name| self.text(name.symbol).to_owned());
        self.structs.push(Struct { name, fields });
        let ty = Type::Struct(id);
        if self.struct_depth(&ty) > MAX_STRUCT_NESTING {
            return Err(Diagnostic::new(
                definition.span,
                "struct",
                "structure nesting exceeds maximum allowed nesting level of 4",
            ));
        }
        if types::components(&ty, &self.structs) > types::MAX_COMPONENTS {
            return Err(Diagnostic::new(definition.span, "struct", "structure too large"));
        }
        if let Some(name) = definition.name {
            self.declare_entry(name, Entry::Struct(id))?;
        }
        Ok(id)
    }

    /// Puts a name into the current scope, refusing a second meaning.
    pub fn declare_entry(&mut self, name: ast::Name, entry: Entry) -> Checked<()> {
        if self.scopes.insert(name.symbol, entry) {
            Ok(())
        } else {
            Err(self.error(name.span, name.symbol, "redefinition"))
        }
    }

    fn struct_depth(&self, ty: &Type) -> u32 {
        match ty {
            Type::Array(element, _) => self.struct_depth(element),
            Type::Struct(id) => {
                let fields = self.structs.get(id.0 as usize).map_or(&[][..], |definition| &definition.fields);
                1 + fields.iter().map(|field| self.struct_depth(&field.ty)).max().unwrap_or(0)
            }
            _ => 0,
        }
    }

    pub fn check_fields(&self, fields: &[Field], span: Span) -> Checked<()> {
        let total: usize = self.structs.iter().map(|definition| definition.fields.len()).sum();
        if total + fields.len() > MAX_FIELDS {
            return Err(Diagnostic::new(span, "struct", "too many fields"));
        }
        let mut names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        names.sort_unstable();
        for pair in names.windows(2) {
            if let [a, b] = pair
                && a == b
            {
                return Err(Diagnostic::new(span, *a, "duplicate field name in structure"));
            }
        }
        Ok(())
    }

    fn struct_member(&mut self, member: &ast::Member, fields: &mut Vec<Field>) -> Checked<()> {
        let written = self.precision_only(&member.ty.qualifiers)?;
        self.member_fields(member, written, false, fields)
    }

    /// The fields one `type a, b[2];` declares.
    pub fn member_fields(
        &mut self,
        member: &ast::Member,
        written: Option<crate::shader::hir::Precision>,
        row_major: bool,
        fields: &mut Vec<Field>,
    ) -> Checked<()> {
        let span = member.ty.span;
        if matches!(member.ty.name, ast::TypeName::Struct(_)) {
            return Err(Diagnostic::new(span, "struct", "Embedded struct definitions are not allowed"));
        }
        let base = self.named_type(&member.ty.name, span)?;
        if base == Type::Void {
            return Err(Diagnostic::new(span, "void", "illegal use of type 'void'"));
        }
        if member.ty.array.is_some() && !self.essl300() {
            return Err(Diagnostic::new(span, "[]", "array types before the name need GLSL ES 3.00"));
        }
        let base = self.array_of(base, member.ty.array.as_ref(), None)?;
        for declarator in &member.declarators {
            self.check_name(declarator.name.symbol, declarator.name.span)?;
            let ty = self.array_of(base.clone(), declarator.array.as_ref(), None)?;
            let precision = self.check_precision(&ty, written, span)?;
            fields.push(Field { name: self.text(declarator.name.symbol).to_owned(), ty, precision, row_major });
        }
        Ok(())
    }
}
