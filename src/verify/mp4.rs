//! Reads back the H.264 videos that `mux` writes.

#![expect(clippy::disallowed_methods, reason = "a video the user named")]

use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use mp4_atom::{Atom as _, Codec, Header, Moov, ReadAtom as _, ReadFrom as _, StszSamples};
use openh264::decoder::Decoder;
use openh264::formats::YUVSource as _;

use super::VerifyError;
use super::source::Picture;

pub struct VideoReader {
    file: BufReader<File>,
    path: PathBuf,
    decoder: Decoder,
    /// Offset and size of each sample.
    samples: Vec<(u64, u32)>,
    next: usize,
    /// Parameter sets with start codes, to go before the first sample.
    head: Vec<u8>,
}

impl VideoReader {
    pub fn open(path: &Path) -> Result<Self, VerifyError> {
        let fail = |why: String| VerifyError::NotOurs { path: path.to_owned(), why };
        let mut file = BufReader::new(File::open(path).map_err(|e| fail(e.to_string()))?);
        let moov = read_moov(&mut file).map_err(|e| fail(format!("no MP4 header: {e}")))?;
        let track = moov
            .trak
            .iter()
            .find(|t| t.mdia.hdlr.handler == mp4_atom::FourCC::new(b"vide"))
            .ok_or_else(|| fail("no video track".to_owned()))?;
        let table = &track.mdia.minf.stbl;
        let Some(Codec::Avc1(avc1)) = table.stsd.codecs.first() else {
            return Err(fail("only H.264 can be read back; compare PNG sequences (--codec png) instead".to_owned()));
        };
        let avcc = &avc1.avcc;
        let mut head = Vec::new();
        for nal in avcc.sequence_parameter_sets.iter().chain(&avcc.picture_parameter_sets) {
            head.extend([0, 0, 0, 1]);
            head.extend_from_slice(nal);
        }
        let StszSamples::Different { sizes } = &table.stsz.samples else {
            return Err(fail("samples of one size".to_owned()));
        };
        let chunks: Vec<u64> = match (&table.stco, &table.co64) {
            (Some(stco), _) => stco.entries.iter().map(|&o| u64::from(o)).collect(),
            (None, Some(co64)) => co64.entries.clone(),
            (None, None) => return Err(fail("no chunk offsets".to_owned())),
        };
        let runs: Vec<(u32, u32)> = table.stsc.entries.iter().map(|e| (e.first_chunk, e.samples_per_chunk)).collect();
        let samples = places(sizes, &chunks, &runs);
        let decoder = Decoder::new().map_err(|e| fail(format!("the decoder cannot be opened: {e}")))?;
        Ok(Self { file, path: path.to_owned(), decoder, samples, next: 0, head })
    }

    pub fn len(&self) -> u64 {
        self.samples.len() as u64
    }

    /// Decodes the next sample.
    pub fn next_picture(&mut self) -> Result<Picture, VerifyError> {
        let path = self.path.clone();
        let fail = |why: String| VerifyError::Unreadable { path: path.clone(), why };
        let number = self.next;
        let &(offset, size) = self.samples.get(number).ok_or_else(|| fail("no more frames".to_owned()))?;
        self.next += 1;
        let mut sample = vec![0; size as usize];
        self.file.seek(SeekFrom::Start(offset)).map_err(|e| fail(e.to_string()))?;
        self.file.read_exact(&mut sample).map_err(|e| fail(e.to_string()))?;
        let mut stream = std::mem::take(&mut self.head);
        to_start_codes(&sample, &mut stream);
        let decoded = self.decoder.decode(&stream).map_err(|e| fail(format!("frame {number}: {e}")))?;
        let yuv = decoded.ok_or_else(|| fail(format!("frame {number} gave no picture")))?;
        let (width, height) = yuv.dimensions();
        let rgba = to_rgba([yuv.y(), yuv.u(), yuv.v()], yuv.strides(), width, height);
        Ok(Picture { width: width as u32, height: height as u32, rgba })
    }
}

fn read_moov(file: &mut BufReader<File>) -> Result<Moov, mp4_atom::Error> {
    loop {
        let header = Header::read_from(file)?;
        if header.kind == Moov::KIND {
            return Moov::read_atom(&header, file);
        }
        let size = header.size.ok_or(mp4_atom::Error::OutOfBounds)?;
        file.seek_relative(i64::try_from(size).map_err(|_| mp4_atom::Error::OutOfBounds)?)?;
    }
}

/// Offset and size of each sample from the sample tables.
fn places(sizes: &[u32], chunks: &[u64], runs: &[(u32, u32)]) -> Vec<(u64, u32)> {
    let mut samples = Vec::with_capacity(sizes.len());
    let mut sizes = sizes.iter();
    for (number, &offset) in (1u32..).zip(chunks) {
        let count = runs.iter().take_while(|(first, _)| *first <= number).last().map_or(0, |(_, count)| *count);
        let mut at = offset;
        for &size in sizes.by_ref().take(count as usize) {
            samples.push((at, size));
            at += u64::from(size);
        }
    }
    samples
}

/// Replaces 4-byte lengths by start codes.
fn to_start_codes(mut sample: &[u8], out: &mut Vec<u8>) {
    while let Some((length, rest)) = sample.split_first_chunk::<4>() {
        let (nal, rest) = rest.split_at((u32::from_be_bytes(*length) as usize).min(rest.len()));
        out.extend([0, 0, 0, 1]);
        out.extend_from_slice(nal);
        sample = rest;
    }
}

/// BT.709 limited range back to RGBA, chroma repeated: for looking at, not for measuring.
fn to_rgba(planes: [&[u8]; 3], strides: (usize, usize, usize), width: usize, height: usize) -> Vec<u8> {
    let at = |plane: usize, stride: usize, x: usize, y: usize| {
        planes[plane].get(y * stride + x).map_or(0, |&v| i32::from(v))
    };
    let mut out = Vec::with_capacity(width * height * 4);
    for y in 0..height {
        for x in 0..width {
            let l = (at(0, strides.0, x, y) - 16) * 76309;
            let (u, v) = (at(1, strides.1, x / 2, y / 2) - 128, at(2, strides.2, x / 2, y / 2) - 128);
            // 2^16 · 255/224 · (2(1-Kr), 2(1-Kb)) and the shares of green.
            let rgb = [l + 117_489 * v, l - 13_975 * u - 34_925 * v, l + 138_438 * u];
            out.extend(rgb.map(|c| ((c + 32_768) >> 16).clamp(0, 255) as u8));
            out.push(255);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_places_follow_the_tables() {
        let samples = places(&[10, 20, 30, 40, 50], &[100, 200, 300], &[(1, 2), (3, 1)]);
        assert_eq!(samples, [(100, 10), (110, 20), (200, 30), (230, 40), (300, 50)]);
    }

    #[test]
    fn greys_and_primaries_come_back() {
        let of = |y, u, v| to_rgba([&[y; 4], &[u], &[v]], (2, 1, 1), 2, 2)[..3].to_vec();
        assert_eq!(of(235, 128, 128), [255, 255, 255]);
        assert_eq!(of(16, 128, 128), [0, 0, 0]);
        // 100 % red, BT.709 limited: 63, 102, 240.
        let red = of(63, 102, 240);
        assert!(red[0] >= 254 && red[1] <= 1 && red[2] <= 1, "{red:?}");
    }
}
