//! From packets to a file that others can play.
//!
//! Takes coded packets in presentation order and what describes their tracks, gives an MP4 file whose
//! header stands in front and whose durations are exact. Must not know how packets were coded nor
//! pictures made. The file is playable at every checkpoint, so what a killed run leaves can be watched.

pub mod mp4;

use std::path::PathBuf;

use crate::encode::{Packet, VideoConfig};
use crate::frame::FrameRate;

pub use mp4::Mp4Writer;

/// What the file will hold, as far as it must be known before the first packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Pixels.
    pub width: u16,
    /// Pixels.
    pub height: u16,
    pub fps: FrameRate,
    /// The most video packets that will come.
    pub max_frames: u64,
    /// Video packets before audio is written again.
    pub group: u64,
    pub audio: Option<AudioLayout>,
}

/// A track of AAC frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AudioLayout {
    /// Sample pairs a second.
    pub sample_rate: u32,
    pub channels: u16,
    /// Sample pairs a packet decodes to.
    pub frame_len: u32,
    /// Sample pairs the decoder gives before the first that should be heard.
    pub delay: u32,
    /// AudioSpecificConfig.
    pub config: Vec<u8>,
}

impl Layout {
    /// Audio packets that cover `frames` video packets.
    pub fn audio_packets_for(&self, frames: u64) -> u64 {
        self.audio.as_ref().map_or(0, |audio| {
            let samples = self.fps.samples_for(frames, audio.sample_rate);
            (samples + u64::from(audio.delay)).div_ceil(u64::from(audio.frame_len.max(1)))
        })
    }
}

/// Takes packets of both tracks in file order.
pub trait Muxer {
    /// Must be called before the first checkpoint.
    fn set_video_config(&mut self, config: VideoConfig);

    /// # Errors
    /// The file cannot be written, or more packets came than the layout says.
    fn video(&mut self, packet: &Packet) -> Result<(), MuxError>;

    /// # Errors
    /// The file cannot be written, or more packets came than the layout says.
    fn audio(&mut self, packet: &Packet) -> Result<(), MuxError>;

    /// Makes the file playable as it stands.
    ///
    /// # Errors
    /// The file cannot be written.
    fn checkpoint(&mut self) -> Result<(), MuxError>;
}

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MuxError {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error("the file's header was laid out for {room} bytes but takes {needed}")]
    HeaderRoom { room: u64, needed: u64 },
    #[error("the packets do not describe their track yet")]
    NoConfig,
    #[error("a box cannot be written: {0}")]
    Box(String),
}
