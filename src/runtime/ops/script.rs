//! Running the page's scripts, and the functions of the shims that the frame loop calls.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use deno_core::error::{JsError, JsStackFrame};
use deno_core::{OpState, op2, v8};
use url::Url;

use crate::project::Project;
use crate::runtime::blame::{self, Thrown};
use crate::runtime::memory::LastAsked;
use crate::runtime::modules::{self, ImportMaps, InlineModules};
use crate::runtime::rejections;
use crate::runtime::worker_names::{self, Spellings};

/// Functions of `99_main.js`, by which the frame loop drives the page; live in `OpState`.
#[derive(Default)]
pub struct Hooks {
    /// `(entryKind, url) → void`: builds the page up to the first script.
    pub begin: Option<v8::Global<v8::Function>>,
    /// `() → boolean`: the next step of the load; false when there is none.
    pub load_step: Option<v8::Global<v8::Function>>,
    /// `() → boolean`: runs one waiting task (a finished load, a message); false when none waits.
    pub run_task: Option<v8::Global<v8::Function>>,
    /// `(id) → void`: runs a timer that is due.
    pub run_timer: Option<v8::Global<v8::Function>>,
    /// `() → boolean`: runs the animation frame callbacks; false if there were none.
    pub run_frame: Option<v8::Global<v8::Function>>,
    /// `(frame, frames) → void`: evaluates the seek expression.
    pub seek: Option<v8::Global<v8::Function>>,
    /// `() → 0 | 1 | 2`: is the seek expression's promise pending, done, or was there none.
    pub seek_state: Option<v8::Global<v8::Function>>,
    /// `(selector) → number`: the canvas to film, 0 if there is none.
    pub film: Option<v8::Global<v8::Function>>,
    /// `(frame) → void`: looks at what of the page the video leaves out in that frame of it.
    pub look: Option<v8::Global<v8::Function>>,
    /// `() → string`: what was seen so; a kind and a list in turns, a line each.
    pub left_out: Option<v8::Global<v8::Function>>,
    /// `() → string`: the revision of three.js that was loaded, or an empty string.
    pub revision: Option<v8::Global<v8::Function>>,
    /// `() → string`: the addresses of modules that have not ended, a line each.
    pub waiting: Option<v8::Global<v8::Function>>,
    /// `() → void`: hands over what was seen of the scenes since the last call.
    pub evidence: Option<v8::Global<v8::Function>>,
    /// `(promise, reason) → void`: a promise was rejected and nobody handled it.
    pub reject: Option<v8::Global<v8::Function>>,
}

/// Uncaught exceptions, in order; live in `OpState`.
#[derive(Default)]
pub struct Failures(pub Vec<Failure>);

/// One uncaught exception.
pub struct Failure {
    pub error: Box<JsError>,
    /// Was it a promise that nobody handled?
    pub rejection: bool,
    /// Where, as `(address, line, column)` from 1, if the error does not know itself.
    pub site: Option<(String, i64, i64)>,
    /// Of what is no error: the stack where it was thrown, in the place of the error's.
    pub thrown: Option<Vec<JsStackFrame>>,
}

impl Failure {
    pub fn new(error: Box<JsError>) -> Self {
        Self { error, rejection: false, site: None, thrown: None }
    }
}

#[op2(nofast)]
pub fn op_set_hook<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    state: &mut OpState,
    #[string] name: &str,
    function: v8::Local<'s, v8::Function>,
) {
    let function = v8::Global::new(scope, function);
    let hooks = state.borrow_mut::<Hooks>();
    let slot = match name {
        "begin" => &mut hooks.begin,
        "loadStep" => &mut hooks.load_step,
        "runTask" => &mut hooks.run_task,
        "runTimer" => &mut hooks.run_timer,
        "runFrame" => &mut hooks.run_frame,
        "seek" => &mut hooks.seek,
        "seekState" => &mut hooks.seek_state,
        "film" => &mut hooks.film,
        "look" => &mut hooks.look,
        "leftOut" => &mut hooks.left_out,
        "revision" => &mut hooks.revision,
        "waiting" => &mut hooks.waiting,
        "evidence" => &mut hooks.evidence,
        "reject" => &mut hooks.reject,
        _ => return,
    };
    *slot = Some(function);
}

/// Runs a classic script; an exception is the caller's, a syntax error goes to the report with its place.
/// `line` is where the text begins in its file, from 1; `inline`: it is a page's own, and may begin in the middle of that line.
#[op2(nofast, reentrant)]
pub fn op_run_script(
    scope: &mut v8::PinScope<'_, '_>,
    state: Rc<RefCell<OpState>>,
    #[string] source: &str,
    #[string] url: &str,
    line: u32,
    inline: bool,
) {
    let text = source;
    let units = if inline { units_before(&state.borrow(), url, line, source) } else { 0 };
    let units = i32::try_from(units).unwrap_or(0);
    let (Some(source), Some(name)) = (v8::String::new(scope, source), v8::String::new(scope, url)) else {
        return;
    };
    let offset = i32::try_from(line.saturating_sub(1)).unwrap_or(0);
    let origin = v8::ScriptOrigin::new(scope, name.into(), offset, units, false, 0, None, false, false, false, None);
    let script = {
        v8::tc_scope!(let scope, scope);
        match v8::Script::compile(scope, source, Some(&origin)) {
            Some(script) => script,
            None => {
                if let (Some(exception), Some(message)) = (scope.exception(), scope.message()) {
                    let line = message.get_line_number(scope).unwrap_or(0) as i64;
                    let site = Some((url.to_owned(), line, message.get_start_column() as i64 + 1));
                    let error = JsError::from_v8_exception(scope, exception);
                    let failure = Failure { site, ..Failure::new(error) };
                    state.borrow_mut().borrow_mut::<Failures>().0.push(failure);
                }
                return;
            }
        }
    };
    // A pending exception stays pending and reaches the calling shim.
    v8::tc_scope!(let scope, scope);
    if script.run(scope).is_none() {
        if let Some(exception) = scope.exception() {
            place_redeclaration(scope, exception, text, url, line, units);
            remember(scope, &state, exception);
        }
        scope.rethrow();
    }
}

/// ECMA-262 16.1.7: a name that an earlier script declared is found out before anything runs, where V8 tells no place.
fn place_redeclaration(
    scope: &mut v8::PinScope<'_, '_>,
    exception: v8::Local<'_, v8::Value>,
    source: &str,
    url: &str,
    first: u32,
    units: i32,
) {
    let text = exception.to_rust_string_lossy(scope);
    let name =
        text.strip_prefix("SyntaxError: Identifier '").and_then(|t| t.strip_suffix("' has already been declared"));
    let Some(name) = name else { return };
    let key = v8::String::new(scope, "stack");
    let stack = v8::Local::<v8::Object>::try_from(exception).ok().zip(key).and_then(|(o, k)| o.get(scope, k.into()));
    // One that was thrown by code that did run has frames of the program.
    if stack.is_some_and(|stack| stack.to_rust_string_lossy(scope).contains(url)) {
        return;
    }
    if let Some((line, column)) = worker_names::declaration(source, name) {
        let column = if line == 1 { column.saturating_add_signed(units) } else { column };
        let line = line.saturating_add(first.saturating_sub(1));
        set_stack(scope, exception, &format!("{text}\n    at {url}:{line}:{column}"));
    }
}

/// A classic worker's script with its globals renamed for worker `number`; `shared` has the names that stay, a line each; `dynamic` says
/// that an earlier one runs source text.
#[op2]
#[serde]
pub fn op_worker_rename(
    state: &mut OpState,
    #[string] source: &str,
    number: u32,
    #[string] shared: &str,
    dynamic: bool,
) -> worker_names::Renamed {
    let mut renamed = worker_names::rename(source, number, &shared.lines().collect(), dynamic);
    state.borrow_mut::<Spellings>().extend(std::mem::take(&mut renamed.aliases));
    renamed
}

/// What worker `number` calls `name`.
#[op2]
#[string]
pub fn op_worker_alias(state: &mut OpState, number: u32, #[string] name: &str) -> String {
    let alias = worker_names::alias(number, name);
    state.borrow_mut::<Spellings>().extend([alias.clone()]);
    alias
}

/// A text of V8's with workers' names as the program wrote them.
#[op2]
#[string]
pub fn op_worker_spelled(state: &mut OpState, #[string] text: &str) -> String {
    state.borrow::<Spellings>().undo(text)
}

/// Runs `text`, which is a worker's script `source` with other names and `lead` UTF-16 units in front of its first line.
/// An exception is the caller's; that of a text that cannot be compiled has its place as its stack.
#[op2(nofast, reentrant)]
pub fn op_worker_script(
    scope: &mut v8::PinScope<'_, '_>,
    #[string] text: &str,
    #[string] source: &str,
    #[string] url: &str,
    lead: u32,
) {
    let Some(name) = v8::String::new(scope, url) else { return };
    let script = {
        v8::tc_scope!(let scope, scope);
        compile(scope, text, name, lead)
    };
    match script {
        Some(script) => {
            v8::tc_scope!(let scope, scope);
            if script.run(scope).is_none() {
                if let Some(exception) = scope.exception() {
                    place_redeclaration(scope, exception, text, url, 1, i32::try_from(lead).map_or(0, |lead| -lead));
                }
                scope.rethrow();
            }
        }
        // The file's own text, for a message with its own names.
        None => {
            v8::tc_scope!(let scope, scope);
            if compile(scope, source, name, 0).is_some() {
                return throw_syntax_error(scope, &format!("`{url}` cannot be run as a worker's script"));
            }
            if let (Some(exception), Some(message)) = (scope.exception(), scope.message()) {
                let text = message.get(scope).to_rust_string_lossy(scope);
                let (line, column) = (message.get_line_number(scope).unwrap_or(0), message.get_start_column() + 1);
                let stack =
                    format!("{}\n    at {url}:{line}:{column}", text.strip_prefix("Uncaught ").unwrap_or(&text));
                set_stack(scope, exception, &stack);
            }
            scope.rethrow();
        }
    }
}

/// Compiles a script whose first `lead` UTF-16 units are no part of its file; an exception is left to the caller's `tc_scope`.
fn compile<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    text: &str,
    name: v8::Local<'s, v8::String>,
    lead: u32,
) -> Option<v8::Local<'s, v8::Script>> {
    let column = i32::try_from(lead).map_or(0, |n| -n);
    let origin = v8::ScriptOrigin::new(scope, name.into(), 0, column, false, 0, None, false, false, false, None);
    let text = v8::String::new(scope, text)?;
    v8::Script::compile(scope, text, Some(&origin))
}

fn throw_syntax_error(scope: &mut v8::PinScope<'_, '_>, message: &str) {
    if let Some(message) = v8::String::new(scope, message) {
        let error = v8::Exception::syntax_error(scope, message);
        scope.throw_exception(error);
    }
}

fn set_stack(scope: &mut v8::PinScope<'_, '_>, exception: v8::Local<'_, v8::Value>, stack: &str) {
    if let (Ok(object), Some(key), Some(stack)) =
        (v8::Local::<v8::Object>::try_from(exception), v8::String::new(scope, "stack"), v8::String::new(scope, stack))
    {
        object.set(scope, key.into(), stack.into());
    }
}

/// Calls a callback of the page with a list of arguments; an exception is the caller's, where it was thrown is remembered.
#[op2(reentrant)]
pub fn op_invoke<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    state: Rc<RefCell<OpState>>,
    callback: v8::Local<'s, v8::Function>,
    receiver: v8::Local<'s, v8::Value>,
    list: v8::Local<'s, v8::Array>,
) -> v8::Local<'s, v8::Value> {
    let nothing: v8::Local<'s, v8::Value> = v8::undefined(scope).into();
    let list: Vec<v8::Local<'s, v8::Value>> =
        (0..list.length()).map(|at| list.get_index(scope, at).unwrap_or(nothing)).collect();
    v8::tc_scope!(let scope, scope);
    if let Some(value) = callback.call(scope, receiver, &list) {
        return value;
    }
    if let Some(exception) = scope.exception() {
        remember(scope, &state, exception);
    }
    scope.rethrow();
    nothing
}

/// Keeps where `exception`, which `scope` has caught, was thrown, if it does not know itself.
fn remember(
    scope: &mut v8::PinnedRef<'_, v8::TryCatch<'_, '_, v8::HandleScope<'_>>>,
    state: &Rc<RefCell<OpState>>,
    exception: v8::Local<'_, v8::Value>,
) {
    if exception.is_native_error() || scope.has_terminated() {
        return;
    }
    let Some(message) = scope.message() else { return };
    let frames = blame::thrown(scope, message);
    let value = v8::Global::new(scope, exception);
    state.borrow_mut().borrow_mut::<Thrown>().put(value, frames);
}

/// Where `value`, which is no error, was thrown, as `address:line:column`; an empty string if nobody knows.
#[op2]
#[string]
pub fn op_thrown_at<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    state: &mut OpState,
    value: v8::Local<'s, v8::Value>,
) -> String {
    let frames = state.borrow::<Thrown>().of(scope, value);
    let place = frames.iter().find_map(blame::place);
    place.map(|(url, line, column)| format!("{url}:{line}:{column}")).unwrap_or_default()
}

/// Where a promise was rejected with `value`, which is no error, before another one took it over; an empty string if nobody knows.
#[op2]
#[string]
pub fn op_rejected_at<'s>(scope: &mut v8::PinScope<'s, '_>, value: v8::Local<'s, v8::Value>) -> String {
    let place = rejections::handed_on(scope, value);
    place.map(|(url, line, column)| format!("{url}:{line}:{column}")).unwrap_or_default()
}

/// Where an error was made that shows no frames, as after `Error.stackTraceLimit = 0`.
fn hidden(
    scope: &mut v8::PinScope<'_, '_>,
    error: &JsError,
    reason: v8::Local<'_, v8::Value>,
) -> Option<Vec<JsStackFrame>> {
    // The engine writes the place of what it made itself into the stack.
    let shown = error.stack.as_ref().is_some_and(|stack| stack.lines().any(|line| line.trim().starts_with("at ")));
    if shown || blame::spot(&error.frames).is_some() || !reason.is_native_error() {
        return None;
    }
    Some(blame::made(scope, reason)).filter(|frames| !frames.is_empty())
}

/// Takes an uncaught exception into the report, with its place in the source. Of a `bare` one, which is no error, `error`
/// may be a description: where `reason` itself was thrown counts.
#[op2(nofast)]
pub fn op_report_exception<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    state: Rc<RefCell<OpState>>,
    error: v8::Local<'s, v8::Value>,
    rejection: bool,
    bare: bool,
    reason: v8::Local<'s, v8::Value>,
) {
    let error = JsError::from_v8_exception(scope, error);
    let mut state = state.borrow_mut();
    let hidden = hidden(scope, &error, reason);
    let thrown = hidden.or_else(|| bare.then(|| state.borrow::<Thrown>().of(scope, reason)));
    state.borrow_mut::<Failures>().0.push(Failure { rejection, thrown, ..Failure::new(error) });
}

/// The line of the program that is running, as `address:line:column`: who asks for a file. An empty string if none is.
#[op2]
#[string]
pub fn op_asked_at(scope: &mut v8::PinScope<'_, '_>, state: &mut OpState) -> String {
    let spot = blame::here(scope);
    let told = spot.as_ref().map(|(url, line, column)| format!("{url}:{line}:{column}")).unwrap_or_default();
    if spot.is_some() {
        state.borrow_mut::<LastAsked>().0 = spot;
    }
    told
}

/// Takes into the report that what the tag on `line` of the page at `url` names is not there; `text` stands there.
#[op2(fast)]
pub fn op_report_missing(
    state: &mut OpState,
    #[string] message: &str,
    #[string] url: &str,
    line: u32,
    #[string] text: &str,
) {
    let error = JsError {
        name: None,
        message: Some(message.to_owned()),
        stack: None,
        cause: None,
        exception_message: message.to_owned(),
        frames: Vec::new(),
        source_line: None,
        source_line_frame_index: None,
        aggregated: None,
        additional_properties: Vec::new(),
        stack_is_custom: false,
    };
    let asset = Url::parse(url).ok().and_then(|url| state.borrow::<Arc<Project>>().load(&url, None).ok());
    let page = asset.map(|asset| String::from_utf8_lossy(&asset.bytes).into_owned()).unwrap_or_default();
    let of_line = usize::try_from(line.saturating_sub(1)).ok().and_then(|line| page.lines().nth(line)).unwrap_or("");
    let before = of_line.find(text).and_then(|at| of_line.get(..at)).unwrap_or("");
    let column = i64::try_from(before.encode_utf16().count()).unwrap_or(0) + 1;
    let site = (line > 0).then(|| (url.to_owned(), i64::from(line), column));
    state.borrow_mut::<Failures>().0.push(Failure { site, ..Failure::new(Box::new(error)) });
}

/// Stores an inline module's text and gives the address to import it by.
#[op2]
#[string]
pub fn op_inline_module(state: &mut OpState, #[string] source: String, #[string] page: &str, line: u32) -> String {
    let units = units_before(state, page, line, &source);
    state.borrow::<InlineModules>().clone().add(source, page, line, units)
}

/// What stands before an inline script of the page on its first line.
fn units_before(state: &OpState, page: &str, line: u32, source: &str) -> usize {
    let asset = Url::parse(page).ok().and_then(|url| state.borrow::<Arc<Project>>().load(&url, None).ok());
    asset.map_or(0, |asset| modules::units_before(&String::from_utf8_lossy(&asset.bytes), line, source))
}

/// Adds an import map to the page's; gives a message if it is wrong.
#[op2]
#[string]
pub fn op_import_map(state: &mut OpState, #[string] json: &str, #[string] base: &str) -> String {
    state.borrow::<ImportMaps>().clone().add(json, base).err().unwrap_or_default()
}

/// Stores the text behind a `blob:` address, so that it can be imported.
#[op2(fast)]
pub fn op_blob_module(state: &mut OpState, #[string] url: &str, #[string] source: String) {
    state.borrow::<InlineModules>().clone().put(url, source);
}

/// Never resolves: while it waits, V8's event loop does not take a module that awaits a frame for a deadlock.
#[op2]
pub async fn op_keep_alive() {
    std::future::pending::<()>().await;
}
