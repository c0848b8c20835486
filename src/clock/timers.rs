use std::collections::BTreeMap;

use super::{Clock, Tick};

/// What is due when: timers in order of time, then of setting.
#[derive(Debug, Default)]
pub struct Timers {
    due: BTreeMap<(Tick, u64), u32>,
    by_id: BTreeMap<u32, (Tick, u64)>,
    next_id: u32,
    next_order: u64,
}

/// Most timers waiting at once: a guard against runaway programs.
const MAX_TIMERS: usize = 1_000_000;

impl Timers {
    /// Sets a timer `delay_ms` from now; gives its id (from 1), or `None` when there are too many.
    pub fn set(&mut self, clock: &Clock, delay_ms: u32) -> Option<u32> {
        if self.due.len() >= MAX_TIMERS {
            return None;
        }
        self.next_id = self.next_id.checked_add(1)?;
        self.put(clock, self.next_id, delay_ms);
        Some(self.next_id)
    }

    /// Sets timer `id` again, `delay_ms` from now (intervals).
    pub fn put(&mut self, clock: &Clock, id: u32, delay_ms: u32) {
        self.cancel(id);
        let key = (clock.after_ms(clock.now(), delay_ms), self.next_order);
        self.next_order += 1;
        self.due.insert(key, id);
        self.by_id.insert(id, key);
    }

    /// Forgets timer `id`, if it waits.
    pub fn cancel(&mut self, id: u32) {
        if let Some(key) = self.by_id.remove(&id) {
            self.due.remove(&key);
        }
    }

    /// Takes the first timer due at or before `limit`, with its time.
    pub fn take_due(&mut self, limit: Tick) -> Option<(Tick, u32)> {
        let (&(at, order), &id) = self.due.first_key_value()?;
        if at > limit {
            return None;
        }
        self.due.remove(&(at, order));
        self.by_id.remove(&id);
        Some((at, id))
    }

    /// When the first timer is due.
    pub fn first_due(&self) -> Option<Tick> {
        self.due.first_key_value().map(|(&(at, _), _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Rational;

    #[test]
    fn fire_by_time_then_by_order() {
        let clock = Clock::new(Rational::new(30, 1).expect("rate"), 0);
        let mut timers = Timers::default();
        let late = timers.set(&clock, 20).expect("id");
        let first = timers.set(&clock, 10).expect("id");
        let second = timers.set(&clock, 10).expect("id");
        let gone = timers.set(&clock, 5).expect("id");
        timers.cancel(gone);
        let limit = clock.frame_time(1);
        let fired: Vec<u32> = std::iter::from_fn(|| timers.take_due(limit).map(|(_, id)| id)).collect();
        assert_eq!(fired, [first, second, late]);
        timers.set(&clock, 34);
        assert_eq!(timers.take_due(limit), None, "34 ms lie after 1/30 s");
    }
}
