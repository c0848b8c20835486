//! WAV files as 48 kHz stereo: read, resampled, mixed to two channels, cut or padded to a length.
//!
//! The resampler is a windowed sinc (Blackman–Harris, 32 zero crossings a side of the lower rate),
//! evaluated in f64 at the exact rational position of each output sample, so the result is the same
//! on every machine.

#![expect(clippy::disallowed_methods, reason = "a sound file the user named")]

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use hound::{SampleFormat, WavReader, WavSpec};

use super::EncodeError;
use super::aac::SAMPLE_RATE;

/// Zero crossings of the sinc on each side.
const CROSSINGS: f64 = 32.0;
/// Where the low-pass starts to fall, as a share of the lower Nyquist frequency.
const PASS: f64 = 0.94;

/// What the video's sound is.
#[derive(Clone, Debug)]
pub enum AudioSource {
    Silence,
    /// Interleaved stereo at 48 kHz.
    Pcm(Vec<i16>),
}

impl AudioSource {
    /// `len` values from value `start` on; silence past the end.
    pub fn slice(&self, start: u64, len: usize) -> Vec<i16> {
        let mut out = match self {
            Self::Silence => Vec::new(),
            Self::Pcm(pcm) => {
                let start = usize::try_from(start).unwrap_or(usize::MAX).min(pcm.len());
                pcm[start..(start + len).min(pcm.len())].to_vec()
            }
        };
        out.resize(len, 0);
        out
    }
}

/// Reads at most `pairs` sample pairs (at 48 kHz) of a WAV file.
///
/// # Errors
/// Not a readable WAV file, or a channel count or rate outside 1–8 channels and 1–768 kHz.
pub fn load(path: &Path, pairs: u64) -> Result<AudioSource, EncodeError> {
    let fail = |detail: String| EncodeError::Audio { path: path.to_owned(), detail };
    let source = File::open(path).map_err(|source| EncodeError::Io { path: path.to_owned(), source })?;
    let mut reader = WavReader::new(BufReader::new(source)).map_err(|e| fail(format!("not a WAV file: {e}")))?;
    let spec = reader.spec();
    if !(1..=8).contains(&spec.channels) || !(1_000..=768_000).contains(&spec.sample_rate) {
        return Err(fail(format!("{} channels at {} Hz are not supported", spec.channels, spec.sample_rate)));
    }
    // A little more than the output needs, for the filter's reach.
    let needed = (u128::from(pairs) * u128::from(spec.sample_rate)).div_ceil(u128::from(SAMPLE_RATE)) + 4096;
    let count = usize::try_from(needed * u128::from(spec.channels)).unwrap_or(usize::MAX);
    let samples = read(&mut reader, spec, count).map_err(|e| fail(format!("cannot be read: {e}")))?;
    let stereo = to_stereo(&samples, spec.channels.into());
    let pairs = usize::try_from(pairs).map_err(|_| fail("the video is too long".to_owned()))?;
    Ok(AudioSource::Pcm(resample(&stereo, spec.sample_rate, pairs)))
}

/// Samples as -1..1, interleaved as in the file.
fn read(reader: &mut WavReader<BufReader<File>>, spec: WavSpec, count: usize) -> Result<Vec<f64>, hound::Error> {
    match spec.sample_format {
        SampleFormat::Float => reader
            .samples::<f32>()
            .take(count)
            .map(|s| s.map(|v| if v.is_finite() { f64::from(v) } else { 0.0 }))
            .collect(),
        SampleFormat::Int => {
            let full = (f64::from(spec.bits_per_sample) - 1.0).exp2();
            reader.samples::<i32>().take(count).map(|s| s.map(|v| f64::from(v) / full)).collect()
        }
    }
}

/// Weights of each channel in left and right, by the channel order of WAVEFORMATEXTENSIBLE; each sum
/// of weights is at most one, so nothing clips that did not before.
fn mix(channels: usize) -> Vec<[f64; 2]> {
    const L: [f64; 2] = [1.0, 0.0];
    const R: [f64; 2] = [0.0, 1.0];
    const C: [f64; 2] = [std::f64::consts::FRAC_1_SQRT_2; 2];
    const LS: [f64; 2] = [std::f64::consts::FRAC_1_SQRT_2, 0.0];
    const RS: [f64; 2] = [0.0, std::f64::consts::FRAC_1_SQRT_2];
    const LFE: [f64; 2] = [0.0, 0.0];
    let mut weights = match channels {
        1 => return vec![[1.0, 1.0]],
        2 => vec![L, R],
        3 => vec![L, R, C],
        4 => vec![L, R, LS, RS],
        5 => vec![L, R, C, LS, RS],
        6 => vec![L, R, C, LFE, LS, RS],
        7 => vec![L, R, C, LFE, [0.5, 0.5], LS, RS],
        _ => vec![L, R, C, LFE, LS, RS, LS, RS],
    };
    let sum = weights.iter().map(|w| w[0]).sum::<f64>();
    weights.iter_mut().flatten().for_each(|w| *w /= sum);
    weights
}

fn to_stereo(samples: &[f64], channels: usize) -> Vec<[f64; 2]> {
    let weights = mix(channels);
    let mixed = |frame: &[f64], side: usize| frame.iter().zip(&weights).map(|(s, w)| s * w[side]).sum::<f64>();
    samples.chunks_exact(channels).map(|frame| [mixed(frame, 0), mixed(frame, 1)]).collect()
}

/// `pairs` output pairs of 16 bits at 48 kHz, interleaved.
fn resample(input: &[[f64; 2]], rate: u32, pairs: usize) -> Vec<i16> {
    let mut out = Vec::with_capacity(pairs * 2);
    if rate == SAMPLE_RATE {
        for i in 0..pairs {
            let pair = input.get(i).copied().unwrap_or_default();
            out.extend(pair.map(to_i16));
        }
        return out;
    }
    let by = gcd(u64::from(rate), u64::from(SAMPLE_RATE));
    let (step, phases) = (u64::from(rate) / by, u64::from(SAMPLE_RATE) / by);
    // Cutoff relative to the input's Nyquist frequency: below the lower of the two.
    let cutoff = (f64::from(SAMPLE_RATE) / f64::from(rate)).min(1.0) * PASS;
    let reach = (CROSSINGS / cutoff).ceil() as i64;
    let mut rows: Vec<Option<Box<[f64]>>> = vec![None; phases as usize];
    for n in 0..pairs as u64 {
        let position = n * step;
        let (base, phase) = ((position / phases) as i64, position % phases);
        let row = rows[phase as usize].get_or_insert_with(|| taps(phase as f64 / phases as f64, cutoff, reach));
        let mut pair = [0.0; 2];
        for (tap, i) in row.iter().zip(base - reach + 1..) {
            if let Some(sample) = usize::try_from(i).ok().and_then(|i| input.get(i)) {
                pair[0] += tap * sample[0];
                pair[1] += tap * sample[1];
            }
        }
        out.extend(pair.map(to_i16));
    }
    out
}

/// The filter for a position `fraction` past an input sample; sums to one.
fn taps(fraction: f64, cutoff: f64, reach: i64) -> Box<[f64]> {
    let pi = std::f64::consts::PI;
    let tap = |i: i64| {
        let x = i as f64 - fraction;
        let angle = pi * cutoff * x;
        let sinc = if angle.abs() < 1e-12 { 1.0 } else { libm::sin(angle) / angle };
        // Blackman–Harris, 4 terms, centred.
        let w = pi * x / reach as f64;
        let window = 0.35875 + 0.48829 * libm::cos(w) + 0.14128 * libm::cos(2.0 * w) + 0.01168 * libm::cos(3.0 * w);
        sinc * window
    };
    let mut taps: Box<[f64]> = (1 - reach..=reach).map(tap).collect();
    let sum: f64 = taps.iter().sum();
    taps.iter_mut().for_each(|t| *t /= sum);
    taps
}

fn to_i16(value: f64) -> i16 {
    (value * 32768.0).round().clamp(-32768.0, 32767.0) as i16
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
#[path = "wav/tests.rs"]
mod tests;
