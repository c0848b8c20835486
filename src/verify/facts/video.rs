//! What the video track is.

use super::units::Walked;
use super::{ColorFacts, FrameRateFacts, VideoFacts, bytes, names};
use crate::rules::Ratio;
use crate::verify::bitstream::avc::{self, Sps};
use crate::verify::bitstream::{Color, Sequence, av1, hevc};
use crate::verify::display::pixel_aspect;
use crate::verify::mp4::{Codec, FourCc, Movie, SampleEntry, Streams, Track, VisualEntry};
use crate::verify::rate;
use crate::verify::timeline::Timeline;

/// The facts, and what they were made from.
pub struct Video<'a> {
    pub track: &'a Track,
    pub entry: Option<&'a SampleEntry>,
    pub visual: VisualEntry,
    /// What the configuration in the sample entry says.
    pub sequence: Option<Sequence>,
    pub timeline: Timeline,
    pub facts: VideoFacts,
}

impl<'a> Video<'a> {
    pub fn of(movie: &Movie, track: &'a Track, walked: Option<&Walked>) -> Self {
        let entry = track.entries.first();
        let visual = match entry.map(|e| &e.streams) {
            Some(Streams::Video(visual)) => visual.clone(),
            _ => VisualEntry::default(),
        };
        let timeline = Timeline::of(track, movie.timescale);
        let sequence = entry.and_then(|entry| sequence(entry, walked));
        let facts = facts(track, entry, &visual, sequence.as_ref(), &timeline, walked);
        Self { track, entry, visual, sequence, timeline, facts }
    }
}

/// The stream's own header: from the configuration, or, where that is left to the samples (`avc3`), from them.
fn sequence(entry: &SampleEntry, walked: Option<&Walked>) -> Option<Sequence> {
    let in_band = || walked.map_or(&[][..], |w| w.sps.as_slice()).iter();
    match &entry.codec {
        Codec::Avc(config) => {
            config.sps.iter().chain(in_band()).find_map(|nal| Sps::parse(nal)).map(|sps| sps.sequence)
        }
        Codec::Hevc(config) => config.sps.iter().chain(in_band()).find_map(|nal| hevc::parse(nal)),
        Codec::Av1(config) => av1::parse(config),
        _ => None,
    }
}

/// ffmpeg's name of the codec.
fn codec_name(entry: &SampleEntry) -> String {
    let format = entry.original.unwrap_or(entry.format);
    match (&format.0, &entry.codec) {
        (b"avc1" | b"avc2" | b"avc3" | b"avc4", _) => "h264".to_owned(),
        (b"hvc1" | b"hev1" | b"dvh1" | b"dvhe", _) => "hevc".to_owned(),
        (b"av01", _) => "av1".to_owned(),
        (b"vp08", _) => "vp8".to_owned(),
        (b"vp09", _) => "vp9".to_owned(),
        (_, Codec::Mpeg4 { object_type: 0x20, .. }) => "mpeg4".to_owned(),
        (_, Codec::Mpeg4 { object_type: 0x60..=0x65, .. }) => "mpeg2video".to_owned(),
        (_, Codec::Mpeg4 { object_type: 0x6a, .. }) => "mpeg1video".to_owned(),
        (_, Codec::Mpeg4 { object_type: 0x6c, .. }) => "mjpeg".to_owned(),
        (_, Codec::Mpeg4 { object_type: 0x6d, .. }) => "png".to_owned(),
        (_, Codec::Mpeg4 { object_type: 0x6e, .. }) => "jpeg2000".to_owned(),
        _ => FourCc(format.0).to_string().trim_end().to_owned(),
    }
}

fn facts(
    track: &Track,
    entry: Option<&SampleEntry>,
    visual: &VisualEntry,
    sequence: Option<&Sequence>,
    timeline: &Timeline,
    walked: Option<&Walked>,
) -> VideoFacts {
    let codec = entry.map_or_else(String::new, codec_name);
    let entry_size = (u32::from(visual.width), u32::from(visual.height));
    let (width, height) = sequence.map_or(entry_size, |s| s.size);
    let (coded_width, coded_height) = sequence.map_or(entry_size, |s| s.coded);
    let (aspect, aspect_from) = pixel_aspect(visual, sequence);
    // A profile that the configuration tells even where the parameter sets are left to the samples.
    let named = match entry.map(|e| &e.codec) {
        Some(Codec::Avc(c)) => Some(avc::profile_name(c.profile.into(), c.constraints)),
        Some(Codec::Hevc(c)) => Some(hevc::profile_name(c.profile.into())),
        _ => None,
    };
    let counted = walked.filter(|w| w.samples == track.samples.len() as u64);
    let rate = &timeline.rate;
    VideoFacts {
        track: track.id,
        sample_entry: entry.map_or_else(String::new, |e| e.format.to_string()),
        profile: sequence.map(|s| s.profile.clone()).or(named),
        level: sequence.map(|s| s.level.clone()),
        tier: sequence.and_then(|s| s.tier).map(str::to_owned),
        pixel_format: sequence.map(|s| names::pixel_format(&codec, s)),
        bit_depth: sequence.map(|s| s.bit_depth),
        progressive: sequence.map(|s| s.progressive),
        codec,
        width,
        height,
        coded_width,
        coded_height,
        sample_aspect: Ratio::new(aspect.0.into(), aspect.1.into()),
        sample_aspect_from: aspect_from,
        rotation: rotation(track.matrix),
        color: color(visual, sequence.map(|s| s.color)),
        frames: track.samples.len() as u64,
        presented_frames: timeline.presented,
        pictures: counted.map(|w| w.pictures),
        without_picture: counted.map(|w| w.samples - w.with_picture),
        sync_frames: track.samples.iter().filter(|s| s.sync).count() as u64,
        reordered: timeline.reordered,
        start: timeline.start,
        duration: timeline.duration,
        frame_rate: FrameRateFacts {
            constant: rate.constant,
            exact: rate.exact,
            mean: rate.mean,
            shortest: rate.shortest,
            longest: rate.longest,
            irregular: rate.irregular,
            first_irregular: rate.first_irregular,
            timescale: track.timescale,
        },
        bytes: bytes(track),
        bit_rate: rate::measure(&[(track, timeline)], timeline.media),
    }
}

/// The stream's own tags, or else the container's.
fn color(visual: &VisualEntry, stream: Option<Color>) -> ColorFacts {
    let stream = stream.unwrap_or_default();
    let tag = visual.color.map(|c| Color {
        primaries: c.primaries,
        transfer: c.transfer,
        matrix: c.matrix,
        full_range: c.full_range,
    });
    let container = tag.unwrap_or_default();
    let either = |s: u16, c: u16| if s == 2 { c } else { s };
    let range = stream.full_range.or(container.full_range);
    ColorFacts {
        primaries: names::primaries(either(stream.primaries, container.primaries)),
        transfer: names::transfer(either(stream.transfer, container.transfer)),
        matrix: names::matrix(either(stream.matrix, container.matrix)),
        range: range.map(|full| if full { "pc" } else { "tv" }),
        in_stream: (stream.primaries, stream.transfer, stream.matrix) != (2, 2, 2),
        in_container: tag.is_some(),
    }
}

/// Degrees clockwise of the matrices that only turn.
fn rotation([a, b, c, d]: [i32; 4]) -> Option<u32> {
    const ONE: i32 = 0x1_0000;
    const MINUS: i32 = -0x1_0000;
    match [a, b, c, d] {
        [ONE, 0, 0, ONE] => Some(0),
        [0, ONE, MINUS, 0] => Some(90),
        [MINUS, 0, 0, MINUS] => Some(180),
        [0, MINUS, ONE, 0] => Some(270),
        _ => None,
    }
}
