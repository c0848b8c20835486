//! What a page's memory is held against: V8's heap, ArrayBuffers, the bitmaps of 2D canvases, and what calls of the engine hand over.
//! Whoever passes a limit leaves here what it was for and which line of the program was running.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use deno_core::{OpState, v8};

use super::blame::{self, Spot};
use super::buffers::Budget;

/// What memory is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    Objects,
    Buffers,
    Canvases,
    /// Whatever it was, the machine has hardly any left: bytes that this process holds, and that may still be had.
    Machine {
        held: u64,
        left: u64,
    },
}

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Objects | Self::Machine { .. } => "",
            Self::Buffers => " for ArrayBuffers: typed arrays, contents of files, decoded pictures",
            Self::Canvases => " for 2D canvases",
        })
    }
}

/// What memory was wanted for, and the program's line, where it is known.
type Told = (Use, Option<Spot>);

/// Whether a limit was passed, which ends the run; shared with V8's callbacks.
#[derive(Clone, Default)]
pub struct Overrun {
    passed: Arc<AtomicBool>,
    what: Arc<Mutex<Option<Told>>>,
}

impl Overrun {
    /// A limit is passed; the first time counts. Was it passed before?
    pub fn pass(&self, what: Use, spot: Option<Spot>) -> bool {
        self.what.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert((what, spot));
        self.passed.swap(true, Ordering::SeqCst)
    }

    pub fn passed(&self) -> bool {
        self.passed.load(Ordering::SeqCst)
    }

    /// The first that passed one.
    pub fn told(&self) -> Told {
        self.what.lock().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or((Use::Objects, None))
    }

    /// Passes a limit within an op, and stops the scripts.
    pub fn stop(&self, scope: &mut v8::PinScope<'_, '_>, what: Use, asked: Option<Spot>) {
        let spot = blame::here(scope).or(asked);
        self.pass(what, spot);
        scope.terminate_execution();
    }
}

/// The line that asked last for what a task of the engine then does; lives in `OpState`.
#[derive(Default)]
pub struct LastAsked(pub Option<Spot>);

/// Bytes that calls hand to the page, beside what V8 allocates itself; lives in `OpState`.
pub struct Handed {
    limit: u64,
    /// Handed over since V8 was asked last.
    since: u64,
    /// What V8 was told of and is none of ArrayBuffers.
    pub canvases: u64,
    overrun: Overrun,
    budget: Arc<Budget>,
}

/// Handed over without asking V8 what there is.
const SLACK: u64 = 16 << 20;

impl Handed {
    pub fn new(limit: usize, overrun: Overrun, budget: Arc<Budget>) -> Self {
        Self { limit: limit as u64, since: 0, canvases: 0, overrun, budget }
    }

    /// Is there room for `bytes` more, at least once V8 has collected what nobody holds?
    fn fits(&self, isolate: &mut v8::Isolate, bytes: u64) -> bool {
        // V8 may hear of freed buffers late; of its own the budget knows at once.
        let fits = |isolate: &mut v8::Isolate| {
            let told = (isolate.get_heap_statistics().external_memory() as u64).saturating_sub(self.canvases);
            told.max(self.budget.used() as u64).saturating_add(bytes) <= self.limit
        };
        fits(isolate) || {
            isolate.low_memory_notification();
            fits(isolate)
        }
    }
}

/// Takes `bytes` that an op is about to hand to the page into account. False when there is no room: the scripts are stopped.
pub fn admit(scope: &mut v8::PinScope<'_, '_>, state: &mut OpState, bytes: usize) -> bool {
    let handed = state.borrow_mut::<Handed>();
    handed.since = handed.since.saturating_add(bytes as u64);
    if handed.since < SLACK.min(handed.limit / 8) {
        return true;
    }
    handed.since = 0;
    let fits = handed.fits(scope, bytes as u64);
    if !fits {
        let asked = state.borrow::<LastAsked>().0.clone();
        state.borrow::<Handed>().overrun.stop(scope, Use::Buffers, asked);
    }
    fits
}
