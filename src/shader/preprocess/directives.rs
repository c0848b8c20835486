//! Directives: `#define #undef #if #ifdef #ifndef #elif #else #endif #error #pragma #extension #version #line`.

use std::rc::Rc;

use super::macros::{Body, EXTENSIONS, Macro};
use super::{Preprocessor, expr};
use crate::shader::error::Checked;
use crate::shader::hir::{Dialect, Span, Stage};
use crate::shader::lex::{PpKind, PpToken, Punct};
use crate::shader::names::Symbol;

/// Nesting of conditional groups.
const MAX_CONDITIONS: usize = 1000;

/// An open `#if`.
#[derive(Debug)]
pub struct Condition {
    pub span: Span,
    /// Its current group is compiled.
    pub active: bool,
    /// One of its groups has been compiled, or the whole of it is skipped.
    done: bool,
    seen_else: bool,
}

impl Preprocessor<'_> {
    /// Handles one line, from its `#` to its end.
    pub fn directive(&mut self, hash: PpToken) -> Checked<()> {
        let line = self.rest_of_line()?;
        let Some(&name) = line.first() else { return Ok(()) };
        if name.kind != PpKind::Identifier {
            if self.skipping() {
                return Ok(());
            }
            return Err(self.complaint(name, "invalid directive name"));
        }
        let rest = &line[1..];
        let text = self.names.get(name.text).to_owned();
        match text.as_str() {
            "if" => self.open_condition(name, |this| this.condition(name, rest)),
            "ifdef" => self.open_condition(name, |this| this.is_defined(name, rest)),
            "ifndef" => self.open_condition(name, |this| this.is_defined(name, rest).map(|defined| !defined)),
            "elif" => self.elif(name, rest),
            "else" => self.else_group(name, rest),
            "endif" => self.endif(name, rest),
            _ if self.skipping() => Ok(()),
            "define" => self.define(name, rest),
            "undef" => self.undefine(name, rest),
            "error" => {
                let message = self.spell(rest);
                Err(self.complaint(PpToken { span: hash.span, ..name }, &message))
            }
            "pragma" => self.pragma(rest),
            "extension" => self.extension(name, rest),
            "version" => self.version(name, rest),
            "line" => self.line(name, rest),
            _ => Err(self.complaint(name, "invalid directive name")),
        }
    }

    fn rest_of_line(&mut self) -> Checked<Vec<PpToken>> {
        let mut line = Vec::new();
        loop {
            let token = self.scanner.next(&mut self.names)?;
            if matches!(token.kind, PpKind::Newline | PpKind::End) {
                return Ok(line);
            }
            line.push(token);
        }
    }

    /// The tokens as text, for `#error`.
    fn spell(&self, tokens: &[PpToken]) -> String {
        let mut text = String::new();
        for token in tokens {
            if token.spaced && !text.is_empty() {
                text.push(' ');
            }
            text.push_str(self.names.get(token.text));
        }
        text
    }

    fn expect_end(&self, rest: &[PpToken]) -> Checked<()> {
        match rest.first() {
            None => Ok(()),
            Some(&token) => Err(self.complaint(token, "unexpected token after directive")),
        }
    }

    fn open_condition(&mut self, name: PpToken, test: impl FnOnce(&mut Self) -> Checked<bool>) -> Checked<()> {
        if self.conditions.len() >= MAX_CONDITIONS {
            return Err(self.complaint(name, "conditional groups nested too deeply"));
        }
        let skipped = self.skipping();
        let active = !skipped && test(self)?;
        self.conditions.push(Condition { span: name.span, active, done: skipped || active, seen_else: false });
        Ok(())
    }

    fn elif(&mut self, name: PpToken, rest: &[PpToken]) -> Checked<()> {
        let Some(condition) = self.conditions.last_mut() else {
            return Err(self.complaint(name, "elif found without a matching if"));
        };
        if condition.seen_else {
            return Err(self.complaint(name, "elif found after else"));
        }
        condition.active = false;
        if condition.done {
            return Ok(());
        }
        let active = self.condition(name, rest)?;
        if let Some(condition) = self.conditions.last_mut() {
            condition.active = active;
            condition.done = active;
        }
        Ok(())
    }

    fn else_group(&mut self, name: PpToken, rest: &[PpToken]) -> Checked<()> {
        let Some(condition) = self.conditions.last_mut() else {
            return Err(self.complaint(name, "else found without a matching if"));
        };
        if condition.seen_else {
            return Err(self.complaint(name, "else found after else"));
        }
        condition.seen_else = true;
        condition.active = !condition.done;
        condition.done = true;
        self.expect_end(rest)
    }

    fn endif(&mut self, name: PpToken, rest: &[PpToken]) -> Checked<()> {
        if self.conditions.pop().is_none() {
            return Err(self.complaint(name, "endif found without a matching if"));
        }
        self.expect_end(rest)
    }

    fn is_defined(&mut self, name: PpToken, rest: &[PpToken]) -> Checked<bool> {
        match rest {
            [token, tail @ ..] if token.kind == PpKind::Identifier => {
                self.expect_end(tail)?;
                Ok(self.macros.contains_key(&token.text))
            }
            [token, ..] => Err(self.complaint(*token, "macro name expected")),
            [] => Err(self.complaint(name, "macro name expected")),
        }
    }

    fn condition(&mut self, name: PpToken, rest: &[PpToken]) -> Checked<bool> {
        let line = self.replace_defined(rest)?;
        let line = self.expand_list(line, name)?;
        Ok(expr::evaluate(&line, &self.names, name.span)? != 0)
    }

    /// Replaces `defined X` and `defined(X)` before macros are expanded.
    fn replace_defined(&mut self, rest: &[PpToken]) -> Checked<Vec<PpToken>> {
        let mut line = Vec::with_capacity(rest.len());
        let mut position = 0;
        while let Some(&token) = rest.get(position) {
            position += 1;
            if token.kind != PpKind::Identifier || token.text != self.defined {
                line.push(token);
                continue;
            }
            let open = rest.get(position).is_some_and(|next| next.is(Punct::LeftParen));
            position += usize::from(open);
            let name = rest.get(position).filter(|name| name.kind == PpKind::Identifier);
            let Some(name) = name else { return Err(self.complaint(token, "macro name expected after defined")) };
            position += 1;
            if open {
                if !rest.get(position).is_some_and(|next| next.is(Punct::RightParen)) {
                    return Err(self.complaint(token, "expected ')' after defined"));
                }
                position += 1;
            }
            let value = if self.macros.contains_key(&name.text) { "1" } else { "0" };
            let text = self.names.intern(value);
            line.push(PpToken { kind: PpKind::Number, text, ..token });
        }
        Ok(line)
    }

    fn define(&mut self, name: PpToken, rest: &[PpToken]) -> Checked<()> {
        let Some(&token) = rest.first() else { return Err(self.complaint(name, "macro name expected")) };
        self.check_macro_name(token)?;
        if let Some(&long) = rest.iter().find(|token| self.names.get(token.text).len() > self.identifier_limit()) {
            return Err(self.complaint(long, "identifier too long"));
        }
        let (parameters, body) = match rest.get(1) {
            Some(open) if open.is(Punct::LeftParen) && !open.spaced => {
                let (parameters, length) = self.parameters(token, &rest[2..])?;
                (Some(Rc::from(parameters)), &rest[2 + length..])
            }
            _ => (None, &rest[1..]),
        };
        let body: Rc<[PpToken]> = body.into();
        if let Some(old) = self.macros.get(&token.text)
            && !same_definition(old, parameters.as_deref(), &body)
        {
            return Err(self.complaint(token, "macro redefined"));
        }
        self.macros.insert(token.text, Macro { parameters, body: Body::Tokens(body), predefined: false });
        Ok(())
    }

    fn check_macro_name(&self, token: PpToken) -> Checked<()> {
        if token.kind != PpKind::Identifier || token.text == self.defined {
            return Err(self.complaint(token, "macro name expected"));
        }
        if self.macros.get(&token.text).is_some_and(|definition| definition.predefined) {
            return Err(self.complaint(token, "predefined macro redefined"));
        }
        if self.names.get(token.text).starts_with("GL_") {
            return Err(self.complaint(token, "macro name is reserved"));
        }
        Ok(())
    }

    /// `a, b)`; gives the names and how many tokens they took.
    fn parameters(&self, name: PpToken, tokens: &[PpToken]) -> Checked<(Vec<Symbol>, usize)> {
        let mut names = Vec::new();
        let mut position = 0;
        if tokens.first().is_some_and(|token| token.is(Punct::RightParen)) {
            return Ok((names, 1));
        }
        loop {
            let Some(token) = tokens.get(position).filter(|token| token.kind == PpKind::Identifier) else {
                return Err(self.complaint(name, "macro parameter expected"));
            };
            if names.contains(&token.text) {
                return Err(self.complaint(*token, "duplicate macro parameter name"));
            }
            names.push(token.text);
            position += 2;
            match tokens.get(position - 1).map(|token| token.kind) {
                Some(PpKind::Punct(Punct::Comma)) => {}
                Some(PpKind::Punct(Punct::RightParen)) => return Ok((names, position)),
                _ => return Err(self.complaint(name, "expected ')' in macro parameter list")),
            }
        }
    }

    fn undefine(&mut self, name: PpToken, rest: &[PpToken]) -> Checked<()> {
        let Some(&token) = rest.first() else { return Err(self.complaint(name, "macro name expected")) };
        if token.kind != PpKind::Identifier {
            return Err(self.complaint(token, "macro name expected"));
        }
        if self.macros.get(&token.text).is_some_and(|definition| definition.predefined) {
            return Err(self.complaint(token, "predefined macro undefined"));
        }
        self.macros.remove(&token.text);
        self.expect_end(&rest[1..])
    }

    /// `STDGL invariant(all)` is the only pragma with a meaning; others are ignored.
    fn pragma(&mut self, rest: &[PpToken]) -> Checked<()> {
        let words: Vec<&str> = rest.iter().map(|token| self.names.get(token.text)).collect();
        if words == ["STDGL", "invariant", "(", "all", ")"] {
            if self.dialect == Dialect::Essl300 && self.stage == Stage::Fragment {
                let token = rest[0];
                return Err(self.complaint(token, "#pragma STDGL invariant(all) can not be used in fragment shader"));
            }
            self.invariant_all = true;
        }
        Ok(())
    }

    fn extension(&mut self, name: PpToken, rest: &[PpToken]) -> Checked<()> {
        let [extension, colon, behavior, tail @ ..] = rest else {
            return Err(self.complaint(name, "invalid extension directive"));
        };
        if extension.kind != PpKind::Identifier || !colon.is(Punct::Colon) || behavior.kind != PpKind::Identifier {
            return Err(self.complaint(name, "invalid extension directive"));
        }
        self.expect_end(tail)?;
        let behavior_name = self.names.get(behavior.text);
        let enable = match behavior_name {
            "require" | "enable" | "warn" => true,
            "disable" => false,
            _ => return Err(self.complaint(*behavior, "behavior invalid")),
        };
        let require = behavior_name == "require";
        if self.seen_token && self.dialect == Dialect::Essl300 {
            let message = "extension directive must occur before any non-preprocessor tokens";
            return Err(self.complaint(*extension, message));
        }
        let extension_name = self.names.get(extension.text);
        if extension_name == "all" {
            return match behavior_name {
                "warn" => Ok(()),
                "disable" => {
                    self.extensions = super::ExtensionSet::empty();
                    Ok(())
                }
                _ => Err(self.complaint(*extension, "extension cannot have 'require' or 'enable' behavior")),
            };
        }
        let known =
            EXTENSIONS.iter().find(|(known, flag, dialect)| *known == extension_name && self.knows(*flag, *dialect));
        match known {
            Some(&(_, flag, _)) => self.extensions.set(flag, enable),
            None if require => return Err(self.complaint(*extension, "extension is not supported")),
            None => {}
        }
        Ok(())
    }

    fn version(&mut self, name: PpToken, rest: &[PpToken]) -> Checked<()> {
        if self.seen_anything {
            return Err(self.complaint(
                name,
                "#version directive must occur before anything else, except for comments and white space",
            ));
        }
        let words: Vec<&str> = rest.iter().map(|token| self.names.get(token.text)).collect();
        match words.as_slice() {
            ["100"] => Ok(()),
            ["300", "es"] if self.options.webgl2 => {
                if name.span.line > 1 {
                    return Err(self.complaint(name, "#version directive must occur on the first line of the shader"));
                }
                self.dialect = Dialect::Essl300;
                self.predefine("__VERSION__", Body::Value(300));
                self.define_extensions();
                Ok(())
            }
            [version, ..] if version.bytes().all(|byte| byte.is_ascii_digit()) => {
                Err(self.complaint(rest[0], "client/version number not supported"))
            }
            _ => Err(self.complaint(name, "invalid version directive")),
        }
    }

    fn line(&mut self, name: PpToken, rest: &[PpToken]) -> Checked<()> {
        let tokens = self.expand_list(rest.to_vec(), name)?;
        // One expression, or two: where the second starts is where the first can no longer go on.
        let split = split_expressions(&tokens);
        let (first, second) = tokens.split_at(split);
        let line = expr::evaluate(first, &self.names, name.span)?;
        let file = if second.is_empty() { None } else { Some(expr::evaluate(second, &self.names, name.span)?) };
        let Ok(line) = u32::try_from(line) else { return Err(self.complaint(name, "invalid line number")) };
        if let Some(file) = file {
            let Ok(file) = u32::try_from(file) else { return Err(self.complaint(name, "invalid file number")) };
            self.file = file;
        }
        self.scanner.set_line(line);
        Ok(())
    }
}

/// Index of the first token of a second expression: an operand that follows a complete operand.
fn split_expressions(tokens: &[PpToken]) -> usize {
    let mut depth = 0i32;
    let mut complete = false;
    for (index, token) in tokens.iter().enumerate() {
        let starts_operand = matches!(token.kind, PpKind::Number | PpKind::Identifier) || token.is(Punct::LeftParen);
        if depth == 0 && complete && starts_operand {
            return index;
        }
        match token.kind {
            PpKind::Punct(Punct::LeftParen) => depth += 1,
            PpKind::Punct(Punct::RightParen) => depth -= 1,
            _ => {}
        }
        complete = matches!(token.kind, PpKind::Number | PpKind::Identifier) || token.is(Punct::RightParen);
    }
    tokens.len()
}

fn same_definition(old: &Macro, parameters: Option<&[Symbol]>, body: &[PpToken]) -> bool {
    let Body::Tokens(old_body) = &old.body else { return false };
    old.parameters.as_deref() == parameters
        && old_body.len() == body.len()
        && old_body
            .iter()
            .zip(body)
            .enumerate()
            .all(|(index, (a, b))| a.text == b.text && a.kind == b.kind && (index == 0 || a.spaced == b.spaced))
}
