//! Frames per second as an exact fraction.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Frames per second, `num / den`, in lowest terms; both at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FrameRate {
    num: u32,
    den: u32,
}

/// A frame rate that is zero, negative, not finite, or finer than 32 bits can say.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a frame rate: write 30, 29.97, 30000/1001 or any fraction from 1/1000 to 1000")]
pub struct BadFrameRate(pub String);

impl FrameRate {
    /// `num / den` frames per second.
    ///
    /// # Errors
    /// Outside 1/1000 to 1000 frames per second.
    pub fn new(num: u32, den: u32) -> Result<Self, BadFrameRate> {
        let bad = || BadFrameRate(format!("{num}/{den}"));
        if num == 0 || den == 0 {
            return Err(bad());
        }
        let by = gcd(num, den);
        let rate = Self { num: num / by, den: den / by };
        let (n, d) = (u64::from(rate.num), u64::from(rate.den));
        if n > 1000 * d || d > 1000 * n {
            return Err(bad());
        }
        Ok(rate)
    }

    pub fn num(self) -> u32 {
        self.num
    }

    pub fn den(self) -> u32 {
        self.den
    }

    /// For display and for encoders' heuristics only; time is never computed from it.
    pub fn as_f64(self) -> f64 {
        f64::from(self.num) / f64::from(self.den)
    }

    /// How many frames can start within any half-open second.
    pub fn frames_in_a_second(self) -> usize {
        self.num.div_ceil(self.den) as usize
    }

    /// Samples at `hz` that last as long as `frames`, rounded up.
    pub fn samples_for(self, frames: u64, hz: u32) -> u64 {
        let samples = u128::from(frames) * u128::from(self.den) * u128::from(hz);
        u64::try_from(samples.div_ceil(u128::from(self.num))).unwrap_or(u64::MAX)
    }

    /// How many frames fill `seconds` = `num / den`, rounded up, so that nothing is cut off.
    pub fn frames_for(self, num: u64, den: u64) -> u64 {
        let frames = u128::from(num) * u128::from(self.num);
        let per = u128::from(den.max(1)) * u128::from(self.den);
        u64::try_from(frames.div_ceil(per)).unwrap_or(u64::MAX)
    }
}

impl fmt::Display for FrameRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den == 1 { write!(f, "{}", self.num) } else { write!(f, "{}/{}", self.num, self.den) }
    }
}

impl FromStr for FrameRate {
    type Err = BadFrameRate;

    /// `30`, `30000/1001`, `12.5`; the common NTSC decimals mean their exact fractions.
    fn from_str(text: &str) -> Result<Self, BadFrameRate> {
        let bad = || BadFrameRate(text.to_owned());
        let ntsc = match text {
            "23.976" | "23.98" => Some(24000),
            "29.97" => Some(30000),
            "47.952" => Some(48000),
            "59.94" => Some(60000),
            "119.88" => Some(120_000),
            _ => None,
        };
        if let Some(num) = ntsc {
            return Self::new(num, 1001);
        }
        let (num, den) = parse_fraction(text).ok_or_else(bad)?;
        let by = gcd64(num, den).max(1);
        let num = u32::try_from(num / by).map_err(|_| bad())?;
        let den = u32::try_from(den / by).map_err(|_| bad())?;
        Self::new(num, den).map_err(|_| bad())
    }
}

/// `12`, `12.5` or `25/2` as an exact fraction; `None` for anything else.
pub fn parse_fraction(text: &str) -> Option<(u64, u64)> {
    let digits = |s: &str| (!s.is_empty() && s.bytes().all(|b| b.is_ascii_digit())).then_some(());
    if let Some((num, den)) = text.split_once('/') {
        digits(num).and(digits(den))?;
        let den: u64 = den.parse().ok()?;
        return (den > 0).then_some((num.parse().ok()?, den));
    }
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    digits(whole)?;
    if text.contains('.') {
        digits(part)?;
    }
    let part = part.trim_end_matches('0');
    let den = 10u64.checked_pow(u32::try_from(part.len()).ok()?)?;
    let whole: u64 = whole.parse().ok()?;
    let part: u64 = if part.is_empty() { 0 } else { part.parse().ok()? };
    Some((whole.checked_mul(den)?.checked_add(part)?, den))
}

fn gcd(a: u32, b: u32) -> u32 {
    gcd64(u64::from(a), u64::from(b)) as u32
}

fn gcd64(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_forms_mean_exact_fractions() {
        let parsed = |s: &str| s.parse::<FrameRate>().map(|r| (r.num(), r.den()));
        assert_eq!(parsed("30"), Ok((30, 1)));
        assert_eq!(parsed("60/2"), Ok((30, 1)));
        assert_eq!(parsed("29.97"), Ok((30000, 1001)));
        assert_eq!(parsed("12.50"), Ok((25, 2)));
        for bad in ["", "0", "-30", "1e3", "30/0", "0/5", "1001", "1/1001", "30.", ".5", "nan", "1/2/3"] {
            assert!(parsed(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn counts_round_up() {
        let ntsc = FrameRate::new(30000, 1001).unwrap();
        assert_eq!(ntsc.frames_in_a_second(), 30);
        // 1740 frames at 30 fps are 58 s = 2,784,000 samples at 48 kHz.
        assert_eq!(FrameRate::new(30, 1).unwrap().samples_for(1740, 48000), 2_784_000);
        // One NTSC frame is 1601.6 samples.
        assert_eq!(ntsc.samples_for(1, 48000), 1602);
        assert_eq!(FrameRate::new(30, 1).unwrap().frames_for(1, 3), 10);
        assert_eq!(FrameRate::new(25, 1).unwrap().frames_for(101, 1000), 3);
    }
}
