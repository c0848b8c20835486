//! Characters → preprocessing tokens: comments, line continuation, newlines, numbers, punctuation.
//!
//! GLSL ES 3.00 §3.1–3.7. Continuation lines are joined in both dialects, as ANGLE does.

use super::error::{Checked, Diagnostic};
use super::hir::Span;
use super::names::{Names, Symbol};

/// Operators and separators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Punct {
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    Dot,
    Comma,
    Semicolon,
    Colon,
    Question,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    EqualEqual,
    BangEqual,
    AndAnd,
    OrOr,
    XorXor,
    Bang,
    Tilde,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Equal,
    PlusEqual,
    MinusEqual,
    StarEqual,
    SlashEqual,
    PercentEqual,
    ShiftLeftEqual,
    ShiftRightEqual,
    AndEqual,
    OrEqual,
    XorEqual,
    PlusPlus,
    MinusMinus,
    Hash,
}

/// Longest first, so that a prefix never wins.
const PUNCTUATION: [(&str, Punct); 46] = [
    ("<<=", Punct::ShiftLeftEqual),
    (">>=", Punct::ShiftRightEqual),
    ("<=", Punct::LessEqual),
    (">=", Punct::GreaterEqual),
    ("==", Punct::EqualEqual),
    ("!=", Punct::BangEqual),
    ("&&", Punct::AndAnd),
    ("||", Punct::OrOr),
    ("^^", Punct::XorXor),
    ("<<", Punct::ShiftLeft),
    (">>", Punct::ShiftRight),
    ("+=", Punct::PlusEqual),
    ("-=", Punct::MinusEqual),
    ("*=", Punct::StarEqual),
    ("/=", Punct::SlashEqual),
    ("%=", Punct::PercentEqual),
    ("&=", Punct::AndEqual),
    ("|=", Punct::OrEqual),
    ("^=", Punct::XorEqual),
    ("++", Punct::PlusPlus),
    ("--", Punct::MinusMinus),
    ("(", Punct::LeftParen),
    (")", Punct::RightParen),
    ("[", Punct::LeftBracket),
    ("]", Punct::RightBracket),
    ("{", Punct::LeftBrace),
    ("}", Punct::RightBrace),
    (".", Punct::Dot),
    (",", Punct::Comma),
    (";", Punct::Semicolon),
    (":", Punct::Colon),
    ("?", Punct::Question),
    ("+", Punct::Plus),
    ("-", Punct::Minus),
    ("*", Punct::Star),
    ("/", Punct::Slash),
    ("%", Punct::Percent),
    ("<", Punct::Less),
    (">", Punct::Greater),
    ("!", Punct::Bang),
    ("~", Punct::Tilde),
    ("&", Punct::And),
    ("|", Punct::Or),
    ("^", Punct::Xor),
    ("=", Punct::Equal),
    ("#", Punct::Hash),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PpKind {
    Identifier,
    Number,
    Punct(Punct),
    /// A character outside the language's set.
    Invalid,
    Newline,
    End,
}

/// A preprocessing token.
#[derive(Clone, Copy, Debug)]
pub struct PpToken {
    pub kind: PpKind,
    pub text: Symbol,
    pub span: Span,
    /// White space or a comment stood before it.
    pub spaced: bool,
    /// Met while its own macro was being expanded: never a macro again.
    pub frozen: bool,
}

impl PpToken {
    pub fn is(&self, punct: Punct) -> bool {
        self.kind == PpKind::Punct(punct)
    }
}

/// Reads preprocessing tokens from source text.
pub struct Scanner<'a> {
    bytes: &'a [u8],
    position: usize,
    line: u32,
    line_start: usize,
    text: String,
}

impl<'a> Scanner<'a> {
    pub fn new(source: &'a str) -> Self {
        Self { bytes: source.as_bytes(), position: 0, line: 1, line_start: 0, text: String::new() }
    }

    /// Makes the line now starting count as `line` (`#line`).
    pub fn set_line(&mut self, line: u32) {
        self.line = line;
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.position + ahead).copied().unwrap_or(0)
    }

    fn at_end(&self) -> bool {
        self.position >= self.bytes.len()
    }

    fn newline_length(&self, ahead: usize) -> usize {
        match (self.byte(ahead), self.byte(ahead + 1)) {
            (b'\r', b'\n') | (b'\n', b'\r') => 2,
            (b'\r' | b'\n', _) => 1,
            _ => 0,
        }
    }

    fn take_newline(&mut self, length: usize) {
        self.position += length;
        self.line = self.line.saturating_add(1);
        self.line_start = self.position;
    }

    /// Skips `\` newline pairs, so that `byte(0)` is a logical character.
    fn join_lines(&mut self) {
        while self.byte(0) == b'\\' {
            let length = self.newline_length(1);
            if length == 0 {
                break;
            }
            self.take_newline(1 + length);
        }
    }

    fn bump(&mut self) {
        let byte = self.byte(0);
        self.text.push(byte as char);
        self.position += 1;
        self.join_lines();
    }

    fn span(&self) -> Span {
        Span { line: self.line, column: (self.position - self.line_start) as u32 + 1 }
    }

    /// Next token; comments count as white space.
    pub fn next(&mut self, names: &mut Names) -> Checked<PpToken> {
        let spaced = self.skip_space()?;
        let span = self.span();
        self.text.clear();
        let kind = self.scan_kind();
        let text = names.intern(&self.text);
        Ok(PpToken { kind, text, span, spaced, frozen: false })
    }

    fn scan_kind(&mut self) -> PpKind {
        if self.at_end() {
            return PpKind::End;
        }
        let length = self.newline_length(0);
        if length > 0 {
            self.take_newline(length);
            return PpKind::Newline;
        }
        let byte = self.byte(0);
        if byte.is_ascii_alphabetic() || byte == b'_' {
            self.scan_word();
            return PpKind::Identifier;
        }
        if byte.is_ascii_digit() || (byte == b'.' && self.digit_after_dot()) {
            self.scan_number();
            return PpKind::Number;
        }
        self.scan_punctuation()
    }

    fn digit_after_dot(&self) -> bool {
        self.byte(1).is_ascii_digit()
    }

    fn scan_word(&mut self) {
        while self.byte(0).is_ascii_alphanumeric() || self.byte(0) == b'_' {
            self.bump();
        }
    }

    /// Takes the longest run that can be one literal, with any suffix glued to it; the value is checked later.
    fn scan_number(&mut self) {
        let hexadecimal = self.byte(0) == b'0' && matches!(self.byte(1), b'x' | b'X');
        if !hexadecimal {
            while self.byte(0).is_ascii_digit() {
                self.bump();
            }
            if self.byte(0) == b'.' {
                self.bump();
                while self.byte(0).is_ascii_digit() {
                    self.bump();
                }
            }
            if matches!(self.byte(0), b'e' | b'E')
                && (self.byte(1).is_ascii_digit()
                    || (matches!(self.byte(1), b'+' | b'-') && self.byte(2).is_ascii_digit()))
            {
                self.bump();
                self.bump();
                while self.byte(0).is_ascii_digit() {
                    self.bump();
                }
            }
        }
        self.scan_word();
    }

    fn scan_punctuation(&mut self) -> PpKind {
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        for (spelling, punct) in PUNCTUATION {
            let spelling = spelling.as_bytes();
            if spelling.first() == rest.first() && rest.starts_with(spelling) {
                for _ in spelling {
                    self.bump();
                }
                return PpKind::Punct(punct);
            }
        }
        // One whole UTF-8 character; only its first byte matters for the message.
        let first = self.byte(0);
        self.position += 1;
        while self.byte(0) & 0xc0 == 0x80 && !self.at_end() {
            self.position += 1;
        }
        self.text.push(if first.is_ascii_graphic() { first as char } else { '?' });
        PpKind::Invalid
    }

    fn skip_space(&mut self) -> Checked<bool> {
        let start = self.position;
        loop {
            self.join_lines();
            match (self.byte(0), self.byte(1)) {
                (b' ' | b'\t' | 0x0b | 0x0c, _) => self.position += 1,
                (b'/', b'/') => self.skip_line_comment(),
                (b'/', b'*') => self.skip_block_comment()?,
                _ => return Ok(self.position != start),
            }
        }
    }

    /// Passes over the rest of a line of a group that is not compiled.
    pub fn skip_line(&mut self) -> Checked<()> {
        loop {
            self.join_lines();
            match (self.byte(0), self.byte(1)) {
                (b'/', b'/') => self.skip_line_comment(),
                (b'/', b'*') => self.skip_block_comment()?,
                _ if self.at_end() || self.newline_length(0) > 0 => return Ok(()),
                _ => self.position += 1,
            }
        }
    }

    fn skip_line_comment(&mut self) {
        loop {
            self.join_lines();
            if self.at_end() || self.newline_length(0) > 0 {
                return;
            }
            self.position += 1;
        }
    }

    fn skip_block_comment(&mut self) -> Checked<()> {
        let span = self.span();
        self.position += 2;
        loop {
            if self.at_end() {
                return Err(Diagnostic::new(span, "/*", "unterminated comment"));
            }
            let length = self.newline_length(0);
            if length > 0 {
                self.take_newline(length);
            } else if (self.byte(0), self.byte(1)) == (b'*', b'/') {
                self.position += 2;
                return Ok(());
            } else {
                self.position += 1;
            }
        }
    }
}
