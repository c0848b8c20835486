//! CommonJS and UMD files of packages as modules, as package CDNs and bundlers serve them: `module.exports` is the
//! default export, what is assigned to `exports.name` is there by name too, `require('x')` runs `x` when it is called.
//!
//! A file becomes two modules: a body, which runs when it is first required, and a facade for modules that import it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use oxc_allocator::Allocator;
use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_parser::Parser;
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;
use url::Url;

/// Is the package file `name` written in CommonJS or UMD?
pub fn is(name: &str, text: &str) -> bool {
    let package = name.starts_with("node_modules/") || name.contains("/node_modules/");
    let exports = || ["module.exports", "exports.", "typeof exports"].iter().any(|mark| text.contains(mark));
    name.ends_with(".cjs") || (package && exports() && !is_module(text))
}

/// Does `text` hold an `import` or `export` statement, as far as its lines and semicolons tell?
fn is_module(text: &str) -> bool {
    let starts = |line: &str| {
        let rest = line.strip_prefix("export").or_else(|| line.strip_prefix("import"));
        rest.is_some_and(|rest| rest.starts_with([' ', '{', '*', '"', '\'']))
    };
    text.lines().any(|line| starts(line.trim_start()))
        || [";export", "}export", ";import", "*/import"]
            .iter()
            .any(|joint| text.match_indices(joint).any(|(at, _)| text.get(at + joint.len() - 6..).is_some_and(starts)))
}

/// What a literal `require` means.
pub struct Dependency {
    pub specifier: String,
    /// Address of the module to import, `None` if there is no such file: `require` then throws when it is called.
    pub url: Option<Url>,
    pub kind: DependencyKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DependencyKind {
    /// [`as_body`] of another file.
    CommonJs,
    Module,
    /// JSON or an asset: a module whose default export is the value.
    Value,
}

/// The address of the part of a CommonJS file that runs when first required; its own address is [`as_facade`]'s.
pub fn body_url(url: &Url) -> Url {
    let mut body = url.clone();
    body.set_query(Some(BODY));
    body
}

/// Is `url` one of [`body_url`]?
pub fn is_body(url: &Url) -> bool {
    url.query() == Some(BODY)
}

const BODY: &str = "commonjs";

/// The address of a UMD file that is imported for the global it makes: it runs as the module script that browsers run it as,
/// without `module`, `exports` and `define`.
pub fn script_url(url: &Url) -> Url {
    let mut script = url.clone();
    script.set_query(Some(SCRIPT));
    script
}

/// Is `url` one of [`script_url`]?
pub fn is_script(url: &Url) -> bool {
    url.query() == Some(SCRIPT)
}

const SCRIPT: &str = "script";

/// Does a file in CommonJS ask first whether it is in CommonJS, so that it makes a global where it is not?
pub fn is_umd(text: &str) -> bool {
    let mut asked =
        text.match_indices("typeof").filter_map(|(at, word)| text.get(at + word.len()..)).map(str::trim_start);
    asked.any(|rest| ["exports", "module", "define"].iter().any(|name| rest.starts_with(name)))
}

/// Does the module `text` import `specifier`, and everywhere nothing from it: `import 'x'`, `await import('x')` as a statement?
pub fn imported_for_effect(text: &str, specifier: &str) -> bool {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, text, SourceType::mjs()).parse();
    let semantic = SemanticBuilder::new().with_build_nodes(true).build(&parsed.program).semantic;
    let nodes = semantic.nodes();
    let mut any = false;
    for node in nodes.iter() {
        let effect = match node.kind() {
            AstKind::ImportDeclaration(import) if import.source.value == specifier => {
                import.specifiers.as_ref().is_none_or(|names| names.is_empty())
            }
            AstKind::ExportFromDeclaration(export) if export.source.value == specifier => false,
            AstKind::ExportAllDeclaration(export) if export.source.value == specifier => false,
            AstKind::ImportExpression(import) => match &import.source {
                Expression::StringLiteral(source) if source.value == specifier => {
                    let mut parent = nodes.parent_kind(node.id());
                    if matches!(parent, AstKind::AwaitExpression(_)) {
                        parent = nodes.parent_kind(nodes.parent_id(node.id()));
                    }
                    matches!(parent, AstKind::ExpressionStatement(_))
                }
                _ => continue,
            },
            _ => continue,
        };
        if !effect {
            return false;
        }
        any = true;
    }
    any
}

/// What a module that imports the file at `url` gets: it runs, and `names` of its exports are there by name.
pub fn as_facade(url: &Url, names: &BTreeSet<String>) -> String {
    let body = serde_json::to_string(body_url(url).as_str()).unwrap_or_default();
    let mut out = format!(
        "import {{__run}} from {body};const __x=__run();export default __x?.__esModule&&'default' in __x?__x.default:__x;"
    );
    for (index, name) in names.iter().enumerate() {
        let _ = write!(out, "const __e{index}=__x?.{name};export{{__e{index} as {name}}};");
    }
    out
}

/// The file as a module that runs it once, when it is first required, as Node.js does: a branch not taken requires
/// nothing, and files that require each other see what is there so far. Its lines keep their numbers.
pub fn as_body(text: &str, dependencies: &[Dependency]) -> String {
    let mut out = String::new();
    let mut table = String::new();
    for (index, dependency) in dependencies.iter().enumerate() {
        let Some(url) = &dependency.url else { continue };
        let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
        let _ = write!(out, "import * as __r{index} from {};", quoted(url.as_str()));
        let value = match dependency.kind {
            DependencyKind::CommonJs => format!("__r{index}.__run()"),
            DependencyKind::Module => format!("__namespace(__r{index})"),
            DependencyKind::Value => format!("__r{index}.default"),
        };
        let _ = write!(table, "case {}:return {value};", quoted(&dependency.specifier));
    }
    out += "const __m={exports:{}};let __ran=false;export function __run(){if(!__ran){__ran=true;try{__body()}catch(e){__ran=false;throw e}}return __m.exports}function __body(){(function(module,exports,require,process,global,define){";
    out += text.strip_prefix("#!").map_or(text, |_| text.split_once('\n').map_or("", |(_, rest)| rest));
    let _ = write!(
        out,
        "\n}}).call(__m.exports,__m,__m.exports,__require,{PROCESS},globalThis)}}\
         function __require(n){{switch(n){{{table}}}const e=new Error(`Cannot find module '${{n}}'`);e.code='MODULE_NOT_FOUND';throw e}}\
         function __namespace(m){{if(!('default' in m)||'__esModule' in m)return m;const o={{__proto__:null,__esModule:true}};\
         for(const k of Object.keys(m))Object.defineProperty(o,k,{{get:()=>m[k],enumerable:true}});return o}}"
    );
    out
}

/// What bundlers and package CDNs put in the place of Node.js' `process`.
const PROCESS: &str = "{env:{NODE_ENV:'production'},platform:'browser',browser:true}";

/// A module of a package that asks `process.env` for the build's kind gets an answer, as from bundlers and package CDNs.
pub fn with_process(name: &str, text: String) -> String {
    let package = name.starts_with("node_modules/") || name.contains("/node_modules/");
    let own = ["import process", "const process", "let process", "class process", "function process"];
    if !package || !text.contains("process.env") || own.iter().any(|mark| text.contains(mark)) {
        return text;
    }
    format!("var process={PROCESS};{text}")
}

/// Names of a file's exports, as far as its text tells, with those of files it hands on (`module.exports = require(…)`,
/// `__exportStar(require(…))`): what Node.js' cjs-module-lexer finds. `load` gives the text behind a specifier that is
/// CommonJS, and the address its own specifiers are relative to.
pub fn exported(text: &str, at: &Url, load: Load<'_>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut seen = BTreeSet::from([at.clone()]);
    let mut files = vec![(text.to_owned(), at.clone())];
    while let Some((text, at)) = files.pop() {
        names.extend(named(&text).into_iter().map(str::to_owned));
        for specifier in handed_on(&text) {
            if let Some((text, url)) = load(specifier, &at)
                && seen.len() < MOST_FILES
                && seen.insert(url.clone())
            {
                files.push((text, url));
            }
        }
    }
    names.retain(|name| !RESERVED.contains(&name.as_str()));
    names
}

/// `(specifier, address it is relative to)` → text and address.
pub type Load<'a> = &'a dyn Fn(&str, &Url) -> Option<(String, Url)>;

/// Files one package may hand on.
const MOST_FILES: usize = 200;

/// Words that cannot stand after a dot's place in `export { … as … }`'s declaration here, or mean the module itself.
const RESERVED: [&str; 2] = ["default", "__esModule"];

/// Specifiers whose exports become this file's.
fn handed_on(text: &str) -> Vec<&str> {
    let marks = ["module.exports=require(", "__exportStar(require(", "__reExport(", "_export_star(require("];
    let mut out = Vec::new();
    for (at, word) in text.match_indices("require(") {
        let Some(specifier) = literal(text.get(at + word.len()..).unwrap_or("")) else { continue };
        let mut from = at.saturating_sub(60);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let before: String = text.get(from..at).unwrap_or("").chars().filter(|c| !c.is_whitespace()).collect();
        if marks.iter().any(|mark| {
            let head = mark.strip_suffix("require(").unwrap_or(mark);
            before.ends_with(head) || (*mark == "__reExport(" && before.contains(mark))
        }) {
            out.push(specifier);
        }
    }
    out
}

/// The string literal that `text` begins with.
fn literal(text: &str) -> Option<&str> {
    let rest = text.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let (name, _) = rest.get(1..)?.split_once(quote)?;
    (!name.is_empty() && name.len() < 200 && !name.contains(['\n', '\\'])).then_some(name)
}

/// Names that `require` is called with as literals, in order.
pub fn required(text: &str) -> BTreeSet<String> {
    text.match_indices("require(")
        .filter_map(|(at, word)| literal(text.get(at + word.len()..)?).map(str::to_owned))
        .collect()
}

/// Names assigned to `exports`, defined on it, or listed in an object that becomes `module.exports`.
fn named(text: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for (at, word) in text.match_indices("exports") {
        let rest = text.get(at + word.len()..).unwrap_or("");
        if let Some(rest) = rest.strip_prefix('.') {
            let (name, after) = word_of(rest);
            let assigned = after.trim_start().strip_prefix('=').is_some_and(|more| !more.starts_with('='));
            names.extend(Some(name).filter(|_| assigned));
        } else if let Some(rest) = rest.strip_prefix('[') {
            let after = |name: &str| rest.trim_start().get(name.len() + 2..).map(str::trim_start).unwrap_or("");
            names.extend(
                literal(rest)
                    .filter(|name| after(name).strip_prefix(']').is_some_and(|r| r.trim_start().starts_with('='))),
            );
        } else if let Some(rest) = rest.trim_start().strip_prefix(',') {
            // `Object.defineProperty(exports, "name", …)`, `__export(exports, { name: () => … })`
            names.extend(literal(rest));
            names.extend(keys(rest.trim_start()));
        } else if let Some(rest) = rest.trim_start().strip_prefix('=') {
            names.extend(keys(rest.trim_start()));
        }
    }
    for (at, word) in text.match_indices("__export(") {
        let rest = text.get(at + word.len()..).unwrap_or("");
        names.extend(rest.split_once(',').map(|(_, rest)| keys(rest.trim_start())).unwrap_or_default());
    }
    names.retain(|name| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$'))
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))
    });
    names
}

/// An identifier and what follows it.
fn word_of(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or(("", text))
}

/// Keys of the object literal that `text` begins with, up to the first that is not plain.
fn keys(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let Some(mut rest) = text.strip_prefix('{') else { return out };
    loop {
        rest = rest.trim_start();
        let (name, after) = match literal(rest) {
            Some(name) => (name, rest.get(name.len() + 2..).unwrap_or("")),
            None => word_of(rest),
        };
        let after = after.trim_start();
        if name.is_empty() {
            return out;
        }
        if let Some(next) = after.strip_prefix(',') {
            out.push(name);
            rest = next;
        } else if after.starts_with('}') {
            out.push(name);
            return out;
        } else if let Some(value) = after.strip_prefix(':') {
            out.push(name);
            let Some(next) = past_value(value) else { return out };
            rest = next;
        } else {
            return out;
        }
    }
}

/// What stands behind the comma after a value; `None` at the object's end or where the value is too long to tell.
fn past_value(text: &str) -> Option<&str> {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices().take(2000) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => return text.get(at + 1..),
            // A string, template, pattern or comment could hold anything.
            '"' | '\'' | '`' | '/' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_commonjs_from_modules() {
        let umd = "(function(f,e){'object'===typeof exports&&'undefined'!==typeof module?module.exports=e():f.Stats=e()})(this,function(){});";
        assert!(is("node_modules/stats.js/build/stats.min.js", umd));
        assert!(!is("src/old.js", umd), "the page's own files are as they are");
        assert!(!is("node_modules/a/a.js", "const exports = {}; exports.a = 1;export{exports as default};"));
        assert!(!is("node_modules/a/a.js", "// module.exports = 1\n  export default 2;"));
        assert!(is("node_modules/a/a.js", "/* we export things */ module.exports = 1;"));
    }

    #[test]
    fn tells_imports_for_effect() {
        let umd =
            "(function(e,t){\"object\"==typeof exports&&'undefined'!=typeof module?t(exports):t(e.T={})})(this,f)";
        assert!(is_umd(umd) && is_umd("typeof define === 'function' && define.amd") && !is_umd("module.exports = 1"));
        for (text, effect) in [
            ("import './x.js';", true),
            ("import './x.js'; import * as y from './y.js';", true),
            ("import {} from './x.js'", true),
            ("await import('./x.js');\nrun();", true),
            ("const x = await import('./x.js');", false),
            ("import('./x.js').then((x) => x.run())", false),
            ("import './x.js'; import { a } from './x.js';", false),
            ("export * from './x.js'", false),
            ("// import './x.js'", false),
        ] {
            assert_eq!(imported_for_effect(text, "./x.js"), effect, "{text}");
        }
    }

    #[test]
    fn finds_what_is_required_and_exported() {
        let text =
            "const T = require('three'), p = require( \"./p\" ); exports.a = 1; if (exports.b == 2) exports.c=3;";
        assert_eq!(required(text).into_iter().collect::<Vec<_>>(), ["./p", "three"]);
        assert_eq!(named(text).into_iter().collect::<Vec<_>>(), ["a", "c"]);
    }

    /// The forms in cjs-module-lexer's README that name exports.
    #[test]
    fn finds_exports_in_every_form_that_compilers_write() {
        for (text, names) in [
            ("module.exports = { a, b: c, 'd': e }", "a b d"),
            ("module.exports = { a, ...d, b }", "a"),
            ("module.exports = { a: f(1, [2, 3]), b: { c: 1 }, }", "a b"),
            ("exports['x'] = 1; exports[\"not-a-name\"] = 2; exports[y] = 3", "x"),
            ("Object.defineProperty(exports, 'y', { enumerable: true, get() { return 1 } })", "y"),
            ("0 && (module.exports = { p, q })", "p q"),
            ("__export(index_exports, { z: () => z, w: () => w })", "w z"),
            ("if (module.exports === undefined || exports.a == 1) {}", ""),
        ] {
            assert_eq!(named(text).into_iter().collect::<Vec<_>>().join(" "), names, "{text}");
        }
    }

    #[test]
    fn follows_files_that_are_handed_on_and_circles() {
        let files = [
            ("./dev.js", "exports.useState = 1; module.exports = require('./index.js')"),
            ("./min.js", "exports.useState = exports.memo = 1;"),
            ("./more.js", "exports.more = 1"),
        ];
        let url = Url::parse("http://localhost/node_modules/r/index.js").unwrap();
        let load = |name: &str, at: &Url| {
            let text = files.iter().find(|(n, _)| *n == name)?.1;
            Some((text.to_owned(), at.join(name).ok()?))
        };
        let text = "if (process.env.NODE_ENV === 'production') { module.exports = require('./min.js'); } else {\n \
                    module.exports =\n require(\"./dev.js\"); }\n__exportStar(require('./more.js'), exports); const x = require('./gone')";
        let names = exported(text, &url, &load);
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["memo", "more", "useState"]);
    }
}
