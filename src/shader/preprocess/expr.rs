//! The integer expressions of `#if`, `#elif` and `#line` (GLSL ES 3.00 §3.4).

use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::Span;
use crate::shader::lex::{PpKind, PpToken, Punct};
use crate::shader::names::Names;

/// Nesting of parentheses and unary operators.
const MAX_DEPTH: u32 = 100;

/// Evaluates a fully expanded line. Operands that short-circuiting skips may be undefined or divide by zero.
pub fn evaluate(tokens: &[PpToken], names: &Names, directive: Span) -> Checked<i64> {
    let mut evaluator = Evaluator { tokens, position: 0, names, directive, depth: 0, skip: 0 };
    let value = evaluator.binary(0)?;
    match evaluator.peek() {
        None => Ok(value),
        Some(token) => Err(evaluator.complain(Some(token), "unexpected token in conditional expression")),
    }
}

struct Evaluator<'a> {
    tokens: &'a [PpToken],
    position: usize,
    names: &'a Names,
    directive: Span,
    depth: u32,
    /// Inside operands whose value does not matter.
    skip: u32,
}

/// Binding strength; all operators associate to the left.
fn precedence(punct: Punct) -> Option<u8> {
    Some(match punct {
        Punct::OrOr => 1,
        Punct::AndAnd => 2,
        Punct::Or => 3,
        Punct::Xor => 4,
        Punct::And => 5,
        Punct::EqualEqual | Punct::BangEqual => 6,
        Punct::Less | Punct::Greater | Punct::LessEqual | Punct::GreaterEqual => 7,
        Punct::ShiftLeft | Punct::ShiftRight => 8,
        Punct::Plus | Punct::Minus => 9,
        Punct::Star | Punct::Slash | Punct::Percent => 10,
        _ => return None,
    })
}

impl Evaluator<'_> {
    fn peek(&self) -> Option<PpToken> {
        self.tokens.get(self.position).copied()
    }

    fn complain(&self, token: Option<PpToken>, message: &str) -> Diagnostic {
        let text = token.map_or("", |token| self.names.get(token.text));
        Diagnostic::new(self.directive, text, message)
    }

    fn binary(&mut self, floor: u8) -> Checked<i64> {
        let mut left = self.unary()?;
        while let Some(token) = self.peek() {
            let PpKind::Punct(punct) = token.kind else { break };
            let Some(strength) = precedence(punct) else { break };
            if strength <= floor {
                break;
            }
            self.position += 1;
            let skipped = (punct == Punct::AndAnd && left == 0) || (punct == Punct::OrOr && left != 0);
            self.skip += u32::from(skipped);
            let right = self.binary(strength)?;
            self.skip -= u32::from(skipped);
            left = self.apply(token, punct, left, right)?;
        }
        Ok(left)
    }

    fn apply(&self, token: PpToken, punct: Punct, left: i64, right: i64) -> Checked<i64> {
        if right == 0 && matches!(punct, Punct::Slash | Punct::Percent) {
            if self.skip > 0 {
                return Ok(0);
            }
            return Err(self.complain(Some(token), "division by zero"));
        }
        let truth = |value: bool| i64::from(value);
        let value = match punct {
            Punct::OrOr => truth(left != 0 || right != 0),
            Punct::AndAnd => truth(left != 0 && right != 0),
            Punct::Or => left | right,
            Punct::Xor => left ^ right,
            Punct::And => left & right,
            Punct::EqualEqual => truth(left == right),
            Punct::BangEqual => truth(left != right),
            Punct::Less => truth(left < right),
            Punct::Greater => truth(left > right),
            Punct::LessEqual => truth(left <= right),
            Punct::GreaterEqual => truth(left >= right),
            Punct::ShiftLeft | Punct::ShiftRight if !(0..32).contains(&right) => {
                if self.skip > 0 {
                    return Ok(0);
                }
                return Err(self.complain(Some(token), "shift exponent out of range"));
            }
            Punct::ShiftLeft => ((left as i32) << right) as i64,
            Punct::ShiftRight => i64::from((left as i32) >> right),
            Punct::Plus => left + right,
            Punct::Minus => left - right,
            Punct::Star => left * right,
            Punct::Slash => left / right,
            _ => left % right,
        };
        // 32-bit arithmetic that wraps.
        Ok(i64::from(value as i32))
    }

    fn unary(&mut self) -> Checked<i64> {
        let token = self.peek();
        let Some(current) = token else {
            return Err(self.complain(None, "unexpected end of conditional expression"));
        };
        self.position += 1;
        match current.kind {
            PpKind::Number => self.number(current),
            PpKind::Identifier if self.skip > 0 => Ok(0),
            PpKind::Identifier => Err(self.complain(token, "undefined identifier in conditional expression")),
            PpKind::Punct(punct) => self.prefixed(current, punct),
            _ => Err(self.complain(token, "unexpected token in conditional expression")),
        }
    }

    fn prefixed(&mut self, token: PpToken, punct: Punct) -> Checked<i64> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.complain(Some(token), "conditional expression nested too deeply"));
        }
        let value = match punct {
            Punct::LeftParen => {
                let value = self.binary(0)?;
                match self.peek() {
                    Some(close) if close.is(Punct::RightParen) => self.position += 1,
                    other => return Err(self.complain(other, "expected ')' in conditional expression")),
                }
                value
            }
            Punct::Plus => self.unary()?,
            Punct::Minus => i64::from((self.unary()? as i32).wrapping_neg()),
            Punct::Tilde => !self.unary()?,
            Punct::Bang => i64::from(self.unary()? == 0),
            _ => return Err(self.complain(Some(token), "unexpected token in conditional expression")),
        };
        self.depth -= 1;
        Ok(value)
    }

    fn number(&self, token: PpToken) -> Checked<i64> {
        let text = self.names.get(token.text);
        let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => (digits, 16),
            None if text.len() > 1 && text.starts_with('0') => (&text[1..], 8),
            None => (text, 10),
        };
        if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
            return Err(self.complain(Some(token), "invalid integer in conditional expression"));
        }
        match u32::from_str_radix(digits, radix) {
            Ok(value) if radix != 10 || value <= i32::MAX as u32 => Ok(i64::from(value as i32)),
            _ => Err(self.complain(Some(token), "integer overflow")),
        }
    }
}
