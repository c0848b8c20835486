//! Tokens → syntax tree, by recursive descent with a few tokens of look-ahead.
//!
//! The grammar is that of GLSL ES 3.00 §9 with the qualifiers of 1.00 added; what one dialect lacks is refused
//! by the lexer (keywords) or by `sema`. Nesting is bounded, so neither this nor later stages can run out of stack.

mod decl;
mod expr;
mod stmt;
#[cfg(test)]
mod tests;

use super::ast::{External, Name, Tree};
use super::error::{Checked, Diagnostic};
use super::hir::Span;
use super::lex::Punct;
use super::preprocess::Unit;
use super::token::{Keyword, Token, TokenKind};

/// Height of an expression tree and nesting of statements, as Chromium limits them.
const MAX_HEIGHT: u16 = 256;

/// Nesting of the parser's own recursion (expressions inside statements inside …).
const MAX_NESTING: u32 = 320;

/// Parses a preprocessed shader.
pub fn parse(unit: &Unit) -> Checked<Tree> {
    let mut parser = Parser { unit, position: 0, nesting: 0 };
    let mut tree = Vec::new();
    while parser.kind() != TokenKind::End {
        tree.push(parser.external()?);
    }
    Ok(tree)
}

struct Parser<'a> {
    unit: &'a Unit,
    position: usize,
    nesting: u32,
}

impl Parser<'_> {
    fn ahead(&self, distance: usize) -> Token {
        let tokens = &self.unit.tokens;
        let end = Token { kind: TokenKind::End, text: self.unit.empty, span: Span::default() };
        tokens.get(self.position + distance).or(tokens.last()).copied().unwrap_or(end)
    }

    fn token(&self) -> Token {
        self.ahead(0)
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    fn span(&self) -> Span {
        self.token().span
    }

    fn advance(&mut self) -> Token {
        let token = self.token();
        self.position += 1;
        token
    }

    fn is(&self, punct: Punct) -> bool {
        self.kind() == TokenKind::Punct(punct)
    }

    fn is_keyword(&self, keyword: Keyword) -> bool {
        self.kind() == TokenKind::Keyword(keyword)
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let found = self.is(punct);
        self.position += usize::from(found);
        found
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.is_keyword(keyword);
        self.position += usize::from(found);
        found
    }

    fn expect(&mut self, punct: Punct) -> Checked<Token> {
        if self.is(punct) { Ok(self.advance()) } else { Err(self.unexpected()) }
    }

    fn name(&mut self) -> Checked<Name> {
        if self.kind() != TokenKind::Identifier {
            return Err(self.unexpected());
        }
        let token = self.advance();
        Ok(Name { symbol: token.text, span: token.span })
    }

    fn unexpected(&self) -> Diagnostic {
        self.complain("syntax error")
    }

    fn complain(&self, message: &str) -> Diagnostic {
        let token = self.token();
        Diagnostic::new(token.span, self.unit.names.get(token.text), message)
    }

    /// Runs a nested parser, refusing to go too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        if self.nesting >= MAX_NESTING {
            return Err(self.complain("shader nested too deeply"));
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    fn external(&mut self) -> Checked<External> {
        if self.eat(Punct::Semicolon) {
            return Ok(External::Empty);
        }
        self.external_declaration()
    }
}
