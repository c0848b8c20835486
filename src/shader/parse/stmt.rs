//! Statements (GLSL ES 3.00 §6).

use super::Parser;
use crate::shader::ast::{Condition, Expr, Stmt, StmtKind};
use crate::shader::error::Checked;
use crate::shader::lex::Punct;
use crate::shader::token::{Keyword, TokenKind};

impl Parser<'_> {
    /// `{ … }`
    pub fn block(&mut self) -> Checked<Vec<Stmt>> {
        self.expect(Punct::LeftBrace)?;
        let mut body = Vec::new();
        while !self.is(Punct::RightBrace) {
            if self.kind() == TokenKind::End {
                return Err(self.unexpected());
            }
            body.push(self.statement()?);
        }
        self.advance();
        Ok(body)
    }

    fn statement(&mut self) -> Checked<Stmt> {
        self.nested(|this| {
            let span = this.span();
            let kind = this.statement_kind()?;
            Ok(Stmt { kind, span })
        })
    }

    fn statement_kind(&mut self) -> Checked<StmtKind> {
        match self.kind() {
            TokenKind::Punct(Punct::LeftBrace) => Ok(StmtKind::Block(self.block()?)),
            TokenKind::Punct(Punct::Semicolon) => {
                self.advance();
                Ok(StmtKind::Empty)
            }
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::If => self.if_statement(),
                Keyword::For => self.for_statement(),
                Keyword::While => self.while_statement(),
                Keyword::Do => self.do_statement(),
                Keyword::Switch => self.switch_statement(),
                Keyword::Case => {
                    self.advance();
                    let label = self.expression()?;
                    self.expect(Punct::Colon)?;
                    Ok(StmtKind::Case(label))
                }
                Keyword::Default => {
                    self.advance();
                    self.expect(Punct::Colon)?;
                    Ok(StmtKind::Default)
                }
                Keyword::Break => self.jump(StmtKind::Break),
                Keyword::Continue => self.jump(StmtKind::Continue),
                Keyword::Discard => self.jump(StmtKind::Discard),
                Keyword::Return => self.return_statement(),
                _ => self.simple_statement(),
            },
            _ => self.simple_statement(),
        }
    }

    /// A declaration or an expression statement.
    fn simple_statement(&mut self) -> Checked<StmtKind> {
        if self.at_declaration() {
            return Ok(StmtKind::Declaration(self.declaration()?));
        }
        let expression = self.expression()?;
        self.expect(Punct::Semicolon)?;
        Ok(StmtKind::Expr(expression))
    }

    fn jump(&mut self, kind: StmtKind) -> Checked<StmtKind> {
        self.advance();
        self.expect(Punct::Semicolon)?;
        Ok(kind)
    }

    fn return_statement(&mut self) -> Checked<StmtKind> {
        self.advance();
        if self.eat(Punct::Semicolon) {
            return Ok(StmtKind::Return(None));
        }
        let value = self.expression()?;
        self.expect(Punct::Semicolon)?;
        Ok(StmtKind::Return(Some(value)))
    }

    fn parenthesized(&mut self) -> Checked<Expr> {
        self.expect(Punct::LeftParen)?;
        let expression = self.expression()?;
        self.expect(Punct::RightParen)?;
        Ok(expression)
    }

    fn if_statement(&mut self) -> Checked<StmtKind> {
        self.advance();
        let condition = self.parenthesized()?;
        let accept = Box::new(self.statement()?);
        let reject = if self.eat_keyword(Keyword::Else) { Some(Box::new(self.statement()?)) } else { None };
        Ok(StmtKind::If { condition, accept, reject })
    }

    fn for_statement(&mut self) -> Checked<StmtKind> {
        self.advance();
        self.expect(Punct::LeftParen)?;
        let init = if self.eat(Punct::Semicolon) {
            None
        } else {
            let span = self.span();
            let kind = self.simple_statement()?;
            Some(Box::new(Stmt { kind, span }))
        };
        let condition = if self.is(Punct::Semicolon) { None } else { Some(self.condition()?) };
        self.expect(Punct::Semicolon)?;
        let step = if self.is(Punct::RightParen) { None } else { Some(self.expression()?) };
        self.expect(Punct::RightParen)?;
        let body = Box::new(self.statement()?);
        Ok(StmtKind::For { init, condition, step, body })
    }

    fn while_statement(&mut self) -> Checked<StmtKind> {
        self.advance();
        self.expect(Punct::LeftParen)?;
        let condition = self.condition()?;
        self.expect(Punct::RightParen)?;
        let body = Box::new(self.statement()?);
        Ok(StmtKind::While { condition, body })
    }

    fn do_statement(&mut self) -> Checked<StmtKind> {
        self.advance();
        let body = Box::new(self.statement()?);
        if !self.eat_keyword(Keyword::While) {
            return Err(self.unexpected());
        }
        let condition = self.parenthesized()?;
        self.expect(Punct::Semicolon)?;
        Ok(StmtKind::DoWhile { body, condition })
    }

    fn condition(&mut self) -> Checked<Condition> {
        if !self.at_declaration() {
            return Ok(Condition::Expr(self.expression()?));
        }
        let ty = self.full_type()?;
        let name = self.name()?;
        self.expect(Punct::Equal)?;
        let init = self.assignment()?;
        Ok(Condition::Declaration { ty, name, init })
    }

    fn switch_statement(&mut self) -> Checked<StmtKind> {
        self.advance();
        let selector = self.parenthesized()?;
        let body = self.block()?;
        Ok(StmtKind::Switch { selector, body })
    }
}
