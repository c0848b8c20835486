//! Virtual time: frame index in, exact time out; no floats until the edge to JavaScript.
//!
//! One tick is 1/(1000 × fps.num) s, so that both whole milliseconds (timer delays) and whole frames
//! are whole numbers of ticks. Knows nothing of the machine's clocks.

mod rational;
mod timers;

pub use rational::{ParseRationalError, Rational};
pub use timers::Timers;

/// A point in virtual time, in ticks of the [`Clock`] it came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tick(u128);

/// The one clock of a run: it moves only when the frame loop says so, and never backwards.
#[derive(Clone, Debug)]
pub struct Clock {
    fps: Rational,
    now: Tick,
    epoch_ms: u64,
}

/// 2026-01-01T00:00:00Z, in ms: what `Date.now()` says at load unless settings say otherwise.
pub const DEFAULT_EPOCH_MS: u64 = 1_767_225_600_000;

impl Clock {
    /// A clock standing at load time; `epoch_ms` is what `Date.now()` gives then.
    pub fn new(fps: Rational, epoch_ms: u64) -> Self {
        Self { fps, now: Tick(0), epoch_ms }
    }

    pub fn fps(&self) -> Rational {
        self.fps
    }

    pub fn now(&self) -> Tick {
        self.now
    }

    /// When frame `index` is shown: exactly `index / fps` after load.
    pub fn frame_time(&self, index: u64) -> Tick {
        Tick(u128::from(index) * u128::from(self.fps.den()) * 1000)
    }

    /// `at` plus whole milliseconds.
    pub fn after_ms(&self, at: Tick, ms: u32) -> Tick {
        Tick(at.0 + u128::from(ms) * u128::from(self.fps.num()))
    }

    /// Moves to `to`; a time already past leaves the clock where it is.
    pub fn advance(&mut self, to: Tick) {
        self.now = self.now.max(to);
    }

    /// Milliseconds since load: the double nearest to the exact time.
    pub fn millis(&self, at: Tick) -> f64 {
        let unit = u128::from(self.fps.num());
        let (whole, rest) = (at.0 / unit, at.0 % unit);
        if rest == 0 {
            return whole as f64;
        }
        // Both operands are exact below 2^53 (285,000 years at 1/1000 ms), and IEEE division rounds correctly.
        at.0 as f64 / unit as f64
    }

    /// `performance.now()`.
    pub fn now_ms(&self) -> f64 {
        self.millis(self.now)
    }

    /// `performance.timeOrigin`.
    pub fn epoch_ms(&self) -> u64 {
        self.epoch_ms
    }

    /// `Date.now()`: whole milliseconds, rounded down.
    pub fn date_ms(&self) -> u64 {
        self.epoch_ms + u64::try_from(self.now.0 / u128::from(self.fps.num())).unwrap_or(u64::MAX / 2)
    }

    /// Seconds at frame `index`, as the double nearest to `index / fps`.
    pub fn frame_seconds(&self, index: u64) -> f64 {
        (u128::from(index) * u128::from(self.fps.den())) as f64 / f64::from(self.fps.num())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(text: &str) -> Rational {
        text.parse().expect("a rate")
    }

    #[test]
    fn reads_rates_in_three_notations() {
        assert_eq!(rate("30"), Rational::new(30, 1).expect("rate"));
        assert_eq!(rate("60000/1001").to_string(), "60000/1001");
        assert_eq!(rate("23.976").to_string(), "2997/125");
        assert_eq!(rate("12.50").to_string(), "25/2");
        for bad in ["", "0", "30/0", "-1", "1e3", "NaN", "1/2/3", "1.2.3", "99999999999"] {
            assert!(bad.parse::<Rational>().is_err(), "{bad}");
        }
    }

    #[test]
    fn frames_fall_on_exact_times() {
        let ntsc = Clock::new(rate("30000/1001"), 0);
        // 30000 frames at 30000/1001 take exactly 1001 s.
        assert_eq!(ntsc.millis(ntsc.frame_time(30_000)), 1_001_000.0);
        let clock = Clock::new(rate("30"), 0);
        assert_eq!(clock.millis(clock.frame_time(1)), 1000.0 / 30.0);
        assert_eq!(clock.millis(clock.frame_time(1739)), 1_739_000.0 / 30.0);
        assert_eq!(clock.after_ms(clock.frame_time(0), 100), clock.frame_time(3));
        assert_eq!(clock.frame_seconds(45), 1.5);
    }

    #[test]
    fn never_runs_backwards() {
        let mut clock = Clock::new(rate("25"), DEFAULT_EPOCH_MS);
        clock.advance(clock.frame_time(2));
        clock.advance(clock.frame_time(1));
        assert_eq!(clock.now_ms(), 80.0);
        assert_eq!(clock.date_ms(), DEFAULT_EPOCH_MS + 80);
    }
}
