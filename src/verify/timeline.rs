//! When the samples of a track are shown: through edit lists, exactly.

use super::mp4::{Sample, Track};
use crate::rules::Ratio;

/// A track on the movie's time axis. All times in seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// Samples that are shown or heard at least in part.
    pub presented: u64,
    /// When the first of them begins.
    pub start: Ratio,
    /// How long they last together, pauses between edits included.
    pub duration: Ratio,
    /// All samples' durations together, whatever the edit list makes of them.
    pub media: Ratio,
    /// Media time at which the first edit begins, less the first composition time: what is cut off in front.
    pub trimmed: Ratio,
    /// What the edit list adds to media time in front: time on the movie's axis less time in the media.
    pub shift: Ratio,
    /// Are samples presented in another order than they are decoded?
    pub reordered: bool,
    pub rate: FrameRate,
}

/// The spacing of the samples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameRate {
    /// Does every sample last equally long, in decoding and in presentation, as exactly as the timescale can say?
    pub constant: bool,
    /// Samples a second, if constant.
    pub exact: Option<Ratio>,
    /// Samples over the sum of their durations.
    pub mean: Ratio,
    pub shortest: Ratio,
    pub longest: Ratio,
    /// Samples whose duration is not the commonest one.
    pub irregular: u64,
    /// The first of them in presentation order.
    pub first_irregular: Option<u64>,
}

impl Timeline {
    /// `movie_scale`: ticks a second of edit durations.
    pub fn of(track: &Track, movie_scale: u32) -> Self {
        let scale = i128::from(track.timescale);
        let mut times: Vec<(i128, u32)> = track.samples.iter().map(|s| (s.composition_time(), s.duration)).collect();
        let reordered = !times.is_sorted_by_key(|(t, _)| *t);
        times.sort_by_key(|(t, _)| *t);
        let media: u128 = track.samples.iter().map(|s| u128::from(s.duration)).sum();
        let media = i128::try_from(media).unwrap_or(i128::MAX);
        let first = times.first().map_or(0, |(t, _)| *t);
        let end = times.last().map_or(0, |(t, d)| t + i128::from(*d));
        let shown = present(track, movie_scale, &times, first, end);
        Self {
            presented: shown.samples,
            start: shown.start,
            duration: shown.duration,
            media: Ratio::new(media, scale),
            trimmed: shown.trimmed,
            shift: shown.shift,
            reordered,
            rate: FrameRate::of(&track.samples, &times, media, track.timescale),
        }
    }

    pub fn end(&self) -> Ratio {
        self.start.plus(self.duration)
    }
}

struct Shown {
    samples: u64,
    start: Ratio,
    duration: Ratio,
    trimmed: Ratio,
    shift: Ratio,
}

/// Plays the edit list over the samples, which are sorted by composition time.
fn present(track: &Track, movie_scale: u32, times: &[(i128, u32)], first: i128, end: i128) -> Shown {
    let scale = i128::from(track.timescale);
    let movie = i128::from(movie_scale);
    let seconds = |ticks: i128| Ratio::new(ticks, scale);
    if track.edits.is_empty() || times.is_empty() {
        let duration = if times.is_empty() { Ratio::ZERO } else { seconds(end - first) };
        let start = if times.is_empty() { Ratio::ZERO } else { seconds(first) };
        let (trimmed, shift) = (Ratio::ZERO, Ratio::ZERO);
        return Shown { samples: times.len() as u64, start, duration, trimmed, shift };
    }
    let tick = Ratio::new(1, movie);
    let (mut now, mut start, mut trimmed, mut shift) = (Ratio::ZERO, None, Ratio::ZERO, Ratio::ZERO);
    let mut ranges: Vec<(i128, i128)> = Vec::new();
    for edit in &track.edits {
        let length = Ratio::new(i128::from(edit.duration), movie);
        if edit.media_time < 0 {
            now = now.plus(length);
            continue;
        }
        let from = i128::from(edit.media_time);
        let rest = seconds((end - from).max(0));
        // Edit durations are rounded to the movie's ticks where those can't say them. 0 in front of fragments means: to the
        // end.
        let rounded = rest.times(Ratio::int(movie)).den() != 1;
        let near = length.minus(rest).abs();
        let whole = edit.duration == 0 || (edit.rate != 0 && near <= tick && (rounded || near == Ratio::ZERO));
        let length = if whole { rest } else { length };
        if start.is_none() {
            // Where the media begins later than the edit, nothing is shown until it does.
            let late = if edit.rate != 0 { seconds((first - from).max(0)) } else { Ratio::ZERO };
            start = Some((now.plus(late), late));
            trimmed = seconds((from - first).max(0));
            shift = now.minus(seconds(from));
        }
        now = now.plus(length);
        let to = if edit.rate == 0 {
            from + 1
        } else if whole {
            end
        } else {
            // The first tick that is no more shown.
            let ticks = length.times(Ratio::int(scale));
            from + (ticks.num() + ticks.den() - 1) / ticks.den()
        };
        ranges.push((from, to));
    }
    let (start, late) = start.unwrap_or((now, Ratio::ZERO));
    ranges.sort_unstable();
    let mut samples = 0u64;
    let mut counted = i128::MIN;
    for (from, to) in ranges {
        // A sample is shown until the next one is.
        let at_or_before = times.partition_point(|(t, _)| *t <= from);
        let low = at_or_before.saturating_sub(1);
        let ends = |i: usize| times.get(i + 1).map_or(end, |(t, _)| *t);
        let low = if at_or_before > 0 && ends(low) > from { low } else { at_or_before } as i128;
        let high = times.partition_point(|(t, _)| *t < to) as i128;
        let low = low.max(counted);
        samples += u64::try_from(high - low).unwrap_or(0);
        counted = counted.max(high);
    }
    let first_shown = start.minus(late);
    Shown { samples, start, duration: now.minus(first_shown).minus(late), trimmed, shift }
}

/// Frame rates that a coarse timescale may be meant to stand for, thousandths aside.
const NTSC: [i128; 5] = [24, 30, 48, 60, 120];

impl FrameRate {
    fn of(samples: &[Sample], times: &[(i128, u32)], media: i128, timescale: u32) -> Self {
        let scale = i128::from(timescale);
        let gaps = || {
            let next = times.iter().skip(1).map(|(t, _)| *t);
            times.iter().zip(next).map(|((t, _), next)| next - t).chain(times.last().map(|(_, d)| i128::from(*d)))
        };
        let mut sorted: Vec<i128> = gaps().collect();
        sorted.sort_unstable();
        let (mut common, mut most, mut run) = (0, 0, 0);
        let mut before = None;
        for &gap in &sorted {
            run = if before == Some(gap) { run + 1 } else { 1 };
            before = Some(gap);
            if run > most {
                (common, most) = (gap, run);
            }
        }
        let even = sorted.first() == sorted.last() && common > 0;
        let even = even && samples.iter().all(|s| i128::from(s.duration) == common);
        let exact = if even { Some(Ratio::new(scale, common)) } else { rounded_rate(samples, times, media, scale) };
        let count = i128::try_from(times.len()).unwrap_or(i128::MAX);
        Self {
            constant: exact.is_some(),
            exact,
            mean: Ratio::new(count.saturating_mul(scale), media),
            shortest: Ratio::new(sorted.first().copied().unwrap_or(0), scale),
            longest: Ratio::new(sorted.last().copied().unwrap_or(0), scale),
            irregular: if exact.is_some() { 0 } else { sorted.len() as u64 - most },
            first_irregular: if exact.is_some() {
                None
            } else {
                gaps().position(|gap| gap != common).map(|i| i as u64)
            },
        }
    }
}

/// A frame must last at least as many ticks for their rounding to be no matter.
const COARSEST: i128 = 8;

/// The rate whose frame times, rounded to ticks in one way or another, are these: the timescale can't say them exactly.
fn rounded_rate(samples: &[Sample], times: &[(i128, u32)], media: i128, scale: i128) -> Option<Ratio> {
    let count = i128::try_from(times.len()).ok().filter(|&n| n > 1)?;
    let mean = Ratio::new(count * scale, media);
    let whole = (mean.to_f64().round() as i128).max(1);
    let ntsc = NTSC.map(|rate| Ratio::new(rate * 1000, 1001));
    let fits = |rate: &Ratio| {
        let period = Ratio::int(scale).times(rate.recip());
        // A rate whose frame the timescale can say is either exact, or not it.
        if period.den() == 1 || period < Ratio::int(COARSEST) {
            return false;
        }
        // However times are rounded, their errors lie within one tick of each other.
        let within = |times: &mut dyn Iterator<Item = i128>| {
            let (mut low, mut high) = (i128::MAX, i128::MIN);
            for (index, time) in (0i128..).zip(times) {
                let (Some(time), Some(ideal)) = (time.checked_mul(period.den()), index.checked_mul(period.num()))
                else {
                    return false;
                };
                let error = time.saturating_sub(ideal);
                (low, high) = (low.min(error), high.max(error));
            }
            high.saturating_sub(low) < period.den()
        };
        let first = times.first().map_or(0, |(t, _)| *t);
        within(&mut times.iter().map(|(t, _)| t - first).chain([media]))
            && within(&mut samples.iter().map(|s| i128::from(s.decode_time)))
    };
    [Ratio::int(whole)].into_iter().chain(ntsc).find(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::mp4::{Edit, Kind};

    /// A track of timescale `scale` with samples of these durations and composition offsets.
    fn track(scale: u32, samples: &[(u32, i32)], edits: &[(u64, i64)]) -> Track {
        let mut decode_time = 0;
        let samples = samples
            .iter()
            .map(|&(duration, offset)| {
                let sample = Sample { at: 0, size: 1, duration, decode_time, offset, sync: true, entry: 0 };
                decode_time += u64::from(duration);
                sample
            })
            .collect();
        let edit = |&(duration, media_time)| Edit { duration, media_time, rate: 0x1_0000 };
        Track {
            id: 1,
            enabled: true,
            kind: Kind::Video,
            duration: None,
            width: 0,
            height: 0,
            matrix: [0; 4],
            timescale: scale,
            media_duration: None,
            edits: edits.iter().map(edit).collect(),
            entries: Vec::new(),
            samples,
            whole_chunks: false,
            defects: Vec::new(),
        }
    }

    fn seconds(num: i128, den: i128) -> Ratio {
        Ratio::new(num, den)
    }

    #[test]
    fn b_pictures_shifted_back_by_an_edit_are_a_constant_rate() {
        // I P B B of 30 fps in ticks of 1/15360, all shown two frames late, the edit takes that back.
        let samples = [(512, 1024), (512, 2048), (512, 512), (512, 512)];
        let line = Timeline::of(&track(15_360, &samples, &[(133, 1024)]), 1000);
        assert!(line.reordered);
        // 133/1000 s is 4/30 s in the movie's ticks.
        assert_eq!((line.presented, line.start, line.duration), (4, Ratio::ZERO, seconds(4, 30)));
        assert_eq!(line.trimmed, Ratio::ZERO);
        assert_eq!((line.rate.constant, line.rate.exact), (true, Some(Ratio::int(30))));
    }

    #[test]
    fn one_long_frame_makes_the_rate_variable_though_the_mean_stays() {
        let mut samples = vec![(1, 0); 60];
        samples[20].0 = 2;
        samples[40].0 = 0;
        let line = Timeline::of(&track(30, &samples, &[]), 1000);
        assert_eq!(line.rate.mean, Ratio::int(30));
        assert_eq!((line.rate.constant, line.rate.irregular, line.rate.first_irregular), (false, 2, Some(20)));
        assert_eq!((line.rate.shortest, line.rate.longest), (Ratio::ZERO, seconds(1, 15)));
    }

    #[test]
    fn a_timescale_too_coarse_for_the_rate_is_told_from_a_variable_rate() {
        // 30 fps in milliseconds: 33, 33, 34.
        let stamps: Vec<u32> = (0..=90u32).map(|i| (f64::from(i) * 1000.0 / 30.0).round() as u32).collect();
        let samples: Vec<_> = stamps.windows(2).map(|w| (w[1] - w[0], 0)).collect();
        let line = Timeline::of(&track(1000, &samples, &[]), 1000);
        assert_eq!((line.rate.constant, line.rate.exact), (true, Some(Ratio::int(30))));
        // 30000/1001 in ticks of 1/600: 20.02 ticks a frame.
        let stamps: Vec<u32> = (0..=300u32).map(|i| (f64::from(i) * 20.02).round() as u32).collect();
        let samples: Vec<_> = stamps.windows(2).map(|w| (w[1] - w[0], 0)).collect();
        let line = Timeline::of(&track(600, &samples, &[]), 1000);
        assert_eq!(line.rate.exact, Some(seconds(30_000, 1001)));
        // Two milliseconds of jitter are no rounding.
        let samples: Vec<_> = (0..90).map(|i| if i % 2 == 0 { (31, 0) } else { (35, 0) }).collect();
        assert!(!Timeline::of(&track(1000, &samples, &[]), 1000).rate.constant);
    }

    #[test]
    fn edits_decide_what_is_shown_and_when() {
        let ten = [(10, 0); 10];
        // A pause of 0.5 s, then from 2.5 s on: the third sample is seen in part.
        let line = Timeline::of(&track(10, &ten, &[(500, -1), (7500, 25)]), 1000);
        assert_eq!((line.presented, line.start, line.duration), (8, seconds(1, 2), seconds(15, 2)));
        assert_eq!((line.end(), line.trimmed), (Ratio::int(8), seconds(5, 2)));
        // A piece from the middle: 2.0 to 4.5 s touches three samples.
        let line = Timeline::of(&track(10, &ten, &[(2500, 20)]), 1000);
        assert_eq!((line.presented, line.duration), (3, seconds(5, 2)));
        // Two pieces that overlap count no sample twice.
        let line = Timeline::of(&track(10, &ten, &[(3000, 0), (3000, 20)]), 1000);
        assert_eq!((line.presented, line.duration), (5, Ratio::int(6)));
        // No edit list: the first picture's composition offset delays it.
        let line = Timeline::of(&track(10, &[(10, 5), (10, 5)], &[]), 1000);
        assert_eq!((line.presented, line.start, line.duration), (2, seconds(1, 2), Ratio::int(2)));
        // In front of fragments, a duration of 0 means all there is.
        let line = Timeline::of(&track(10, &ten, &[(0, 0)]), 1000);
        assert_eq!((line.presented, line.duration), (10, Ratio::int(10)));
        // AAC priming: 1024 of 3 * 1024 values are left out.
        let line = Timeline::of(&track(48_000, &[(1024, 0); 3], &[(43, 1024)]), 1000);
        assert_eq!((line.trimmed, line.duration), (seconds(1024, 48_000), seconds(2048, 48_000)));
        assert_eq!(Timeline::of(&track(10, &[], &[(0, 0)]), 1000).duration, Ratio::ZERO);
    }
}
