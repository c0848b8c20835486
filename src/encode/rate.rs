//! Rate control: which quantiser a picture gets, and how many bits it may take at most.
//!
//! Two promises hold whatever the content: the bits within any one-second window, and the bits of the
//! whole track, stay under their limits. Quality is constant (the base quantiser) while that fits;
//! then the quantiser rises ahead of the limit, by a prediction that each coded picture corrects. A
//! picture over its cap must not be sent: the encoder codes it again, coarser.
//! Pure arithmetic: no codec, no clock.

use std::collections::VecDeque;

use super::activity::Activity;

/// Does the picture stand alone or lean on the one before?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureKind {
    Intra,
    Inter,
}

/// What one track may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimits {
    /// Pictures that can start within one second.
    pub window: usize,
    /// Bits in any `window` consecutive pictures.
    pub window_bits: u64,
    /// Bits of the whole track.
    pub total_bits: u64,
    /// Pictures in the whole track.
    pub frames: u64,
    /// Luma pixels in a picture.
    pub pixels: u64,
}

/// What to try first for a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// H.264 quantiser, 0..=51.
    pub qp: u8,
    /// More bits than this must not be sent.
    pub cap: u64,
}

/// The coarsest H.264 quantiser.
pub const MAX_QP: u8 = 51;
/// Quantisers used while nothing presses: visually transparent for rendered pictures.
const BASE_INTRA: u8 = 18;
const BASE_INTER: u8 = 20;
/// Shares of a window's even split that pictures to come can count on.
const COMFORT: f64 = 0.35;

pub struct RateControl {
    limits: RateLimits,
    /// Bits of the last `window - 1` pictures, oldest first.
    recent: VecDeque<u64>,
    spent: u64,
    coded: u64,
    /// Measured bits over predicted bits, by kind.
    intra_scale: f64,
    inter_scale: f64,
}

impl RateControl {
    pub fn new(limits: RateLimits) -> Self {
        let recent = VecDeque::with_capacity(limits.window);
        Self { limits, recent, spent: 0, coded: 0, intra_scale: 0.6, inter_scale: 0.35 }
    }

    /// The quantiser to try and the cap for the next picture.
    pub fn plan(&self, kind: PictureKind, activity: Activity) -> Plan {
        let cap = self.cap();
        let (base, share, leave) = match kind {
            PictureKind::Intra => (BASE_INTRA, 0.97, 0.55),
            PictureKind::Inter => (BASE_INTER, 0.88, 0.7),
        };
        let target = self.room(share, leave).min(self.total_target()).max(self.even_share() * 0.08).min(cap as f64);
        let qp = (base..MAX_QP).find(|&qp| self.predict(kind, activity, qp) <= target).unwrap_or(MAX_QP);
        Plan { qp, cap }
    }

    /// The quantiser for coding a picture once more, alone, after `bits` at `qp` broke `cap`; `None`
    /// when even the coarsest would break it again.
    pub fn retry(&self, activity: Activity, qp: u8, bits: u64, cap: u64) -> Option<u8> {
        let over = (bits.max(1) as f64 / cap.max(1) as f64).log2().max(0.0);
        // Bits halve every 6 to 12 steps, from calm pictures to noise.
        if qp >= MAX_QP || over * 12.0 > 2.0 * f64::from(MAX_QP - qp) + 6.0 {
            return None;
        }
        let by_size = qp.saturating_add((over * 7.0).ceil() as u8 + 2);
        let predicted = (qp..MAX_QP)
            .find(|&qp| self.predict(PictureKind::Intra, activity, qp) * 1.15 <= cap as f64)
            .unwrap_or(MAX_QP);
        Some(by_size.max(predicted).min(MAX_QP))
    }

    /// Corrects the prediction by what a coding at `qp` took, whether it is sent or not.
    pub fn learn(&mut self, kind: PictureKind, activity: Activity, qp: u8, bits: u64) {
        let guess = estimate(self.limits.pixels, activity_of(kind, activity), qp);
        let measured = (bits as f64 / guess).clamp(0.02, 4.0);
        let scale = match kind {
            PictureKind::Intra => &mut self.intra_scale,
            PictureKind::Inter => &mut self.inter_scale,
        };
        // Up at once, down slowly: underestimating costs a second coding.
        *scale = if measured > *scale { measured } else { 0.7 * *scale + 0.3 * measured };
    }

    /// Counts a picture that is sent.
    pub fn spend(&mut self, bits: u64) {
        self.spent += bits;
        self.coded += 1;
        self.recent.push_back(bits);
        while self.recent.len() >= self.limits.window.max(1) {
            self.recent.pop_front();
        }
    }

    /// The most bits the next picture may take: comfortable for those after it where possible, and
    /// never so many that a later one, made as coarse as can be, would not fit.
    pub fn cap(&self) -> u64 {
        let least = self.least_bits();
        let hard = self.room(1.0, least / self.even_share()).min(self.total_room());
        let comfort = self.room(1.0, COMFORT).min(self.total_room());
        comfort.max(hard.min(self.even_share() * 0.5)).max(0.0) as u64
    }

    /// Bits of a picture of one colour, generously: what the last resort takes.
    fn least_bits(&self) -> f64 {
        (self.limits.pixels as f64 / 256.0 * 0.5 + 2000.0).min(self.even_share() * 0.5)
    }

    fn even_share(&self) -> f64 {
        self.limits.window_bits as f64 / self.limits.window.max(1) as f64
    }

    /// Bits for the next picture so that every window it lies in keeps to `share` of the limit while
    /// each picture after it takes `leave` of an even split.
    fn room(&self, share: f64, leave: f64) -> f64 {
        let limit = self.limits.window_bits as f64 * share;
        let leave = leave * self.even_share();
        let mut past: f64 = self.recent.iter().map(|&b| b as f64).sum();
        // The latest window that holds every recent picture still has room for these many after the next.
        let mut after = (self.limits.window.max(1) - 1).saturating_sub(self.recent.len()) as f64;
        let mut room = limit - past - after * leave;
        for &oldest in &self.recent {
            past -= oldest as f64;
            after += 1.0;
            room = room.min(limit - past - after * leave);
        }
        room
    }

    /// Bits left of what the whole track may have spent after the next picture: a steady share, and
    /// a tenth of the total to lend.
    fn total_room(&self) -> f64 {
        let total = self.limits.total_bits as f64;
        let frames = self.limits.frames.max(1) as f64;
        let granted = total * (0.1 + 0.9 * ((self.coded + 1) as f64 / frames).min(1.0));
        granted - self.spent as f64
    }

    fn total_target(&self) -> f64 {
        let steady = self.limits.total_bits as f64 * 0.9 / self.limits.frames.max(1) as f64;
        let window = self.limits.window.max(1) as f64;
        // Eats what was lent over about two seconds.
        (self.total_room() - steady).max(0.0) / (2.0 * window) + steady
    }

    fn predict(&self, kind: PictureKind, activity: Activity, qp: u8) -> f64 {
        let scale = match kind {
            PictureKind::Intra => self.intra_scale,
            PictureKind::Inter => self.inter_scale,
        };
        scale * estimate(self.limits.pixels, activity_of(kind, activity), qp)
    }
}

fn activity_of(kind: PictureKind, activity: Activity) -> f64 {
    match kind {
        PictureKind::Intra => activity.spatial,
        PictureKind::Inter => activity.temporal,
    }
}

/// Bits of a picture whose residual has mean magnitude `activity`, quantised with H.264's step
/// 0.625 · 2^(qp/6): the entropy of a quantised sample, over luma and half as much chroma.
fn estimate(pixels: u64, activity: f64, qp: u8) -> f64 {
    let step = 0.625 * (f64::from(qp) / 6.0).exp2();
    pixels as f64 * (1.5 * (1.0 + activity / step).log2() + 0.001) + 1000.0
}

#[cfg(test)]
#[path = "rate/tests.rs"]
mod tests;
