//! Which `throw` of the program threw what is no error. V8 tells no place of it where a module's own body or a promise's
//! callback throws, so the source is asked: which statements could have thrown this value?

use oxc_allocator::Allocator;
use oxc_ast::AstKind;
use oxc_ast::ast::{BinaryOperator, BindingPattern, Expression, ObjectPropertyKind};
use oxc_parser::Parser;
use oxc_semantic::{AstNodes, NodeId, SemanticBuilder};
use oxc_span::SourceType;
use serde_json::Value;

/// A statement that may have thrown the value: line and column from 1, in UTF-16 units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub line: i64,
    pub column: i64,
    /// Does it spell the value, or a part of it, rather than leave open what it throws?
    pub spelled: bool,
}

/// What the report says of a plain object (`01_errors.js`).
const OBJECT: &str = " was thrown, which is no Error";

/// The statements of the file `text`, a script or a page, that may have thrown what `value` describes.
pub fn candidates(text: &str, page: bool, value: &str) -> Vec<Candidate> {
    let scripts = if page { scripts_of(text) } else { vec![text.to_owned()] };
    scripts.iter().flat_map(|script| of_script(script, value)).collect()
}

/// The text of each inline script, where it stands in the page: what is around it is blank.
fn scripts_of(page: &str) -> Vec<String> {
    let lower = page.to_ascii_lowercase();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(open) = lower.get(at..).and_then(|rest| rest.find("<script")).map(|found| at + found) {
        let Some(begin) = lower.get(open..).and_then(|rest| rest.find('>')).map(|found| open + found + 1) else {
            break;
        };
        let end = lower.get(begin..).and_then(|rest| rest.find("</script")).map_or(page.len(), |found| begin + found);
        let blank =
            |text: &str| text.chars().map(|c| if c == '\n' { "\n" } else { [" ", "  "][c.len_utf16() - 1] }).collect();
        let before: String = page.get(..begin).map(blank).unwrap_or_default();
        out.push(before + page.get(begin..end).unwrap_or(""));
        at = end;
    }
    out
}

fn of_script(text: &str, value: &str) -> Vec<Candidate> {
    let allocator = Allocator::default();
    let module = Parser::new(&allocator, text, SourceType::mjs()).parse();
    let parsed = if module.panicked || module.diagnostics.has_errors() {
        Parser::new(&allocator, text, SourceType::script()).parse()
    } else {
        module
    };
    if parsed.panicked {
        return Vec::new();
    }
    let semantic = SemanticBuilder::new().with_build_nodes(true).build(&parsed.program).semantic;
    let nodes = semantic.nodes();
    let mut out = Vec::new();
    for node in nodes.iter() {
        let AstKind::ThrowStatement(throw) = node.kind() else { continue };
        if let Expression::Identifier(name) = &throw.argument
            && is_caught(nodes, node.id(), &name.name)
        {
            continue;
        }
        let Some(spelled) = fits(&throw.argument, value) else { continue };
        let before = text.get(..throw.span.start as usize).unwrap_or("");
        let column = before.rsplit('\n').next().unwrap_or("").encode_utf16().count();
        let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        out.push(Candidate { line: number(before.matches('\n').count()) + 1, column: number(column) + 1, spelled });
    }
    out
}

/// Is `name` what a `catch` around caught? Then somebody else threw it.
fn is_caught(nodes: &AstNodes<'_>, id: NodeId, name: &str) -> bool {
    nodes.ancestor_kinds(id).any(|kind| {
        let AstKind::CatchClause(clause) = kind else { return false };
        clause.param.as_ref().is_some_and(
            |param| matches!(&param.pattern, BindingPattern::BindingIdentifier(bound) if bound.name == name),
        )
    })
}

/// Can `thrown` be `value`? `Some(true)` if it spells it, or a part of it.
fn fits(thrown: &Expression<'_>, value: &str) -> Option<bool> {
    match thrown.without_parentheses() {
        Expression::StringLiteral(text) => (text.value == value).then_some(true),
        Expression::NumericLiteral(number) => (value.parse() == Ok(number.value)).then_some(true),
        Expression::BooleanLiteral(boolean) => (boolean.value.to_string() == value).then_some(true),
        Expression::NullLiteral(_) => (value == "null").then_some(true),
        Expression::Identifier(name) if name.name == "undefined" => (value == "undefined").then_some(true),
        Expression::ObjectExpression(object) => {
            let names: Option<Vec<_>> = object
                .properties
                .iter()
                .map(|one| match one {
                    ObjectPropertyKind::ObjectProperty(one) => one.key.static_name(),
                    ObjectPropertyKind::SpreadProperty(_) => None,
                })
                .collect();
            let told = value.strip_suffix(OBJECT)?;
            // A long one is cut off.
            let (Some(names), Ok(Value::Object(told))) = (names, serde_json::from_str(told)) else {
                return Some(false);
            };
            // What JSON does not tell (functions, undefined) may be there too.
            told.keys().all(|key| names.iter().any(|name| name == key)).then_some(true)
        }
        Expression::NewExpression(new) => match &new.callee {
            Expression::Identifier(class) if class.name.ends_with("Error") || class.name == "DOMException" => None,
            _ => Some(false),
        },
        Expression::CallExpression(call) => match &call.callee {
            Expression::Identifier(class) if class.name.ends_with("Error") => None,
            _ => Some(false),
        },
        expression @ (Expression::BinaryExpression(_) | Expression::TemplateLiteral(_)) => {
            let mut pieces = Vec::new();
            spell(expression, &mut pieces);
            let texts: Vec<&str> =
                pieces.iter().flatten().map(String::as_str).filter(|text| !text.is_empty()).collect();
            let mut rest = value;
            for text in &texts {
                rest = rest.get(rest.find(text)? + text.len()..).unwrap_or("");
            }
            let open = pieces.iter().any(Option::is_none);
            // Without anything unknown it is just that.
            if open || texts.concat() == value { Some(!texts.is_empty()) } else { None }
        }
        _ => Some(false),
    }
}

/// Texts that an expression writes out, and whether something else stands before, between or behind them: `'a' + b` is "a" and something.
fn spell(expression: &Expression<'_>, pieces: &mut Vec<Option<String>>) {
    match expression.without_parentheses() {
        Expression::StringLiteral(text) => pieces.push(Some(text.value.to_string())),
        Expression::TemplateLiteral(template) => {
            for (at, quasi) in template.quasis.iter().enumerate() {
                pieces.push(quasi.value.cooked.as_ref().map(ToString::to_string));
                if let Some(expression) = template.expressions.get(at) {
                    spell(expression, pieces);
                }
            }
        }
        Expression::BinaryExpression(sum) if sum.operator == BinaryOperator::Addition => {
            spell(&sum.left, pieces);
            spell(&sum.right, pieces);
        }
        _ => pieces.push(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Those that spell the value, else those that leave it open.
    fn places(text: &str, value: &str) -> Vec<(i64, i64)> {
        let all = candidates(text, false, value);
        let spelled = all.iter().any(|one| one.spelled);
        all.iter().filter(|one| one.spelled == spelled).map(|one| (one.line, one.column)).collect()
    }

    #[test]
    fn literals_are_found_where_they_are_thrown() {
        let text = "if (a) throw 'no level';\n  rethrow('no level'); throw(\"no level\"); throw `no level 2`; throw new Error('no level'); // throw 'no level'";
        assert_eq!(places(text, "no level"), [(1, 8), (2, 24)]);
        assert_eq!(places("throw 7; throw 70; throw 7.5; x.throw(7)", "7"), [(1, 1)]);
        assert_eq!(places("'é😀'; throw null; throw undefined; throw true", "undefined"), [(1, 20)]);
    }

    #[test]
    fn texts_that_are_put_together_are_found() {
        assert_eq!(places("throw 'no level named ' + 'forest';", "no level named forest"), [(1, 1)]);
        assert_eq!(places("throw 'no level named ' + 'forest';", "no level named forests"), []);
        let text = "f.then(r => { throw 'status ' + r.status; });\nthrow `${a} of ${b} lost`; throw x; throw new Error('status 200')";
        assert_eq!(places(text, "status 200"), [(1, 15)]);
        assert_eq!(places(text, "3 of 4 lost"), [(2, 1)]);
        assert_eq!(places(text, "else"), [(2, 28)], "only `x` can be that");
    }

    #[test]
    fn objects_are_known_by_their_names() {
        let text = "throw { code: 1, name: 'x' }; throw { kind: 2 }; throw { ...a }; throw { code: b, later() {} }";
        assert_eq!(places(text, "{\"code\":5} was thrown, which is no Error"), [(1, 1), (1, 66)]);
        assert_eq!(places(text, "{\"status\":5} was thrown, which is no Error"), [(1, 50)]);
    }

    #[test]
    fn what_is_thrown_again_was_thrown_elsewhere() {
        let text =
            "try { await f() } catch (e) { if (e) throw e; throw other(e) } async function f() { throw reason() }";
        assert_eq!(places(text, "lost"), [(1, 47), (1, 85)]);
    }

    #[test]
    fn scripts_of_a_page_keep_their_places() {
        let page = "<p>😀 throw 'a'</p><script>throw 'b'</script>\n<SCRIPT type=module>\n await 0; throw 'a'</script>";
        let found = candidates(page, true, "a");
        assert_eq!(found, [Candidate { line: 3, column: 11, spelled: true }]);
        assert_eq!(candidates(page, true, "b").first().map(|one| (one.line, one.column)), Some((1, 28)));
    }
}
