//! What the audio track is.

use super::{AudioFacts, bytes};
use crate::verify::bitstream::aac::AudioConfig;
use crate::verify::loudness::{self, Coding, Loudness};
use crate::verify::mp4::{AudioEntry, Codec, Input, Movie, SampleEntry, Streams, Track};
use crate::verify::rate;
use crate::verify::timeline::Timeline;

/// The facts, and what they were made from.
pub struct Audio<'a> {
    pub track: &'a Track,
    pub entry: AudioEntry,
    pub config: Option<AudioConfig>,
    pub timeline: Timeline,
    pub facts: AudioFacts,
}

/// MPEG-4's own AAC, and MPEG-2's by profile (object type indications of ISO/IEC 14496-1 table 5).
const AAC: [u8; 4] = [0x40, 0x66, 0x67, 0x68];
/// MPEG-1 and MPEG-2 audio, of which layer III is what is found in MP4.
const MPEG_AUDIO: [u8; 2] = [0x69, 0x6b];

impl<'a> Audio<'a> {
    pub fn of(input: &(impl Input + ?Sized), movie: &Movie, track: &'a Track) -> Self {
        let described = track.entries.first();
        let entry = match described.map(|e| &e.streams) {
            Some(Streams::Audio(entry)) => *entry,
            _ => AudioEntry::default(),
        };
        let timeline = Timeline::of(track, movie.timescale);
        let config = match described.map(|e| &e.codec) {
            Some(Codec::Mpeg4 { object_type, config, .. }) if AAC.contains(object_type) => AudioConfig::parse(config),
            _ => None,
        };
        let (codec, mut profile) = described.map_or_else(Default::default, |d| name(d, config.as_ref()));
        let mut sample_rate = config.as_ref().map_or(entry.rate, |c| c.output_rate);
        let mut channels = config.as_ref().and_then(AudioConfig::output_channels).unwrap_or(entry.channels);
        let loudness = loud(input, track, described, config.as_ref(), &timeline, (channels, sample_rate));
        let (loudness, loudness_error) = match loudness {
            Ok(loudness) => (Some(loudness), None),
            Err(why) => (None, Some(why)),
        };
        // What nothing announces shows only when it is decoded: a core of half the rate, a mono core.
        if let Some(loudness) = &loudness {
            if let Some(core) = config.as_ref().filter(|c| c.object_type == 2 && !c.sbr)
                && loudness.output.1 == 2 * core.rate
            {
                let stereo = core.channels == Some(1) && loudness.output.0 == 2;
                profile = Some(if stereo { "HE-AACv2" } else { "HE-AAC" }.to_owned());
            }
            (channels, sample_rate) = loudness.output;
        }
        let facts = AudioFacts {
            track: track.id,
            codec,
            sample_entry: described.map_or_else(String::new, |e| e.format.to_string()),
            profile,
            sample_rate,
            channels,
            packets: track.samples.len() as u64,
            start: timeline.start,
            duration: timeline.duration,
            priming: timeline.trimmed,
            bytes: bytes(track),
            bit_rate: rate::measure(&[(track, &timeline)], timeline.media),
            loudness,
            loudness_error,
        };
        Self { track, entry, config, timeline, facts }
    }
}

fn name(entry: &SampleEntry, config: Option<&AudioConfig>) -> (String, Option<String>) {
    let format = entry.original.unwrap_or(entry.format);
    match (&format.0, &entry.codec) {
        (_, Codec::Mpeg4 { object_type: 0x66..=0x68, .. }) if config.is_none() => ("aac".to_owned(), None),
        (_, Codec::Mpeg4 { object_type, .. }) if AAC.contains(object_type) => {
            ("aac".to_owned(), config.map(AudioConfig::profile))
        }
        (b".mp3", _) => ("mp3".to_owned(), None),
        (_, Codec::Mpeg4 { object_type, .. }) if MPEG_AUDIO.contains(object_type) => ("mp3".to_owned(), None),
        (b"Opus", _) => ("opus".to_owned(), None),
        (b"fLaC", _) => ("flac".to_owned(), None),
        (b"ac-3", _) => ("ac3".to_owned(), None),
        (b"ec-3", _) => ("eac3".to_owned(), None),
        _ => (format.to_string().trim_end().to_owned(), None),
    }
}

/// Decodes on a thread of its own: a decoder that panics on hostile data takes only its measure with it.
fn loud(
    input: &(impl Input + ?Sized),
    track: &Track,
    entry: Option<&SampleEntry>,
    config: Option<&AudioConfig>,
    timeline: &Timeline,
    (channels, rate): (u32, u32),
) -> Result<Loudness, String> {
    let coding = match (entry.map(|e| &e.codec), config) {
        (Some(Codec::Mpeg4 { config: bytes, .. }), Some(parsed)) => Coding::Aac { config: bytes, parsed },
        (Some(Codec::Mpeg4 { object_type, .. }), _) if MPEG_AUDIO.contains(object_type) => {
            Coding::Mp3 { channels, rate }
        }
        _ if entry.is_some_and(|e| e.format.0 == *b".mp3") => Coding::Mp3 { channels, rate },
        _ => return Err("only AAC and MP3 are decoded".to_owned()),
    };
    let values = |seconds: f64| (seconds * f64::from(rate)).round().max(0.0) as u64;
    let (skip, keep) = (values(timeline.trimmed.to_f64()), values(timeline.duration.to_f64()));
    std::thread::scope(|scope| {
        let measured = scope.spawn(|| loudness::measure(input, track, &coding, skip, keep)).join();
        measured.unwrap_or_else(|_| Err("the decoder broke down: the stream is damaged".to_owned()))
    })
}
