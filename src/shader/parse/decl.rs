//! Declarations: variables, functions, structs, blocks, qualifiers (GLSL ES 3.00 §4, §6.1).

use super::Parser;
use crate::shader::ast::{
    Block, Declaration, Declarator, External, FullType, LayoutId, Member, Name, Parameter, Prototype, Qualifier,
    Qualifiers, StructDefinition, TypeName,
};
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{Direction, Precision};
use crate::shader::lex::Punct;
use crate::shader::token::{BasicType, Keyword, TokenKind};

fn precision(keyword: Keyword) -> Option<Precision> {
    match keyword {
        Keyword::HighP => Some(Precision::High),
        Keyword::MediumP => Some(Precision::Medium),
        Keyword::LowP => Some(Precision::Low),
        _ => None,
    }
}

fn qualifier(kind: TokenKind) -> Option<Qualifier> {
    let TokenKind::Keyword(keyword) = kind else { return None };
    Some(match keyword {
        Keyword::Invariant => Qualifier::Invariant,
        Keyword::Flat => Qualifier::Flat,
        Keyword::Smooth => Qualifier::Smooth,
        Keyword::Centroid => Qualifier::Centroid,
        Keyword::Const => Qualifier::Const,
        Keyword::Attribute => Qualifier::Attribute,
        Keyword::Varying => Qualifier::Varying,
        Keyword::Uniform => Qualifier::Uniform,
        Keyword::In => Qualifier::In,
        Keyword::Out => Qualifier::Out,
        Keyword::InOut => Qualifier::InOut,
        Keyword::Layout => Qualifier::Layout,
        _ => Qualifier::Precision(precision(keyword)?),
    })
}

impl Parser<'_> {
    pub fn external_declaration(&mut self) -> Checked<External> {
        if !self.at_declaration() && self.kind() != TokenKind::Identifier {
            return Err(self.unexpected());
        }
        match self.declaration_start()? {
            Start::Whole(declaration) => Ok(External::Declaration(declaration)),
            Start::Prototype(prototype) if self.is(Punct::LeftBrace) => {
                let body = self.block()?;
                Ok(External::Function { prototype, body })
            }
            Start::Prototype(prototype) => {
                self.expect(Punct::Semicolon)?;
                Ok(External::Declaration(Declaration::Prototype(prototype)))
            }
        }
    }

    /// A declaration with its semicolon, inside a function.
    pub fn declaration(&mut self) -> Checked<Declaration> {
        match self.declaration_start()? {
            Start::Whole(declaration) => Ok(declaration),
            Start::Prototype(prototype) => {
                self.expect(Punct::Semicolon)?;
                Ok(Declaration::Prototype(prototype))
            }
        }
    }

    /// Whether a declaration, not an expression, starts here. Needs no symbol table: only a declaration
    /// has a type name followed by a name.
    pub fn at_declaration(&self) -> bool {
        match self.kind() {
            TokenKind::Keyword(Keyword::Precision | Keyword::Struct) => true,
            TokenKind::Keyword(_) => qualifier(self.kind()).is_some(),
            TokenKind::TypeName(_) | TokenKind::Identifier => {
                let after = self.after_brackets(1);
                self.ahead(after).kind == TokenKind::Identifier
                    || (matches!(self.kind(), TokenKind::TypeName(_))
                        && self.ahead(after).kind != TokenKind::Punct(Punct::LeftParen))
            }
            _ => false,
        }
    }

    /// Distance past a balanced `[…]` that starts at `distance`, or `distance` itself.
    fn after_brackets(&self, distance: usize) -> usize {
        let mut depth = 0u32;
        let mut at = distance;
        loop {
            match self.ahead(at).kind {
                TokenKind::Punct(Punct::LeftBracket) => depth += 1,
                TokenKind::Punct(Punct::RightBracket) if depth > 0 => depth -= 1,
                TokenKind::Punct(Punct::Semicolon) | TokenKind::End => return at,
                _ if depth == 0 => return at,
                _ => {}
            }
            at += 1;
        }
    }

    fn declaration_start(&mut self) -> Checked<Start> {
        let span = self.span();
        if self.eat_keyword(Keyword::Precision) {
            return self.precision_statement(span);
        }
        let qualifiers = self.qualifiers()?;
        if !qualifiers.list.is_empty() {
            if self.is(Punct::Semicolon) {
                self.advance();
                return Ok(Start::Whole(Declaration::Defaults { qualifiers, span }));
            }
            if self.kind() == TokenKind::Identifier {
                if let [(Qualifier::Invariant, _)] = qualifiers.list.as_slice()
                    && matches!(self.ahead(1).kind, TokenKind::Punct(Punct::Comma | Punct::Semicolon))
                {
                    return self.invariant_statement(span);
                }
                if self.ahead(1).kind == TokenKind::Punct(Punct::LeftBrace) {
                    return self.interface_block(qualifiers, span);
                }
            }
        }
        let ty = self.full_type_after(qualifiers)?;
        if self.eat(Punct::Semicolon) {
            return Ok(Start::Whole(Declaration::Variables { ty, declarators: Vec::new() }));
        }
        // `float, a;`: the grammar lets the first declarator be empty.
        self.eat(Punct::Comma);
        let name = self.name()?;
        if self.is(Punct::LeftParen) {
            return Ok(Start::Prototype(self.prototype(ty, name)?));
        }
        let declarators = self.declarators(name, true)?;
        self.expect(Punct::Semicolon)?;
        Ok(Start::Whole(Declaration::Variables { ty, declarators }))
    }

    fn precision_statement(&mut self, span: crate::shader::hir::Span) -> Checked<Start> {
        let TokenKind::Keyword(keyword) = self.kind() else { return Err(self.unexpected()) };
        let Some(precision) = precision(keyword) else { return Err(self.unexpected()) };
        self.advance();
        let ty = self.type_name()?;
        self.expect(Punct::Semicolon)?;
        Ok(Start::Whole(Declaration::Precision { precision, ty, span }))
    }

    fn invariant_statement(&mut self, span: crate::shader::hir::Span) -> Checked<Start> {
        let mut names = vec![self.name()?];
        while self.eat(Punct::Comma) {
            names.push(self.name()?);
        }
        self.expect(Punct::Semicolon)?;
        Ok(Start::Whole(Declaration::Invariant { names, span }))
    }

    fn interface_block(&mut self, qualifiers: Qualifiers, span: crate::shader::hir::Span) -> Checked<Start> {
        let name = self.name()?;
        let members = self.members()?;
        let instance = if self.kind() == TokenKind::Identifier {
            let instance = self.name()?;
            Some((instance, self.array_size()?))
        } else {
            None
        };
        self.expect(Punct::Semicolon)?;
        Ok(Start::Whole(Declaration::Block(Block { qualifiers, name, members, instance, span })))
    }

    fn declarators(&mut self, first: Name, initialisers: bool) -> Checked<Vec<Declarator>> {
        let mut declarators = Vec::new();
        let mut name = first;
        loop {
            let array = self.array_size()?;
            let init = if initialisers && self.eat(Punct::Equal) { Some(self.assignment()?) } else { None };
            declarators.push(Declarator { name, array, init });
            if !self.eat(Punct::Comma) {
                return Ok(declarators);
            }
            name = self.name()?;
        }
    }

    fn qualifiers(&mut self) -> Checked<Qualifiers> {
        let mut qualifiers = Qualifiers::default();
        while let Some(qualifier) = qualifier(self.kind()) {
            let span = self.advance().span;
            qualifiers.list.push((qualifier, span));
            if qualifier == Qualifier::Layout {
                self.layout(&mut qualifiers)?;
            }
        }
        Ok(qualifiers)
    }

    fn layout(&mut self, qualifiers: &mut Qualifiers) -> Checked<()> {
        self.expect(Punct::LeftParen)?;
        loop {
            let name = self.name()?;
            let value = if self.eat(Punct::Equal) {
                let value = match self.kind() {
                    TokenKind::Int(value) | TokenKind::Uint(value) => value,
                    _ => return Err(self.unexpected()),
                };
                self.advance();
                Some(value)
            } else {
                None
            };
            qualifiers.layout.push(LayoutId { name, value });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect(Punct::RightParen)?;
        Ok(())
    }

    /// Qualifiers and type, without the declared name.
    pub fn full_type(&mut self) -> Checked<FullType> {
        let qualifiers = self.qualifiers()?;
        self.full_type_after(qualifiers)
    }

    fn full_type_after(&mut self, qualifiers: Qualifiers) -> Checked<FullType> {
        let span = self.span();
        let name = self.type_name()?;
        let array = self.array_size()?;
        Ok(FullType { qualifiers, name, array, span })
    }

    fn type_name(&mut self) -> Checked<TypeName> {
        match self.kind() {
            TokenKind::TypeName(basic) => {
                self.advance();
                Ok(TypeName::Basic(basic))
            }
            TokenKind::Identifier => Ok(TypeName::Named(self.name()?)),
            TokenKind::Keyword(Keyword::Struct) => Ok(TypeName::Struct(self.nested(Self::struct_definition)?)),
            _ => Err(self.unexpected()),
        }
    }

    pub fn struct_definition(&mut self) -> Checked<StructDefinition> {
        let span = self.advance().span;
        let name = if self.kind() == TokenKind::Identifier { Some(self.name()?) } else { None };
        let fields = self.members()?;
        Ok(StructDefinition { name, fields, span })
    }

    /// `{ type a, b; … }`
    fn members(&mut self) -> Checked<Vec<Member>> {
        self.expect(Punct::LeftBrace)?;
        let mut members = Vec::new();
        while !self.is(Punct::RightBrace) {
            let ty = self.full_type()?;
            let first = self.name()?;
            let declarators = self.declarators(first, false)?;
            self.expect(Punct::Semicolon)?;
            members.push(Member { ty, declarators });
        }
        if members.is_empty() {
            return Err(self.unexpected());
        }
        self.advance();
        Ok(members)
    }

    fn prototype(&mut self, result: FullType, name: Name) -> Checked<Prototype> {
        self.expect(Punct::LeftParen)?;
        let mut parameters = Vec::new();
        let void = self.kind() == TokenKind::TypeName(BasicType::Void)
            && self.ahead(1).kind == TokenKind::Punct(Punct::RightParen);
        if void {
            self.advance();
        }
        if !self.is(Punct::RightParen) {
            loop {
                parameters.push(self.parameter()?);
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        self.expect(Punct::RightParen)?;
        Ok(Prototype { result, name, parameters })
    }

    fn parameter(&mut self) -> Checked<Parameter> {
        let ty = self.full_type()?;
        let mut direction = None;
        let mut is_const = false;
        let mut seen_precision = false;
        for &(qualifier, span) in &ty.qualifiers.list {
            // const, then direction, then precision (GLSL ES 3.00 §4.7).
            let found = match qualifier {
                Qualifier::In => Direction::In,
                Qualifier::Out => Direction::Out,
                Qualifier::InOut => Direction::InOut,
                Qualifier::Const if !is_const && direction.is_none() && !seen_precision => {
                    is_const = true;
                    continue;
                }
                Qualifier::Precision(_) if !seen_precision => {
                    seen_precision = true;
                    continue;
                }
                _ => return Err(Diagnostic::new(span, "", "invalid parameter qualifier")),
            };
            if direction.is_some() || seen_precision {
                return Err(Diagnostic::new(span, "", "invalid order of parameter qualifiers"));
            }
            direction = Some(found);
        }
        let direction = direction.unwrap_or(Direction::In);
        if is_const && direction != Direction::In {
            return Err(Diagnostic::new(ty.span, "const", "qualifier not allowed with 'out' or 'inout'"));
        }
        let name = if self.kind() == TokenKind::Identifier { Some(self.name()?) } else { None };
        let array = self.array_size()?;
        Ok(Parameter { ty, direction, is_const, name, array })
    }
}

enum Start {
    Whole(Declaration),
    /// Up to the closing parenthesis.
    Prototype(Prototype),
}
