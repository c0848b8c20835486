//! H.264 High by openh264: CABAC, 4:2:0, square pixels, BT.709 limited, constant frame rate.
//!
//! openh264 is used as a coder of single pictures at a quantiser we choose; key frames, rate control
//! and the sequence parameter set are ours. Slices are fixed by the picture's size, so threads never
//! change a byte.

mod ffi;
pub mod level;
pub mod sps;

use std::collections::VecDeque;

use super::activity::Activity;
use super::rate::{PictureKind, RateControl, RateLimits};
use super::{EncodeError, Packet, VideoConfig, VideoEncoder, VideoSettings};
use crate::frame::Yuv420;
use ffi::{Coded, Coder};
use sps::Sps;

/// openh264 takes no larger picture (its README).
const MAX_LONG: u32 = 3840;
const MAX_SHORT: u32 = 2160;
/// Sides of the blocks a picture is averaged over while no quantiser keeps it under its cap: only
/// near-noise at full size gets past the first. The last leaves one colour.
const BLOCKS: [usize; 7] = [1, 2, 4, 8, 16, 64, 16384];
/// A quantiser at which averaged pictures have bits to spare for finer blocks.
const SPARE_QP: u8 = 34;

pub struct H264Encoder {
    coder: Coder,
    settings: VideoSettings,
    control: RateControl,
    level: u8,
    key_interval: u64,
    since_key: u64,
    sent: u64,
    /// Luma of the picture coded last.
    before: Vec<u8>,
    /// Index into [`BLOCKS`] the last picture needed, and its quantiser.
    blocks: usize,
    qp: u8,
    queue: VecDeque<Packet>,
    config: Option<VideoConfig>,
    degraded: Vec<u64>,
}

impl H264Encoder {
    /// # Errors
    /// The size is odd or above 3840×2160 in either orientation, no H.264 level covers it, or the
    /// library cannot be opened.
    pub fn new(settings: VideoSettings) -> Result<Self, EncodeError> {
        let (w, h) = (settings.width, settings.height);
        let invalid = |what, value: String, limit: &str| {
            Err(EncodeError::InvalidConfig { codec: "H.264", what, value, limit: limit.to_owned() })
        };
        if w % 2 != 0 || h % 2 != 0 || w < 16 || h < 16 {
            return invalid("the size", format!("{w}x{h}"), "even sides of 16 pixels or more");
        }
        if w.max(h) > MAX_LONG || w.min(h) > MAX_SHORT {
            return invalid("the size", format!("{w}x{h}"), "at most 3840x2160 or 2160x3840 (try --codec av1)");
        }
        if settings.max_bits_per_second < 50_000 {
            return invalid("the bit-rate limit", settings.max_bits_per_second.to_string(), "at least 50000");
        }
        let Some(level) = level::choose(w, h, settings.fps, settings.max_bits_per_second) else {
            return invalid("the frame rate", settings.fps.to_string(), "what level 6.2 allows at this size");
        };
        let control = RateControl::new(RateLimits {
            window: settings.fps.frames_in_a_second(),
            window_bits: settings.max_bits_per_second,
            total_bits: settings.max_total_bits,
            frames: settings.frames,
            pixels: u64::from(w) * u64::from(h),
        });
        let coder = Coder::open(w, h, settings.fps.as_f64(), level, settings.threads)?;
        let key_interval = (2 * u64::from(settings.fps.num()) / u64::from(settings.fps.den())).max(1);
        Ok(Self {
            coder,
            settings,
            control,
            level,
            key_interval,
            since_key: 0,
            sent: 0,
            before: Vec::new(),
            blocks: 0,
            qp: 0,
            queue: VecDeque::new(),
            config: None,
            degraded: Vec::new(),
        })
    }

    /// Codes one picture within its cap: as planned, else alone and coarser, else averaged over blocks.
    fn code(&mut self, picture: &Yuv420) -> Result<Coded, EncodeError> {
        let due = self.sent == 0 || self.since_key >= self.key_interval;
        let measured = self.activity(picture);
        let cut = measured.is_cut();
        if cut {
            self.blocks = 0;
        } else if due && self.qp <= SPARE_QP {
            self.blocks = self.blocks.saturating_sub(1);
        }
        let mut alone = due || cut;
        for (index, &block) in BLOCKS.iter().enumerate().skip(self.blocks) {
            let averaged = (block > 1).then(|| {
                let mut averaged = picture.clone();
                averaged.pixelate(block);
                averaged
            });
            let activity = averaged.as_ref().map_or(measured, |averaged| self.activity(averaged));
            let picture = averaged.as_ref().unwrap_or(picture);
            if let Some(coded) = self.code_within_cap(picture, activity, alone)? {
                self.blocks = index;
                if index > 0 {
                    self.degraded.push(self.sent);
                }
                self.before.clear();
                self.before.extend_from_slice(&picture.y);
                return Ok(coded);
            }
            alone = true;
        }
        Err(EncodeError::CannotFit { frame: self.sent, limit: self.control.cap() })
    }

    /// Raises the quantiser until the picture fits; `None` when no quantiser would do.
    fn code_within_cap(
        &mut self,
        picture: &Yuv420,
        activity: Activity,
        alone: bool,
    ) -> Result<Option<Coded>, EncodeError> {
        let mut kind = if alone { PictureKind::Intra } else { PictureKind::Inter };
        let plan = self.control.plan(kind, activity);
        let mut qp = plan.qp;
        loop {
            let coded = self.coder.code(picture, qp, kind == PictureKind::Intra)?;
            self.control.learn(kind, activity, qp, coded.bits());
            self.qp = qp;
            if coded.bits() <= plan.cap {
                return Ok(Some(coded));
            }
            // The decoder never sees a picture over its cap, so what follows must not lean on it.
            kind = PictureKind::Intra;
            match self.control.retry(activity, qp, coded.bits(), plan.cap) {
                Some(coarser) => qp = coarser,
                None => return Ok(None),
            }
        }
    }

    fn activity(&self, picture: &Yuv420) -> Activity {
        let before = (!self.before.is_empty()).then_some(&self.before[..]);
        Activity::measure(&picture.y, picture.width() as usize, before)
    }

    fn remember_parameter_sets(&mut self, coded: &Coded) -> Result<(), EncodeError> {
        let (Some(sps), Some(pps)) = (&coded.sps, &coded.pps) else {
            return Ok(());
        };
        let parsed =
            Sps::parse(sps).ok_or_else(|| EncodeError::library("openh264", "reading its SPS", "bad syntax"))?;
        let sps = parsed.with_video_usability(self.settings.fps, self.level).to_nal();
        let config = VideoConfig::H264 { sps, pps: pps.clone() };
        if self.config.as_ref().is_some_and(|before| *before != config) {
            return Err(EncodeError::library("openh264", "coding", "the parameter sets changed"));
        }
        self.config = Some(config);
        Ok(())
    }
}

impl VideoEncoder for H264Encoder {
    fn send(&mut self, picture: &Yuv420) -> Result<(), EncodeError> {
        let (width, height) = (picture.width(), picture.height());
        let (expected_width, expected_height) = (self.settings.width, self.settings.height);
        if (width, height) != (expected_width, expected_height) {
            return Err(EncodeError::WrongSize { width, height, expected_width, expected_height });
        }
        let coded = self.code(picture)?;
        self.remember_parameter_sets(&coded)?;
        self.control.spend(coded.bits());
        self.since_key = if coded.key { 1 } else { self.since_key + 1 };
        self.sent += 1;
        self.queue.push_back(Packet { data: coded.sample, key: coded.key });
        Ok(())
    }

    fn finish(&mut self) -> Result<(), EncodeError> {
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<Packet>, EncodeError> {
        Ok(self.queue.pop_front())
    }

    fn config(&self) -> Option<VideoConfig> {
        self.config.clone()
    }

    fn degraded(&self) -> &[u64] {
        &self.degraded
    }
}

#[cfg(test)]
mod tests;
