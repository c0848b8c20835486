//! A thread that stops JavaScript which runs too long. The only user of real time in the runtime; what it measures
//! never reaches the page.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use deno_core::v8::IsolateHandle;
use deno_core::{JsRuntime, v8};

use super::blame::{self, Spot};

/// The page's context; lives in `OpState`, so that a script can be asked where it is.
pub struct MainContext(pub v8::Global<v8::Context>);

/// Watches one isolate.
pub struct Watchdog {
    arm: Option<Sender<Option<Duration>>>,
    fired: Arc<AtomicBool>,
    spot: Arc<Mutex<Option<Spot>>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// How long a script may take to tell where it is before it is stopped anyway.
const GRACE: Duration = Duration::from_millis(500);
/// How often it is asked in that time: between two microtasks V8 answers without any script on its stack.
const LOOKS: u32 = 50;

impl Watchdog {
    pub fn new(isolate: IsolateHandle) -> Self {
        let (arm, orders) = mpsc::channel::<Option<Duration>>();
        let fired = Arc::new(AtomicBool::new(false));
        let spot = Arc::new(Mutex::new(None));
        let (flag, place) = (fired.clone(), spot.clone());
        let thread = std::thread::Builder::new().name("watchdog".into()).spawn(move || {
            let mut limit: Option<Duration> = None;
            loop {
                let order = match limit {
                    None => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
                    Some(limit) => orders.recv_timeout(limit),
                };
                match order {
                    Ok(next) => limit = next,
                    Err(RecvTimeoutError::Timeout) => {
                        flag.store(true, Ordering::SeqCst);
                        let spotter = Spotter(place.clone());
                        for _ in 0..LOOKS {
                            spotter.look(&isolate);
                            #[expect(clippy::disallowed_methods, reason = "a limit on real time")]
                            std::thread::sleep(GRACE / LOOKS);
                            if spotter.has_seen() {
                                break;
                            }
                        }
                        isolate.terminate_execution();
                        limit = None;
                    }
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        });
        Self { arm: Some(arm), fired, spot, thread: thread.ok() }
    }

    /// Starts (or restarts) the count.
    pub fn start(&self, limit: Duration) {
        self.fired.store(false, Ordering::SeqCst);
        *self.spot.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.send(Some(limit));
    }

    /// Stops the count; has it fired since it was started?
    pub fn stop(&self) -> bool {
        self.send(None);
        self.fired.load(Ordering::SeqCst)
    }

    /// Has it fired since it was started?
    pub fn fired(&self) -> bool {
        self.fired.load(Ordering::SeqCst)
    }

    /// Asks where a script is.
    pub fn spotter(&self) -> Spotter {
        Spotter(self.spot.clone())
    }

    /// Where the script was that was stopped last, if it could tell.
    pub fn spot(&self) -> Option<Spot> {
        self.spot.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn send(&self, order: Option<Duration>) {
        if let Some(arm) = &self.arm {
            // The thread lives as long as this does.
            let _ = arm.send(order);
        }
    }
}

/// Has a script say where it is, and stops it.
pub struct Spotter(Arc<Mutex<Option<Spot>>>);

impl Spotter {
    /// False if the isolate is gone.
    pub fn ask(&self, isolate: &IsolateHandle) -> bool {
        isolate.request_interrupt(tell_and_stop, Arc::into_raw(self.0.clone()) as *mut c_void)
    }

    /// The same, but what cannot tell goes on.
    fn look(&self, isolate: &IsolateHandle) -> bool {
        isolate.request_interrupt(tell_or_go_on, Arc::into_raw(self.0.clone()) as *mut c_void)
    }

    fn has_seen(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.arm = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Runs on the script's own thread, between two of its instructions.
#[expect(unsafe_code, reason = "a callback of V8")]
unsafe extern "C" fn tell_and_stop(isolate: v8::UnsafeRawIsolatePtr, data: *mut c_void) {
    // SAFETY: V8 calls with the isolate that is running, and `data` as `ask` gave it.
    let (isolate, _) = unsafe { tell(isolate, data) };
    isolate.terminate_execution();
}

/// The same, but only what tells is stopped.
#[expect(unsafe_code, reason = "a callback of V8")]
unsafe extern "C" fn tell_or_go_on(isolate: v8::UnsafeRawIsolatePtr, data: *mut c_void) {
    // SAFETY: V8 calls with the isolate that is running, and `data` as `look` gave it.
    let (isolate, told) = unsafe { tell(isolate, data) };
    if told {
        isolate.terminate_execution();
    }
}

/// Puts down where the script is; could it tell?
#[expect(unsafe_code, reason = "for callbacks of V8")]
unsafe fn tell(isolate: v8::UnsafeRawIsolatePtr, data: *mut c_void) -> (v8::Isolate, bool) {
    // SAFETY: made by `Arc::into_raw` for this one call.
    let place_of = unsafe { Arc::from_raw(data as *const Mutex<Option<Spot>>) };
    // SAFETY: the caller's.
    let mut isolate = unsafe { v8::Isolate::from_raw_isolate_ptr(isolate) };
    let spot = place(&mut isolate);
    let told = spot.is_some();
    if told {
        *place_of.lock().unwrap_or_else(PoisonError::into_inner) = spot;
    }
    (isolate, told)
}

/// Where the script that runs in `isolate` is; for callbacks of V8, which have no scope.
pub fn place(isolate: &mut v8::Isolate) -> Option<Spot> {
    let state = JsRuntime::op_state_from(isolate);
    let context = state.try_borrow().ok()?.try_borrow::<MainContext>().map(|c| c.0.clone())?;
    v8::callback_scope!(unsafe scope, isolate);
    let context = v8::Local::new(scope, context);
    let scope = &mut v8::ContextScope::new(scope, context);
    blame::here(scope)
}

/// The isolate, for a callback that V8 calls on its own thread while scripts run in it.
pub struct Running(v8::UnsafeRawIsolatePtr);

impl Running {
    pub fn new(isolate: &v8::Isolate) -> Self {
        // SAFETY: used by callbacks of the same isolate, which do not outlive it.
        #[expect(unsafe_code, reason = "V8 hands its callbacks no isolate")]
        Self(unsafe { isolate.as_raw_isolate_ptr() })
    }

    /// Where the script is.
    pub fn place(&self) -> Option<Spot> {
        // SAFETY: V8 is calling from that isolate.
        #[expect(unsafe_code, reason = "V8 hands its callbacks no isolate")]
        let mut isolate = unsafe { v8::Isolate::from_raw_isolate_ptr(self.0) };
        place(&mut isolate)
    }
}
