//! Everything `replay verify` knows of a file, as numbers. The field names are those of the JSON and of a profile's rules.

mod audio;
pub mod consistency;
mod names;
mod units;
mod video;

use serde::Serialize;

use super::loudness::Loudness;
use super::mp4::{Input, Kind, Movie, Mp4Error, Track};
use super::rate::{self, BitRate};
use super::timeline::Timeline;
use crate::rules::Ratio;
pub use consistency::Finding;

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Facts {
    pub file: FileFacts,
    /// Until the last picture or sound of an enabled track ends, seconds.
    pub duration: Ratio,
    /// All tracks together.
    pub bit_rate: BitRate,
    /// Seconds by which the sound ends later than the pictures; `None` without one of them.
    pub audio_ends_later: Option<Ratio>,
    pub video: Option<VideoFacts>,
    pub audio: Option<AudioFacts>,
    pub consistency: Consistency,
}

#[derive(Clone, Debug, Serialize)]
pub struct FileFacts {
    pub bytes: u64,
    pub container: &'static str,
    pub brand: Option<String>,
    pub compatible_brands: Vec<String>,
    /// Is `moov` in front of the first `mdat`?
    pub moov_first: bool,
    pub fragmented: bool,
    pub fragments: u64,
    pub tracks: u64,
    pub video_tracks: u64,
    pub audio_tracks: u64,
    /// Tracks that nothing else here tells of: one video and one audio track are judged.
    pub not_judged: Vec<OtherTrack>,
    /// The first 32 boxes at the top.
    pub boxes: Vec<BoxFacts>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherTrack {
    pub track: u32,
    /// `video`, `audio`, else the handler's name.
    pub kind: String,
    /// Name of its first sample entry.
    pub sample_entry: Option<String>,
    /// A track that is not counts as not there.
    pub enabled: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct BoxFacts {
    pub kind: String,
    pub at: u64,
    pub bytes: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct VideoFacts {
    pub track: u32,
    /// `h264`, `hevc`, `av1`, else the sample entry's name.
    pub codec: String,
    pub sample_entry: String,
    pub profile: Option<String>,
    pub level: Option<String>,
    pub tier: Option<String>,
    /// As ffmpeg names it: `yuv420p`, `yuvj420p` (full range), `yuv422p10le`.
    pub pixel_format: Option<String>,
    pub bit_depth: Option<u32>,
    pub progressive: Option<bool>,
    /// Pixels after cropping.
    pub width: u32,
    pub height: u32,
    pub coded_width: u32,
    pub coded_height: u32,
    /// Width to height of a pixel; `1` where nothing is said.
    pub sample_aspect: Ratio,
    /// `pasp`, `stream` or `default`.
    pub sample_aspect_from: &'static str,
    /// Degrees clockwise by which the picture is to be turned: 0, 90, 180, 270; `None` for any other matrix.
    pub rotation: Option<u32>,
    pub color: ColorFacts,
    /// Samples of the track.
    pub frames: u64,
    /// Those that the edit list shows.
    pub presented_frames: u64,
    /// Pictures found in the stream; `None` for codecs it is not counted for.
    pub pictures: Option<u64>,
    /// Samples in which none begins; `None` likewise.
    pub without_picture: Option<u64>,
    pub sync_frames: u64,
    /// Has pictures that lean on later ones.
    pub reordered: bool,
    /// When the first picture is shown, seconds.
    pub start: Ratio,
    /// From there to the end of the last one, seconds.
    pub duration: Ratio,
    pub frame_rate: FrameRateFacts,
    pub bytes: u64,
    pub bit_rate: BitRate,
}

/// Names as ffmpeg's: `bt709`, `tv`; `None` where unspecified.
#[derive(Clone, Debug, Serialize)]
pub struct ColorFacts {
    pub primaries: Option<String>,
    pub transfer: Option<String>,
    pub matrix: Option<String>,
    pub range: Option<&'static str>,
    /// Does the stream itself say so, does `colr`?
    pub in_stream: bool,
    pub in_container: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct FrameRateFacts {
    /// Does every frame last equally long, as exactly as the timescale can say?
    pub constant: bool,
    /// Frames a second if constant.
    pub exact: Option<Ratio>,
    /// Frames over their durations.
    pub mean: Ratio,
    /// Seconds.
    pub shortest: Ratio,
    pub longest: Ratio,
    /// Frames that do not last as long as most.
    pub irregular: u64,
    /// The first of them, from 0.
    pub first_irregular: Option<u64>,
    /// Ticks a second of all times.
    pub timescale: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct AudioFacts {
    pub track: u32,
    /// `aac`, `mp3`, else the sample entry's name.
    pub codec: String,
    pub sample_entry: String,
    /// Of AAC: `LC`, `HE-AAC`, `HE-AACv2`.
    pub profile: Option<String>,
    /// Hz of what comes out.
    pub sample_rate: u32,
    pub channels: u32,
    pub packets: u64,
    /// When the first value is heard, seconds.
    pub start: Ratio,
    /// From there to the end of the last one, seconds.
    pub duration: Ratio,
    /// Seconds in front that the edit list leaves out: the encoder's delay.
    pub priming: Ratio,
    pub bytes: u64,
    pub bit_rate: BitRate,
    pub loudness: Option<Loudness>,
    /// Why there is none.
    pub loudness_error: Option<String>,
}

/// Does the file agree with itself?
#[derive(Clone, Debug, Serialize)]
pub struct Consistency {
    /// Findings that do not hold.
    pub failed: u64,
    pub findings: Vec<Finding>,
    /// What is no contradiction, but may not be meant.
    pub notes: Vec<String>,
}

impl Facts {
    /// Reads headers, sample tables, and as much of the samples as tells what is in them.
    ///
    /// # Errors
    /// The file can't be read as MP4.
    pub fn of(input: &(impl Input + ?Sized)) -> Result<Self, Mp4Error> {
        let movie = Movie::read(input)?;
        let video = movie.track(Kind::Video).filter(|t| !t.entries.is_empty());
        let audio = movie.track(Kind::Audio).filter(|t| !t.entries.is_empty());
        let ((video, walked), audio) = rayon::join(
            || {
                let walked = video.and_then(|track| units::walk(input, &movie, track));
                (video.map(|track| video::Video::of(&movie, track, walked.as_ref())), walked)
            },
            || audio.map(|track| audio::Audio::of(input, &movie, track)),
        );
        let lines: Vec<Timeline> = movie.tracks.iter().map(|t| Timeline::of(t, movie.timescale)).collect();
        let enabled = movie.tracks.iter().zip(&lines).filter(|(track, _)| track.enabled);
        let duration = enabled.map(|(_, line)| line.end()).max().unwrap_or(Ratio::ZERO);
        let all: Vec<(&Track, &Timeline)> = movie.tracks.iter().zip(&lines).collect();
        let later = video.as_ref().zip(audio.as_ref()).map(|(v, a)| a.timeline.end().minus(v.timeline.end()));
        let notes = consistency::notes(&movie, video.as_ref());
        let findings = consistency::check(&movie, video.as_ref(), audio.as_ref(), walked.as_ref());
        let judged = [video.as_ref().map(|v| v.track.id), audio.as_ref().map(|a| a.track.id)];
        let count = |kind| movie.tracks.iter().filter(|t| t.kind == kind).count() as u64;
        Ok(Self {
            file: FileFacts {
                bytes: movie.size,
                container: if movie.file_type.major.is_some_and(|b| b.0 == *b"qt  ") { "mov" } else { "mp4" },
                brand: movie.file_type.major.map(|b| b.to_string()),
                compatible_brands: movie.file_type.compatible.iter().take(32).map(ToString::to_string).collect(),
                moov_first: movie.is_fast_start(),
                fragmented: movie.fragmented,
                fragments: movie.fragments as u64,
                tracks: movie.tracks.len() as u64,
                video_tracks: count(Kind::Video),
                audio_tracks: count(Kind::Audio),
                not_judged: movie.tracks.iter().filter(|t| !judged.contains(&Some(t.id))).map(OtherTrack::of).collect(),
                boxes: movie
                    .boxes
                    .iter()
                    .take(32)
                    .map(|b| BoxFacts { kind: b.kind.to_string(), at: b.at, bytes: b.size })
                    .collect(),
            },
            duration,
            bit_rate: rate::measure(&all, duration),
            audio_ends_later: later,
            video: video.map(|v| v.facts),
            audio: audio.map(|a| a.facts),
            consistency: Consistency {
                failed: findings.iter().filter(|f| f.ok == Some(false)).count() as u64,
                notes,
                findings,
            },
        })
    }
}

impl OtherTrack {
    fn of(track: &Track) -> Self {
        Self {
            track: track.id,
            kind: match track.kind {
                Kind::Video => "video".to_owned(),
                Kind::Audio => "audio".to_owned(),
                Kind::Other(handler) => handler.to_string(),
            },
            sample_entry: track.entries.first().map(|e| e.format.to_string()),
            enabled: track.enabled,
        }
    }
}

fn bytes(track: &Track) -> u64 {
    track.samples.iter().fold(0u64, |sum, s| sum.saturating_add(s.size.into()))
}
