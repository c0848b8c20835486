//! When the frames of an output are shown.

#![expect(clippy::disallowed_methods, reason = "an output the user named")]

use std::fs;
use std::path::Path;

use super::mp4::{FileInput, Kind, Movie};
use crate::frame::FrameRate;

/// When each frame begins, in presentation order from 0, and when the last one ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameTimes {
    /// Ticks in a second; at least 1.
    pub scale: u64,
    /// A tick per frame, rising.
    pub starts: Vec<u64>,
    pub end: u64,
}

impl FrameTimes {
    /// `frames` frames at a constant rate.
    pub fn constant(rate: FrameRate, frames: u64) -> Self {
        let tick = |frame: u64| frame.saturating_mul(u64::from(rate.den()));
        Self { scale: u64::from(rate.num()), starts: (0..frames).map(tick).collect(), end: tick(frames) }
    }

    /// Of an output with `frames` pictures, as [`super::Source`] opens it: of a video what its tables say, of a render's
    /// PNG files what its manifest says. `None` for pictures that tell nothing, and for videos that can't be read.
    pub fn of(output: &Path, frames: u64) -> Option<Self> {
        if output.is_file() {
            return Self::of_video(output);
        }
        let videos = ["video.mp4", "video.incomplete.mp4"].map(|name| output.join(name));
        if let Some(video) = videos.iter().find(|video| video.is_file() && !output.join("frames").is_dir()) {
            return Self::of_video(video);
        }
        let manifest: serde_json::Value = serde_json::from_slice(&fs::read(output.join("manifest.json")).ok()?).ok()?;
        let rate = serde_json::from_value(manifest.pointer("/settings/fps")?.clone()).ok()?;
        Some(Self::constant(rate, frames))
    }

    fn of_video(path: &Path) -> Option<Self> {
        let movie = Movie::read(&FileInput::open(path).ok()?).ok()?;
        let track = movie.track(Kind::Video)?;
        // `Source` leaves empty samples out too.
        let samples = track.samples.iter().filter(|s| s.size > 0).map(|s| (s.composition_time(), s.duration));
        Some(Self::of_samples(track.timescale, samples.collect()))
    }

    /// From when each sample is shown and how long it lasts; edit lists are left out, so the first frame begins at 0.
    fn of_samples(scale: u32, mut samples: Vec<(i128, u32)>) -> Self {
        samples.sort_unstable();
        let first = samples.first().map_or(0, |(at, _)| *at);
        let tick = |at: i128| u64::try_from(at - first).unwrap_or(u64::MAX);
        let starts: Vec<u64> = samples.iter().map(|(at, _)| tick(*at)).collect();
        let end = samples.last().map_or(0, |(at, lasts)| tick(*at).saturating_add(u64::from(*lasts)));
        Self { scale: u64::from(scale.max(1)), starts, end }
    }

    /// Seconds at which frame `index` begins; `None` after the last.
    pub fn seconds(&self, index: u64) -> Option<f64> {
        let start = self.starts.get(usize::try_from(index).ok()?)?;
        Some(*start as f64 / self.scale as f64)
    }

    /// The frame on screen at `num / den` seconds; `None` from the end on.
    pub fn frame_at(&self, num: u64, den: u64) -> Option<u64> {
        let tick = u128::from(num) * u128::from(self.scale) / u128::from(den.max(1));
        self.frame_at_tick(u64::try_from(tick).ok()?)
    }

    /// The frame on screen at a tick; `None` from the end on.
    pub fn frame_at_tick(&self, tick: u64) -> Option<u64> {
        let begun = self.starts.partition_point(|&start| start <= tick);
        (tick < self.end).then_some(begun.saturating_sub(1) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_on_screen_is_the_last_that_has_begun() {
        let line = FrameTimes::constant(FrameRate::new(30, 1).unwrap(), 1740);
        // 3.625 s = 108.75 frames.
        assert_eq!(line.frame_at(3625, 1000), Some(108));
        assert_eq!(line.frame_at(108, 30), Some(108));
        assert_eq!(line.frame_at(57_999, 1000), Some(1739));
        assert_eq!(line.frame_at(58, 1), None);
        assert_eq!(line.seconds(1739), Some(1739.0 / 30.0));
        assert_eq!(line.seconds(1740), None);
    }

    #[test]
    fn reordered_and_uneven_samples_come_in_presentation_order() {
        let line = FrameTimes::of_samples(10, vec![(10, 10), (40, 10), (30, 10), (45, 30)]);
        assert_eq!(line, FrameTimes { scale: 10, starts: vec![0, 20, 30, 35], end: 65 });
        assert_eq!(FrameTimes::of_samples(0, Vec::new()), FrameTimes { scale: 1, starts: Vec::new(), end: 0 });
    }
}
