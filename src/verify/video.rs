//! Pictures of an H.264 video by their number.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use openh264::OpenH264API;
use openh264::decoder::{Decoder, DecoderConfig};
use openh264_sys2::SBufferInfo;

use super::VerifyError;
use super::bitstream::Color;
use super::bitstream::avc::Sps;
use super::display::Display;
use super::mp4::{Codec, FileInput, Input as _, Kind, Movie, Sample, Streams, VisualEntry};
use super::source::Picture;

/// The most pictures that H.264 lets be held back for reordering.
const REORDERED: usize = 16;
/// Decoded pictures that wait to be asked for.
const HELD: usize = 2 * REORDERED;
/// Bytes of one coded picture.
const LARGEST_SAMPLE: u32 = 64 << 20;

pub struct VideoReader {
    input: FileInput,
    path: PathBuf,
    /// In decoding order.
    samples: Vec<Sample>,
    /// Indices into `samples` in presentation order.
    order: Vec<u32>,
    /// Parameter sets with start codes, to go before the first sample.
    head: Vec<u8>,
    length_size: usize,
    color: Color,
    /// How its pictures are shown.
    pub display: Display,
    decoder: Option<Decoder>,
    /// The sample that would be decoded next.
    next: usize,
    /// Decoded pictures by the index of their sample.
    held: BTreeMap<usize, Picture>,
}

impl VideoReader {
    pub fn open(path: &Path) -> Result<Self, VerifyError> {
        let fail = |why: String| VerifyError::Unreadable { path: path.to_owned(), why };
        let input = FileInput::open(path).map_err(|e| fail(e.to_string()))?;
        let movie = Movie::read(&input).map_err(|e| fail(e.to_string()))?;
        let none =
            if movie.is_disabled(Kind::Video) { "its video track is disabled (`tkhd`)" } else { "no video track" };
        let track = movie.track(Kind::Video).ok_or_else(|| fail(none.to_owned()))?;
        let entry = track.entries.first().ok_or_else(|| fail("the video track is not described".to_owned()))?;
        let Codec::Avc(config) = &entry.codec else {
            let why = format!("its pictures are `{}`, and only H.264 can be decoded here", entry.format);
            return Err(VerifyError::NoDecoder { path: path.to_owned(), why });
        };
        let sps = config.sps.first().and_then(|nal| Sps::parse(nal));
        let sps = sps.ok_or_else(|| fail("its sequence parameter set is damaged".to_owned()))?;
        let sequence = sps.sequence;
        let visual = match &entry.streams {
            Streams::Video(visual) => visual.clone(),
            _ => VisualEntry::default(),
        };
        let display = Display::of(track, &visual, Some(&sequence));
        let plain = sequence.chroma_format == 1 && sequence.bit_depth == 8 && sequence.bit_depth_chroma == 8;
        // High 4:4:4 Predictive is 4:2:0 too where it is lossless.
        if !plain || !sequence.progressive || sequence.profile_number == 244 {
            let why = format!(
                "pictures of H.264 {}, {} bits{}, can't be decoded: the decoder (openh264) knows 8-bit 4:2:0 frames of Baseline, Main and High only",
                sequence.profile,
                sequence.bit_depth,
                if sequence.progressive { "" } else { ", interlaced" },
            );
            return Err(VerifyError::NoDecoder { path: path.to_owned(), why });
        }
        let mut head = Vec::new();
        for nal in config.sps.iter().chain(&config.pps) {
            head.extend([0, 0, 0, 1]);
            head.extend_from_slice(nal);
        }
        let samples: Vec<Sample> = track.samples.iter().filter(|s| s.size > 0).copied().collect();
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        order.sort_by_key(|&i| samples.get(i as usize).map(Sample::composition_time));
        let mut color = sequence.color;
        if color.matrix == 2 && sequence.size.1 < 720 {
            color.matrix = 6;
        }
        Ok(Self {
            input,
            path: path.to_owned(),
            samples,
            order,
            head,
            length_size: config.length_size.into(),
            color,
            display,
            decoder: None,
            next: 0,
            held: BTreeMap::new(),
        })
    }

    /// Pictures there are.
    pub fn len(&self) -> u64 {
        self.order.len() as u64
    }

    /// Picture `index` in presentation order.
    pub fn picture(&mut self, index: u64) -> Result<Picture, VerifyError> {
        let target = usize::try_from(index).ok().and_then(|i| self.order.get(i)).copied();
        let target = target.ok_or_else(|| self.fail("no more frames".to_owned()))? as usize;
        if let Some(picture) = self.held.remove(&target) {
            return Ok(picture);
        }
        let start = self.start_for(target);
        if self.decoder.is_none() || self.next > target || self.next < start {
            let decoder = Decoder::with_api_config(OpenH264API::from_source(), DecoderConfig::new());
            self.decoder = Some(decoder.map_err(|e| self.fail(format!("the decoder can't be opened: {e}")))?);
            self.held.clear();
            self.next = start;
        }
        // The library holds pictures back until it knows their order.
        let last = (target + REORDERED).min(self.samples.len().saturating_sub(1));
        while self.next <= last {
            self.decode_next(target)?;
            if let Some(picture) = self.held.remove(&target) {
                return Ok(picture);
            }
        }
        // After this the decoder is of no more use: it does not give back what flushing took out.
        if let Some(mut decoder) = self.decoder.take() {
            let wanted = wanted(&self.samples, target);
            let pictures = flush(&mut decoder, self.color, &wanted);
            self.held.extend(pictures.into_iter().map(|(number, picture)| (number as usize, picture)));
        }
        self.held.remove(&target).ok_or_else(|| self.fail(format!("frame {index} gave no picture")))
    }

    /// The nearest sample from which `target` can be decoded: an IDR picture, since the library starts at no other, and
    /// one shown no later than `target`.
    fn start_for(&self, target: usize) -> usize {
        let shown = self.samples.get(target).map(Sample::composition_time);
        let before = self.samples.get(..=target).unwrap_or_default().iter().enumerate().rev();
        let mut sync = before.filter(|(_, s)| s.sync && Some(s.composition_time()) <= shown);
        sync.find(|(_, s)| self.has_idr(s)).map_or(0, |(i, _)| i)
    }

    /// Is one of the first NAL units of this sample a slice of an IDR picture?
    fn has_idr(&self, sample: &Sample) -> bool {
        let mut at = sample.at;
        for _ in 0..16 {
            let len = self.length_size as u64;
            let Ok(head) = self.input.bytes(at, len + 1) else { return false };
            let Some((kind, length)) = head.split_last() else { return false };
            match kind & 31 {
                5 => return true,
                1 => return false,
                _ => at = at.saturating_add(len).saturating_add(big_endian(length) as u64),
            }
            if at >= sample.end() {
                break;
            }
        }
        false
    }

    /// Decodes the next sample on the way to `target`.
    fn decode_next(&mut self, target: usize) -> Result<(), VerifyError> {
        let index = self.next;
        self.next += 1;
        let sample = self.samples.get(index).copied().ok_or_else(|| self.fail("no more frames".to_owned()))?;
        if sample.size > LARGEST_SAMPLE {
            return Err(self.fail(format!("coded picture {index} takes {} bytes", sample.size)));
        }
        let bytes = self.input.bytes(sample.at, sample.size.into());
        let bytes = bytes.map_err(|e| self.fail(format!("coded picture {index}: {e}")))?;
        let mut stream = if sample.sync { self.head.clone() } else { Vec::new() };
        to_start_codes(&bytes, self.length_size, &mut stream);
        let color = self.color;
        let Some(decoder) = &mut self.decoder else { return Ok(()) };
        let decoded = decode(decoder, &stream, index as u64, color, &wanted(&self.samples, target));
        let pictures = decoded.map_err(|status| self.fail(refused(index, status)))?;
        self.held.extend(pictures.into_iter().map(|(number, picture)| (number as usize, picture)));
        while self.held.len() > HELD {
            self.held.pop_first();
        }
        Ok(())
    }

    fn fail(&self, why: String) -> VerifyError {
        VerifyError::Unreadable { path: self.path.clone(), why }
    }
}

/// Pictures shown before `target` are decoded for those that lean on them alone: turning them into RGBA would take longer
/// than decoding them.
fn wanted(samples: &[Sample], target: usize) -> impl Fn(u64) -> bool + '_ {
    let time = move |at: usize| samples.get(at).map(Sample::composition_time);
    let from = time(target);
    move |number| usize::try_from(number).is_ok_and(|at| time(at) >= from)
}

fn refused(index: usize, status: i32) -> String {
    // DECODING_STATE of codec_app_def.h.
    let why = match status {
        s if s & 0x04 != 0 => "it is damaged, or uses what the decoder (openh264) does not know",
        s if s & 0x12 != 0 => "it leans on pictures or parameter sets that are not there",
        _ => "the decoder (openh264) refuses it",
    };
    format!("coded picture {index} can't be decoded: {why} (status {status:#x})")
}

/// Decodes one access unit; the pictures that come out, each with the number its access unit was given. The order in
/// which they come does not matter: the library's own guess at it is not always right.
fn decode(
    decoder: &mut Decoder,
    stream: &[u8],
    number: u64,
    color: Color,
    wanted: &dyn Fn(u64) -> bool,
) -> Result<Vec<(u64, Picture)>, i32> {
    let len = i32::try_from(stream.len()).map_err(|_| -1)?;
    let mut out = Vec::new();
    // 0 would mean that none was given.
    let mut info = SBufferInfo { uiInBsTimeStamp: number + 1, ..SBufferInfo::default() };
    let mut planes = [std::ptr::null_mut::<u8>(); 3];
    // SAFETY: no setting of the decoder is touched.
    let raw = unsafe { decoder.raw_api() };
    // SAFETY: `stream` holds `len` bytes; the library writes three pointers and the info, which outlive the call.
    let mut status = unsafe { raw.decode_frame2(stream.as_ptr(), len, (&raw mut planes).cast(), &raw mut info) };
    take(&info, &planes, color, wanted, &mut out);
    info.uiInBsTimeStamp = number + 1;
    // SAFETY: as above; no bytes mean the end of the access unit.
    status |= unsafe { raw.decode_frame2(std::ptr::null(), 0, (&raw mut planes).cast(), &raw mut info) };
    if status != 0 {
        return Err(status);
    }
    take(&info, &planes, color, wanted, &mut out);
    Ok(out)
}

/// The pictures that are still held back, at the end of the stream.
fn flush(decoder: &mut Decoder, color: Color, wanted: &dyn Fn(u64) -> bool) -> Vec<(u64, Picture)> {
    let mut out = Vec::new();
    for _ in 0..REORDERED {
        let mut info = SBufferInfo::default();
        let mut planes = [std::ptr::null_mut::<u8>(); 3];
        // SAFETY: no setting of the decoder is touched; the library writes three pointers and the info.
        unsafe { decoder.raw_api().flush_frame((&raw mut planes).cast(), &raw mut info) };
        if info.iBufferStatus != 1 {
            break;
        }
        take(&info, &planes, color, wanted, &mut out);
    }
    out
}

/// Copies a picture out of the library's buffers, if there is one and it is wanted.
fn take(
    info: &SBufferInfo,
    planes: &[*mut u8; 3],
    color: Color,
    wanted: &dyn Fn(u64) -> bool,
    out: &mut Vec<(u64, Picture)>,
) {
    if info.iBufferStatus != 1 || planes.iter().any(|p| p.is_null()) {
        return;
    }
    // SAFETY: with status 1 the union holds the description of a picture in memory.
    let layout = unsafe { info.UsrData.sSystemBuffer };
    let positive = |v: i32| usize::try_from(v).unwrap_or_default();
    let (width, height) = (positive(layout.iWidth), positive(layout.iHeight));
    let (luma, chroma) = (positive(layout.iStride[0]), positive(layout.iStride[1]));
    let (rows, half) = (height, height.div_ceil(2));
    if width == 0 || luma < width || chroma < width.div_ceil(2) || rows == 0 {
        return;
    }
    let [y, u, v] = *planes;
    // SAFETY: the library keeps `stride` bytes a row, the last row at least as wide as the picture, until its next call.
    let (y, u, v) = unsafe {
        let plane = |p: *mut u8, stride: usize, rows: usize, width: usize| {
            std::slice::from_raw_parts(p.cast_const(), stride * (rows - 1) + width)
        };
        (
            plane(y, luma, rows, width),
            plane(u, chroma, half, width.div_ceil(2)),
            plane(v, chroma, half, width.div_ceil(2)),
        )
    };
    let Some(number) = info.uiOutYuvTimeStamp.checked_sub(1).filter(|number| wanted(*number)) else { return };
    let rgba = to_rgba([y, u, v], (luma, chroma), width, height, color);
    out.push((number, Picture { width: width as u32, height: height as u32, rgba }));
}

fn big_endian(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |n, &b| n << 8 | usize::from(b))
}

/// Replaces the lengths in front of NAL units by start codes.
fn to_start_codes(mut sample: &[u8], length_size: usize, out: &mut Vec<u8>) {
    while let Some((length, rest)) = sample.split_at_checked(length_size) {
        let length = big_endian(length);
        let (nal, rest) = rest.split_at(length.min(rest.len()));
        out.extend([0, 0, 0, 1]);
        out.extend_from_slice(nal);
        sample = rest;
    }
}

/// 2^16 times: luma's scale, red of Cr, green of Cb and Cr, blue of Cb; and luma of black.
fn coefficients(color: Color) -> ([i32; 5], i32) {
    let (kr, kb) = match color.matrix {
        5 | 6 => (0.299, 0.114),
        9 | 10 => (0.2627, 0.0593),
        _ => (0.2126, 0.0722),
    };
    let kg = 1.0 - kr - kb;
    let full = color.full_range == Some(true);
    let (y, c) = if full { (1.0, 1.0) } else { (255.0 / 219.0, 255.0 / 224.0) };
    let scaled = |v: f64| (v * 65_536.0).round() as i32;
    let red = 2.0 * (1.0 - kr) * c;
    let blue = 2.0 * (1.0 - kb) * c;
    let coefficients = [y, red, blue * kb / kg, red * kr / kg, blue].map(scaled);
    (coefficients, if full { 0 } else { 16 })
}

/// 4:2:0 to RGBA by the stream's own colour tags, chroma repeated: for looking at, not for measuring.
fn to_rgba(planes: [&[u8]; 3], strides: (usize, usize), width: usize, height: usize, color: Color) -> Vec<u8> {
    let ([scale, red, green_u, green_v, blue], black) = coefficients(color);
    let [luma, cb, cr] = planes;
    let mut out = Vec::with_capacity(width * height * 4);
    for y in 0..height {
        let luma = luma.get(y * strides.0..).unwrap_or_default();
        let cb = cb.get(y / 2 * strides.1..).unwrap_or_default();
        let cr = cr.get(y / 2 * strides.1..).unwrap_or_default();
        let chroma = cb.iter().zip(cr).flat_map(|pair| std::iter::repeat_n(pair, 2));
        for (&l, (&u, &v)) in luma.iter().take(width).zip(chroma) {
            let l = (i32::from(l) - black) * scale;
            let (u, v) = (i32::from(u) - 128, i32::from(v) - 128);
            let rgb = [l + red * v, l - green_u * u - green_v * v, l + blue * u];
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
    fn greys_and_primaries_come_back() {
        let of = |y, u, v, color| to_rgba([&[y; 4], &[u], &[v]], (2, 1), 2, 2, color)[..3].to_vec();
        let limited = Color { matrix: 1, ..Color::default() };
        assert_eq!(of(235, 128, 128, limited), [255, 255, 255]);
        assert_eq!(of(16, 128, 128, limited), [0, 0, 0]);
        // 100 % red, BT.709 limited: 63, 102, 240; BT.601: 81, 90, 240; BT.601 full range (JFIF): 76, 85, 255.
        for (ycc, color) in [
            ([63, 102, 240], limited),
            ([81, 90, 240], Color { matrix: 6, ..Color::default() }),
            ([76, 85, 255], Color { matrix: 5, full_range: Some(true), ..Color::default() }),
        ] {
            let red = of(ycc[0], ycc[1], ycc[2], color);
            assert!(red[0] >= 253 && red[1] <= 2 && red[2] <= 2, "{red:?}");
        }
    }
}
