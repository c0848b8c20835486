//! Virtual time for the page.

use deno_core::{OpState, op2};

use crate::clock::{Clock, Timers};

#[op2(fast)]
pub fn op_now_ms(state: &mut OpState) -> f64 {
    state.borrow::<Clock>().now_ms()
}

#[op2(fast)]
pub fn op_date_ms(state: &mut OpState) -> f64 {
    state.borrow::<Clock>().date_ms() as f64
}

#[op2(fast)]
pub fn op_time_origin(state: &mut OpState) -> f64 {
    state.borrow::<Clock>().epoch_ms() as f64
}

/// Sets a timer; 0 when there are too many.
#[op2(fast)]
pub fn op_timer_set(state: &mut OpState, delay_ms: u32) -> u32 {
    let clock = state.borrow::<Clock>().clone();
    state.borrow_mut::<Timers>().set(&clock, delay_ms).unwrap_or(0)
}

/// Sets interval `id` again.
#[op2(fast)]
pub fn op_timer_again(state: &mut OpState, id: u32, delay_ms: u32) {
    let clock = state.borrow::<Clock>().clone();
    state.borrow_mut::<Timers>().put(&clock, id, delay_ms);
}

#[op2(fast)]
pub fn op_timer_cancel(state: &mut OpState, id: u32) {
    state.borrow_mut::<Timers>().cancel(id);
}
