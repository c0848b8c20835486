//! What the bitmaps of 2D canvases take together: V8 hears of it, so that it collects the canvases nobody holds, and more
//! than the limit ends the run.

use std::cell::Cell;
use std::rc::Rc;

use deno_core::{OpState, v8};

use crate::runtime::memory::{Handed, LastAsked, Overrun, Use};

/// Bytes in use, bytes V8 was told of, and the most there may be.
pub struct Bitmaps {
    used: Rc<Cell<u64>>,
    told: Cell<u64>,
    limit: u64,
    overrun: Overrun,
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
    pub fn new(limit: u64, overrun: Overrun) -> Self {
        Self { used: Rc::default(), told: Cell::new(0), limit, overrun }
    }
}

/// Room for a bitmap of RGBA8. `None` ends the run: even without the canvases nobody holds there is none.
pub fn charge(scope: &mut v8::PinScope<'_, '_>, state: &mut OpState, width: u32, height: u32) -> Option<Charge> {
    let bytes = 4 * u64::from(width.max(1)) * u64::from(height.max(1));
    let bitmaps = state.borrow::<Bitmaps>();
    let fits = || bitmaps.used.get().saturating_add(bytes) <= bitmaps.limit;
    if !fits() {
        scope.low_memory_notification();
    }
    if !fits() {
        let asked = state.borrow::<LastAsked>().0.clone();
        bitmaps.overrun.stop(scope, Use::Canvases, asked);
        return None;
    }
    let used = bitmaps.used.get() + bytes;
    bitmaps.used.set(used);
    let change = used as i64 - bitmaps.told.replace(used) as i64;
    let charge = Charge { used: bitmaps.used.clone(), bytes };
    scope.adjust_amount_of_external_allocated_memory(change);
    state.borrow_mut::<Handed>().canvases = used;
    Some(charge)
}
