//! Peak, mean, RMS and percentile of a series.

use super::record::{Range, Stat};

/// Of the values that are there; `None` if there are none.
pub fn of(values: &[Option<f64>]) -> Option<Stat> {
    let mut known: Vec<f64> = values.iter().copied().flatten().collect();
    let (at, peak) = values
        .iter()
        .enumerate()
        .filter_map(|(at, v)| Some((at, (*v)?)))
        .reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    let count = known.len() as f64;
    let mean = known.iter().sum::<f64>() / count;
    let rms = (known.iter().map(|v| v * v).sum::<f64>() / count).sqrt();
    known.sort_by(f64::total_cmp);
    Some(Stat { mean, rms, p95: percentile(&known, 0.95), peak, peak_frame: at as u64 })
}

/// Least, mean and greatest; `None` if there is no value.
pub fn range(values: impl IntoIterator<Item = f64>) -> Option<Range> {
    let mut count = 0.0;
    let (mut min, mut max, mut sum) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
    for value in values {
        min = value.min(min);
        max = value.max(max);
        sum += value;
        count += 1.0;
    }
    (count > 0.0).then(|| Range { min, mean: sum / count, max })
}

/// Linear between ranks (the default of NumPy); `sorted` is not empty.
fn percentile(sorted: &[f64], share: f64) -> f64 {
    let rank = (sorted.len().saturating_sub(1)) as f64 * share;
    let below = rank.floor();
    let value = |at: f64| sorted.get(at as usize).copied().unwrap_or(0.0);
    let (a, b) = (value(below), value(rank.ceil()));
    a + (b - a) * (rank - below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        // numpy.percentile([1..21], 95) = 20.0; mean 11; rms = sqrt(3311 / 21).
        let values: Vec<_> = (1..=21).rev().map(|v| Some(f64::from(v))).chain([None]).collect();
        let stat = of(&values).unwrap();
        assert_eq!((stat.mean, stat.p95, stat.peak, stat.peak_frame), (11.0, 20.0, 21.0, 0));
        assert!((stat.rms - (3311.0f64 / 21.0).sqrt()).abs() < 1e-12);
        // numpy.percentile([0, 10], 95) = 9.5
        assert!((of(&[Some(0.0), Some(10.0)]).unwrap().p95 - 9.5).abs() < 1e-12);
        assert_eq!(of(&[None]), None);
        assert_eq!(range([]), None);
    }
}
