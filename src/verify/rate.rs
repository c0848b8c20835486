//! The bits that lie in any one second of decode time.

use super::mp4::Track;
use super::timeline::Timeline;
use crate::rules::Ratio;

/// Bits a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct BitRate {
    /// All bits over the duration.
    pub mean: Ratio,
    /// The most that any window of one second holds, half open, wherever it begins.
    pub peak: u64,
    /// Seconds of decode time at which such a window begins first.
    pub peak_at: Ratio,
}

/// Of these tracks together, each moved to where its edit list puts it; `duration` in seconds.
pub fn measure(tracks: &[(&Track, &Timeline)], duration: Ratio) -> BitRate {
    let scale = common_scale(tracks.iter().map(|(track, _)| track.timescale));
    let mut samples: Vec<(i128, u64)> = Vec::with_capacity(tracks.iter().map(|(t, _)| t.samples.len()).sum());
    for (track, timeline) in tracks {
        // Whole, since the common scale is a multiple of the track's and nearly always of the movie's.
        let shift = timeline.shift.times(Ratio::int(scale));
        let shift = shift.num().div_euclid(shift.den());
        let timescale = i128::from(track.timescale);
        samples.extend(track.samples.iter().map(|s| {
            let at = i128::from(s.decode_time).saturating_mul(scale).div_euclid(timescale).saturating_add(shift);
            (at, u64::from(s.size).saturating_mul(8))
        }));
    }
    samples.sort_unstable_by_key(|(at, _)| *at);
    let (peak, at) = peak(&samples, scale);
    let bits: u128 = samples.iter().map(|(_, bits)| u128::from(*bits)).sum();
    let bits = Ratio::int(i128::try_from(bits).unwrap_or(i128::MAX));
    BitRate { mean: bits.times(duration.recip()), peak, peak_at: Ratio::new(at, scale) }
}

/// Ticks a second in which the times of all tracks are whole; a nanosecond if there are no sensible ones.
fn common_scale(timescales: impl Iterator<Item = u32>) -> i128 {
    const MOST: i128 = 1 << 48;
    let multiple = |a: i128, b: i128| {
        let (mut x, mut y) = (a, b);
        while y != 0 {
            (x, y) = (y, x % y);
        }
        a / x.max(1) * b
    };
    let scale = timescales.fold(1, |scale, next| if scale > MOST { scale } else { multiple(scale, next.into()) });
    if scale > MOST { 1_000_000_000 } else { scale }
}

/// The most bits in `[t, t + window)` and the first such `t`; `samples` are sorted by time.
fn peak(samples: &[(i128, u64)], window: i128) -> (u64, i128) {
    let (mut most, mut at, mut sum, mut last) = (0u64, 0, 0u64, 0usize);
    // A window that holds the most can be moved until it begins with a sample.
    for &(start, bits) in samples {
        while let Some((time, bits)) = samples.get(last).filter(|(time, _)| *time < start.saturating_add(window)) {
            let _ = time;
            sum = sum.saturating_add(*bits);
            last += 1;
        }
        if sum > most {
            (most, at) = (sum, start);
        }
        sum = sum.saturating_sub(bits);
    }
    (most, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_slides_and_is_half_open() {
        // One bit every tenth of a second, but ten at 0.95 s: only windows from 0 to 0.9 can hold it, each has 10 + 9 others
        // or, between 0.95's neighbours, 10 + 10.
        let even: Vec<(i128, u64)> = (0..40).map(|i| (i * 10, 1)).collect();
        assert_eq!(peak(&even, 100), (10, 0), "the sample a second later is outside");
        let mut burst = even.clone();
        burst.insert(10, (95, 10));
        assert_eq!(peak(&burst, 100), (20, 0));
        // Two bursts 0.9 s apart across what whole seconds would cut: [1.5, 2.4].
        let cut = [(0, 1), (150, 100), (240, 100), (250, 100)];
        assert_eq!(peak(&cut, 100), (200, 150), "2.5 s is a second after 1.5 s");
        assert_eq!(peak(&[(0, 1), (150, 100), (240, 100), (249, 100)], 100), (300, 150));
        assert_eq!(peak(&[], 100), (0, 0));
    }
}
