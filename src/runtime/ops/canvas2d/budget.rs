//! What the bitmaps of 2D canvases take together: V8 hears of it, so that it collects the canvases nobody holds, and more
//! than the limit ends the run.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use deno_core::v8;

/// Bytes in use, bytes V8 was told of, and the most there may be.
pub struct Bitmaps {
    used: Rc<Cell<u64>>,
    told: Cell<u64>,
    limit: u64,
    full: Arc<AtomicBool>,
}

/// Bytes of one bitmap, given back when it goes.
pub struct Charge {
    used: Rc<Cell<u64>>,
    bytes: u64,
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.used.set(self.used.get().saturating_sub(self.bytes));
    }
}

impl Bitmaps {
    /// `full` is raised when the limit is passed.
    pub fn new(limit: u64, full: Arc<AtomicBool>) -> Self {
        Self { used: Rc::default(), told: Cell::new(0), limit, full }
    }

    /// Room for a bitmap of RGBA8. `None` ends the run: even without the canvases nobody holds there is none.
    pub fn charge(&self, isolate: &mut v8::Isolate, width: u32, height: u32) -> Option<Charge> {
        let bytes = 4 * u64::from(width.max(1)) * u64::from(height.max(1));
        let fits = || self.used.get().saturating_add(bytes) <= self.limit;
        if !fits() {
            isolate.low_memory_notification();
        }
        if !fits() {
            self.full.store(true, Ordering::SeqCst);
            isolate.terminate_execution();
            return None;
        }
        self.used.set(self.used.get() + bytes);
        let change = self.used.get() as i64 - self.told.replace(self.used.get()) as i64;
        isolate.adjust_amount_of_external_allocated_memory(change);
        Some(Charge { used: self.used.clone(), bytes })
    }
}
