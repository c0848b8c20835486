//! From pictures to coded packets: H.264, AV1, AAC, PNG.
//!
//! Takes 4:2:0 pictures (video) or 48 kHz stereo PCM (audio) in presentation order, gives packets in
//! the same order and the configuration a container needs. Same pictures and settings, same bytes,
//! for any number of threads. Must not know containers, files' names, or where pictures came from.

pub mod aac;
pub mod activity;
pub mod av1;
pub mod bits;
pub mod error;
pub mod h264;
pub mod png;
pub mod rate;
pub mod wav;

pub use error::EncodeError;

use crate::frame::{FrameRate, Yuv420};

/// One coded picture or audio frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Bytes as the container stores them (H.264: length-prefixed NAL units without parameter sets).
    pub data: Vec<u8>,
    /// Decoding can start here.
    pub key: bool,
}

/// What a container must know to describe a video track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VideoConfig {
    /// One sequence and one picture parameter set, as NAL units without start codes.
    H264 { sps: Vec<u8>, pps: Vec<u8> },
    /// The sequence header OBU with its size field.
    Av1 { sequence_header: Vec<u8>, profile: u8, level: u8, tier: bool },
}

/// What the video must look like, whatever the codec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VideoSettings {
    /// Pixels; even.
    pub width: u32,
    /// Pixels; even.
    pub height: u32,
    pub fps: FrameRate,
    /// Pictures that will be sent, as far as is known: the file's size limit is spread over them.
    pub frames: u64,
    /// Bits that may lie within any one-second window.
    pub max_bits_per_second: u64,
    /// Bits the whole track may take.
    pub max_total_bits: u64,
    /// Worker threads; changes the speed, never the bytes.
    pub threads: usize,
}

/// Send pictures in order, then `finish`; receive packets after each.
pub trait VideoEncoder: Send {
    /// # Errors
    /// The picture's size is not the settings', or the library failed.
    fn send(&mut self, picture: &Yuv420) -> Result<(), EncodeError>;

    /// No more pictures come; what is held back can be received.
    ///
    /// # Errors
    /// The library failed.
    fn finish(&mut self) -> Result<(), EncodeError>;

    /// The next packet in presentation order, `None` until more pictures are sent.
    ///
    /// # Errors
    /// The library failed.
    fn receive(&mut self) -> Result<Option<Packet>, EncodeError>;

    /// Known after the first packet at the latest.
    fn config(&self) -> Option<VideoConfig>;

    /// Pictures coarsened to keep the rate limit, by index: worth a warning.
    fn degraded(&self) -> &[u64];
}

/// Interleaved stereo 48 kHz PCM in, packets of [`AudioEncoder::frame_len`] sample pairs out.
pub trait AudioEncoder: Send {
    /// Sample pairs a packet decodes to.
    fn frame_len(&self) -> u32;

    /// Sample pairs the decoder gives before the first one that was sent.
    fn delay(&self) -> u32;

    /// AudioSpecificConfig (ISO/IEC 14496-3 §1.6.2.1).
    fn config(&self) -> &[u8];

    /// The packet that `pcm` (exactly `2 * frame_len` values; shorter is padded with silence) completes.
    ///
    /// # Errors
    /// The library failed.
    fn encode(&mut self, pcm: &[i16]) -> Result<Packet, EncodeError>;
}
