//! Exact numbers: times and rates of a file are quotients of integers.

use std::cmp::Ordering;
use std::fmt;

/// A quotient in lowest terms, its denominator above 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Ratio {
    num: i128,
    den: i128,
}

impl Ratio {
    pub const ZERO: Self = Self { num: 0, den: 1 };

    /// `num / den`; 0 if `den` is 0.
    pub fn new(num: i128, den: i128) -> Self {
        let (num, den) = if den < 0 { (num.saturating_neg(), den.saturating_neg()) } else { (num, den) };
        if den == 0 {
            return Self::ZERO;
        }
        let divisor = gcd(num.unsigned_abs(), den.unsigned_abs());
        let divisor = i128::try_from(divisor).unwrap_or(1).max(1);
        Self { num: num / divisor, den: den / divisor }
    }

    pub fn int(value: impl Into<i128>) -> Self {
        Self { num: value.into(), den: 1 }
    }

    pub fn num(self) -> i128 {
        self.num
    }

    pub fn den(self) -> i128 {
        self.den
    }

    pub fn to_f64(self) -> f64 {
        self.num as f64 / self.den as f64
    }

    /// 1 / self; 0 stays 0.
    pub fn recip(self) -> Self {
        Self::new(self.den, self.num)
    }

    pub fn abs(self) -> Self {
        Self { num: self.num.saturating_abs(), den: self.den }
    }

    /// Exact as long as 128 bits hold it; beyond that, which no honest file reaches, the ends of the range.
    pub fn times(self, other: Self) -> Self {
        Self::new(self.num.saturating_mul(other.num), self.den.saturating_mul(other.den))
    }

    pub fn plus(self, other: Self) -> Self {
        let (a, b) = (self.num.saturating_mul(other.den), other.num.saturating_mul(self.den));
        Self::new(a.saturating_add(b), self.den.saturating_mul(other.den))
    }

    pub fn minus(self, other: Self) -> Self {
        self.plus(Self { num: other.num.saturating_neg(), den: other.den })
    }

    /// `58`, `-1.5`, `30000/1001`.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some((num, den)) = text.split_once('/') {
            let den: i128 = den.trim().parse().ok().filter(|&d| d > 0)?;
            return Some(Self::new(num.trim().parse().ok()?, den));
        }
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let places = i32::try_from(fraction.len()).ok()?;
        let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
        let scale = exponent.checked_sub(places).filter(|s| s.abs() <= 30)?;
        let power = 10i128.checked_pow(scale.unsigned_abs())?;
        Some(if scale < 0 { Self::new(digits, power) } else { Self::new(digits.checked_mul(power)?, 1) })
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.num.checked_mul(other.den), other.num.checked_mul(self.den)) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => self.to_f64().total_cmp(&other.to_f64()),
        }
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den == 1 { write!(f, "{}", self.num) } else { write!(f, "{}/{}", self.num, self.den) }
    }
}

impl fmt::Debug for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// As an object: `exact`, the quotient as text, and `value`, the nearest float.
impl serde::Serialize for Ratio {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut object = serializer.serialize_struct("Ratio", 2)?;
        object.serialize_field("exact", &self.to_string())?;
        object.serialize_field("value", &self.to_f64())?;
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_reduced_and_compared_exactly() {
        assert_eq!(Ratio::parse("29.97"), Some(Ratio::new(2997, 100)));
        assert_eq!(Ratio::parse("-1.5"), Some(Ratio::new(-3, 2)));
        assert_eq!(Ratio::parse("2e7"), Some(Ratio::int(20_000_000)));
        assert_eq!(Ratio::parse("60000/2002").unwrap().to_string(), "30000/1001");
        assert_eq!((Ratio::parse("1/0"), Ratio::parse("x"), Ratio::parse("1e99")), (None, None, None));
        assert!(Ratio::new(30_000, 1001) < Ratio::parse("29.970029971").unwrap());
        assert_eq!(Ratio::new(1, 3).plus(Ratio::new(1, 6)).minus(Ratio::int(1)), Ratio::new(-1, 2));
        assert!(Ratio::new(1, i128::MAX).times(Ratio::new(1, i128::MAX)).to_f64() < 1e-30);
    }
}
