//! The page: V8, modules, DOM, virtual time. Takes a [`Project`], gives out frames
//! in order through the surfaces of its canvases. Knows `gl` contexts and the `GlBackend` trait; no wgpu.

mod absent;
mod blame;
mod buffers;
mod commonjs;
mod error;
mod excerpt;
pub mod extension;
mod film_watch;
mod frame_loop;
mod left_out;
mod memory;
pub mod modules;
pub mod ops;
mod options;
mod rejections;
mod report;
pub mod surface;
mod throws;
pub mod unsupported;
mod watchdog;
mod worker_names;

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};

use deno_core::{JsRuntime, OpState, v8};
use url::Url;

pub use error::{Phase, Place, RuntimeError};
pub use excerpt::Excerpt;
pub use left_out::LeftOut;
pub use options::{Drive, RuntimeOptions};
pub use report::{ConsoleLine, FileRead, FrameOutcome, Level, Report, UnsupportedUse};
pub use surface::{ContextRequest, GlFactory};

use crate::canvas2d;
use crate::clock::{Clock, Timers};
use crate::project::Project;
use blame::Thrown;
use film_watch::FilmWatch;
use memory::{Handed, LastAsked, Overrun, Use};
use modules::{ImportMaps, InlineModules, Loader};
use ops::console::Console;
use ops::evidence::Evidence;
use ops::fetch::Refusals;
use ops::film::Filmed;
use ops::random::Streams;
use ops::script::{Failures, Hooks};
use rejections::Rejections;
use surface::Surfaces;
use unsupported::Unsupported;
use watchdog::{Spotter, Watchdog};

/// A page in its own V8 isolate.
pub struct Runtime {
    js: JsRuntime,
    js_state: Rc<RefCell<OpState>>,
    project: Arc<Project>,
    inline: InlineModules,
    refusals: Rc<RefCell<Refusals>>,
    options: RuntimeOptions,
    watchdog: Watchdog,
    overrun: Overrun,
    rejections: Rejections,
    stopped: Arc<AtomicBool>,
    phase: Phase,
    time_limit: f64,
    /// The first frame whose picture was handed on.
    first_filmed: Option<u64>,
    film_watch: FilmWatch,
    /// V8 wants a place to send delayed tasks (memory reducers); they never run.
    _tasks: tokio::runtime::Runtime,
}

/// Ends a page's scripts wherever they are; what runs then fails with [`RuntimeError::Stopped`].
pub struct Stopper {
    stopped: Arc<AtomicBool>,
    isolate: v8::IsolateHandle,
    overrun: Overrun,
    spotter: Spotter,
}

impl Stopper {
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        self.isolate.terminate_execution();
    }

    /// The machine has no more memory: this process holds `held` bytes, `left` may still be had. What runs then fails with
    /// [`RuntimeError::Machine`], and its line if it can tell.
    pub fn full(&self, held: u64, left: u64) {
        self.overrun.pass(Use::Machine { held, left }, None);
        self.spotter.ask(&self.isolate);
    }
}

/// The version of the V8 that is linked, as V8 writes it.
pub fn v8_version() -> &'static str {
    v8::V8::get_version()
}

/// What JavaScript may use beyond the limit until it is stopped.
const HEAP_RESERVE: usize = 64 << 20;

impl Runtime {
    /// A fresh page for `project`; nothing runs yet.
    pub fn new(project: Arc<Project>, options: RuntimeOptions, gl: GlFactory) -> Result<Self, RuntimeError> {
        init_platform();
        canvas2d::new_page();
        let tasks =
            tokio::runtime::Builder::new_current_thread().build().map_err(|e| RuntimeError::Internal(e.to_string()))?;
        let (maps, inline) = (ImportMaps::default(), InlineModules::default());
        let refusals = Rc::new(RefCell::new(Refusals::default()));
        let loader = Loader::new(project.clone(), maps.clone(), inline.clone(), refusals.clone());
        let mut extension = extension::replay::init();
        let evidence =
            Evidence::new(options.evidence.as_ref()).map_err(|e| RuntimeError::Internal(format!("[evidence]: {e}")))?;
        let (state_options, state_project) = (options.clone(), project.clone());
        let (state_inline, state_refusals) = (inline.clone(), refusals.clone());
        // Shims run while the isolate is made, and read the options.
        extension.op_state_fn = Some(Box::new(move |state: &mut OpState| {
            state.put(Clock::new(state_options.fps, state_options.epoch_ms));
            state.put(Timers::default());
            state.put(Streams::new(state_options.seed));
            state.put(Console::default());
            state.put(Unsupported::default());
            state.put(Hooks::default());
            state.put(Failures::default());
            state.put(Thrown::default());
            state.put(LastAsked::default());
            state.put(Surfaces::default());
            state.put(worker_names::Spellings::default());
            state.put(Filmed::default());
            state.put(evidence);
            state.put(maps);
            state.put(state_inline);
            state.put(state_refusals);
            state.put(state_project);
            state.put(state_options);
            state.put::<GlFactory>(gl);
        }));
        let (overrun, budget) = (Overrun::default(), buffers::Budget::new(options.heap_limit));
        let mut js = {
            let _entered = tasks.enter();
            JsRuntime::try_new(deno_core::RuntimeOptions {
                module_loader: Some(Rc::new(loader)),
                extensions: vec![extension],
                create_params: Some(
                    v8::CreateParams::default()
                        .heap_limits(0, options.heap_limit)
                        .array_buffer_allocator(buffers::allocator(budget.clone()).make_shared()),
                ),
                ..Default::default()
            })
            .map_err(|e| RuntimeError::Internal(e.to_string()))?
        };
        let context = js.main_context();
        js.op_state().borrow_mut().put(watchdog::MainContext(context));
        let rejections = Rejections::watch(js.v8_isolate());
        let bitmaps = ops::canvas2d::Bitmaps::new(options.heap_limit as u64, overrun.clone());
        js.op_state().borrow_mut().put(bitmaps);
        js.op_state().borrow_mut().put(Handed::new(options.heap_limit, overrun.clone(), budget.clone()));
        let watchdog = Watchdog::new(js.v8_isolate().thread_safe_handle());
        let (passed, handle, spot) = (overrun.clone(), js.v8_isolate().thread_safe_handle(), watchdog.spotter());
        let isolate = watchdog::Running::new(js.v8_isolate());
        js.add_near_heap_limit_callback(move |current, _initial| {
            if budget.refused() {
                // The heap has room, so V8 can tell at once; asked later, the exception would have left the line.
                passed.pass(Use::Buffers, isolate.place());
                handle.terminate_execution();
            } else if passed.pass(Use::Objects, None) || !spot.ask(&handle) {
                // Asked once where it is; where it does not come to tell, it just stops.
                handle.terminate_execution();
            }
            current + HEAP_RESERVE
        });
        Ok(Self {
            js_state: js.op_state(),
            js,
            project,
            inline,
            refusals,
            time_limit: options.load_time_limit,
            options,
            watchdog,
            overrun,
            rejections,
            stopped: Arc::default(),
            phase: Phase::Load,
            first_filmed: None,
            film_watch: FilmWatch::default(),
            _tasks: tasks,
        })
    }

    /// A way to stop the page's scripts from another thread.
    pub fn stopper(&mut self) -> Stopper {
        Stopper {
            stopped: self.stopped.clone(),
            isolate: self.js.v8_isolate().thread_safe_handle(),
            overrun: self.overrun.clone(),
            spotter: self.watchdog.spotter(),
        }
    }

    /// What there is to say so far.
    pub fn report(&mut self) -> Report {
        let revision = self.call_text(|h| &h.revision, &[]).unwrap_or_default();
        let boxes = left_out::boxes(&canvas2d::missing_characters());
        if let Some(boxes) = &boxes {
            let member = "fillText(characters without a glyph)";
            let mut state = self.js_state.borrow_mut();
            state.borrow_mut::<Unsupported>().note("CanvasRenderingContext2D", member, boxes);
        }
        let seen = self.call_text(|h| &h.left_out, &[]).unwrap_or_default();
        let waiting = self.call_text(|h| &h.waiting, &[]).unwrap_or_default();
        let waiting = waiting.lines().map(|url| self.project.display_url(modules::plain(url))).collect();
        let state = self.js_state.borrow();
        let console = state.borrow::<Console>();
        let refusals = self.refusals.borrow();
        let mut warnings = self.project.warnings();
        if console.dropped > 0 {
            warnings.push(format!("{} console lines were dropped", console.dropped));
        }
        warnings.extend(refusals.summary(&|url| self.project.display_url(url)));
        warnings.extend(boxes);
        let mut unsupported = state.borrow::<Unsupported>().list();
        for (name, told) in &refusals.sheets {
            let (interface, member) = ("import".to_owned(), name.clone());
            unsupported.push(UnsupportedUse { interface, member, detail: told.clone(), count: 1 });
            warnings.push(told.clone());
        }
        Report {
            three_revision: (!revision.is_empty()).then_some(revision),
            v8: v8_version().to_owned(),
            console: console.lines().cloned().collect(),
            warnings,
            unsupported,
            files: self.project.files_read(),
            missing: refusals.missing.iter().cloned().collect(),
            blocked: refusals.blocked.iter().cloned().collect(),
            own: refusals.own.clone(),
            waiting,
            left_out: LeftOut {
                off_page: self.film_watch.never_on_page(),
                ..LeftOut::new(&seen, &state.borrow::<Filmed>().behind_text, self.film_watch.told())
            },
        }
    }

    /// Takes the console lines since the last call, for showing as they come.
    pub fn drain_console(&mut self) -> Vec<ConsoleLine> {
        self.js_state.borrow_mut().borrow_mut::<Console>().drain()
    }

    /// The text a script at `url` was compiled from.
    fn source_of(&self, url: &str) -> Option<String> {
        if let Some(text) = self.inline.get(url) {
            // Inline modules are padded to their line; the whole page says more.
            let page = url.split('#').next().unwrap_or(url);
            return self.page_text(page).or(Some(text));
        }
        self.page_text(url.split('#').next().unwrap_or(url))
    }

    fn page_text(&self, url: &str) -> Option<String> {
        let asset = self.project.load(&Url::parse(url).ok()?, None).ok()?;
        String::from_utf8(asset.bytes.to_vec()).ok()
    }
}

/// Flags and locale of V8, once per process, before its first use.
fn init_platform() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Unrolling loops in V8 15.0 loses the check for an interrupt in loops around `new Array(constant)`: they can't be stopped.
        let flags = ["replay", "--stack-size=984", "--no-memory-reducer", "--no-turboshaft-loop-unrolling"];
        deno_core::v8_set_flags(flags.iter().map(|&f| f.to_owned()).collect());
        v8::icu::set_default_locale("en-US");
        // SAFETY: V8 reads TZ when it starts; no thread of ours reads the environment before.
        #[expect(unsafe_code, clippy::disallowed_methods, reason = "the only way to give V8 its time zone")]
        unsafe {
            std::env::set_var("TZ", "UTC");
        }
    });
}
