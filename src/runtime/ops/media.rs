//! Sound files: how long they are, and the samples of a WAV.

use std::io::Cursor;
use std::sync::Arc;

use deno_core::{OpState, ToJsBuffer, op2};
use deno_error::JsErrorBox;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::project::Project;

/// Most samples of all channels together that are decoded: 30 minutes of stereo at 48 kHz.
const MAX_SAMPLES: u32 = 30 * 60 * 48_000 * 2;
/// Sample positions on each side that a resampled value is made of.
const TAPS: i64 = 16;

/// Decoded sound.
#[derive(Serialize)]
pub struct Sound {
    pub channels: u32,
    /// Samples a channel.
    pub length: u32,
    /// `f32` in the machine's order, one channel after the other.
    pub samples: ToJsBuffer,
}

/// Decodes a WAV to `rate` Hz.
fn decode_wav(bytes: &[u8], rate: u32) -> Option<Vec<Vec<f32>>> {
    let mut reader = hound::WavReader::new(Cursor::new(bytes)).ok()?;
    let spec = reader.spec();
    if reader.len() > MAX_SAMPLES || spec.channels == 0 || spec.channels > 32 || spec.sample_rate == 0 {
        return None;
    }
    let mut planes = vec![Vec::new(); usize::from(spec.channels)];
    let count = planes.len();
    // What is cut off is left out, as Chromium's demuxer does.
    let mut put = |n: usize, value: f32| {
        if let Some(plane) = planes.get_mut(n % count) {
            plane.push(value);
        }
    };
    match spec.sample_format {
        hound::SampleFormat::Float => {
            reader.samples::<f32>().map_while(Result::ok).enumerate().for_each(|(n, v)| put(n, v));
        }
        hound::SampleFormat::Int => {
            let scale = 1.0 / f64::from(2u32).powi(i32::from(spec.bits_per_sample) - 1);
            let samples = reader.samples::<i32>().map_while(Result::ok).enumerate();
            samples.for_each(|(n, v)| put(n, (f64::from(v) * scale) as f32));
        }
    }
    let length = planes.iter().map(Vec::len).min().unwrap_or(0);
    planes.iter_mut().for_each(|plane| plane.truncate(length));
    if length == 0 {
        return None;
    }
    Some(planes.iter().map(|plane| resample(plane, spec.sample_rate, rate)).collect())
}

/// Sinc interpolation under a Hann window, low-passed at the lower of both rates' limits. The length is Chromium's: rounded down.
fn resample(plane: &[f32], from: u32, to: u32) -> Vec<f32> {
    if from == to {
        return plane.to_vec();
    }
    let ratio = f64::from(from) / f64::from(to);
    let length = (plane.len() as f64 / ratio).min(f64::from(MAX_SAMPLES)) as usize;
    // One sample of the slower rate, in samples of the source.
    let step = ratio.max(1.0);
    let reach = (TAPS as f64 * step).ceil() as i64;
    let value = |at: f64| {
        let centre = at.floor() as i64;
        let (mut sum, mut weights) = (0.0, 0.0);
        for i in centre - reach + 1..=centre + reach {
            let x = (i as f64 - at) / step;
            let window = 0.5 + 0.5 * libm::cos(std::f64::consts::PI * (x / TAPS as f64).clamp(-1.0, 1.0));
            let sinc = if x == 0.0 { 1.0 } else { libm::sin(std::f64::consts::PI * x) / (std::f64::consts::PI * x) };
            let weight = sinc * window;
            weights += weight;
            sum += weight * usize::try_from(i).ok().and_then(|i| plane.get(i)).map_or(0.0, |v| f64::from(*v));
        }
        (sum / weights) as f32
    };
    (0..length).map(|n| value(n as f64 * ratio)).collect()
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn le32(bytes: &[u8], at: usize) -> Option<u32> {
    be32(bytes, at).map(u32::swap_bytes)
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|w| w == what)
}

/// Seconds of an MPEG layer III file: by its Xing header, else by the first frame's bit rate (ISO 11172-3, 2.4.2.3).
fn mp3_seconds(bytes: &[u8]) -> Option<f64> {
    let tag = match bytes.get(..10)? {
        // ID3v2: a size of four times seven bits.
        [b'I', b'D', b'3', _, _, _, a, b, c, d] => {
            [a, b, c, d].into_iter().fold(0usize, |n, byte| (n << 7) | usize::from(byte & 0x7f)) + 10
        }
        _ => 0,
    };
    let start =
        tag + bytes.get(tag..)?.windows(2).take(65_536).position(|w| matches!(w, [0xff, b] if b & 0xe6 == 0xe2))?;
    let header = be32(bytes, start)?;
    let version = (header >> 19) & 3;
    let rate = *[44_100.0, 48_000.0, 32_000.0].get(usize::try_from((header >> 10) & 3).ok()?)?;
    let (rate, samples, rates): (f64, f64, [f64; 15]) = match version {
        3 => {
            let rates = [0., 32., 40., 48., 56., 64., 80., 96., 112., 128., 160., 192., 224., 256., 320.];
            (rate, 1152.0, rates)
        }
        2 | 0 => {
            let rates = [0., 8., 16., 24., 32., 40., 48., 56., 64., 80., 96., 112., 128., 144., 160.];
            (if version == 2 { rate / 2.0 } else { rate / 4.0 }, 576.0, rates)
        }
        _ => return None,
    };
    let frame = bytes.get(start..bytes.len().min(start + 512))?;
    if let Some(at) = find(frame, b"Xing").or_else(|| find(frame, b"Info"))
        && be32(frame, at + 4)? & 1 == 1
    {
        let frames = f64::from(be32(frame, at + 8)?);
        // LAME's tag: what the encoder put in front and behind, 12 bits each.
        let padding = be32(frame, at + 140).filter(|_| frame.get(at + 120).is_some_and(u8::is_ascii_alphabetic));
        let padding = padding.map_or(0, |p| ((p >> 12) & 0xfff) + (p & 0xfff));
        return Some((frames * samples - f64::from(padding)).max(0.0) / rate);
    }
    let kilobits = *rates.get(usize::try_from((header >> 12) & 15).ok()?)?;
    (kilobits > 0.0).then(|| (bytes.len() - start) as f64 * 8.0 / (kilobits * 1000.0))
}

/// Seconds of an Ogg file: the last page's position (RFC 3533, 6) over the rate that the first packet tells.
fn ogg_seconds(bytes: &[u8]) -> Option<f64> {
    let head = bytes.get(..bytes.len().min(256))?;
    let (rate, skip) = match (find(head, b"\x01vorbis"), find(head, b"OpusHead")) {
        (Some(at), _) => (le32(head, at + 12)?, 0),
        (None, Some(at)) => (48_000, u32::from(*head.get(at + 10)?) | u32::from(*head.get(at + 11)?) << 8),
        _ => return None,
    };
    let last = bytes.windows(4).rposition(|w| w == b"OggS")?;
    let position = u64::from(le32(bytes, last + 6)?) | u64::from(le32(bytes, last + 10)?) << 32;
    (rate > 0 && position != u64::MAX).then(|| position.saturating_sub(u64::from(skip)) as f64 / f64::from(rate))
}

/// Seconds of an ISO base media file (14496-12, 8.2.2).
fn mp4_seconds(bytes: &[u8]) -> Option<f64> {
    let at = find(bytes, b"mvhd")?;
    let (scale, length) = if *bytes.get(at + 4)? == 1 {
        (be32(bytes, at + 24)?, u64::from(be32(bytes, at + 28)?) << 32 | u64::from(be32(bytes, at + 32)?))
    } else {
        (be32(bytes, at + 16)?, u64::from(be32(bytes, at + 20)?))
    };
    (scale > 0).then(|| length as f64 / f64::from(scale))
}

/// RFC 9639, 8.2.
fn flac_seconds(bytes: &[u8]) -> Option<f64> {
    let rate = be32(bytes, 18)? >> 12;
    let samples = u64::from(*bytes.get(21)? & 15) << 32 | u64::from(be32(bytes, 22)?);
    (rate > 0).then(|| samples as f64 / f64::from(rate))
}

/// Seconds a media file lasts; `None` if it is none, not a number if its kind does not tell here.
pub fn seconds(bytes: &[u8]) -> Option<f64> {
    match bytes {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] => {
            let reader = hound::WavReader::new(Cursor::new(bytes)).ok()?;
            Some(f64::from(reader.duration()) / f64::from(reader.spec().sample_rate.max(1)))
        }
        [b'O', b'g', b'g', b'S', ..] => ogg_seconds(bytes),
        [b'f', b'L', b'a', b'C', ..] => flac_seconds(bytes),
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => Some(mp4_seconds(bytes).unwrap_or(f64::NAN)),
        // WebM and Matroska.
        [0x1a, 0x45, 0xdf, 0xa3, ..] => Some(f64::NAN),
        [b'I', b'D', b'3', ..] | [0xff, _, ..] => mp3_seconds(bytes),
        _ => None,
    }
}

/// The same, with a negative number for a file that is none.
#[op2(fast)]
pub fn op_media_seconds(#[buffer] bytes: &[u8]) -> f64 {
    seconds(bytes).unwrap_or(-1.0)
}

/// The samples of a WAV at `rate` Hz.
#[op2]
#[serde]
pub fn op_decode_wav(#[buffer] bytes: &[u8], rate: u32) -> Result<Sound, JsErrorBox> {
    let planes = decode_wav(bytes, rate).ok_or_else(|| JsErrorBox::generic("Unable to decode audio data"))?;
    let length = planes.first().map_or(0, Vec::len) as u32;
    let samples: Vec<u8> = planes.iter().flatten().flat_map(|v| v.to_ne_bytes()).collect();
    Ok(Sound { channels: planes.len() as u32, length, samples: samples.into() })
}

/// The project's file that these bytes are, or an empty string.
#[op2]
#[string]
pub fn op_media_name(state: &mut OpState, #[buffer] bytes: &[u8]) -> String {
    let files = state.borrow::<Arc<Project>>().files_read();
    let sum: String = Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect();
    files.into_iter().find(|f| f.bytes == bytes.len() as u64 && f.sha256 == sum).map(|f| f.path).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 16-bit samples of a channel.
    fn wav(rate: u32, samples: &[i16]) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        let spec = hound::WavSpec {
            channels: 1,
            sample_rate: rate,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let mut writer = hound::WavWriter::new(&mut bytes, spec).expect("spec");
        samples.iter().for_each(|s| writer.write_sample(*s).expect("sample"));
        writer.finalize().expect("sizes");
        bytes.into_inner()
    }

    /// A sine of 440 Hz at half of full scale.
    fn sine(rate: u32, at: f64) -> f64 {
        0.5 * (at * 2.0 * std::f64::consts::PI * 440.0 / f64::from(rate)).sin()
    }

    #[test]
    fn wav_gives_its_samples() {
        let samples: Vec<i16> = (0..11_025).map(|n| (sine(44_100, f64::from(n)) * 32_767.0) as i16).collect();
        let file = wav(44_100, &samples);
        assert_eq!(seconds(&file), Some(0.25));
        let same = decode_wav(&file, 44_100).expect("wav");
        assert!(same[0].iter().zip(&samples).all(|(a, b)| *a == f32::from(*b) / 32_768.0));
        // Chromium's decodeAudioData of the same file in a context of 48 kHz: 12000 samples, among them these.
        let other = decode_wav(&file, 48_000).expect("wav");
        assert_eq!(other[0].len(), 12_000);
        let want = [-0.249_956_03, -0.224_619_87, -0.198_536, -0.171_809_45];
        for (got, want) in other[0][100..104].iter().zip(want) {
            assert!((got - want).abs() < 2e-4, "{got} {want}");
        }
        for (n, got) in other[0].iter().enumerate().take(11_900).skip(100) {
            assert!((f64::from(*got) - sine(48_000, n as f64)).abs() < 2e-4, "{n}");
        }
        assert!(decode_wav(b"RIFF____WAVEjunk", 48_000).is_none());
        assert!(decode_wav(&file[..40], 48_000).is_none());
    }

    #[test]
    fn headers_tell_the_length() {
        // MPEG-1 layer III, 128 kbit/s, 44.1 kHz: 16000 bytes are a second.
        let mut mp3 = vec![0xff, 0xfb, 0x90, 0x64];
        mp3.resize(32_000, 0);
        assert_eq!(seconds(&mp3), Some(2.0));
        let mut tagged = b"ID3\x03\0\0\0\0\0\x0a0123456789".to_vec();
        tagged.extend_from_slice(&mp3);
        assert_eq!(seconds(&tagged), Some(2.0));
        let mut xing = mp3.clone();
        xing[36..48].copy_from_slice(b"Xing\0\0\0\x01\0\0\0\x64");
        assert_eq!(seconds(&xing), Some(100.0 * 1152.0 / 44_100.0));
        let mut ogg =
            b"OggS\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x1e\x01vorbis\0\0\0\0\x02\x80\xbb\0\0".to_vec();
        ogg.extend_from_slice(b"OggS\0\x04\x80\xbb\0\0\0\0\0\0");
        assert_eq!(seconds(&ogg), Some(1.0));
        let mut mp4 = b"\0\0\0\x08ftyp\0\0\0\x6cmvhd\0\0\0\0".to_vec();
        mp4.extend_from_slice(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 232, 0, 0, 9, 196]);
        assert_eq!(seconds(&mp4), Some(2.5));
        // STREAMINFO of 44.1 kHz, two channels of 16 bits, 88200 samples.
        let flac = b"fLaC\0\0\0\x22\x10\0\x10\0\0\0\0\0\0\0\x0a\xc4\x42\xf0\0\x01\x58\x88";
        assert_eq!(seconds(flac), Some(2.0));
        for junk in [&b"hello, this is text"[..], b"", b"\xff", b"OggS", b"RIFF....WAVE", b"ID3"] {
            assert_eq!(seconds(junk), None, "{junk:?}");
        }
    }
}
