//! WAV files as 48 kHz stereo: read, resampled, mixed to two channels, cut or padded to a length.
//!
//! The resampler is a windowed sinc (Blackman–Harris, 32 zero crossings a side of the lower rate),
//! evaluated in f64 at the exact rational position of each output sample, so the result is the same
//! on every machine.

#![expect(clippy::disallowed_methods, reason = "a sound file the user named")]

use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
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

/// A sound file, ready for the film.
#[derive(Debug)]
pub struct SoundTrack {
    pub source: AudioSource,
    /// How long the file sounds, in seconds, whatever was read of it.
    pub seconds: f64,
}

/// Reads at most `pairs` sample pairs (at 48 kHz) of a WAV file.
///
/// # Errors
/// Not a readable WAV file, or a channel count or rate outside 1–8 channels and 1–768 kHz.
pub fn load(path: &Path, pairs: u64) -> Result<SoundTrack, EncodeError> {
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
    let speakers = channel_mask(path).map_err(|source| EncodeError::Io { path: path.to_owned(), source })?;
    let stereo = to_stereo(&samples, spec.channels.into(), speakers);
    let seconds = f64::from(reader.duration()) / f64::from(spec.sample_rate);
    let pairs = usize::try_from(pairs).map_err(|_| fail("the video is too long".to_owned()))?;
    Ok(SoundTrack { source: AudioSource::Pcm(resample(&stereo, spec.sample_rate, pairs)), seconds })
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

/// `dwChannelMask` of a file in WAVE_FORMAT_EXTENSIBLE, which says what each channel's speaker is; hound keeps it to itself.
/// 0 where the file says nothing.
fn channel_mask(path: &Path) -> std::io::Result<u32> {
    const EXTENSIBLE: [u8; 2] = [0xFE, 0xFF];
    let mut file = BufReader::new(File::open(path)?);
    file.seek(SeekFrom::Start(12))?;
    loop {
        let mut head = [0; 8];
        if file.read_exact(&mut head).is_err() {
            return Ok(0);
        }
        let [id @ .., a, b, c, d] = head;
        let size = u32::from_le_bytes([a, b, c, d]);
        if id == *b"fmt " {
            let mut format = [0; 24];
            let whole = size >= 40 && file.read_exact(&mut format).is_ok();
            let [t0, t1, .., a, b, c, d] = format;
            return Ok(if whole && [t0, t1] == EXTENSIBLE { u32::from_le_bytes([a, b, c, d]) } else { 0 });
        }
        // Chunks are padded to even sizes.
        file.seek(SeekFrom::Current(i64::from(size) + i64::from(size & 1)))?;
    }
}

/// The speakers that `channels` channels are for where the file does not say (`KSAUDIO_SPEAKER_*`): mono, stereo, 3.0, quad, 5.0, 5.1, 6.1, 7.1.
fn usual_speakers(channels: usize) -> u32 {
    [0x4, 0x3, 0x7, 0x33, 0x37, 0x3F, 0x70F, 0x63F].get(channels.saturating_sub(1)).copied().unwrap_or_default()
}

/// What goes to left and right of a speaker, by its bit in `dwChannelMask` (mmreg.h), as ITU-R BS.775 folds down.
fn fold(speaker: u32) -> [f64; 2] {
    const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
    match speaker {
        0 => [1.0, 0.0],
        1 => [0.0, 1.0],
        // Front and top centre.
        2 | 11 | 13 => [HALF, HALF],
        // Low frequencies are left out.
        3 => [0.0, 0.0],
        // Left and right behind, at the sides, above.
        4 | 9 | 12 | 15 => [HALF, 0.0],
        5 | 10 | 14 | 17 => [0.0, HALF],
        // Between the middle and the front's sides.
        6 => [1.0, 0.5],
        7 => [0.5, 1.0],
        // Behind.
        8 | 16 => [0.5, 0.5],
        _ => [0.0, 0.0],
    }
}

/// Weights of each channel in left and right; each sum of weights is at most one, so nothing clips that did not before.
fn mix(channels: usize, speakers: u32) -> Vec<[f64; 2]> {
    let named = |mask: u32| (0..18).filter(|bit| mask >> bit & 1 == 1).map(fold).collect::<Vec<_>>();
    let heard = |weights: &[[f64; 2]]| weights.iter().fold(0.0f64, |most, w| most.max(w[0]).max(w[1]));
    let mut weights = named(speakers);
    if weights.len() != channels || heard(&weights) == 0.0 {
        weights = named(usual_speakers(channels));
    }
    let sum = |side: usize| weights.iter().map(|w| w[side]).sum::<f64>();
    let most = sum(0).max(sum(1));
    weights.iter_mut().flatten().for_each(|w| *w /= most);
    weights
}

fn to_stereo(samples: &[f64], channels: usize, speakers: u32) -> Vec<[f64; 2]> {
    let weights = mix(channels, speakers);
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
