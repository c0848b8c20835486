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

/// Where the error `value` was made, as V8 keeps it whatever the program does to `stack` and `Error.stackTraceLimit`.
pub fn made(scope: &mut v8::PinScope<'_, '_>, value: v8::Local<'_, v8::Value>) -> Vec<JsStackFrame> {
    v8::scope!(let scope, scope);
    v8::Exception::get_stack_trace(scope, value).map_or_else(Vec::new, |trace| frames(scope, trace))
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
    fn copies_of_three_are_libraries() {
        assert!(is_library("http://localhost/node_modules/three/build/three.module.js"));
        assert!(is_library("http://localhost/lib/three.min.js?v=1") && !is_library("http://localhost/three/main.js"));
    }
}
