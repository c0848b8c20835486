//! Gives the global names of a classic worker's script a spelling that only this worker has.
//!
//! Workers run in the page's own V8 context. A classic script (HTML, 8.1.3.1) is run there as the script it is, so that `var`,
//! `let`, functions, `typeof` and references to nothing behave as ECMA-262 16.1.7 says and are as fast as the page's own; what
//! keeps it apart from the page is that each of its global names has its first letter changed for one of the worker's own
//! letters, of the same length, so that places in the source stay as they are. Names that page and worker have in common
//! (`Math`, `fetch`) stay.
//!
//! Takes in a source text, the worker's number and the common names; gives out the text to run and what it declares. Knows neither V8 nor files.

use std::collections::BTreeMap;

use oxc_allocator::Allocator;
use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, BindingPattern, Expression};
use oxc_parser::Parser;
use oxc_semantic::{AstNodes, ReferenceId, Scoping, SemanticBuilder, SymbolFlags, SymbolId};
use oxc_span::{GetSpan, SourceType, Span};
use rustc_hash::FxHashSet;
use serde::Serialize;

/// CJK Unified Ideographs Extension A: letters by UAX #31 that programs hardly use, one UTF-16 unit each.
const LETTERS: std::ops::RangeInclusive<u32> = 0x3400..=0x4DB5;
/// How many letters a worker has: one for each letter that an ASCII name can begin with.
const EACH: u32 = 54;

/// A script ready to run, and what it declares.
#[derive(Debug, Default, Serialize)]
pub struct Renamed {
    /// The text to run.
    pub text: String,
    /// UTF-16 units of the first line that are not the file's.
    pub lead: u32,
    /// Top-level `var` and function names, in the order of the source.
    pub values: Vec<String>,
    /// Top-level `let`, `const` and class names.
    pub lexical: Vec<String>,
    /// The functions among `values`.
    pub functions: Vec<String>,
    /// Names that are written without being declared.
    pub writes: Vec<String>,
    /// Does it run source text (`eval`, `Function`), whose names stay as they are?
    pub dynamic: bool,
    /// What the parser says against it; the rest is empty then.
    pub error: Option<String>,
    /// The spellings that were put in.
    #[serde(skip)]
    pub aliases: FxHashSet<String>,
}

/// The spellings that workers have, so that texts of V8's can be told from the program's own.
#[derive(Debug, Default)]
pub struct Spellings(FxHashSet<String>);

impl Spellings {
    pub fn extend(&mut self, aliases: impl IntoIterator<Item = String>) {
        self.0.extend(aliases);
    }

    /// A text with names as the program wrote them: only whole names that some worker has are changed.
    pub fn undo(&self, text: &str) -> String {
        let part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(part) {
            let (before, from) = rest.split_at(start);
            let (name, after) = from.split_at(from.find(|c| !part(c)).unwrap_or(from.len()));
            out.push_str(before);
            if self.0.contains(name) {
                out.push_str(&spelled(name))
            } else {
                out.push_str(name)
            }
            rest = after;
        }
        out.push_str(rest);
        out
    }
}

/// What worker `number` calls `name`.
pub fn alias(number: u32, name: &str) -> String {
    let mut rest = name.chars();
    let index = match rest.next() {
        Some(c @ 'a'..='z') => Some(u32::from(c) - u32::from('a')),
        Some(c @ 'A'..='Z') => Some(u32::from(c) - u32::from('A') + 26),
        Some('$') => Some(52),
        Some('_') => Some(53),
        _ => None,
    };
    let letter = index
        .and_then(|index| number.checked_sub(1)?.checked_mul(EACH)?.checked_add(index)?.checked_add(*LETTERS.start()))
        .filter(|code| LETTERS.contains(code))
        .and_then(char::from_u32);
    match letter {
        Some(letter) => format!("{letter}{}", rest.as_str()),
        // Other alphabets, and workers beyond the hundred: longer, so that columns behind it are off.
        None => format!("\u{a000}{number}_{name}"),
    }
}

/// A name as the program wrote it: what `alias` makes of it for any worker, undone.
pub fn spelled(name: &str) -> String {
    if let Some((number, written)) = name.strip_prefix('\u{a000}').and_then(|rest| rest.split_once('_'))
        && number.parse::<u32>().is_ok()
    {
        return written.to_owned();
    }
    let mut rest = name.chars();
    let index =
        rest.next().map(u32::from).filter(|c| LETTERS.contains(c)).map(|c| ((c - LETTERS.start()) % EACH) as u8);
    let letter = match index {
        Some(n @ 0..26) => b'a' + n,
        Some(n @ 26..52) => b'A' + n - 26,
        Some(52) => b'$',
        Some(_) => b'_',
        None => return name.to_owned(),
    };
    format!("{}{}", char::from(letter), rest.as_str())
}

/// The engine's own function in the scope of worker `number`, which gives functions their written name again.
fn naming(number: u32) -> String {
    format!("\u{a001}{number}")
}

/// Edits by their byte offset in the source.
struct Edits<'a> {
    number: u32,
    source: &'a str,
    /// Where a name stands for a property's key and its value at once (`{ a }`).
    shorthand: FxHashSet<u32>,
    made: BTreeMap<u32, (u32, String)>,
    aliases: FxHashSet<String>,
}

impl Edits<'_> {
    fn rename(&mut self, span: Span, name: &str) {
        let alias = alias(self.number, name);
        if !self.aliases.contains(&alias) {
            self.aliases.insert(alias.clone());
        }
        let text = if self.shorthand.contains(&span.start) { format!("{name}:{alias}") } else { alias };
        self.made.insert(span.start, (span.end, text));
    }

    fn apply(&self, at: u32, lead: &str) -> String {
        let mut text = String::with_capacity(self.source.len() + self.source.len() / 8);
        let mut done = 0;
        let mut put = |from: u32, to: u32, new: &str| {
            text.push_str(self.source.get(done as usize..from as usize).unwrap_or_default());
            text.push_str(new);
            done = to;
        };
        let mut lead = Some(lead);
        for (&start, (end, new)) in &self.made {
            if start >= at
                && let Some(lead) = lead.take()
            {
                put(at, at, lead);
            }
            put(start, *end, new);
        }
        if let Some(lead) = lead {
            put(at, at, lead);
        }
        put(self.source.len() as u32, self.source.len() as u32, "");
        text
    }
}

/// Is a reference looked up in the object of a `with` first?
fn in_with(scoping: &Scoping, reference: ReferenceId) -> bool {
    scoping.scope_ancestors(scoping.get_reference(reference).scope_id()).any(|s| scoping.scope_flags(s).is_with())
}

/// ECMA-262 B.3.2.2: a function in a block of the top level that also sets the script's own variable of its name.
fn hoisted(scoping: &Scoping, symbol: SymbolId) -> bool {
    let flags = scoping.symbol_flags(symbol);
    let scope = scoping.symbol_scope_id(symbol);
    if !flags.is_function()
        || flags.contains(SymbolFlags::FunctionExpression)
        || scoping.scope_flags(scope).is_strict_mode()
    {
        return false;
    }
    let root = scoping.root_scope_id();
    scope != root
        && scoping.scope_ancestors(scope).find(|s| scoping.scope_flags(*s).is_var()) == Some(root)
        && scoping.get_bindings(root).keys().any(|name| name.as_str() == scoping.symbol_name(symbol))
}

/// Would ECMA-262 8.4 name what this declaration holds by the variable?
fn named_by_variable(nodes: &AstNodes<'_>, scoping: &Scoping, symbol: SymbolId) -> bool {
    match nodes.kind(scoping.symbol_declaration(symbol)) {
        AstKind::Class(_) => true,
        AstKind::VariableDeclarator(declarator) if matches!(declarator.id, BindingPattern::BindingIdentifier(_)) => {
            match declarator.init.as_ref().map(Expression::without_parentheses) {
                Some(Expression::FunctionExpression(function)) => function.id.is_none(),
                Some(Expression::ClassExpression(class)) => class.id.is_none(),
                Some(Expression::ArrowFunctionExpression(_)) => true,
                _ => false,
            }
        }
        _ => false,
    }
}

/// Renames the globals of `source` for worker `number`, except for those that `shared` holds; `dynamic` is set if an earlier
/// script of the worker was so.
pub fn rename(source: &str, number: u32, shared: &FxHashSet<&str>, dynamic: bool) -> Renamed {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, source, SourceType::script()).parse();
    if parsed.panicked || parsed.diagnostics.has_errors() {
        let message = parsed.diagnostics.first().map_or_else(|| "it cannot be read".to_owned(), ToString::to_string);
        return Renamed { error: Some(message), ..Default::default() };
    }
    let semantic = SemanticBuilder::new().with_build_nodes(true).build(&parsed.program).semantic;
    let (scoping, nodes) = (semantic.scoping(), semantic.nodes());
    let root = scoping.root_scope_id();
    let mut edits =
        Edits { number, source, shorthand: FxHashSet::default(), made: BTreeMap::new(), aliases: FxHashSet::default() };
    // `self.fetch = …`: from then on the name means something else.
    let mut set_on_self = FxHashSet::default();
    for node in nodes.iter() {
        match node.kind() {
            AstKind::AssignmentExpression(assignment) => {
                if let AssignmentTarget::StaticMemberExpression(member) = &assignment.left
                    && let Expression::Identifier(object) = &member.object
                    && matches!(object.name.as_str(), "self" | "globalThis")
                {
                    set_on_self.insert(member.property.name.as_str());
                }
            }
            AstKind::ObjectProperty(property) if property.shorthand => {
                edits.shorthand.insert(property.span.start);
            }
            AstKind::BindingProperty(property) if property.shorthand => {
                edits.shorthand.insert(property.span.start);
            }
            AstKind::AssignmentTargetPropertyIdentifier(property) => {
                edits.shorthand.insert(property.span.start);
            }
            _ => {}
        }
    }
    let mut renamed = Renamed { dynamic, ..Default::default() };
    let mut named = Vec::new();
    for symbol in scoping.symbol_ids() {
        let top = scoping.symbol_scope_id(symbol) == root;
        if !top && !hoisted(scoping, symbol) {
            continue;
        }
        let (name, flags) = (scoping.symbol_name(symbol), scoping.symbol_flags(symbol));
        edits.rename(scoping.symbol_span(symbol), name);
        for again in scoping.symbol_redeclarations(symbol) {
            edits.rename(again.span, name);
        }
        for &reference in scoping.get_resolved_reference_ids(symbol) {
            if !in_with(scoping, reference) {
                edits.rename(nodes.kind(scoping.get_reference(reference).node_id()).span(), name);
            }
        }
        if !top {
            continue;
        }
        if flags.intersects(SymbolFlags::BlockScopedVariable | SymbolFlags::Class) {
            renamed.lexical.push(name.to_owned());
        } else {
            renamed.values.push(name.to_owned());
            if flags.is_function() {
                renamed.functions.push(name.to_owned());
            }
        }
        if named_by_variable(nodes, scoping, symbol) {
            named.push(name.to_owned());
        }
    }
    let mut free: Vec<(&str, &[ReferenceId])> =
        scoping.root_unresolved_references().iter().map(|(name, ids)| (name.as_str(), ids.as_slice())).collect();
    free.sort_unstable();
    for (name, references) in free {
        // A function's own, and what nobody can write.
        if matches!(name, "arguments" | "undefined" | "NaN" | "Infinity") {
            continue;
        }
        renamed.dynamic |= matches!(name, "eval" | "Function");
        let written = set_on_self.contains(name) && shared.contains(name)
            || references.iter().any(|id| scoping.get_reference(*id).is_write());
        if written {
            renamed.writes.push(name.to_owned());
        } else if shared.contains(name) {
            continue;
        }
        for &reference in references.iter().filter(|id| !in_with(scoping, **id)) {
            edits.rename(nodes.kind(scoping.get_reference(reference).node_id()).span(), name);
        }
    }
    // `this` of the script itself is the worker's scope, not the page's.
    for node in nodes.iter() {
        let AstKind::ThisExpression(this) = node.kind() else { continue };
        if !nodes.ancestor_kinds(node.id()).any(|kind| matches!(kind, AstKind::Function(_) | AstKind::Class(_))) {
            // No program can have this name.
            edits.rename(this.span, "this");
        }
    }
    let program = &parsed.program;
    let at = match (program.directives.last(), &program.hashbang) {
        (Some(directive), _) => directive.span.end,
        (None, Some(hashbang)) => program.body.first().map_or(hashbang.span.end, |first| first.span().start),
        (None, None) => 0,
    };
    let mut lead = String::new();
    if renamed.dynamic || !renamed.functions.is_empty() {
        let getters = if renamed.dynamic { renamed.lexical.as_slice() } else { &[] };
        let getters: Vec<String> =
            getters.iter().map(|name| format!("\"{name}\":()=>{}", alias(number, name))).collect();
        let semicolon = if program.directives.is_empty() { "" } else { ";" };
        lead = format!("{semicolon}{}({{{}}});", naming(number), getters.join(","));
    }
    if !source.get(..at as usize).unwrap_or_default().contains(['\n', '\r', '\u{2028}', '\u{2029}']) {
        renamed.lead = lead.encode_utf16().count() as u32;
    }
    renamed.text = edits.apply(at, &lead);
    renamed.aliases = edits.aliases;
    if !named.is_empty() {
        let values: Vec<String> = named.iter().map(|name| alias(number, name)).collect();
        renamed.text.push_str(&format!("\n;{}([{}],\"{}\");", naming(number), values.join(","), named.join(",")));
    }
    renamed
}

/// Where `source` declares `name` at its top level, as `(line, column)` from 1, in UTF-16 units.
pub fn declaration(source: &str, name: &str) -> Option<(u32, u32)> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, source, SourceType::script()).parse();
    let semantic = SemanticBuilder::new().with_build_nodes(true).build(&parsed.program).semantic;
    let scoping = semantic.scoping();
    let symbol = scoping
        .symbol_ids()
        .find(|id| scoping.symbol_scope_id(*id) == scoping.root_scope_id() && scoping.symbol_name(*id) == name)?;
    let before = source.get(..scoping.symbol_span(symbol).start as usize)?;
    let line = before.matches('\n').count() as u32 + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().encode_utf16().count() as u32 + 1;
    Some((line, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> String {
        let shared = ["Math", "eval", "fetch", "undefined"].into_iter().collect();
        let renamed = rename(source, 1, &shared, false);
        assert_eq!(renamed.error, None, "{source}");
        // The worker's letters stand for ASCII ones; `@` in front makes them visible.
        let mut shown = String::new();
        for c in renamed.text.chars() {
            match u32::from(c).checked_sub(*LETTERS.start()).filter(|n| *n < EACH) {
                Some(n) => {
                    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').chain(['$', '_']).collect();
                    shown.push('@');
                    shown.push(letters[n as usize]);
                }
                None => shown.push(c),
            }
        }
        shown
    }

    /// What is global by ECMA-262: bindings of the script, references that nothing declares; not those of inner scopes, nor property names.
    #[test]
    fn only_globals_are_renamed() {
        for (source, want) in [
            ("var a=1,b;a=b+Math.PI", "var @a=1,@b;@a=@b+Math.PI"),
            ("{let a=1;var b=a}b", "{let a=1;var @b=a}@b"),
            ("let o={a,b:a};o.a", "let @o={a:@a,b:@a};@o.a"),
            ("var {a,b=2,c:d}=o", "var {a:@a,b:@b=2,c:@d}=@o"),
            ("({a,b=2}=o)", "({a:@a,b:@b=2}=@o)"),
            ("typeof document;x=1", "typeof @document;@x=1"),
            ("fetch();(a=>a+arguments)(undefined)", "fetch();(a=>a+arguments)(undefined)"),
            ("fetch=1", "@fetch=1"),
            ("self.fetch=1;fetch", "@self.fetch=1;@fetch"),
            ("this.a;(()=>this)", "@this.a;(()=>@this)"),
            ("if(1){function f(){}}f()", "\u{a001}1({});if(1){function @f(){}}@f()"),
            ("with(a){b}", "with(@a){b}"),
            ("try{}catch(e){e}e", "try{}catch(e){e}@e"),
            ("for(let i of l)i;l:for(;;)break l", "for(let i of @l)i;l:for(;;)break l"),
            ("'use strict'\nfunction f(){this}", "'use strict';\u{a001}1({});\nfunction @f(){this}"),
            ("const f=()=>1", "const @f=()=>1\n;\u{a001}1([@f],\"f\");"),
            ("const f=1;eval('f')", "\u{a001}1({\"f\":()=>@f});const @f=1;eval('f')"),
        ] {
            assert_eq!(text(source), want, "{source}");
        }
    }

    #[test]
    fn places_stay() {
        let source = "/* é😀 */ function noise(x) { return fade(x) } class K {}\nnoise(1)";
        let renamed = rename(source, 3, &FxHashSet::default(), false);
        let units = |text: &str| text.encode_utf16().count();
        let first = renamed.text.lines().next().unwrap_or_default();
        assert_eq!(units(first) - renamed.lead as usize, units(source.lines().next().unwrap_or_default()));
        assert_eq!((renamed.values, renamed.lexical), (vec!["noise".to_owned()], vec!["K".to_owned()]));
        for name in ["a", "zebra", "Ab", "Z9", "$", "_x", "é", "变量", "\u{3400}"] {
            assert!(name == "\u{3400}" || spelled(name) == name);
            for number in [1, 2, 121, 122, 5000] {
                let renamed = alias(number, name);
                assert_eq!(spelled(&renamed), name, "{renamed}");
                assert!(number > 121 || !name.is_ascii() || units(&renamed) == units(name), "{renamed}");
            }
        }
        let mut spellings = Spellings::default();
        spellings.extend(renamed.aliases);
        let (noise, own) = (alias(3, "noise"), alias(3, "noises"));
        // A program's own text in these letters is no name of a worker's.
        let text = spellings.undo(&format!("{noise} is not a function, 㐀㐁 {own}: ({noise}.x)"));
        assert_eq!(text, format!("noise is not a function, 㐀㐁 {own}: (noise.x)"));
        assert_eq!(declaration("var a;\n let é, L = 1;", "L"), Some((2, 9)));
    }
}
