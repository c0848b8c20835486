//! Expressions (GLSL ES 3.00 §5, precedence table of §5.1).

use super::{MAX_HEIGHT, Parser};
use crate::shader::ast::{ArraySize, Expr, ExprKind, Name, TypeName};
use crate::shader::error::Checked;
use crate::shader::hir::{BinaryOp, Span, UnaryOp};
use crate::shader::lex::Punct;
use crate::shader::token::{Keyword, TokenKind};

/// Left-associative operators and their binding strength.
fn binary_operator(punct: Punct) -> Option<(BinaryOp, u8)> {
    Some(match punct {
        Punct::OrOr => (BinaryOp::Or, 1),
        Punct::XorXor => (BinaryOp::Xor, 2),
        Punct::AndAnd => (BinaryOp::And, 3),
        Punct::Or => (BinaryOp::BitOr, 4),
        Punct::Xor => (BinaryOp::BitXor, 5),
        Punct::And => (BinaryOp::BitAnd, 6),
        Punct::EqualEqual => (BinaryOp::Equal, 7),
        Punct::BangEqual => (BinaryOp::NotEqual, 7),
        Punct::Less => (BinaryOp::Less, 8),
        Punct::Greater => (BinaryOp::Greater, 8),
        Punct::LessEqual => (BinaryOp::LessEqual, 8),
        Punct::GreaterEqual => (BinaryOp::GreaterEqual, 8),
        Punct::ShiftLeft => (BinaryOp::ShiftLeft, 9),
        Punct::ShiftRight => (BinaryOp::ShiftRight, 9),
        Punct::Plus => (BinaryOp::Add, 10),
        Punct::Minus => (BinaryOp::Subtract, 10),
        Punct::Star => (BinaryOp::Multiply, 11),
        Punct::Slash => (BinaryOp::Divide, 11),
        Punct::Percent => (BinaryOp::Modulo, 11),
        _ => return None,
    })
}

fn assignment_operator(punct: Punct) -> Option<Option<BinaryOp>> {
    Some(match punct {
        Punct::Equal => None,
        Punct::PlusEqual => Some(BinaryOp::Add),
        Punct::MinusEqual => Some(BinaryOp::Subtract),
        Punct::StarEqual => Some(BinaryOp::Multiply),
        Punct::SlashEqual => Some(BinaryOp::Divide),
        Punct::PercentEqual => Some(BinaryOp::Modulo),
        Punct::ShiftLeftEqual => Some(BinaryOp::ShiftLeft),
        Punct::ShiftRightEqual => Some(BinaryOp::ShiftRight),
        Punct::AndEqual => Some(BinaryOp::BitAnd),
        Punct::OrEqual => Some(BinaryOp::BitOr),
        Punct::XorEqual => Some(BinaryOp::BitXor),
        _ => return None,
    })
}

impl Parser<'_> {
    /// `expression`: assignments separated by commas.
    pub fn expression(&mut self) -> Checked<Expr> {
        let mut left = self.assignment()?;
        while self.is(Punct::Comma) {
            let span = self.advance().span;
            let right = self.assignment()?;
            left = self.node2(span, left, right, ExprKind::Sequence)?;
        }
        Ok(left)
    }

    /// `assignment_expression`; also initialisers and arguments.
    pub fn assignment(&mut self) -> Checked<Expr> {
        self.nested(|this| {
            let target = this.conditional()?;
            let TokenKind::Punct(punct) = this.kind() else { return Ok(target) };
            let Some(op) = assignment_operator(punct) else { return Ok(target) };
            let span = this.advance().span;
            let value = this.assignment()?;
            this.node2(span, target, value, |target, value| ExprKind::Assign { op, target, value })
        })
    }

    /// `conditional_expression`; also constant expressions.
    pub fn conditional(&mut self) -> Checked<Expr> {
        let condition = self.binary(0)?;
        if !self.is(Punct::Question) {
            return Ok(condition);
        }
        let span = self.advance().span;
        let accept = self.nested(Self::expression)?;
        self.expect(Punct::Colon)?;
        let reject = self.assignment()?;
        let height = condition.height.max(accept.height).max(reject.height);
        let kind =
            ExprKind::Select { condition: Box::new(condition), accept: Box::new(accept), reject: Box::new(reject) };
        self.node(span, height, kind)
    }

    fn binary(&mut self, floor: u8) -> Checked<Expr> {
        let mut left = self.unary()?;
        while let TokenKind::Punct(punct) = self.kind() {
            let Some((op, strength)) = binary_operator(punct) else { break };
            if strength <= floor {
                break;
            }
            let span = self.advance().span;
            let right = self.binary(strength)?;
            left = self.node2(span, left, right, |left, right| ExprKind::Binary(op, left, right))?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Checked<Expr> {
        let TokenKind::Punct(punct) = self.kind() else { return self.postfix() };
        if !matches!(
            punct,
            Punct::Plus | Punct::Minus | Punct::Bang | Punct::Tilde | Punct::PlusPlus | Punct::MinusMinus
        ) {
            return self.postfix();
        }
        let span = self.advance().span;
        let operand = self.nested(Self::unary)?;
        let height = operand.height;
        let operand = Box::new(operand);
        let kind = match punct {
            Punct::Plus => ExprKind::Plus(operand),
            Punct::Minus => ExprKind::Unary(UnaryOp::Negate, operand),
            Punct::Bang => ExprKind::Unary(UnaryOp::Not, operand),
            Punct::Tilde => ExprKind::Unary(UnaryOp::BitNot, operand),
            _ => ExprKind::Increment { target: operand, decrement: punct == Punct::MinusMinus, prefix: true },
        };
        self.node(span, height, kind)
    }

    fn postfix(&mut self) -> Checked<Expr> {
        let mut base = self.primary()?;
        loop {
            let TokenKind::Punct(punct) = self.kind() else { return Ok(base) };
            let span = self.span();
            let height = base.height;
            base = match punct {
                Punct::LeftBracket => self.index(base)?,
                Punct::Dot => {
                    self.advance();
                    let name = self.member_name()?;
                    self.node(span, height, ExprKind::Member { base: Box::new(base), name })?
                }
                Punct::LeftParen => self.call(base)?,
                Punct::PlusPlus | Punct::MinusMinus => {
                    self.advance();
                    let decrement = punct == Punct::MinusMinus;
                    let kind = ExprKind::Increment { target: Box::new(base), decrement, prefix: false };
                    self.node(span, height, kind)?
                }
                _ => return Ok(base),
            };
        }
    }

    /// A field may bear any name but a keyword's.
    fn member_name(&mut self) -> Checked<Name> {
        self.name()
    }

    fn index(&mut self, base: Expr) -> Checked<Expr> {
        let span = self.advance().span;
        if self.eat(Punct::RightBracket) {
            let height = base.height;
            return self.node(span, height, ExprKind::Index { base: Box::new(base), index: None });
        }
        let index = self.nested(Self::expression)?;
        self.expect(Punct::RightBracket)?;
        self.node2(span, base, index, |base, index| ExprKind::Index { base, index: Some(index) })
    }

    fn call(&mut self, callee: Expr) -> Checked<Expr> {
        self.advance();
        let span = callee.span;
        let mut arguments = Vec::new();
        let mut height = callee.height;
        let empty = self.is(Punct::RightParen)
            || (self.kind() == TokenKind::TypeName(crate::shader::token::BasicType::Void)
                && self.ahead(1).kind == TokenKind::Punct(Punct::RightParen)
                && self.eat_any());
        if !empty {
            loop {
                let argument = self.assignment()?;
                height = height.max(argument.height);
                arguments.push(argument);
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        self.expect(Punct::RightParen)?;
        self.node(span, height, ExprKind::Call { callee: Box::new(callee), arguments })
    }

    fn eat_any(&mut self) -> bool {
        self.advance();
        true
    }

    fn primary(&mut self) -> Checked<Expr> {
        let token = self.token();
        let kind = match token.kind {
            TokenKind::Int(value) => ExprKind::Int(value as i32),
            TokenKind::Uint(value) => ExprKind::Uint(value),
            TokenKind::Float(value) => ExprKind::Float(value),
            TokenKind::Keyword(Keyword::True) => ExprKind::Bool(true),
            TokenKind::Keyword(Keyword::False) => ExprKind::Bool(false),
            TokenKind::Identifier => ExprKind::Name(token.text),
            TokenKind::TypeName(basic) => return self.type_callee(token.span, TypeName::Basic(basic)),
            TokenKind::Keyword(Keyword::Struct) => {
                let definition = self.nested(Self::struct_definition)?;
                return self.type_callee(token.span, TypeName::Struct(definition));
            }
            TokenKind::Punct(Punct::LeftParen) => {
                self.advance();
                let inner = self.nested(Self::expression)?;
                self.expect(Punct::RightParen)?;
                return Ok(inner);
            }
            _ => return Err(self.unexpected()),
        };
        self.advance();
        Ok(Expr { kind, span: token.span, height: 1 })
    }

    /// A type name inside an expression: only a constructor can follow.
    fn type_callee(&mut self, span: Span, name: TypeName) -> Checked<Expr> {
        if matches!(name, TypeName::Basic(_)) {
            self.advance();
        }
        let array = self.array_size()?;
        if !self.is(Punct::LeftParen) {
            return Err(self.unexpected());
        }
        Ok(Expr { kind: ExprKind::Type(Box::new((name, array))), span, height: 1 })
    }

    /// `[…]` if it stands here.
    pub fn array_size(&mut self) -> Checked<Option<ArraySize>> {
        if !self.is(Punct::LeftBracket) {
            return Ok(None);
        }
        let span = self.advance().span;
        if self.eat(Punct::RightBracket) {
            return Ok(Some(ArraySize { size: None, span }));
        }
        let size = self.nested(Self::conditional)?;
        self.expect(Punct::RightBracket)?;
        Ok(Some(ArraySize { size: Some(size), span }))
    }

    fn node(&self, span: Span, height: u16, kind: ExprKind) -> Checked<Expr> {
        if height >= MAX_HEIGHT {
            return Err(self.complain("Expression too complex"));
        }
        Ok(Expr { kind, span, height: height + 1 })
    }

    fn node2(
        &self,
        span: Span,
        left: Expr,
        right: Expr,
        make: impl FnOnce(Box<Expr>, Box<Expr>) -> ExprKind,
    ) -> Checked<Expr> {
        let height = left.height.max(right.height);
        self.node(span, height, make(Box::new(left), Box::new(right)))
    }
}
