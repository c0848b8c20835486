//! The dimensionless measures of smoothness: log dimensionless jerk and spectral arc length.
//!
//! S. Balasubramanian, A. Melendez-Calderon, E. Burdet, "A robust and sensitive metric for quantifying movement
//! smoothness", IEEE Trans. Biomed. Eng. 59(8), 2012; S. Balasubramanian, A. Melendez-Calderon, A. Roby-Brami,
//! E. Burdet, "On the analysis of movement smoothness", J. NeuroEng. Rehabil. 12:112, 2015; N. Hogan, D. Sternad,
//! "Sensitivity of smoothness measures to movement duration, amplitude, and arrests", J. Motor Behav. 41(6), 2009.

use glam::DVec3;

/// Highest frequency looked at, Hz.
const CUT_OFF: f64 = 10.0;
/// The spectrum ends where it stays under this share of its greatest value.
const THRESHOLD: f64 = 0.05;
/// The speed is padded with zeros to 2^(ceil(log2 n) + PAD) samples.
const PAD: u32 = 4;
/// Longest shot whose spectrum is taken, frames.
const LONGEST: usize = 1 << 20;

/// `-ln(D³ / v² · ∫ |jerk|² dt)` over a movement of `D` seconds with the greatest speed `v`: 5.32 below 0 for a minimum
/// jerk movement, further below for any other. The integral is the mean square of the samples times `D`. `None` if
/// nothing moves, or there is no jerk at all (a uniform motion is infinitely smooth).
pub fn log_dimensionless_jerk(jerk: &[Option<DVec3>], peak_speed: f64, duration: f64) -> Option<f64> {
    let known: Vec<f64> = jerk.iter().flatten().map(|j| j.length_squared()).collect();
    let mean = known.iter().sum::<f64>() / known.len() as f64;
    let dimensionless = duration.powi(4) / (peak_speed * peak_speed) * mean;
    (peak_speed > 1e-9 && dimensionless.is_finite() && dimensionless > 1e-12).then(|| -libm::log(dimensionless))
}

/// SPARC: minus the arc length of the normalised magnitude spectrum of `speed`, from 0 Hz to where the spectrum stays
/// under 5 % of its value at 0 Hz, at most 10 Hz; `rate` is in samples a second. `None` if nothing moves, or there are
/// less than four samples.
pub fn spectral_arc_length(speed: &[f64], rate: f64) -> Option<f64> {
    if speed.len() < 4 || speed.len() > LONGEST || speed.iter().all(|v| *v < 1e-9) {
        return None;
    }
    let size = speed.len().next_power_of_two() << PAD;
    let magnitude = spectrum(speed, size);
    let greatest = magnitude.iter().copied().fold(0.0, f64::max);
    if !(greatest.is_finite() && greatest > 0.0) {
        return None;
    }
    let normal: Vec<f64> = magnitude
        .iter()
        .enumerate()
        .take_while(|(bin, _)| *bin as f64 * rate / size as f64 <= CUT_OFF)
        .map(|(_, v)| v / greatest)
        .collect();
    let first = normal.iter().position(|v| *v >= THRESHOLD)?;
    let last = normal.iter().rposition(|v| *v >= THRESHOLD)?;
    let band = normal.get(first..=last)?;
    let across = 1.0 / (band.len().checked_sub(1).filter(|n| *n > 0)?) as f64;
    Some(-band.windows(2).map(|w| if let [a, b] = w { (b - a).hypot(across) } else { 0.0 }).sum::<f64>())
}

/// Magnitudes of the discrete Fourier transform of `values` padded to `size`, a power of two: bins 0 to `size / 2`.
/// An iterative radix-2 transform, the same bits on every machine; FFT crates choose their method by the processor.
fn spectrum(values: &[f64], size: usize) -> Vec<f64> {
    let bits = size.trailing_zeros();
    let mut data = vec![(0.0, 0.0); size];
    for (at, value) in values.iter().enumerate() {
        let place = if bits == 0 { 0 } else { at.reverse_bits() >> (usize::BITS - bits) };
        if let Some(slot) = data.get_mut(place) {
            slot.0 = *value;
        }
    }
    let mut half = 1;
    while half < size {
        let roots: Vec<(f64, f64)> = (0..half)
            .map(|k| {
                let angle = -std::f64::consts::PI * k as f64 / half as f64;
                (libm::cos(angle), libm::sin(angle))
            })
            .collect();
        for block in data.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for ((a, b), (cos, sin)) in low.iter_mut().zip(high).zip(&roots) {
                let turned = (b.0 * cos - b.1 * sin, b.0 * sin + b.1 * cos);
                *b = (a.0 - turned.0, a.1 - turned.1);
                *a = (a.0 + turned.0, a.1 + turned.1);
            }
        }
        half *= 2;
    }
    data.iter().take(size / 2 + 1).map(|(re, im)| libm::hypot(*re, *im)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spectrum_is_the_sum_of_its_definition() {
        let values: Vec<f64> = (0..13).map(|i| f64::from(i * i % 7) - 1.5).collect();
        let fast = spectrum(&values, 32);
        assert_eq!(fast.len(), 17);
        for (bin, magnitude) in fast.iter().enumerate() {
            let (mut re, mut im) = (0.0, 0.0);
            for (n, v) in values.iter().enumerate() {
                let angle = std::f64::consts::TAU * (bin * n) as f64 / 32.0;
                re += v * angle.cos();
                im -= v * angle.sin();
            }
            assert!((magnitude - f64::hypot(re, im)).abs() < 1e-12, "bin {bin}");
        }
    }

    /// Minimum jerk (Flash and Hogan 1985): position 10τ³ − 15τ⁴ + 6τ⁵, speed 30τ²(1 − τ)².
    #[test]
    fn a_minimum_jerk_movement_has_its_known_measures() {
        let n = 3000;
        let tau = |i: i32| f64::from(i) / f64::from(n);
        let jerk: Vec<_> = (0..=n).map(|i| Some(DVec3::X * (60.0 - 360.0 * tau(i) + 360.0 * tau(i).powi(2)))).collect();
        // ∫ jerk² = 720 and the greatest speed 15/8 for a movement of 1 m in 1 s: ln(720 / (15/8)²) = 5.3219.
        let ldlj = log_dimensionless_jerk(&jerk, 1.875, 1.0).unwrap();
        assert!((ldlj + (720.0f64 / 1.875f64.powi(2)).ln()).abs() < 2e-3, "{ldlj}");

        // SPARC, from the transform of the speed in closed form: the spectrum of 30τ²(1−τ)² over ω, symmetric about ½, is
        // ∫ v cos(ω(τ−½)), integrated here by Simpson's rule, at the paper's frequencies (301 samples, padded to 512 · 2⁴).
        let magnitude = |f: f64| {
            let steps = 2000;
            let v = |t: f64| 30.0 * t * t * (1.0 - t).powi(2) * (std::f64::consts::TAU * f * (t - 0.5)).cos();
            let at = |k: i32| v(f64::from(k) / f64::from(steps));
            let inner: f64 = (1..steps).map(|k| at(k) * if k % 2 == 1 { 4.0 } else { 2.0 }).sum();
            ((at(0) + inner + at(steps)) / (3.0 * f64::from(steps))).abs()
        };
        let curve: Vec<f64> = (0..=273).map(|k| magnitude(300.0 * f64::from(k) / 8192.0)).collect();
        let last = curve.iter().rposition(|v| *v >= 0.05).unwrap();
        let expected = -curve[..=last].windows(2).map(|w| (w[1] - w[0]).hypot(1.0 / last as f64)).sum::<f64>();
        let speed: Vec<f64> =
            (0..=300).map(|i| f64::from(i) / 300.0).map(|t| 30.0 * t * t * (1.0 - t).powi(2)).collect();
        let sparc = spectral_arc_length(&speed, 300.0).unwrap();
        assert!((sparc - expected).abs() < 1e-3, "{sparc} instead of {expected}");
        // The smoothest movement there is has about −1.4 (Balasubramanian 2015).
        assert!((-1.5..-1.35).contains(&sparc), "{sparc}");
    }

    #[test]
    fn the_measures_know_neither_size_nor_speed() {
        let speed = |scale: f64, n: usize| -> Vec<f64> {
            let t = move |i: usize| i as f64 / n as f64;
            (0..=n).map(|i| scale * (1.0 + 0.3 * (20.0 * t(i)).sin()) * (t(i) * (1.0 - t(i))).powi(2)).collect()
        };
        let one = spectral_arc_length(&speed(1.0, 300), 300.0).unwrap();
        assert!((spectral_arc_length(&speed(40.0, 300), 300.0).unwrap() - one).abs() < 1e-9);
        // A tremor costs.
        let shaky: Vec<f64> =
            speed(1.0, 300).iter().enumerate().map(|(i, v)| v * (1.0 + 0.3 * (i as f64).sin())).collect();
        assert!(spectral_arc_length(&shaky, 30.0).unwrap() < one - 0.05);
    }

    #[test]
    fn nothing_moving_has_no_measure() {
        assert_eq!(spectral_arc_length(&[0.0; 100], 30.0), None);
        assert_eq!(spectral_arc_length(&[1.0; 3], 30.0), None);
        assert_eq!(log_dimensionless_jerk(&[None, Some(DVec3::ZERO)], 1.0, 1.0), None);
        assert_eq!(log_dimensionless_jerk(&[Some(DVec3::X)], 0.0, 1.0), None);
    }
}
