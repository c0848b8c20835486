//! Promises rejected without a handler (ECMA-262, HostPromiseRejectionTracker). deno_core keeps a list of its own, but not
//! where the promise was rejected: of a reason that is no `Error`, only the stack of that moment can tell.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use deno_core::error::JsStackFrame;
use deno_core::v8;

use super::blame;

/// Those that nobody has handled so far, in order; shared with V8's callback by a slot of the isolate.
#[derive(Clone, Default)]
pub struct Rejections(Rc<RefCell<State>>);

#[derive(Default)]
struct State {
    open: VecDeque<Rejected>,
    /// The last ones that were handed on: the promise that takes such a reason over is rejected by no script.
    handed_on: VecDeque<Rejected>,
}

/// How many reasons that were handed on are remembered.
const REMEMBERED: usize = 8;

/// One of them.
pub struct Rejected {
    pub promise: v8::Global<v8::Value>,
    pub reason: v8::Global<v8::Value>,
    /// Whose code rejected it (`02_realm.js`).
    pub realm: v8::Global<v8::Value>,
    /// The stack then, where the reason does not know it.
    pub stack: Vec<JsStackFrame>,
}

impl Rejections {
    /// Has V8 tell of rejections from now on, and no longer deno_core.
    pub fn watch(isolate: &mut v8::Isolate) -> Self {
        let rejections = Self::default();
        isolate.set_slot(rejections.clone());
        isolate.set_promise_reject_callback(on_reject);
        rejections
    }

    /// Takes all out.
    pub fn take(&self) -> VecDeque<Rejected> {
        std::mem::take(&mut self.0.borrow_mut().open)
    }
}

/// Where a promise was rejected with `value` last, if it was no `Error` and was handed on.
pub fn handed_on(scope: &mut v8::PinScope<'_, '_>, value: v8::Local<'_, v8::Value>) -> Option<blame::Spot> {
    let rejections = scope.get_slot::<Rejections>().cloned()?;
    let state = rejections.0.borrow();
    let same = |one: &&Rejected| v8::Local::new(scope, &one.reason).same_value(value);
    state.handed_on.iter().rev().find(same).and_then(|one| blame::spot(&one.stack))
}

/// V8 calls it within whatever rejects a promise, or handles one that was.
#[expect(unsafe_code, reason = "a callback of V8")]
unsafe extern "C" fn on_reject(message: v8::PromiseRejectMessage<'_>) {
    // SAFETY: V8 calls with a message of the running isolate.
    v8::callback_scope!(unsafe scope, &message);
    let Some(rejections) = scope.get_slot::<Rejections>().cloned() else { return };
    let promise: v8::Local<'_, v8::Value> = message.get_promise().into();
    match message.get_event() {
        v8::PromiseRejectEvent::PromiseRejectWithNoHandler => {
            let Some(reason) = message.get_value() else { return };
            let mut stack = if reason.is_native_error() { Vec::new() } else { blame::stack(scope) };
            if stack.is_empty() && !reason.is_native_error() {
                let state = rejections.0.borrow();
                let same = |one: &&Rejected| v8::Local::new(scope, &one.reason).same_value(reason);
                stack = state.handed_on.iter().rev().find(same).map_or_else(Vec::new, |one| one.stack.clone());
            }
            let realm = scope.get_continuation_preserved_embedder_data();
            let rejected = Rejected {
                promise: v8::Global::new(scope, promise),
                reason: v8::Global::new(scope, reason),
                realm: v8::Global::new(scope, realm),
                stack,
            };
            rejections.0.borrow_mut().open.push_back(rejected);
        }
        v8::PromiseRejectEvent::PromiseHandlerAddedAfterReject => {
            let promise = v8::Global::new(scope, promise);
            let mut state = rejections.0.borrow_mut();
            let at = state.open.iter().position(|rejected| rejected.promise == promise);
            if let Some(one) = at.and_then(|at| state.open.remove(at)).filter(|one| !one.stack.is_empty()) {
                state.handed_on.push_back(one);
                if state.handed_on.len() > REMEMBERED {
                    state.handed_on.pop_front();
                }
            }
        }
        _ => {}
    }
}
