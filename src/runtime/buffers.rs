//! Memory of ArrayBuffers, with a cap. V8 then asks for its near-heap-limit callback, which ends the run with a clear message.
#![expect(unsafe_code, reason = "V8 takes raw memory")]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use deno_core::v8;

/// Bytes in use and the most there may be.
pub(super) struct Budget {
    used: AtomicUsize,
    limit: usize,
    /// Was the last request refused?
    refused: AtomicBool,
}

impl Budget {
    pub(super) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self { used: AtomicUsize::new(0), limit, refused: AtomicBool::new(false) })
    }

    pub(super) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Is it an ArrayBuffer that V8 has no room for, rather than an object?
    pub(super) fn refused(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }
}

/// Typed arrays of SIMD types want 16.
const ALIGN: usize = 16;

/// An allocator that refuses beyond the budget.
pub(super) fn allocator(budget: Arc<Budget>) -> v8::UniqueRef<v8::Allocator> {
    // SAFETY: the handle is an `Arc` that `drop_budget` takes back; the functions keep V8's contract.
    unsafe { v8::new_rust_allocator(Arc::into_raw(budget), &VTABLE) }
}

static VTABLE: v8::RustAllocatorVtable<Budget> =
    v8::RustAllocatorVtable { allocate, allocate_uninitialized: allocate, free, drop: drop_budget };

/// Zeroed memory in any case: uninitialised bytes would make a run depend on the last one.
unsafe extern "C" fn allocate(budget: &Budget, len: usize) -> *mut c_void {
    let within = |used: usize| used.checked_add(len).filter(|&total| total <= budget.limit);
    let refused = budget.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, within).is_err();
    budget.refused.store(refused, Ordering::Relaxed);
    if refused {
        return std::ptr::null_mut();
    }
    let Ok(layout) = Layout::from_size_align(len.max(1), ALIGN) else { return std::ptr::null_mut() };
    // SAFETY: the layout's size is not zero.
    let data = unsafe { alloc_zeroed(layout) };
    if data.is_null() {
        budget.used.fetch_sub(len, Ordering::Relaxed);
    }
    data.cast()
}

unsafe extern "C" fn free(budget: &Budget, data: *mut c_void, len: usize) {
    if data.is_null() {
        return;
    }
    budget.used.fetch_sub(len, Ordering::Relaxed);
    if let Ok(layout) = Layout::from_size_align(len.max(1), ALIGN) {
        // SAFETY: V8 gives back what `allocate` gave, with its length.
        unsafe { dealloc(data.cast(), layout) }
    }
}

unsafe extern "C" fn drop_budget(budget: *const Budget) {
    // SAFETY: made by `Arc::into_raw` in `allocator`, dropped once.
    drop(unsafe { Arc::from_raw(budget) });
}
