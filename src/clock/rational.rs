use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A positive fraction in lowest terms, such as a frame rate of 30000/1001.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rational {
    num: u32,
    den: u32,
}

/// Why a text or a pair is no rate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a rate; write a whole number (30), a fraction (30000/1001) or a decimal (29.97)")]
pub struct ParseRationalError {
    text: String,
}

impl Rational {
    /// `num/den` in lowest terms; `None` if either is zero.
    pub fn new(num: u32, den: u32) -> Option<Self> {
        if num == 0 || den == 0 {
            return None;
        }
        let g = gcd(num, den);
        Some(Self { num: num / g, den: den / g })
    }

    /// A whole number of units; `None` for zero.
    pub fn whole(num: u32) -> Option<Self> {
        Self::new(num, 1)
    }

    pub fn num(self) -> u32 {
        self.num
    }

    pub fn den(self) -> u32 {
        self.den
    }

    pub fn as_f64(self) -> f64 {
        f64::from(self.num) / f64::from(self.den)
    }
}

fn gcd(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den == 1 { write!(f, "{}", self.num) } else { write!(f, "{}/{}", self.num, self.den) }
    }
}

impl FromStr for Rational {
    type Err = ParseRationalError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text.trim()).ok_or_else(|| ParseRationalError { text: text.to_owned() })
    }
}

fn parse(text: &str) -> Option<Rational> {
    if let Some((num, den)) = text.split_once('/') {
        return Rational::new(num.trim().parse().ok()?, den.trim().parse().ok()?);
    }
    let Some((whole, fraction)) = text.split_once('.') else {
        return Rational::whole(text.parse().ok()?);
    };
    let fraction = fraction.trim_end_matches('0');
    if !fraction.bytes().all(|b| b.is_ascii_digit()) || fraction.len() > 6 {
        return None;
    }
    let scale = 10_u32.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let whole: u32 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let part: u32 = if fraction.is_empty() { 0 } else { fraction.parse().ok()? };
    Rational::new(whole.checked_mul(scale)?.checked_add(part)?, scale)
}

impl Serialize for Rational {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rational {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw {
            Whole(u32),
            Decimal(f64),
            Text(String),
        }
        let text = match Raw::deserialize(deserializer)? {
            Raw::Whole(n) => n.to_string(),
            Raw::Decimal(x) => x.to_string(),
            Raw::Text(s) => s,
        };
        text.parse().map_err(D::Error::custom)
    }
}
