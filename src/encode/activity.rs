//! How hard a picture is to code, read off its luma before coding it.

/// Mean absolute differences of luma, in 8-bit steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Activity {
    /// Between a pixel and its neighbour below-left-ish (one row down): detail within the picture.
    pub spatial: f64,
    /// Between a pixel and the same one in the picture before.
    pub temporal: f64,
}

impl Activity {
    /// Measures `luma` (`width` bytes a row) against the picture before, if there is one.
    pub fn measure(luma: &[u8], width: usize, before: Option<&[u8]>) -> Self {
        let below = luma.get(width..).unwrap_or(&[]);
        let beside = luma.get(1..).unwrap_or(&[]);
        let spatial = (mean_difference(luma, below) + mean_difference(luma, beside)) / 2.0;
        let temporal = before.map_or(spatial, |b| mean_difference(luma, b));
        Self { spatial, temporal }
    }

    /// Is the picture before no help at all? Camera pans stay far below this; cuts exceed it.
    pub fn is_cut(&self) -> bool {
        self.temporal > 4.0 * self.spatial + 12.0
    }
}

fn mean_difference(a: &[u8], b: &[u8]) -> f64 {
    let len = a.len().min(b.len());
    if len == 0 {
        return 0.0;
    }
    let mut sum = 0u64;
    for (a, b) in a[..len].chunks(4096).zip(b[..len].chunks(4096)) {
        sum += u64::from(a.iter().zip(b).map(|(&a, &b)| u32::from(a.abs_diff(b))).sum::<u32>());
    }
    sum as f64 / len as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_ramp_and_cut() {
        let flat = vec![100; 64 * 64];
        assert_eq!(Activity::measure(&flat, 64, None), Activity { spatial: 0.0, temporal: 0.0 });
        // Rises by 2 a row, so one step down differs by 2 and one step aside by 0 (row ends aside).
        let ramp: Vec<u8> = (0..64 * 64).map(|i| (i / 64 * 2) as u8).collect();
        let a = Activity::measure(&ramp, 64, Some(&flat));
        assert!((a.spatial - 1.0).abs() < 0.05, "{a:?}");
        assert!(a.is_cut());
        assert!(!Activity::measure(&ramp, 64, Some(&ramp)).is_cut());
    }
}
