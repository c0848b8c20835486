//! The order of a frame. For frame N at time N / fps after load:
//!
//! 1. timers due up to then, in order of time, each at its own time;
//! 2. the clock stands at N / fps; animation frame callbacks, in order of asking;
//! 3. the seek expression, if frames are driven by one; its promise is awaited;
//! 4. settle: microtasks, finished loads, dynamic imports, until nothing is left (time stands still);
//! 5. look at what of the page the film leaves out, now and then;
//! 6. capture: the filmed canvas presents, every other canvas ends its frame.
//!
//! Microtasks run after every callback, as in a browser. A load is finished as soon as it is asked for, so
//! the order of completion is the order of asking.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use deno_core::error::{CoreError, CoreErrorKind, JsError};
use deno_core::{PollEventLoopOptions, v8};

use super::blame::{self, Spot, Thrown};
use super::error::{Phase, Place, RuntimeError, describe, out_of_worker};
use super::memory::{LastAsked, Use};
use super::ops::evidence::Evidence;
use super::ops::film::Filmed;
use super::ops::script::{Failure, Failures, Hooks};
use super::report::FrameOutcome;
use super::surface::{Surface, Surfaces};
use super::unsupported::Unsupported;
use super::{Drive, Runtime, absent, throws};
use crate::clock::{Clock, Timers};
use crate::gl::backend::PresentedFrame;
use crate::host::RelPath;
use crate::project::Entry;

/// Polls without progress before the page counts as settled.
const IDLE_POLLS: u32 = 3;
/// Milliseconds of its own time that a seek expression may wait for a timer, and animation frames it is given before that.
const SEEK_AHEAD: u32 = 60_000;
const SEEK_CALLBACKS: u32 = 8;
/// Rounds that a seek expression's promise may wait for timers or animation frames of its own frame.
const SEEK_ROUNDS: u32 = 1000;

/// Lines that may have thrown something, of which a message tells.
const LISTED: usize = 6;

/// Remembers that somebody woke the event loop.
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// An argument for a hook.
pub(super) enum Arg<'a> {
    Number(f64),
    Text(&'a str),
    Value(v8::Global<v8::Value>),
}

type HookOf = fn(&Hooks) -> &Option<v8::Global<v8::Function>>;

impl Runtime {
    /// Loads the page: parses it, runs its scripts in order, fires `DOMContentLoaded` and `load`; everything they
    /// ask for is there before this returns.
    pub fn load(&mut self) -> Result<(), RuntimeError> {
        let limit = self.options.load_time_limit;
        self.guarded(Phase::Load, limit, |rt| {
            let (kind, url) = match rt.project.entry() {
                Entry::Html(_) => ("html", rt.project.page_url().to_string()),
                Entry::Module(path) => ("module", rt.project.url_of(path).to_string()),
            };
            rt.call(|h| &h.begin, &[Arg::Text(kind), Arg::Text(&url)])?;
            // Nobody waits for the load to hear that the selector is none.
            rt.film()?;
            loop {
                rt.settle()?;
                if !rt.call_bool(|h| &h.load_step, &[])? {
                    return rt.settle();
                }
            }
        })
    }

    /// Runs frame `index` and hands the filmed canvas' picture on; frames come in order.
    pub fn run_frame(&mut self, index: u64) -> Result<FrameOutcome, RuntimeError> {
        self.frame(index, true)
    }

    /// Runs frame `index` without handing a picture on (warm-up).
    pub fn skip_frame(&mut self, index: u64) -> Result<FrameOutcome, RuntimeError> {
        self.frame(index, false)
    }

    fn frame(&mut self, index: u64, filmed: bool) -> Result<FrameOutcome, RuntimeError> {
        let phase = Phase::Frame(index);
        let limit = self.options.frame_time_limit;
        let film = self.guarded(phase, limit, |rt| {
            let at = rt.clock(|clock| clock.frame_time(index));
            rt.run_timers(at)?;
            rt.with_clock(|clock| clock.advance(at));
            rt.call(|h| &h.run_frame, &[])?;
            rt.settle()?;
            if let Drive::Seek(expression) = rt.options.drive.clone() {
                rt.seek(index, phase, &expression)?;
                rt.settle()?;
            }
            let film = rt.film()?;
            if filmed {
                rt.look(index)?;
            }
            if rt.options.evidence.is_some() {
                rt.call(|h| &h.evidence, &[])?;
            }
            Ok(film as u32)
        })?;
        let outcome = self.capture(index, film, filmed, phase)?;
        if let Some(first) = self.first_filmed.filter(|_| filmed) {
            let shown = self.with_state(|state| state.borrow::<Filmed>().shown);
            self.film_watch.see(index.saturating_sub(first), film, shown, outcome.drawn);
        }
        Ok(outcome)
    }

    /// The canvas to film, 0 if there is none yet.
    fn film(&mut self) -> Result<f64, RuntimeError> {
        let selector = self.options.canvas.clone().unwrap_or_default();
        self.call_number(|h| &h.film, &[Arg::Text(&selector)]).map_err(|error| match error {
            RuntimeError::Script { message, .. } if message.contains("not a valid selector") => {
                RuntimeError::Selector { selector, message }
            }
            other => other,
        })
    }

    /// Looks at what of the page the video leaves out: in the first frame filmed, in one of each second, and in the last.
    fn look(&mut self, index: u64) -> Result<(), RuntimeError> {
        let first = *self.first_filmed.get_or_insert(index);
        let number = index.saturating_sub(first);
        let second = (self.options.fps.as_f64().round() as u64).max(1);
        if number.is_multiple_of(second) || self.options.frames == Some(index + 1) {
            self.call(|h| &h.look, &[Arg::Number(number as f64)])?;
        }
        Ok(())
    }

    /// What the expression itself throws is told with it; what it throws inside a file of the program, with its place.
    fn seek(&mut self, index: u64, phase: Phase, expression: &str) -> Result<(), RuntimeError> {
        self.evaluate(index, phase, expression).map_err(|error| match error {
            RuntimeError::Script { phase, message, place: None, .. } => {
                RuntimeError::Seek { phase, expression: expression.to_owned(), message }
            }
            other => other,
        })
    }

    fn evaluate(&mut self, index: u64, phase: Phase, expression: &str) -> Result<(), RuntimeError> {
        let frames = self.options.frames.unwrap_or(0) as f64;
        self.call(|h| &h.seek, &[Arg::Text(expression), Arg::Number(index as f64), Arg::Number(frames)])?;
        let end = self.clock(|clock| clock.frame_time(index + 1));
        let beyond = self.clock(|clock| clock.after_ms(clock.now(), SEEK_AHEAD));
        for round in 0..SEEK_ROUNDS {
            self.settle()?;
            if self.call_number(|h| &h.seek_state, &[])? != 0.0 {
                return Ok(());
            }
            // The promise waits for an animation frame or a short timer of this frame: give it that.
            let ran = self.call_bool(|h| &h.run_frame, &[])?;
            // Nothing but a later timer can settle it: the clock runs ahead, as it does where a browser is asked.
            let limit = if ran && round < SEEK_CALLBACKS { end } else { beyond };
            let timer = self.with_timers(|timers| timers.take_due(limit));
            if let Some((at, id)) = timer {
                self.with_clock(|clock| clock.advance(at));
                self.call(|h| &h.run_timer, &[Arg::Number(f64::from(id))])?;
            } else if !ran {
                break;
            }
        }
        Err(RuntimeError::SeekPending { phase, expression: expression.to_owned() })
    }

    fn run_timers(&mut self, limit: crate::clock::Tick) -> Result<(), RuntimeError> {
        while let Some((at, id)) = self.with_timers(|timers| timers.take_due(limit)) {
            self.with_clock(|clock| clock.advance(at));
            self.call(|h| &h.run_timer, &[Arg::Number(f64::from(id))])?;
            self.settle()?;
        }
        Ok(())
    }

    fn capture(&mut self, index: u64, film: u32, filmed: bool, phase: Phase) -> Result<FrameOutcome, RuntimeError> {
        let surfaces: BTreeMap<u32, Rc<RefCell<dyn Surface>>> =
            self.js.op_state().borrow().borrow::<Surfaces>().0.clone();
        let scene = self.with_state(|state| state.borrow::<Evidence>().take(index));
        let behind = self.with_state(|state| state.borrow::<Filmed>().behind);
        let mut outcome = FrameOutcome { scene, behind, ..FrameOutcome::default() };
        if let Some(picture) = self.with_state(|state| state.borrow_mut::<Filmed>().picture.take()) {
            outcome.canvas = Some((picture.width, picture.height));
            outcome.drawn = true;
            outcome.picture = filmed.then_some(PresentedFrame { frame: index, ..picture });
        }
        for (id, surface) in surfaces {
            let mut surface = surface.borrow_mut();
            if id != film {
                surface.skip()?;
                continue;
            }
            if let Some(reason) = surface.lost() {
                let (spot, made) = surface.places();
                let place = spot.map(|spot| self.place_of(spot));
                let made = made.filter(|_| place.is_none()).map(|spot| self.place_of(spot));
                let reason = made.map_or(reason.clone(), |made| format!("{reason} (the context was made at {made})"));
                return Err(RuntimeError::ContextLost { phase, reason, place });
            }
            outcome.canvas = Some(surface.size());
            outcome.drawn = surface.ever_drawn();
            if filmed {
                outcome.picture = surface.present(index)?;
            } else {
                surface.skip()?;
            }
        }
        Ok(outcome)
    }

    /// Microtasks, finished loads and dynamic imports, until nothing is left.
    pub(super) fn settle(&mut self) -> Result<(), RuntimeError> {
        loop {
            self.pump()?;
            if !self.call_bool(|h| &h.run_task, &[])? {
                return self.check();
            }
        }
    }

    /// What V8 runs next is the page's unless it says otherwise (`02_realm.js`).
    fn leave_workers(&mut self) {
        deno_core::scope!(scope, self.js);
        let page = v8::undefined(scope).into();
        scope.set_continuation_preserved_embedder_data(page);
    }

    /// Polls V8's event loop until it makes no progress.
    fn pump(&mut self) -> Result<(), RuntimeError> {
        let woken = Arc::new(Woken(AtomicBool::new(false)));
        let waker = Waker::from(woken.clone());
        let mut cx = Context::from_waker(&waker);
        let mut idle = 0;
        loop {
            self.leave_workers();
            let polled = self.js.poll_event_loop(&mut cx, PollEventLoopOptions::default());
            if self.tell_rejections()? {
                idle = 0;
            }
            match polled {
                Poll::Ready(Ok(())) => return self.check(),
                Poll::Ready(Err(error)) => {
                    self.take_core_error(error)?;
                    idle += 1;
                }
                Poll::Pending if woken.0.swap(false, Ordering::SeqCst) => {
                    // Something runs in the background (WebAssembly compiles): leave it the core.
                    idle = 0;
                    std::thread::yield_now();
                }
                Poll::Pending => idle += 1,
            }
            self.check()?;
            if idle >= IDLE_POLLS {
                return Ok(());
            }
        }
    }

    /// Tells the page of promises that were rejected and that nobody handled; were there any?
    fn tell_rejections(&mut self) -> Result<bool, RuntimeError> {
        let rejected = self.rejections.take();
        let any = !rejected.is_empty();
        for one in rejected {
            self.with_state(|state| state.borrow_mut::<Thrown>().put(one.reason.clone(), one.stack));
            self.call_in(Some(one.realm), |h| &h.reject, &[Arg::Value(one.promise), Arg::Value(one.reason)])?;
        }
        Ok(any)
    }

    fn take_core_error(&mut self, error: CoreError) -> Result<(), RuntimeError> {
        match error.into_kind() {
            CoreErrorKind::Js(error) => {
                self.with_state(|state| state.borrow_mut::<Failures>().0.push(Failure::new(error)));
                Ok(())
            }
            _ if self.interrupted() => self.check(),
            other => Err(RuntimeError::Internal(other.to_string())),
        }
    }

    /// The first uncaught exception, or that a limit was passed, as an error.
    pub(super) fn check(&mut self) -> Result<(), RuntimeError> {
        if self.overrun.passed() {
            let (what, spot) = self.overrun.told();
            let (phase, limit) = (self.phase, self.options.heap_limit);
            // What a task of the engine does was asked for by somebody.
            let asked =
                || self.with_state(|state| state.borrow::<LastAsked>().0.clone()).filter(|_| what != Use::Objects);
            let place = spot.map(|spot| self.place_of(spot)).or_else(|| self.stuck_at());
            let place = place.or_else(|| asked().map(|spot| self.place_of(spot)));
            return Err(match what {
                Use::Machine { held, left } => RuntimeError::Machine { phase, held, left, place },
                what => RuntimeError::Memory { phase, limit, what, place },
            });
        }
        if self.stopped.load(Ordering::SeqCst) {
            return Err(RuntimeError::Stopped { phase: self.phase });
        }
        if self.watchdog.fired() {
            return Err(RuntimeError::TimeLimit {
                phase: self.phase,
                seconds: self.time_limit,
                place: self.stuck_at(),
            });
        }
        let failures = self.with_state(|state| std::mem::take(&mut state.borrow_mut::<Failures>().0));
        match failures.first() {
            None => Ok(()),
            Some(first) => Err(self.describe(first)),
        }
    }

    fn describe(&self, failure: &Failure) -> RuntimeError {
        let source_of = |url: &str| self.source_of(url);
        let mut error = {
            let literal = |value: &str| <[Spot; 1]>::try_from(self.throws(value)).ok().map(|[only]| only);
            describe(failure, self.phase, &self.project, &self.refusals.borrow(), &literal, &source_of)
        };
        if let RuntimeError::Script { message, place: Some(place), source_code, help: help @ None, .. } = &mut error {
            let line = source_code.as_ref().map_or("", |source| source.line());
            if ["import.meta.glob", "import.meta.env", "import.meta.hot"].iter().any(|name| line.contains(name)) {
                *help = Some(
                    "import.meta.glob and import.meta.env are Vite's: build the project first (npm run build), then render its \
                     output folder: `replay render dist/`"
                        .to_owned(),
                );
            }
            let column = usize::try_from(place.column).unwrap_or(0);
            if let Some(name) = absent::behind(message, line, column).filter(|_| help.is_none()) {
                *help = Some(format!(
                    "`{name}` is a web API that replay does not have; a program that asks first (`'{name}' in window`) is told so"
                ));
                self.js_state.borrow_mut().borrow_mut::<Unsupported>().note("Window", name, "it is not there");
            }
        }
        if let RuntimeError::Script { message, help: help @ None, place: None, .. } = &mut error
            && failure.thrown.is_some()
        {
            let spots = self.throws(message);
            let listed: Vec<String> = spots.iter().take(LISTED).map(|s| self.place_of(s.clone()).to_string()).collect();
            let more = spots.len().saturating_sub(LISTED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            *help = Some(if listed.is_empty() {
                "no `throw` of the program's own files may have thrown it: does a library? What is thrown as an Error \
                 (`throw new Error(…)`) knows its line"
                    .to_owned()
            } else {
                format!(
                    "it was thrown by one of: {}{more}; what is thrown as an Error (`throw new Error(…)`) knows its line",
                    listed.join(", ")
                )
            });
        }
        // What a program stumbles over is often a file it did not get.
        if let RuntimeError::Script { help: help @ None, .. } = &mut error {
            *help = self.refusals.borrow().summary(&|url| self.project.display_url(url));
        }
        // A library that stumbles over a file does not say over which.
        if let RuntimeError::Script { help: help @ None, place, .. } = &mut error
            && place.as_ref().is_none_or(|place| blame::is_library(&format!("/{}", place.file)))
        {
            *help = self.refusals.borrow().last_loaded(&|url| self.project.display_url(url));
        }
        error
    }

    /// The lines of the program's own files that may have thrown what is no error: those that spell it, else all that may.
    fn throws(&self, value: &str) -> Vec<Spot> {
        let mut found = Vec::new();
        for file in self.project.files_read() {
            let page = [".html", ".htm"].iter().any(|end| file.path.ends_with(end));
            let script = page || [".js", ".mjs"].iter().any(|end| file.path.ends_with(end));
            let url = RelPath::new(&file.path).map(|path| self.project.url_of(&path).to_string());
            let Some(url) = url.filter(|url| script && !blame::is_library(url)) else { continue };
            let text = self.page_text(&url).unwrap_or_default();
            for one in throws::candidates(&text, page, value) {
                found.push((one.spelled, (url.clone(), one.line, one.column)));
            }
        }
        let spelled = found.iter().any(|(spelled, _)| *spelled);
        found.into_iter().filter(|(one, _)| *one == spelled).map(|(_, spot)| spot).collect()
    }

    fn stuck_at(&self) -> Option<Place> {
        self.watchdog.spot().map(|spot| self.place_of(spot))
    }

    fn place_of(&self, spot: Spot) -> Place {
        let (url, line, column) = out_of_worker(spot);
        let number = |n| u32::try_from(n).unwrap_or(0);
        Place { file: self.project.display_url(&url), line: number(line), column: number(column) }
    }

    /// Has JavaScript been stopped from outside?
    fn interrupted(&self) -> bool {
        self.overrun.passed() || self.watchdog.fired() || self.stopped.load(Ordering::SeqCst)
    }

    /// Runs `work` under the time limit.
    fn guarded<T>(
        &mut self,
        phase: Phase,
        seconds: f64,
        work: impl FnOnce(&mut Self) -> Result<T, RuntimeError>,
    ) -> Result<T, RuntimeError> {
        self.phase = phase;
        self.time_limit = seconds;
        self.watchdog.start(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
        let result = work(self);
        self.watchdog.stop();
        let result = if self.interrupted() { self.check().and(result) } else { result };
        self.js.v8_isolate().cancel_terminate_execution();
        result
    }

    fn call(&mut self, hook: HookOf, args: &[Arg<'_>]) -> Result<v8::Global<v8::Value>, RuntimeError> {
        self.call_in(None, hook, args)
    }

    /// Calls a hook as the code of `realm`, the page's if there is none.
    fn call_in(
        &mut self,
        realm: Option<v8::Global<v8::Value>>,
        hook: HookOf,
        args: &[Arg<'_>],
    ) -> Result<v8::Global<v8::Value>, RuntimeError> {
        let function = self.with_state(|state| hook(state.borrow::<Hooks>()).clone());
        let Some(function) = function else {
            return Err(RuntimeError::Internal("a hook of the shims is missing".into()));
        };
        let outcome = {
            deno_core::scope!(scope, self.js);
            v8::tc_scope!(let scope, scope);
            let function = v8::Local::new(scope, function);
            let receiver = v8::undefined(scope).into();
            let realm = realm.map_or(receiver, |realm| v8::Local::new(scope, realm));
            scope.set_continuation_preserved_embedder_data(realm);
            let args: Vec<v8::Local<'_, v8::Value>> = args
                .iter()
                .map(|arg| match arg {
                    Arg::Number(n) => v8::Number::new(scope, *n).into(),
                    Arg::Text(text) => {
                        v8::String::new(scope, text).map_or_else(|| v8::undefined(scope).into(), Into::into)
                    }
                    Arg::Value(value) => v8::Local::new(scope, value),
                })
                .collect();
            let value = function.call(scope, receiver, &args).map(|v| v8::Global::new(scope, v));
            scope.perform_microtask_checkpoint();
            let exception = scope.exception().map(|e| JsError::from_v8_exception(scope, e));
            (value, exception)
        };
        match outcome {
            (_, Some(error)) if !self.interrupted() => Err(self.describe(&Failure::new(error))),
            (Some(value), _) => {
                self.check()?;
                Ok(value)
            }
            (None, _) => {
                self.check()?;
                Err(RuntimeError::Internal("JavaScript was stopped".into()))
            }
        }
    }

    fn call_bool(&mut self, hook: HookOf, args: &[Arg<'_>]) -> Result<bool, RuntimeError> {
        let value = self.call(hook, args)?;
        deno_core::scope!(scope, self.js);
        Ok(v8::Local::new(scope, value).is_true())
    }

    fn call_number(&mut self, hook: HookOf, args: &[Arg<'_>]) -> Result<f64, RuntimeError> {
        let value = self.call(hook, args)?;
        deno_core::scope!(scope, self.js);
        Ok(v8::Local::new(scope, value).number_value(scope).unwrap_or(0.0))
    }

    pub(super) fn call_text(&mut self, hook: HookOf, args: &[Arg<'_>]) -> Result<String, RuntimeError> {
        let value = self.call(hook, args)?;
        deno_core::scope!(scope, self.js);
        Ok(v8::Local::new(scope, value).to_rust_string_lossy(scope))
    }

    fn with_state<T>(&self, work: impl FnOnce(&mut deno_core::OpState) -> T) -> T {
        work(&mut self.js_state.borrow_mut())
    }

    fn with_clock<T>(&self, work: impl FnOnce(&mut Clock) -> T) -> T {
        self.with_state(|state| work(state.borrow_mut::<Clock>()))
    }

    fn with_timers<T>(&self, work: impl FnOnce(&mut Timers) -> T) -> T {
        self.with_state(|state| work(state.borrow_mut::<Timers>()))
    }

    fn clock<T>(&self, work: impl FnOnce(&Clock) -> T) -> T {
        self.with_state(|state| work(state.borrow::<Clock>()))
    }
}
