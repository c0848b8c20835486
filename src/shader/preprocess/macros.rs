//! Macros: definition and expansion.

use std::rc::Rc;

use super::{MAX_EXPANDED, Preprocessor};
use crate::shader::compile::ExtensionSet;
use crate::shader::error::Checked;
use crate::shader::hir::{Dialect, Span};
use crate::shader::lex::{PpKind, PpToken, Punct};
use crate::shader::names::Symbol;

/// Nesting of macro invocations inside macro arguments.
const MAX_DEPTH: u32 = 100;

/// Extensions that change the language, with the dialect that knows them.
pub const EXTENSIONS: [(&str, ExtensionSet, Option<Dialect>); 8] = [
    ("GL_OES_standard_derivatives", ExtensionSet::OES_STANDARD_DERIVATIVES, Some(Dialect::Essl100)),
    ("GL_EXT_frag_depth", ExtensionSet::EXT_FRAG_DEPTH, Some(Dialect::Essl100)),
    ("GL_EXT_shader_texture_lod", ExtensionSet::EXT_SHADER_TEXTURE_LOD, Some(Dialect::Essl100)),
    ("GL_EXT_draw_buffers", ExtensionSet::EXT_DRAW_BUFFERS, Some(Dialect::Essl100)),
    ("GL_ANGLE_multi_draw", ExtensionSet::WEBGL_MULTI_DRAW, None),
    ("GL_ANGLE_clip_cull_distance", ExtensionSet::WEBGL_CLIP_CULL_DISTANCE, Some(Dialect::Essl300)),
    ("GL_EXT_blend_func_extended", ExtensionSet::EXT_BLEND_FUNC_EXTENDED, None),
    (
        "GL_ANGLE_base_vertex_base_instance_shader_builtin",
        ExtensionSet::WEBGL_DRAW_INSTANCED_BASE_VERTEX_BASE_INSTANCE,
        Some(Dialect::Essl300),
    ),
];

#[derive(Clone, Debug)]
pub struct Macro {
    pub parameters: Option<Rc<[Symbol]>>,
    pub body: Body,
    /// May be neither redefined nor undefined.
    pub predefined: bool,
}

#[derive(Clone, Debug)]
pub enum Body {
    Tokens(Rc<[PpToken]>),
    /// `__LINE__`
    Line,
    /// `__FILE__`
    File,
    Value(u32),
}

/// A macro's expansion being read.
#[derive(Debug)]
pub struct Context {
    /// `None`: a macro argument or a directive's line.
    source: Option<Symbol>,
    tokens: Rc<[PpToken]>,
    position: usize,
}

impl Preprocessor<'_> {
    pub fn define_builtins(&mut self) {
        self.predefine("__LINE__", Body::Line);
        self.predefine("__FILE__", Body::File);
        self.predefine("__VERSION__", Body::Value(100));
        self.predefine("GL_ES", Body::Value(1));
        self.predefine("GL_FRAGMENT_PRECISION_HIGH", Body::Value(1));
        self.define_extensions();
    }

    /// `GL_<extension>` for every extension the context has enabled and the dialect knows.
    pub fn define_extensions(&mut self) {
        for (name, flag, dialect) in EXTENSIONS {
            let symbol = self.names.intern(name);
            if self.knows(flag, dialect) {
                self.predefine(name, Body::Value(1));
            } else {
                self.macros.remove(&symbol);
            }
        }
    }

    pub fn knows(&self, flag: ExtensionSet, dialect: Option<Dialect>) -> bool {
        self.options.extensions.contains(flag) && dialect.is_none_or(|dialect| dialect == self.dialect)
    }

    pub fn predefine(&mut self, name: &str, body: Body) {
        let symbol = self.names.intern(name);
        self.macros.insert(symbol, Macro { parameters: None, body, predefined: true });
    }

    /// Next token after macro expansion.
    pub fn next_expanded(&mut self) -> Checked<PpToken> {
        loop {
            let mut token = self.pull()?;
            if token.kind != PpKind::Identifier || token.frozen {
                return Ok(token);
            }
            let Some(definition) = self.macros.get(&token.text).cloned() else { return Ok(token) };
            if self.active.get(&token.text).is_some_and(|&count| count > 0) {
                token.frozen = true;
                return Ok(token);
            }
            let tokens = match &definition.body {
                Body::Line => Rc::from([self.number(token, token.span.line)]),
                Body::File => Rc::from([self.number(token, self.file)]),
                Body::Value(value) => Rc::from([self.number(token, *value)]),
                Body::Tokens(body) => match &definition.parameters {
                    None => relocated(body, token),
                    Some(parameters) => {
                        let next = self.pull()?;
                        if !next.is(Punct::LeftParen) {
                            self.pushed_back.push(next);
                            return Ok(token);
                        }
                        let (arguments, end) = self.arguments(token, parameters.len())?;
                        // `__LINE__` in the body is the line on which the invocation ends.
                        let at = PpToken { span: end, ..token };
                        self.substitute(at, parameters, body, arguments)?
                    }
                },
            };
            self.spend(token, tokens.len())?;
            *self.active.entry(token.text).or_insert(0) += 1;
            self.contexts.push(Context { source: Some(token.text), tokens, position: 0 });
        }
    }

    fn spend(&mut self, token: PpToken, amount: usize) -> Checked<()> {
        self.expanded = self.expanded.saturating_add(amount as u32 + 1);
        if self.expanded > MAX_EXPANDED {
            return Err(self.complaint(token, "macro expansion too large"));
        }
        Ok(())
    }

    fn number(&mut self, at: PpToken, value: u32) -> PpToken {
        let text = self.names.intern(&value.to_string());
        PpToken { kind: PpKind::Number, text, frozen: false, ..at }
    }

    /// Next token before expansion, from the innermost place that has one.
    fn pull(&mut self) -> Checked<PpToken> {
        if let Some(token) = self.pushed_back.pop() {
            return Ok(token);
        }
        while let Some(context) = self.contexts.last_mut() {
            if let Some(&token) = context.tokens.get(context.position) {
                context.position += 1;
                return Ok(token);
            }
            self.close_context();
        }
        if self.isolated {
            return Ok(self.end_token(Span::default()));
        }
        self.next_source()
    }

    fn close_context(&mut self) {
        let Some(context) = self.contexts.pop() else { return };
        if let Some(count) = context.source.and_then(|source| self.active.get_mut(&source)) {
            *count = count.saturating_sub(1);
        }
    }

    /// Reads `a, b)` after the opening parenthesis.
    fn arguments(&mut self, name: PpToken, expected: usize) -> Checked<(Vec<Vec<PpToken>>, Span)> {
        let mut arguments = vec![Vec::new()];
        let mut depth = 0u32;
        let mut length = 0usize;
        let end = loop {
            let token = self.pull()?;
            match token.kind {
                PpKind::End => return Err(self.complaint(name, "unterminated macro invocation")),
                PpKind::Punct(Punct::RightParen) if depth == 0 => break token.span,
                PpKind::Punct(Punct::Comma) if depth == 0 => {
                    arguments.push(Vec::new());
                    continue;
                }
                PpKind::Punct(Punct::LeftParen) => depth += 1,
                PpKind::Punct(Punct::RightParen) => depth -= 1,
                _ => {}
            }
            length += 1;
            if length > MAX_EXPANDED as usize {
                return Err(self.complaint(name, "macro expansion too large"));
            }
            if let Some(argument) = arguments.last_mut() {
                argument.push(token);
            }
        };
        if expected == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if arguments.len() < expected {
            return Err(self.complaint(name, "Not enough arguments for macro"));
        }
        if arguments.len() > expected {
            return Err(self.complaint(name, "Too many arguments for macro"));
        }
        Ok((arguments, end))
    }

    fn substitute(
        &mut self,
        name: PpToken,
        parameters: &[Symbol],
        body: &[PpToken],
        arguments: Vec<Vec<PpToken>>,
    ) -> Checked<Rc<[PpToken]>> {
        let mut expanded: Vec<Option<Vec<PpToken>>> = vec![None; parameters.len()];
        let mut tokens = Vec::new();
        for token in body {
            let parameter = match token.kind {
                PpKind::Identifier => parameters.iter().position(|&parameter| parameter == token.text),
                _ => None,
            };
            let Some(index) = parameter else {
                tokens.push(PpToken { span: name.span, ..*token });
                continue;
            };
            if expanded[index].is_none() {
                let argument = arguments.get(index).cloned().unwrap_or_default();
                expanded[index] = Some(self.expand_list(argument, name)?);
            }
            if let Some(argument) = &expanded[index] {
                if tokens.len() + argument.len() > MAX_EXPANDED as usize {
                    return Err(self.complaint(name, "macro expansion too large"));
                }
                tokens.extend_from_slice(argument);
            }
        }
        Ok(tokens.into())
    }

    /// Fully expands a list by itself: a macro argument, or the line of an `#if`.
    pub fn expand_list(&mut self, list: Vec<PpToken>, at: PpToken) -> Checked<Vec<PpToken>> {
        if self.depth >= MAX_DEPTH {
            return Err(self.complaint(at, "macro invocations nested too deeply"));
        }
        self.depth += 1;
        let contexts = std::mem::take(&mut self.contexts);
        let pushed_back = std::mem::take(&mut self.pushed_back);
        let isolated = std::mem::replace(&mut self.isolated, true);
        self.contexts.push(Context { source: None, tokens: list.into(), position: 0 });
        let mut result = Vec::new();
        let outcome = loop {
            match self.next_expanded() {
                Ok(token) if token.kind == PpKind::End => break Ok(()),
                Ok(token) => result.push(token),
                Err(diagnostic) => break Err(diagnostic),
            }
        };
        self.contexts = contexts;
        self.pushed_back = pushed_back;
        self.isolated = isolated;
        self.depth -= 1;
        outcome.map(|()| result)
    }
}

/// A macro's body at the place of its use, for line numbers in messages.
fn relocated(body: &[PpToken], at: PpToken) -> Rc<[PpToken]> {
    body.iter().map(|token| PpToken { span: at.span, ..*token }).collect()
}
