//! Which line of the program's own code something comes from: V8's stacks without the engine's frames, the libraries'
//! frames last. Also where a value was thrown that is no `Error` and so does not know itself.

use deno_core::error::JsStackFrame;
use deno_core::v8;

use super::modules;

/// Address, line and column from 1.
pub type Spot = (String, i64, i64);

/// Frames of V8's own stack that are looked through for one of the program.
const DEPTH: usize = 64;

/// What was thrown last without a place of its own, and where; lives in `OpState`.
#[derive(Default)]
pub struct Thrown(Option<(v8::Global<v8::Value>, Vec<JsStackFrame>)>);

impl Thrown {
    pub fn put(&mut self, value: v8::Global<v8::Value>, frames: Vec<JsStackFrame>) {
        self.0 = Some((value, frames));
    }

    /// Where `value` was thrown, if it was the last.
    pub fn of(&self, scope: &mut v8::PinScope<'_, '_>, value: v8::Local<'_, v8::Value>) -> Vec<JsStackFrame> {
        let Some((last, frames)) = &self.0 else { return Vec::new() };
        if v8::Local::new(scope, last).same_value(value) { frames.clone() } else { Vec::new() }
    }
}

/// Is it the engine's own code?
pub fn is_ours(name: &str) -> bool {
    name.starts_with("ext:") || name.is_empty()
}

/// Is it a file of a package, or a copy of three.js, rather than the program's own?
pub fn is_library(url: &str) -> bool {
    let path = modules::plain(url).split(['?', '#']).next().unwrap_or("");
    let file = path.rsplit('/').next().unwrap_or("");
    path.contains("/node_modules/") || (file.starts_with("three.") && file.ends_with("js"))
}

/// Where in the program's own code the running script is; in a library's where there is none of the program's.
pub fn here(scope: &mut v8::PinScope<'_, '_>) -> Option<Spot> {
    v8::scope!(let scope, scope);
    let trace = v8::StackTrace::current_stack_trace(scope, DEPTH)?;
    spot(&frames(scope, trace))
}

/// The whole stack of the running script.
pub fn stack(scope: &mut v8::PinScope<'_, '_>) -> Vec<JsStackFrame> {
    v8::scope!(let scope, scope);
    v8::StackTrace::current_stack_trace(scope, DEPTH).map_or_else(Vec::new, |trace| frames(scope, trace))
}

/// Where the exception of `message` was thrown.
pub fn thrown(scope: &mut v8::PinScope<'_, '_>, message: v8::Local<'_, v8::Message>) -> Vec<JsStackFrame> {
    v8::scope!(let scope, scope);
    let listed = message.get_stack_trace(scope).map_or_else(Vec::new, |trace| frames(scope, trace));
    if !listed.is_empty() {
        return listed;
    }
    let name = message.get_script_resource_name(scope).map(|name| name.to_rust_string_lossy(scope));
    let line = message.get_line_number(scope).and_then(|line| i64::try_from(line).ok());
    let column = i64::try_from(message.get_start_column()).ok().map(|column| column + 1);
    let name = name.filter(|name| !is_ours(name));
    name.map_or_else(Vec::new, |name| vec![JsStackFrame::from_location(Some(name), line, column)])
}

/// The first frame of the program's own, else of a library.
pub fn spot(frames: &[JsStackFrame]) -> Option<Spot> {
    let places = || frames.iter().filter_map(place);
    places().find(|(name, ..)| !is_library(name)).or_else(|| places().next())
}

/// The place of a frame that is not the engine's.
pub fn place(frame: &JsStackFrame) -> Option<Spot> {
    let name = frame.file_name.as_deref().filter(|name| !is_ours(name))?;
    Some((name.to_owned(), frame.line_number?, frame.column_number?))
}

/// Where `text` throws what may well be `value` (`throw "value"`, `throw 7`, `throw 'no ' + name`), as lines and columns from 1.
/// For what V8 tells no place of: exceptions of a module's own body and of promises' callbacks that are no errors.
pub fn throws(text: &str, value: &str) -> Vec<(i64, i64)> {
    let found = text.match_indices("throw").filter(|(at, word)| {
        let rest = text.get(at + word.len()..).unwrap_or("");
        let whole =
            !text.get(..*at).unwrap_or("").ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'))
                && rest.starts_with([' ', '(', '\t', '"', '\'', '`']);
        let thrown = rest.trim_start_matches([' ', '(', '\t']);
        whole && !thrown.starts_with("new ") && (number(thrown, value) || written(&pieces(thrown), value))
    });
    let place = |at: usize| {
        let before = text.get(..at)?;
        let column = before.rsplit('\n').next().unwrap_or("").encode_utf16().count();
        Some((i64::try_from(before.matches('\n').count()).ok()? + 1, i64::try_from(column).ok()? + 1))
    };
    found.filter_map(|(at, _)| place(at)).collect()
}

/// Is `thrown` the number `value`?
fn number(thrown: &str, value: &str) -> bool {
    let after = value.parse::<f64>().ok().and_then(|_| thrown.strip_prefix(value));
    after.is_some_and(|after| !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.'))
}

/// Texts that an expression writes out, and whether something else stands before, between or behind them: `'a' + b` is "a" and something.
fn pieces(expression: &str) -> Vec<Option<String>> {
    let mut out = Vec::new();
    let mut chars = expression.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ';' | '\n' | '}' => break,
            quote @ ('\'' | '"' | '`') => {
                let mut text = String::new();
                while let Some(c) = chars.next().filter(|c| *c != quote) {
                    match (quote, c, chars.peek()) {
                        (_, '\\', _) => text.extend(chars.next()),
                        ('`', '$', Some('{')) => {
                            out.push(Some(std::mem::take(&mut text)));
                            out.push(None);
                            // What is put in may hold texts of its own, hardly ever braces.
                            while chars.next().is_some_and(|c| c != '}') {}
                        }
                        _ => text.push(c),
                    }
                }
                out.push(Some(text));
            }
            c if c.is_whitespace() || matches!(c, '+' | '(' | ')') => {}
            _ => out.push(None),
        }
    }
    out
}

/// Can `value` be `pieces` one after the other?
fn written(pieces: &[Option<String>], value: &str) -> bool {
    let texts: Vec<&str> = pieces.iter().flatten().map(String::as_str).filter(|text| !text.is_empty()).collect();
    let mut rest = value;
    for text in &texts {
        match rest.find(text) {
            Some(at) => rest = rest.get(at + text.len()..).unwrap_or(""),
            None => return false,
        }
    }
    let open = pieces.iter().any(Option::is_none);
    // Without anything unknown it is just that.
    !texts.is_empty() && (open || texts.concat() == value)
}

fn frames(scope: &mut v8::PinScope<'_, '_>, trace: v8::Local<'_, v8::StackTrace>) -> Vec<JsStackFrame> {
    let number = |n: usize| i64::try_from(n).ok().filter(|n| *n > 0);
    let frame = |index| {
        let frame = trace.get_frame(scope, index)?;
        let name = frame.get_script_name(scope)?.to_rust_string_lossy(scope);
        let function = frame.get_function_name(scope).map(|name| name.to_rust_string_lossy(scope));
        let (line, column) = (number(frame.get_line_number()), number(frame.get_column()));
        let mut out = JsStackFrame::from_location(Some(name), line, column);
        out.function_name = function.filter(|name| !name.is_empty());
        Some(out)
    };
    (0..trace.get_frame_count()).filter_map(frame).filter(|frame| place(frame).is_some()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_found_where_they_are_thrown() {
        let text = "if (a) throw 'no level';\n  rethrow('no level'); throw(\"no level\"); throw `no level 2`; throw new Error('no level');";
        assert_eq!(throws(text, "no level"), [(1, 8), (2, 24)]);
        assert_eq!(throws("throw 7; throw 70; throw 7.5; x.throw 7", "7"), [(1, 1)]);
        assert_eq!(throws("throw seven", "seven"), []);
    }

    #[test]
    fn texts_that_are_put_together_are_found() {
        assert_eq!(throws("throw 'no level named ' + 'forest';", "no level named forest"), [(1, 1)]);
        assert_eq!(throws("throw 'no level named ' + 'forest';", "no level named forests"), []);
        let text = "f.then(r => { throw 'status ' + r.status; });\nthrow `${a} of ${b} lost`; throw x; throw new Error('status 200')";
        assert_eq!(throws(text, "status 200"), [(1, 15)]);
        assert_eq!(throws(text, "3 of 4 lost"), [(2, 1)]);
        assert_eq!(throws(text, "else"), []);
    }

    #[test]
    fn copies_of_three_are_libraries() {
        assert!(is_library("http://localhost/node_modules/three/build/three.module.js"));
        assert!(is_library("http://localhost/lib/three.min.js?v=1") && !is_library("http://localhost/three/main.js"));
    }
}
