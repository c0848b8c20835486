//! Source text → parser tokens: directives, conditional groups, macro expansion, keywords, literal values.
//!
//! Takes in one shader's text and the context's extensions; gives out [`Unit`]. Knows nothing of the grammar.
//! Work is bounded: macro expansion may not produce more than [`MAX_EXPANDED`] tokens.

mod directives;
mod expr;
mod literals;
mod macros;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use self::directives::Condition;
use self::macros::{Context, Macro};
use super::compile::{CompileOptions, ExtensionSet};
use super::error::{Checked, Diagnostic};
use super::hir::{Dialect, Span, Stage};
use super::lex::{PpKind, PpToken, Punct, Scanner};
use super::names::{Names, Symbol};
use super::token::{Token, TokenKind, Word, classify};

/// Tokens all macro expansions of one shader may produce together.
const MAX_EXPANDED: u32 = 1 << 20;

/// Tokens one shader may have after preprocessing.
const MAX_TOKENS: usize = 1 << 20;

/// The preprocessed shader.
#[derive(Debug)]
pub struct Unit {
    pub names: Names,
    /// The empty text.
    pub empty: Symbol,
    /// Ends in one `End` token.
    pub tokens: Vec<Token>,
    pub dialect: Dialect,
    /// Extensions the shader itself enabled (`#extension … : enable`).
    pub extensions: ExtensionSet,
    /// `#pragma STDGL invariant(all)`.
    pub invariant_all: bool,
}

/// Runs the preprocessor over a whole shader.
pub fn preprocess(source: &str, stage: Stage, options: &CompileOptions) -> Checked<Unit> {
    let mut preprocessor = Preprocessor::new(source, stage, options);
    let tokens = preprocessor.run()?;
    let empty = preprocessor.names.intern("");
    Ok(Unit {
        empty,
        names: preprocessor.names,
        tokens,
        dialect: preprocessor.dialect,
        extensions: preprocessor.extensions,
        invariant_all: preprocessor.invariant_all,
    })
}

struct Preprocessor<'a> {
    scanner: Scanner<'a>,
    names: Names,
    stage: Stage,
    options: &'a CompileOptions,
    dialect: Dialect,
    extensions: ExtensionSet,
    invariant_all: bool,
    macros: FxHashMap<Symbol, Macro>,
    /// How many open contexts come from each macro.
    active: FxHashMap<Symbol, u32>,
    contexts: Vec<Context>,
    pushed_back: Vec<PpToken>,
    /// Only `contexts` may be read: a macro argument or a directive line is being expanded.
    isolated: bool,
    conditions: Vec<Condition>,
    at_line_start: bool,
    /// Anything but white space and comments was read.
    seen_anything: bool,
    /// A token that is not part of a directive was read.
    seen_token: bool,
    expanded: u32,
    file: u32,
    depth: u32,
    defined: Symbol,
}

impl<'a> Preprocessor<'a> {
    fn new(source: &'a str, stage: Stage, options: &'a CompileOptions) -> Self {
        let mut names = Names::default();
        let defined = names.intern("defined");
        let mut preprocessor = Self {
            scanner: Scanner::new(source),
            names,
            stage,
            options,
            dialect: Dialect::Essl100,
            extensions: ExtensionSet::empty(),
            invariant_all: false,
            macros: FxHashMap::default(),
            active: FxHashMap::default(),
            contexts: Vec::new(),
            pushed_back: Vec::new(),
            isolated: false,
            conditions: Vec::new(),
            at_line_start: true,
            seen_anything: false,
            seen_token: false,
            expanded: 0,
            file: 0,
            depth: 0,
            defined,
        };
        preprocessor.define_builtins();
        preprocessor
    }

    fn run(&mut self) -> Checked<Vec<Token>> {
        let mut tokens = Vec::new();
        loop {
            let token = self.next_expanded()?;
            if tokens.len() >= MAX_TOKENS {
                return Err(self.complaint(token, "shader too long"));
            }
            if token.kind == PpKind::End {
                if let Some(condition) = self.conditions.last() {
                    return Err(Diagnostic::new(condition.span, "#if", "unterminated conditional group"));
                }
                tokens.push(Token { kind: TokenKind::End, text: token.text, span: token.span });
                return Ok(tokens);
            }
            let token = self.convert(token)?;
            tokens.push(token);
        }
    }

    /// Next token of the source outside of directives and skipped groups.
    fn next_source(&mut self) -> Checked<PpToken> {
        loop {
            let token = self.scanner.next(&mut self.names)?;
            match token.kind {
                PpKind::Newline => self.at_line_start = true,
                PpKind::End => return Ok(token),
                PpKind::Punct(Punct::Hash) if self.at_line_start => {
                    self.directive(token)?;
                    self.seen_anything = true;
                    self.at_line_start = true;
                }
                _ => {
                    self.at_line_start = false;
                    self.seen_anything = true;
                    if !self.skipping() {
                        self.seen_token = true;
                        return Ok(token);
                    }
                    self.scanner.skip_line()?;
                }
            }
        }
    }

    fn skipping(&self) -> bool {
        self.conditions.last().is_some_and(|condition| !condition.active)
    }

    fn complaint(&self, token: PpToken, message: &str) -> Diagnostic {
        let text = self.names.get(token.text);
        let shown: String = text.chars().take(256).collect();
        Diagnostic::new(token.span, shown, message)
    }

    fn convert(&self, token: PpToken) -> Checked<Token> {
        let kind = match token.kind {
            PpKind::Identifier => self.convert_word(token)?,
            PpKind::Number => literals::value(self.names.get(token.text), self.dialect)
                .map_err(|message| self.complaint(token, message))?,
            PpKind::Punct(Punct::Hash) | PpKind::Invalid => {
                return Err(self.complaint(token, "invalid character"));
            }
            PpKind::Punct(punct) => TokenKind::Punct(punct),
            PpKind::Newline | PpKind::End => TokenKind::End,
        };
        Ok(Token { kind, text: token.text, span: token.span })
    }

    fn convert_word(&self, token: PpToken) -> Checked<TokenKind> {
        let word = self.names.get(token.text);
        match classify(word, self.dialect) {
            Word::Keyword(keyword) => Ok(TokenKind::Keyword(keyword)),
            Word::Type(basic) => Ok(TokenKind::TypeName(basic)),
            Word::Reserved => Err(self.complaint(token, "Illegal use of reserved word")),
            Word::Identifier => {
                if word.len() > self.identifier_limit() {
                    return Err(self.complaint(token, "identifier too long"));
                }
                Ok(TokenKind::Identifier)
            }
        }
    }

    /// WebGL 1.0 §6.20 and WebGL 2.0 §4.3.2.
    fn identifier_limit(&self) -> usize {
        if self.options.webgl2 { 1024 } else { 256 }
    }

    fn end_token(&mut self, span: Span) -> PpToken {
        let text = self.names.intern("");
        PpToken { kind: PpKind::End, text, span, spaced: false, frozen: false }
    }
}
